"""Error-controlled steps through singular positions: parallelograms that lie flat, against one equation in an angle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import biela
from biela.methods.control.singular_step import aimed

GRAVITY = 9.8
NEVER = 1e300


class Parallelograms:
    """Cranks of one length on a straight ground, coupled one to the next: all of them turn by the same angle."""

    def __init__(self, crank: float, gaps: list[float], masses: list[float], couplers: list[float], start: float):
        m = biela.Model(name="parallelograms", gravity=(0, -GRAVITY))
        places = np.concatenate([[0.0], np.cumsum(gaps)])
        for i, (x, mass) in enumerate(zip(places, masses, strict=True)):
            m.add_ground(f"A{i}", x, 0).add_point(f"B{i}", x + crank * np.cos(start), crank * np.sin(start))
            m.add_bar(f"crank{i}", f"A{i}", f"B{i}", length=crank, mass=mass)
        for i, mass in enumerate(couplers):
            m.add_bar(f"coupler{i}", f"B{i}", f"B{i + 1}", length=gaps[i], mass=mass)
        self.model, self.crank, self.start = m, crank, start
        inertia = sum(masses) * crank**2 / 3 + sum(couplers) * crank**2
        self.pull = GRAVITY * crank * (sum(masses) / 2 + sum(couplers)) / inertia

    def angles(self, t: np.ndarray) -> np.ndarray:
        """Angle and rate at these times."""
        found = solve_ivp(lambda _, y: (y[1], -self.pull * np.cos(y[0])), (0.0, t[-1]), (self.start, 0.0), t_eval=t,
                          method="DOP853", rtol=1e-13, atol=1e-13)  # fmt: skip
        return found.y

    def error(self, r: biela.Result) -> float:
        """The largest error of a crank's end, in cranks."""
        angle, _ = self.angles(r.t)
        x, y = np.cos(angle) - np.cos(self.start), np.sin(angle) - np.sin(self.start)
        found = np.column_stack([r["B0.x"], r["B0.y"]]) / self.crank
        return float(np.abs(found - found[0] - np.column_stack([x, y])).max())


TWO = Parallelograms(1.0, [1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0], 1.3)


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
def test_they_are_the_benchmark_and_its_equation(integrator: str):
    r = biela.simulate(TWO.model, 5, integrator=integrator, samples=500)
    assert r.ok and TWO.error(r) < 3e-5


@pytest.mark.parametrize("tolerance", [1e-7, 1e-8, 1e-9, 1e-10, 1e-11])
def test_it_does_not_creep(tolerance: float):
    """Through the singular position again and again in ten seconds; one bar that swings like them is all it should cost
    (creeping takes thousands of steps)."""
    r = biela.simulate(TWO.model, 10, tolerance=tolerance)
    assert r.ok and "dopri8" in r.method
    angle, _ = TWO.angles(r.t)
    passes = np.count_nonzero(np.diff(np.sign(np.sin(angle))))
    assert passes >= 8 and not r.trajectory.blurred
    one = biela.Model(name="one", gravity=(0, -TWO.pull * 2 / 3)).add_ground("A", 0, 0)
    one.add_point("B", np.cos(TWO.start), np.sin(TWO.start)).add_bar("bar", "A", "B", length=1, mass=1)
    alone = biela.simulate(one, 10, tolerance=tolerance)
    error = max(np.abs(alone["B.y"] - np.sin(angle)).max(), np.abs(alone["B.x"] - np.cos(angle)).max())
    assert error < 1e3 * tolerance and TWO.error(r) < 3 * error
    assert r.trajectory.steps <= 1.2 * alone.trajectory.steps + 3 * passes


def test_accelerations_at_the_singular_position_are_those_of_the_branch():
    """Where the equations do not tell them."""
    r = biela.simulate(TWO.model, 2, samples=20000)
    angle, rate = TWO.angles(r.t)
    turning = -TWO.pull * np.cos(angle)
    right = np.column_stack([-turning * np.sin(angle) - rate**2 * np.cos(angle),
                             turning * np.cos(angle) - rate**2 * np.sin(angle)])  # fmt: skip
    for point in ("B0", "B1", "B2"):
        found = np.column_stack([r[f"{point}.ax"], r[f"{point}.ay"]])
        assert np.abs(found - right).max() < 1e-3 * np.abs(right).max()


@pytest.mark.parametrize("loops", [10, 40])
def test_many_loops_at_once(loops: int):
    """All of them flat at the same instant. With forty the rounding of coordinates is felt, and said."""
    many = Parallelograms(1.0, [1.0] * loops, [1.0] * (loops + 1), [1.0] * loops, 1.3)
    for tolerance in (1e-8, 1e-10):
        r = biela.simulate(many.model, 10, tolerance=tolerance)
        assert r.ok and many.error(r) < 1e4 * tolerance and r.trajectory.steps < 300
        assert ("rounding" in r.explain()) == (r.trajectory.blurred > 0)


lengths = st.floats(0.3, 2.0)
heavy = st.floats(0.2, 5.0)


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_random_ones_stay_on_their_branch(data: st.DataObject):
    loops = data.draw(st.integers(1, 6), "loops")
    p = Parallelograms(
        data.draw(lengths, "crank"),
        data.draw(st.lists(lengths, min_size=loops, max_size=loops), "gaps"),
        data.draw(st.lists(heavy, min_size=loops + 1, max_size=loops + 1), "masses"),
        data.draw(st.lists(heavy, min_size=loops, max_size=loops), "couplers"),
        data.draw(st.floats(0.4, 2.7), "start"),
    )
    tolerance = 10.0 ** data.draw(st.floats(-10, -7), "digits")
    r = biela.simulate(p.model, 3, tolerance=tolerance, samples=300)
    assert r.ok
    assert p.error(r) < 1e3 * tolerance + 1e-6


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
@pytest.mark.parametrize("name", ["double-four-bar", "folding-four-bar", "slider-crank", "spatial-slider-crank"])
def test_samples_change_no_bit_of_the_run(name: str, integrator: str):
    ends = {
        biela.simulate(name, 2, integrator=integrator, samples=samples).trajectory.y[-1].tobytes()
        for samples in (1, 7, 1000)
    }
    assert len(ends) == 1


@given(st.floats(1e-6, 10), st.floats(1e-3, 1))
def test_no_step_ends_next_to_the_place(ahead: float, h: float):
    """Nor grows by aiming, nor becomes nothing."""
    step = aimed(ahead, h)
    assert 0.0 < step <= h and step >= min(0.07 * h, 0.4 * ahead)
    assert abs(step - ahead) >= min(0.39 * h, 0.5 * ahead) - 1e-12
    assert aimed(NEVER, h) == h


def test_a_leap_has_no_stage_near_its_middle():
    from scipy.integrate import DOP853

    from biela.methods.control.singular_step import MIDDLE
    from biela.methods.integrators.explicit import dopri5

    for stages in (DOP853.C, dopri5._C):
        assert min(abs(c - MIDDLE) for c in stages) > 0.12


@pytest.mark.parametrize("coordinates", ["natural", "reference-point", "relative"])
@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
@pytest.mark.parametrize("tolerance", [1e-8, 1e-4])
def test_no_turn_is_lost_in_space(coordinates: str, integrator: str, tolerance: float):
    m = biela.Model(name="rotor", gravity=(0, 0, 0)).add_body("b", mass=3, inertia=(1, 1, 1), center=(0, 0, 0))
    m.add_joint("j", "revolute", bodies=("ground", "b"), at=(0, 0, 0), axis=(0, 0, 1))
    m.add_force("k", "spring", coordinate="j.angle", stiffness=1e-4, free=0).start(velocity={"j.angle": 1})
    r = biela.simulate(m, 60, coordinates=coordinates, integrator=integrator, tolerance=tolerance, samples=7)
    assert r.ok and np.abs(np.asarray(r["k.angle"]) - 100 * np.sin(0.01 * r.t)).max() < 1e3 * tolerance
