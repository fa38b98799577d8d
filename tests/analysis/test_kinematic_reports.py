"""Transmission angles, limits, Grashof, instantaneous centres and coupler curves, against geometry."""

from itertools import combinations

import numpy as np
import pytest

import biela
from biela import Model
from biela.analysis.kinematics.report import kinematic_report
from biela.results.geometry.centres import instant_centre, screw_axis
from biela.results.geometry.linkage import dyads
from biela.results.geometry.transmission import grashof, transmission_angles
from biela.results.motion import Motion
from mechanisms import build, recipe
from space_mechanisms import build_space, space_recipe
from spatial.states import at_a_state, random_velocity


def arr(x) -> np.ndarray:
    return np.asarray(x)


def four_bar(ground: float, a: float, b: float, c: float, angle: float = 1.0, crossed: bool = False) -> Model:
    """Links a (on O) and c (on D), coupler b, with a at an angle."""
    A = a * np.array([np.cos(angle), np.sin(angle)])
    to_D = np.array([ground, 0.0]) - A
    d = float(np.hypot(*to_D))
    along = (b * b - c * c + d * d) / (2 * d)
    across = np.sqrt(b * b - along * along) * (-1 if crossed else 1)
    e = to_D / d
    B = A + along * e + across * np.array([-e[1], e[0]])
    m = Model(name="linkage").add_ground("O", 0, 0).add_ground("D", ground, 0)
    m.add_point("A", *map(float, A)).add_point("B", *map(float, B))
    for name, p, q in (("a", "O", "A"), ("b", "A", "B"), ("c", "B", "D")):
        m.add_bar(name, p, q, mass=1.0)
    return m


# ----------------------------------------------------------------------------------- transmission angle
@pytest.mark.parametrize("lengths", [(4.0, 1.0, 3.5, 3.0), (1.0, 2.0, 2.5, 3.0), (0.4, 0.1, 0.3, 0.25)])
@pytest.mark.parametrize("crossed", [False, True])
def test_transmission_angle_by_the_cosine_law(lengths: tuple, crossed: bool):
    g, a, b, c = lengths
    r = biela.kinematics(four_bar(*lengths, crossed=crossed), "a.angle", count=73)
    phi = arr(r["a.angle"])
    square = a * a + g * g - 2 * a * g * np.cos(phi)  # of the diagonal A D
    mu = np.arccos((b * b + c * c - square) / (2 * b * c))
    (found,) = transmission_angles(r)
    assert (found.pin, found.coupler, found.follower) == ("B", "b", "c")
    np.testing.assert_allclose(found.angle, mu, atol=1e-12)
    np.testing.assert_allclose(r.transmission_angle("B"), mu, atol=1e-12)
    np.testing.assert_allclose(r.transmission_angle("B", ("c", "b")), mu, atol=1e-12)
    assert found.least == pytest.approx(min(mu.min(), np.pi - mu.max()), abs=1e-12)


def test_the_follower_is_the_other_link_when_the_other_one_is_driven():
    r = biela.kinematics(four_bar(4.0, 1.0, 3.5, 3.0), "c.angle", -1.3, -1.25, count=5)
    (found,) = transmission_angles(r)
    assert (found.pin, found.coupler, found.follower) == ("A", "b", "a")


def test_transmission_angle_of_a_slider_crank():
    """Between the rod and the normal of the guide: cos mu = |r sin(theta)| / l from one side of it."""
    r = biela.kinematics("slider-crank", "theta", count=41)
    (found,) = transmission_angles(r)
    tilt = np.arcsin(0.1 * np.sin(arr(r["theta"])) / 0.3)
    np.testing.assert_allclose(np.cos(found.angle) ** 2, np.sin(tilt) ** 2, atol=1e-12)


def crank_and_guide() -> Model:
    m = Model(name="slider-crank").add_ground("O", 0, 0).add_ground("G", 5, 0)
    m.add_point("A", 1, 0.5).add_point("B", 3, 0).add_bar("crank", "O", "A", mass=1)
    return m.add_joint("guide", "point-on-line", point="B", line={"body": "ground", "through": "O"})


@pytest.mark.parametrize("slider", [
    lambda m: m.add_bar("rod", "A", "B", mass=1),
    lambda m: m.add_bar("rod", "A", "B", mass=1).add_mass("slider", "B", mass=1),
    lambda m: m.add_mass("slider", "B", mass=1).add_bar("rod", "A", "B", mass=1),
    lambda m: m.add_point("C", 3.2, 0).add_bar("slider", "B", "C", mass=1).add_bar("rod", "A", "B", mass=1),
    lambda m: m.add_joint("rod", "distance", points=("A", "B")),
    lambda m: m.add_joint("rod", "distance", points=("A", "B")).add_mass("slider", "B", mass=1),
    lambda m: m.add_point("P", 3, 0).add_bar("rod", "A", "P", mass=1).add_joint("pin", "revolute", points=("P", "B"))
    .add_mass("slider", "B", mass=1),
])  # fmt: skip
def test_the_dyad_of_a_guide_does_not_depend_on_who_bears_its_force(slider):
    """Be the slider nothing, a point mass or a body, and the rod a bar or a mere distance."""
    found, left = dyads(biela.assemble(slider(crank_and_guide())).resolved, ["crank"])
    assert [(d.pin.name, d.coupler, d.follower) for d in found] == [("guide", "rod", "guide")]
    assert set(left) <= {"slider"}


def test_a_second_rod_at_a_guided_pin_is_no_dyad_with_the_guide():
    """Where the first rod leads the pin, the second follows it, and makes a dyad with what it drives."""
    m = crank_and_guide().add_point("F", 4, 1).add_bar("second", "B", "F", mass=1).add_bar("rocker", "F", "G", mass=1)
    m.add_bar("first", "A", "B", mass=1).add_mass("slider", "B", mass=1)
    found, left = dyads(biela.assemble(m).resolved, ["crank"])
    assert [(d.pin.name, d.coupler, d.follower) for d in found] == [
        ("guide", "first", "guide"), ("F", "second", "rocker"),
    ]  # fmt: skip
    assert left == []


def test_dyads_of_larger_mechanisms():
    r = biela.kinematics("jansen", count=3)
    assert {x.pin for x in transmission_angles(r)} == {"Y", "W", "U"}
    r = biela.kinematics("quick-return", count=9)
    slot, guide = transmission_angles(r)
    np.testing.assert_allclose(slot.angle, np.pi / 2, atol=1e-12)  # the slot runs through the pivot of its lever
    assert guide.coupler == "rod"
    with pytest.raises(biela.MethodError, match="no transmission angle at 'O'"):
        r.transmission_angle("O")
    with pytest.raises(biela.MethodError, match="planar"):
        transmission_angles(biela.simulate("bricard", 0.01, samples=1))


# --------------------------------------------------------------------------------------------- Grashof
@pytest.mark.parametrize("lengths, kind", [
    ((4.0, 1.0, 3.5, 3.0), "crank-rocker (a turns fully)"),
    ((4.0, 3.0, 3.5, 1.0), "crank-rocker (c turns fully)"),
    ((1.0, 2.0, 2.5, 3.0), "double crank"),
    ((4.0, 3.0, 1.0, 3.5), "double rocker (only b"),
    ((4.0, 2.0, 2.2, 3.0), "triple rocker"),
    ((4.0, 2.0, 4.0, 2.0), "change point"),
])  # fmt: skip
def test_grashof_and_whether_links_turn_fully(lengths: tuple, kind: str):
    model = four_bar(*lengths, angle=0.9)
    (found,) = grashof(Motion.at_start(biela.assemble(model)))
    assert found.kind.startswith(kind) and found.lengths == pytest.approx(lengths)
    if "change" not in kind:
        turns = {link: biela.range_of_motion(model, f"{link}.angle", count=31).full_turn for link in ("a", "c")}
        assert turns == {link: "double crank" in kind or f"({link} turns" in kind for link in ("a", "c")}


# ---------------------------------------------------------------------------------------------- range
def test_limits_of_the_rocker_of_a_crank_rocker():
    """Where crank and coupler are in line, c, g and b + a (or b - a) are a triangle."""
    g, a, b, c = 4.0, 1.0, 3.5, 3.0
    found = biela.range_of_motion(four_bar(g, a, b, c), "c.angle")
    ends = [np.arccos((g * g + c * c - L * L) / (2 * g * c)) for L in (b + a, b - a)]
    # the bar c points from B to D: its angle is that from D to B plus half a turn
    limits = sorted((np.pi - np.array(ends) + np.pi) % (2 * np.pi))
    assert not found.full_turn
    np.testing.assert_allclose(sorted(np.mod([found.lower, found.upper], 2 * np.pi)), limits, atol=1e-9)
    assert all(set(p.line) == {"O", "A", "B"} for p in found.limits if p is not None)
    assert "goes from" in str(found) and "in line" in str(found)


def test_limits_of_a_double_rocker():
    """A link of a triple rocker stops where coupler and the other link are stretched: a, g and b + c a triangle."""
    g, a, b, c = 4.0, 2.0, 2.2, 3.0
    found = biela.range_of_motion(four_bar(g, a, b, c), "a.angle")
    end = np.arccos((g * g + a * a - (b + c) ** 2) / (2 * g * a))
    np.testing.assert_allclose(found.upper, end, atol=1e-9)
    np.testing.assert_allclose(found.lower, -end, atol=1e-9)
    assert found.span == pytest.approx(2 * end)


def test_range_of_a_length_also_from_a_dead_start():
    found = biela.range_of_motion("slider-crank", "B.x")
    assert (found.lower, found.upper) == (pytest.approx(0.2, abs=1e-9), pytest.approx(0.4, abs=1e-9))
    assert str(found).startswith("B.x goes from 0.2 m to 0.4 m")


def test_range_in_space():
    found = biela.range_of_motion("bricard", "H0.angle", count=61)
    assert (found.lower, found.upper) == (pytest.approx(-np.pi / 6, abs=1e-7), pytest.approx(7 * np.pi / 6, abs=1e-7))
    assert biela.range_of_motion("spatial-slider-crank", count=61).full_turn


# ---------------------------------------------------------------------------------- instantaneous centres
def moving(seed: int) -> Motion:
    """A random planar mechanism with a random velocity."""
    system = biela.assemble(build(recipe(seed, topology="tree", size=3, drivers=(), forces=())), "mixed")
    v = random_velocity(system, seed)
    return Motion(system, [0.0], system.q0[None], v[None], 0 * v[None], np.zeros((1, system.m)), None)


@pytest.mark.parametrize("seed", range(6))
def test_three_centres_are_in_line(seed: int):
    """Aronhold and Kennedy; and each body's points move about its centre."""
    r = moving(seed)
    rigid = [b for b, body in r.system.resolved.bodies.items() if not body.particle]
    checked = 0
    for trio in combinations(["ground", *rigid], 3):
        centres = [instant_centre(r, *pair) for pair in combinations(trio, 2)]
        if all(c.finite[0] for c in centres):
            p, q, s = (arr(c.point)[0] for c in centres)
            spread = max(np.abs(q - p).max(), np.abs(s - p).max(), 1e-3)
            area = (q - p)[0] * (s - p)[1] - (q - p)[1] * (s - p)[0]
            assert abs(area) < 1e-8 * spread**2
            checked += 1
    assert checked or len(rigid) < 2
    for body in rigid:
        centre = instant_centre(r, body)
        if centre.finite[0]:
            for p in r.system.resolved.bodies[body].points:
                place = arr(r.point(body, r.system.resolved.bodies[body].points[p]).position)[0]
                velocity = arr(r.point(body, r.system.resolved.bodies[body].points[p]).velocity)[0]
                arm, w = place - arr(centre.point)[0], float(centre.rate[0])
                np.testing.assert_allclose(velocity, w * np.array([-arm[1], arm[0]]), atol=1e-8 * (1 + abs(w)))


def test_centres_of_the_four_bar():
    r = biela.kinematics("four-bar", count=50)
    for pair, pin in ((("crank", "ground"), "O"), (("coupler", "crank"), "A"), (("rocker", "coupler"), "B")):
        centre = r.instant_centre(*pair)
        assert centre.finite.sum() >= 48  # not where both happen to turn alike
        np.testing.assert_allclose(arr(centre.point)[centre.finite], arr(r[pin])[centre.finite], atol=1e-10)
    turning = r.instant_centre("coupler")
    O, A, B, D = (arr(r[p])[turning.finite] for p in "OABD")
    C = arr(turning.point)[turning.finite]
    for p, q in ((O, A), (D, B)):  # where crank and rocker, prolonged, meet
        bend = (q - p)[:, 0] * (C - p)[:, 1] - (q - p)[:, 1] * (C - p)[:, 0]
        assert np.abs(bend / (1 + np.hypot(*(C - p).T))).max() < 1e-9


def test_a_translation_has_its_centre_far_away():
    m = four_bar(2.0, 1.0, 2.0, 1.0, angle=1.0)  # a parallelogram
    r = biela.kinematics(m, "a.angle", 1.0, 1.5, count=5)
    centre = r.instant_centre("b")
    assert not centre.finite.any() and np.isinf(arr(centre.point)).all()
    crank, way = arr(r["A"]) - arr(r["O"]), centre.direction
    np.testing.assert_allclose(np.hypot(*way.T), 1)  # along the cranks
    np.testing.assert_allclose(crank[:, 0] * way[:, 1] - crank[:, 1] * way[:, 0], 0, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_screw_axes(seed: int):
    """On the axis a body's points move along it; the velocity of any point is w x r + slide."""
    model = build_space(space_recipe(300 + seed, drivers=(), forces=()))
    system = at_a_state(model, seed, ("relative",))["relative"]
    r = Motion(system, [0.0], system.q0[None], system.v0[None], 0 * system.v0[None], np.zeros((1, system.m)), None)
    for body, resolved in system.resolved.bodies.items():
        if resolved.particle:
            continue
        axis = screw_axis(r, body)
        if not np.isfinite(arr(axis.point)).all():
            continue
        for local in ((0.0, 0.0, 0.0), (0.4, -0.2, 0.7)):
            p = r.point(body, local)
            arm = arr(p.position)[0] - arr(axis.point)[0]
            expected = float(axis.rate[0]) * np.cross(axis.direction[0], arm) + float(axis.slide[0]) * axis.direction[0]
            np.testing.assert_allclose(arr(p.velocity)[0], expected, atol=1e-8 * (1 + np.abs(expected).max()))


def test_a_screw_joint_turns_about_its_own_axis():
    m = Model(gravity=(0, 0, -10))
    m.add_body("nut", {"E": (0.1, 0, 0)}, mass=2, center=(0, 0, 0), inertia=(0.1, 0.1, 0.05))
    m.add_joint("thread", "screw", bodies=("ground", "nut"), at=(0.3, 0.2, 0), axis=(0, 0, 1), lead=0.4)
    axis = biela.simulate(m, 0.2, samples=2).screw_axis("nut")
    np.testing.assert_allclose(arr(axis.point)[-1], [0.3, 0.2, 0], atol=1e-9)
    assert float(axis.pitch[-1]) == pytest.approx(0.4 / (2 * np.pi))


# --------------------------------------------------------------------------------------------- coupler curves
def test_any_point_of_a_body():
    r = biela.kinematics("four-bar", count=361)
    local = r.system.resolved.bodies["coupler"].points["P"]
    P = r.point("coupler", local)
    for part in ("position", "velocity", "acceleration"):
        np.testing.assert_allclose(getattr(P, part), r[f"P.{part}"], atol=1e-12)
    A = r.point("A")
    np.testing.assert_allclose(A.radius, 0.1, rtol=1e-9)
    assert A.length == pytest.approx(2 * np.pi * 0.1, rel=1e-4)
    with pytest.raises(biela.MethodError, match="not a position in 'coupler'"):
        r.point("coupler", (1.0,))
    with pytest.raises(biela.MethodError, match="no point 'Q'"):
        r.point("Q")


def test_a_point_far_from_its_body_moves_as_the_body_does():
    """By finite differences along the motion."""
    r = biela.kinematics("four-bar", count=721)
    P, h = r.point("coupler", (-0.3, 0.4)), float(r.t[1] - r.t[0])
    x = arr(P.position)
    np.testing.assert_allclose((x[2:] - x[:-2]) / (2 * h), arr(P.velocity)[1:-1], atol=1e-4)
    np.testing.assert_allclose((x[2:] - 2 * x[1:-1] + x[:-2]) / h**2, arr(P.acceleration)[1:-1], atol=1e-4)


# ----------------------------------------------------------------------------------------------- the report
def test_the_report_of_a_four_bar():
    model = biela.load("four-bar")
    report = kinematic_report(biela.kinematics(model, "crank.angle"), model)
    text, data = report.text(), report.data()
    assert "crank-rocker" in text and "crank.angle turns fully" in text and "no dead points" in text
    rocker = next(e for e in report.extremes if e.name == "rocker.angle")
    g, a, b, c = 0.4, 0.1, 0.3, 0.25
    limits = [np.pi - np.arccos((g * g + c * c - L * L) / (2 * g * c)) for L in (b + a, b - a)]
    assert (rocker.least, rocker.greatest) == (pytest.approx(limits[0], abs=1e-7), pytest.approx(limits[1], abs=1e-7))
    assert data["transmission_angles"][0]["pin"] == "B" and data["range"]["full_turn"]


def test_the_report_names_dead_points_and_what_is_no_dyad():
    model = four_bar(4.0, 2.0, 2.2, 3.0)
    r = biela.kinematics(model, "a.angle")
    report = kinematic_report(r, model)
    assert not r.ok and "limit position" in report.text() and "triple rocker" in report.text()
    model = biela.load("kinematics-003-sliding")
    report = kinematic_report(biela.kinematics(model, "psi1", count=9), model)
    assert any("form no dyads" in note for note in report.notes)


def test_dead_points_do_not_claim_a_line_that_is_none():
    """P.x of a coupler point is extreme somewhere, but no bars are in line there."""
    found = biela.range_of_motion("four-bar", "P.x")
    assert all(p is not None and not p.line for p in found.limits)
