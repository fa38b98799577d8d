"""Static equilibrium (001 15.7): against closed forms, a scan of the potential energy, and all sets of coordinates."""

import numpy as np
import pytest

import biela
from reference_data import columns, table
from spatial.states import COORDINATES


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_masses_of_001(coordinates):
    """k y = m g; and for two masses k1 y1 = (m1 + m2) g, k2 (y2 - y1) = m2 g."""
    one = biela.equilibrium("mass-spring-damper", coordinates=coordinates)
    assert abs(one["y"][0] - 250 * 9.8 / 10000) < 1e-15
    two = biela.equilibrium("two-mass-suspension", coordinates=coordinates)
    y1 = 300 * 9.8 / 160000
    np.testing.assert_allclose([two["y1"][0], two["y2"][0]], [y1, y1 + 250 * 9.8 / 16000], rtol=0, atol=1e-15)
    np.testing.assert_allclose([two["tyre.force"][0], two["suspension.force"][0]], [300 * 9.8, 250 * 9.8], rtol=1e-13)
    assert one.stable and two.stable and two.judged.damped


def pendulum(angle):
    model = biela.Model(name="pendulum", gravity=(0, -9.81)).add_ground("O", 0, 0)
    model.add_point("P", 2 * np.sin(angle), -2 * np.cos(angle)).add_bar("bar", "O", "P", mass=3.0)
    return model


def test_a_pendulum_has_two_positions():
    both = biela.equilibrium(pendulum(1.0), all=True)
    assert both.closed and len(both) == 2 and not both.family
    by_height = sorted(both, key=lambda e: float(e["P.y"][0]))
    for e, y, verdict in zip(by_height, (-2.0, 2.0), ("stable", "unstable"), strict=True):
        np.testing.assert_allclose(e["P"][0], [0, y], atol=1e-13)
        assert e.stability == verdict
        np.testing.assert_allclose(e["O.reaction@bar"][0], [0, 3 * 9.81], atol=1e-11)
    assert by_height[1].moves == ["bar turns"]
    assert biela.equilibrium(pendulum(3.0)).stable
    top = biela.equilibrium(pendulum(3.0), seek="nearest")
    assert top.stability == "unstable" and abs(top["P.y"][0] - 2) < 1e-13
    fallen = biela.equilibrium(pendulum(np.pi))  # exactly upright: pushed on
    assert fallen.stable and any("unstable equilibrium" in note for note in fallen.notes)


def spring_four_bar(crank=1.0):
    """A crank-rocker with a spring from its coupler to the ground, strong enough for several positions of rest."""
    model = biela.load("four-bar").model_copy()
    model.ground = {**model.ground, "S": (0.1, 0.35)}
    return model.add_force("spring", "spring", points=("S", "P"), stiffness=9000.0, free=0.2)


def test_all_positions_of_a_spring_four_bar():
    model = spring_four_bar()
    found = biela.equilibrium(model, all=True)
    assert found.closed
    swept = biela.kinematics(model, "crank_angle", 0.0, 2 * np.pi, 4001)  # no part of it is used by the search
    V = np.asarray(swept["energy.potential"])[:-1]
    angle = np.asarray(swept["crank_angle"])[:-1]
    low = np.flatnonzero((V < np.roll(V, 1)) & (V <= np.roll(V, -1)))
    high = np.flatnonzero((V > np.roll(V, 1)) & (V >= np.roll(V, -1)))
    assert len(found) == len(low) + len(high) >= 4
    for places, verdict in ((low, "stable"), (high, "unstable")):
        ours = sorted(float(e["crank_angle"][0]) % (2 * np.pi) for e in found if e.stability == verdict)
        np.testing.assert_allclose(ours, sorted(angle[places] % (2 * np.pi)), atol=2 * np.pi / 4000)
    again = biela.equilibrium(model, all=True, coordinates="relative")
    values = [sorted(float(e["crank_angle"][0]) % (2 * np.pi) for e in some) for some in (found, again)]
    np.testing.assert_allclose(values[0], values[1], atol=1e-11)
    single = biela.equilibrium(model)
    assert min(abs(single["P"][0] - e["P"][0]).max() for e in found if e.stable) < 1e-12


def hanging_chain():
    """10 rods of 0.4 m, 3 m apart: problem 3.29."""
    model = biela.Model(name="hanging-chain", gravity=(0, -10)).add_ground("P0", 0, 0).add_ground("P10", 3, 0)
    for k in range(1, 10):
        x = 0.3 * k
        model.add_point(f"P{k}", x, -1.2 * x * (3 - x) / 2.25 - 0.05 * (k % 2))
    for k in range(1, 11):
        model.add_bar(f"rod{k}", f"P{k - 1}", f"P{k}", mass=0.5, length=0.4)
    return model


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_hanging_chain(coordinates):
    w, H = 5.0, 2.7687556016037678
    e = biela.equilibrium(hanging_chain(), coordinates=coordinates)
    assert e.stable
    np.testing.assert_allclose(e["P0.reaction@rod1"][0], [-H * w, 5 * w], rtol=1e-10)
    heights = [float(e[f"P{k}.y"][0]) for k in range(11)]
    assert abs(min(heights) + 1.1840782614099732) < 1e-10
    slopes = [np.tan(float(e[f"rod{k + 1}.angle"][0])) for k in range(10)]
    np.testing.assert_allclose(slopes, [(k - 4.5) / H for k in range(10)], atol=1e-10)
    theirs = columns(table("hanging_chain"), "x", "y")
    np.testing.assert_allclose([e[f"P{k}"][0] for k in range(11)], theirs, atol=1e-12)


def test_a_torsion_spring_wound_up():
    """A disc on a torsion spring under a constant moment turns more than twice: phi = M/k."""
    model = biela.Model(name="wound").add_ground("O", 0, 0).add_disc("disc", {"O": (0, 0)}, mass=1.0, radius=0.2)
    model.add_force("spring", "spring", bodies=("ground", "disc"), stiffness=0.5, free=0.0)
    model.add_force("motor", "moment", body="disc", value=7.0)
    e = biela.equilibrium(model)
    assert abs(e["spring.angle"][0] - 14.0) < 1e-12 and abs(e["spring.moment"][0] + 7.0) < 1e-12
    assert e.stable
    r = biela.simulate(e.model(), 0.5)
    np.testing.assert_allclose(r["spring.angle"], 14.0, atol=1e-9)
    several = biela.equilibrium(model, all=True)
    assert len(several) == 1 and abs(several[0]["spring.angle"][0] - 14.0) < 1e-12


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_redundant_constraints(coordinates):
    """Three cranks under one coupler, held by a spring: the third is too many, and rests all the same."""
    model = biela.Model(name="three", gravity=(0, -9.81))
    for k in range(3):
        model.add_ground(f"A{k}", k, 0).add_point(f"B{k}", k + 0.6, 0.8)
        model.add_bar(f"crank{k}", f"A{k}", f"B{k}", mass=1.0)
    model.add_body("coupler", {f"B{k}": (k, 0) for k in range(3)}, mass=2.0, center=(1, 0), inertia=0.5)
    model.add_ground("S", -1, 1).add_force("spring", "spring", points=("S", "B0"), stiffness=40.0, free=0.5)
    e = biela.equilibrium(model, coordinates=coordinates)
    phi = float(e["crank0.angle"][0])

    def energy(a):
        length = np.hypot(np.cos(a) + 1, np.sin(a) - 1)
        return (1.5 + 2.0) * 9.81 * np.sin(a) + 20.0 * (length - 0.5) ** 2

    slope = (energy(phi + 1e-5) - energy(phi - 1e-5)) / 2e-5
    assert abs(slope) < 1e-7 and e.stable
    assert e["violation.position"].max() < 1e-12


def test_drivers_are_held_at_the_time():
    """A pendulum whose pivot is driven hangs under it, wherever that is; its velocity plays no part."""
    model = biela.Model(name="driven", gravity=(0, -9.81)).add_point("A", 0, 0).add_point("P", 1, 0)
    model.add_ground("O", 0, 0).add_mass("cart", "A", 1.0).add_bar("bar", "A", "P", mass=1.0, length=1.0)
    model.add_joint("rail", "point-on-line", point="A", line={"body": "ground", "through": "O"})
    model.add_driver("pull", "A.x", "0.5*t^2 + t")
    e = biela.equilibrium(model, t=2.0)
    np.testing.assert_allclose(e["P"][0], [4.0, -1.0], atol=1e-12)
    assert e.stable and "note: drivers are held as they are at t = 2 s" in e.notes
    with pytest.raises(biela.MethodError, match="cannot start there"):
        e.model()


def test_a_model_that_starts_at_rest(tmp_path):
    for name in ("double-pendulum-spring", "four-bar", "spatial-slider-crank"):
        e = biela.equilibrium(name)
        e.save(tmp_path / "start.toml")
        r = biela.simulate(biela.load(str(tmp_path / "start.toml")), 0.3)
        for p in e.system.resolved.start:
            assert abs(np.asarray(r[p]) - np.asarray(e[p])).max() < 1e-8, (name, p)
        direct = biela.simulate(e.system, 0.3)
        assert max(abs(np.asarray(direct[p]) - np.asarray(e[p])).max() for p in e.system.resolved.start) < 1e-8


def test_free_lengths_stay_what_they_were(tmp_path):
    """A spring without a free length is free at the declared start, and so it is in the saved model."""
    e = biela.equilibrium("two-mass-suspension")
    again = biela.equilibrium(e.model())
    np.testing.assert_allclose(again["y2"][0], e["y2"][0], atol=1e-13)


def test_what_moves_without_force_is_neutral():
    model = biela.Model(name="wheel", gravity=(0, -9.81)).add_ground("O", 0, 0)
    model.add_disc("wheel", {"O": (0, 0)}, mass=1.0, radius=0.2)
    e = biela.equilibrium(model)
    assert e.stability == "neutral" and e.moves == ["wheel turns"]
    every = biela.equilibrium(model, all=True)
    assert every.family and "every position" in every.report()
    top = biela.equilibrium("heavy-top")
    assert top.stability == "neutral" and len(top.moves) == 1 and "turns about" in top.moves[0]


def test_higher_order_decides_where_there_is_no_stiffness():
    model = biela.Model(name="quartic").add_ground("O", 0, 0).add_point("P", 0.2, 0).add_mass("block", "P", 1.0)
    model.add_joint("rail", "point-on-line", point="P", line={"body": "ground", "through": "O"})
    model.add_coordinate("x", "position", point="P", along={"body": "ground", "through": "O"})
    for sign, verdict in ((-1, "stable"), (1, "unstable")):
        other = model.model_copy()
        other.points = {"P": (0.0, 0.0)}
        other.add_force("law", "actuator", coordinate="x", value=f"{4 * sign}*x^3")
        e = biela.equilibrium(other, seek="nearest")
        assert e.stability == verdict and any("no stiffness for small displacements" in note for note in e.notes)


def test_no_equilibrium_is_told():
    model = biela.Model(name="falling", gravity=(0, -10)).add_point("P", 0, 0).add_mass("stone", "P", 2.0)
    with pytest.raises(biela.MethodError) as error:
        biela.equilibrium(model)
    assert "stone moves along -y" in str(error.value) and "20 N" in str(error.value)
    with pytest.raises(biela.MethodError) as error:
        biela.equilibrium("slider-crank")
    assert "crank turns" in str(error.value) and "0.1 N*m" in str(error.value)
    assert len(biela.equilibrium("slider-crank", all=True)) == 0
    body = biela.Model(name="free", gravity=(0, 0, -10)).add_box("box", (1, 1, 1), {"C": (0.5, 0, 0)}, mass=3.0)
    with pytest.raises(biela.MethodError, match="box moves along -z"):
        biela.equilibrium(body)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"seek": "best"}, "seek = 'best' is not possible"),
        ({"all": True}, "this has 2"),
        ({"coordinates": "polar"}, "no coordinates 'polar'"),
        ({"t": "3 m"}, "is not a time"),
    ],
)
def test_bad_requests(options, words):
    with pytest.raises(biela.BielaError) as error:
        biela.equilibrium("double-pendulum", **options)
    assert words in str(error.value)
