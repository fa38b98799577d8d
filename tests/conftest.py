"""Settings shared by all tests."""

import gc
import importlib.util
import os
import signal

import pytest
from hypothesis import settings

from biela.threads import one_thread
from browser import launched

one_thread(os.environ)  # before NumPy is loaded: threads that wait for each other take half as much time again
os.environ["MPLBACKEND"] = "Agg"  # no windows
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a background job of a shell; tests of Ctrl-C need it heard
    signal.signal(signal.SIGINT, signal.default_int_handler)

def pytest_collection_finish() -> None:
    """What is there by now stays: Python need not look through a million objects for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


# "ci" gives the same examples every time; "dev" searches on (HYPOTHESIS_PROFILE=dev pytest).
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("dev", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def browser():
    """The one browser of all tests of pages in this process; they are skipped where there is none."""
    with launched() as made:
        yield made


# what ./fuzz compares with, and the tests do without
collect_ignore = [] if importlib.util.find_spec("mujoco") else ["fuzz/mujoco_peer.py"]
