"""`auto` against the best pair of `compare`, on every mechanism of the library.

`auto` is a plain `biela.simulate`. The pairs are all formulations with all integrators in the coordinates that auto
takes, with steps and tolerances from coarse to fine; the best is the cheapest whose errors of position, of velocity and
of energy are not larger than auto's (of a mechanism whose drivers leave no freedom, any method has the positions, and
some have the energy by construction). The four that were quickest at first sight are measured again, in turns with
auto.
"""

from __future__ import annotations

import sys
import time
from math import dist, hypot, isfinite
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
STEPS = tuple(2.0**-k for k in range(12))
"""of an eighth of the motion, or of 256 steps of the mechanism's own, whichever is shorter"""
TOLERANCES = tuple(10.0**-k for k in range(3, 11))
ROUNDS = 7
"""how often auto and the quickest pairs are run, in turns; the least time of each counts"""
REFERENCES = (("lagrange", "dop853", 1e-12), ("augmented", "dop853", 1e-12), (None, "dopri5", 1e-11))


def judge(name: str, quick: bool) -> dict:
    """One mechanism."""
    import biela
    from biela.analysis.compare.compare import _ends
    from biela.methods.registry import FORMULATIONS, INTEGRATORS

    system = biela.assemble(name)
    duration = min(system.resolved.duration or 1.0, 10.0)

    def run(**options):
        r = biela.simulate(system, duration, samples=1, **options)
        return r if r.ok and isfinite(r.trajectory.energy_error) else None

    truth = next((r for f, i, e in REFERENCES if (r := run(formulation=f, integrator=i, tolerance=e))), None)
    auto = run()
    if truth is None or auto is None:
        return {"name": name, "failed": "no reference" if truth is None else "auto did not finish"}
    ends = _ends(truth)
    fastest = max((hypot(*v) for v in ends[1].values()), default=0.0)

    def errors(r) -> tuple[float, float, float]:
        off = [max((dist(here[k], there[k]) for k in there), default=0.0) for here, there in zip(_ends(r), ends)]
        return off[0], off[1], r.trajectory.energy_error

    floors = 1e-9 * system.size, 1e-9 * fastest, 1e-12
    goals = [max(off, floor) for off, floor in zip(errors(auto), floors)]
    good: list[tuple[float, str, float, dict]] = []
    step = min((system.resolved.step or duration / 2000) * 256, duration / 8)
    for i in INTEGRATORS.values():
        if i.scipy or i.order < 2:
            continue
        for f in [None] if i.direct else (["augmented"] if system.is_open_tree else FORMULATIONS):
            for value in TOLERANCES if i.adaptive else [step * s for s in STEPS]:
                pair = {"formulation": f, "integrator": i.name, "tolerance" if i.adaptive else "step": value}
                try:
                    r = run(**pair)
                except biela.errors.BielaError:
                    break
                if r is None:
                    continue
                if all(off <= goal for off, goal in zip(errors(r), goals)):
                    seconds = min(r.trajectory.cpu, run(**pair).trajectory.cpu)
                    good.append((seconds, f"{f or ''}+{i.name} at {value:g}", errors(r)[0], pair))
                    break
                if r.trajectory.cpu > (0.5 if quick else 4.0 * auto.trajectory.cpu + 1e-3):
                    break  # finer is dearer yet
    good.sort(key=lambda g: g[0])
    auto_s = auto.trajectory.cpu
    times = [g[0] for g in good[:4]] if auto_s > 2.0 else [float("inf")] * len(good[:4])
    for _ in range(1 if auto_s > 2.0 else ROUNDS):
        auto_s = min(auto_s, run().trajectory.cpu)
        for k, g in enumerate(good[: len(times)]):
            times[k] = min(times[k], run(**g[3]).trajectory.cpu)
    out = {"name": name, "auto_s": auto_s, "auto_method": auto.method.split(" (")[0], "auto_error": errors(auto)[0]}
    if not good:
        return out | {"best": "none is as good", "ratio": 1.0}
    k = times.index(min(times))
    return out | {"best": good[k][1], "best_s": times[k], "best_error": good[k][2], "ratio": auto_s / times[k]}


def main(quick: bool) -> list[dict]:
    """Every mechanism; quick: five of them."""
    from main import machine, save

    from biela.library import names

    chosen = ["double-pendulum", "four-bar", "andrews", "heavy-top", "slider-crank"] if quick else list(names())
    rows = []
    for name in chosen:
        begun = time.process_time()
        try:
            row = judge(name, quick)
        except Exception as e:
            row = {"name": name, "failed": f"{type(e).__name__}: {str(e).splitlines()[0]}"}
        rows.append(row)
        told = row.get("failed") or f"auto / best = {row['ratio']:.2f} ({row['best']})"
        print(f"  {name}: {told} [{time.process_time() - begun:.0f} s]", flush=True)
    save("auto", {"machine": machine(), "quick": quick, "rows": rows})
    good = [r for r in rows if "ratio" in r]
    worst = max(good, key=lambda r: r["ratio"], default=None)
    over = [f"{r['name']} {r['ratio']:.1f}" for r in good if r["ratio"] > 3]
    failed = [f"{r['name']} ({r['failed']})" for r in rows if "failed" in r]
    note = "; ".join(
        filter(
            None, ["over 3: " + ", ".join(over) if over else "", "not judged: " + ", ".join(failed) if failed else ""]
        )
    )
    return [
        {
            "what": f"auto within 3 of the best pair on {len(good)} mechanisms: the worst",
            "wanted": "<= 3",
            "value": worst and worst["ratio"],
            "holds": bool(worst and not over),
            "note": note,
        }
    ]


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    print(judge(sys.argv[1], False))
