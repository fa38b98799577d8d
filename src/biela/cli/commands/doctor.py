"""`biela doctor` and `biela warm`: is the installation sound, and making machine code before it is needed."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from .. import options as o
from ..machine_code import COMPILING, is_compiled, remember_compilation, remembered_compilation
from ..output import COLOURS, console, finish, seconds, status_line

NEEDED = ("numpy", "scipy", "numba", "pydantic", "typer", "rich", "sympy", "matplotlib", "tomlkit")
EXTRAS = {"data": ("xarray", "h5netcdf", "h5py", "pyarrow", "pandas")}
"""the extras that give commands something to do; see the package's metadata for the others"""
FIRST = "import biela; r = biela.simulate('double-pendulum', 1.0); assert r.ok; print(r.trajectory.wall)"


def doctor(as_json: o.Json = False) -> None:
    """Check the installation: versions, extras, machine code, time to the first result."""
    data = examine()
    sound = not data["missing"] and data["first_result_s"] is not None
    finish(lambda: _show(data), data, as_json=as_json, code=0 if sound else 1)


def warm(quiet: o.Quiet = False) -> None:
    """Compile all of biela's machine code now, once, so that no run has to wait for it."""
    begun = perf_counter()
    from ...machine.compiled import cache_folder
    from ..machine_code import compile_everything

    tell = (lambda text: None) if quiet else status_line()
    compile_everything(tell)
    taken = perf_counter() - begun
    remember_compilation(taken)
    tell("")
    finish(f"ready in {seconds(taken)}: {cache_folder()}", quiet=quiet)


def examine() -> dict[str, Any]:
    """Everything the doctor checks."""
    from ... import __version__

    versions = {name: _version(name) for name in NEEDED}
    extras = {name: {lib: _version(lib) for lib in libs} for name, libs in EXTRAS.items()}
    data: dict[str, Any] = {
        "biela": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": versions,
        "missing": [name for name, version in versions.items() if version is None],
        "extras": extras,
        "cache_folder": None,
        "cache_bytes": 0,
        "compiled": False,
        "import_s": None,
        "first_result_s": None,
        "first_result_cold_s": None,
        "run_s": None,
        "message": "",
    }
    if data["missing"]:
        return data
    from ...machine.compiled import cache_folder

    data["compiled"] = is_compiled()
    if not data["compiled"] and sys.stderr.isatty():
        print(COMPILING, file=sys.stderr)
    taken, done = _timed(FIRST)
    if done.returncode == 0 and not data["compiled"]:
        remember_compilation(taken)
        taken, done = _timed(FIRST)
    if done.returncode == 0:
        data["first_result_s"], data["run_s"] = taken, float(done.stdout.split()[-1])
        data["import_s"] = _timed("import biela")[0] - _timed("pass")[0]
    else:
        data["message"] = (done.stderr.strip().splitlines() or ["it ended without a message"])[-1]
    data["first_result_cold_s"] = remembered_compilation()
    data["cache_folder"] = str(cache_folder())
    data["cache_bytes"] = sum(file.stat().st_size for file in cache_folder().rglob("*") if file.is_file())
    return data


def _timed(code: str) -> tuple[float, subprocess.CompletedProcess]:
    """Seconds of another process, so that what this one has loaded already does not flatter the time."""
    begun = perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return perf_counter() - begun, done


def _version(name: str) -> str | None:
    if find_spec(name) is None:
        return None
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?"


def _show(data: dict[str, Any]) -> None:
    from rich.text import Text

    out = console()

    def line(label: str, text: str, style: str = "") -> None:
        out.print(Text(f"{label:<16}").append(text, style=style), soft_wrap=True)

    line("biela", data["biela"])
    line("python", f"{data['python']} on {data['platform']}")
    for name, version in data["packages"].items():
        line(name, version or "missing: pip install --upgrade biela", COLOURS["bad"] if version is None else "")
    for name, libraries in data["extras"].items():
        absent = [lib for lib, version in libraries.items() if version is None]
        if absent:
            line(f"biela[{name}]", f"without {', '.join(absent)}: pip install 'biela[{name}]'", COLOURS["doubtful"])
        else:
            line(f"biela[{name}]", ", ".join(f"{lib} {version}" for lib, version in libraries.items()), COLOURS["good"])
    if data["cache_folder"] is not None:
        line("machine code", "was compiled" if data["compiled"] else "was not compiled yet; it is now (see biela warm)")
        cold = data["first_result_cold_s"]
        if cold is not None:
            line("", f"compiling it took {seconds(cold)} on this machine; once, until biela changes")
        line("kept in", f"{data['cache_folder']} ({data['cache_bytes'] / 2**20:.1f} MB)")
    first = data["first_result_s"]
    if first is not None:
        text = f"{seconds(first)} from the start of Python, of which {seconds(data['run_s'])} simulating"
        line("first result", text, COLOURS["good" if first < 2 else "doubtful"])
        line("import biela", seconds(max(0.0, data["import_s"])))
    else:
        line("first result", f"none: {data['message'] or 'packages are missing'}", COLOURS["bad"])
