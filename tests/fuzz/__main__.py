"""The command `./fuzz`: see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fuzz.case import Case
from fuzz.finding import Finding, Tally
from fuzz.kinds import KINDS
from fuzz.table import sentences, table
from fuzz.workers import Answer, Task, answers, examine, shrunk


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    about = "Random mechanisms, laws, files and commands, held against what must be so."
    p = argparse.ArgumentParser(prog="./fuzz", description=about)
    p.add_argument("--minutes", type=float, default=None, help="for so long (30, if --runs is not given)")
    p.add_argument("--runs", type=int, default=None, help="until so many mechanism-runs are done")
    p.add_argument("--seed", type=int, default=1, help="another one draws other cases")
    p.add_argument("--kind", action="append", choices=list(KINDS), help="only these kinds; repeatable")
    p.add_argument("--workers", type=int, default=2, help="processes")
    p.add_argument("--out", type=Path, default=Path("out/fuzz"), help="where failing cases are written")
    p.add_argument("--reproduce", type=Path, action="append", help="examine a case that was written, once more")
    a = p.parse_args(given)
    if a.minutes is None and a.runs is None:
        a.minutes = 30.0
    return a


def tasks(seed: int, kinds: list[str]) -> Iterator[Task]:
    """Cases of all kinds in turn, by their shares, without end. The same for the same seed."""
    due = dict.fromkeys(kinds, 0.0)
    number: Counter[str] = Counter()
    while True:
        for kind in kinds:
            due[kind] += KINDS[kind].share
            while due[kind] >= 1.0:
                due[kind] -= 1.0
                drawn = np.random.SeedSequence([seed, zlib.crc32(kind.encode()), number[kind]]).generate_state(1)[0]
                number[kind] += 1
                yield Task(kind, int(drawn))


class Net:
    """What a run of the command has seen so far."""

    def __init__(self, asked: argparse.Namespace):
        self.asked, self.kinds = asked, asked.kind or list(KINDS)
        self.start = time.monotonic()
        self.tallies = {kind: Tally() for kind in self.kinds}
        self.cases: Counter[str] = Counter()
        self.found: dict[str, tuple[Case, Finding]] = {}
        self.times: Counter[str] = Counter()
        self.told = self.start

    @property
    def runs(self) -> int:
        return sum(t.counts["runs"] for t in self.tallies.values())

    def over(self) -> bool:
        """Whether it has done what was asked."""
        late = self.asked.minutes is not None and time.monotonic() - self.start > 60 * self.asked.minutes
        return late or (self.asked.runs is not None and self.runs >= self.asked.runs)

    def due(self) -> Iterator[Task]:
        for task in tasks(self.asked.seed, self.kinds):
            if self.over():
                return
            yield task

    def take(self, said: Answer) -> None:
        """Count it; what fails for the first time is written and told."""
        kind = said.task.kind
        self.cases[kind] += 1
        self.tallies[kind].take(said.tally)
        self.tallies[kind].add("failures", bool(said.findings))
        for finding in said.findings:
            self.times[finding.signature] += 1
            if finding.signature not in self.found and said.case is not None:
                case = focused(said.case, finding)
                self.found[finding.signature] = case, finding
                path = self.write(finding.signature, case)
                print(f"FAILED  {finding.signature}  [{kind}, seed {said.task.seed}]\n        {path}", flush=True)
                print("        " + finding.what.replace("\n", "\n        ")[:1500], flush=True)

    def progress(self) -> None:
        """A line a minute."""
        now = time.monotonic()
        if now - self.told > 60.0:
            self.told = now
            text = f"{sum(self.cases.values())} cases, {self.runs} mechanism-runs, {len(self.found)} kinds of failure"
            print(f"{(now - self.start) / 60:.0f} min: {text}", file=sys.stderr, flush=True)

    def write(self, signature: str, case: Case) -> Path:
        path = self.asked.out / (file_name(signature) + ".json")
        case.write(path, f"{signature}\n{self.found[signature][1].what}")
        return path

    def shrink(self) -> None:
        """Make the failing cases small, and write them again."""
        failing = {signature: case for signature, (case, _) in self.found.items()}
        for signature, case in shrunk(failing, self.asked.workers, self.asked.out):
            print(f"shrunk  {signature}: {self.write(signature, case)}", flush=True)

    def report(self) -> str:
        lines = [table(self.tallies, self.cases), "", "what was refused or stopped, most often:"]
        lines += [sentences(self.tallies)]
        lines += ["", f"{len(self.found)} kinds of failure:"] if self.found else []
        lines += [f"{self.times[s]:>8}  {s}  -> {file_name(s)}.json" for s in self.found]
        seconds = time.monotonic() - self.start
        return "\n".join([*lines, "", f"{self.runs} mechanism-runs, seed {self.asked.seed}, {seconds:.0f} s"])


def focused(case: Case, finding: Finding) -> Case:
    """The case with nothing examined but what failed."""
    return Case(case.kind, case.seed, case.model, {**case.more, **finding.focus})


def file_name(signature: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in signature)[:80].strip("-")


def reproduce(paths: list[Path]) -> int:
    """Examine cases once more, in this process."""
    failed = 0
    for path in paths:
        findings = examine(Case.read(path))
        failed += bool(findings)
        print(f"{path}: {'passes' if not findings else ''}")
        for finding in findings:
            print(f"FAILED  {finding.signature}\n{finding.what}")
    return int(failed > 0)


def main(given: list[str] | None = None) -> int:
    """0: nothing failed; 1: something did."""
    asked = arguments(given)
    if asked.reproduce:
        return reproduce(asked.reproduce)
    asked.out.mkdir(parents=True, exist_ok=True)
    net = Net(asked)
    try:
        for said in answers(net.due(), asked.workers, asked.out):
            net.take(said)
            net.progress()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    net.shrink()
    print(net.report(), flush=True)
    return int(bool(net.found))


if __name__ == "__main__":
    sys.exit(main())
