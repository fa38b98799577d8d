"""The return to the constraints after a step: all of them, also where masses make some of them soft."""

from pathlib import Path

import numpy as np
import pytest

import biela
from biela.methods.registry import FORMULATIONS

SETTLED = [name for name, f in FORMULATIONS.items() if not f.chooses_coordinates]


@pytest.mark.parametrize("integrator", ["euler", "rk4"])
@pytest.mark.parametrize("formulation", SETTLED)
def test_soft_modes_come_in_too(formulation: str, integrator: str):
    """Four bodies on universal, revolute and prismatic joints: one iteration with M + m Phi_q^T Phi_q leaves 85 % of
    some violations."""
    model = biela.load(Path(__file__).parents[1] / "data" / "soft_modes.toml")
    r = biela.simulate(model, 0.3, coordinates="natural", formulation=formulation, integrator=integrator, step=5e-3,
                       samples=6, project_every=1)  # fmt: skip
    assert r.finished, r.explain()
    for q, v, t in zip(r.q, r.v, np.asarray(r.t), strict=True):
        at = r.system.at(q, v, float(t))
        assert np.abs(at.Phi).max() < 1e-11 and np.abs(at.Phi_dot).max() < 1e-10
