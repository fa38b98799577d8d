"""Worker processes: started in advance, kept warm, one job each at a time, ended when they do not answer."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from time import monotonic
from typing import Any

from ..threads import one_thread
from .messages import receive, send

MOST = 4
"""workers at once; further jobs wait"""
SHORT, LONG = 10.0, ("run", "compare", "export")
"""seconds of limit up to which a job is short, and the jobs that may be long"""
GRACE = 2.0
"""seconds that a cancelled job has to come to its end by itself"""
SLACK = 10.0
"""seconds beyond its limit that a job has to come to its end by itself; compiling machine code is not counted"""
ENDS = ("done", "refused", "cancelled")
BEAT = 1.0
"""seconds after which a job that says nothing is said to be still there"""
START = 900.0
"""seconds that a worker has for its start; the very first one on a machine compiles"""

LOST = {
    "what": "the engine stopped unexpectedly",
    "why": "it may have run out of memory",
    "cure": "make the model smaller or the run shorter; the studio has started another",
}

Message = tuple[dict[str, Any], bytes]


class Worker:
    """One process and the two pipes to it."""

    command = [sys.executable, "-m", "biela.studio.worker"]

    def __init__(self) -> None:
        root = str(Path(__file__).parents[2])
        paths = [root, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        environment = {**os.environ, "MPLBACKEND": "Agg"}
        one_thread(environment)
        environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.messages: queue.Queue[Message | None] = queue.Queue()
        self.ready = False
        self.session = ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while (message := receive(self.process.stdout)) is not None:
                self.messages.put(message)
        self.messages.put(None)

    def tell(self, head: dict[str, Any], body: bytes = b"") -> bool:
        """Send a message; False if nobody is there."""
        assert self.process.stdin is not None
        try:
            send(self.process.stdin, head, body)
        except (OSError, ValueError):
            return False
        return True

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """At once, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()


class WorkerPool:
    """The workers of a studio."""

    def __init__(self, most: int = MOST):
        self.most = most
        self.idle: list[Worker] = []
        self.busy: dict[str, Worker] = {}
        self.long: set[str] = set()
        self.cancelled: dict[str, float] = {}
        self.changed = threading.Condition()
        self.closed = False
        self.idle.append(Worker())

    def do(self, job: str, name: str, body: bytes, limit: float, session: str = "") -> Generator[Message]:
        """Messages of a job as they come; the last one is its end: done, refused, cancelled or lost.

        A consumer that goes away (its page was closed) ends the job.
        """
        worker = self._take(job, session, limit > SHORT and name in LONG)
        if worker is None:
            yield {"kind": "cancelled", "job": job}, b""
            return
        finished = left = sent = False
        try:
            if not worker.ready:
                yield {"kind": "progress", "job": job, "text": "starting the engine"}, b""
            deadline, told, compiling = monotonic() + START, monotonic(), 0.0
            while True:
                if worker.ready and not sent:
                    sent = worker.tell({"kind": "job", "job": job, "name": name, "limit": limit}, body)
                    deadline = monotonic() + limit + SLACK
                end = compiling + START if compiling else deadline
                end = min(end, self.cancelled.get(job, end))
                try:
                    message = worker.messages.get(timeout=min(max(0.0, end - monotonic()), 0.1))
                except queue.Empty:
                    if monotonic() < end:
                        if monotonic() - told > BEAT:  # to notice a page that has gone
                            told = monotonic()
                            yield {"kind": "progress", "job": job, "beat": True}, b""
                        continue
                    yield self._gave_up(job, limit)
                    return
                if message is None:
                    yield {"kind": "refused", "job": job, "problems": [LOST]}, b""
                    return
                head = message[0]
                if head["kind"] == "ready":
                    worker.ready = True
                elif head["kind"] == "compiling":
                    compiling = monotonic()
                elif head["kind"] == "compiled":
                    deadline, compiling = deadline + monotonic() - (compiling or monotonic()), 0.0
                elif head.get("job") == job:
                    finished = head["kind"] in ENDS
                    yield message
                    if finished:
                        return
        except GeneratorExit:
            left = not finished and sent
            finished = finished or not sent  # it has heard nothing of the job
            raise
        finally:
            if left:  # a page that was loaded anew: its worker is warm, and soon free
                threading.Thread(target=self._wait_for, args=(job, worker), daemon=True).start()
            else:
                self._give_back(job, worker, finished)

    def _wait_for(self, job: str, worker: Worker) -> None:
        """Let a job that nobody waits for come to its end, or end it."""
        worker.tell({"kind": "cancel", "job": job})
        end, finished = monotonic() + GRACE, False
        with contextlib.suppress(queue.Empty):
            while not finished:
                message = worker.messages.get(timeout=max(0.0, end - monotonic()))
                if message is None:
                    break
                finished = message[0].get("job") == job and message[0]["kind"] in ENDS
        self._give_back(job, worker, finished)

    def cancel(self, job: str) -> bool:
        """Ask a job to end; it is ended if it does not listen."""
        with self.changed:
            worker = self.busy.get(job)
            self.cancelled.setdefault(job, monotonic() + GRACE)
            if worker is None:
                self.changed.notify_all()
                threading.Timer(5.0, self.cancelled.pop, (job, None)).start()
                return False
        return worker.tell({"kind": "cancel", "job": job})

    def close(self) -> None:
        """End all of them."""
        with self.changed:
            self.closed = True
            workers = [*self.idle, *self.busy.values()]
            self.idle.clear()
            self.changed.notify_all()
        for worker in workers:
            worker.end()

    def _gave_up(self, job: str, limit: float) -> Message:
        if job in self.cancelled:
            return {"kind": "cancelled", "job": job}, b""
        why = f"not finished after {limit + SLACK:.0f} s"
        problem = {"what": "this takes too long", "why": why, "cure": "a smaller model, or a longer time limit"}
        return {"kind": "refused", "job": job, "problems": [problem]}, b""

    def _take(self, job: str, session: str, long: bool = False) -> Worker | None:
        """An idle worker, best the one that this page had before; else a new one; else wait. Of many workers long jobs
        leave one to the short ones: checks and sliders."""
        most_long = self.most - 1 if self.most > 2 else self.most
        with self.changed:
            while not self.closed and job not in self.cancelled:
                self.idle = [w for w in self.idle if w.alive]
                if long and len(self.long & set(self.busy)) >= most_long:
                    self.changed.wait(0.5)
                    continue
                if not self.idle and len(self.busy) < self.most:
                    self.idle.append(Worker())
                if self.idle:
                    worker = min(self.idle, key=lambda w: (w.session != session, not w.ready))
                    self.idle.remove(worker)
                    worker.session = session
                    self.busy[job] = worker
                    if long:
                        self.long.add(job)
                    if not self.idle and len(self.busy) < self.most:
                        self.idle.append(Worker())  # the next one need not wait
                    return worker
                self.changed.wait(0.5)
            self.cancelled.pop(job, None)
            return None

    def _give_back(self, job: str, worker: Worker, finished: bool) -> None:
        with self.changed:
            self.busy.pop(job, None)
            self.long.discard(job)
            self.cancelled.pop(job, None)
            keep = finished and worker.alive and not self.closed
            if keep:
                self.idle.append(worker)
            elif not self.closed and not self.idle and len(self.busy) < self.most:
                self.idle.append(Worker())
            self.changed.notify_all()
        if not keep:
            worker.end()
