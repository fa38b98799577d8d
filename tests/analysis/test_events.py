"""Stops, locks and what they do: impact times, impulses, losses, rest, release, against closed forms."""

import json
from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import biela
from biela import Model
from biela.errors import AssemblyError, MethodError, ModelError
from biela.methods.registry import INTEGRATORS
from biela.model.file import load_text
from biela.model.write import to_toml
from mechanisms import build, recipe
from space_mechanisms import build_space, space_recipe

COORDINATES = ("natural", "reference-point", "relative", "mixed")
G, E = 9.81, 0.8
FIRST = np.sqrt(2 / G)
IMPACTS = FIRST + 2 * FIRST * np.concatenate([[0.0], np.cumsum(E ** np.arange(1, 40))])
REST = FIRST * (1 + E) / (1 - E)
# free fall is a parabola; multistep methods of variable order begin with order one after each impact
EXACT = [i for i in INTEGRATORS if i not in ("euler", "symplectic-euler", "bdf", "lsoda")]


# ------------------------------------------------------------------------------------------------ the ball
@pytest.mark.parametrize("integrator", EXACT)
def test_the_ball_strikes_the_floor_in_time_and_comes_to_rest(integrator):
    step = None if INTEGRATORS[integrator].adaptive else 5e-3
    r = biela.simulate("bouncing-ball", 5, integrator=integrator, step=step, samples=100)
    assert r.ok
    times = r.events.of("floor", "impact").times
    assert np.abs(np.array(times[:40]) - IMPACTS[:40]).max() < 1e-9
    assert [e.kind for e in r.events[len(times) :]] == ["rest"]
    # when rebounds are below 1e-13 m (with index-3 methods 1e-11 m), and not later
    assert 0 < REST - r.events[-1].t < (2e-5 if INTEGRATORS[integrator].direct else 2e-6)
    assert abs(float(r["P.y"][-1])) < 1e-9
    assert abs(float(r["floor.force"][-1]) - G) < 1e-6
    assert abs(r.events.loss - G) < 1e-9
    assert r.trajectory.energy_error < 1e-9


@pytest.mark.parametrize("integrator", ["bdf", "lsoda"])
def test_methods_that_start_anew_with_order_one(integrator):
    r = biela.simulate("bouncing-ball", 2, integrator=integrator, samples=20)
    assert r.ok and np.abs(np.array(r.events.times[:3]) - IMPACTS[:3]).max() < 1e-6


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("formulation", ["lagrange", "penalty", "projection"])
def test_the_ball_in_all_coordinates(coordinates, formulation):
    r = biela.simulate("bouncing-ball", 4.5, coordinates=coordinates, formulation=formulation, samples=50)
    assert np.abs(np.array(r.events.of(kind="impact").times[:40]) - IMPACTS[:40]).max() < 1e-9
    assert r.ok and r.events[-1].kind == "rest"


def test_euler_is_cut_at_its_own_instants():
    r = biela.simulate("bouncing-ball", 1.0, integrator="symplectic-euler", step=1e-4)
    assert abs(r.events[0].t - FIRST) < 1e-3 and float(r["P.y"].min()) > -1e-12


def test_no_loss_no_rest():
    r = biela.simulate(biela.load("bouncing-ball").with_parameters(epsilon=1.0), 20, samples=50)
    assert {e.kind for e in r.events} == {"impact"} and len(r.events) == 22
    assert abs(r.events.loss) < 1e-12
    assert np.ptp(r["energy.total"]) < 1e-9


def test_left_and_right_values_at_an_impact():
    r = biela.simulate("bouncing-ball", 1.0)
    t, k = np.asarray(r.t), int(np.searchsorted(r.t, r.events[0].t))
    assert (np.diff(t) > 0).all() and t[k] == r.events[0].t
    v = np.asarray(r["P.vy"])
    assert v[k] == pytest.approx(-np.sqrt(2 * G)) and v[k + 1] == pytest.approx(E * np.sqrt(2 * G))
    assert np.asarray(r["energy.lost"])[[k, k + 1]] == pytest.approx([0.0, G * (1 - E**2)])
    assert np.abs(r["energy.error"]).max() < 1e-10


def test_in_space_the_ball_does_the_same():
    m = Model(name="ball", gravity=(0, 0, -G)).add_point("P", 0, 0, 1).add_mass("ball", "P", 2.0)
    m.add_stop("floor", "P.z", lower=0, restitution=E)
    for coordinates in COORDINATES:
        r = biela.simulate(m, 5, coordinates=coordinates, samples=50)
        assert np.abs(np.array(r.events.of(kind="impact").times[:40]) - IMPACTS[:40]).max() < 1e-9
        assert r.events[-1].kind == "rest" and abs(float(r["floor.force"][-1]) - 2 * G) < 1e-6


# -------------------------------------------------------------------------------------------- other stops
def pendulum(e: float, **limits) -> Model:
    m = Model(name="p", gravity=(0, -G)).add_ground("O", 0, 0).add_point("P", 1, 0)
    m.add_bar("bar", "O", "P", mass=3.0, length=1.0)
    m.add_coordinate("phi", "angle", of=["O", "P"], relative_to={"body": "ground", "angle": "-90 deg"})
    return m.add_stop("wall", "phi", restitution=e, **limits)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_pendulum_rebounds_with_the_energy_it_keeps(coordinates):
    r = biela.simulate(pendulum(0.5, lower="0 deg"), 3, coordinates=coordinates, tolerance=1e-11)
    hits = r.events.of("wall", "impact")
    fall = np.sqrt(3 * G)  # of a bar of 1 m, from the horizontal: w^2 = 3 g / L
    for k, e in enumerate(hits):
        assert e.before == pytest.approx(-fall * 0.5**k, abs=1e-8)
        assert e.after == pytest.approx(-0.5 * e.before, rel=1e-12)
        assert e.impulse == pytest.approx(1.0 * 1.5 * fall * 0.5**k, abs=1e-8)  # J = m L^2/3 = 1
        assert e.loss == pytest.approx(0.5 * (e.before**2 - e.after**2), rel=1e-10)
    assert len(hits) >= 2


def test_an_upper_limit_and_hanging_on_it():
    """It swings up against a stop below the horizontal, from the left, and stays on one it hangs from."""
    r = biela.simulate(pendulum(0.3, lower="45 deg", upper="91 deg"), 3, tolerance=1e-10)
    assert r.events[-1].kind == "rest" and r.events[-1].side == "lower"
    assert float(r["phi"][-1]) == pytest.approx(np.pi / 4, abs=1e-12)
    assert float(r["wall.force"][-1]) == pytest.approx(3 * G * 0.5 * np.sin(np.pi / 4))  # the moment of its weight


def test_release_where_the_force_vanishes():
    """A mass on a table that falls away: cos(w t) reaches an acceleration of -g at a known instant."""
    m = Model(name="table", gravity=(0, -G), parameters={"a": 0.5, "w": 6.0}).add_point("P", 0, 0.5)
    m.add_mass("ball", "P", 1.0).start(velocity={"P.y": 0.0})
    m.add_stop("table", "P.y - a*cos(w*t)", lower=0)
    for kw in ({}, {"integrator": "rk4", "step": 1e-3}, {"integrator": "generalized-alpha", "step": 1e-4},
               {"integrator": "dop853"}, {"coordinates": "relative"}):  # fmt: skip
        r = biela.simulate(m, 1.3, **kw)
        assert r.ok
        assert not r.events or r.events[0].kind != "impact" or r.events[0].t > 0.1
        # at the start the table falls with a w^2 = 18 m/s^2 > g: the ball is left behind, and caught later
        t = r.events[0].t
        assert 0.5 - 0.5 * G * t**2 == pytest.approx(0.5 * np.cos(6 * t), abs=1e-5)
        leaves = [e.t for e in r.events if e.kind == "release"]
        assert leaves and np.cos(6 * leaves[0]) * 18 == pytest.approx(G, rel=1e-4)


def test_a_rope_is_an_upper_limit_of_a_distance():
    m = Model(name="rope", gravity=(0, -G)).add_ground("O", 0, 0).add_point("P", 0.6, 0).add_mass("ball", "P", 1.0)
    m.add_coordinate("s", "distance", points=["O", "P"]).add_stop("rope", "s", upper=1.0)
    for coordinates in COORDINATES:
        r = biela.simulate(m, 2.0, coordinates=coordinates, tolerance=1e-10)
        taut = r.events[0]
        assert taut.kind == "rest" and taut.t == pytest.approx(np.sqrt(2 * 0.8 / G), abs=1e-10)
        assert taut.loss == pytest.approx(0.5 * (0.8 * np.sqrt(2 * G * 0.8)) ** 2, rel=1e-9)
        assert np.asarray(r["s"]).max() < 1 + 1e-9
        assert np.asarray(r["rope.force"]).max() < 1e-9  # it only pulls


def test_two_stops_at_once_are_struck_as_one():
    """A level plate falls on both its corners; with e = 1 the speed is turned round and nothing turns."""
    m = Model(name="plate", gravity=(0, -G)).add_point("A", -0.5, 1).add_point("B", 0.5, 1)
    m.add_body("b", {"A": (-0.5, 0), "B": (0.5, 0)}, mass=2.0, center=(0, 0), inertia=0.3)
    for p in "AB":
        m.add_stop(f"floor{p}", f"{p}.y", lower=0, restitution=0.5)
    r = biela.simulate(m, 2.5)
    first = r.events[:2]
    assert [e.name for e in first] == ["floorA", "floorB"] and first[0].t == first[1].t == pytest.approx(FIRST)
    assert first[0].impulse == pytest.approx(first[1].impulse) == pytest.approx(1.5 * np.sqrt(2 * G))
    assert np.abs(r["A.vy"] - r["B.vy"]).max() < 1e-9
    assert [e.kind for e in r.events[-2:]] == ["rest", "rest"]
    assert float(r["floorA.force"][-1] + r["floorB.force"][-1]) == pytest.approx(2 * G)


def test_three_balls_in_line_are_struck_one_after_another_only_if_they_stand_apart():
    def cradle(gap: float) -> list[float]:
        m = Model(name="cradle")
        for k, x in enumerate((-0.5, 0.0, gap)):
            m.add_point(f"P{k}", x, 0).add_mass(f"b{k}", f"P{k}", 1.0)
        m.start(velocity={"P0.x": 1.0})
        for k in (0, 1):
            m.add_stop(f"s{k}", f"P{k + 1}.x - P{k}.x", lower=0, restitution=1)
        r = biela.simulate(m, 1.0)
        return [float(r[f"P{k}.vx"][-1]) for k in range(3)]

    assert cradle(0.001) == pytest.approx([0, 0, 1], abs=1e-9)
    assert cradle(0.0) == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-9)  # as one: Newton's law for all at once


def test_a_dip_within_a_step_is_seen():
    """A mass on a spring passes the limit and comes back within one step."""
    m = Model(name="dip").add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("b", "P", 1.0)
    m.add_force("k", "spring", points=["O", "P"], stiffness=100.0, free=2.0)
    m.start(velocity={"P.x": 0.0}).add_stop("wall", "P.x", upper=2.9995, restitution=1)
    r = biela.simulate(m, 0.5, integrator="rk4", step=0.0311)
    assert r.events and r.events[0].t == pytest.approx(np.arccos(-0.9995) / 10, abs=5e-4)


@pytest.mark.parametrize("integrator", EXACT)
def test_a_leg_with_a_knee_and_a_wall(integrator):
    """Two limits of different kinds, rest and release, the one while the other is struck: the same with all methods."""
    m = Model(name="leg", gravity=(0, -G)).add_ground("O", 0, 0).add_point("P", 1, 0).add_point("Q", 2, 0)
    m.add_bar("thigh", "O", "P", mass=1, length=1).add_bar("shank", "P", "Q", mass=1, length=1)
    m.add_coordinate("knee", "angle", of=["P", "Q"], relative_to=["O", "P"])
    m.add_stop("joint", "knee", lower="-5 deg", upper="100 deg", restitution=0.2)
    m.add_stop("wall", "P.x", lower=-0.3, restitution=0.4)
    r = biela.simulate(m, 2, integrator=integrator, step=None if INTEGRATORS[integrator].adaptive else 1e-3, samples=99)
    assert r.ok and {e.kind for e in r.events} == {"impact", "rest", "release"}
    assert float(np.asarray(r["knee"]).min()) > np.radians(-5) - 1e-9
    assert float(np.asarray(r["P.x"]).min()) > -0.3 - 1e-9
    assert float(r["Q.y"][-1]) == pytest.approx(LEG, abs=2e-5)
    lossy = integrator == "decaying-002"  # at first order in the step, across the constraints
    assert r.trajectory.energy_error < (0.5 if lossy else 2e-3)
    force = np.asarray(r["joint.force"])  # the method's own multiplier, with its own error where it leaves
    assert force.min() > -1e-3 and force.max() > 0.08  # N m, of bars whose weight makes 4.9 N m


LEG = -1.87438388602  # of three methods in three sets of coordinates


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_four_bar_against_a_stop(coordinates):
    m = biela.load("four-bar")
    m.add_stop("rest", "rocker.angle", upper="116 deg", restitution=0.6)
    r = biela.simulate(m, 1.0, coordinates=coordinates, tolerance=1e-10)
    assert r.ok and r.events[-1].kind == "rest"  # with its one freedom held it stands still
    free = biela.simulate("four-bar", 0.1, integrator="dop853", tolerance=1e-12, samples=400)
    way = CubicSpline(np.asarray(free.t), np.asarray(free["rocker.angle"]) - np.radians(116))
    assert r.events[0].t == pytest.approx(min(x for x in way.roots(extrapolate=False)), abs=1e-8)
    assert float(np.asarray(r["rocker.angle"]).max()) < np.radians(116) + 1e-10
    assert r.trajectory.energy_error < 1e-7


def test_a_spatial_pendulum_against_a_plane():
    """A rod on a ball joint swings against a vertical plane: the impulse is along the plane's normal."""
    m = Model(name="rod", gravity=(0, 0, -G)).add_ground("O", 0, 0, 0)
    m.add_point("P", 0.8, 0.6, 0).add_bar("rod", "O", "P", mass=2.0, length=1.0)
    m.add_stop("wall", "P.x", lower=0.1, restitution=0.7)
    found = []
    for coordinates in COORDINATES:
        r = biela.simulate(m, 2.0, coordinates=coordinates, tolerance=1e-10)
        assert r.ok and float(np.asarray(r["P.x"]).min()) > 0.1 - 1e-9
        e = r.events[0]
        k = int(np.searchsorted(r.t, e.t))
        v = np.asarray(r["P.v"] if "P.v" in r else np.stack([r[f"P.v{x}"] for x in "xyz"], axis=1))
        x = np.asarray(r["P"])[k]
        dL = 2.0 / 3.0 * np.cross(x, v[k + 1] - v[k])  # angular momentum of a slender rod about its end
        assert dL == pytest.approx(np.cross(x, [e.impulse, 0, 0]), abs=1e-9)
        assert v[k + 1][0] == pytest.approx(-0.7 * v[k][0])
        found.append([e.t, e.impulse])
    assert np.ptp(found, axis=0).max() < 1e-8


# -------------------------------------------------------------------------------------------------- locks
def discs() -> Model:
    m = Model(name="clutch").add_ground("A", 0, 0).add_ground("B", 3, 0)
    m.add_disc("one", {"A": (0, 0)}, mass=2, radius=1).add_disc("two", {"B": (0, 0)}, mass=3, radius=1)
    return m.start(velocity={"one.angle": 10, "two.angle": -2})


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_clutch_loses_what_the_book_says(coordinates):
    m = discs().add_lock("clutch", "two.angle - one.angle", closes="1 s", opens="2 s")
    r = biela.simulate(m, 3, coordinates=coordinates, tolerance=1e-11)
    closes, opens = r.events
    J1, J2, dw = 1.0, 1.5, 12.0
    assert closes.t == 1.0 and opens.t == 2.0
    assert closes.loss == pytest.approx(J1 * J2 / (J1 + J2) * dw**2 / 2, rel=1e-8)
    assert closes.impulse == pytest.approx(J1 * J2 / (J1 + J2) * dw, rel=1e-8)
    assert float(r["one.angle.rate"][-1]) == pytest.approx(2.8, abs=1e-7) == float(r["two.angle.rate"][-1])


def test_a_lock_closes_and_opens_on_conditions():
    m = pendulum(0.0, lower="-170 deg").add_lock("brake", "phi", closes="phi < 10 deg", opens="t > 1.5")
    m.start(velocity={"phi": 0.0})
    r = biela.simulate(m, 1.5 + 1e-12, tolerance=1e-10)
    closes, opens = r.events
    assert (closes.kind, opens.kind) == ("close", "open") and opens.t == pytest.approx(1.5)
    k = np.searchsorted(r.t, closes.t)
    assert float(r["phi"][k]) == pytest.approx(np.radians(10), abs=1e-9)
    held = (np.asarray(r.t) > closes.t) & (np.asarray(r.t) <= opens.t)
    assert np.ptp(np.asarray(r["phi"])[held]) < 1e-9
    assert np.asarray(r["brake.force"])[held] == pytest.approx(3 * G * 0.5 * np.sin(np.radians(10)), rel=1e-6)


def test_two_points_are_caught_and_let_go():
    """A catch holds a falling mass to a pendulum's tip from the start; momentum after it opens is free fall."""
    m = Model(name="catch", gravity=(0, -G)).add_ground("O", 0, 0).add_point("P", 1, 0).add_point("Q", 1, 0)
    m.add_bar("bar", "O", "P", mass=1.0, length=1.0).add_mass("load", "Q", 2.0)
    m.add_lock("hook", ["Q.x - P.x", "Q.y - P.y"], opens="0.3 s")
    r = biela.simulate(m, 0.5, tolerance=1e-10)
    t = np.asarray(r.t)
    apart = np.hypot(*(np.asarray(r["Q"]) - np.asarray(r["P"])).T)
    assert apart[t <= 0.3].max() < 1e-9 and apart[-1] > 1e-3
    fall = np.asarray(r["Q.ay"])[t > 0.3 + 1e-12]
    assert fall == pytest.approx(-G, abs=1e-6)


# ------------------------------------------------------------------------------- any mechanism, plane and space
def with_stop(model: Model, seed: int, e: float) -> tuple[Model, str] | None:
    """A stop in the middle of a way that something makes by itself."""
    free = biela.simulate(model, 0.3, coordinates="natural", samples=200)
    rng, resolved = np.random.default_rng(seed), free.system.resolved
    known = [n for n, c in resolved.coordinates.items() if not c.tilts]
    known += [f"{p}.{x}" for p in resolved.start for x in "xyz"[: resolved.dimension]]
    moving = [n for n in known if np.ptp(np.asarray(free[n])) > 0.05]
    if not free.ok or not moving:
        return None
    name = moving[int(rng.integers(len(moving)))]
    x = np.asarray(free[name])
    k = int(np.argmax(np.abs(x - x[0]) > 0.6 * np.abs(x - x[0]).max()))
    side = "upper" if x[k] > x[0] else "lower"
    return model.model_copy().add_stop("STOP", name, restitution=e, **{side: float(x[k])}), name


def balanced(r) -> None:
    """M dv = Phi_q^T (...) + n^T p at the first impact: what is left over after the joints is along the stop."""
    e, system = r.events[0], r.system
    k = int(np.searchsorted(r.t, e.t))
    q, v, after = r.q[k], r.v[k], r.v[k + 1]
    modes = r._make({"STOP": 0.0})
    at = modes.at(q, v, e.t)
    rest = at.M @ (after - v)
    impulses = np.linalg.lstsq((at.B * system.unit).T, rest * system.unit, rcond=1e-9)[0]
    left = np.abs((at.B * system.unit).T @ impulses - rest * system.unit).max()
    assert left < 1e-7 * max(np.abs(rest * system.unit).max(), 1e-9)
    row = next(i for i, info in enumerate(modes.equations.rows) if info.owner == "STOP")
    assert at.Phi_dot[row] == pytest.approx(e.before, rel=1e-6)
    assert modes.at(q, after, e.t).Phi_dot[row] == pytest.approx(e.after, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("space, seed", [(False, 1), (False, 5), (False, 6), (False, 9),
                                         (True, 1), (True, 3), (True, 8)])  # fmt: skip
def test_random_mechanisms_with_a_stop(space, seed):
    e = (0.0, 0.5, 1.0)[seed % 3]
    found = with_stop(build_space(space_recipe(seed)) if space else build(recipe(seed)), seed, e)
    assert found is not None
    model, name = found
    ends, first = [], []
    for coordinates in COORDINATES:
        r = biela.simulate(model, 0.3, coordinates=coordinates, tolerance=1e-10, samples=60)
        assert r.ok and r.events
        assert r.trajectory.energy_error < 1e-6 * max(r.energy_scale, 1e-3)
        if e == 1.0 and not r.system.resolved.drivers:
            assert abs(r.events.loss) < 1e-9 * r.energy_scale
        balanced(r)
        ends.append(float(r[name][-1]))
        first.append([r.events[0].t, r.events[0].impulse])
    assert np.ptp(ends) < 1e-6 and np.ptp(first, axis=0).max() < 1e-5 * max(1.0, abs(first[0][1]))


# ----------------------------------------------------------------------------------------- honesty and outputs
def test_drivers_that_push_through_a_stop_are_named():
    m = pendulum(0.5, lower="0 deg").add_driver("motor", "phi", "pi/2 - t")
    r = biela.simulate(m, 3)
    assert not r.ok and "'motor' would push" in r.message and "'wall'" in r.message
    assert r.t[-1] == pytest.approx(np.pi / 2)


def test_a_start_beyond_a_stop_is_refused():
    with pytest.raises(AssemblyError, match="starts beyond stop 'wall'"):
        biela.simulate(pendulum(0.5, lower="95 deg"), 1)
    assert "starts beyond" in biela.check(pendulum(0.5, lower="95 deg")).problems[0]


def test_events_that_never_end_do_not_hang(monkeypatch):
    """Between two walls that come together the rebounds have no end."""
    monkeypatch.setattr("biela.analysis.events.event_run.MANY", 60)
    m = Model(name="jaws").add_point("P", 0, 0).add_mass("b", "P", 1.0).start(velocity={"P.x": 1.0})
    m.add_stop("left", "P.x - t", lower=-1, restitution=1).add_stop("right", "P.x + t", upper=1, restitution=1)
    r = biela.simulate(m, 2)
    assert not r.ok and r.t[-1] == pytest.approx(1.0, abs=0.05)
    assert "60 events" in r.message and "left, right" in r.message


def test_mistakes_are_told_together():
    m = discs().add_stop("a", "one.angle").add_stop("b", "oen.angle", lower=0).add_stop("c", "one.angle", 1, 0)
    m.add_stop("d", "one.angle", 0, 1, restitution=1.5).add_lock("e", "two.angle", closes=2, opens=1)
    m.add_lock("f", "two.angle", closes="three.angle > 1")
    with pytest.raises(ModelError) as error:
        biela.simulate(m, 1)
    told = str(error.value)
    for words in ("'a' has no limit", "'oen.angle'", "'c' leaves no room", "restitution of stop 'd'", "'e' never holds",
                  "three.angle"):  # fmt: skip
        assert words in told


def test_a_model_with_stops_is_written_and_read():
    m = pendulum(0.5, lower="0 deg").add_lock("brake", ["phi"], closes="phi < 10 deg", opens=2)
    assert load_text(to_toml(m)) == m


def test_what_cannot_regard_them_says_so():
    clutch, stop = discs().add_lock("clutch", "two.angle - one.angle"), pendulum(0.5, lower="-80 deg")
    for analysis in (biela.equilibrium, biela.linearise, biela.minimal, biela.minimal_equations,
                     biela.bondgraph.from_model):  # fmt: skip
        with pytest.raises(MethodError, match="cannot handle"):
            analysis(clutch)
    with pytest.raises(MethodError, match="cannot handle stops"):
        biela.bondgraph.from_model(stop)
    assert any("stops (wall)" in n for n in biela.equilibrium(stop).notes)
    with pytest.raises(MethodError, match="passes stop 'wall'"):
        biela.equilibrium(pendulum(0.5, lower="30 deg"))
    assert any("passes stop 'wall'" in n for n in biela.kinematics(pendulum(0.5, lower="30 deg"), "phi", stop=0).notes)
    with pytest.raises(MethodError, match="passes stop 'wall'"):
        biela.inverse(pendulum(0.5, lower="30 deg"), {"phi": "pi/2 - t"}, t_end=2)
    assert "wall" in biela.explain(stop).text()


def test_reactions_count_what_a_stop_hands_on():
    """A bar that lies on a stop: the pin carries the rest of its weight."""
    m = Model(name="bar", gravity=(0, -10.0)).add_ground("O", 0, 0).add_point("P", 1, 0)
    m.add_bar("bar", "O", "P", mass=2.0, length=1.0).add_stop("support", "P.y", lower=0)
    for coordinates in COORDINATES:
        r = biela.simulate(m, 0.1, coordinates=coordinates)
        assert float(r["support.force"][-1]) == pytest.approx(10.0)
        name = next(n for n in r.channels() if n.endswith(".reaction") or n == "O.force")
        assert np.linalg.norm(np.asarray(r[name])[-1]) == pytest.approx(10.0, rel=1e-6)
        with pytest.raises(MethodError, match="pieces"):
            r.reaction("O")
        r.pieces[-1].reaction("O")


def test_events_in_files_and_reports(tmp_path, capsys):
    r = biela.simulate("bouncing-ball", 2)
    assert json.loads(r.facts()["events"])[0]["name"] == "floor"
    r.to_csv(tmp_path / "ball.csv", ["P.y", "floor.force", "energy.lost"])
    assert "floor.force" in (tmp_path / "ball.csv").read_text().splitlines()[0]
    assert "impact" in r.explain() and "floor (lower)" in repr(r.events)
    assert all(a <= b for a, b in pairwise(r.events.times))
    assert "stop of P.y, lower 0 m" in biela.check("bouncing-ball").text()


def test_the_command_line_tells_events(capsys):
    from typer.testing import CliRunner

    from biela.cli.app import app

    shown = CliRunner().invoke(app, ["run", "clutch"])
    assert shown.exit_code == 0 and "close" in shown.output and "43.2" in shown.output
    data = json.loads(CliRunner().invoke(app, ["run", "clutch", "--json"]).output)
    assert [(e["kind"], e["name"], e["t"]) for e in data["events"]] == [("close", "clutch", 1), ("open", "clutch", 2)]
    assert "lock of two.angle - one.angle" in CliRunner().invoke(app, ["check", "clutch"]).output
    assert json.loads(CliRunner().invoke(app, ["check", "pendulum-stop", "--json"]).output)["stops"]["wall"]
    assert CliRunner().invoke(app, ["modes", "clutch"]).exit_code == 2


@pytest.mark.parametrize("closes", ["phi < 10 deg", "phi < 0.2", "t > 0.4"])
def test_what_a_lock_has_held_does_not_close_it_again(closes):
    """Opened on the threshold of its own condition, it lets go; the condition must be false first."""
    m = biela.load("pendulum-stop")
    m.stops = {}
    m.add_lock("brake", "phi", closes=closes, opens="1 s")
    for integrator in ("dopri5", "rk4"):
        r = biela.simulate(m, 1.5, integrator=integrator, step=None if integrator == "dopri5" else 1e-3, samples=50)
        assert [e.kind for e in r.events][:2] == ["close", "open"] and r.ok
        assert all(e.t > 1.001 for e in r.events[2:])
