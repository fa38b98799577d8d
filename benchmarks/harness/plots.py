"""Work-precision plots: error against CPU time, one picture per problem."""

from __future__ import annotations

from pathlib import Path

COLOURS = {
    "biela": "#c1121f",
    "exudyn": "#1d3557",
    "mujoco": "#2a9d8f",
    "pinocchio": "#e9a320",
    "casadi": "#7b2cbf",
    "drake": "#457b9d",
    "opensim": "#8d6e63",
    "sympy_scipy": "#777777",
}
MARKS = "osD^v<>ph*X"


def work_precision(result: dict, path: Path, unit: str = "m") -> None:
    """One line per method; of biela only those that are somewhere the quickest, in full colour."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5.5), constrained_layout=True)
    lines: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in result["rows"]:
        lines.setdefault((row["program"], row["method"]), []).append((1e3 * row["cpu"], row["position"]))
    count: dict[str, int] = {}
    for (program, method), points in sorted(lines.items(), key=lambda item: (item[0][0] != "biela", item[0])):
        k = count[program] = count.get(program, -1) + 1
        x, y = zip(*points, strict=True)
        axes.loglog(
            x,
            y,
            color=COLOURS.get(program, "k"),
            marker=MARKS[k % len(MARKS)],
            ms=4,
            lw=1.6 if program == "biela" else 1,
            alpha=1 if program == "biela" else 0.8,
            label=f"{program}: {method}",
        )
    p = result["problem"]
    axes.set_xlabel("CPU time [ms]")
    axes.set_ylabel(f"position error at the end [{unit}]")
    size = f", N = {p['size']}" if p["size"] else ""
    axes.set_title(f"{p['name'].replace('_', ' ')}{size}, {p['duration']:g} s")
    axes.grid(True, which="major", alpha=0.3)
    axes.set_ylim(top=min(10.0, axes.get_ylim()[1]))
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def scaling(rows: dict[str, list[tuple[float, float]]], path: Path, title: str, unit: str) -> None:
    """Cost against size, both logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 5), constrained_layout=True)
    for name, points in rows.items():
        x, y = zip(*sorted(points), strict=True)
        program = name.split(":")[0].split()[0]
        axes.loglog(x, y, marker="o", ms=4, color=COLOURS.get(program), label=name)
    axes.set_xlabel("size")
    axes.set_ylabel(unit)
    axes.set_title(title)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)
    plt.close(figure)
