"""Free-body diagrams and vectors: arrows as long as their scale says, and all of them named."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

import biela
from biela.views.drawing.freebody import Beside, free_body_diagram
from biela.views.scene.vectors import UNITS


def arrows(figure) -> list[np.ndarray]:
    """Tip minus tail of every straight arrow."""
    found = []
    for patch in figure.axes[0].patches:
        if isinstance(patch, FancyArrowPatch):
            start, end = patch._posA_posB  # type: ignore[attr-defined]
            found.append(np.array(end) - np.array(start))
    return found


@pytest.mark.parametrize("name, body", [("four-bar", "coupler"), ("slider-crank", "rod"), ("heavy-top", "top"),
                                        ("bricard", "bar2"), ("two-mass-suspension", "wheel")])  # fmt: skip
def test_every_force_has_its_arrow_and_its_name(name: str, body: str):
    found = biela.simulate(name, 0.1, samples=2).free_body(body)
    figure = found.plot()
    texts = [t.get_text() for t in figure.axes[0].texts]
    large = max(float(np.linalg.norm(a.force)) for a in found.acts)
    for a in found.acts:
        if np.linalg.norm(a.force) > 0.05 * large and a.kind != "inertia":
            assert any(t.startswith(f"{a.name}: ") and t.endswith(" N") for t in texts), (a.name, texts)
    assert any("m a:" in t for t in texts) == (np.linalg.norm(found.acts[-1].force) > 0.03 * large)


def test_arrows_are_to_scale():
    found = biela.simulate("four-bar", 0.1, samples=2).free_body("coupler")
    solid = [a for a in found.acts if a.kind != "inertia"]
    drawn = arrows(found.plot())
    ratios = []
    for a in solid:
        same = [d for d in drawn if abs(d @ a.force[:2]) > (1 - 1e-9) * np.hypot(*d) * np.hypot(*a.force[:2])]
        assert same, a.name
        ratios.append(max(float(np.hypot(*d)) for d in same) / float(np.hypot(*a.force[:2])))
    assert np.ptp(ratios) < 1e-9 * max(ratios)


def test_arrows_do_not_lie_on_one_another():
    beside = Beside(0.1)
    first = beside(np.zeros(2), np.array([0.0, 1.0]))
    second = beside(np.zeros(2), np.array([0.0, 0.5]))
    across = beside(np.zeros(2), np.array([1.0, 0.0]))
    opposite = beside(np.zeros(2), np.array([0.0, -1.0]))
    assert abs(second[0][0] - first[0][0]) > 0.05
    assert across[0].tolist() == [0.0, 0.0] and opposite[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["four-bar", "bricard"])
def test_vectors_on_the_mechanism(name: str):
    r = biela.simulate(name, 0.1, samples=4)
    figure = r.sketch(0.1, vectors=list(UNITS))
    assert len(arrows(figure)) >= 3
    with pytest.raises(biela.MethodError, match="no arrows for 'momentum'"):
        r.sketch(0.1, vectors=["momentum"])


def test_a_still_picture_and_a_file(tmp_path):
    body = biela.simulate("four-bar", 0.05, samples=1).free_body("crank", t=0.0)
    free_body_diagram(body, tmp_path / "crank.png", title="crank")
    assert (tmp_path / "crank.png").stat().st_size > 10_000
