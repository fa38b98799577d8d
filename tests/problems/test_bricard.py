"""Bricard's mechanism (IFToMM A04): a loop with a redundant equation swings for ever, in any coordinates."""

import math

import numpy as np
import pytest

import biela
from biela.analysis.check.mobility import mobility
from reference_data import SETS, columns, table

PERIOD = 4.991711513689


@pytest.mark.parametrize("coordinates", SETS)
def test_the_motion(coordinates: str):
    wanted = table("bricard")
    r = biela.simulate("bricard", 10, coordinates=coordinates, tolerance=1e-10, samples=10000)
    assert r.ok, r.explain()
    at = slice(0, None, 250)
    np.testing.assert_allclose(r.t[at], wanted["t"], atol=1e-12)
    np.testing.assert_allclose(r["P2"][at], columns(wanted, "P3_x", "P3_y", "P3_z"), atol=2e-8)
    np.testing.assert_allclose(r["P2.velocity"][at], columns(wanted, "P3_vx", "P3_vy", "P3_vz"), atol=2e-7)
    assert np.abs(r["energy.error"]).max() < 1e-7
    x, y, z = np.asarray(r["P2"]).T
    np.testing.assert_allclose([x.min(), x.max(), y.min(), y.max(), z.min(), z.max()],
                               [-1, 1, -1, -math.sqrt(3) / 2, -0.5, 0], atol=1e-6)  # fmt: skip
    # It comes to rest at both ends, and goes back as it came: x' is odd there, so a secant finds the instant.
    t, v, a = (np.asarray(r[name]) for name in ("t", "P2.vx", "P2.ax"))
    k = np.flatnonzero(v[1:-1] * v[2:] < 0) + 1
    rests = t[k] - v[k] / a[k]
    np.testing.assert_allclose(rests, PERIOD / 2 * np.arange(1, 5), atol=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_the_redundant_equation_is_named(coordinates: str):
    """By counting it is a structure. The loop's six hinges give the redundancy; which row is left out is a choice."""
    system = biela.assemble("bricard", coordinates)
    found = mobility(system)
    assert (found.freedom, found.redundant, found.counted) == (1, 1, 0)
    assert len(found.implied) == 1 and found.implied[0] in system.row_names
    if coordinates == "reference-point":
        assert (found.n, found.m, found.rank) == (30, 30, 29)
        assert set(found.involved) == {f"H{k}" for k in range(6)}
    elif coordinates == "relative":
        assert (found.n, found.m, found.rank) == (5, 5, 4)
    r = biela.simulate(system, 0.1, samples=2)
    assert any("1 redundant constraint row" in note for note in r.notes)
