"""Loads on unit vectors, along lines, over surfaces and through volumes: by their resultants and their power."""

import numpy as np
import pytest

import biela
from biela import Model, ModelError
from biela.analysis.assembly.assemble import assemble

COORDINATES = ["natural", "reference-point", "relative"]


def arm(**load) -> Model:
    m = Model(gravity=(0, 0, 0)).add_ground("O", 0, 0, 0)
    m.add_body("b", {"O": (0, 0, 0), "P": (2, 0, 0), "Q": (2, 1, 0), "R": (0, 1, 0.0)}, mass=3, center=(1, 0.2, 0.1),
               inertia=(1.0, 2.0, 2.5), directions={"u": (0, 0.6, 0.8)},
               orientation={"axis": (1, 2, 3), "angle": 0.7})  # fmt: skip
    for name, item in load.items():
        m.add_force(name, **item)
    return m


def accelerations(model: Model, coordinates: str) -> np.ndarray:
    r = biela.simulate(model, 1e-3, coordinates=coordinates, formulation="lagrange", integrator="rk4", step=1e-3)
    return np.concatenate([np.asarray(r["P.acceleration"])[0], np.asarray(r["R.acceleration"])[0]])


def same(a: Model, b: Model) -> None:
    for coordinates in COORDINATES:
        assert accelerations(a, coordinates) == pytest.approx(accelerations(b, coordinates), abs=1e-9)


# ---------------------------------------------------------------------------------------------------- unit vectors
def test_a_force_on_a_unit_vector_is_its_moment():
    """m = u x f, with u where the body is: in axes of the ground, and in those of the body."""
    f = np.array([0.3, -1.2, 2.0])
    axis, angle = np.array([1, 2, 3]) / np.sqrt(14), 0.7
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    u = np.array([0, 0.6, 0.8])
    given = {"type": "vector-force", "body": "b", "direction": "u", "value": tuple(f)}
    moment = {"type": "moment", "body": "b", "value": tuple(np.cross(R @ u, f))}
    same(arm(f=given), arm(m=moment))
    own = {"type": "moment", "body": "b", "value": tuple(np.cross(u, f)), "axes": "b"}
    same(arm(f={**given, "axes": "b"}), arm(m=own))
    same(arm(f={**given, "direction": (0, 3, 4)}), arm(m=moment))  # a vector is made a unit vector


def test_it_stands_in_the_places_of_the_vector():
    """000: the components of f are those of Q at the unit vector, and there is nothing anywhere else."""
    m = Model(gravity=(0, 0, 0))
    m.add_body("b", {"P": (0, 0, 0)}, mass=1, center=(0, 0, 0), inertia=(1, 2, 2.5), directions={"u": (1, 0, 0)},
               carrier="1 point + 3 vectors")  # fmt: skip
    m.add_force("f", "vector-force", body="b", direction="u", value=(3, 4, 5))
    system = assemble(m, "natural")
    Q = dict(zip(system.q_names, system.at(system.q0).Q, strict=True))
    filled = {name: x for name, x in Q.items() if abs(x) > 1e-14}
    assert filled == {"b.u.x": 3, "b.u.y": 4, "b.u.z": 5}


# ------------------------------------------------------------------------------------ lines, surfaces, volumes
def point(p: str, value) -> dict:
    return {"type": "force", "point": p, "value": tuple(value)}


def test_along_a_line():
    """6 N/m over 2 m: 12 N, half of it at each end. From 6 to 0 N/m: 6 N, at a third from the first end."""
    line = {"type": "distributed", "body": "b", "over": ["O", "P"]}
    same(arm(q={**line, "value": (0, 0, 6)}), arm(a=point("P", (0, 0, 6))))  # (what is at O, the ground takes)
    same(arm(q={**line, "value": ("0", "0", "6 N/m"), "end": (0, 0, 0)}), arm(a=point("P", (0, 0, 2))))
    # by quadrature of the virtual power: 12 point forces where Gauss has them
    x, w = np.polynomial.legendre.leggauss(6)
    many = arm()
    whole = {"O": (0, 0, 0), "P": (2, 0, 0), "Q": (2, 1, 0), "R": (0, 1, 0.0)}
    extra = {f"p{k}": (1 + float(s), 0, 0) for k, s in enumerate(x)}
    many.bodies.clear()
    many.add_body("b", whole | extra, mass=3, center=(1, 0.2, 0.1), inertia=(1.0, 2.0, 2.5),
                  directions={"u": (0, 0.6, 0.8)}, orientation={"axis": (1, 2, 3), "angle": 0.7})  # fmt: skip
    for k, (s, g) in enumerate(zip(x, w, strict=True)):
        p = 6 + (9 - 6) * (1 + float(s)) / 2
        many.add_force(f"f{k}", "force", point=f"p{k}", value=(0, p * float(g), -p * float(g)))
    same(arm(q={**line, "value": (0, 6, -6), "end": (0, 9, -9)}), many)


def test_over_a_surface():
    """A pressure of 5 N/m^2 on a rectangle of 2 x 1 m acts at its middle, in the axes of the body."""
    surface = {"type": "distributed", "body": "b", "over": ["O", "P", "Q", "R"], "axes": "b", "value": (0, 0, 5)}
    quarter = {"type": "force", "value": (0, 0, 2.5), "axes": "b"}
    corners = {f"c{p}": {**quarter, "point": p} for p in "PQR"}  # (and O, on the ground)
    same(arm(q=surface), arm(**corners))
    triangle = {**surface, "over": ["O", "P", "Q"]}
    third = {"type": "force", "value": (0, 0, 5 / 3), "axes": "b"}
    same(arm(q=triangle), arm(**{f"c{p}": {**third, "point": p} for p in "PQ"}))


def test_through_a_volume():
    """Gravity as a load through the volume: rho g."""
    m = Model(gravity=(0, 0, 0)).add_ground("O", 0, 0, 0)
    m.add_box("b", (1, 0.2, 0.1), {"O": (-0.5, 0, 0), "P": (0.5, 0, 0), "R": (0, 0.1, 0)}, density=700)
    heavy = m.model_copy(deep=True)
    m.add_force("g", "distributed", body="b", value=(0, 0, "-7 kN/m^3"))
    heavy.gravity = (0, 0, -10)
    same(m, heavy)


def test_laws_of_time_and_the_plane():
    m = Model(gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 2, 0).add_bar("b", "O", "P", mass=3)
    n = m.model_copy(deep=True)
    m.add_force("q", "distributed", body="b", over=["O", "P"], value=("0", "4*sin(3*t)"), axes="b")
    n.add_force("f", "force", point="P", value=("0", "4*sin(3*t)"), axes="b")
    a, b = (biela.simulate(x, 1.0, tolerance=1e-10) for x in (m, n))
    assert np.abs(np.asarray(a["P"]) - np.asarray(b["P"])).max() < 1e-8 and np.ptp(np.asarray(a["P.y"])) > 0.1
    assert np.asarray(a["q.P.y"]) == pytest.approx(np.asarray(b["f.y"]), abs=1e-12)


BAD = {
    "a point of another body": ({"body": "b", "over": ["O", "X"], "value": (0, 0, 1)}, "'X'"),
    "one point": ({"body": "b", "over": ["P"], "value": (0, 0, 1)}, "name two points for a line"),
    "a point twice": ({"body": "b", "over": ["P", "Q", "P"], "value": (0, 0, 1)}, "each once"),
    "no volume": ({"body": "b", "value": (0, 0, 1)}, "its mass does not tell its volume"),
    "an end without a line": ({"body": "b", "over": ["P", "Q", "R"], "value": (0, 0, 1), "end": (0, 0, 1)}, "no line"),
    "a bow tie": ({"body": "b", "over": ["O", "Q", "P", "R"], "value": (0, 0, 1)}, "no flat surface"),
    "another dimension": ({"body": "b", "over": ["P", "Q"], "value": (0, 0, "1 N")}, "load per length"),
    "an unknown body": ({"body": "c", "over": ["P", "Q"], "value": (0, 0, 1)}, "'c'"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad(what: str):
    item, words = BAD[what]
    with pytest.raises(ModelError) as caught:
        biela.simulate(arm(q={"type": "distributed", **item}), 1)
    assert words in str(caught.value)


def test_bad_vectors():
    for item, words in (({"direction": "w"}, "no direction 'w'"), ({"direction": (0, 0, 0)}, "has no direction")):
        with pytest.raises(ModelError) as caught:
            biela.simulate(arm(f={"type": "vector-force", "body": "b", "value": (0, 0, 1), **item}), 1)
        assert words in str(caught.value)
    m = Model().add_ground("O", 0, 0).add_point("P", 2, 0).add_bar("b", "O", "P", mass=3)
    m.add_force("f", "vector-force", body="b", direction="u", value=(0, 0, 1))
    with pytest.raises(ModelError):
        biela.simulate(m, 1)
