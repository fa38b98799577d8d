"""All programs on one problem, in turns: a row for each method and setting, with CPU time and errors."""

from __future__ import annotations

import math
import random
from statistics import median

from .programs import Program, installed

SAMPLES = 100


def measure(
    name: str,
    size: int,
    duration: float,
    quick: bool,
    rounds: int,
    limit: float,
    only: list[str] | None = None,
    say=print,
) -> dict:
    """Rows of all the programs. `limit`: a setting that takes longer (s) ends its ladder; the first
    may take twice as long, and what takes three times as long is not measured again."""
    problem = {"name": name, "size": size, "duration": duration}
    versions, _ = installed()
    programs = {a: Program(a) for a in versions if only is None or a in only}
    rows = []
    notes = [f"{a}: not run here" for a in versions if a not in programs]
    try:
        plan: list[tuple[Program, dict]] = []
        for adapter, program in programs.items():
            answer = program.ask(do="methods", problem=problem, quick=quick)
            if "error" in answer:
                notes.append(f"{adapter}: {answer['error']}")
                continue
            for m in answer["methods"]:
                found = _ladder(program, problem, m, limit)
                notes += [f"{adapter} {m['name']}: {n}" for n in found[1]]
                plan += [(program, row) for row in found[0]]
            say(f"  {name} {size or ''}: {adapter.rstrip('_')} {len(answer['methods'])} methods", flush=True)
        times: dict[int, list[float]] = {k: [] for k in range(len(plan))}
        order = list(range(len(plan)))
        for _ in range(rounds):  # round robin in a fresh order, so that no one always follows the same other
            random.shuffle(order)
            for k in order:
                program, row = plan[k]
                if row["cpu"] > 3 * limit:
                    continue
                answer = program.ask(do="time", problem=problem, method=row["method"], value=row["value"])
                if "cpu" in answer:
                    times[k].append(answer["cpu"])
        for k, (_, row) in enumerate(plan):
            every = times[k] or [row["cpu"]]
            row["cpu"], row["cpu_median"] = min(every), median(every)
            row["us_per_step"] = 1e6 * row["cpu"] / row["steps"] if row["steps"] else None
            rows.append(row)
    finally:
        for program in programs.values():
            program.close()
    return {"problem": problem, "rows": rows, "notes": notes}


def _ladder(program: Program, problem: dict, m: dict, limit: float) -> tuple[list[dict], list[str]]:
    """From coarse to fine, until a run takes too long or nothing is gained."""
    rows, notes, failed = [], [], 0
    for value in m["ladder"]:
        answer = program.ask(do="try", problem=problem, method=m["name"], value=value, samples=SAMPLES)
        if "error" in answer or not math.isfinite(answer["position"]):
            failed += 1
            notes.append(f"at {value:g}: {answer.get('error', 'numbers ran away')}")
            if program.dead:
                break
            continue
        row = {
            "program": program.adapter.rstrip("_"),
            "method": m["name"],
            "value": value,
            "settings": m["settings"],
            "kind": "tolerance" if m["tolerance"] else "step",
        }
        rows.append(row | answer)
        long = answer["cpu"] > limit and (len(rows) > 1 or answer["cpu"] > 2 * limit)
        if long or (answer["position"] < 3e-10 and answer["energy"] < 3e-9):
            break
    return rows, notes
