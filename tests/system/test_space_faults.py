"""Faults that comparing coordinates has brought to light, each by itself."""

import math

import numpy as np
import pytest

import biela
from biela import Model
from biela.analysis.check.mobility import mobility, rank_of, scaled_jacobian
from biela.model.resolve import resolve
from biela.system.system import build as build_system
from mechanisms import Recipe, build, recipe
from space_mechanisms import SpaceRecipe, build_space, space_recipe
from spatial.states import COORDINATES, accelerations, at_a_state, regular, size, snapshot

INERTIA = (0.1, 0.2, 0.15)


def top(directions: dict | None = None) -> Model:
    """A body on a ball."""
    m = Model(gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
    points = {"O": (0, 0, 0), "P": (0.3, 0.1, -0.8)}
    return m.add_body("b", points, mass=1, center=(0.1, 0, -0.5), inertia=INERTIA, directions=directions)


def freedom(m: Model, coordinates: str) -> int:
    return mobility(biela.assemble(m, coordinates)).freedom


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_angle_of_a_skew_universal_joint(coordinates: str):
    tilt = math.radians(60)
    m = top().add_joint(
        "U", "universal", at="O", axis=[(1, 0, 0), (math.cos(tilt), math.sin(tilt), 0)], bodies=("ground", "b"),
        angle=tilt,
    )  # fmt: skip
    m.add_force("k", "spring", coordinate="U.angle1", stiffness=5)
    m.add_force("d", "damper", coordinate="U.angle2", damping=1)
    assert freedom(m, coordinates) == 2


def test_an_angle_that_is_only_measured_holds_nothing():
    """The azimuth of a direction that is not level: measuring it must leave the ball its three freedoms."""
    m = top({"w": (1, 0, 1)}).add_coordinate("azimuth", "angle", of="b.w", relative_to="ground.x", about="z")
    assert freedom(m, "mixed") == 3


def test_directions_may_have_any_name():
    system = build_system(resolve(top({"u3": (0, 0.6, 0.8)})), "natural")
    assert size(system.at(system.q0).Phi) < 1e-12


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("kind", ["point-on-line", "point-on-plane", "spherical", "revolute-spherical"])
def test_a_point_mass_in_a_joint(kind: str, coordinates: str):
    m = Model(gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0).add_point("P", 0, 0, 0 if kind == "spherical" else 0.5)
    m.add_mass("bead", "P", 1).add_body("b", {"O": (0, 0, 0)}, mass=1, center=(0.1, 0, -0.5), inertia=INERTIA)
    axis = {"point-on-line": {"axis": (0, 0, 1)}, "spherical": {}}.get(kind, {"axis": (1, 0, 0)})
    m.add_joint("J", kind, bodies=("b", "bead"), at=["O", "P"], **axis)
    assert freedom(m, coordinates) == 3 + {"point-on-line": 1, "point-on-plane": 2, "spherical": 0}.get(kind, 1)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_functions_of_time_in_an_equation(coordinates: str):
    m = top().add_joint("e", "user", equation="P.x = 0.3 + 0.2*sin(2*t)")
    system = biela.assemble(m, coordinates)
    assert size(system.at(system.q0).Phi) < 1e-12
    np.testing.assert_allclose(size(system.at(system.q0, None, 0.1).Phi_t), 0.4 * math.cos(0.2), rtol=1e-12)


# -------------------------------------------------------------------------- rows that say nothing new
def door(hinges: int = 2) -> Model:
    """On an axis askew to all axes, so that what is redundant is so but for round-off."""
    m = Model(gravity=(0, 0, -9.81))
    m.add_body("door", {"P": (0.5, 0.2, 0)}, mass=1, center=(0.4, 0.1, 0), inertia=INERTIA)
    for k in range(hinges):
        at = 0.7 * k * np.array([1, 2, 3]) / math.sqrt(14)
        m.add_joint(f"J{k}", "revolute", bodies=("ground", "door"), at=tuple(at), axis=(1, 2, 3))
    return m


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_two_hinges_of_one_axis_start_where_they_are(coordinates: str):
    system = biela.assemble(door(), coordinates)
    place = system.posture(system.q0).place(system.resolved.place("P"))[0][0]
    np.testing.assert_allclose(place, (0.5, 0.2, 0), atol=1e-12)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_two_hinges_of_one_axis_can_start_turning(coordinates: str):
    system = biela.assemble(door().start(velocity={"J0.angle": 1.0}), coordinates)
    assert system.value("J0.angle", system.q0, system.v0)[1][0] == pytest.approx(1)


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented", "projection"])
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_two_hinges_of_one_axis_swing_like_one(coordinates: str, formulation: str):
    found = []
    for hinges in (1, 2):
        system = biela.assemble(door(hinges), coordinates)
        assert regular(system)
        a = accelerations(system, formulation)[0]
        found.append(system.posture(system.q0, system.v0, a).place(system.resolved.place("P"))[2][0])
    np.testing.assert_allclose(found[1], found[0], atol=1e-9)


def test_the_rank_beside_an_angle_of_zero():
    """Angles have a sine and a cosine row, one of them redundant; where it nearly vanishes it must not count."""
    system = biela.assemble(top().add_joint("J", "revolute", at="O", axis=(1, 2, 3), bodies=("ground", "b")).add_force(
        "k", "spring", coordinate="J.angle", stiffness=1), "reference-point")  # fmt: skip
    ranks = set()
    for angle in (0.0, 1e-5, 1e-4, 1e-3, 0.1):
        rng = np.random.default_rng(1)
        q = system.displaced(system.q0, angle * free_motion(system))
        closed = biela_close(system, q)
        # closing leaves some 1e-13; a rank must not hang on it
        ranks.add(rank_of(scaled_jacobian(system, system.displaced(closed, 1e-13 * rng.standard_normal(system.n)))))
    assert len(ranks) == 1


def test_the_start_beside_an_angle_of_zero():
    """An angle of 9e-5 is among the coordinates: closing moves what was closed."""
    at_a_state(build(recipe(26)), 26, ("reference-point",))


def free_motion(system) -> np.ndarray:
    """What the hinge lets through, one radian."""
    w = np.linalg.svd(system.at(system.q0).B)[2][-1]
    return w / w[system.v_names.index("J.angle")]


def biela_close(system, q: np.ndarray) -> np.ndarray:
    from biela.methods.positions.closing import close

    return close(system, q).q


@pytest.mark.parametrize("coordinates", ["natural", "reference-point"])
def test_a_spring_on_an_angle_of_a_redundant_loop(coordinates: str):
    """Six hinges of Bricard: redundant only where the loop is closed, which inside a step it is not quite."""
    m = biela.load("bricard").add_force("s", "spring", coordinate="H0.angle", stiffness=0.1)
    ends = []
    for formulation in ("lagrange", "projection"):
        r = biela.simulate(m, 1.0, coordinates=coordinates, formulation=formulation, integrator="rk4", step=1e-2)
        assert r.ok, r.explain()
        ends.append(np.concatenate([r.final[p] for p in sorted(r.final)]))
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-5)


# ------------------------------------------------------------------------------------------ the others
def test_augmented_goes_on_until_it_has_converged():
    """A regular position: the other formulations agree to 1e-11 here."""
    system = at_a_state(build_space(SPARSE), 1, ("natural",))["natural"]
    assert regular(system, 1e-3)
    found = [accelerations(system, f)[0] for f in ("projection", "augmented")]
    a, b = (snapshot(system, system.q0, system.v0, x).xdd for x in found)
    assert size(a - b) < 1e-8 * size(a)


SPARSE = SpaceRecipe("loop", 3, joints=("free", "revolute"), drivers=("distance",), seed=1)


def test_a_bead_on_a_turning_body_starts_with_its_velocity():
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("A", 1, 0).add_point("B", 1, 1).add_point("P", 1, 0.5)
    m.add_body("arm", {"O": (0, 0), "A": (1, 0), "B": (1, 1)}, mass=1, center=(0.5, 0.2), inertia=0.1)
    m.add_mass("bead", "P", 0.3).add_joint("slot", "point-on-line", point="P", line=("A", "B"))
    m.add_coordinate("phi", "angle", of=("O", "A")).start(velocity={"phi": 2.0})
    for coordinates in COORDINATES:
        system = biela.assemble(m, coordinates)
        velocity = system.posture(system.q0, system.v0).place(system.resolved.place("P"))[1][0]
        np.testing.assert_allclose(velocity, (-1, 0), atol=1e-9, err_msg=coordinates)


def test_two_names_for_one_angle_keep_their_own_turns():
    """A bar at 170 deg, also measured from a line at -20 deg, where it stands at -170 deg."""
    m = Model().add_ground("O", 0, 0).add_point("P", math.cos(math.radians(170)), math.sin(math.radians(170)))
    m.add_bar("bar", "O", "P", mass=1).add_coordinate("a", "angle", of=("O", "P"))
    m.add_coordinate("b", "angle", of=("O", "P"), relative_to={"body": "ground", "angle": math.radians(-20)})
    m.add_force("k", "spring", coordinate="a", stiffness=1, free=0).add_force("d", "damper", coordinate="b", damping=1)
    for coordinates in COORDINATES:
        system = biela.assemble(m, coordinates)
        angles = [math.degrees(system.value(name, system.q0)[0][0]) for name in "ab"]
        np.testing.assert_allclose(angles, (170, -170), err_msg=coordinates)


def test_reactions_count_the_turns_of_a_spring():
    """A spring on an angle of -170 deg, measured from a line at -20 deg: the bar itself stands at 170 deg."""
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0)
    m.add_point("P", math.cos(math.radians(170)), math.sin(math.radians(170))).add_bar("bar", "O", "P", mass=1)
    m.add_coordinate("b", "angle", of=("O", "P"), relative_to={"body": "ground", "angle": math.radians(-20)})
    m.add_force("k", "spring", coordinate="b", stiffness=1, free=0)
    found = [np.asarray(biela.simulate(m, 0.1, coordinates=c, samples=1)["O.reaction@bar"])[0] for c in COORDINATES]
    for force in found[1:]:
        np.testing.assert_allclose(force, found[0], atol=1e-6)


def test_a_joint_between_pins_carries_the_same_in_all_coordinates():
    """Two bodies on either point of a revolute joint."""
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0)
    for name, xy in {"A": (1, 0), "E": (1, 0), "B": (2, 0.5), "C": (1.5, -1), "D": (0.3, -1.2)}.items():
        m.add_point(name, *xy)
    m.add_bar("a", "O", "A", mass=1).add_bar("b", "A", "B", mass=1).add_bar("c", "E", "C", mass=2)
    m.add_bar("d", "E", "D", mass=3).add_joint("J", "revolute", points=("A", "E"))
    found = [np.asarray(biela.simulate(m, 0.1, coordinates=c, samples=1)["J.reaction"])[0] for c in COORDINATES]
    for force in found[1:]:
        np.testing.assert_allclose(force, found[0], atol=1e-6)


@pytest.mark.parametrize("kind", ["chain", "tree", "loop"])
@pytest.mark.parametrize("seed", range(4))
def test_a_pin_pushes_the_same_body_in_all_coordinates(kind: str, seed: int):
    m = build(Recipe(kind, 3, seed=seed))
    runs = [biela.simulate(m, 0.01, coordinates=c, samples=1) for c in COORDINATES]
    names = runs[0].channels("*.reaction*")
    assert names and all(set(r.channels("*.reaction*")) == set(names) for r in runs)
    for r in runs[1:]:
        for name in names:
            np.testing.assert_allclose(r[name][0], runs[0][name][0], atol=1e-7, rtol=1e-7, err_msg=name)


def test_the_rank_of_a_tree_with_a_gear():
    systems = at_a_state(build_space(space_recipe(254)), 254)
    assert all([regular(s) for s in systems.values()])


# -------------------------------------------------------------------------- what is said about bad starts
def turned_bar(how: str, **section: float) -> Model:
    """Two bars on balls; the first is turned about its own line."""
    m = Model(gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
    m.add_point("A", 0.4, 0.2, -0.1).add_point("B", 0.8, 0.1, -0.3)
    m.add_bar("arm", "O", "A", mass=1, **section).add_bar("hand", "A", "B", mass=2)
    if how == "moment":
        return m.add_force("f", "moment", body="arm", value=(0.1, 0, 0))
    return m.add_joint("h", "universal", bodies=("ground", "arm"), at="O", axis=[(0, -0.1, -0.2), (0.4, 0.2, -0.1)])


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("how", ["hinge along it", "moment"])
def test_a_slender_bar_that_is_turned_about_its_own_line(how: str, coordinates: str):
    with pytest.raises(biela.AssemblyError) as caught:
        biela.simulate(turned_bar(how), 0.1, coordinates=coordinates)
    (problem,) = caught.value.problems
    assert "'arm' turns about its own line" in problem.what and problem.where == "bodies.arm"
    assert "a radius" in problem.cure and "a width" in problem.cure
    assert biela.simulate(turned_bar(how, radius=0.01), 0.01, coordinates=coordinates).ok


def dead_centre(off: float) -> Model:
    """A slider-crank in space, its slider driven; with `off` = 0 the crank and the rod lie in line."""
    m = Model(gravity=(0, 0, -9.81)).add_ground("A", 0, 0, 0)
    m.add_point("B", 0.1 * math.cos(off), 0, 0.1 * math.sin(off)).add_bar("crank", "A", "B", mass=1, radius=0.01)
    x = 0.1 * math.cos(off) + math.sqrt(0.09 - 0.01 * math.sin(off) ** 2)
    m.add_bar("rod", "B", "C", length=0.3, mass=1, radius=0.01)
    m.add_box("slider", (0.1, 0.1, 0.1), {"C": (0, 0, 0)}, mass=2, position=(x, 0, 0))
    m.add_joint("sh", "revolute", bodies=("ground", "crank"), at="A", axis=(0, 1, 0))
    u, v = (0, 1, 0), (0, 0, 1)
    m.add_joint("u", "universal", bodies=("rod", "slider"), at="C", axis=[u, v])
    m.add_joint("g", "prismatic", bodies=("ground", "slider"), at="C", axis=(1, 0, 0))
    return m.add_driver("d", "g.position", "-0.02*t^2")


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_run_from_a_dead_centre_says_so(coordinates: str):
    run = {"coordinates": coordinates, "tolerance": 1e-4}  # what is told is of the start; tight steps crawl from it
    notes = "\n".join(biela.simulate(dead_centre(0.0), 0.01, **run).notes)
    assert "singular position at t = 0 s" in notes and "d" in notes
    assert "accelerations and reactions at the start are not determined by the constraints" in notes
    assert not biela.simulate(dead_centre(0.5), 0.01, **run).notes
