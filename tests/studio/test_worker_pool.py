"""Workers that hang, die, or never get ready: ended and replaced, and the job told so."""

import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from biela.studio import worker_pool as module
from biela.studio.worker_pool import Worker, WorkerPool

PATIENT = 300.0
"""seconds: a guard against waiting for ever, on a busy machine too"""
SCRIPT = """
import sys, os, time
sys.path.insert(0, {frames!r})
from messages import receive, send  # by its folder: all of biela would take a second to import, in each worker
out = os.fdopen(os.dup(1), "wb")
send(out, {{"kind": "ready"}})
while (message := receive(sys.stdin.buffer)) is not None:
    head = message[0]
    if head["kind"] == "cancel":
        continue
    if head["name"] == "hang":
        time.sleep(3600)
    if head["name"] == "slow":
        send(out, {{"kind": "progress", "job": head["job"], "steps": 1}})
        receive(sys.stdin.buffer)  # "cancel"
        send(out, {{"kind": "cancelled", "job": head["job"]}})
        continue
    if head["name"] == "die":
        os._exit(3)
    send(out, {{"kind": "done", "job": head["job"]}}, b"{{}}")
"""


@pytest.fixture
def pool(monkeypatch):
    folder = str(Path(module.__file__).parent)
    monkeypatch.setattr(Worker, "command", [sys.executable, "-c", SCRIPT.format(frames=folder)])
    monkeypatch.setattr(module, "GRACE", 0.3)
    monkeypatch.setattr(module, "SLACK", 0.5)
    made = WorkerPool(most=2)
    yield made
    made.close()


def last(messages):
    return list(messages)[-1][0]


def test_a_job_is_done_and_the_worker_stays(pool):
    assert last(pool.do("a", "fine", b"{}", PATIENT))["kind"] == "done"
    process = pool.idle[0].process.pid
    assert last(pool.do("b", "fine", b"{}", PATIENT))["kind"] == "done"
    assert process in [w.process.pid for w in pool.idle]


def test_a_job_that_does_not_listen_is_ended_by_force(pool):
    messages = pool.do("a", "hang", b"{}", PATIENT)
    worker = None
    for head, _ in messages:
        assert head["kind"] == "progress"  # "starting the engine"
        break
    worker = pool.busy["a"]
    pool.cancel("a")
    assert last(messages)["kind"] == "cancelled"
    assert not worker.alive
    assert last(pool.do("b", "fine", b"{}", PATIENT))["kind"] == "done"


def test_a_job_beyond_all_limits_is_ended_by_itself(pool):
    head = last(pool.do("a", "hang", b"{}", 0.2))
    assert head["kind"] == "refused" and "too long" in head["problems"][0]["what"]
    assert last(pool.do("b", "fine", b"{}", PATIENT))["kind"] == "done"


def test_a_worker_that_dies_is_replaced(pool):
    head = last(pool.do("a", "die", b"{}", PATIENT))
    assert head["kind"] == "refused" and "unexpectedly" in head["problems"][0]["what"]
    assert last(pool.do("b", "fine", b"{}", PATIENT))["kind"] == "done"


def test_a_job_that_waits_for_a_worker_can_be_cancelled(pool):
    running = [pool.do(name, "hang", b"{}", PATIENT) for name in "ab"]
    for messages in running:
        next(messages)
    pool.cancel("c")
    assert last(pool.do("c", "fine", b"{}", PATIENT))["kind"] == "cancelled"
    for messages in running:
        messages.close()
    assert last(pool.do("d", "fine", b"{}", PATIENT))["kind"] == "done"


def test_a_job_that_says_nothing_is_said_to_be_there_so_that_a_page_that_left_is_noticed(pool, monkeypatch):
    monkeypatch.setattr(module, "BEAT", 0.2)
    messages = pool.do("a", "hang", b"{}", PATIENT)
    beats = [head for head, _ in (next(messages) for _ in range(3)) if head.get("beat")]
    worker = pool.busy["a"]
    messages.close()  # what a failed write to the page does
    gone = monotonic() + 300
    while ("a" in pool.busy or worker.alive) and monotonic() < gone:
        sleep(0.02)
    assert beats and "a" not in pool.busy and not worker.alive


def test_a_page_that_is_loaded_anew_finds_its_worker_warm(pool, monkeypatch):
    monkeypatch.setattr(module, "GRACE", PATIENT)
    messages = pool.do("a", "slow", b"{}", PATIENT, "page")
    while not next(messages)[0].get("steps"):
        pass
    worker = pool.busy["a"]
    messages.close()
    gone = monotonic() + 300
    while "a" in pool.busy and monotonic() < gone:
        sleep(0.02)
    assert worker.alive and worker in pool.idle
    assert last(pool.do("b", "fine", b"{}", PATIENT, "page"))["kind"] == "done" and worker in pool.idle


def test_closing_ends_every_worker(pool):
    workers = [*pool.idle]
    pool.close()
    assert not any(w.alive for w in workers)
