"""Laws that are short in time or narrow in space, that switch or bend: no integrator steps over them, and steps end
where they do. Closed forms throughout."""

from __future__ import annotations

import math

import numpy as np
import pytest

import biela
from biela.model.file import load_text

ERROR_CONTROLLED = ["auto", "dopri5", "dopri8", "radau5", "dop853", "radau", "lsoda", "bdf"]
SETS = ["natural", "reference-point", "relative", "mixed"]


def ball(velocity: float = 0.0) -> biela.Model:
    """1 kg at x = 1 m, free in the plane."""
    m = biela.Model(name="ball", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    return m.start(velocity={"P.x": velocity, "P.y": 0})


def pushed(value, **keys) -> biela.Model:
    return ball().add_force("f", "force", point="P", value=[value, 0], **keys)


def passing(law, velocity: float = 1.0, **keys) -> biela.Model:
    return ball(velocity).add_force("f", "actuator", points=("O", "P"), value=law, **keys)


def last(r: biela.Result, channel: str = "P.vx") -> float:
    assert r.ok, r.quality()
    return float(r[channel][-1])


# ------------------------------------------------------------------------------------------------- of time
@pytest.mark.parametrize("integrator", ERROR_CONTROLLED)
@pytest.mark.parametrize("width", [1e-2, 1e-4])
def test_pulses_of_time(integrator, width):
    t0 = 37.123
    law = f"if(t > {t0}, if(t < {t0 + width}, {1 / width}, 0), 0)"
    assert last(biela.simulate(pushed(law), 100.0, integrator=integrator)) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("integrator", ERROR_CONTROLLED)
def test_triangles_in_tables(integrator):
    x, y = [0, 37.123, 37.1231, 37.1232, 100], [0, 0, 1e4, 0, 0]
    law = {"x": x, "y": y, "interpolation": "linear"}
    assert last(biela.simulate(pushed(law), 100.0, integrator=integrator)) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize(
    ("law", "impulse"),
    [
        ("1e4/sqrt(pi)*exp(-((t - 41.7)*1e4)^2)", 1.0),
        ("step(t, 20.0, 0, 20.0001, 1)*step(t, 20.001, 1, 20.0011, 0)*1000", 1.0),
        ("abs(t - 50)", 2500.0),
        ("max(0, 1 - 1e3*abs(t - 33))*1e3", 1.0),
        ("sign(sin(t))", 20 * math.pi - 20 * math.pi),
    ],
)
@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-11])
def test_other_laws_of_time(law, impulse, tolerance):
    t_end = 20 * math.pi if "sin" in law else 100.0
    r = biela.simulate(pushed(law), t_end, tolerance=tolerance)
    assert last(r) == pytest.approx(impulse, rel=30 * tolerance + 1e-9, abs=1e-7 + 30 * tolerance)


@pytest.mark.parametrize("integrator", ["rk4", "euler", "trapezoidal", "abm4", "ab4", "gauss", "newmark", "conserving"])
def test_fixed_steps_are_cut_where_a_law_switches(integrator):
    """A pulse shorter than a step; constant forces are exact for all of these but for Euler's positions."""
    law = "if(t > 3.0017, if(t < 3.0047, 100, 0), 0)"
    r = biela.simulate(pushed(law), 5.0, integrator=integrator, step=0.01)
    assert r.finished and float(r["P.vx"][-1]) == pytest.approx(0.3, rel=1e-6)


@pytest.mark.parametrize("width", [1e-2, 1e-3, 1e-5])
def test_conditions_that_hold_for_a_moment(width):
    """One difference that changes its sign twice within a ten-thousandth of a step: a square, a product, a sine."""
    for law in (f"if((t - 37.1234)^2 < {width**2}, {0.5 / width}, 0)",
                f"if((t - 37.1234)*(t - {37.1234 + width}) < 0, {1 / width}, 0)"):  # fmt: skip
        assert last(biela.simulate(pushed(law), 100.0, integrator="dopri8")) == pytest.approx(1.0, rel=1e-6)
    law = f"if((x - 50.3)^2 < {width**2}, {0.5 / width}, 0)"
    assert last(biela.simulate(passing(law), 100.0, integrator="dopri8")) == pytest.approx(math.sqrt(3), rel=1e-6)


@pytest.mark.parametrize("level", [0.99, 0.9999, 0.999999])
def test_conditions_of_a_fast_sine(level):
    law, pulses = f"if(sin(200*t) > {level}, {100 / math.acos(level)}, 0)", int((2e4 - math.pi / 2) / (2 * math.pi)) + 1
    assert last(biela.simulate(pushed(law), 100.0, integrator="dopri8")) == pytest.approx(pulses, rel=1e-6)


def test_conditions_of_beats():
    """Hundreds of peaks that do not reach the level lie before each that does: too many for one look at a long step."""
    law = "if(sin(200*t) + sin(201*t) > 1.9999, 1000, 0)"
    assert last(biela.simulate(pushed(law), 100.0, integrator="dopri8")) == pytest.approx(1.469, abs=2e-3)


@pytest.mark.parametrize("integrator", ERROR_CONTROLLED)
def test_steps_as_long_as_some_periods(integrator):
    """A step from one zero of a sine to another, five or twenty-five half periods later, hides all between them."""
    half = 0.530335435270221
    law = f"0.3*abs(sin((x - 17.163787997171834)/{half}))*if(x > 17.163, if(x < 18.829885904555105, 1, 0), 0)"
    r = biela.simulate(passing(law, 1.6021241050519088), 79.5, samples=10, integrator=integrator)
    assert last(r) == pytest.approx(math.sqrt(1.6021241050519088**2 + 2 * 0.3 * 2 * half), rel=1e-6)


def test_knots_that_are_met_early():
    """2 ms after the start a time has more digits than a distance of 1 m: the knot is met but for rounding."""
    x, y = [0, 1, 1.002, 1.004, 2, 10], [0, 0.1, 0.3, 0.2, 0.1, 0]
    r = biela.simulate(passing({"x": x, "y": y, "interpolation": "linear"}), 5.0, integrator="dopri8")
    work = 0.5 * (0.4 * 0.002 + 0.5 * 0.002 + 0.3 * 0.996)  # from 1 m to 2 m
    beyond = float(r["P.x"][-1]) - 2
    work += 0.1 * beyond - 0.1 / 16 * beyond**2
    assert r.ok and last(r) == pytest.approx(math.sqrt(1 + 2 * work), rel=1e-7)


# -------------------------------------------------------------------------------------------- of the strain
@pytest.mark.parametrize("integrator", ERROR_CONTROLLED)
@pytest.mark.parametrize("width", [0.5, 0.01])
def test_bumps_of_place(integrator, width):
    """A potential step of 1 J, however narrow: v^2 = 1 + 2."""
    law = f"{1 / (width * math.sqrt(2 * math.pi))}*exp(-((x - 50.3)/{width})^2/2)"
    assert last(biela.simulate(passing(law), 100.0, integrator=integrator)) == pytest.approx(math.sqrt(3), rel=1e-5)


@pytest.mark.parametrize("coordinates", SETS)
def test_barriers(coordinates):
    r = biela.simulate(passing("if(x > 51, if(x < 51.1, -2, 0), 0)"), 100.0, coordinates=coordinates)
    assert last(r) == pytest.approx(math.sqrt(0.6), rel=1e-8)


def test_tables_of_place():
    law = {"x": [0, 50, 50.01, 50.02, 100], "y": [0, 0, 100, 0, 0], "interpolation": "linear"}
    assert last(biela.simulate(passing(law), 100.0)) == pytest.approx(math.sqrt(3), rel=1e-7)


@pytest.mark.parametrize("integrator", ["auto", "dopri5", "radau5", "dop853"])
@pytest.mark.parametrize("k", [1e2, 1e4, 1e6])
def test_walls_made_of_conditions(integrator, k):
    law = f"if(x > 50, {-k}*(x - 50), 0) + if(x < 1, {k}*(1 - x), 0)"
    half = 49 / 3 + math.pi / math.sqrt(k)
    n, s = int(40 // half), 40 % half
    x = 1 + 3 * s if s < 49 / 3 else 50 + 3 / math.sqrt(k) * math.sin(math.sqrt(k) * (s - 49 / 3))
    r = biela.simulate(passing(law, 3.0), 40.0, integrator=integrator)
    assert last(r, "P.x") == pytest.approx(x if n % 2 == 0 else 51 - x, rel=1e-5)


def test_a_wall_that_is_only_grazed():
    """The strain is a distance that has its least value, 2 m, within a long step."""
    m = biela.Model(name="graze", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", -30, 2).add_mass("p", "P", 1.0)
    m.add_force("f", "actuator", points=("O", "P"), value="if(x < 2.1, 1e-3, 0)").start(velocity={"P.x": 1, "P.y": 0})
    seen = float(biela.simulate(m, 60.0)["P.vy"][-1])
    fine = float(biela.simulate(m, 60.0, integrator="rk4", step=1e-3)["P.vy"][-1])
    assert seen > 1e-4 and seen == pytest.approx(fine, abs=1e-8)


# ------------------------------------------------------------------------------------------------ of the rate
@pytest.mark.parametrize("coordinates", SETS)
def test_dry_friction_comes_to_rest_and_stays(coordinates):
    """-5 sign(v): 0.1 m on in 0.2 s, then rest; the run says what holds it there."""
    r = biela.simulate(passing("-5*sign(v)"), 5.0, coordinates=coordinates)
    assert r.ok and float(r["P.x"][-1]) == pytest.approx(1.1, abs=1e-5)
    assert abs(float(r["P.vx"][-1])) < 1e-5
    assert any("force 'f' holds the mechanism" in note for note in r.notes)


def test_dry_friction_lets_go():
    """8 sin(2 t) pulls against 5 N: the stops and starts are those of a smooth law with a steep slope."""
    sharp = biela.simulate(passing("-5*sign(v)").add_force("g", "force", point="P", value=["8*sin(2*t)", 0]), 5.0)
    steep = biela.simulate(passing("-5*tanh(v/1e-5)").add_force("g", "force", point="P", value=["8*sin(2*t)", 0]), 5.0)
    assert last(sharp, "P.x") == pytest.approx(last(steep, "P.x"), abs=1e-4)


@pytest.mark.parametrize("law", ["if(1 - (v > 0), 5, -5)", "if((v > 0) + (x > 500), -5, 5)"])
def test_dry_friction_in_other_words(law):
    r = biela.simulate(passing(law), 2.0)
    assert r.ok and float(r["P.x"][-1]) == pytest.approx(1.1, abs=1e-5)


def test_a_law_beyond_whose_switch_there_is_nothing():
    """-v sqrt|v|: v = 1/(1 + t/2)^2. The root of the branch that holds has no value beyond rest, and needs none."""
    assert last(biela.simulate(passing("-v*sqrt(abs(v))"), 8.0)) == pytest.approx(1 / 25, rel=1e-6)


@pytest.mark.parametrize("law", ["sin(t)^2 + cos(t)^2 - 1", "1e-3*(atan(1e6*(t - 3.1)) - atan(1e6*(t - 3.2)))"])
def test_laws_that_are_rounding_for_most_of_the_time(law):
    """Rounding hides nothing: the steps are long where it is all there is."""
    r = biela.simulate(pushed(law), 100.0)
    assert r.ok and r.trajectory.steps < 2000
    assert float(r["P.vx"][-1]) == pytest.approx(0.0 if "sin" in law else 1e-4 * math.pi, abs=1e-7)


def test_drag_that_bends():
    """-v|v|: v = 1/(1 + t)."""
    assert last(biela.simulate(passing("-v*abs(v)"), 9.0)) == pytest.approx(0.1, rel=1e-7)


def test_a_speed_limiter():
    """Thrust of 1 N below 2 m/s, drag of 1 N above: it stays at 2 m/s."""
    r = biela.simulate(passing("if(v < 2, 1, -1)"), 10.0)
    assert last(r) == pytest.approx(2.0, abs=1e-5)


# ---------------------------------------------------------------------------------------------- functions
def test_functions_of_python_say_their_scale():
    def bump(t, x, v):
        return math.exp(-(((x - 50.3) / 0.1) ** 2) / 2) / (0.1 * math.sqrt(2 * math.pi))

    def pulse(t):
        return 1e3 if 37.123 < t < 37.124 else 0.0

    assert last(biela.simulate(passing(bump, scale="0.1 m"), 100.0)) == pytest.approx(math.sqrt(3), rel=1e-5)
    r = biela.simulate(pushed(lambda t, x=0.0, v=0.0: pulse(t), scale="1 ms"), 100.0, tolerance=1e-6)
    assert float(r["P.vx"][-1]) == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(("scale", "what"), [("-1 ms", "not positive"), ("3 kg", "scale")])
def test_scales_that_are_none(scale, what):
    with pytest.raises(biela.BielaError, match=what):
        biela.simulate(pushed(lambda t, x=0.0, v=0.0: 0.0, scale=scale), 1.0)
    with pytest.raises(biela.BielaError, match="Python function"):
        biela.simulate(pushed("t", scale="1 ms"), 1.0)


# ---------------------------------------------------------------------------------------- what stays as it was
def test_laws_go_by_their_operands_outside_a_run():
    """The sides of a run are out of force when it is over: looking at a system later is not bound by them."""
    system = biela.assemble(passing("if(x > 51, -2, 0)"))
    biela.simulate(system, 100.0)
    s = system.arrays
    assert not s.side.any() and s.side_kept.any()
    from biela.kernels.calls_from_python import law_at

    assert law_at(system.header, 0, 0.0, 50.0, 0.0) == 0.0 and law_at(system.header, 0, 0.0, 52.0, 0.0) == -2.0


def test_a_run_goes_on_bit_for_bit(tmp_path):
    model, ended = passing("if(x > 1.5, if(x < 1.6, -2, 0), 0) - 0.1*sign(v)"), {}

    def interrupt(part, steps):
        if part > 0.2 and "yes" not in ended:
            ended["yes"] = True
            raise KeyboardInterrupt

    options = {"integrator": "rk4", "step": 1e-5}
    whole = biela.simulate(model, 2.0, **options)
    first = biela.simulate(model, 2.0, progress=interrupt, checkpoint=tmp_path / "c.npz", **options)
    assert not first.finished
    on = biela.resume(tmp_path / "c.npz")
    np.testing.assert_array_equal(on["P.x"], whole["P.x"])


@pytest.mark.parametrize("law", ["if(x > 50, -1, 0)", "sin(x)", {"x": [0, 50, 60], "y": [0, 1, 0]}])
def test_motion_does_not_depend_on_how_many_samples_are_kept(law):
    few, many = (biela.simulate(passing(law), 80.0, samples=n) for n in (10, 1000))
    assert last(few, "P.x") == last(many, "P.x")


def test_steps_too_long_for_a_law_are_told():
    r = biela.simulate(pushed("100*exp(-((t - 2.003)/1e-4)^2)"), 5.0, integrator="rk4", step=0.01)
    assert r.verdict.grade != "good"


@pytest.mark.parametrize("integrator", ["auto", "dopri5", "radau5"])
@pytest.mark.parametrize("power", [0.3, 0.5])
def test_friction_that_falls_with_a_power_of_the_speed(integrator, power):
    """v' = -5 v^p is at rest after 1/(5 (1 - p)) seconds, 1/(5 (2 - p)) metres on, and its slope is infinite there."""
    r = biela.simulate(passing(f"-5*sign(v)*abs(v)^{power}"), 5.0, integrator=integrator)
    assert r.trajectory.steps < 60_000 and abs(last(r)) < 1e-6
    assert float(r["P.x"][-1]) == pytest.approx(1 + 1 / (5 * (2 - power)), rel=1e-6)


@pytest.mark.parametrize("integrator", ["auto", "dopri5", "dopri8", "radau5", "rk4", "gauss"])
def test_a_run_that_stops_keeps_numbers_only(integrator):
    """The law has no value beyond t = 2 s."""
    r = biela.simulate(passing("-sqrt(v)"), 5.0, integrator=integrator, **({"step": 0.01} if "4" in integrator else {}))
    assert not r.ok and 1.9 < float(r.t[-1]) <= 2.02
    for name in ("P.x", "P.vx", "P.ax", "energy.error"):
        assert np.isfinite(np.asarray(r[name])).all(), name
    assert "the law '-sqrt(v)' of 'f'" in r.message and "nan" not in r.message + r.quality()


RIGID = """
gravity = [-1.8772, -9.81]
[ground]
F = [-1, 1]
[points]
A = [-0.5466405927795369, 0.4094902565015112]
B = [0.3919867543803467, 1.6687201845879953]
C = [-0.5466405927795369, 0.4094902565015112]
D = [-1.3139278430228765, 1.008754116674294]
[bodies]
a = { type = "bar", points = ["A", "B"], length = 2, mass = 2, center = [1, -0.9], inertia = 0.4 }
c = { type = "body", points = { C = [0.88, 0.18], D = [0.6, 1.11] }, mass = 1.29, center = [0.18, -0.7], inertia = 0.3 }
[joints]
pin = { type = "revolute", points = ["A", "C"] }
[forces]
rigid = { type = "actuator", points = ["C", "B"], value = "3*cos(2*t) - 0.8*x^3 - 0.3*v*abs(v)" }
[forces.bump]
type = "actuator"
points = ["F", "A"]
value = { x = [-9, 1.0036, 1.003608, 1.003617, 9], y = [0, 0, -10.5, 0, 0], interpolation = "linear" }
[initial.velocity]
"B.y" = 0.5656
"""


def test_a_switch_that_is_rounding_hides_no_other():
    """The pin holds C at A, so C and B never move apart and abs(v) is at its kink all the time; beside it a bump of
    0.017 mm is passed at 1.9 m/s."""
    fine = biela.simulate(load_text(RIGID), 0.3, integrator="rk4", step=5e-5, samples=6)
    without = biela.simulate(load_text(RIGID.replace("-10.5", "0")), 0.3, samples=6)
    assert np.abs(np.asarray(fine["D"])[-1] - np.asarray(without["D"])[-1]).max() > 1e-6
    for integrator in ("dopri5", "dopri8", "radau5", "gauss"):
        for coordinates in SETS:
            r = biela.simulate(load_text(RIGID), 0.3, integrator=integrator, coordinates=coordinates, samples=6)
            assert r.ok and not r.notes, (coordinates, r.explain())
            assert np.abs(np.asarray(r["D"])[-1] - np.asarray(fine["D"])[-1]).max() < 1e-7, (coordinates, r.explain())


HELD = """
gravity = [-0.41, -9.81]
[ground]
O = [0.63, 0.99]
[points]
A = [-0.52, 0.39]
B = [-1.3639755823531203, 1.4876101064545217]
C = [-2.12, 1.49]
[bodies]
post = { type = "bar", points = ["O", "A"], mass = 0.27, center = [0.96, 0.35], inertia = 0.06 }
rod = { type = "bar", points = ["B", "C"], mass = 0.05 }
[joints]
upright = { type = "angle", lines = [{ body = "ground", angle = 2.15 }, ["O", "A"]], angle = 1.47 }
link = { type = "distance", points = ["A", "B"] }
[forces]
damper = { type = "actuator", points = ["B", "A"], value = "3*cos(2*t) - 1.9*x^3 - 0.3*v*abs(v)" }
[initial.velocity]
"C.y" = 0.05
"C.x" = -0.53
"""


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("integrator", ["newmark", "hht", "generalized-alpha"])
def test_a_rate_that_joints_keep_at_zero_switches_nothing_in_index_3(integrator: str, coordinates: str):
    """Velocities of index 3 are off the constraints by h^2, and the sign of that says nothing. (Steps were cut into
    tiny parts at each such change of sign, accelerations became rounding over h^2, and the run ended there.)"""
    right = np.asarray(biela.simulate(load_text(HELD), 0.3, tolerance=1e-11, samples=1)["C"])[-1]
    off = []
    for steps in (60, 120, 240):
        r = biela.simulate(load_text(HELD), 0.3, coordinates=coordinates, integrator=integrator, step=0.3 / steps,
                           samples=1)  # fmt: skip
        assert r.ok and r.trajectory.evaluations < 2 * steps, r.explain()
        off.append(float(np.abs(np.asarray(r["C"])[-1] - right).max()))
    assert off[0] < 1e-3 and off[1] < 0.35 * off[0] and off[2] < 0.35 * off[1]


# ---------------------------------------------------------------------------- what is met where a motion turns
BY_ALL = [
    {}, {"coordinates": "relative"}, {"coordinates": "reference-point"}, {"integrator": "dopri5"},
    {"integrator": "dopri8", "tolerance": 1e-9}, {"integrator": "radau5"}, {"integrator": "dop853"},
    {"integrator": "rk4", "step": 1e-4}, {"integrator": "conserving", "step": 1e-4},
]  # fmt: skip


def named(keys: dict | str | float) -> str:
    return "-".join(str(x) for x in keys.values()) or "auto" if isinstance(keys, dict) else str(keys)


def swinging(law: str) -> biela.Model:
    """x'' = -x from x = 0 with v = 1; the law is of 10 + x."""
    m = biela.Model(name="swing", gravity=(0, 0)).add_ground("O", -10, 0).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    m.add_force("k", "spring", points=("O", "P"), stiffness=1.0, free=10.0)
    m.add_force("wall", "actuator", points=("O", "P"), value=law)
    return m.start(position={"P.x": 0, "P.y": 0}, velocity={"P.x": 1, "P.y": 0})


def speed_with_wall(c: float, k: float, T: float) -> float:
    """Its speed after the time T with a wall of stiffness k from c on: by pieces, always as fast into the wall."""
    t, v, w = math.asin(c), math.sqrt(1 - c * c), math.sqrt(1 + k)
    inside = 2 * (math.pi / 2 - math.atan2(c - k * c / (1 + k), v / w)) / w
    outside = math.pi + 2 * math.asin(c)
    while t + inside + outside < T:
        t += inside + outside
    return math.cos(math.pi - math.asin(c) + (T - t - inside))


@pytest.mark.parametrize("keys, depth", [
    *((BY_ALL[0], depth) for depth in (1e-4, 1e-5, 1e-6)),
    *((keys, (1e-5, 1e-6)[k % 2]) for k, keys in enumerate(BY_ALL[1:])),
], ids=named)  # fmt: skip
def test_a_wall_at_the_top_of_a_swing(keys, depth):
    """The cubic through the ends of a step of 0.6 rad is off by 3e-4: it turns before the wall, the mass does not. What
    is off by e at the top meets the wall by e/depth of its speed there too fast or slow: hence the bounds."""
    c, k = 1 - depth, 1e6
    r = biela.simulate(swinging(f"if(x > {10 + c!r}, -{k}*(x - {10 + c!r}), 0)"), 30.0, **keys)
    coarse = 2e-3 if keys.get("integrator") == "conserving" else 4e-4
    assert float(r["P.vx"][-1]) == pytest.approx(speed_with_wall(c, k, 30.0), abs=coarse)


def test_a_wall_that_a_swing_does_not_reach():
    """Looking closer costs some steps, and changes nothing."""
    near, far = (biela.simulate(swinging(f"if(x > {11 + gap!r}, -1e6*(x - 11), 0)"), 30.0) for gap in (1e-7, 1.0))
    assert last(near) == pytest.approx(math.cos(30.0), abs=1e-6)
    assert near.trajectory.steps < far.trajectory.steps + 200


@pytest.mark.parametrize("keys", BY_ALL[:7], ids=named)
def test_a_bump_at_the_top_of_a_swing(keys):
    """It does no work on the whole; twice 1 m/s of impulse turn the mass before the top, and it comes back early."""
    w = 1e-5
    law = f"-1e3*exp(-((x - 11)/{w})^2/2)"
    r = biela.simulate(swinging(law), 30.0, **keys)
    fine = biela.simulate(swinging(law), 30.0, integrator="dopri8", tolerance=1e-11, step=0.002)
    assert r.ok and float(r["P.vx"][-1]) == pytest.approx(float(fine["P.vx"][-1]), abs=2e-3)


def disc(law: str) -> biela.Model:
    m = biela.Model(name="disc", gravity=(0, 0)).add_ground("O", 0, 0).add_ground("G", 1.2, 0)
    m.add_disc("d", radius=1.0, mass=1.0, points={"O": (0, 0), "R": (1, 0)})
    m.add_force("f", "actuator", points=("G", "R"), value=law)
    return m.start(position={"d.angle": "180 deg"}, velocity={"d.angle": 1})


GATES = ("if(v < 0, {}, 0)", "{}*if(v < 0, 1, 0)")
GATED = [{}, *({"coordinates": x} for x in SETS), *({"integrator": x} for x in ERROR_CONTROLLED[1:])]


@pytest.mark.parametrize(
    "keys, gate", [({}, GATES[1]), *((keys, GATES[k % 2]) for k, keys in enumerate(GATED))], ids=named
)
def test_bumps_behind_a_gate(keys, gate):
    """1 mJ at each turn of a disc, while its point comes nearer: steps that end where the gate closes pass the bump."""
    w = 1e-4
    bump = f"(-{1e-3 / (w * math.sqrt(2 * math.pi))}*exp(-((x - 0.25)/{w})^2/2))"
    r = biela.simulate(disc(gate.format(bump)), 50.0, **keys)
    turns = math.floor(last(r, "d.angle") / (2 * math.pi))
    assert turns == 8 and last(r, "energy.kinetic") - 0.25 == pytest.approx(1e-3 * turns, rel=3e-3)


def test_fixed_steps_that_end_at_a_gate_tell_what_they_hide():
    w = 1e-4
    r = biela.simulate(disc(f"if(v < 0, -4*exp(-((x - 0.25)/{w})^2/2), 0)"), 30.0, integrator="rk4", step=0.05)
    assert r.verdict.grade != "good" and r.trajectory.seen.hidden > 0


def test_samples_tell_that_a_switch_was_passed_unseen():
    """The net behind it: a switch that the steps took for another side than the samples within them show."""
    from biela.methods.loops import monitors_from_python as here

    system = biela.simulate(swinging("if(x > 10.5, -1, 0)"), 0.1).system
    s = system.arrays
    before = float(s.mon.coarse_steps)
    s.side_kept[2] = -1.0
    s.q[:2] = 0.49, 0.0
    here.monitor_sample_here(system.header, 0.1)
    assert float(s.mon.coarse_steps) == before
    s.q[:2] = 0.51, 0.0
    here.monitor_sample_here(system.header, 0.1)
    assert float(s.mon.coarse_steps) == before + 1
