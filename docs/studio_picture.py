"""Makes the picture of the studio in how-to/studio.md:  python docs/studio_picture.py  (needs Playwright, Chromium)"""

import os
import shutil
import tempfile
from pathlib import Path
from time import sleep

from PIL import Image
from playwright.sync_api import sync_playwright

from biela.studio.server import open_studio

TARGET = Path(__file__).parent / "_static" / "studio.png"
READY = "!!(window.bielaStudio?.motion?.player && bielaStudio.last && !bielaStudio.motion.running)"


def main() -> None:
    """The four-bar, with its accelerations, at an instant."""
    browser_path = next(p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        studio = open_studio(Path(folder), "library:four-bar", port=0)
        sandbox = [] if os.geteuid() else ["--no-sandbox"]  # Chromium has none for root
        browser = playwright.chromium.launch(executable_path=browser_path, args=sandbox)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(studio.address)
        for _ in range(2):
            while not page.evaluate(READY):
                sleep(0.1)
            sleep(3)  # the full run follows the first
        page.evaluate("bielaStudio.motion.player.pause(); bielaStudio.motion.player.seek(0.62)")
        page.evaluate("bielaStudio.motion.player.setVectors(['velocity'])")
        sleep(1)
        page.screenshot(path=TARGET)
        browser.close()
        studio.close()
    Image.open(TARGET).convert("RGB").quantize(128).save(TARGET, optimize=True)


if __name__ == "__main__":
    main()
