"""Error-controlled steps at and near singular positions of all kinds, turns, and runs that are not to be trusted."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import biela
from biela.methods.status import Status
from loops import crank_at, loops
from mechanisms import build, recipe

GRAVITY = 9.8


def four_bar(a: float, b: float, c: float, g: float, start: float, side: float = 1.0) -> biela.Model:
    """Crank a, coupler b, follower c on the ground g; the coupler's end on the left (+1) or right (-1) of crank's end
    to ground."""
    m = biela.Model(name="four-bar", gravity=(0, -GRAVITY)).add_ground("A", 0, 0).add_ground("D", g, 0)
    B, D = a * np.array([np.cos(start), np.sin(start)]), np.array([g, 0.0])
    d = float(np.linalg.norm(D - B))
    u, x = (D - B) / d, (b * b - c * c + d * d) / (2 * d)
    C = B + x * u + side * np.sqrt(b * b - x * x) * np.array([-u[1], u[0]])
    m.add_point("B", *B).add_point("C", *C).add_bar("a", "A", "B", length=a, mass=1)
    return m.add_bar("b", "B", "C", length=b, mass=1).add_bar("c", "D", "C", length=c, mass=1)


class Parallelogram:
    """One of them, its ground in any direction, and the equation of its angle."""

    def __init__(self, ground: float, start: float, crank=1.0, gap=1.4, masses=(1.0, 2.0), coupler=1.0, rate=0.0):
        m = biela.Model(name="parallelogram", gravity=(0, -GRAVITY))
        d, D = crank * np.array([np.cos(start), np.sin(start)]), gap * np.array([np.cos(ground), np.sin(ground)])
        m.add_ground("A", 0, 0).add_ground("D", *D).add_point("B", *d).add_point("C", *(D + d))
        m.add_bar("a", "A", "B", length=crank, mass=masses[0]).add_bar("c", "D", "C", length=crank, mass=masses[1])
        m.add_bar("b", "B", "C", length=gap, mass=coupler)
        self.model, self.crank, self.start, self.rate = m, crank, start, rate
        inertia = crank**2 * (sum(masses) / 3 + coupler)
        self.pull = GRAVITY * crank * (sum(masses) / 2 + coupler) / inertia

    def errors(self, r: biela.Result) -> tuple[float, float]:
        """Of the crank's end in cranks, and of its velocity as a part of the largest."""
        t, L = np.asarray(r.t), self.crank
        found = solve_ivp(lambda _, y: (y[1], -self.pull * np.cos(y[0])), (0.0, t[-1]), (self.start, self.rate),
                          t_eval=t, method="DOP853", rtol=1e-13, atol=1e-13)  # fmt: skip
        angle, w = found.y
        off = np.hypot(r["B.x"] - L * np.cos(angle), r["B.y"] - L * np.sin(angle)).max() / L
        rate = np.hypot(r["B.vx"] + L * w * np.sin(angle), r["B.vy"] - L * w * np.cos(angle)).max()
        return float(off), float(rate / np.abs(L * w).max())


def is_doubtful(r: biela.Result) -> bool:
    return "do not trust this motion" in r.explain()


def share(r: biela.Result) -> float:
    return r.trajectory.energy_error / r.energy_scale


@pytest.mark.parametrize(
    "a, b, c, ground, start", [(1.4, 1.836, 1.641, 1.205, 1.01), (1.51, 1.426, 0.606, 0.522, 1.964)]
)
def test_four_bars_that_fold_do_not_creep(a: float, b: float, c: float, ground: float, start: float):
    """a + c = b + ground, b + c = a + ground: two to three thousand steps, where parallelograms take seventy."""
    assert abs(a + c - b - ground) < 1e-12 or abs(b + c - a - ground) < 1e-12
    r = biela.simulate(four_bar(a, b, c, ground, start), 3)
    assert r.ok and share(r) < 1e-5
    assert r.trajectory.steps < 500


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_random_four_bars_that_fold(data: st.DataObject):
    """Two sides together as long as the other two: neither energy nor time is lost where all lie in line."""
    a, b, c = (data.draw(st.floats(0.5, 2.0), name) for name in ("crank", "coupler", "follower"))
    g = data.draw(st.sampled_from([a + b - c, a + c - b, b + c - a]), "ground")
    start, side = data.draw(st.floats(0.3, 2.8), "start"), data.draw(st.sampled_from([-1.0, 1.0]), "side")
    diagonal = np.sqrt(a * a + g * g - 2 * a * g * np.cos(start))
    assume(g > 0.3 and abs(b - c) + 0.05 < diagonal < b + c - 0.05)
    tolerance = data.draw(st.sampled_from([1e-8, 1e-9, 1e-10]), "tolerance")
    r = biela.simulate(four_bar(a, b, c, g, start, side), 3, tolerance=tolerance)
    assert r.ok and share(r) < 1e3 * tolerance and r.trajectory.steps < 1000


@pytest.mark.parametrize("short", [1e-4, 1e-5])
def test_a_near_miss_costs_what_it_costs_with_lagrange(short: float):
    model = four_bar(1.0, 2.0 - short, 1.0, 2.0, 1.3)
    right = biela.simulate(model, 2, formulation="lagrange", integrator="dop853", tolerance=1e-11)
    r = biela.simulate(model, 2)
    assert r.ok and right.ok and np.abs(r["C.x"] - right["C.x"]).max() < 1e-4
    assert r.trajectory.steps < 3 * right.trajectory.steps


def test_a_lost_half_of_the_energy_is_told():
    r = biela.simulate(four_bar(1.0, 2.0 - 1e-8, 1.0, 2.0, 1.3), 2, integrator="dopri5")
    assert share(r) < 1e-2 or not r.ok or is_doubtful(r)


def test_a_start_beside_a_singular_position():
    p = Parallelogram(0.0, 1e-4)
    assert p.errors(biela.simulate(p.model, 3, coordinates="relative"))[0] < 1e-6
    r = biela.simulate(p.model, 3)
    assert not r.ok or p.errors(r)[0] < 1e-4


@pytest.mark.parametrize("options", [{}, {"tolerance": 1e-10}, {"coordinates": "reference-point"}])
def test_small_swings_about_a_singular_position(options: dict):
    """An amplitude of 0.01 rad about a parallelogram that hangs flat."""
    p = Parallelogram(-np.pi / 2, -np.pi / 2 + 0.01)
    assert p.errors(biela.simulate(p.model, 5, integrator="rk4", step=1e-3))[0] < 1e-9
    r = biela.simulate(p.model, 5, **options)
    assert is_doubtful(r) or (share(r) < 1e-3 and p.errors(r)[0] < 1e-5)


def test_samples_in_a_step_over_a_singular_position():
    """Velocities off by 2e-4 of the largest, where the steps' ends are right to 1e-9."""
    p = Parallelogram(
        0.0,
        1.281748425806692,
        1.6880046779926086,
        1.69270526357839,
        (1.6913790148137835, 1.0716637262379825),
        0.44561289643047236,
    )
    assert p.errors(biela.simulate(p.model, 3, samples=30))[1] < 1e-5
    assert p.errors(biela.simulate(p.model, 3, samples=6001))[1] < 1e-5


@pytest.mark.parametrize("lower", [-0.1, -0.01])
def test_a_stop_beyond_a_singular_position(lower: float):
    ends = []
    for tolerance in (1e-8, 1e-10):
        p = Parallelogram(0.0, 1.3)
        p.model.add_coordinate("phi", "angle", of=("A", "B"), relative_to={"body": "ground", "angle": -np.pi / 2})
        p.model.add_stop("wall", coordinate="phi", lower=lower + np.pi / 2, restitution=0.8)
        r = biela.simulate(p.model, 1.2, tolerance=tolerance)
        ends.append(np.array([r["B.x"][-1], r["B.y"][-1]]))
        assert r.ok
    assert np.abs(ends[0] - ends[1]).max() < 1e-5


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
def test_a_rotor_that_starts_from_rest_loses_no_turn(integrator: str):
    lost = 0
    for start in np.linspace(-3.1, 3.1, 16):
        m = biela.Model(name="rotor", gravity=(0, 0)).add_ground("O", 0, 0)
        m.add_point("A", np.cos(start), np.sin(start)).add_bar("b", "O", "A", length=1, mass=3)
        m.add_force("T", "moment", body="b", value=4)
        m.add_force("k", "spring", bodies=("ground", "b"), stiffness=1e-9, free=0)
        r = biela.simulate(m, 8, coordinates="relative", integrator=integrator, samples=3)
        lost += np.abs(np.asarray(r["k.angle"]) - start - 2 * np.asarray(r.t) ** 2).max() > 1
    assert lost == 0


@pytest.mark.parametrize("seed", [5, 8, 9])
def test_samples_change_no_bit_where_rows_are_merged(seed: int):
    model = build(recipe(seed))
    ends = {biela.simulate(model, 1, samples=k).trajectory.y[-1].tobytes() for k in (1, 13, 997)}
    assert len(ends) == 1


def test_a_driver_that_asks_for_what_cannot_be_reached_is_found_soon():
    r = biela.simulate(build(recipe(184)), 1.5, coordinates="natural", samples=40)
    assert not r.ok and r.trajectory.steps < 5000


def test_constraints_that_are_left_are_told():
    r = biela.simulate(build(recipe(26)), 1, coordinates="relative", formulation="lagrange", integrator="dop853",
                       tolerance=1e-11, samples=40)  # fmt: skip
    assert is_doubtful(r) or r.trajectory.violation < 1e-3


@pytest.mark.parametrize("tolerance", [1e-12, 3e-13, 1e-13, 1e-14])
def test_tolerances_down_to_rounding_run_to_the_end(tolerance: float) -> None:
    """Forty four-bars: beside a flat position rounding is more than the tolerance; smaller steps would end in there."""
    r = biela.simulate(loops(40), 10, tolerance=tolerance)
    assert r.ok and r.verdict.grade == "good", r.explain()
    assert np.hypot(*(np.asarray(r["B0"])[-1] - crank_at(40, 10))) < 1e-10
    assert r.trajectory.steps < 1000 and r.trajectory.rejected < 50


def test_a_tolerance_below_rounding_is_refused_at_once() -> None:
    with pytest.raises(biela.MethodError, match="16 digits"):
        biela.simulate(loops(40), 10, tolerance=1e-16)


@pytest.mark.parametrize("N, step", [(2, 9e-4), (2, 7e-4), (40, 2e-3), (40, 5e-4)])
def test_composed_steps_pass_flat_positions(N: int, step: float) -> None:
    """Five parts of a step end here and there next to a flat position; where they fail, others are tried."""
    r = biela.simulate(loops(N), 10, integrator="conserving4", step=step)
    assert r.status == Status.finished and r.t[-1] == 10.0, r.explain()
    assert np.hypot(*(np.asarray(r["B0"])[-1] - crank_at(N, 10))) < 3e-5
    assert r.trajectory.energy_error < 1e-6 * r.trajectory.seen.energy


def test_composed_steps_that_pass_badly_say_so() -> None:
    """Here parts of a step go on ending next to flat positions. It gets to the end, and its verdict is not good."""
    r = biela.simulate(loops(40), 10, integrator="conserving4", step=1e-3)
    assert r.status == Status.finished and r.t[-1] == 10.0, r.explain()
    assert r.verdict.grade != "good" and r.trajectory.halved > 0
    assert np.hypot(*(np.asarray(r["B0"])[-1] - crank_at(40, 10))) < 10 * r.verdict.error
