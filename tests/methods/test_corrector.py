"""Implicit steps: stiff springs do not stall them; where none converges the run says which equation, and when."""

import numpy as np
import pytest

import biela
from biela import Model
from biela.errors import so_many
from biela.methods.registry import INTEGRATORS
from biela.methods.status import Status
from biela.results.quality.verdict import BAD

NEWTON = [name for name, i in INTEGRATORS.items() if i.direct or i.stages]


def stiff() -> Model:
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    return m.add_force("k", "spring", points=("O", "P"), stiffness=1e8, free=1)


@pytest.mark.parametrize("step", [1e-3, 1e-2])
@pytest.mark.parametrize("integrator", NEWTON)
def test_a_stiff_spring_does_not_stall(integrator: str, step: float):
    """Its frequency is 1e4 rad/s: explicit steps would be 1e-4 s. (Steps a hundred times as long may set it ringing
    with more than 1 % of the energy, which is told: but they get on.)"""
    r = biela.simulate(stiff(), 0.5, integrator=integrator, step=step)
    assert r.finished, r.explain()
    assert r.ok or (r.verdict.grade == BAD and "lost or gained" in r.verdict.reason), r.explain()
    assert np.abs(np.linalg.norm(np.asarray(r["P"]), axis=1) - 1).max() < 1e-3
    assert r.trajectory.halved < 0.7 * r.trajectory.steps


def test_fixed_point_takes_the_step_in_parts_and_says_so():
    r = biela.simulate(stiff(), 0.02, integrator="trapezoidal", step=1e-3)
    assert r.finished and r.trajectory.halved > 0
    assert any(so_many(r.trajectory.halved, "step") + " did not converge" in note for note in r.notes)


def wild(value) -> Model:
    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    m.add_joint("guide", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    m.add_coordinate("x", "position", point="P", along={"body": "ground", "through": "O"})
    return m.add_force("k", "actuator", coordinate="x", value=value)


@pytest.mark.parametrize("integrator", ["conserving", "generalized-alpha", "generalized-alpha-2", "midpoint", "gauss"])
def test_a_failure_names_the_worst_equation(integrator: str):
    """A force that no derivative describes, from x = 1.5 on."""
    m = wild(lambda t, x, v: 1.0 if x < 1.5 else 1e12 * np.sin(1e12 * x))
    r = biela.simulate(m, 5.0, integrator=integrator, step=0.1)
    assert r.status == Status.iteration, r.explain()
    assert 0.5 < r.trajectory.stopped_at < 1.2
    assert "the corrector does not converge: the " in r.message and ("'x'" in r.message or "'P.x'" in r.message)
    assert "off by" in r.message or "longer finite" in r.message
    assert "steps down to h/1024" in r.message and "is kept" in r.message
    assert np.isfinite(np.asarray(r["x"])).all()


def test_a_prediction_does_not_leap():
    """h^2 a / 2 is fifty thousand sizes: the spring would throw the mass away."""
    m = Model(gravity=(0, 0)).add_ground("O", 0, 0).add_ground("Q", 1, 0).add_point("P", 1e-3, 0).add_mass("m", "P", 1)
    m.add_joint("guide", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    m.add_coordinate("x", "position", point="P", along={"body": "ground", "through": "O"})
    m.add_force("k", "spring", coordinate="x", stiffness=1e8, free=0)
    for integrator in NEWTON:
        r = biela.simulate(m, 2.0, integrator=integrator, step=1.0)
        assert r.ok and r.trajectory.halved == 0, (integrator, r.explain())
        assert np.abs(np.asarray(r["x"])).max() < 1e-2


def test_steps_that_do_not_converge_can_be_interrupted():
    """A penalty factor beyond what 16 digits bear: each step is taken again in many parts, thousands of evaluations;
    Python looks in between them. (A whole chunk of steps took 40 s before a limit or Ctrl-C was seen.)"""
    looks: list[int] = []
    r = biela.simulate("four-bar", 0.2, coordinates="natural", formulation="penalty", integrator="trapezoidal-newton",
                       step=2e-3, alpha=1e13, progress=lambda part, steps: looks.append(steps))  # fmt: skip
    assert r.trajectory.halved > 50 and r.trajectory.evaluations > 1000 * r.trajectory.steps
    assert len(looks) > 10 and looks == sorted(looks)
