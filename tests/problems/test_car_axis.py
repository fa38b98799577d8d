"""The car axis of the test set for initial value problems: end values, and the multipliers of its two equations."""

import pytest

import biela
from reference_data import SETS

END = {
    "l.x": 0.04934557842754028, "l.y": 0.4969894602301712, "r.x": 1.041742524885422, "r.y": 0.3739110272653613,
    "l.vx": -0.07705836840409724, "l.vy": 0.007446866587237786, "r.vx": 0.01755681575372322, "r.vy": 0.7703410437792520,
}  # fmt: skip


@pytest.mark.parametrize("coordinates", [*SETS, "mixed"])
def test_the_end_values(coordinates: str):
    r = biela.simulate("car-axis", 3, coordinates=coordinates, tolerance=1e-11, samples=300)
    assert r.ok, r.explain()
    for name, value in END.items():
        assert r[name][-1] == pytest.approx(value, abs=5e-8 if "v" in name else 2e-9), name
    # The test set has its multipliers on the other side of the equations.
    assert -r["multiplier.upright.equation"][-1] == pytest.approx(-0.004736886590848933, abs=1e-10)
    assert -r["multiplier.axle.length"][-1] == pytest.approx(-0.001104680331257344, abs=1e-10)
