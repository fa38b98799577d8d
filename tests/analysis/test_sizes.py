"""A mechanism of a micrometre starts and moves as one of a metre, or of a thousand kilometres: no row is compared with
rows of another kind."""

import pytest

import biela

SETS = "natural", "mixed", "reference-point", "relative"


def four_bar(size: float) -> biela.Model:
    """Lengths and gravity grow alike, so that all angles stay the same."""
    m = biela.Model(name="four-bar", gravity=(0, -9.81 * size)).add_ground("O", 0, 0).add_ground("D", 0.4 * size, 0)
    m.add_point("A", 0.1 * size, 0.02 * size).add_point("B", 0.3 * size, 0.2 * size)
    m.add_bar("crank", "O", "A", length=0.1 * size, mass=0.5).add_bar("coupler", "A", "B", length=0.3 * size, mass=1.0)
    m.add_bar("rocker", "D", "B", length=0.25 * size, mass=1.2)
    return m.start(position={"crank.angle": 0.3}, velocity={"crank.angle": 8})


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("size", [1e-6, 1e-5, 1e-4, 1e-2, 1e2, 1e4, 1e6])
def test_starts_and_moves_alike(size: float, coordinates: str) -> None:
    r = biela.simulate(four_bar(size), 0.3, samples=10, coordinates=coordinates)
    assert r.ok
    assert float(r["crank.angle"][0]) == pytest.approx(0.3, abs=1e-9)
    assert float(r["crank.rate"][0]) == pytest.approx(8.0, rel=1e-7)
    one = biela.simulate(four_bar(1.0), 0.3, samples=10)
    assert float(r["crank.angle"][-1]) == pytest.approx(float(one["crank.angle"][-1]), abs=1e-5)


@pytest.mark.parametrize("size", [1e-5, 1e4])
def test_other_analyses(size: float) -> None:
    turn, one = (biela.kinematics(four_bar(s), "crank.angle", rate=8.0, count=21) for s in (size, 1.0))
    assert float(turn["rocker.angle"][7]) == pytest.approx(float(one["rocker.angle"][7]), abs=1e-7)


@pytest.mark.parametrize("size", [1e-5, 1.0, 1e4])
def test_contradictions_are_still_refused(size: float) -> None:
    m = four_bar(size).start(velocity={"crank.angle": 8, "rocker.angle": 30})
    with pytest.raises(biela.BielaError, match="contradict the joints"):
        biela.assemble(m)
