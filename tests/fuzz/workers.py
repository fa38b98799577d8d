"""Cases in processes of their own: one that crashes or hangs is a finding, and the next process goes on.

A worker writes its case to disk before it runs it, so that whatever happens the case is known.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fuzz.case import Case
from fuzz.finding import Finding, Tally, fault
from fuzz.kinds import KINDS

START = 600.0
"""seconds that the first case of a process may take beyond its own: machine code is compiled"""
SHRINK = 60.0
WAITING = 10.0
"""so many times the seconds of computing a case may take by the clock"""


@dataclass(frozen=True)
class Task:
    """A case to be drawn and examined, or (with a signature) a failing one to be shrunk."""

    kind: str
    seed: int
    case: Case | None = None
    signature: str = ""


@dataclass(frozen=True)
class Answer:
    """What became of a task."""

    task: Task
    case: Case | None
    findings: list[Finding]
    tally: Tally
    seconds: float = 0.0


def examine(case: Case, tally: Tally | None = None) -> list[Finding]:
    """The findings of a case; an exception that no user should see is one."""
    from biela import BielaError

    tally = Tally() if tally is None else tally
    try:
        return KINDS[case.kind].examine(case, tally)
    except BielaError as error:
        tally.refused(error)
        return []
    except Exception as error:
        return [fault(error)]


def fails_alike(signature: str) -> Callable[[Case], bool]:
    """Whether a case still shows this fault."""
    return lambda case: any(f.signature == signature for f in examine(case))


def computing(pid: int) -> float:
    """Seconds that a process has computed, where the system tells: a busy machine makes nothing hang."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def do(task: Task, note: Path) -> Answer:
    """In the worker: draw, note down, examine; or shrink."""
    from biela import BielaError
    from fuzz.shrink import shrink

    start, tally = time.monotonic(), Tally()
    case = task.case
    try:
        if case is None:
            case = KINDS[task.kind].draw(task.seed)
    except BielaError as error:
        tally.refused(error)
        return Answer(task, None, [], tally)
    except Exception as error:
        return Answer(task, Case(task.kind, task.seed), [fault(error, "while drawing")], tally)
    if task.signature:
        fails = fails_alike(task.signature)

        def noted(simpler: Case) -> bool:
            simpler.write(note)
            return fails(simpler)

        case = shrink(case, noted, SHRINK)
    else:
        case.write(note)
    findings = examine(case, tally)
    return Answer(task, case, findings, tally, time.monotonic() - start)


def serve(connection: Connection, note: str) -> None:
    """A worker's life."""
    while (task := connection.recv()) is not None:
        connection.send(do(task, Path(note)))


class Worker:
    """A process and what it is at."""

    def __init__(self, number: int, folder: Path):
        self.note = folder / f"running-{os.getpid()}-{number}.json"
        self.process: Any = None
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        fresh = self.process is None
        if fresh:
            context = multiprocessing.get_context("spawn")
            self.connection, theirs = context.Pipe()
            self.process = context.Process(target=serve, args=(theirs, str(self.note)), daemon=True)
            self.process.start()
            theirs.close()
        self.note.unlink(missing_ok=True)
        self.connection.send(task)
        self.task, self.since = task, time.monotonic()
        self.patience = KINDS[task.kind].hang + (SHRINK * 2 if task.signature else 0.0) + (START if fresh else 0.0)
        self.computed = computing(self.process.pid)

    def answer(self) -> Answer | None:
        """What it says, or what is to be said of it; None while it works."""
        assert self.task is not None
        if self.connection.poll():
            try:
                said = self.connection.recv()
                self.task = None
                return said
            except (EOFError, OSError):
                self.process.join()
                return self._lost(f"crash: exit code {self.process.exitcode}")
        late = computing(self.process.pid) - self.computed > self.patience
        if late or time.monotonic() - self.since > WAITING * self.patience:
            self.process.kill()
            self.process.join()
            return self._lost("hang")
        return None

    def _lost(self, how: str) -> Answer:
        task, self.task, self.process = self.task, None, None
        assert task is not None
        case = Case.read(self.note) if self.note.exists() else Case(task.kind, task.seed)
        return Answer(task, case, [Finding(f"{how} ({task.kind})", f"the process of this case ended: {how}")], Tally())

    def end(self) -> None:
        if self.process is not None:
            self.process.kill() if self.task else self.connection.send(None)
            self.process.join()
        self.note.unlink(missing_ok=True)


def answers(tasks: Iterator[Task], count: int, folder: Path) -> Iterator[Answer]:
    """The answers to tasks as they come, by so many workers."""
    workers = [Worker(k, folder) for k in range(count)]
    going = True
    try:
        while True:
            for worker in workers:
                if worker.task is None and going:
                    task = next(tasks, None)
                    going = task is not None
                    if task is not None:
                        worker.give(task)
            busy = [w for w in workers if w.task is not None]
            if not busy:
                return
            wait([w.connection for w in busy], timeout=1.0)
            for worker in busy:
                said = worker.answer()
                if said is not None:
                    yield said
    finally:
        for worker in workers:
            worker.end()


def shrunk(found: dict[str, Case], count: int, folder: Path) -> Iterator[tuple[str, Case]]:
    """Failing cases made small. One whose shrinking crashes is left at the case that crashed."""
    tasks = (Task(case.kind, case.seed, case, signature) for signature, case in found.items())
    for said in answers(tasks, count, folder):
        case = said.case
        if case is not None and any(f.signature == said.task.signature for f in said.findings):
            yield said.task.signature, replace(case)
