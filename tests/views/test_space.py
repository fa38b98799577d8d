"""Drawings in space: the view, shapes from inertia, a sign for every joint, and what is nearer in front."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import biela
from biela.model.joints import PLANE, SPACE
from biela.model.resolve import resolve
from biela.model.resolved import ResolvedBody
from biela.results.motion import Motion
from biela.views import player
from biela.views.curves.figures import moving_point, overview, telling
from biela.views.curves.plot import plot
from biela.views.drawing.joints import PARTS
from biela.views.drawing.mechanism import sketch
from biela.views.drawing.projection import AZIMUTHS, Projection, best_view, horizon
from biela.views.drawing.space import view_of
from biela.views.drawing.stage import Stage
from biela.views.drawing.triad import round_length
from biela.views.scene import signs
from biela.views.scene.scene import Scene
from biela.views.scene.solids import Ball, box, cone, cylinder, hull, inside, shape
from biela.views.style import new_figure
from space_mechanisms import SpaceRecipe, build_space
from spatial.joints import JOINTS


# ---------------------------------------------------------------------------------------------- the view
@pytest.mark.parametrize("gravity, up", [((0, 0, -9.81), 2), ((0, -9.81, 0), 1), ((-1, 0, 0), 0), ((0, 0, 0), 2)])
@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_a_view_is_a_rotation_and_keeps_heights_upwards(gravity, up, azimuth):
    p = Projection.view(gravity, azimuth)
    R = np.array([p.right, p.up, p.towards])
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1.0)
    flat = p.flat(np.eye(3))
    assert flat[up, 0] == pytest.approx(0.0, abs=1e-15) and flat[up, 1] > 0.8


def test_what_falls_falls_downwards():
    first, second, above = horizon((0, 0, 9.81))  # z points down, as in ships and aeroplanes
    np.testing.assert_array_equal(above, [0, 0, -1])
    np.testing.assert_array_equal(np.cross(first, second), above)


def test_the_view_keeps_points_apart():
    """The corners of a cube, which a view along its diagonal would put on top of each other."""
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    flat = best_view((0, 0, -1), cube, []).flat(cube)
    apart = np.linalg.norm(flat[:, None] - flat[None], axis=2) + np.eye(8)
    assert apart.min() > 0.1


def test_nearer_is_in_front():
    axes = new_figure(4, 4).subplots()
    stage = Stage(axes, Projection.view((0, 0, -1), 30), 0.02, -1.0, 1.0)
    towards = stage.view.towards
    assert stage.order(0.5 * towards) > stage.order(0.1 * towards) > stage.order(-0.9 * towards)
    assert stage.order(np.zeros(3), lift=1.0) > stage.order(np.zeros(3))


# ------------------------------------------------------------------------------------------------ shapes
def body_of(**item) -> ResolvedBody:
    return resolve(biela.Model(name="m", gravity=(0, 0, -9.81), bodies={"b": {"mass": 3.0, **item}})).bodies["b"]


def extent(surface) -> np.ndarray:
    return np.ptp(np.concatenate([face.corners for face in surface]), axis=0)


def test_sizes_come_back_from_the_inertia():
    np.testing.assert_allclose(extent(shape(body_of(type="box", size=[1, 2, 0.5]))), [1, 2, 0.5])
    np.testing.assert_allclose(extent(shape(body_of(type="plate", width=2, height=1)))[:2], [2, 1])
    np.testing.assert_allclose(
        extent(shape(body_of(type="cylinder", radius=0.2, length=3, axis=[1, 0, 0]))), [3, 0.4, 0.4], rtol=1e-2
    )
    np.testing.assert_allclose(extent(shape(body_of(type="disc", radius=0.7)))[:2], [1.4, 1.4], rtol=1e-2)
    assert shape(body_of(type="sphere", radius=0.25)) == Ball(pytest.approx(0.25))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("radius", [0.05, 0.03])  # half the height: the same inertia about every axis
def test_a_cone_points_to_its_apex(sign, radius):
    apex = np.array([0, 0, sign * 0.075])
    points = {"O": apex.tolist()}
    faces = shape(body_of(type="cone", radius=radius, height=0.1, axis=[0, 0, sign], points=points))
    tips = [corner for face in faces[:-1] for corner in face.corners]
    assert min(np.linalg.norm(tip - apex) for tip in tips) < 1e-9
    assert extent(faces)[2] == pytest.approx(0.1)


def test_a_spinning_top_looks_like_a_disc():
    top = resolve(biela.load("heavy-top")).bodies["top"]
    np.testing.assert_allclose(extent(shape(top)), [0.5, 0.005, 0.5], rtol=2e-2)


@pytest.mark.parametrize(
    "faces",
    [
        box(np.zeros(3), np.eye(3), (1, 2, 3)),
        cylinder(np.zeros(3), np.array([0.0, 0.6, 0.8]), 0.5, 1.0),
        cone(np.array([0.0, 0, -1]), np.array([0.0, 0, 2]), 0.8),
        hull(np.random.default_rng(4).standard_normal((12, 3))),
    ],
)
def test_faces_look_outwards(faces):
    """Then a closed surface has a volume, and its middle is inside."""
    volume = 0.0
    for face in faces:
        for k in range(1, len(face.corners) - 1):
            volume += np.linalg.det(face.corners[[0, k, k + 1]]) / 6
    middle = np.concatenate([face.corners for face in faces]).mean(axis=0)
    assert volume > 0.1 and inside(faces, middle, middle)
    assert not inside(faces, middle + 10.0, middle)


# -------------------------------------------------------------------------------------------- mechanisms
def drawn(figure) -> int:
    axes = figure.axes[0]
    return len(axes.lines) + len(axes.patches) + len(axes.collections)


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_can_be_drawn(kind):
    model = build_space(SpaceRecipe("chain", size=1, joints=(kind,), forces=("line", "on-position"), seed=7))
    figure = sketch(model)
    resolved = biela.assemble(model).resolved
    bare = {name for name, body in resolved.bodies.items() if not body.points}
    assert {text.get_text() for text in figure.axes[0].texts} == {*resolved.ground, *resolved.start, *bare}
    assert drawn(figure) > 10


def test_the_signs_of_joints_are_known_to_every_view():
    """Their words are in one table; every part that it names is drawn in pictures and on pages."""
    assert {kind.sign for kind in SPACE.values()} - {"", *signs.LINKS} == set(signs.JOINTS) - {"end"}
    assert all(word in signs.JOINTS for words in signs.LINKS.values() for word in words)
    assert {kind.sign for kind in PLANE.values()} - {"", "rod"} == set(signs.PLANE_JOINTS)
    parts = {part["part"] for sign in signs.JOINTS.values() for part in sign}
    script = (Path(player.__file__).parent / "web" / "space.js").read_text("utf-8")
    table = re.search(r"const PARTS = \{(.*?)\n  \};", script, re.S)
    assert table and parts == set(PARTS) == set(re.findall(r"^    (\w+)\(", table[1], re.M))


@pytest.mark.parametrize("name, kind", [("slider-crank", PLANE["point-on-line"]), ("bricard", SPACE["revolute"])])
def test_a_new_sign_is_one_row(name, kind, monkeypatch):
    """And is drawn in pictures and told to pages."""
    monkeypatch.setattr(kind, "sign", "star")
    unknown = drawn(sketch(name))
    monkeypatch.setitem(signs.PLANE_JOINTS, "star", [signs.polygon((0, 1), (-0.8, -0.6), (0.8, -0.6))] * 9)
    monkeypatch.setitem(signs.JOINTS, "star", [signs.ball(0.3, lift=k) for k in range(9)])
    motion = Motion.at_start(biela.assemble(name))
    stars = Scene(motion).of("star")
    assert stars and all(len(star["parts"]) == 9 for star in stars)
    assert drawn(sketch(motion)) > unknown
    assert [s for s in player.scene_data(motion)["results"][0]["signs"] if s["type"] == "star"] == stars


@pytest.mark.parametrize("name", biela.library.names())
def test_everything_in_a_scene_is_drawn_on_pages(name):
    """Each type of shape and sign has its line in the script that draws it."""
    scene = Scene(Motion.at_start(biela.assemble(name)))
    script = (Path(player.__file__).parent / "web" / ("plane.js", "space.js")[scene.dimension - 2]).read_text("utf-8")
    types = {s["type"] for s in (*scene.shapes, *scene.signs) if "parts" not in s}
    assert all(re.search(rf'"{kind}"|^ +{kind}\(|\b{kind}[,:]', script, re.M) for kind in types), types


@pytest.mark.parametrize("shape", ["body", "box", "cylinder", "sphere", "cone", "plate", "disc", "bar", "rod"])
def test_every_body_can_be_drawn(shape):
    spans = {"box": {"size": [0.2, 0.3, 0.4]}, "cylinder": {"radius": 0.1, "length": 0.5}, "sphere": {"radius": 0.2},
             "cone": {"radius": 0.1, "height": 0.4}, "plate": {"width": 0.3, "height": 0.5}, "disc": {"radius": 0.3},
             "body": {"center": [0.1, 0, 0], "inertia": [1e-2, 2e-2, 2e-2]}}  # fmt: skip
    item = {"type": shape, **spans.get(shape, {}), **({} if shape == "rod" else {"mass": 1})}
    data = {"name": "one", "gravity": (0, 0, -9.81), "ground": {"O": (0, 0, 0)}}
    if shape in ("bar", "rod"):
        bodies = {"b": {**item, "points": ["O", "P"]}, "m": {"type": "mass", "point": "P", "mass": 1}}
        model = biela.Model(**data, points={"P": (1, 0, 0)}, bodies=bodies)
    else:
        points = {"O": [-0.6, 0, 0], "Q": [0, 0.5, 0.1], "R": [0, 0, 0.7], "S": [0.2, -0.3, 0]}
        model = biela.Model(**data, bodies={"b": {**item, "points": points}})
    assert drawn(sketch(model)) > 8


def test_drivers_springs_and_paths(tmp_path):
    motion = biela.simulate("cardan", 0.1, samples=20)
    plain, traced = sketch(motion), sketch(motion, tmp_path / "a.png", trace=["X", "A"], at=10, title="half way")
    named = {lines.get_label() for lines in traced.axes[0].collections}
    assert {"path of X", "path of A"} <= named and len(plain.axes[0].collections) < len(traced.axes[0].collections)
    assert traced.axes[0].get_title(loc="left") == "half way"
    with Image.open(tmp_path / "a.png") as image:
        assert image.width > 1000 and len(np.unique(np.asarray(image.convert("L")))) > 40


def test_a_view_of_ones_own():
    model = biela.load("heavy-top")
    above = sketch(model, view=(-90.0, 90.0), names=False)
    assert not above.axes[0].texts
    assert drawn(above) and above.axes[0].get_aspect() == 1.0


def test_the_view_does_not_change_along_a_motion():
    motion = biela.simulate("spatial-chain", 0.3, samples=3)
    first = view_of(Scene(motion), None)
    assert sketch(motion, at=0).axes and sketch(motion, at=3).axes
    np.testing.assert_array_equal(first.towards, view_of(Scene(motion), None).towards)


def test_a_slider_is_drawn_where_its_point_is():
    """Its joint was placed at the origin, somewhere on the axis."""
    scene = Scene(Motion.at_start(biela.assemble("spatial-slider-crank")))
    assert scene.start is not None
    np.testing.assert_allclose(scene.start.seats["guide"], scene.start.points["C"], atol=1e-12)
    np.testing.assert_allclose(scene.start.anchors["slider"], [scene.start.points["C"]], atol=1e-12)
    (slide,) = scene.of("slide")
    np.testing.assert_allclose(scene.at(slide["at"], 0), scene.start.points["C"], atol=1e-12)


def test_bodies_without_points_are_named():
    bodies = {"case": {"type": "box", "size": [0.1, 0.2, 0.3], "mass": 1}}
    joints = {"hinge": {"type": "revolute", "bodies": ["ground", "case"], "at": [0, 0, 0.2], "axis": "x"}}
    model = biela.Model(name="door", gravity=(0, 0, -9.81), bodies=bodies, joints=joints)
    assert [text.get_text() for text in sketch(model).axes[0].texts] == ["case"]
    result = biela.simulate(model, 0.1, samples=5)
    assert moving_point(result) is None and len(overview(result).axes) >= 4


# ------------------------------------------------------------------------------------------------- plots
@pytest.fixture(scope="module")
def top():
    return biela.simulate("heavy-top", 0.1, samples=20)


def test_vectors_have_three_lines_and_quaternions_four(top):
    point, turn = plot(top, "G", "top.quaternion").axes
    assert [line.get_label() for line in point.lines] == ["G.x", "G.y", "G.z"]
    assert [line.get_label() for line in turn.lines] == [f"top.quaternion.p{k}" for k in range(4)]
    np.testing.assert_array_equal(turn.lines[2].get_ydata(), top["top.p2"])


def test_a_vector_cannot_be_the_horizontal_axis(top):
    with pytest.raises(biela.BielaError, match=r"G\.x or G\.y or G\.z"):
        plot(top, "G.x", against="G")


def test_the_curve_to_look_at_first_is_a_height(top):
    assert telling(top)[0] == "G.z"
    assert telling(biela.simulate("bricard", 0.1, samples=5))[0].endswith(".y")  # there y is up
    assert telling(biela.simulate("cardan", 0.1, samples=5))[0] == "in.angle"  # no point of it moves


def test_round_lengths():
    assert [round_length(x) for x in (1.0, 0.0321, 7.3, 199.0)] == [1.0, 0.02, 5.0, 100.0]
