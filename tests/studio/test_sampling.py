"""How many instants are kept: enough for the fastest oscillation, also of runs that stop, and not many more."""

from time import perf_counter

import numpy as np
import pytest

import biela
from biela import library
from biela.studio.jobs import sampling
from biela.studio.jobs.running import run, simulated


class Watch:
    def __init__(self, limit=600.0):
        self.limit, self.began, self.ended_by = limit, None, ""

    def __call__(self, fraction, steps):
        self.began = self.began or perf_counter()
        if fraction < 1.0 and perf_counter() - self.began > self.limit:
            self.ended_by = "limit"
            raise KeyboardInterrupt


def request(name, live=True, **settings):
    return {"text": library.path(name).read_text(encoding="utf-8"), "name": name, "live": live, "settings": settings}


def reference(name, duration):
    return biela.simulate(name, duration, samples=50_000)


@pytest.mark.parametrize("name, duration, live", [("heavy-top", 10, True), ("simple-pendulum", 200, True),
                                                  ("four-bar", 10, False)])  # fmt: skip
def test_a_long_motion_is_shown_with_all_its_oscillations(name, duration, live):
    sampling._known.clear()
    result = simulated(request(name, live, duration=str(duration)), Watch())
    dense = reference(name, duration)
    channel = {"heavy-top": "top.x"}.get(name, "P.x")
    shown = np.interp(dense.t, result.t, result[channel])
    off = np.abs(shown - dense[channel])
    assert np.quantile(off, 0.99) < 0.02 * np.ptp(dense[channel])
    assert len(result.t) <= (sampling.LIVE if live else sampling.FULL)[1] + 1


def test_the_number_is_found_once_and_kept_while_a_slider_moves():
    sampling._known.clear()
    counts = [len(simulated(request("double-pendulum", duration="60"), Watch()).t) for _ in range(3)]
    assert abs(counts[2] / counts[1] - 1) < 0.1 and counts[0] > 1000
    assert simulated(request("mass-spring-damper"), Watch()).t.shape[0] <= sampling.FIRST + 1


@pytest.mark.parametrize("settings", [{"duration": "1e4", "integrator": "rk4", "step": "1e-4"}, {"duration": "1e5"}])
def test_a_run_that_is_stopped_has_its_samples_where_it_was(settings):
    simulated(request("double-pendulum", **settings | {"duration": "0.1"}), Watch())  # (machine code takes its time)
    sampling._known.clear()
    watch = Watch(0.6)
    result = simulated(request("double-pendulum", **settings), watch)
    assert watch.ended_by == "limit" and not result.ok and result.status.name == "interrupted"
    assert result.duration == float(settings["duration"]) and 0 < result.t[-1] < 0.2 * result.duration
    assert len(result.t) > min(2000, 0.5 * result.trajectory.steps)
    assert np.diff(result.t).max() < 3 * np.median(np.diff(result.t))
    watch = Watch(0.5)  # and the full run, which cannot be repeated, knows how far it may come
    full = simulated(request("double-pendulum", False, **settings), watch)
    assert watch.ended_by == "limit" and full.duration == float(settings["duration"])
    assert len(full.t) > min(1000, 0.5 * full.trajectory.steps)  # (of a busy machine, all that there are)


def test_a_run_that_fails_is_shown_up_to_there():
    sampling._known.clear()
    text = """
gravity = [0, -9.81]
ground = { O = [0, 0] }
points = { P = [1, 0] }
bodies = { m = { type = "mass", point = "P", mass = 1 } }
[forces.away]
type = "actuator"
points = ["O", "P"]
value = "100*x"
[run]
duration = 1000
"""
    result = simulated({"text": text, "live": True}, Watch(2.0))
    assert not result.ok and result.t[-1] < 500 and len(result.t) > 200
    assert not run({"text": text, "live": True}, Watch(2.0))["summary"]["ok"]


def test_more_samples_do_not_change_how_a_run_ended():
    sampling._known.clear()
    first = biela.simulate("four-bar", 20.0, samples=20)
    again = simulated(request("four-bar", duration="20"), Watch())
    assert again.ok and again.duration == 20.0 and len(again.t) > 400
    assert again.trajectory.steps == first.trajectory.steps  # those of the run, not of its repetition


def test_a_duration_without_hope_is_told_as_such():
    told = run(request("four-bar", duration="1e9"), Watch(3.0))["summary"]
    if told["status"] == "step_too_small":  # a slow machine is stopped by the limit before
        assert "steps" in told["message"] and "shorter" in told["cure"] and "stiff" not in told["cure"]


def test_the_samples_that_were_asked_for_are_given():
    assert len(simulated(request("four-bar", samples="77"), Watch()).t) == 78
    assert len(simulated(request("four-bar", False, samples="77"), Watch()).t) == 78


def test_thinning_keeps_the_ends():
    result = biela.simulate("four-bar", samples=1000)
    few = sampling.thinned(result, 100)
    assert 50 < len(few.t) <= 102 and few.t[0] == 0 and few.t[-1] == result.t[-1] and few.status == result.status
    assert sampling.thinned(result, 2000) is result
