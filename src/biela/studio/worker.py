"""A worker: a process that computes what it is asked, one job after another, and can be stopped at any time.

Standard input and output are pipes to the server. A second thread listens for "cancel", which ends a run after its
present chunk with all that was computed; what does not look up between chunks is ended from outside.
"""

from __future__ import annotations

import gc
import os
import queue
import sys
import threading
import traceback
from time import perf_counter
from typing import Any, BinaryIO

from ..errors import BielaError
from .jobs import JOBS
from .messages import receive, send

TELL_EVERY = 0.1  # seconds between two messages of progress
MEMORY = 6 * 2**30
"""bytes of data of one worker, where the system can hold it to that"""


class Watch:
    """Progress of one job: told to the server, and ended when it is cancelled or its time is up."""

    def __init__(self, pipe: BinaryIO, job: str, limit: float):
        self.pipe, self.job, self.limit = pipe, job, limit
        self.cancelled = threading.Event()
        self.began: float | None = None
        self.told = 0.0
        self.ended_by = ""

    def __call__(self, fraction: float, steps: int) -> None:
        """Between two chunks of a run. (The clock starts with the first: machine code may have been compiled.)"""
        now = perf_counter()
        self.began = now if self.began is None else self.began
        if fraction < 1.0 and (self.cancelled.is_set() or now - self.began > self.limit):
            self.ended_by = "cancelled" if self.cancelled.is_set() else "limit"
            raise KeyboardInterrupt
        if now - self.told > TELL_EVERY:
            self.told = now
            send(self.pipe, {"kind": "progress", "job": self.job, "fraction": min(1.0, fraction), "steps": int(steps)})

    def say(self, text: str) -> None:
        """What is being done, of a job in several parts."""
        if self.cancelled.is_set():
            self.ended_by = "cancelled"
            raise KeyboardInterrupt
        send(self.pipe, {"kind": "progress", "job": self.job, "text": text})


def work(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer jobs until the server goes away, which ends the process."""
    waiting: queue.Queue[tuple[dict[str, Any], bytes]] = queue.Queue()
    present: list[Watch] = []

    def listen() -> None:
        while (message := receive(source)) is not None:
            if message[0]["kind"] == "cancel":
                for watch in present:
                    if watch.job == message[0]["job"]:
                        watch.cancelled.set()
            else:
                waiting.put(message)
        os._exit(0)  # the server has gone: nobody waits for what is being computed

    threading.Thread(target=listen, daemon=True).start()
    warm_up()
    tell_of_compiling(sink)
    send(sink, {"kind": "ready"})
    while True:
        head, body = waiting.get()
        watch = Watch(sink, head["job"], float(head["limit"]))
        present[:] = [watch]
        send(sink, *_answer(head, body, watch))
        present.clear()


def _answer(head: dict[str, Any], body: bytes, watch: Watch) -> tuple[dict[str, Any], bytes]:
    told = {"job": head["job"]}
    try:
        out = JOBS[head["name"]](body, watch)
        return {"kind": "done", **told, **out.head}, out.body
    except BielaError as error:
        from .problems import told_problems

        return {"kind": "refused", **told, "problems": told_problems(error)}, b""
    except KeyboardInterrupt:
        return {"kind": "cancelled", **told}, b""
    except MemoryError:
        problem = {"what": "this needs more memory than the studio allows", "cure": "make it smaller"}
        return {"kind": "refused", **told, "problems": [problem]}, b""
    except RecursionError:
        return {"kind": "refused", **told, "problems": [{"what": "this is nested too deeply"}]}, b""
    except Exception as error:  # a fault of biela must not end the studio
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(last.filename)}, line {last.lineno}"
        if os.environ.get("BIELA_TRACEBACK"):
            traceback.print_exc()
        what = f"a fault of biela itself: {type(error).__name__}: {error}"
        problem = {"what": what, "where": place, "cure": "please report it"}
        return {"kind": "refused", **told, "problems": [problem]}, b""


def tell_of_compiling(sink: BinaryIO) -> None:
    """Let the server know while machine code is made: that is not counted as time of a job."""
    from numba.core import event

    class Listener(event.Listener):
        depth = 0

        def on_start(self, event: Any) -> None:
            self.depth += 1
            if self.depth == 1:
                send(sink, {"kind": "compiling"})

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                send(sink, {"kind": "compiled"})

    event.register("numba:compile", Listener())


def warm_up() -> None:
    """Load what the first run would have to load, so that it is as quick as the second."""
    from ..analysis.simulate.simulate import simulate
    from .jobs.running import shown

    shown(simulate("four-bar", 0.01, samples=4), {})
    gc.collect()
    gc.freeze()  # what is loaded stays: looking through it for garbage took a tenth of a second, in the middle of a run


def main() -> None:
    """The process."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not print into the pipe
    sys.stdout = sys.stderr
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # not everywhere
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the server
    with open(0, "rb", closefd=False) as source:
        try:
            work(source, sink)
        except BrokenPipeError:
            pass  # the server has gone


if __name__ == "__main__":
    main()
