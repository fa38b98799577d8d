"""Makes the pictures of these pages:  python docs/pictures.py"""

from pathlib import Path

from PIL import Image

import biela
from biela.analysis.compare.compare import compare
from biela.bondgraph import load
from biela.views.curves.comparison import plot_comparison
from biela.views.curves.figures import energy_figure
from biela.views.drawing.mechanism import sketch
from biela.views.style import save

FOLDER = Path(__file__).parent / "_static"


def exercise() -> biela.Model:
    """The four-bar of start/four-bar.md."""
    model = biela.Model(name="exercise", gravity=(0, -9.81))
    model.add_ground("O", 0, 0).add_ground("D", "400 mm", 0)
    model.add_point("A", 0.1, 0).add_point("B", 0.3, 0.2)
    model.add_bar("crank", "O", "A", length="100 mm", mass=0.5)
    model.add_bar("coupler", "A", "B", length="300 mm", mass=1.0)
    model.add_bar("rocker", "D", "B", length="250 mm", mass=1.2)
    model.add_driver("motor", "crank.angle", "100*rpm*t")
    model.run = {"duration": "0.6 s"}
    return model


def main() -> None:
    """Write them all, a little smaller than biela draws them."""
    FOLDER.mkdir(exist_ok=True)
    pendulum = biela.simulate("double-pendulum", 10)
    sketch(pendulum, FOLDER / "double-pendulum.png", trace=["P2"], title="")
    save(energy_figure(pendulum), FOLDER / "double-pendulum-energy.png")
    turn = biela.kinematics(exercise())
    names = ("rocker.angle", "rocker.rate", "rocker.angular_acceleration")
    turn.plot(*names, against="crank.angle", path=FOLDER / "four-bar-rocker.png")
    forces = [f"{pin}.reaction.norm" for pin in "OABD"]
    turn.plot(*forces, "motor.effort", against="crank.angle", path=FOLDER / "four-bar-forces.png")
    curve = biela.kinematics("four-bar", "crank_angle")
    sketch(curve, FOLDER / "four-bar.png", trace=["P"], at=40, title="")
    biela.simulate("four-bar", 0.5).free_body("coupler", t=0.25).plot(FOLDER / "free-body.png", title="")
    vectors, trace = ["velocity", "acceleration"], ["P", "coupler@0.15,-0.05"]
    curve.sketch(1.0, FOLDER / "vectors.png", vectors=vectors, trace=trace, title="")
    pairs = ["penalty+trapezoidal", "projection+rk2", "projection+abm4", "augmented+rk4", "conserving", "decaying"]
    pairs += ["generalized-alpha", "reference-point:conserving", "relative:rk4", "augmented+dopri5"]
    steps, tolerances = [1e-3, 2e-3, 5e-3, 1e-2], [1e-4, 1e-6, 1e-8]
    study = compare("double-pendulum", pairs, steps=steps, duration=5, tolerances=tolerances)
    plot_comparison(study, FOLDER / "compare.png")
    load("dc-motor").draw(FOLDER / "bond-graph.png")
    for path in FOLDER.glob("*.png"):
        with Image.open(path) as picture:
            width, height = (round(0.7 * x) for x in picture.size)
            small = picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
        small.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
