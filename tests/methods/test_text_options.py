"""The options that make runs as text 000 makes them: tolerances in absolute units, the starter of Adams methods, one
update of the multipliers per iteration; which coordinates are independent, and when."""

import numpy as np
import pytest

import biela
from biela import MethodError

PROJECTION = {"formulation": "projection", "coordinates": "mixed", "step": 1e-3, "samples": 10_000}


def ends(r) -> np.ndarray:
    return np.array([r["P1"][-1], r["P2"][-1]]).ravel()


TRUE = np.array([-1.66780588, -1.10382224, -0.69907443, 0.64590899])
"""of the double pendulum of 000 after 10 s, by methods of order 8"""


# ------------------------------------------------------------------------------------------------------- tolerances
@pytest.mark.parametrize("name, printed", [("rk2", 4e-4), ("abm4", 3.5e-6)])
def test_figures_23_and_26(name: str, printed: float):
    """000 4.4.3, 4.4.4: the constraints are never violated by more than 1e-5, the tolerance of the position problem."""
    more = {} if name == "rk2" else {"corrector_tolerance": 1e-5, "starter": "rk2"}
    r = biela.simulate("double-pendulum", 10, integrator=name, position_tolerance=1e-5, **PROJECTION, **more)
    plain = biela.simulate("double-pendulum", 10, integrator=name, **PROJECTION)
    assert plain.trajectory.violation < 1e-11 < r.trajectory.violation <= 1e-5
    if name == "rk2":  # the violation grows until it reaches the tolerance, and is corrected there
        assert r.trajectory.violation > 9e-6
    assert np.abs(ends(r) - TRUE).max() < 5e-3 and r.trajectory.energy_error < 5 * printed


def test_a_corrector_in_the_units_of_the_coordinates():
    """(123): the double pendulum has the size 2 m, so that 2e-5 m is a tolerance of 1e-5 of it."""
    options = {"formulation": "penalty", "integrator": "trapezoidal", "step": 1e-2}
    share = biela.simulate("double-pendulum", 2, tolerance=1e-5, **options)
    length = biela.simulate("double-pendulum", 2, corrector_tolerance=1e-5 * share.system.size, **options)
    finer = biela.simulate("double-pendulum", 2, corrector_tolerance=1e-9, **options)
    assert (ends(share) == ends(length)).all() and share.trajectory.iterations == length.trajectory.iterations
    assert finer.trajectory.iterations > 1.3 * length.trajectory.iterations


@pytest.mark.parametrize("name", ["corrector_tolerance", "position_tolerance"])
def test_tolerances_below_rounding_are_named(name: str):
    with pytest.raises(MethodError, match=rf"{name} = 1e-17 is below rounding"):
        biela.simulate("double-pendulum", 1, integrator="abm4", formulation="projection", **{name: 1e-17})


# ---------------------------------------------------------------------------------------------------------- starter
@pytest.mark.parametrize("name", ["ab4", "abm4"])
def test_the_first_three_steps_are_those_of_the_starter(name: str):
    options = {"formulation": "projection", "step": 1e-2, "samples": 5}
    for starter in ("rk2", "rk4"):
        r = biela.simulate("double-pendulum", 0.05, integrator=name, starter=starter, **options)
        alone = biela.simulate("double-pendulum", 0.05, integrator=starter, **options)
        same = (np.asarray(r.q) == np.asarray(alone.q)).all(axis=1)
        assert same[:4].all() and not same[4:].any()
    usual = biela.simulate("double-pendulum", 0.05, integrator=name, **options)
    assert (np.asarray(usual.q) == np.asarray(r.q)).all()


def test_what_the_starter_costs():
    """The error of three steps of order two is of third order, and so is that of the run; with rk4 it is of fourth."""
    error = {}
    truth = biela.simulate("double-pendulum", 1.0, tolerance=1e-13, integrator="dop853", formulation="lagrange")
    for starter in ("rk2", "rk4"):
        for h in (4e-3, 2e-3):
            r = biela.simulate("double-pendulum", 1.0, formulation="projection", integrator="abm4", step=h,
                               starter=starter, corrector_tolerance=1e-13)  # fmt: skip
            error[starter, h] = np.abs(ends(r) - ends(truth)).max()
    slope = {s: np.log2(error[s, 4e-3] / error[s, 2e-3]) for s in ("rk2", "rk4")}
    assert slope["rk2"] == pytest.approx(3, abs=0.35) and slope["rk4"] > 3.6
    assert error["rk2", 2e-3] > 10 * error["rk4", 2e-3]


# ------------------------------------------------------------------------------------------------------ multipliers
def test_one_update_of_the_multipliers_in_each_iteration():
    """000 4.4.2: practically the results of penalties, and of multipliers that are iterated to the end."""
    options = {"integrator": "trapezoidal", "step": 1e-3, "samples": 2000, "corrector_tolerance": 1e-5}
    once = biela.simulate("double-pendulum", 2, formulation="augmented", multiplier_updates=1, **options)
    ended = biela.simulate("double-pendulum", 2, formulation="augmented", **options)
    penalty = biela.simulate("double-pendulum", 2, formulation="penalty", **options)
    assert np.abs(ends(once) - ends(ended)).max() < 2e-5 < np.abs(ends(ended) - ends(penalty)).max() + 2e-5
    # each update is one: an evaluation counts one iteration of the corrector and one of the multipliers
    assert once.trajectory.iterations < ended.trajectory.iterations
    scale = np.abs(ended.lam).max()
    assert np.abs(np.asarray(once.lam) - np.asarray(ended.lam)).max() < 0.02 * scale


def test_more_updates_come_nearer():
    """With updates enough the multipliers have settled: the run is the one that iterates to the end."""
    options = {"formulation": "augmented", "integrator": "trapezoidal", "step": 5e-3, "alpha": 30.0}
    ended = biela.simulate("double-pendulum", 1, **options)
    off = []
    for updates in (1, 3, 40):
        r = biela.simulate("double-pendulum", 1, multiplier_updates=updates, **options)
        off.append(np.abs(ends(r) - ends(ended)).max())
    assert off[0] > off[1] > off[2] and off[2] < 1e-9 and off[0] > 1e-7


# --------------------------------------------------------------------------------------------- independent coordinates
def test_which_coordinates_are_independent_and_when():
    """000 4.4.3: y1 at first, where point 1 is on the horizontal axis; x1 where it is below the support."""
    r = biela.simulate("double-pendulum", 1, coordinates="natural", formulation="projection", integrator="rk4")
    t0, first = r.independent[0]
    assert (t0, first) == (0.0, ("P1.y", "P2.y")) and len(r.independent) == 1 + r.trajectory.rechoices
    q = dict(zip(r.system.q_names, np.asarray(r.q).T, strict=True))
    for t, names in r.independent[1:]:
        k = int(np.searchsorted(np.asarray(r.t), t))
        # dy/dx of point 1 is -x/y: the coordinate that moves more is the better one
        low = abs(q["P1.x"][k]) < abs(q["P1.y"][k])
        assert ("P1.x" in names) == low, (t, names)
    fixed = biela.simulate("double-pendulum", 1, coordinates="mixed", formulation="projection", integrator="rk4")
    assert fixed.independent == [(0.0, ("phi1", "phi2"))]  # the text's reason for adding the angles
    assert biela.simulate("double-pendulum", 0.1, formulation="lagrange").independent == []


def test_choices_survive_events():
    r = biela.simulate("pendulum-stop", 2, coordinates="natural", formulation="projection", integrator="rk4", step=1e-3)
    times = [t for t, _ in r.independent]
    assert times and times == sorted(times) and all(len(names) == 1 for _, names in r.independent)


# ------------------------------------------------------------------------------------------------- what is refused
REFUSED = {
    "corrector of an explicit method": ({"integrator": "rk4", "corrector_tolerance": 1e-5}, "rk4 has no corrector"),
    "positions of another": ({"formulation": "penalty", "position_tolerance": 1e-5}, "formulation='projection'"),
    "both tolerances": ({"integrator": "abm4", "tolerance": 1e-5, "corrector_tolerance": 1e-5}, "leave one of"),
    "a tolerance below rounding": ({"integrator": "abm4", "tolerance": 1e-16}, "1e-14 or more"),
    "starter of rk4": ({"integrator": "rk4", "starter": "rk2"}, "it starts by itself"),
    "starter of abm8": ({"integrator": "abm8", "starter": "rk2"}, "of its own order"),
    "no such starter": ({"integrator": "abm4", "starter": "rk3"}, "one of: rk4, rk2"),
    "updates of lagrange": ({"formulation": "lagrange", "multiplier_updates": 1}, "formulation='augmented'"),
    "updates under Newton": ({"formulation": "augmented", "integrator": "gauss", "multiplier_updates": 1}, "state"),
    "no updates": ({"formulation": "augmented", "integrator": "rk4", "multiplier_updates": 0}, "1, 2, 3"),
    "negative": ({"integrator": "abm4", "corrector_tolerance": -1.0}, "a positive number"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str):
    options, words = REFUSED[what]
    with pytest.raises(MethodError) as caught:
        biela.simulate("double-pendulum", 1, **options)
    assert words in str(caught.value)


def test_a_way_may_set_them():
    from biela.analysis.compare.methods import method_spec

    w = method_spec("mixed:projection+abm4[starter=rk2,position_tolerance=1e-05,corrector_tolerance=1e-05]")
    assert w.options(1e-3)["starter"] == "rk2" and w.options(1e-3)["position_tolerance"] == 1e-5
    assert method_spec(w.name) == w
    c = biela.compare("double-pendulum", [w.name, "augmented+trapezoidal[multiplier_updates=1]"], [1e-2], 0.5, "none",
                      repeats=1)  # fmt: skip
    assert c.ok
    with pytest.raises(MethodError, match="is not a setting"):
        method_spec("projection+abm4[starters=rk2]")


@pytest.mark.parametrize("dissipation", [1.0, 0.5, 0.2, 0.05])
def test_any_dissipation_loses_little_across_constraints(dissipation: float) -> None:
    """Rows hold where the straight way of a step meets the curved one, which depends on the dissipation: elsewhere the
    loss is of first order, 3 J here.   [D.13]"""
    lost = []
    for step in (2e-3, 1e-3):
        r = biela.simulate("double-pendulum-002", 1.0, integrator="decaying", step=step, dissipation=dissipation)
        assert r.finished
        lost.append(r.trajectory.energy_error)
    assert lost[1] < 1e-5 and lost[0] / lost[1] > 6.0  # of third order
