"""Newton-Raphson watched: against an independent iteration, its rate of convergence, and how it fails."""

from __future__ import annotations

import numpy as np
import pytest

import biela

SETS = ("natural", "mixed", "reference-point", "relative")


def four_bar(q: np.ndarray, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Phi and Phi_q of the four-bar in A, B and the crank's angle, by hand (003, section 1.4), the driver included; the
    angle by its sine row alone, which serves away from a quarter turn."""
    (ax, ay, bx, by, phi), r, l, s, d = q, 0.1, 0.3, 0.25, 0.4
    Phi = [ax**2 + ay**2 - r**2, (bx - ax) ** 2 + (by - ay) ** 2 - l**2, (bx - d) ** 2 + by**2 - s**2,
           ay - r * np.sin(phi), phi - angle]  # fmt: skip
    J = [[2 * ax, 2 * ay, 0, 0, 0],
         [2 * (ax - bx), 2 * (ay - by), 2 * (bx - ax), 2 * (by - ay), 0],
         [0, 0, 2 * (bx - d), 2 * by, 0],
         [0, 1, 0, 0, -r * np.cos(phi)],
         [0, 0, 0, 0, 1]]  # fmt: skip
    return np.array(Phi), np.array(J, dtype=float)


def test_it_finds_what_a_hand_written_iteration_finds() -> None:
    trace = biela.newton("four-bar", "crank_angle", stop=0.4, damped=False)
    q = trace.iterates[0].q
    sizes = [r for r in (0.1, 0.3, 0.25)]
    lengths = {b: float(np.ptp(np.array(list(x.points.values())), axis=0).max())
               for b, x in trace.system.resolved.bodies.items()}  # fmt: skip
    assert list(lengths.values()) == pytest.approx(sizes), "the dimensions above are the library's"
    for _ in range(20):
        Phi, J = four_bar(q, 0.4)
        q = q - np.linalg.solve(J, Phi)
    assert trace.converged and trace.q[-1] == pytest.approx(q, abs=1e-13)


@pytest.mark.parametrize("coordinates", SETS)
def test_quadratic_at_regular_positions(coordinates: str) -> None:
    trace = biela.newton("four-bar", "crank_angle", stop="30 deg", coordinates=coordinates)
    assert trace.converged and trace.order > 1.7 and "quadratic" in trace.verdict
    # the same position as kinematics goes to step by step
    r = biela.kinematics("four-bar", "crank_angle", stop="30 deg", count=20)
    B = trace.system.posture(trace.q[-1]).place(trace.system.resolved.place("B"))[0][0]
    assert pytest.approx(np.asarray(r["B.position"])[-1], abs=1e-11) == B


def test_linear_at_a_dead_point() -> None:
    """There Phi_q loses rank on the way: each iteration halves the error, and leaves a quarter of Phi."""
    trace = biela.newton("folding-four-bar", "left.angle", stop=np.pi, damped=False)
    assert trace.converged and trace.order == pytest.approx(1.0, abs=0.02) and "singular" in trace.verdict
    tail = trace.Phi[(trace.Phi < 1e-4) & (trace.Phi > 1e-12)]
    assert len(tail) > 5 and tail[1:] / tail[:-1] == pytest.approx(0.25, abs=0.01)


def test_what_cannot_be_reached() -> None:
    """The rocker stops at 2.72 rad: at 3 there is no position, and whole steps never settle."""
    free = biela.newton("four-bar", "rocker.angle", stop=3.0, damped=False)
    assert not free.converged and free.iterations == 50 and ("wanders" in free.verdict or "diverges" in free.verdict)
    assert (np.diff(free.Phi) > 0).any()
    tame = biela.newton("four-bar", "rocker.angle", stop=3.0)
    left = [i.left for i in tame.iterates]
    assert not tame.converged and "does not get below" in tame.verdict and any(0 < i.step < 1 for i in tame.iterates)
    assert tame.Phi[-1] > 1e-3 and left[-1] < left[0]


def test_a_bad_guess_leads_elsewhere() -> None:
    """Far below, whole steps find the other branch of the coupler; the line search gives every step a smaller |f|."""
    there = biela.newton("four-bar", "crank_angle", stop=0.4, guess={"B.y": -0.4}, damped=False)
    here = biela.newton("four-bar", "crank_angle", stop=0.4)
    by = here.system.q_names.index("B.y")
    assert there.converged and here.converged and there.q[-1][by] < 0 < here.q[-1][by]


@pytest.mark.parametrize("name", ["four-bar", "kinematics-003-sliding", "cardan", "heavy-top"])
@pytest.mark.parametrize("coordinates", SETS)
def test_assembly_ends_where_biela_assembles(name: str, coordinates: str) -> None:
    trace = biela.newton(name, coordinates=coordinates)
    system = biela.assemble(name, coordinates)
    assert trace.converged
    if name == "four-bar":  # its drawing is rough
        assert trace.iterations > 0
    for point in system.resolved.start:
        a, b = (s.posture(q).place(s.resolved.place(point))[0][0]
                for s, q in ((trace.system, trace.q[-1]), (system, system.q0)))  # fmt: skip
        assert a == pytest.approx(b, abs=2e-3 * system.size)


def test_requests_that_cannot_be() -> None:
    for keys, text in (
        ({"guess": {"Bx": 1.0}}, "there is no coordinate 'Bx' to guess"),
        ({"stop": 1.0}, "start and stop belong to a coordinate"),
        ({"coordinate": "crank_angle"}, "how far should"),
        ({"coordinates": "polar"}, "there are no coordinates 'polar'"),
        ({"iterations": 0}, "iterations = 0 is not possible"),
    ):
        with pytest.raises(biela.MethodError, match=text):
            biela.newton("four-bar", **keys)
    with pytest.raises(biela.MethodError, match="too large to be watched"):
        biela.newton(biela.load("n-four-bar").with_parameters(N=300))


@pytest.mark.parametrize("to", ["3600 deg", "7200 deg"])
def test_iterations_that_are_not_enough(to: str) -> None:
    """A step is no longer than a radian: ten turns take more than fifty, and every one of them gets nearer."""
    trace = biela.newton("four-bar", "crank_angle", stop=to)
    assert not trace.converged and trace.iterations == 50 and (np.diff(trace.Phi) < 0).all()
    assert "still converging" in trace.verdict and "50 iterations were not enough" in trace.verdict
    # the part of Newton's step that was taken, as the change says: a radian of all that is left of the angle
    assert all(0 < i.step < 0.1 and i.change == pytest.approx(1.0) for i in trace.iterates[1:])
    assert f"{trace.iterates[-1].step:8.3g}" in trace.report().splitlines()[-2]


def test_more_iterations_are_enough() -> None:
    trace = biela.newton("four-bar", "crank_angle", stop="3600 deg", iterations=100)
    cut = sum(0 < i.step < 1 for i in trace.iterates)
    assert trace.converged and trace.iterates[-1].step == 1 and cut > 60 and f"{cut} steps shortened" in trace.verdict


@pytest.mark.parametrize("damped", [True, False])
def test_a_few_iterations_of_a_slow_one(damped: bool) -> None:
    """At a dead point each step leaves a quarter of Phi: nine do not end it, and nothing stands in the way."""
    trace = biela.newton("folding-four-bar", "left.angle", stop=np.pi, damped=damped, iterations=9)
    assert not trace.converged and "9 iterations were not enough" in trace.verdict


def test_one_equation_with_one_unknown() -> None:
    """003's sketch: iterates of sin q = 0.6 by hand; of sin q = 1.1 there is no position: whole steps wander, though
    they may fall three times in a row."""
    from biela.views.texts.newton_003 import watched

    trace, q = watched(0.6, 0.1), 0.1
    for found in trace.q[:, 0]:
        assert found == pytest.approx(q, abs=1e-12)
        q -= (np.sin(q) - 0.6) / np.cos(q)
    assert trace.converged and trace.q.shape[1] == 1
    astray = watched(1.1, 0.6)
    assert not astray.converged and not astray.nearing and "not enough" not in astray.verdict
