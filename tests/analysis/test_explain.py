"""The equations that `explain` prints against those that are solved, at random states, in all coordinates."""

from functools import cache

import numpy as np
import pytest
import sympy

import biela
from biela import MethodError, Model, library
from biela.analysis.explain.explain import Explanation, explain
from biela.analysis.explain.printing import by_hand
from biela.system.symbols import normal_form, symbolic_system
from mechanisms import Recipe
from mechanisms import build as build_model

SETS = ["natural", "mixed", "reference-point", "relative"]
SMALL = [name for name in library.names() if 0 < len(library.load(name).bodies) <= 5 and name != "double-cardan"]
"""chains of the library have no bodies until they are repeated; the linkages with more than five are large, and the
double Cardan joint is the single one twice, in formulas twenty times as long"""
REFUSED = {("spatial-slider-crank", "relative")}


def ingredients(model: Model) -> set[str]:
    """The types of everything a mechanism is made of, in the plane or in space, and what forces are given."""
    parts = {"body": model.bodies, "joint": model.joints, "coordinate": model.coordinates, "force": model.forces}
    found = {f"{what} {x.type}" for what, items in parts.items() for x in items.values()}
    found |= {f"force {f.type} {key}" for f in model.forces.values() for key in f.model_fields_set - {"title"}}
    found |= {"driver"} if model.drivers else set()
    return {f"{'space' if model.gravity and len(model.gravity) == 3 else 'plane'}: {x}" for x in found}


def asked() -> list[tuple[str, str]]:
    """Every small mechanism in natural coordinates; in the others, the smallest that have between them every
    ingredient that any has (closed loops are those of `test_random_mechanisms` and of what slides on lines)."""
    out, seen = [], set()
    for name in sorted(SMALL, key=lambda name: (len(library.load(name).bodies), name)):
        model = library.load(name)
        new = ingredients(model) - seen
        seen |= new
        sets = SETS[:1]
        if new:  # ("mixed" is "natural" where no coordinate is added to it)
            added = biela.assemble(model, "mixed").n > biela.assemble(model, "natural").n
            sets = [c for c in SETS if c != "mixed" or added]
        out += [(name, coordinates) for coordinates in sets]
    return out


def two_points_one_vector() -> Model:
    """Carried by 2 points + 1 vector, with a full tensor and a centre beside the line."""
    return Model(name="crossed", gravity=(0, 0, -9.81), parameters={"m": 2, "L": 1.5, "Ix": 0.5}).add_body(
        "blk", {"A": (0, 0, 0), "B": ("L", 0, 0)}, mass="m", center=("L/2", 0.1, 0.2),
        inertia=(("Ix", 0.02, 0.03), (0.02, 0.6, 0.04), (0.03, 0.04, 0.7)),
        directions={"u": (0.2, 1, 0.3)}, carrier="2 points + 1 vector",
    )  # fmt: skip


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas without SymPy's own `simplify` and `factor`, which take two thirds of the time; other tests, on smaller
    mechanisms, have them."""
    monkeypatch.setattr(symbolic_system, "FEW", 0)


@cache
def explained(name: str, coordinates: str) -> Explanation:
    """A mechanism of the library, in `plain` formulas."""
    assert symbolic_system.FEW == 0
    return explain(name, coordinates)


def agree(model: Model | str, coordinates: str, states: int = 2) -> Explanation:
    """Phi, Phi_q, gamma, M, Q and H, each to 1e-9 of its largest entry."""
    told = explained(model, coordinates) if isinstance(model, str) else explain(model, coordinates)
    s = told.symbolic
    system = biela.assemble(model, coordinates)
    assert system.q_names == s.equations.q_names and system.v_names == s.equations.v_names
    Phi = sympy.Matrix([by_hand(e, s.q) for e in s.Phi])  # as it is printed
    parts = [sympy.N(x, 17) for x in (Phi, s.Phi_q, s.gamma, s.M, s.Q, s.H)]
    f = sympy.lambdify([*s.q, *s.v, s.t, *s.known], parts, "numpy")
    rng = np.random.default_rng(len(s.q))
    for _ in range(states):
        q, v = rng.uniform(-1, 1, len(s.q)), rng.uniform(-1, 1, len(s.v))
        for four in s.quaternions:
            i = s.q.index(four[0])
            q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
        at = system.at(q, v, 0.3)
        step = 1e-6
        moved = [(system.displaced(q, step * e), system.displaced(q, -step * e)) for e in np.eye(system.n)]
        H = np.array([(a - b) / (2 * step) for a, b in moved])
        wanted = (at.Phi, at.B, at.gamma, at.M, at.Q)
        *found, rates = f(*q, *v, 0.3, *map(float, s.known.values()))
        for got, want in zip(found, wanted, strict=True):
            got = np.array(got, dtype=float).reshape(np.shape(want))
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-9 * max(1.0, np.abs(want).max(initial=0.0)))
        np.testing.assert_allclose(np.array(rates, dtype=float).T, H, rtol=0, atol=1e-8)
    return told


@pytest.mark.parametrize("name, coordinates", asked())
def test_library(name: str, coordinates: str, plain, monkeypatch: pytest.MonkeyPatch):
    """Every small mechanism and every ingredient of the library; what is too large says so and what to try."""
    if (name, coordinates) in REFUSED:
        monkeypatch.setattr(normal_form, "LONGEST", 300)  # terms: sooner than it would be refused
        with pytest.raises(MethodError, match=r"too (large|long)[\s\S]*natural coordinates"):
            explain(name, coordinates)
    else:
        agree(name, coordinates, states=1)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("topology, joints", [("chain", ("prismatic",)), ("chain", ("fixed",)), ("loop", ())])
def test_random_mechanisms(topology: str, joints: tuple, coordinates: str):
    size = 1 if topology == "chain" else 2  # bodies beside those of the joint
    agree(build_model(Recipe(topology, size, joints=joints, seed=1)), coordinates)


def test_two_points_and_one_vector(plain):
    """000 (37)-(49): nine variables and three rows, T, M = T^T M_o T, and Q_v from the derivatives of M."""
    told = agree(two_points_one_vector(), "natural")
    s = told.symbolic
    assert (len(s.q), len(s.Phi)) == (9, 3)
    carried = s.crossed("blk")
    assert carried is not None
    M, T = carried.T.T * sympy.kronecker_product(carried.M_o, sympy.eye(3)) * carried.T, carried.T
    r1, r2, u = (sympy.Matrix(s.q[k : k + 3]) for k in (0, 3, 6))
    velocity = sympy.Matrix(s.v)
    w = (r2 - r1).cross(u)
    assert sympy.simplify((T * velocity)[9:12, 0] - w.jacobian(s.q) * velocity) == sympy.zeros(3, 1)  # (41)
    bent = sympy.Matrix([(velocity.T * s.M.diff(x) * velocity)[0] / 2 for x in s.q])
    rate = sum((s.M.diff(x) * v for x, v in zip(s.q, s.v, strict=True)), sympy.zeros(9, 9))
    known = {**s.known, **{x: 0.1 * k - 0.37 for k, x in enumerate([*s.q, *s.v])}}
    for wanted, found in ((bent - rate * velocity, s.Q_v), (M, s.M)):  # (49), (45)
        f = sympy.lambdify(list(known), [wanted, found], "numpy")
        np.testing.assert_allclose(*(np.array(x, dtype=float) for x in f(*known.values())), rtol=1e-10, atol=1e-10)
    text = told.text()
    assert "T =" in text and "M_o" in text and "Q_v" in text and "9 x 9" in text
    assert "L**2" in text and numbers_are_short(text)


CARRIERS = {
    "2 points + 1 vector": ("(B - A) x blk.u", "(A, B - A, blk.u, blk.cross)"),
    "3 points": ("(B - A) x (C - A)", "(A, B - A, C - A, blk.cross)"),
    "1 point + 2 vectors": ("blk.u x blk.v", "(A, blk.u, blk.v, blk.cross)"),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_what_is_said_of_a_cross_product_is_so(carrier: str, plain):
    """q_o as it is labelled, by finite differences against T; M = T^T M_o T; M_o begins with the mass."""
    model = Model(name="crossed", gravity=(0, 0, -9.81), parameters={"m": 2, "L": 1.5})
    places, ways = {"A": (0, 0, 0), "B": ("L", 0, 0), "C": (0, 0.8, 0)}, {"u": (0, 0.6, 0.8), "v": (0, 1, 0)}
    count = int(carrier[0])
    points, directions = dict(list(places.items())[:count]), dict(list(ways.items())[: 3 - count])
    model.add_body("blk", points, mass="m", center=("L/2", 0.1, 0.2), inertia=(0.5, 0.6, 0.7), directions=directions,
                   carrier=carrier)  # fmt: skip
    model.add_point("P", 0, 0, 3).add_mass("p", "P", 1)
    told = explain(model)
    product, whole = CARRIERS[carrier]
    assert f"blk.cross = {product} is not a variable; with q_o = {whole}" in told.text()
    s = told.symbolic
    assert s.crossed("p") is None
    carried = s.crossed("blk")
    assert carried is not None
    own = [carried.names[k // 3] + "." + "xyz"[k % 3] for k in range(9)]
    q = [s.q[s.equations.q_names.index(name)] for name in own]
    at = {name: sympy.Matrix(q[3 * k : 3 * k + 3]) for k, name in enumerate(carried.names[:3])}

    def said(way: str) -> sympy.Matrix:
        first, *less = way.split(" - ")
        return at[first] - (at[less[0]] if less else sympy.zeros(3, 1))

    e, u = map(said, carried.ways)
    rng = np.random.default_rng(3)
    x, v, step = rng.normal(size=9), rng.normal(size=9), 1e-6
    q_o = sympy.lambdify(q, sympy.Matrix.vstack(at["A"], e, u, e.cross(u)), "numpy")
    known = s.known | dict(zip(q, x, strict=True))
    T, M_o = (np.array(part.subs(known), dtype=float) for part in (carried.T, carried.M_o))
    moved = (q_o(*(x + step * v)) - q_o(*(x - step * v)))[:, 0] / (2 * step)
    np.testing.assert_allclose(T @ v, moved, rtol=0, atol=1e-8)
    where = [s.q.index(y) for y in q]
    M = np.array(s.M.extract(where, where).subs(known), dtype=float)
    np.testing.assert_allclose(T.T @ np.kron(M_o, np.eye(3)) @ T, M, rtol=0, atol=1e-12)
    assert carried.M_o[0, 0] == s.equations.resolved.parameters["m"]


def test_velocity_terms_of_a_tree_by_lagrange():
    """Q_v = 1/2 d(v.M v)/dq - M' v, wherever v = q'."""
    s = explain("double-pendulum", "relative").symbolic
    v = sympy.Matrix(s.v)
    bent = sympy.Matrix([(v.T * s.M.diff(x) * v)[0] / 2 for x in s.q])
    rate = sum((s.M.diff(x) * w for x, w in zip(s.q, s.v, strict=True)), sympy.zeros(2, 2))
    assert sympy.simplify(s.Q_v - bent + rate * v) == sympy.zeros(2, 1)


def test_blocks_of_a_body_in_space():
    """000 (31): 4 x 4 blocks of I3, for a point and three unit vectors along the axes: m, m r, Pi + m r r^T."""
    model = Model(name="box", parameters={"m": 2, "a": 0.3, "Jx": 1, "Jy": 1.2, "Jz": 1.5})
    model.add_body("b", {"P": (0, 0, 0)}, mass="m", center=("a", 0, 0), inertia=("Jx", "Jy", "Jz"),
                   directions={"u": (1, 0, 0), "v": (0, 1, 0), "w": (0, 0, 1)})  # fmt: skip
    s = explain(model).symbolic
    m, a, x, y, z = (s.equations.resolved.parameters[k] for k in ("m", "a", "Jx", "Jy", "Jz"))
    half = (x + y + z) / 2
    wanted = sympy.diag(sympy.Matrix([[m, m * a], [m * a, half - x + m * a**2]]), half - y, half - z)
    assert sympy.simplify(s.body_blocks("b") - wanted) == sympy.zeros(4, 4)
    assert sympy.simplify(s.body_mass("b") - sympy.kronecker_product(wanted, sympy.eye(3))) == sympy.zeros(12, 12)
    assert "each entry times I3" in explain(model).text()


def numbers_are_short(text: str) -> bool:
    return not any(len(word) > 11 and word.isdigit() for word in text.replace("/", " ").replace("*", " ").split())


def test_symbols_stay_symbols_in_space(plain):
    """(And in `test_two_points_and_one_vector`.)"""
    text = explained("cardan", "natural").text()
    assert "cos(beta)" in text and numbers_are_short(text)


def test_rows_as_by_hand():
    first, second = explain("double-pendulum").rows()
    assert (first, second) == ("x_P1**2 + y_P1**2 - 4*r**2", "(x_P1 - x_P2)**2 + (y_P1 - y_P2)**2 - 4*r**2")
    assert r"\left(x_{P1} - x_{P2}\right)^{2}" in explain("double-pendulum").latex()


def test_the_pendulum_of_001_in_reference_point_coordinates():
    """001 15.6, example 1: Phi, Phi_q, M and Q, entry by entry."""
    s = explain("rod-pendulum", "reference-point").symbolic
    x, y, phi = s.q
    m, l, J, g = (s.equations.resolved.parameters[k] for k in "mlJg")
    pin = sympy.Matrix([x - l / 2 * sympy.cos(phi), y - l / 2 * sympy.sin(phi)])
    assert sympy.simplify(s.Phi - pin) == sympy.zeros(2, 1)
    wanted = sympy.Matrix([[1, 0, l / 2 * sympy.sin(phi)], [0, 1, -l / 2 * sympy.cos(phi)]])
    assert sympy.simplify(s.Phi_q - wanted) == sympy.zeros(2, 3)
    assert s.M == sympy.diag(m, m, J) and s.Q == sympy.Matrix([0, -m * g, 0])


@pytest.mark.parametrize("name, coordinates, word", [
    ("puma560", "relative", "6 axes, one upon the other"),
    ("bricard", "relative", "too large"),
])  # fmt: skip
def test_too_large(name: str, coordinates: str, word: str):
    with pytest.raises(MethodError, match=word):
        explain(name, coordinates)


def test_a_long_chain_is_too_large():
    m = Model(name="rope").add_ground("P0", 0, 0)
    for k in range(1, 31):
        m.add_point(f"P{k}", k, 0).add_bar(f"b{k}", f"P{k - 1}", f"P{k}", mass=1)
    with pytest.raises(MethodError, match="60 coordinates, at most 40"):
        explain(m)
    with pytest.raises(MethodError, match="30 axes, one upon the other, at most 7"):
        explain(m, "relative")


def test_gears_keep_their_sum():
    m = Model(name="gears").add_ground("A", 0, 0).add_ground("B", 3, 0).add_point("P", 1, 0).add_point("R", 3, 1)
    m.add_bar("a", "A", "P", mass=1).add_bar("b", "B", "R", mass=1)
    m.add_coordinate("alpha", "angle", of=("A", "P")).add_coordinate("beta", "angle", of=("B", "R"))
    m.add_joint("mesh", "gear", coordinates=["alpha", "beta"], ratio=2)
    for coordinates in ("mixed", "relative"):
        agree(m, coordinates)


def test_every_term_is_printed_and_the_numbers_fit():
    text = explain("slider-crank", "relative").text()
    for name in ("q ", "Phi ", "Phi_q", "gamma", "M ", "Q ", "Q_v"):
        assert f"\n{name}" in text


def loaded(**load) -> Model:
    """A rod on a hinge with a load."""
    m = Model(name="rod", parameters={"L": 3, "w": 2}).add_ground("O", 0, 0).add_point("A", "L", 0)
    m.add_bar("rod", "O", "A", length="L", mass=1)
    return m.add_force("load", "distributed", body="rod", **load)


@pytest.mark.parametrize("value, end", [("-w", -5), ("-w*t", "-5*t")])
def test_shares_of_a_load_along_a_line_are_exact(value: str, end: float | str):
    """A third and a sixth of each end's load times the length, in the length itself."""
    told = agree(loaded(over=["O", "A"], value=[0, value], end=[0, end]), "natural", states=1)
    s = told.symbolic
    L, w = (s.equations.resolved.parameters[k] for k in "Lw")
    wanted = -L * (w / 6 + sympy.Rational(5, 3)) * (s.t if "t" in value else 1)
    assert sympy.simplify(s.Q[1] - wanted) == 0
    assert not s.Q.atoms(sympy.Float) and all(r.q <= 12 for r in s.Q.atoms(sympy.Rational))


def test_loads_over_surfaces_and_through_volumes_are_exact():
    m = Model(name="plate", parameters={"a": 2, "p": 3}).add_ground("O", 0, 0)
    m.add_body("plate", {"O": (0, 0), "A": ("a", 0), "B": (0, "a")}, mass=1, center=("a/3", "a/3"), inertia=1)
    m.add_force("press", "distributed", body="plate", over=["O", "A", "B"], value=["p", 0])
    m.add_force("field", "distributed", body="plate", volume=0.3, value=[0, "p"])
    s = agree(m, "relative", states=1).symbolic
    (phi,), (a, p) = s.q, (s.equations.resolved.parameters[k] for k in "ap")
    x, y = a / 3 * (sympy.cos(phi) - sympy.sin(phi)), a / 3 * (sympy.cos(phi) + sympy.sin(phi))
    assert sympy.simplify(s.Q[0] - (sympy.Rational(3, 10) * p * x - p * a**2 / 2 * y)) == 0
    assert not s.Q.atoms(sympy.Float)


def test_long_entries_are_told_by_their_size(plain):
    """One entry a line where a column is wide, without blanks before it; what nobody reads is counted, with a cure."""
    text = explained("cardan", "reference-point").text()
    assert max(map(len, text.splitlines())) < 2500
    assert "too long to be read (more than 400 operations)" in text and "--coordinates natural has shorter" in text
    assert "   explain(...).symbolic.Q" not in text and " " * 200 not in text


def test_a_rigid_line_has_a_length_without_angles():
    """Forces in the axes of a bar, whose length is sqrt(L^2 sin^2 + L^2 cos^2)."""
    from biela.analysis.minimal.symbols import minimal_equations

    m = Model(name="bar", parameters={"L": 2, "k": 3}).add_ground("O", 0, 0).add_point("A", "L", 0)
    m.add_bar("bar", "O", "A", mass=1).add_force("twist", "spring", bodies=["ground", "bar"], stiffness="k", free=0.1)
    assert "sin" not in "".join(minimal_equations(m).equations())


def test_gamma_is_written_with_squares_of_velocities():
    text = biela.explain("double-pendulum").text()
    assert "(x_P1' - x_P2')**2 - 2*(y_P1' - y_P2')**2" in text and "(x_P1 - x_P2)**2 + (y_P1 - y_P2)**2" in text
