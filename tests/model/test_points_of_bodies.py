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


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("far", [1e10, 1e17, 1e40])
def test_a_body_far_from_its_own_axes_is_refused(far: float, dimension: int) -> None:
    """Of its dimensions too few digits are left: in space it stood still, "good", and in the plane it divided by 0."""
    m = biela.Model(name="p", dimension=dimension, gravity=(0, -9.81, 0)[:dimension])
    if dimension == 2:
        m.add_ground("O", 0, 0).add_body("b", points={"O": (far, 0)}, mass=1, center=(far + 1, 0), inertia=1)
    else:
        m.add_ground("O", 0, 0, 0)
        points, center = {"O": (far, 0, 0)}, (far + 1, 0, 0)
        m.add_body("b", points=points, mass=1, center=center, inertia=[1] * 3, position=(-far, 0, 0))
        m.add_joint("j", "revolute", bodies=["ground", "b"], at="O", axis=[0, 0, 1])
    with pytest.raises(biela.BielaError, match="from the origin of its own axes"):
        biela.simulate(m, 1.0)


@pytest.mark.parametrize("coordinates", ["natural", "mixed", "relative", "reference-point"])
def test_a_body_with_one_point_far_from_its_centre(coordinates: str) -> None:
    """The second point that natural coordinates need lay a metre beside the first, which was nothing beside 1e20 m."""
    m = biela.Model(name="p").add_ground("O", 0, 0)
    m.add_body("b", points={"O": (1e20, 0)}, mass=1, center=(0, 0), inertia=1)
    try:
        assert biela.assemble(m, coordinates).n > 0
    except biela.BielaError as error:
        assert str(error)
