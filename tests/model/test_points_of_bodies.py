"""In space a point may be drawn, and also have its place on a body: the body decides, and says so."""

import pytest

import biela


def body(*place: float, **more) -> biela.Model:
    m = biela.Model(name="body", gravity=(0, 0, -9.81))
    points = {"P": (0.1, 0, 0), "Q": (0, 0.2, 0)}
    m.add_body("b", points, mass=1.0, center=(0, 0, 0), inertia=(0.1, 0.1, 0.1), **more)
    return m.add_point("P", *place)


def test_a_place_far_from_the_body_is_told() -> None:
    report = biela.check(body(5, 6, 7))
    assert any("'P' is drawn at (5, 6, 7)" in x and "'b'" in x and "(0.1, 0, 0)" in x for x in report.doubts)
    r = biela.simulate(body(5, 6, 7), 0.1, samples=2)
    assert any("'P' is drawn at" in note for note in r.notes)


@pytest.mark.parametrize(
    "place, more", [((0.1, 0, 0), {}), ((0.101, 0, 0.001), {}), ((5.1, 6, 7), {"position": (5, 6, 7)})]
)
def test_a_place_on_the_body_is_not(place, more) -> None:
    assert biela.check(body(*place, **more)).doubts == []
