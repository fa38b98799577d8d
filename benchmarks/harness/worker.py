"""One program in a process of its own: makes cases and times them when it is told to, one JSON object per line.

    python -m harness.worker exudyn_

Each program has its own process because their libraries do not all go together, and because one that ends in a crash
must not end the others. The clock is CPU time of the process; one thread.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from dataclasses import asdict
from importlib import import_module

BATCH = 0.02
"""a timed batch lasts at least so long, s: short runs are repeated"""


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a program prints is not an answer
    peer = import_module(f"peers.{sys.argv[1]}")
    problems, cases = {}, {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = _answer(peer, problems, cases, request)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}".strip().splitlines()[0][:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _answer(peer, problems: dict, cases: dict, r: dict) -> dict:
    key = json.dumps(r["problem"])
    if key not in problems:
        problems.clear()
        cases.clear()
        p = r["problem"]
        problems[key] = import_module(f"problems.{p['name']}").problem(p["size"], p["duration"])
    problem = problems[key]
    if r["do"] == "methods":
        cases["methods"] = {m.name: m for m in peer.methods(problem, r["quick"])}
        return {"methods": [asdict(m) | {"options": None} for m in cases["methods"].values()]}
    name = r["method"], r["value"]
    if r["do"] == "try":  # build it, run it once, judge it
        begun = time.process_time()
        case = cases[name] = peer.make(problem, cases["methods"][name[0]], r["value"])
        built = time.process_time() - begun
        first = _once(case)
        motion = case.record(r["samples"])
        return {"cpu": first, "build": built, "steps": case.steps, **problem.errors(motion, problem.duration)}
    case = cases[name]
    if r["do"] == "drop":
        del cases[name]
        return {}
    times, spent = [], 0.0
    while not times or (spent < BATCH and len(times) < 50):
        begun = time.process_time()
        times.append(_once(case))
        spent += time.process_time() - begun
    return {"cpu": min(times), "runs": len(times)}


def _once(case) -> float:
    case.reset()
    begun = time.process_time()
    own = case.run()
    spent = time.process_time() - begun
    value = spent if own is None else own
    return value if math.isfinite(value) else spent


if __name__ == "__main__":
    main()
