"""Mechanisms that move in one dimension become bond graphs, and run as they do."""

import numpy as np
import pytest

import biela
import biela.bondgraph as bg


def compare(model, pairs, t_end=1.0, tolerance=1e-9):
    g = bg.from_model(model)
    r = g.simulate(t_end, tolerance=1e-12, samples=50)
    m = biela.simulate(model, t_end, tolerance=1e-11, samples=50)
    assert r.ok and m.ok
    for ours, theirs in pairs.items():
        values = np.asarray(m[theirs])
        assert np.abs(np.asarray(r[ours]) - values).max() < tolerance * max(1.0, np.abs(values).max()), (ours, theirs)
    return g, r, m


def test_the_two_systems_of_the_text():
    g, _, _ = compare("mass-spring-damper", {"spring.q": "y", "v_block.flow": "y.rate"})
    assert g.equations.A == bg.load("mass-spring-damper").equations.A
    g, r, m = compare("two-mass-suspension", {"tyre.q": "y1", "v_chassis.flow": "y2.rate"})
    assert np.abs(np.asarray(r["suspension.q"]) - np.asarray(m["y1"] - m["y2"])).max() < 1e-9
    assert sorted(map(str, g.equations.A.free_symbols)) == ["d", "k1", "k2", "m1", "m2"]
    own = bg.load("two-mass").linear().eigenvalues
    assert np.sort_complex(g.linear().eigenvalues) == pytest.approx(np.sort_complex(own), rel=1e-9)


def wheels(**run):
    """Two gear wheels; a motor torque on one, a torsion spring and a damper on the other."""
    model = biela.Model(name="wheels", parameters={"J1": 0.02, "J2": "0.3 kg*m^2", "c": 0.05})
    model.add_ground("O1", 0, 0).add_ground("O2", 0.4, 0)
    model.add_body("small", {"O1": (0, 0)}, mass=1.0, center=(0, 0), inertia="J1")
    model.add_body("large", {"O2": (0, 0)}, mass=5.0, center=(0, 0), inertia="J2")
    model.add_coordinate("a", "angle", of="small").add_coordinate("b", "angle", of="large")
    model.add_joint("mesh", "gear", coordinates=("a", "b"), ratio="1/4")
    model.add_force("motor", "moment", body="small", value="0.2*sin(3*t)")
    model.add_force("spring", "spring", bodies=("ground", "large"), stiffness=2.0, damping="c", free=0)
    return model


def test_gears_become_transformers_with_derivative_causality():
    g, r, _ = compare(wheels(), {"w_small.flow": "a.rate", "w_large.flow": "b.rate"})
    assert g.causality.derivative == ["large"]
    (ratio,) = [e for e in g.elements.values() if e.type == "TF"]
    assert ratio.modulus == pytest.approx(-0.25)
    assert r.unit("large.p") == "N*m*s" and r.unit("spring.q") == "rad"


def test_a_rack_joins_turning_and_moving():
    model = biela.Model(name="rack", parameters={"r": 0.05})
    model.add_ground("O", 0, 0).add_ground("A", 0, 0.05).add_point("P", 0.1, 0.05)
    model.add_body("wheel", {"O": (0, 0)}, mass=1.0, center=(0, 0), inertia=0.004)
    model.add_mass("block", "P", 2.0)
    model.add_joint("guide", "point-on-line", point="P", line={"body": "ground", "through": "A"})
    model.add_coordinate("a", "angle", of="wheel")
    model.add_coordinate("s", "position", point="P", along={"body": "ground", "through": "A"})
    model.add_joint("teeth", "rack-and-pinion", pinion="a", rack="s", radius="r")
    model.add_force("pull", "force", point="P", value=("3*cos(2*t)", 1.0))
    model.add_force("spring", "spring", coordinate="s", stiffness=40, free=0.02)
    g, r, m = compare(model, {"w_wheel.flow": "a.rate", "v_block.flow": "s.rate"})
    assert g.initial["spring"] == pytest.approx(0.08)
    assert len(g.causality.derivative) == 1
    assert np.abs(np.asarray(r["spring.q"]) - (np.asarray(m["s"]) - 0.02)).max() < 1e-9


def test_a_driver_becomes_a_flow_source():
    model = biela.load("two-mass-suspension")
    model.add_driver("road", "y1", "0.02*sin(9*t)")
    model.start(velocity={})
    g = bg.from_model(model)
    assert g.elements["road"].type == "Sf" and "wheel" in g.causality.derivative
    r = g.simulate(1.0, tolerance=1e-12, samples=50)
    m = biela.simulate(model, 1.0, tolerance=1e-11, samples=50)
    assert np.abs(np.asarray(r["v_chassis.flow"]) - np.asarray(m["y2.rate"])).max() < 1e-8
    bond = g.network.nodes["road"].bond.name
    assert np.abs(np.asarray(r[f"{bond}.effort"]) - np.asarray(m["road.effort"])).max() < 1e-5


def test_an_actuator_is_split_into_its_terms():
    model = biela.load("mass-spring-damper")
    model.forces = {}
    model.add_force("hard", "actuator", coordinate="y", value="-k*x - 2e4*x^3 - d*v + 100*sin(5*t)")
    g, _, _ = compare(model, {"v_block.flow": "y.rate", "hard_spring.q": "y"}, tolerance=1e-8)
    assert {g.elements[n].type for n in ("hard", "hard_spring", "hard_damping")} == {"Se", "C", "R"}


def test_in_space():
    """A flywheel on a fixed axis in space and a torsion spring on its joint."""
    model = biela.Model(name="flywheel", dimension=3)
    model.add_ground("O", 0, 0, 0)
    model.add_cylinder("wheel", 0.2, 0.05, {"O": (0, 0, 0)}, mass=4.0)
    model.add_joint("J", "revolute", bodies=("ground", "wheel"), at="O", axis=(0, 0, 1))
    model.add_force("spring", "spring", coordinate="J.angle", stiffness=3.0, damping=0.1, free=0)
    model.start(velocity={"J.angle": 2.0})
    compare(model, {"w_wheel.flow": "J.angle.rate", "spring.q": "J.angle"})


@pytest.mark.parametrize(
    "name, words",
    [
        ("double-pendulum", ("'square'", "weight", "'disc'", "moves and turns at once")),
        ("slider-crank", ("'rod'", "one dimension")),
        ("simple-pendulum", ("'bob'",)),
    ],
)
def test_other_mechanisms_are_refused_by_name(name, words):
    with pytest.raises(biela.ModelError) as caught:
        bg.from_model(name)
    assert "has no bond graph" in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_laws_that_no_element_has():
    model = biela.load("mass-spring-damper")
    model.add_force("odd", "actuator", coordinate="y", value="x*v")
    with pytest.raises(biela.ModelError, match="depends on v and x"):
        bg.from_model(model)


def test_a_spring_at_an_angle_is_refused():
    model = biela.load("mass-spring-damper")
    model.add_ground("W", 1, 0).add_force("slant", "spring", points=("W", "P"), stiffness=5)
    with pytest.raises(biela.ModelError, match="slant"):
        bg.from_model(model)
