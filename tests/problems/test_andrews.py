"""Andrews' squeezer (IFToMM A03): the published end values of the test set for initial value problems."""

import pytest

import biela
from reference_data import SETS

# After 0.03 s: angle and rate (PSIDE, 1e-14)
END = {
    "beta": (15.81077119629904, 1139.920302151208),
    "theta": (-15.75637105984298, -1424.379294994111),
    "gamma": (0.04082224013073101, 11.03291221937134),
    "phi": (-0.5347301163226948, 19.29337464421385),
    "delta": (0.5244099658805304, 0.5735699284790808),
    "omega": (0.5347301163226948, -19.29337464421385),
    "epsilon": (1.048080741042263, 0.3231791658026955),
}


@pytest.mark.parametrize("coordinates", [*SETS, "mixed"])
def test_the_end_values(coordinates: str):
    r = biela.simulate("andrews", 0.03, coordinates=coordinates, tolerance=1e-10, samples=300)
    assert r.ok, r.explain()
    for name, (angle, rate) in END.items():
        assert r[name][-1] == pytest.approx(angle, rel=1e-8), name
        assert r[f"{name}.rate"][-1] == pytest.approx(rate, rel=1e-6), name
    assert r["beta.acceleration"][0] == pytest.approx(14222.4439199541, rel=1e-10)
    assert r["theta.acceleration"][0] == pytest.approx(-10666.8329399656, rel=1e-10)


@pytest.mark.parametrize("coordinates", SETS)
def test_where_the_crank_pin_is_after_50_ms(coordinates: str):
    r = biela.simulate("andrews", 0.05, coordinates=coordinates, tolerance=1e-11, samples=500)
    assert r["F.x"][-1] == pytest.approx(-0.00520850472, abs=1e-9)
    assert r["F.y"][-1] == pytest.approx(0.00467669526, abs=1e-9)
