"""`biela doctor` and `biela warm`: is the installation sound, and making machine code before it is needed."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import typer

from .. import options as o
from ..guard import emit, guarded
from ..machine_code import remember_compilation, remembered_compilation
from ..show import BAD, DOUBTFUL, GOOD, console, seconds

NEEDED = ("numpy", "scipy", "numba", "pydantic", "typer", "rich", "sympy", "matplotlib", "tomlkit")
EXTRAS = {"data": ("xarray", "h5netcdf", "h5py", "pyarrow", "pandas")}
"""the extras that give commands something to do; see the package's metadata for the others"""
FIRST = "import biela; r = biela.simulate('double-pendulum', 1.0); assert r.ok; print(r.trajectory.wall)"


@guarded
def doctor(as_json: o.Json = False) -> None:
    """Check the installation: versions, extras, machine code, time to the first result."""
    data = examine()
    if as_json:
        emit(data)
    else:
        _show(data)
    if data["missing"] or data["first_result_s"] is None:
        raise typer.Exit(1)


@guarded
def warm(quiet: o.Quiet = False) -> None:
    """Compile all of biela's machine code now, once, so that no run has to wait for it."""
    begun = perf_counter()

    def tell(name: str) -> None:
        if not quiet and sys.stderr.isatty():
            print(f"\r\033[K{name} ...", end="", file=sys.stderr, flush=True)

    from ..machine_code import compile_everything

    compile_everything(tell)
    remember_compilation(perf_counter() - begun)
    if not quiet:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        from ...machine.compiled import cache_folder

        print(f"ready in {seconds(perf_counter() - begun)}: {cache_folder()}")


def examine() -> dict[str, Any]:
    """Everything the doctor looks at."""
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
    from ..machine_code import is_compiled

    data["compiled"] = is_compiled()
    if not data["compiled"] and sys.stderr.isatty():
        print("compiling biela's machine code: about half a minute, once ...", file=sys.stderr)
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
        line(name, version or "missing: pip install --upgrade biela", BAD if version is None else "")
    for name, libraries in data["extras"].items():
        absent = [lib for lib, version in libraries.items() if version is None]
        if absent:
            line(f"biela[{name}]", f"without {', '.join(absent)}: pip install 'biela[{name}]'", DOUBTFUL)
        else:
            line(f"biela[{name}]", ", ".join(f"{lib} {version}" for lib, version in libraries.items()), GOOD)
    if data["cache_folder"] is not None:
        line("machine code", "was compiled" if data["compiled"] else "was not compiled yet; it is now (see biela warm)")
        cold = data["first_result_cold_s"]
        if cold is not None:
            line("", f"compiling it took {seconds(cold)} on this machine; once, until biela changes")
        line("kept in", f"{data['cache_folder']} ({data['cache_bytes'] / 2**20:.1f} MB)")
    first = data["first_result_s"]
    if first is not None:
        text = f"{seconds(first)} from the start of Python, of which {seconds(data['run_s'])} simulating"
        line("first result", text, GOOD if first < 2 else DOUBTFUL)
        line("import biela", seconds(max(0.0, data["import_s"])))
    else:
        line("first result", f"none: {data['message'] or 'packages are missing'}", BAD)
