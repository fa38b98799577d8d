"""What a model means: numbers, places, lines, starts; in floats and in symbols."""

import math

import pytest
import sympy

from biela.errors import ModelError
from biela.model import expression as ex
from biela.model.file import load_text
from biela.model.model import Model
from biela.model.resolve import resolve
from biela.model.resolved import GROUND, Direction, Place, Span

DOUBLE = """
name = "double"
gravity = [0, "-g"]
[parameters]
m = 1
r = 1
g = 9.81
[ground]
P0 = [0, 0]
[points]
P1 = ["2*r", 0]
P2 = ["4*r", 0]
[bodies.square]
type = "plate"
points = {P0 = [0, 0], P1 = ["2*r", 0]}
center = ["r", "r"]
width = "2*r"
height = "2*r"
mass = "m"
[bodies.disc]
type = "disc"
points = {P1 = [0, 0], P2 = ["2*r", 0]}
center = ["r", 0]
radius = "r"
mass = "m"
[coordinates.phi]
type = "angle"
of = ["P0", "P1"]
relative_to = {body = "ground", angle = "-90 deg"}
"""
m, r, g = sympy.symbols("m r g", positive=True)


def bars(extra: str = "", **changes: str) -> Model:
    text = """
[ground]
O = [0, 0]
D = [3, 0]
[points]
A = [0, 1]
B = [2, 2]
[bodies]
crank = {type = "bar", points = ["O", "A"], mass = 1}
coupler = {type = "bar", points = ["A", "B"], mass = 1}
rocker = {type = "bar", points = ["D", "B"], mass = 1}
"""
    for old, new in changes.items():
        text = text.replace(old, new)
    return load_text(text + extra)


# ------------------------------------------------------------------------------------------ numbers
def test_inertias_of_text_000_in_floats():
    resolved = resolve(load_text(DOUBLE))
    square, disc = resolved.bodies["square"], resolved.bodies["disc"]
    assert square.inertia + square.mass * 2 == pytest.approx(8 / 3, abs=1e-15)  # I_0 of (63)
    assert disc.inertia + disc.mass == 1.5  # I_1 of (65)
    assert resolved.gravity == (0.0, -9.81)


def test_inertias_of_text_000_in_symbols():
    resolved = resolve(load_text(DOUBLE), symbolic=True)
    assert resolved.scalar == "sympy"
    assert resolved.parameters == {"m": m, "r": r, "g": g}
    assert resolved.gravity == (0, -g)
    square, disc = resolved.bodies["square"], resolved.bodies["disc"]
    assert square.inertia + square.mass * (r**2 + r**2) == sympy.Rational(8, 3) * m * r**2
    assert disc.inertia == m * r**2 / 2
    assert disc.points == {"P1": (0, 0), "P2": (2 * r, 0)}
    assert resolved.start == {"P1": (2 * r, 0), "P2": (4 * r, 0)}


@pytest.mark.parametrize("symbolic", [False, True])
def test_directions_are_exact(symbolic: bool):
    down, bar = resolve(load_text(DOUBLE), symbolic).coordinates["phi"].lines
    assert down.vector == Direction(GROUND, (0, -1))
    assert isinstance(bar.vector, Span) and bar.length == (2 * r if symbolic else 2.0)


def test_floats_become_fractions_and_units_stay_exact():
    text = "[parameters]\nL = '12 mm'\nn = -3\n[run]\nduration = 0.1\nstep = '2 ms'\n"
    resolved = resolve(load_text(text), symbolic=True)
    assert resolved.duration == sympy.Rational(1, 10)
    assert resolved.step == sympy.Rational(1, 500)
    assert resolved.parameters["L"].is_positive
    assert resolved.parameters["n"].is_real and resolved.parameters["n"].is_positive is None


def test_parameters_in_any_order():
    text = "[parameters]\na = '2*b + c'\nb = 'c^2'\nc = 3\nd = 'sqrt(a)'\n"
    assert resolve(load_text(text)).parameters == {"a": 21.0, "b": 9.0, "c": 3.0, "d": math.sqrt(21)}
    c = sympy.Symbol("c", positive=True)
    symbolic = resolve(load_text(text), symbolic=True).parameters
    assert symbolic["a"] == 2 * c**2 + c and symbolic["d"] == sympy.sqrt(2 * c**2 + c)


def test_a_long_chain_of_parameters():
    lines = [f"p{k} = 'p{k + 1} + 1'" for k in range(3000)]
    text = "[parameters]\n" + "\n".join(lines) + "\np3000 = 0\n"
    assert resolve(load_text(text)).parameters["p0"] == 3000.0


def test_symbols_and_floats_agree_everywhere():
    """Every symbolic scalar of the bodies, with the parameters' values put in, is the float."""
    model = load_text(DOUBLE.replace("r = 1", "r = 0.7").replace("m = 1", "m = '1.3 kg'"))
    floats, formulas = resolve(model), resolve(model, symbolic=True)
    values = {formulas.parameters[k]: v for k, v in floats.parameters.items()}
    for name, body in formulas.bodies.items():
        for symbol, number in [
            (body.mass, floats.bodies[name].mass),
            (body.inertia, floats.bodies[name].inertia),
            *zip(body.center, floats.bodies[name].center),
        ]:
            assert float(sympy.sympify(symbol).subs(values)) == pytest.approx(number, rel=1e-15)


# ---------------------------------------------------------------------------------- bodies and starts
def test_a_bar_takes_its_length_from_the_start_or_from_the_text():
    resolved = resolve(bars())
    assert resolved.bodies["coupler"].points == {"A": (0.0, 0.0), "B": (math.sqrt(5), 0.0)}
    assert resolved.bodies["coupler"].center == (math.sqrt(5) / 2, 0.0)
    assert resolved.bodies["coupler"].inertia == pytest.approx(5 / 12)
    given = resolve(load_text("[points]\nA=[0,0]\nB=[1,0]\n[bodies.b]\ntype='bar'\npoints=['A','B']\nlength=2\nmass=3"))
    assert given.bodies["b"].points["B"] == (2.0, 0.0) and given.bodies["b"].inertia == 1.0
    symbolic = resolve(bars(), symbolic=True)
    assert symbolic.bodies["coupler"].points["B"] == (sympy.sqrt(5), 0)


def test_exact_lengths_from_symbolic_positions():
    text = "[parameters]\na=1\nb=2\n[points]\nA=['-a',0]\nB=['b',0]\nC=['b','a+b']\n"
    text += "[bodies]\nx = {type='rod', points=['A','B']}\ny = {type='rod', points=['B','C']}\n"
    resolved = resolve(load_text(text), symbolic=True)
    a, b = sympy.symbols("a b", positive=True)
    assert resolved.bodies["x"].points["B"] == (a + b, 0)
    assert resolved.bodies["y"].points["C"] == (a + b, 0)


def test_a_body_of_listed_points_takes_its_shape_from_the_start():
    text = "[points]\nA=[1,1]\nB=[1,3]\nC=[0,2]\n[bodies.plate]\npoints=['A','B','C']\n"
    body = resolve(load_text(text)).bodies["plate"]
    assert body.points["B"] == (2.0, 0.0)
    assert body.points["C"] == pytest.approx((1.0, 1.0))  # to the left of A -> B
    assert body.mass == 0.0 and body.kind == "body"


def test_points_declared_only_in_bodies_are_placed_with_them():
    text = """
[ground]
O = [1, 0]
[points]
A = [1, 2]
[bodies.arm]
points = {O = [0, 0], A = [2, 0], P = [2, 1]}
[bodies.tip]
points = {A = [0, 0], P = [1, 0], Q = [1, 1]}
"""
    start = resolve(load_text(text)).start
    assert start["P"] == pytest.approx((0.0, 2.0))
    assert start["Q"] == pytest.approx((0.0, 1.0))
    assert "O" not in start


def test_a_body_on_one_point_starts_unrotated_or_at_its_angle():
    text = "[points]\nA = [1, 2]\n[bodies.b]\npoints = {A = [0, 0], B = [3, 0]}\n"
    assert resolve(load_text(text)).start["B"] == (4.0, 2.0)
    turned = resolve(load_text(text + "[initial.position]\n'b.angle' = '90 deg'\n"))
    assert turned.start["B"] == (1.0, 5.0)
    assert resolve(load_text(text + "[initial.position]\n'b.angle' = '90 deg'\n"), True).start["B"] == (1, 5)


def test_a_pin_between_two_names_carries_the_start_over():
    text = "[ground]\nO = [1, 2]\n[bodies.b]\npoints = {A = [0, 0], B = [1, 0]}\n"
    text += "[joints.pin]\ntype = 'revolute'\npoints = ['O', 'A']\n"
    assert resolve(load_text(text)).start == {"A": (1.0, 2.0), "B": (2.0, 2.0)}


def test_kinds_and_masses():
    text = """
[points]
A = [0, 0]
B = [1, 0]
[bodies]
rod = {type = "rod", points = ["A", "B"]}
bob = {type = "mass", point = "B", mass = 2}
wheel = {points = {A = [0, 0], C = [1, 1]}, mass = 0, inertia = 3}
lump = {points = {B = [0, 0], E = [1, 0]}, mass = 1, center = [0, 0]}
"""
    bodies = resolve(load_text(text)).bodies
    assert [b.kind for b in bodies.values()] == ["rod", "mass", "body", "body"]
    assert bodies["rod"].mass == 0.0 and bodies["bob"].particle and not bodies["rod"].particle
    assert bodies["wheel"].inertia == 3.0 and bodies["lump"].inertia == 0.0


# ---------------------------------------------------------------------------------- places and lines
def test_owners_and_places():
    extra = """
bob = {type = "mass", point = "A", mass = 1}
[joints]
far = {type = "distance", points = ["A", "D"]}
"""
    resolved = resolve(bars(extra))
    assert resolved.owners["O"] == (GROUND, "crank")
    assert resolved.owners["A"] == ("crank", "coupler", "bob")
    (joint,) = resolved.joints
    assert joint.places == (Place("bob", (0.0, 0.0), "A"), Place(GROUND, (3.0, 0.0), "D"))  # the point mass bears it
    assert joint.value is None


def test_a_particle_and_a_bare_point():
    text = """
[ground]
O = [0, 0]
[points]
P = [1, 0]
F = [2, 0]
[bodies.bob]
type = "mass"
point = "P"
mass = 1
[joints.a]
type = "distance"
points = ["O", "P"]
[joints.b]
type = "distance"
points = ["P", "F"]
length = 1
"""
    resolved = resolve(load_text(text))
    assert resolved.joints[0].places[1] == Place("bob", (0.0, 0.0), "P")
    assert resolved.joints[1].places[1] == Place("", (0.0, 0.0), "F")
    assert resolved.owners["F"] == ()
    assert resolved.joints[1].value == 1.0


def test_joints():
    extra = """
block = {points = {S = [0, 0], T = [1, 0]}}
[joints]
slot = {type = "point-on-line", point = "S", line = ["O", "A"]}
weld = {type = "fixed", bodies = ["crank", "coupler"]}
square = {type = "angle", lines = ["ground", "rocker"], angle = "60 deg"}
[joints.slide]
type = "prismatic"
line = ["D", "B"]
slider = {body = "block", angle = "90 deg", through = "S"}
angle = "180 deg"
"""
    model = bars(extra, **{"B = [2, 2]": "B = [2, 2]\nS = [1, 1]"})
    slot, weld, square, slide = resolve(model).joints
    assert slot.places[0] == Place("block", (0.0, 0.0), "S")
    assert slot.lines[0].vector == Span(Place("crank", (0.0, 0.0), "O"), Place("crank", (1.0, 0.0), "A"))
    assert slide.lines[0].through == Place("rocker", (0.0, 0.0), "D")
    assert slide.lines[1].vector == Direction("block", (0.0, 1.0)) and slide.value == math.pi
    assert weld.bodies == ("crank", "coupler") and weld.places == () and weld.value is None
    assert [one.vector for one in weld.lines] == [
        Direction("crank", (1.0, 0.0)),
        Direction("coupler", (1.0, 0.0)),
    ]
    assert square.value == pytest.approx(math.pi / 3)


def test_a_point_may_slide_on_a_line_that_stretches():
    extra = "[joints.j]\ntype = 'point-on-line'\npoint = 'A'\nline = ['O', 'B']\n"
    (joint,) = resolve(bars(extra)).joints
    assert joint.lines[0].length is None
    assert joint.lines[0].vector == Span(Place(GROUND, (0.0, 0.0), "O"), Place("coupler", (math.sqrt(5), 0.0), "B"))


def test_ground_line_is_a_line_of_the_ground():
    extra = "[joints.j]\ntype = 'point-on-line'\npoint = 'B'\nline = ['O', 'D']\n"
    (joint,) = resolve(bars(extra)).joints
    vector = joint.lines[0].vector
    assert isinstance(vector, Span) and vector.start.body == vector.end.body == GROUND
    assert joint.lines[0].length == 3.0


# --------------------------------------------------------------- coordinates, drivers, laws and forces
def test_coordinates_and_which_are_needed():
    extra = """
[coordinates]
s = {type = "distance", points = ["O", "B"]}
phi = {type = "angle", of = "coupler", relative_to = "crank"}
y = {type = "position", point = "B", along = ["O", "D"]}
[drivers.motor]
coordinate = "crank.angle"
law = "w*t"
[forces.spring]
type = "spring"
coordinate = "s"
stiffness = 5
[initial.velocity]
"rocker.angle" = "10 rpm"
"B.x" = 2
[parameters]
w = 3
"""
    resolved = resolve(bars(extra))
    needed = {name: c.needed for name, c in resolved.coordinates.items() if c.joint is None}
    assert needed == {"s": True, "phi": False, "y": False, "crank.angle": True, "rocker.angle": False}
    phi = resolved.coordinates["phi"]
    assert [one.vector for one in phi.lines] == [
        Direction("crank", (1.0, 0.0)),
        Direction("coupler", (1.0, 0.0)),
    ]
    assert resolved.coordinates["y"].lines[0].through == Place(GROUND, (0.0, 0.0), "O")
    angle = resolved.coordinates["crank.angle"]
    assert [one.vector for one in angle.lines] == [
        Direction(GROUND, (1.0, 0.0)),
        Direction("crank", (1.0, 0.0)),
    ]
    assert resolved.velocity == {"rocker.angle": pytest.approx(math.pi / 3), "B.x": 2.0}
    (motor,) = resolved.drivers
    assert motor.coordinate == "crank.angle" and ex.to_text(motor.law.expression) == "3.0*t"


def test_a_driver_on_a_point():
    (driver,) = resolve(bars("[drivers.d]\ncoordinate = 'A.y'\nlaw = '1 + sin(t)'\n")).drivers
    assert driver.place == Place("crank", (1.0, 0.0), "A") and driver.axis == 1


def test_laws():
    def law(value: str, extra: str = ""):
        text = f"[forces.f]\ntype = 'actuator'\npoints = ['O', 'B']\nvalue = {value}\n{extra}"
        return resolve(bars(text)).forces[0].law

    assert law("3").constant == 3.0
    assert law("'3 kN'").constant == 3000.0
    assert law("'2*k'", "[parameters]\nk = -2").constant == -4.0
    assert ex.to_text(law("'k*x - v^2 + t'", "[parameters]\nk = -2").expression) == "-2.0*x - v^2 + t"
    table = law("{x = [0, 1], y = [2, 3], interpolation = 'linear'}").table
    assert table == ((0.0, 1.0), (2.0, 3.0), "linear")
    assert law("{x = [0, 1], y = [2, 3]}").table[2] == "pchip"
    (driver,) = resolve(bars("[drivers.d]\ncoordinate = 'A.y'\nlaw = {x = [0, 1], y = [2, 3]}\n")).drivers
    assert driver.law.table[2] == "cubic"
    model = bars()
    model.add_force("f", "moment", body="crank", value=math.sin)
    assert resolve(model).forces[0].law.function is math.sin


def test_parameters_of_a_law_stay_names_with_symbols():
    model = load_text(DOUBLE + "[forces.f]\ntype='moment'\nbody='disc'\nvalue='2*m*sin(t)'\n")
    law = resolve(model, symbolic=True).forces[0].law
    assert ex.names(law.expression) == {"m", "t"}


def test_forces_of_every_kind():
    extra = """
[forces]
push = {type = "force", point = "B", value = [1, "2*t"], axes = "coupler", on = "rocker"}
turn = {type = "moment", body = "crank", value = 3, against = "coupler"}
line = {type = "spring", points = ["O", "B"], stiffness = 5, damping = 2}
torsion = {type = "spring", bodies = ["crank", "coupler"], stiffness = "3 N*m/rad"}
damp = {type = "damper", bodies = ["ground", "rocker"], damping = 1}
act = {type = "actuator", coordinate = "rocker.angle", value = "x*t"}
"""
    push, turn, line, torsion, damp, act = resolve(bars(extra)).forces
    assert push.type == "force" and push.places[0].body == "rocker" and push.axes == "coupler"
    assert push.law.constant == 1.0 and push.law_y is not None and ex.to_text(push.law_y.expression) == "2*t"
    assert turn.bodies == ("crank", "coupler")
    assert line.type == "distance" and line.law.free == pytest.approx(math.sqrt(8)) and line.law.damping == 2.0
    assert torsion.type == "angle" and torsion.law.free == pytest.approx(math.atan2(1, 2) - math.pi / 2)
    assert damp.bodies == ("ground", "rocker") and damp.law.damping == 1.0
    assert act.type == "coordinate" and act.coordinate == "rocker.angle"


def test_free_values_at_the_start_in_symbols():
    text = (
        DOUBLE
        + """
[coordinates.s]
type = "distance"
points = ["P0", "P2"]
[forces]
a = {type = "spring", coordinate = "s", stiffness = 1}
b = {type = "spring", coordinate = "phi", stiffness = 1}
c = {type = "spring", bodies = ["square", "disc"], stiffness = 1}
"""
    )
    a, b, c = resolve(load_text(text), symbolic=True).forces
    assert a.law.free == 4 * r and b.law.free == sympy.pi / 2 and c.law.free == 0


def test_free_position_at_the_start():
    extra = "[coordinates.y]\ntype='position'\npoint='B'\nalong=['D','O']\n"
    extra += "[forces.k]\ntype='spring'\ncoordinate='y'\nstiffness=1\n"
    assert resolve(bars(extra)).forces[0].law.free == pytest.approx(1.0)


def test_the_python_way_is_the_same():
    model = Model(name="pendulum", parameters={"L": "1.5 m"}, gravity=(0, -9.81))
    model.add_ground("O", 0, 0).add_point("P", "L", 0).add_bar("bar", "O", "P", mass=2)
    text = """
name = "pendulum"
gravity = [0, -9.81]
parameters = {L = "1.5 m"}
ground = {O = [0, 0]}
points = {P = ["L", 0]}
[bodies.bar]
type = "bar"
points = ["O", "P"]
mass = 2
"""
    assert model == load_text(text)
    assert resolve(model) == resolve(load_text(text))
    other = model.with_parameters(L=3)
    assert resolve(other).start["P"] == (3.0, 0.0) and resolve(model).start["P"] == (1.5, 0.0)
    with pytest.raises(ModelError, match="declared: L"):
        model.with_parameters(l=3)
    with pytest.raises(ModelError, match="already exists"):
        model.add_point("P", 0, 0)
    with pytest.raises(ModelError, match="did you mean 'gravity'"):
        Model(gravty=(0, 1))  # pyright: ignore[reportCallIssue]
    with pytest.raises(ModelError, match="not finite"):
        model.gravity = (0, math.nan)
    with pytest.raises(ModelError, match="did you mean 'length'"):
        model.add_bar("b", "O", "P", mass=1, lenght=2)


def test_a_large_model_resolves_quickly():
    """600 bodies declared from the far end, so that each is placed on the one after it."""
    model = {"ground": {"P0": [0, 0]}, "bodies": {}}
    for k in reversed(range(600)):
        model["bodies"][f"b{k}"] = {"points": {f"P{k}": [0, 0], f"P{k + 1}": [1, 0]}}
    resolved = resolve(Model.model_validate(model))
    assert resolved.start["P600"] == (600.0, 0.0)
