"""What acts on a point that several bodies share acts on the body that the user means.

The motion is the same on any of them; reactions and free bodies are not, and each body must balance by itself.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biela
from biela.library import names as library
from biela.model.file import load_text

R, L, SPEED, GAS, MASS, K, FREE = 0.1, 0.3, 5.0, 40.0, 0.8, 300.0, 0.25


def _slider_crank(space: bool, real: bool, load: dict | None = None, spring: dict | None = None) -> biela.Model:
    """A crank at constant speed, a massless rod and a piston on the x axis, pushed by a gas force and a spring.

    real: the piston is a body in a slide; else a point mass in a guide."""
    z = (0.0,) if space else ()
    model = biela.Model(name="engine").add_ground("O", 0, 0, *z).add_ground("X", 1, 0, *z)
    model.add_point("A", 0, R, *z).add_point("B", np.sqrt(L**2 - R**2), 0, *z)
    model.add_bar("crank", "O", "A", mass=0.3, length=R).add_rod("rod", "A", "B", length=L)
    if real:
        shape = {"B": (0, 0, *z), "C": (0.05, 0, *z)}
        inertia = [1e-3, 1e-3, 1e-3] if space else 1e-3
        place = {"position": (np.sqrt(L**2 - R**2), 0, 0)} if space else {}
        model.add_body("piston", shape, mass=MASS, center=(0, 0, *z), inertia=inertia, **place)
    else:
        model.add_mass("piston", "B", MASS)
    if space:
        model.add_joint("shaft", "revolute", bodies=("ground", "crank"), at="O", axis=(0, 0, 1))
        model.add_joint("pin", "revolute", bodies=("crank", "rod"), at="A", axis=(0, 0, 1))
        if real:
            model.add_joint("wrist", "universal", bodies=("piston", "rod"), at="B", axis=("y", "z"))
            model.add_joint("guide", "prismatic", bodies=("ground", "piston"), at="O", axis=(1, 0, 0))
        else:
            model.add_joint("guide", "point-on-line", point="B", line=("O", "X"))
        model.add_driver("motor", "shaft.angle", f"{SPEED}*t")
    else:
        if real:
            model.add_joint("guide", "prismatic", line=("O", "X"), slider=("B", "C"))
        else:
            model.add_joint("guide", "point-on-line", point="B", line=("O", "X"))
        model.add_driver("motor", "crank.angle", f"pi/2 + {SPEED}*t")
    model.add_force("gas", "force", point="B", value=(-GAS, 0.0, *z), **(load or {}))
    model.add_force("spring", "spring", points=("O", "B"), stiffness=K, free=FREE, **(spring or {}))
    return model


def _closed_form(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x and x'' of the piston, and the tangent of the rod's slope (the crank pin's height over its lead)."""
    theta = np.pi / 2 + SPEED * t
    s, c = np.sin(theta), np.cos(theta)
    root = np.sqrt(L**2 - R**2 * s**2)
    x = R * c + root
    xdd = SPEED**2 * (-R * c - R**2 * (c**2 - s**2) / root - R**4 * s**2 * c**2 / root**3)
    return x, xdd, R * s / root


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
@pytest.mark.parametrize("real", [False, True], ids=["mass", "body"])
@pytest.mark.parametrize("space", [False, True], ids=["plane", "space"])
def test_the_wrist_pin_carries_gas_spring_and_inertia(space: bool, real: bool, coordinates: str) -> None:
    r = biela.simulate(_slider_crank(space, real), 1.0, coordinates=coordinates, tolerance=1e-10, samples=100)
    x, xdd, slope = _closed_form(np.asarray(r.t))
    np.testing.assert_allclose(r["B.x"], x, atol=1e-8)
    pin = MASS * xdd + GAS + K * (x - FREE)  # on the piston, along its way: m x'' = pin - gas - spring
    wrist = r.reaction("wrist" if space and real else "B").on("piston")
    np.testing.assert_allclose(np.asarray(wrist.force)[:, 0], pin, atol=1e-5)
    np.testing.assert_allclose(np.asarray(wrist.force)[:, 1], -pin * slope, atol=1e-5)  # along the massless rod
    guide = r.reaction("guide")
    assert guide.body == "piston" and set(guide.bodies) == {"ground", "piston"}
    np.testing.assert_allclose(np.asarray(guide.force)[:, 1], pin * slope, atol=1e-5)
    assert {"gas", "spring", "guide"} <= {act.name for act in r.free_body("piston", 0.3).acts}
    assert not {"gas", "spring", "guide"} & {act.name for act in r.free_body("rod", 0.3).acts}
    for body in ("crank", "rod", "piston"):
        assert r.free_body(body, 0.3).error < 1e-8


@pytest.mark.parametrize("space", [False, True], ids=["plane", "space"])
def test_another_body_may_be_named(space: bool) -> None:
    mine = biela.simulate(_slider_crank(space, True), 0.5, tolerance=1e-10)
    model = _slider_crank(space, True, load={"on": "rod"}, spring={"on": ("ground", "rod")})
    rods = biela.simulate(model, 0.5, tolerance=1e-10)
    _, xdd, _ = _closed_form(np.asarray(mine.t))
    wrist = "wrist" if space else "B"
    np.testing.assert_allclose(rods["B.x"], mine["B.x"], atol=1e-9)
    np.testing.assert_allclose(np.asarray(rods.reaction(wrist).on("piston").force)[:, 0], MASS * xdd, atol=1e-5)
    assert {"gas", "spring"} <= {act.name for act in rods.free_body("rod").acts}
    assert rods.free_body("rod").error < 1e-8
    one = biela.simulate(_slider_crank(space, True, spring={"on": "rod"}), 0.1)  # the end that the rod has
    assert "spring" in {act.name for act in one.free_body("rod").acts}
    assert one.reaction("spring").bodies == ("ground", "rod")


def _star(load: str | None, spring: str | None, space: bool, positions: list[float]) -> biela.Model:
    """Three bars that share the point P, each with a weight: the load and the spring may act on any of them."""
    z = (0.0,) if space else ()
    g = (0.0, -9.81, *z)
    model = biela.Model(name="star", gravity=g).add_ground("O", 0, 0, *z).add_point("P", 0.5, 0.1, *z)
    model.add_bar("a", "O", "P", mass=1.0)
    for k, (name, x) in enumerate(zip("bc", positions, strict=True)):
        model.add_point(f"Q{name}", 0.6 + 0.3 * k, x, *((0.2 * x,) if space else ()))
        model.add_bar(name, "P", f"Q{name}", mass=0.5 + 0.4 * k, **({"radius": 0.02} if space else {}))
    if space:
        model.add_ground("W", 1.0, 1.0, 0.3)
    else:
        model.add_ground("W", 1.0, 1.0)
    more = {"on": load} if load else {}
    model.add_force("push", "force", point="P", value=("3*cos(5*t)", 4.0, *((1.0,) if space else ())), **more)
    more = {"on": spring} if spring else {}
    model.add_force("spring", "spring", points=("W", "P"), stiffness=50.0, free=0.4, damping=0.5, **more)
    return model


@settings(max_examples=settings().max_examples * 3 // 8)  # of eighteen choices
@given(
    load=st.sampled_from(["a", "b", "c"]),
    spring=st.sampled_from(["a", "b", "c"]),
    space=st.booleans(),
    positions=st.lists(st.floats(-0.4, 0.4), min_size=2, max_size=2),
)
def test_motion_does_not_depend_on_the_body_and_every_body_balances(load, spring, space, positions) -> None:
    usual = biela.simulate(_star(None, None, space, positions), 0.2, tolerance=1e-9)
    r = biela.simulate(_star(load, spring, space, positions), 0.2, tolerance=1e-9)
    for name in ("P.x", "Qb.y", "Qc.x"):
        np.testing.assert_allclose(r[name], usual[name], atol=1e-9)
    for body in "abc":
        acts = {act.name for act in r.free_body(body).acts}
        assert ("push" in acts, "spring" in acts) == (body == load, body == spring)
        assert r.free_body(body).error < 1e-7


def test_what_is_left_open_is_told() -> None:
    report = biela.check(_star(None, None, False, [0.1, 0.2]))
    assert len(report.doubts) == 2 and "no problems found" not in report.text()
    push = next(d for d in report.doubts if "'push'" in d)
    assert "'P'" in push and "on 'a'" in push and "a, b, c" in push and "on = " in push
    assert any("'push'" in note for note in biela.simulate(_star(None, None, False, [0.1, 0.2]), 0.1).notes)
    assert not biela.check(_star("b", "c", False, [0.1, 0.2])).doubts
    assert not any("acts at" in d for d in biela.check(_slider_crank(False, True)).doubts)


def test_coordinates_and_drivers_of_shared_points() -> None:
    """A coordinate that is only measured asks nobody; what works through it does."""
    model = _star("a", "a", False, [0.1, 0.2])
    model.add_coordinate("s", "distance", points=("W", "P"))
    assert not biela.check(model).doubts
    pushed = model.model_copy()
    pushed.add_force("jack", "actuator", coordinate="s", value=2.0)
    assert any("'s'" in d for d in biela.check(pushed).doubts)
    chosen = _star("a", "a", False, [0.1, 0.2])
    chosen.add_coordinate("s", "distance", points=("W", "P"), on="c")
    chosen.add_force("jack", "actuator", coordinate="s", value=2.0)
    assert not biela.check(chosen).doubts
    assert biela.simulate(chosen, 0.05).reaction("jack").bodies == ("ground", "c")
    driven = _star("a", "a", False, [0.1, 0.2])
    driven.add_driver("d", "P.x", "0.5")
    assert any("'d'" in d for d in biela.check(driven).doubts)
    named = _star("a", "a", False, [0.1, 0.2])
    named.drivers = {"d": {"coordinate": "P.x", "law": "0.5", "on": "b"}}
    assert not biela.check(named).doubts
    assert "b" in biela.simulate(named, 0.05).reaction("d").bodies


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"on": "pistn"}, "did you mean 'piston'"),
        ({"on": "crank"}, "neither 'O' nor 'B' is a point of 'crank'"),
        ({"on": ("ground", "crank")}, "not a point of 'crank'"),
    ],
)
def test_a_body_without_the_point_is_refused(change: dict, says: str) -> None:
    model = _slider_crank(False, True)
    if change["on"] == "crank":
        model.ground = {"O": (0, 0), "X": (1, 0), "W": (0, 0.4)}
        model.forces = {"spring": {"type": "spring", "points": ("W", "B"), "stiffness": K, "free": FREE, **change}}
        says = says.replace("'O'", "'W'")
    else:
        model.forces = {"spring": {"type": "spring", "points": ("O", "B"), "stiffness": K, "free": FREE, **change}}
    with pytest.raises(biela.ModelError, match=says):
        biela.assemble(model)


def test_on_is_for_points() -> None:
    model = _slider_crank(False, True)
    spring = {"type": "spring", "bodies": ("ground", "crank"), "stiffness": K, "free": 0.0, "on": "crank"}
    model.forces = {"spring": spring}
    with pytest.raises(biela.ModelError, match="`on`"):
        biela.assemble(model)


def test_it_is_written_and_read_back(tmp_path) -> None:
    model = _slider_crank(False, False, load={"on": "rod"}, spring={"on": ("ground", "rod")})
    path = tmp_path / "engine.toml"
    model.save(path)
    assert biela.load(path) == model
    assert 'on = "rod"' in path.read_text()


def test_the_library_leaves_nothing_open() -> None:
    from biela.model.resolve import resolve

    assert [(name, d) for name in library() for d in resolve(biela.load(name)).doubts] == []


@pytest.mark.parametrize("coordinates", ["natural", "reference-point", "relative"])
def test_a_rod_hangs_on_a_bead(coordinates: str) -> None:
    """A point mass on a wire with a bar on it: the bar turns about the bead, whatever the tree follows first."""
    text = """
gravity = [0, 0, -9.81]
[ground]
O = [0, 0, 0]
[points]
B = [0, 0, 0]
Q = [0, 0.6, -0.8]
[bodies]
bead = { type = "mass", point = "B", mass = 2 }
bar = { type = "bar", points = ["B", "Q"], mass = 1, radius = 0.02 }
[joints]
wire = { type = "point-on-line", bodies = ["ground", "bead"], at = "B", axis = [0, 1, 0] }
"""
    r = biela.simulate(load_text(text), 0.4, coordinates=coordinates, tolerance=1e-10)
    # no force along the wire: the centre of mass stays there
    np.testing.assert_allclose(2 * r["B.y"] + (r["B.y"] + r["Q.y"]) / 2, 0.3, atol=1e-7)
    assert abs(r["Q.y"][-1] - 0.6) > 0.1


def test_an_equation_of_a_shared_point_is_told() -> None:
    model = _star("a", "a", False, [0.1, 0.2])
    model.add_joint("level", "user", equation="P.y = 0.1")
    assert any("'level'" in d and "declare a coordinate" in d for d in biela.check(model).doubts)
