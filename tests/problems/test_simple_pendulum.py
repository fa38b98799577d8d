"""The simple pendulum (IFToMM A01) in closed form, in every set of coordinates."""

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import biela
from reference_data import SETS


@pytest.mark.parametrize("coordinates", SETS)
def test_the_closed_form(coordinates: str):
    r = biela.simulate("simple-pendulum", 10, coordinates=coordinates, tolerance=1e-11, samples=1000)
    assert r.ok, r.explain()
    _, cn, dn, _ = ellipj(math.sqrt(9.81) * np.asarray(r.t), 0.5)
    phi = 2 * np.arcsin(np.clip(math.sqrt(0.5) * cn / dn, -1, 1))
    np.testing.assert_allclose(r["P"], np.column_stack([-np.sin(phi), -np.cos(phi)]), atol=2e-8)
    np.testing.assert_allclose(r["O.reaction.norm"], 3 * 9.81 * np.abs(r["P.y"]), atol=2e-6)  # tension = -3 m g y/L
    # every second passage through the lowest place, one period later
    t, x, v = (np.asarray(r[name]) for name in ("t", "P.x", "P.vx"))
    k = np.flatnonzero(x[:-1] * x[1:] < 0)
    passages = t[k] - x[k] / v[k]
    period = 4 * ellipk(0.5) / math.sqrt(9.81)
    assert period == pytest.approx(2.367841947576237, rel=1e-14)
    np.testing.assert_allclose(passages, period / 4 * np.arange(1, 2 * len(k), 2), atol=1e-5)
