"""Free bodies: the sum of all that acts on a body and of its inertia vanishes, and each item is what it should be."""

from pathlib import Path

import numpy as np
import pytest

import biela
from biela import Model, Result, library
from biela.methods.registry import FORMULATIONS
from biela.results.motion import Motion
from biela.results.reactions.free_body import FreeBody, free_bodies
from mechanisms import JOINTS, TOPOLOGIES, build, recipe
from shared_systems import simulated
from space_mechanisms import build_space, space_recipe
from spatial.forces import FORCES
from spatial.joints import JOINTS as SPACE_JOINTS
from spatial.states import COORDINATES, accelerations, at_a_state, regular

TINY = 1e-9


def every_body(r: Motion, t: float | None = None) -> list[FreeBody]:
    return free_bodies(r, list(r.system.resolved.bodies), t)


def everything(r: Motion, t: float | None = None) -> list[FreeBody]:
    """All bodies, and the ground: what it carries against what must hold it."""
    return free_bodies(r, [*r.system.resolved.bodies, "ground"], t)


def check(bodies: list[FreeBody]) -> None:
    for body in bodies:
        assert body.error < TINY, (body.body, body.error, str(body))
        # the same sum, about a point of its own and not about the centre
        about = np.array([0.3, -0.7, 0.2 if body.dimension == 3 else 0.0])
        turn = sum((a.moment + np.cross(a.point - about, a.force) for a in body.acts), np.zeros(3))
        assert np.abs(turn).max() < 10 * TINY * body.largest * max(body.size, np.abs(body.centre - about).max())


@pytest.mark.parametrize("name, formulation", [
    (name, list(FORMULATIONS)[(k + shift) % len(FORMULATIONS)])
    for k, name in enumerate(library.names()) for shift in (0, 2)
])  # fmt: skip
def test_every_mechanism_in_two_formulations(name: str, formulation: str):
    r = simulated(name, 0.05, formulation=formulation, samples=2)
    assert r.ok, r.explain()
    check(everything(r, 0.0))
    check(everything(r))


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("name", ["four-bar", "quick-return", "andrews", "cardan", "spatial-slider-crank", "heavy-top"])
def test_every_set_of_coordinates_gives_the_same_free_bodies(name: str, coordinates: str):
    r, other = (simulated(name, 0.02, coordinates=c, samples=2, tolerance=1e-11) for c in (coordinates, "mixed"))
    bodies = every_body(r)
    check(bodies)
    for body, same in zip(bodies, every_body(other), strict=True):
        for a, b in zip(body.acts, same.acts, strict=True):
            assert a.name == b.name
            np.testing.assert_allclose(a.force, b.force, atol=1e-6 * body.largest, err_msg=a.name)
            np.testing.assert_allclose(a.moment, b.moment, atol=1e-6 * body.largest * body.size, err_msg=a.name)


def moment_of(system, formulation: str = "projection") -> Motion:
    a, lam = accelerations(system, formulation)
    return Motion(system, [0.0], system.q0[None], system.v0[None], a[None], lam[None], None)


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("seed", range(4))
def test_random_mechanisms(topology: str, seed: int):
    """All joints and forces of the plane, in a moving state."""
    forces = [("force", "couple", "line"), ("follower", "moment", "torsion"), ("on-distance", "on-angle"),
              ("on-position", "line", "torsion")][seed]  # fmt: skip
    joints = (JOINTS[seed], JOINTS[(seed + 3) % len(JOINTS)])
    model = build(recipe(100 + seed, topology=topology, joints=joints, forces=forces))
    for system in at_a_state(model, seed, ("natural",)).values():
        if regular(system, 1e-2):
            check(everything(moment_of(system)))


@pytest.mark.parametrize("joint", SPACE_JOINTS)
def test_random_mechanisms_in_space(joint: str):
    seed = SPACE_JOINTS.index(joint)
    forces = (FORCES[seed % len(FORCES)], FORCES[(seed + 2) % len(FORCES)])
    model = build_space(space_recipe(200 + seed, joints=(joint,), forces=forces))
    for system in at_a_state(model, seed, ("relative",)).values():
        if regular(system, 1e-2):
            check(everything(moment_of(system)))


def test_an_actuator_on_a_skew_universal_joint():
    """The rows of its angle say, across the angle, what the joint says: they must take nothing of the joint's load."""
    system = at_a_state(build_space(space_recipe(535)), 535, ("relative",))["relative"]
    assert regular(system) and any(j.type == "universal" for j in system.resolved.joints)
    check(everything(moment_of(system)))


def test_an_item_left_out_is_noticed():
    body = biela.simulate("four-bar", 0.1).free_body("coupler")
    for k in range(len(body.acts)):
        rest = [a for i, a in enumerate(body.acts) if i != k]
        assert FreeBody(**{**vars(body), "acts": rest}).error > 1e-3


# --------------------------------------------------------------------------------------------- by hand
def test_a_ladder_at_rest():
    """A bar of 2 kg held in the middle of its length by a spring: all items known in closed form."""
    m = Model(gravity=(0, -10)).add_ground("O", 0, 0).add_ground("S", 0.5, 1)
    m.add_point("P", 1, 0).add_point("M", 0.5, 0)
    m.add_body("bar", {"O": (0, 0), "P": (1, 0), "M": (0.5, 0)}, mass=2.0, center=(0.5, 0), inertia=0.2)
    m.add_force("rope", "spring", points=("S", "M"), stiffness=40.0, free=0.5)
    body = free_bodies(Motion.at_start(biela.assemble(m)), ["bar"], solve=True)[0]
    found = {a.name: a.force[:2].round(9).tolist() for a in body.acts}
    assert found == {"weight": [0, -20], "O": [0, 0], "rope": [0, 20], "inertia": [0, 0]}
    assert [a.where for a in body.acts] == ["G", "O", "M", "G"]
    assert body.data()["sum"]["relative"] < 1e-12 and "left over" in body.text()


def gears() -> Model:
    m = Model().add_ground("A", 0, 0).add_ground("B", 3, 0).add_point("P", 1, 0).add_point("Q", 4, 0)
    for name, hub, rim, inertia in (("small", "A", "P", 0.5), ("large", "B", "Q", 2.0)):
        m.add_body(name, {hub: (0, 0), rim: (1, 0)}, mass=1.0, center=(0, 0), inertia=inertia)
    m.add_joint("mesh", "gear", coordinates=("small.angle", "large.angle"), ratio=0.5)
    m.add_force("motor", "moment", body="small", value=3.0)
    return m


def test_a_pair_of_gears():
    """phi2 = -phi1/2 and 3 = (0.5 + 2/4) phi1'': the mesh turns the small wheel by -1.5 and the large one by -3 N m."""
    r = biela.simulate(gears(), 0.1, samples=2)
    small, large = every_body(r)
    alpha = 3.0 / (0.5 + 2.0 / 4)
    moments = {(b.body, a.name): a.moment[2] for b in (small, large) for a in b.acts}
    assert moments["small", "mesh"] == pytest.approx(-2.0 * alpha / 4, abs=1e-9)
    assert moments["large", "mesh"] == pytest.approx(-2.0 * alpha / 2, abs=1e-9)
    assert moments["small", "motor"] == pytest.approx(3.0) and ("large", "motor") not in moments
    mesh = r.reaction("mesh")
    assert set(mesh.bodies) == {"small", "large", "ground"}
    total = sum(np.asarray(mesh.on(b).at("origin").moment) for b in mesh.bodies)
    np.testing.assert_allclose(total, 0, atol=1e-12)


def test_a_rack_and_its_pinion():
    """x = R phi: the pinion is turned by -R F, the rack pushed by F."""
    m = Model().add_ground("A", 0, 1).add_ground("X", 1, 0).add_ground("O", 0, 0).add_point("P", 1, 1)
    m.add_point("R", 0.2, 0).add_body("pinion", {"A": (0, 0), "P": (1, 0)}, mass=1, center=(0, 0), inertia=0.3)
    m.add_body("rack", {"R": (0, 0), "S": (1, 0)}, mass=2, center=(0.5, 0), inertia=1)
    m.add_joint("slide", "prismatic", line=("O", "X"), slider=("R", "S"))
    m.add_joint("teeth", "rack-and-pinion", pinion="pinion.angle", rack="slide.position", radius=0.5)
    m.add_force("motor", "moment", body="pinion", value=2.0)
    r = biela.simulate(m, 0.1, samples=2)
    check(everything(r))
    alpha = 2.0 / (0.3 + 2 * 0.5**2)
    push = 2.0 * 0.5 * alpha
    teeth = r.reaction("teeth")
    np.testing.assert_allclose(teeth.on("rack").force, [[push, 0]] * 3, atol=1e-9)
    np.testing.assert_allclose(teeth.on("pinion").moment, -0.5 * push, atol=1e-9)


def test_a_screw_holds_by_its_thread():
    """A nut on a vertical screw of lead p per turn: m and J move together, z' = p w / 2 pi."""
    m = Model(gravity=(0, 0, -10))
    m.add_body("nut", {"E": (0.1, 0, 0)}, mass=2, center=(0, 0, 0), inertia=(0.1, 0.1, 0.05))
    m.add_joint("thread", "screw", bodies=("ground", "nut"), at=(0, 0, 0), axis=(0, 0, 1), lead=0.4)
    r = biela.simulate(m, 0.2, samples=2)
    check(everything(r))
    p = 0.4 / (2 * np.pi)
    a = -10 * 2 / (2 + 0.05 / p**2)
    thread = r.reaction("thread").in_frame("joint")
    np.testing.assert_allclose(thread.force.z, 2 * (a + 10), atol=1e-8)
    np.testing.assert_allclose(thread.moment.z, 0.05 * a / p, atol=1e-8)
    # what the thread does in turning the nut it takes back in sliding it: no work
    np.testing.assert_allclose(thread.power, 0, atol=1e-8)


def test_a_joint_of_the_users_own():
    """x_P = 2 x_Q ties two sliding masses: forces 1 and -2 times the multiplier, the rest on the ground."""
    m = Model().add_ground("O", 0, 0).add_ground("N", 0, 1).add_point("P", 1, 0).add_point("Q", 0.5, 1)
    m.add_mass("p", "P", 1.0).add_mass("q", "Q", 3.0)
    m.add_joint("g1", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    m.add_joint("g2", "point-on-line", point="Q", line={"body": "ground", "through": "N"})
    m.add_joint("tie", "user", equation="P.x - 2*Q.x").add_force("pull", "force", point="P", value=(7.0, 0.0))
    r = biela.simulate(m, 0.1, samples=2)
    check(everything(r))
    a = 7.0 / (1 + 3 / 4)  # of P
    tie = r.reaction("tie")
    np.testing.assert_allclose(tie.on("p").force.x, a - 7.0, atol=1e-9)
    np.testing.assert_allclose(tie.on("q").force.x, 3 * a / 2, atol=1e-9)
    np.testing.assert_allclose(tie.on("ground").force.x, -(a - 7.0) - 3 * a / 2, atol=1e-9)


def test_penalties_are_balanced_by_the_equations_and_say_so():
    r: Result = biela.simulate("double-pendulum", 1.0, formulation="penalty", integrator="trapezoidal", step=1e-2)
    body = r.free_body(next(iter(r.system.resolved.bodies)), t=1.0)
    assert body.error < TINY and "equations of motion" in body.notes[0]
    exact = biela.simulate("double-pendulum", 1.0).free_body(body.body, t=1.0)
    assert not exact.notes


def test_what_is_refused():
    r = biela.simulate("four-bar", 0.1)
    with pytest.raises(biela.MethodError, match=r"no body 'rod'.*\n.*crank, coupler, rocker"):
        r.free_body("rod")
    with pytest.raises(biela.MethodError, match="no sample at t = 3 s"):
        r.free_body("crank", t=3.0)
    assert "nearest" in r.free_body("crank", t=0.05004).notes[0]


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_run_whose_constraints_have_drifted(coordinates: str):
    """A screw's angle has a sine and a cosine: beside the constraints they are two rows, one of which says nothing."""
    body = {"mass": 1.2, "center": [0.1, -0.2, 0.05], "inertia": [0.03, 0.05, 0.04], "points": {"P": [0.3, 0.1, 0.2]}}
    screw = {"type": "screw", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": [0.6, 0.0, 0.8], "lead": 0.4}
    m = Model(name="screw", dimension=3, gravity=[1.0, -2.0, -9.0], bodies={"b": body}, joints={"s": screw})
    for formulation, integrator in (("augmented", "trapezoidal"), ("lagrange", "rk2"), ("penalty", "rk4")):
        r = biela.simulate(m, 0.5, coordinates=coordinates, formulation=formulation, integrator=integrator, step=2e-3,
                           samples=10)  # fmt: skip
        assert r.ok
        for t in np.asarray(r.t):
            assert r.free_body("b", float(t)).error < 1e-9, (formulation, integrator, t)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_body_that_nothing_holds(coordinates: str):
    """No rows at all, and accelerations (none, where they are not kept) that are solved for anew."""
    body = {"mass": 1.2, "center": [0.1, -0.2, 0.05], "inertia": [0.03, 0.05, 0.04], "points": {"P": [0.3, 0.1, 0.2]}}
    m = Model(name="free", dimension=3, gravity=[0, 0, -9.81], bodies={"b": body})
    m.start(velocity={"b.wx": 1.0, "b.wy": 2.0, "b.wz": -1.0})
    r = biela.simulate(m, 0.1, coordinates=coordinates, samples=2)
    for solve in (False, True):
        assert free_bodies(r, ["b"], solve=solve)[0].error < 1e-9


def test_redundant_rows_that_have_drifted() -> None:
    """Off the constraints, redundant rows seem to say something of their own; no body feels it."""
    model = biela.load(Path(__file__).parents[1] / "data" / "parallel-hinges.toml")
    for step in (0.3 / 204, 0.3 / 102):
        r = biela.simulate(model, 0.3, formulation="baumgarte", integrator="trapezoidal", step=step, samples=6)
        assert r.trajectory.violation > 1e-7
        assert max(b.error for b in free_bodies(r, list(r.system.resolved.bodies))) < 1e-9


# ------------------------------------------------------------------------------ the ground, and moments about any point
def test_the_load_on_the_ground_of_text_001():
    """001 15.4: the spring and the damper push the ground down with k y + d y', what the mass does not fall with."""
    r = biela.simulate("mass-spring-damper", 1.0, tolerance=1e-11, samples=100)
    for k in (0, 25, 100):
        y, rate, second = (float(np.asarray(r[name])[k]) for name in ("y", "y.rate", "y.acceleration"))
        ground = r.free_body("ground", t=float(r.t[k]))
        found = {a.name: a.force[1] for a in ground.acts}
        assert found["spring"] == pytest.approx(-10000 * y, abs=1e-6)
        assert found["damper"] == pytest.approx(-1500 * rate, abs=1e-6)
        force, moment = ground.load
        assert force[1] == pytest.approx(-250 * (9.8 - second), abs=1e-6) and np.abs(moment).max() < 1e-9
        assert found["held"] == pytest.approx(-force[1], abs=1e-9)
    assert ground.data()["load"]["force"] == pytest.approx(force[:2])
    assert "load on the ground: (0, -" in ground.text()


def test_moments_on_the_ground():
    """A cantilever of 2 kg, 1 m out: the ground feels its weight there; held also against a load from outside."""
    m = Model(gravity=(0, -10)).add_ground("O", 0.5, 0).add_point("P", 2.5, 0)
    m.add_bar("arm", "O", "P", mass=2.0).add_joint("square", "angle", lines=("ground", "arm"))
    m.add_force("wind", "force", point="P", value=(0, 5.0)).add_force("twist", "moment", body="arm", value=3.0)
    r = Motion.at_start(biela.assemble(m))
    ground = free_bodies(r, ["ground"], solve=True, about="P")[0]
    assert ground.error < 1e-12
    force, moment = ground.load
    assert force[:2] == pytest.approx([0, -15]) and moment[2] == pytest.approx(-20 * 1.5 + 5 * 2.5 + 3)
    held = ground.acts[-1]
    assert held.moment_about(ground.pivot)[2] == pytest.approx(-(20 * 1.0 + 3))


@pytest.mark.parametrize("about, place", [("B", None), ("origin", (0, 0)), ("ground@0.1,-0.2", (0.1, -0.2)),
                                          ("coupler@0.05,0.02", None), ("rocker", None)])  # fmt: skip
def test_moments_about_any_point(about: str, place):
    """001 (7): the moments of all but the inertia, about any point A of the body or not, are those of m a_G at G and of
    I alpha; and of a reaction the moment about that point is the same."""
    r = biela.simulate("four-bar", 0.2, tolerance=1e-11, samples=20)
    body = r.free_body("coupler", t=0.1, about=about)
    A, G = body.pivot, body.centre
    if place is not None:
        assert A[:2] == pytest.approx(place)
    acting = sum(a.moment_about(A)[2] for a in body.acts[:-1])
    own = r.system.resolved.bodies["coupler"]
    inertia = own.mass * np.cross(G - A, body.acceleration)[2] + own.inertia * body.spin_rate[2]
    assert acting == pytest.approx(inertia, abs=1e-9 * body.largest)
    assert body.moment_about(A)[2] == pytest.approx(0.0, abs=1e-9 * body.largest)
    pin = next(a for a in body.acts if a.name == "B")
    moment = r.reaction("B").on("coupler").at(about).moment[body.sample]
    assert moment == pytest.approx(pin.moment_about(A)[2], abs=1e-9)
    data = body.data()
    assert data["about"]["name"] == about and len(data["acts"]) == sum("moment_about" in a for a in data["acts"])
    assert f"M about {about} [N m]" in body.text()


def test_moments_about_a_point_of_the_body_as_001_writes_them():
    """001 (7) word for word: M_Az = a_Ay x m - a_Ax y m + alpha I_Az, with x, y of G from A."""
    r = biela.simulate("double-pendulum-001", 0.5, tolerance=1e-11, samples=20)
    for name, A in (("bar1", "O"), ("bar2", "A"), ("bar2", "B")):
        body, k = r.free_body(name, t=0.3, about=A), 12
        arm, a_A = body.centre - body.pivot, np.asarray(r[f"{A}.acceleration"])[k]
        own = r.system.resolved.bodies[name]
        I_A = own.inertia + own.mass * arm @ arm
        printed = own.mass * (a_A[1] * arm[0] - a_A[0] * arm[1]) + body.spin_rate[2] * I_A
        assert sum(a.moment_about(body.pivot)[2] for a in body.acts[:-1]) == pytest.approx(printed, abs=1e-8)


def test_a_point_that_does_not_exist():
    r = biela.simulate("four-bar", 0.01, samples=1)
    for about in ("Q", "coupler@1", "coupler@a,b", "nobody@0,0", ""):
        with pytest.raises(biela.MethodError):
            r.free_body("crank", about=about)
    with pytest.raises(biela.MethodError, match="no body 'floor'"):
        r.free_body("floor")


def test_a_spring_of_no_length_pulls_nowhere():
    m = Model(name="z", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    m.add_force("s", "spring", points=("O", "P"), stiffness=10.0, damping=1.0)
    r = biela.simulate(m, 0.1, samples=4)
    body = r.free_body("p", t=0.0)
    assert body.acceleration[:2] == pytest.approx([0.0, -9.81]) and body.error < 1e-12
    assert np.isfinite(np.asarray(r["s.force"])).all()


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_body_that_glides_without_a_force_is_in_balance(coordinates: str) -> None:
    """All forces are rounding then: 1e-31 N beside one another would be no balance."""
    model = Model.model_validate({
        "dimension": 3,
        "ground": {"O": [-0.063, 0.281, -1.194], "F": [-0.027, 0.491, 0.005]},
        "bodies": {"slide": {"type": "box", "position": [-0.513, -0.021, -1.042], "mass": 2.7,
                             "points": {"P": [0.207, 0.170, 0.534], "R": [0.129, -0.026, 0.536]},
                             "center": [0.494, 0.238, 0.471], "size": [0.27, 0.36, 0.37]}},
        "joints": {"J": {"type": "prismatic", "bodies": ["ground", "slide"], "at": ["O", "P"],
                         "axis": [[0.328, 0.177, -0.928], [0.328, 0.177, -0.928]]}},
        "coordinates": {"d": {"type": "distance", "points": ["F", "R"]}},
        "initial": {"velocity": {"P.z": -2.05}},
    })  # fmt: skip
    r = biela.simulate(model, 0.1, coordinates=coordinates, samples=2)
    for t in (0.0, 0.1):
        for body in everything(r, t):
            assert body.error < TINY and not body.notes
