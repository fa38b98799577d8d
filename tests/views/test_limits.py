"""Stops, locks and springs of drawings: where they are drawn is where the mechanics has them."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import Circle

import biela
from biela.model import expression as ex
from biela.model.file import load_text
from biela.results.motion import Motion
from biela.views.drawing.mechanism import sketch
from biela.views.drawing.names import _box, _overlap, sides
from biela.views.player import scene_data
from biela.views.scene.bodies import wheels
from biela.views.scene.locks import is_closed
from biela.views.scene.plane import points_as_drawn
from biela.views.scene.scene import Scene
from biela.views.scene.stops import linear_form

TWO_BARS = """
name = "two-bars"
gravity = [0, -9.81]
[ground]
O = [0, 0]
[points]
A = [1, 0]
B = [2, 0]
[bodies.one]
type = "bar"
points = ["O", "A"]
mass = 1
[bodies.two]
type = "bar"
points = ["A", "B"]
mass = 1
[coordinates.reach]
type = "distance"
points = ["O", "B"]
{stops}
"""

SPACE = """
name = "in-space"
gravity = [0, 0, -9.81]
[ground]
O = [0, 0, 0]
[points]
P = [1, 0, 0]
[bodies.bar]
type = "bar"
points = ["O", "P"]
mass = 1
[joints.hinge]
type = "revolute"
at = "O"
bodies = ["ground", "bar"]
axis = [0, 1, 0]
[stops.limit]
coordinate = "hinge.angle"
upper = "60 deg"
[stops.floor]
coordinate = "P.z"
lower = -0.9
"""


def start(text: str) -> Motion:
    return Motion.at_start(biela.assemble(load_text(text, "a test", "test")))


def two_bars(stops: str) -> Motion:
    return start(TWO_BARS.format(stops=stops))


def test_a_floor_is_where_the_ball_strikes_it_and_hatched_below():
    (wall,) = Scene(Motion.at_start(biela.assemble("bouncing-ball"))).of("wall")
    assert wall["normal"] == [-1, 0.0, -1.0]
    assert wall["at"] == [-1, 0.0, 0.0] and wall["clear"] > 0


def test_an_inclined_wall_holds_the_points_at_the_limit():
    motion = two_bars('[stops.slope]\ncoordinate = "B.y + 0.5*B.x"\nlower = -1.2')
    (wall,) = Scene(motion).of("wall")
    frame, x, y = wall["at"]
    assert frame == -1 and y + 0.5 * x == pytest.approx(-1.2)
    n = np.array(wall["normal"][1:])
    assert np.hypot(*n) == pytest.approx(1) and n @ [0.5, 1.0] < 0  # towards what is forbidden


@pytest.mark.parametrize("limit", [-0.9, 0.4])
def test_an_angular_stop_is_beside_the_bar_at_its_limit(limit):
    """Turned to its limit, the bar points at the stop."""
    motion = two_bars(f'[stops.elbow]\ncoordinate = "two.angle - one.angle"\nlower = {limit}')
    scene = Scene(motion)
    (stop,) = scene.of("stop")
    assert (stop["colour"], stop["side"]) == (scene.frames.index["one"], -1)
    np.testing.assert_allclose(scene.at(stop["at"], 0), scene.at(scene.points["A"], 0))
    assert stop["turn"] == pytest.approx(limit) and 0 < stop["radius"] < 1


def test_limits_of_a_distance_and_what_cannot_be_drawn_is_told():
    motion = two_bars('[stops.rope]\ncoordinate = "reach"\nupper = 1.9\n[stops.odd]\ncoordinate = "A.x*B.y"\nupper = 3')
    scene = Scene(motion)
    (rope,) = scene.of("wall", "stop", "reach")
    assert (rope["type"], rope["radius"], rope["side"]) == ("reach", 1.9, 1)
    assert len(scene.notes) == 1 and "odd" in scene.notes[0] and "not drawn" in scene.notes[0]
    assert any("odd" in text.get_text() for text in sketch(motion).axes[0].texts)
    assert any("odd" in note for note in scene_data(motion, vectors=(), channels=[])["results"][0]["notes"])


def test_linear_forms():
    resolved = two_bars("").system.resolved
    assert linear_form(resolved, ex.parse("A.x*A.y", dotted=True)) is None
    assert linear_form(resolved, ex.parse("t + A.x", dotted=True)) is None
    assert linear_form(resolved, ex.parse("A.x - O.x + 1", dotted=True)) == ({"A.x": 1.0}, 1.0)


def test_stops_of_space_are_solids_of_the_right_body():
    result = scene_data(start(SPACE), vectors=(), channels=[])["results"][0]
    slab = next(s for s in result["shapes"] if s["type"] == "slab")
    assert np.array(slab["corners"])[:, 2].max() == pytest.approx(-0.9, abs=1e-9)
    block = next(s for s in result["shapes"] if s["type"] == "solid" and s["colour"] == -1)
    middle = np.array(block["corners"]).mean(axis=0)
    assert -np.degrees(np.arctan2(middle[2], middle[0])) > 60  # beyond where the bar stops
    assert block["frame"] == -1
    sketch(start(SPACE))


def test_a_clutch_is_drawn_between_its_wheels_and_closes_when_the_events_say():
    r = biela.simulate("clutch")
    (lock,) = Scene(r).of("lock")
    assert [is_closed(lock, t) for t in (0.5, 1.5, 2.5)] == [False, True, False]
    radii = wheels(r.system.resolved)
    assert set(radii) == {"one", "two"} and sum(radii.values()) < 1.0  # they do not cover each other
    discs = [p for p in sketch("clutch").axes[0].patches if isinstance(p, Circle) and p.radius == radii["one"]]
    assert len(discs) == 2


def test_the_spring_of_a_position_that_passes_zero_has_a_length():
    motion = biela.simulate("mass-spring-damper", 0.5)
    scene = Scene(motion)
    (springs,) = scene.of("springs")
    ends = [scene.frames.path(p) for p in springs["ends"]]
    assert np.linalg.norm(ends[1] - ends[0], axis=1).min() > 0.2
    assert springs["signs"] == ["spring", "damper"]


def test_a_free_end_is_a_point_and_a_mass_hides_its_own():
    assert points_as_drawn(biela.assemble("four-bar").resolved)["P"] == "point"
    assert points_as_drawn(biela.assemble("simple-pendulum").resolved)["P"] is None


@pytest.mark.parametrize("name", ["chain", "andrews", "jansen", "car-axis", "two-mass-suspension", "peaucellier"])
def test_names_do_not_cover_each_other(name):
    motion = Motion.at_start(biela.assemble(name))
    places = {p: np.asarray(motion[p])[0] for p in motion.system.resolved.start}
    unit = 0.024 * float(np.ptp(np.array(list(places.values())), axis=0).max())
    ways = sides(places, [], [], unit, {})
    boxes = [_box(p, xy, ways[p], unit, 0.75) for p, xy in places.items()]
    crossing = [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if _overlap(a, b)]
    assert not crossing


def test_of_a_long_motion_nothing_is_computed_instant_by_instant(monkeypatch):
    """A hundred thousand instants: whatever asks for the equations does not ask at each of them (but for energies)."""
    r, asked, at = biela.simulate("four-bar", 10.0, samples=100_000), [], biela.System.at
    monkeypatch.setattr(biela.System, "at", lambda self, *state: asked.append(1) or at(self, *state))
    data = scene_data(r)
    assert len(asked) < 1000
    assert data["results"][0]["count"] < 20_000


def test_distances_that_are_kept_are_drawn_as_rods():
    lines = [np.asarray(line.get_xydata()) for line in sketch("car-axis").axes[0].lines]
    assert any(len(x) == 2 and np.allclose(x, [[0, 0.5], [1, 0.5]]) for x in lines)  # from l to r
