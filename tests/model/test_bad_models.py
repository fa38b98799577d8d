"""A catalogue of broken models: each is refused with the culprit's name and a cure, never a traceback."""

import pytest

from biela import Model
from biela.errors import ModelError
from biela.model.file import load_text
from biela.model.resolve import resolve

# A sound model, to which each case adds its mistake.
POINTS = """
[ground]
O = [0, 0]
D = [3, 0]
[points]
A = [0, 1]
B = [2, 2]
"""
BARS = (
    POINTS
    + """
[bodies.crank]
type = "bar"
points = ["O", "A"]
mass = 1
[bodies.coupler]
type = "bar"
points = ["A", "B"]
mass = 1
[bodies.rocker]
type = "bar"
points = ["D", "B"]
mass = 1
"""
)
PHI = BARS + '[coordinates.phi]\ntype = "angle"\nof = ["O", "A"]\n'
MASS = "[ground]\nO = [0, 0]\n[points]\nP = [0, 1]\n[bodies.bob]\ntype = 'mass'\npoint = 'P'\nmass = 1\n"

CASES: dict[str, tuple[str, list[str]]] = {
    # ------------------------------------------------------------------ keys, types, shapes of values
    "unknown key": ("gravty = [0, -9.81]", ["gravty", "did you mean 'gravity'"]),
    "unknown key of a bar": (
        BARS.replace("mass = 1", "mass = 1\nlenght = 2", 1),
        ["lenght", "'length'", "line 13"],
    ),
    "unknown key of gravity": ("gravity = {x = 0, w = 1}", ["'w'", "x and y"]),
    "unknown key of an axis": (
        BARS + "[coordinates.phi]\ntype = 'angle'\nof = {bdy = 'crank'}",
        ["bdy", "'body'"],
    ),
    "unknown key of a table law": (
        PHI + "[drivers.m]\ncoordinate='phi'\nlaw={x=[0,1],yy=[0,1]}",
        ["yy", "'y'"],
    ),
    "unknown key of the run": ("[run]\nduraton = 3", ["duraton", "'duration'"]),
    "unknown type": (BARS + "[forces.f]\ntype = 'spirng'\n", ["spirng", "did you mean 'spring'", "actuator"]),
    "missing type": (
        BARS + "[joints.j]\npoints = ['A', 'B']\n",
        ["'type' is missing", "joints.j", "revolute"],
    ),
    "missing mass": (POINTS + "[bodies.b]\ntype='bar'\npoints=['A','B']", ["'mass' is missing", "bodies.b"]),
    "true for a number": (
        BARS.replace("mass = 1", "mass = true", 1),
        ["bodies.crank.mass", "true", "number"],
    ),
    "list for a number": (BARS.replace("mass = 1", "mass = [1]", 1), ["bodies.crank.mass", "give a number"]),
    "one coordinate": ("[points]\nA = [1]", ["points.A", "expected 2 values, found 1"]),
    "four coordinates": ("[points]\nA = [1, 2, 3, 4]", ["points.A", "expected 3 values, found 4"]),
    "bar of three points": (
        BARS.replace('["O", "A"]', '["O", "A", "B"]'),
        ["bodies.crank.points", "expected 2 values, found 3"],
    ),
    "a body that is a number": ("[bodies]\ncrank = 3", ["bodies.crank", "give a table"]),
    "points as a list": ("points = [1, 2]", ["points", "give a table of names"]),
    "name with a blank": ('[points]\n"A B" = [1, 2]', ["'A B'", "letters, digits"]),
    "name with a dot": ('[bodies.b]\npoints = {"A.x" = [0, 0]}', ["'A.x'", "letters, digits"]),
    "name too long": (f"[points]\n{'a' * 65} = [1, 2]", ["aaaa", "64 characters"]),
    # ------------------------------------------------------------------------- numbers, units, formulas
    "NaN": ("gravity = [0, nan]", ["gravity[2]", "not finite"]),
    "infinity": (BARS.replace("mass = 1", "mass = inf", 1), ["bodies.crank.mass", "not finite"]),
    "NaN in a text": (BARS.replace("mass = 1", "mass = 'nan kg'", 1), ["bodies.crank.mass", "finite"]),
    "integer beyond floats": (f"[parameters]\nm = 1{'0' * 400}", ["parameters.m"]),
    "unit mismatch": (BARS.replace("mass = 1", "mass = '2 m'", 1), ["'2 m' is not a mass", "'2.5 kg'"]),
    "length for an angle": (
        PHI + "[drivers.m]\ncoordinate = 'phi'\nlaw = '3 mm'",
        ["drivers.m.law", "'3 mm' is not an angle", "'30 deg'"],
    ),
    "unit of a parameter": (
        "[parameters]\nL = '30 deg'\n" + BARS.replace("mass = 1", "mass = 1\nlength = 'L'", 1),
        ["bodies.crank.length", "'L' is not a length"],
    ),
    "unknown unit": (BARS.replace("mass = 1", "mass = '2 kgs'", 1), ["'kgs'", "did you mean 'kg*s'"]),
    "unknown parameter": (
        "[parameters]\nmass1 = 1\n" + BARS.replace("mass = 1", "mass = 'mas1'", 1),
        ["'mas1'", "did you mean 'mass1'"],
    ),
    "formula that ends early": (
        BARS.replace("mass = 1", "mass = '2*(1+'", 1),
        ["bodies.crank.mass", "'2*(1+'"],
    ),
    "division by zero": (BARS.replace("mass = 1", "mass = '1/(2-2)'", 1), ["bodies.crank.mass", "'1/(2-2)'"]),
    "root of a negative": ("gravity = [0, 'sqrt(0-1)']", ["gravity, y", "sqrt"]),
    "Python in a formula": (
        """gravity = {x = '__import__("os").system("touch owned")'}""",
        ["gravity, x", "__import__"],
    ),
    "attribute in a formula": ("gravity = [0, '(1).__class__']", ["gravity, y"]),
    "time in a constant": (BARS.replace("mass = 1", "mass = '2*t'", 1), ["cannot depend on 't'", "constant"]),
    "parameters in a circle": (
        "[parameters]\na = '2*b'\nb = 'c'\nc = 'a + 1'",
        ["circle", "a -> ", "b -> c"],
    ),
    "parameter of itself": ("[parameters]\na = '2*a'", ["circle", "a -> a"]),
    "reserved parameter": ("[parameters]\nt = 3", ["'t'", "rename it"]),
    "parameter called pi": ("[parameters]\npi = 3", ["'pi'", "rename it"]),
    "parameter called sin": ("[parameters]\nsin = 3", ["'sin'", "rename it"]),
    "parameter with a minus": ("[parameters]\nmy-mass = 3", ["'my-mass'", "'my_mass'"]),
    "deeply nested formula": (f"gravity = [0, '{'(' * 3000}1{')' * 3000}']", ["gravity, y"]),
    # ------------------------------------------------------------------------------- points and bodies
    "missing point": (
        POINTS + "[bodies.b]\ntype='rod'\npoints=['A','C']\n",
        ["point 'C'", "bodies.b", "points:"],
    ),
    "misspelt point": (
        "[ground]\nbase=[0,0]\n[points]\ntip=[1,0]\n[bodies.b]\ntype='rod'\npoints=['bse','tip']",
        ["'bse'", "did you mean 'base'"],
    ),
    "lonely point": (BARS.replace("B = ", "XY = [5, 5]\nB = "), ["'XY' belongs to nothing", "remove it"]),
    "lonely fixed point": (
        "[ground]\nPivott = [0, 0]\n[points]\nA = [1, 0]\n[bodies.b]\npoints = {Pivot = [0, 0], A = [1, 0]}",
        ["'Pivott' belongs to nothing", "did you mean 'Pivot'"],
    ),
    "point both fixed and moving": ("[ground]\nP=[0,0]\n[points]\nP=[1,1]", ["'P'", "taken twice", "rename"]),
    "body and point of one name": (
        POINTS + "[bodies.A]\ntype='rod'\npoints=['A','B']",
        ["'A'", "taken twice"],
    ),
    "joint and force of one name": (
        BARS
        + "[joints.f]\ntype='distance'\npoints=['O','B']\n[forces.f]\ntype='moment'\nbody='crank'\nvalue=1",
        ["'f'", "a joint and a force"],
    ),
    "body called ground": (
        POINTS + "[bodies.ground]\ntype='rod'\npoints=['A','B']",
        ["'ground'", "another name"],
    ),
    "zero mass": (BARS.replace("mass = 1", "mass = 0", 1), ["'crank' has no mass", "use a rod"]),
    "negative mass": (BARS.replace("mass = 1", "mass = -2", 1), ["'crank' is negative", "-2 kg", "positive"]),
    "negative mass by formula": (
        "[parameters]\nm=-3\n" + BARS.replace("mass = 1", "mass = 'm'", 1),
        ["-3 kg"],
    ),
    "massless disc": (
        POINTS + "[bodies.d]\ntype='disc'\npoints={A=[0,0],B=[1,0]}\nradius=1\nmass=0",
        ["'body'"],
    ),
    "massless particle": (
        MASS.replace("mass = 1", "mass = 0"),
        ["'bob' has no mass", "leave the point mass out"],
    ),
    "negative inertia": (
        BARS.replace("mass = 1", "mass = 1\ninertia = -1", 1),
        ["inertia of 'crank'", "-1 kg m^2"],
    ),
    "mass without a centre": (POINTS + "[bodies.b]\npoints=['A','B']\nmass=2", ["'b'", "center = [x, y]"]),
    "negative radius": (
        POINTS + "[bodies.d]\ntype='disc'\npoints={A=[0,0],B=[1,0]}\nradius=-1\nmass=1",
        ["radius"],
    ),
    "plate without width": (
        POINTS + "[bodies.p]\ntype='plate'\npoints={A=[0,0],B=[1,0]}\nwidth=0\nheight=1\nmass=1",
        ["width of plate 'p'", "width > 0"],
    ),
    "bar of no length": (BARS.replace("A = [0, 1]", "A = [0, 0]"), ["'O' and 'A'", "coincide", "'crank'"]),
    "negative length": (
        BARS.replace("mass = 1", "mass = 1\nlength = -1", 1),
        ["bar 'crank'", "length", "positive"],
    ),
    "points of a body coincide": (
        POINTS + "[bodies.b]\npoints = {A = [0, 0], B = [1, 0], C = [1, 0]}",
        ["'B' and 'C'", "coincide"],
    ),
    "points start in one place": (
        BARS.replace("mass = 1", "mass = 1\nlength = 1", 1).replace("A = [0, 1]", "A = [0, 0]"),
        ["'crank'", "start in one place", "(0, 0)"],
    ),
    "bar from a point to itself": (POINTS + "[bodies.b]\ntype='rod'\npoints=['A','A']", ["'b'", "'A' twice"]),
    "body without points": ("[bodies.b]\npoints = []", ["body 'b' has no points"]),
    "body nowhere": (
        "[bodies.b]\npoints = {P = [0, 0], Q = [1, 0]}",
        ["'b' starts", "P, Q", "rough position"],
    ),
    # ------------------------------------------------------------------------------------------ joints
    "joint of an unknown point": (
        BARS + "[joints.j]\ntype='distance'\npoints=['O','C']",
        ["'C'", "joints.j"],
    ),
    "joint named a body": (BARS + "[joints.j]\ntype='distance'\npoints=['O','rocker']", ["it is a body"]),
    "joint within one body": (
        BARS + "[joints.j]\ntype='distance'\npoints=['O','A']",
        ["'j'", "'crank'", "different"],
    ),
    "joint within the ground": (BARS + "[joints.j]\ntype='revolute'\npoints=['O','D']", ["'j'", "'ground'"]),
    "joint of a point with itself": (
        BARS + "[joints.j]\ntype='revolute'\npoints=['A','A']",
        ["'j'", "'A' twice"],
    ),
    "distance of zero": (
        BARS + "[joints.j]\ntype='distance'\npoints=['O','B']\nlength=0",
        ["'j'", "revolute"],
    ),
    "slot without a place": (
        BARS + "[joints.j]\ntype='point-on-line'\npoint='B'\nline='crank'",
        ["joints.j.line", "'crank'", "through"],
    ),
    "point on its own line": (
        BARS + "[joints.j]\ntype='point-on-line'\npoint='A'\nline={body='crank', through='O'}",
        ["'A'", "'crank'", "another body"],
    ),
    "line through another body's point": (
        BARS + "[joints.j]\ntype='point-on-line'\npoint='B'\nline={body='crank', through='D'}",
        ["'D' is not a point of 'crank'", "O, A"],
    ),
    "prismatic within one body": (
        BARS + "[joints.j]\ntype='prismatic'\nline=['O','A']\nslider={body='crank', through='A'}",
        ["'j'", "one body", "'crank'"],
    ),
    "prismatic on a point mass": (
        MASS
        + "[joints.j]\ntype='prismatic'\nline={body='ground', through='O'}\nslider={body='bob', through='P'}",
        ["point mass 'bob'", "no axes"],
    ),
    "prismatic between two bodies' points": (
        BARS + "[joints.j]\ntype='prismatic'\nline=['O','B']\nslider=['A','B']",
        ["'O' - 'B'", "joins two bodies", "rod"],
    ),
    "weld to itself": (BARS + "[joints.j]\ntype='fixed'\nbodies=['crank','crank']", ["'j'", "itself"]),
    "weld without a common point": (
        BARS + "[joints.j]\ntype='fixed'\nbodies=['crank','rocker']",
        ["'crank' and 'rocker' share no point", "points ="],
    ),
    "weld of an unknown body": (BARS + "[joints.j]\ntype='fixed'\nbodies=['crank','rod']", ["no body 'rod'"]),
    "angle of one body": (BARS + "[joints.j]\ntype='angle'\nlines=['crank',['O','A']]", ["'j'", "one body"]),
    # --------------------------------------------------------------------------- coordinates and drivers
    "constant coordinate": (
        BARS + "[coordinates.s]\ntype='angle'\nof='crank'\nrelative_to=['O','A']",
        ["'s' never changes", "'crank'"],
    ),
    "coordinate of an unknown body": (
        BARS + "[coordinates.s]\ntype='angle'\nof='crnk'",
        ["did you mean 'crank'"],
    ),
    "position without a place": (
        BARS + "[coordinates.s]\ntype='position'\npoint='A'\nalong='ground'",
        ["coordinates.s.along", "through"],
    ),
    "driver of an unknown coordinate": (
        PHI + "[drivers.m]\ncoordinate='fi'\nlaw='t'",
        ["'fi'", "coordinates: phi"],
    ),
    "driver of a fixed point": (
        BARS + "[drivers.m]\ncoordinate='O.x'\nlaw='t'",
        ["'O.x'", "fixed to the ground"],
    ),
    "two drivers of one coordinate": (
        PHI + "[drivers.m]\ncoordinate='phi'\nlaw='t'\n[drivers.n]\ncoordinate='phi'\nlaw='2*t'",
        ["'m' and 'n' both drive 'phi'", "remove one"],
    ),
    "driver of position": (PHI + "[drivers.m]\ncoordinate='phi'\nlaw='2*x'", ["cannot depend on 'x'", "t"]),
    "driver with an unknown name": (
        PHI + "[drivers.m]\ncoordinate='phi'\nlaw='omega*t'",
        ["'omega'", "drivers.m"],
    ),
    "driver of the angle of a mass": (
        MASS + "[drivers.m]\ncoordinate='bob.angle'\nlaw='t'",
        ["'bob'", "no axes"],
    ),
    "law that does not start": (PHI + "[drivers.m]\ncoordinate='phi'\nlaw='1/t'", ["'1/t'", "t = 0"]),
    "table out of order": (
        PHI + "[drivers.m]\ncoordinate='phi'\nlaw={x=[0,2,1],y=[0,1,2]}",
        ["drivers.m.law", "x[2] = 2 is followed by 1", "sort"],
    ),
    "table with columns apart": (
        PHI + "[drivers.m]\ncoordinate='phi'\nlaw={x=[0,1],y=[0,1,2]}",
        ["x has 2", "y has 3"],
    ),
    "table of one row": (
        PHI + "[drivers.m]\ncoordinate='phi'\nlaw={x=[0],y=[0]}",
        ["drivers.m.law.x", "2 values"],
    ),
    # ------------------------------------------------------------------------------------------ forces
    "force on nothing": (BARS + "[forces.f]\ntype='spring'\nstiffness=1", ["'f'", "exactly one of"]),
    "force on two things": (
        PHI + "[forces.f]\ntype='spring'\nstiffness=1\ncoordinate='phi'\npoints=['O','B']",
        ["'f'", "points and coordinate", "exactly one"],
    ),
    "spring without stiffness": (
        BARS + "[forces.f]\ntype='spring'\npoints=['O','B']\nstiffness=0",
        ["'f'", "> 0"],
    ),
    "spring of a damper's unit": (
        BARS + "[forces.f]\ntype='spring'\npoints=['O','B']\nstiffness='3 N*s/m'",
        ["forces.f.stiffness", "not a stiffness", "'200 N/m'"],
    ),
    "torsion spring in N/m": (
        BARS + "[forces.f]\ntype='spring'\nbodies=['crank','coupler']\nstiffness='3 N/m'",
        ["forces.f.stiffness", "torsional stiffness"],
    ),
    "spring within a body": (
        BARS + "[forces.f]\ntype='spring'\npoints=['O','A']\nstiffness=1",
        ["'f'", "'crank'"],
    ),
    "negative damping": (
        BARS + "[forces.f]\ntype='damper'\npoints=['O','B']\ndamping=-1",
        ["'f'", "actuator"],
    ),
    "negative free length": (
        BARS + "[forces.f]\ntype='spring'\npoints=['O','B']\nstiffness=1\nfree=-1",
        ["free length of spring 'f'", ">= 0"],
    ),
    "spring on a point's coordinate": (
        BARS + "[forces.f]\ntype='spring'\ncoordinate='A.x'\nstiffness=1",
        ["'f'", "'A.x'", "'position'"],
    ),
    "force on the ground": (
        BARS + "[forces.f]\ntype='force'\npoint='O'\nvalue=[1,0]",
        ["'f'", "ground", "moving"],
    ),
    "force on a body without the point": (
        BARS + "[forces.f]\ntype='force'\npoint='A'\non='rocker'\nvalue=[1,0]",
        ["'A' is not a point of 'rocker'", "D, B"],
    ),
    "force in unknown axes": (
        BARS + "[forces.f]\ntype='force'\npoint='A'\naxes='crnk'\nvalue=[1,0]",
        ["'crank'"],
    ),
    "force with one component": (
        BARS + "[forces.f]\ntype='force'\npoint='A'\nvalue=3",
        ["forces.f.value", "two"],
    ),
    "moment on the ground": (
        BARS + "[forces.f]\ntype='moment'\nbody='ground'\nvalue=1",
        ["forces.f.body", "ground"],
    ),
    "moment on a point mass": (
        MASS + "[forces.f]\ntype='moment'\nbody='bob'\nvalue=1",
        ["'bob'", "rigid body"],
    ),
    "moment in newtons": (
        BARS + "[forces.f]\ntype='moment'\nbody='crank'\nvalue='3 N'",
        ["not a moment", "'5 N*m'"],
    ),
    "moment of position": (
        BARS + "[forces.f]\ntype='moment'\nbody='crank'\nvalue='x'",
        ["cannot depend on 'x'"],
    ),
    # ------------------------------------------------------------------------------------ start and run
    "start of an unknown coordinate": (PHI + "[initial.position]\nfi = 1", ["'fi'", "coordinates: phi"]),
    "start of a fixed point": (PHI + "[initial.velocity]\n'O.x' = 1", ["'O.x'", "fixed to the ground"]),
    "speed in metres": (PHI + "[initial.velocity]\nphi = '3 m/s'", ["initial.velocity.phi", "'1500 rpm'"]),
    "negative distance": (
        BARS + "[coordinates.s]\ntype='distance'\npoints=['O','B']\n[initial.position]\ns=-1",
        ["'s'", "-1 m", "'position'"],
    ),
    "negative duration": ("[run]\nduration = -1", ["duration", "-1 s", "> 0"]),
    "zero step": ("[run]\nstep = 0", ["step", "> 0"]),
    "step beyond the run": ("[run]\nstep = 3\nduration = 2", ["longer than the run", "smaller step"]),
    "step in metres": ("[run]\nstep = '1 mm'", ["run.step", "'1 mm' is not a time"]),
}


@pytest.mark.parametrize("case", CASES)
def test_a_broken_model_is_refused_with_a_name_and_a_cure(case: str):
    text, words = CASES[case]
    with pytest.raises(ModelError) as caught:
        resolve(load_text(text))
    report = str(caught.value)
    for word in words:
        assert word in report, report
    for problem in caught.value.problems:
        assert problem.what and problem.cure, f"no cure:\n{problem}"
    for jargon in ("pydantic", "Traceback", "validation error", "Input should", "union", "dict["):
        assert jargon not in report


def test_there_are_enough():
    assert len(CASES) >= 45


def test_the_sound_parts_are_sound():
    for text in (POINTS.split("[points]")[0], BARS, PHI, MASS):
        resolve(load_text(text))


def test_all_the_problems_are_told_at_once():
    text = (
        BARS.replace("mass = 1", "mass = -1")
        + "[joints.j]\ntype='revolute'\npoints=['A','Q']\n[run]\nstep=-1"
    )
    with pytest.raises(ModelError) as caught:
        resolve(load_text(text))
    report = str(caught.value)
    assert "5 problems" in report
    for word in ("crank", "coupler", "rocker", "'Q'", "run.step"):
        assert word in report


def test_one_mistake_is_one_problem():
    """A bad parameter used in ten places is told once, and so is a point that does not exist."""
    text = "[parameters]\nm = '2 kgg'\n" + BARS.replace("mass = 1", "mass = 'm'")
    with pytest.raises(ModelError) as caught:
        resolve(load_text(text))
    assert len(caught.value.problems) == 1


def test_a_start_that_is_no_number():
    for said in ({"position": {"P.y": float("nan")}}, {"velocity": {"P.y": float("inf")}}, {"position": {"P.y": [1]}}):
        with pytest.raises(ModelError, match=r"initial\.(position|velocity)\.P\.y"):
            Model().start(**said)
