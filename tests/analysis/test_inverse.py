"""Inverse dynamics against closed forms: statics of dyads, Newton and Euler by hand, published torques."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import trapezoid

import biela


def close(a, b, atol=0.0, rtol=0.0, err_msg=""):
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=err_msg)


SETS = ("natural", "reference-point", "relative", "mixed")
PUMA = json.loads((Path(__file__).parents[1] / "data" / "puma560.json").read_text())


def turned(x, y, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def four_bar_by_hand(t, w, g=9.81):
    """Crank at a constant rate: loop closure for the angles, then the dyad coupler + rocker, then the crank."""
    a, b, c, d = 0.1, 0.3, 0.25, 0.4
    th = w * t
    A, D = turned(a, 0, th), np.array([d, 0.0])
    vA, aA = w * turned(0, a, th), -(w**2) * A
    # B by the intersection of two circles, above the line AD
    r = D - A
    l = np.hypot(*r.T)
    x = (b**2 - c**2 + l**2) / (2 * l)
    y = np.sqrt(b**2 - x**2)
    e = r / l[:, None]
    B = A + x[:, None] * e + y[:, None] * np.stack([-e[:, 1], e[:, 0]], axis=1)
    u, v = B - A, B - D  # coupler and rocker
    # velocities and accelerations: w2 k x u + vA = w3 k x v, and so on: two unknowns each
    K = np.stack([np.stack([-u[:, 1], v[:, 1]], 1), np.stack([u[:, 0], -v[:, 0]], 1)], axis=1)
    w2, w3 = np.linalg.solve(K, -vA[:, :, None])[:, :, 0].T
    rest = -aA + (w2**2)[:, None] * u - (w3**2)[:, None] * v
    e2, e3 = np.linalg.solve(K, rest[:, :, None])[:, :, 0].T
    # centres of mass
    s2, s3, s1 = turned(0.15, 0.05, np.arctan2(u[:, 1], u[:, 0])), v / 2, A / 2
    spin = lambda s, rate, second: second[:, None] * np.stack([-s[:, 1], s[:, 0]], 1) - (rate**2)[:, None] * s  # noqa: E731
    a1, a2, a3 = aA / 2, aA + spin(s2, w2, e2), spin(s3, w3, e3)
    m1, m2, m3 = 0.5, 1.0, 1.2
    I2, I3 = 0.01, m3 * c**2 / 12
    G = np.array([0.0, -g])
    # forces: FB on the rocker from the pin at B; moments about A (coupler) and D (rocker)
    n2 = I2 * e2 + m2 * cross(s2, a2 - G)  # = moment of -FB about A: cross(u, -FB)
    n3 = I3 * e3 + m3 * cross(s3, a3 - G)  # = cross(v, FB)
    K = np.stack([np.stack([u[:, 1], -u[:, 0]], 1), np.stack([-v[:, 1], v[:, 0]], 1)], axis=1)
    FB = np.linalg.solve(K, np.stack([n2, n3], 1)[:, :, None])[:, :, 0]
    FD = m3 * (a3 - G) - FB  # pin at D on the rocker
    FA = m2 * (a2 - G) + FB  # pin at A on the coupler
    FO = m1 * (a1 - G) + FA  # pin at O on the crank
    torque = m1 * cross(s1, a1 - G) + cross(A, FA)  # no angular acceleration
    return {"torque": torque, "O.reaction@crank": FO, "A.reaction@coupler": FA, "A.reaction@crank": -FA,
            "B.reaction@rocker": FB, "B.reaction@coupler": -FB, "D.reaction@rocker": FD}  # fmt: skip


@pytest.mark.parametrize("coordinates", SETS)
def test_four_bar_against_dyad_statics(coordinates):
    r = biela.inverse("four-bar", {"crank_angle": "15*t"}, t_end=2 * np.pi / 15, samples=90, coordinates=coordinates)
    hand = four_bar_by_hand(np.asarray(r.t), 15.0)
    size = np.abs(hand["O.reaction@crank"]).max()
    close(r["crank_angle.effort"], hand.pop("torque"), atol=1e-9 * 0.1 * size)
    for name, force in hand.items():
        close(r[name], force, atol=1e-9 * size, err_msg=name)
    assert r.ok and r.power_error < 1e-10 * r.power_scale and r.residual < 1e-10


def slider_crank_by_hand(th, w, e):
    """Crank angle, rate and acceleration; the model's own moment of 0.1 N m acts too."""
    L1, L2, m1, m2, m3, own = 0.1, 0.3, 0.2, 0.2, 0.4, 0.1
    A = turned(L1, 0, th)
    normal = np.stack([-A[:, 1], A[:, 0]], 1)
    aA = e[:, None] * normal - (w**2)[:, None] * A
    sin = -A[:, 1] / L2  # of the rod's angle
    cos = np.sqrt(1 - sin**2)
    w2 = -L1 * np.cos(th) * w / (L2 * cos)
    e2 = (L2 * sin * w2**2 - L1 * np.cos(th) * e + L1 * np.sin(th) * w**2) / (L2 * cos)
    u = L2 * np.stack([cos, sin], 1)
    spin = e2[:, None] * np.stack([-u[:, 1], u[:, 0]], 1) - (w2**2)[:, None] * u
    a2, aB = aA + spin / 2, aA + spin
    close(aB[:, 1], 0, atol=1e-10)
    I1, I2 = m1 * L1**2 / 12, m2 * L2**2 / 12
    # the slider: the guide pushes it by N across, which the pin hands on to the rod; along x the pin accelerates it
    FBx = m3 * aB[:, 0]  # pin at B on the slider
    # rod about A: I2 e2 + m2 (u/2 x a2) = u x (-FB), with FB = (FBx, -N)
    n = I2 * e2 + m2 * cross(u / 2, a2)
    N = (n - u[:, 1] * FBx) / u[:, 0]
    FB = np.stack([FBx, -N], 1)
    FA = m2 * a2 + FB  # pin at A on the rod
    FO = m1 * aA / 2 + FA
    torque = (I1 + m1 * L1**2 / 4) * e + cross(A, FA) - own
    return {"torque": torque, "O.reaction@crank": FO, "A.reaction@rod": FA, "A.reaction@crank": -FA,
            "B.reaction@slider": FB, "B.reaction@rod": -FB, "guide": np.stack([0 * N, N], 1)}  # fmt: skip


@pytest.mark.parametrize("coordinates", SETS)
def test_slider_crank_against_newton_and_euler(coordinates):
    law = "0.3 + 18*t + 4*sin(9*t)"
    r = biela.inverse("slider-crank", {"theta": law}, t_end=0.35, samples=80, coordinates=coordinates)
    t = np.asarray(r.t)
    hand = slider_crank_by_hand(0.3 + 18 * t + 4 * np.sin(9 * t), 18 + 36 * np.cos(9 * t), -324 * np.sin(9 * t))
    size = np.abs(hand["O.reaction@crank"]).max()
    close(r["theta.effort"], hand.pop("torque"), atol=1e-9 * 0.1 * size)
    guide = hand.pop("guide")
    close(r["guide.reaction"], guide, atol=1e-9 * size)
    for name, force in hand.items():
        close(r[name], force, atol=1e-9 * size, err_msg=name)


@pytest.mark.parametrize("coordinates", SETS)
def test_puma_stands_still(coordinates):
    start = biela.assemble("puma560", "relative").q0
    hold = {f"J{k}.angle": float(q) for k, q in enumerate(start, 1)}
    r = biela.inverse("puma560", hold, times=[0.0], coordinates=coordinates)
    efforts = [float(r[f"J{k}.angle.effort"][0]) for k in range(1, 7)]
    close(efforts, PUMA["gravload_qn"], atol=1e-7)  # published to seven places


def test_puma_weight_is_the_slope_of_its_energy():
    start = biela.assemble("puma560", "relative").q0
    lean = start + np.array([0.3, -0.4, 0.5, -0.6, 0.7, -0.2])
    hold = {f"J{k}.angle": float(q) for k, q in enumerate(lean, 1)}
    r = biela.inverse("puma560", hold, times=[0.0])
    arm = biela.assemble("puma560", "relative")
    for k in range(6):
        h = np.zeros(6)
        h[k] = 1e-5
        slope = (arm.at(lean + h).potential - arm.at(lean - h).potential) / 2e-5
        assert abs(float(r[f"J{k + 1}.angle.effort"][0]) - slope) < 1e-7


def arm(motors=True):
    """Two bars in the plane, a hand P at the end."""
    m = biela.Model(name="arm", gravity=(0, -9.81))
    m.add_ground("O", 0, 0).add_point("E", 0.6, 0.4).add_point("P", 1.0, 0.1)
    m.add_bar("upper", "O", "E", mass=3.0, length=0.7).add_bar("lower", "E", "P", mass=2.0, length=0.5)
    m.add_coordinate("q1", "angle", of=("O", "E"))
    m.add_coordinate("q2", "angle", of=("E", "P"), relative_to=("O", "E"))
    return m


def arm_torques(t, x, y, dd):
    """The textbook's two-link arm: inverse kinematics (elbow up), then Lagrange's equations by finite formulas."""
    l1, l2, m1, m2, g = 0.7, 0.5, 3.0, 2.0, 9.81
    r2 = x**2 + y**2
    q2 = -np.arccos((r2 - l1**2 - l2**2) / (2 * l1 * l2))
    q1 = np.arctan2(y, x) - np.arctan2(l2 * np.sin(q2), l1 + l2 * np.cos(q2))
    (vx, vy), (ax, ay) = dd
    J = np.array([[-l1 * np.sin(q1) - l2 * np.sin(q1 + q2), -l2 * np.sin(q1 + q2)],
                  [l1 * np.cos(q1) + l2 * np.cos(q1 + q2), l2 * np.cos(q1 + q2)]])  # fmt: skip
    J = np.moveaxis(J, 2, 0)
    w = np.linalg.solve(J, np.stack([vx, vy], 1)[:, :, None])[:, :, 0]
    s = w[:, 0] + w[:, 1]
    bias = -np.stack([l1 * np.cos(q1) * w[:, 0] ** 2 + l2 * np.cos(q1 + q2) * s**2,
                      l1 * np.sin(q1) * w[:, 0] ** 2 + l2 * np.sin(q1 + q2) * s**2], 1)  # fmt: skip
    e = np.linalg.solve(J, (np.stack([ax, ay], 1) - bias)[:, :, None])[:, :, 0]
    c, h = np.cos(q2), m2 * l1 * l2 / 2 * np.sin(q2)
    M11 = m1 * l1**2 / 3 + m2 * (l1**2 + l2**2 / 3 + l1 * l2 * c)
    M12, M22 = m2 * (l2**2 / 3 + l1 * l2 * c / 2), m2 * l2**2 / 3
    G2 = m2 * g * l2 / 2 * np.cos(q1 + q2)
    G1 = (m1 / 2 + m2) * g * l1 * np.cos(q1) + G2
    T1 = M11 * e[:, 0] + M12 * e[:, 1] - h * (2 * w[:, 0] * w[:, 1] + w[:, 1] ** 2) + G1
    T2 = M12 * e[:, 0] + M22 * e[:, 1] + h * w[:, 0] ** 2 + G2
    return T1, T2


@pytest.mark.parametrize("coordinates", SETS)
def test_a_robot_guided_by_its_hand(coordinates):
    """Motion is prescribed at the hand, torques act in the joints."""
    motion = {"P.x": "0.8 + 0.1*sin(3*t)", "P.y": "0.3 - 0.2*t^2"}
    r = biela.inverse(arm(), motion, motors=["q1", "q2"], t_end=0.8, samples=60, coordinates=coordinates)
    t = np.asarray(r.t)
    rates = (0.3 * np.cos(3 * t), -0.4 * t), (-0.9 * np.sin(3 * t), -0.4 + 0 * t)
    T1, T2 = arm_torques(t, 0.8 + 0.1 * np.sin(3 * t), 0.3 - 0.2 * t**2, rates)
    close(r["q1.effort"], T1, atol=1e-10 * 30)
    close(r["q2.effort"], T2, atol=1e-10 * 30)
    assert "P.x.effort" not in r.channels() and r.power_error < 1e-11 * r.power_scale
    assert not any(name.startswith("motor_") for name in r.channels())


@pytest.mark.parametrize("coordinates", SETS)
def test_more_motors_than_freedoms_share_by_least_norm(coordinates):
    """A bar held by a motor in its hinge and by a force at its end: T + L cos(phi) F = W, smallest (T/s)^2 + F^2."""
    m = biela.Model(name="bar", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 2.0, 0)
    m.add_bar("bar", "O", "P", mass=1.5, length=2.0).add_coordinate("phi", "angle", of=("O", "P"))
    r = biela.inverse(m, {"phi": "0.2 + 0.5*t"}, motors=["phi", "P.y"], t_end=1.0, samples=10, coordinates=coordinates)
    phi, size = np.asarray(r["phi"]), r.system.size
    need = 1.5 * 9.81 * np.cos(phi)  # about O; at a constant rate
    row = np.stack([size * np.ones_like(phi), 2.0 * np.cos(phi)], 1)
    w = row * (need / (row**2).sum(axis=1))[:, None]
    close(r["phi.effort"], size * w[:, 0], rtol=1e-10)
    close(r["P.y.effort"], w[:, 1], rtol=1e-10)
    assert any("least norm" in note and "2 motors for 1" in note for note in r.notes)
    # and the pin carries what is left of weight and centrifugal force
    pull = 1.5 * -(0.5**2) * np.stack([np.cos(phi), np.sin(phi)], 1)
    pin = pull + np.array([0, 1.5 * 9.81]) - np.stack([0 * phi, w[:, 1]], 1)
    close(r["O.reaction@bar"], pin, atol=1e-9)


def test_a_loop_with_two_motors_needs_less():
    asked, motors = {"crank_angle": "5*t"}, ["crank_angle", "rocker.angle"]
    one = biela.inverse("four-bar", asked, t_end=1.2, samples=50)
    two = biela.inverse("four-bar", asked, motors=motors, t_end=1.2, samples=50)
    both = np.asarray(two["crank_angle.effort"]) ** 2 + np.asarray(two["rocker.angle.effort"]) ** 2
    assert (both <= np.asarray(one["crank_angle.effort"]) ** 2 * (1 + 1e-9)).all()
    close(two["power.motors"], one["power.motors"], atol=1e-12)


@pytest.mark.parametrize("coordinates", SETS)
def test_bricard_driven_round(coordinates):
    """Six hinges in space, one of them too many for the count; the power of the motor is the rate of the energy."""
    r = biela.inverse("bricard", {"H0.angle": "0.9*t"}, t_end=1.0, samples=60, coordinates=coordinates)
    energy = np.asarray(r["energy.total"])
    t = np.asarray(r.t)
    slope = (energy[:-4] - 8 * energy[1:-3] + 8 * energy[3:-1] - energy[4:]) / (12 * (t[1] - t[0]))
    close(r["H0.angle.power"][2:-2], slope, atol=1e-4 * np.abs(slope).max())
    assert r.power_error < 1e-9 * r.power_scale and any("redundant" in note for note in r.notes)
    if coordinates != "natural":
        same = biela.inverse("bricard", {"H0.angle": "0.9*t"}, t_end=1.0, samples=60)
        close(r["H0.angle.effort"], same["H0.angle.effort"], atol=1e-9 * np.abs(slope).max())
        close(r["H3.reaction"], same["H3.reaction"], atol=1e-7 * np.abs(same["H3.reaction"]).max())


def test_the_models_own_drivers():
    model = biela.load("quick-return")
    r = biela.inverse(model, t_end=0.5, samples=50)
    (name,) = model.drivers
    run = biela.simulate(model, 0.5, samples=50, tolerance=1e-11)
    close(r[f"{name}.effort"], run[f"{name}.effort"], atol=1e-6)
    coordinate = model.drivers[name].coordinate
    assert np.array_equal(r[f"{name}.effort"], r[f"{coordinate}.effort"]) and f"{name}.energy" in r.channels()
    # a prescription of the same coordinate takes the place of its law
    slow = biela.inverse(model, {coordinate: f"({float(r[coordinate][0])}) + 0.1*t"}, t_end=0.5, samples=5)
    close(slow[f"{coordinate}.rate"], 0.1, atol=1e-9)


def test_dampers_springs_and_loads_are_in_the_balance():
    m = biela.load("slider-crank")
    m.add_ground("W", 0.5, 0.1)
    m.add_force("shock", "spring", points=("W", "B"), stiffness=40.0, free=0.1, damping=3.0)
    m.add_force("wind", "force", point="A", value=("2*sin(5*t)", -1.0))
    m.add_force("brake", "damper", coordinate="theta", damping=0.02)
    m.add_force("twist", "spring", bodies=("crank", "rod"), stiffness=0.3, damping=0.01)
    results = [biela.inverse(m, {"theta": "0.2 + 7*t"}, t_end=1.5, samples=60, coordinates=c) for c in SETS]
    for r in results:
        assert r.power_error < 1e-12 * r.power_scale
        close(r["theta.effort"], results[0]["theta.effort"], atol=1e-10)
    r = biela.inverse(m, {"theta": "0.2 + 7*t"}, t_end=1.5, samples=600)
    energy, t = np.asarray(r["energy.total"]), np.asarray(r.t)
    close(np.gradient(energy, t)[5:-5], r["power.stored"][5:-5], atol=1e-4 * r.power_scale)
    total = np.asarray(r["theta.energy"])[-1]  # the integral of the power is the energy given
    lost = trapezoid(np.asarray(r["power.other"]), t)
    assert abs(total + lost - (energy[-1] - energy[0])) < 1e-5 * np.ptp(energy)


def test_the_mixed_problem():
    """A pendulum on a driven trolley: the force on the trolley against the equation of its momentum."""
    m = biela.Model(name="crane", gravity=(0, -9.81)).add_ground("O", 0, 0).add_ground("X", 1, 0)
    m.add_point("T", 0, 0).add_point("L", 0.3, -1.0)
    m.add_mass("trolley", "T", 4.0).add_rod("rope", "T", "L").add_mass("load", "L", 2.0)
    m.add_joint("rail", "point-on-line", point="T", line=("O", "X"))
    law = "0.2*sin(3*t)"
    with pytest.raises(biela.AssemblyError, match="1 freedom"):
        biela.inverse(m, {"T.x": law}, t_end=1.0)
    r = biela.inverse(m, {"T.x": law}, t_end=1.0, samples=100, free="simulate", simulation={"tolerance": 1e-11})
    momentum = 4.0 * np.asarray(r["T.ax"]) + 2.0 * np.asarray(r["L.ax"])
    close(r["T.x.effort"], momentum, atol=1e-8)
    close(r["T.ax"], -1.8 * np.sin(3 * np.asarray(r.t)), atol=1e-8)
    # the load swings by l phi'' + g sin(phi) = -a cos(phi), integrated here by hand
    from scipy.integrate import solve_ivp

    l = float(np.hypot(0.3, 1.0))
    f = lambda t, y: (y[1], -(9.81 * np.sin(y[0]) - 1.8 * np.sin(3 * t) * np.cos(y[0])) / l)  # noqa: E731
    start = np.asarray(r["L.vx"])[0] - 0.6, np.asarray(r["L.vy"])[0]
    phi0 = np.arctan2(0.3, 1.0)
    rate = (start[0] * np.cos(phi0) + start[1] * np.sin(phi0)) / l
    swing = solve_ivp(f, (0, 1), (phi0, rate), rtol=1e-11, atol=1e-12, t_eval=np.asarray(r.t)).y[0]
    close(np.asarray(r["L.x"]) - np.asarray(r["T.x"]), l * np.sin(swing), atol=1e-7)
    assert r.power_error < 1e-9 * r.power_scale and any("moved freely" in note for note in r.notes)


@pytest.mark.parametrize("coordinates", SETS)
def test_more_prescriptions_than_freedoms_that_agree(coordinates):
    motion = {"q1": "0.4 + 0.5*t", "q2": "-1 + 0.3*t", "lower.angle": "-0.6 + 0.8*t", "E.x": "0.7*cos(0.4 + 0.5*t)"}
    r = biela.inverse(arm(), motion, motors=["q1", "q2"], t_end=1.0, samples=20, coordinates=coordinates)
    plain = biela.inverse(arm(), {c: motion[c] for c in ("q1", "q2")}, t_end=1.0, samples=20)
    for c in ("q1", "q2"):
        close(r[f"{c}.effort"], plain[f"{c}.effort"], atol=1e-9)
    assert max(r.gap.values()) < 1e-12 and any("4 prescriptions for 2" in note for note in r.notes)


def test_whole_turns_are_kept():
    """A spring on an angle feels the turns that the motion says."""
    m = biela.load("four-bar")
    m.add_force("coil", "spring", coordinate="crank_angle", stiffness=0.5, free=0.0)
    near, far = (biela.inverse(m, {"crank_angle": f"{x} + t"}, t_end=0.5, samples=5) for x in ("0.2", "0.2 + 4*pi"))
    more = np.asarray(far["crank_angle.effort"]) - np.asarray(near["crank_angle.effort"])
    close(more, 0.5 * 4 * np.pi, atol=1e-9)


@pytest.mark.parametrize("coordinates", ["natural", "reference-point", "relative", "mixed"])
@pytest.mark.parametrize("angle", [1.570796, 1.57079633, 3.1415927, 1e-7])
def test_angles_beside_a_right_angle(angle: float, coordinates: str):
    """There the sine or the cosine row of an angle nearly vanishes, and must not be blown up."""
    m = biela.Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("A", 1, 0).add_point("B", 1, 1)
    m.add_bar("a", "O", "A", mass=2).add_bar("b", "A", "B", mass=1)
    m.add_coordinate("q1", "angle", of=("O", "A"))
    m.add_coordinate("q2", "angle", of=("A", "B"), relative_to=("O", "A"))
    r = biela.inverse(m, {"q1": "0.3*sin(2*t)", "q2": f"{angle} + 0*t"}, t_end=1, samples=20, coordinates=coordinates)
    q, v, a = (0.3 * np.sin(2 * r.t), 0.6 * np.cos(2 * r.t), -1.2 * np.sin(2 * r.t))
    q, v, a, c = np.asarray(q), np.asarray(v), np.asarray(a), np.cos(angle)
    inertia = 2 / 3 + 1 + 1 / 3 + c  # about O: of a, of b by Steiner with the angle between them
    weight = 9.81 * (2 * 0.5 * np.cos(q) + np.cos(q) + 0.5 * np.cos(q + angle))
    np.testing.assert_allclose(np.asarray(r["q1.effort"]), inertia * a + weight, atol=1e-9)


@pytest.mark.parametrize("law", ["-0.5*t", "-0.05-0.1*t", "0.05*sin(3*t)"])
def test_a_rod_without_mass_between_balls_costs_no_motor_anything(law: str) -> None:
    """However the prescribed motion spins it: the same as a distance that two points keep."""

    def mechanism(rod: bool) -> biela.Model:
        m = biela.Model(name="rods", gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0).add_ground("D", 0.5, 0, 0)
        m.add_point("A", 0, 0.1, 0).add_point("B", 0.5, 0.15, 0.2)
        m.add_bar("crank", "O", "A", mass=0.5, radius=0.01).add_bar("rocker", "D", "B", mass=1, radius=0.01)
        m.add_joint("h1", "revolute", bodies=("ground", "crank"), at="O", axis=(0, 0, 1))
        m.add_joint("h2", "revolute", bodies=("ground", "rocker"), at="D", axis=(1, 0, 0))
        m.add_rod("link", "A", "B") if rod else m.add_joint("link", "distance", points=("A", "B"))
        return m

    truth = biela.inverse(mechanism(False), {"h1.angle": law}, t_end=1.0, samples=20)
    for coordinates in ("natural", "mixed", "reference-point", "relative"):
        r = biela.inverse(mechanism(True), {"h1.angle": law}, t_end=1.0, samples=20, coordinates=coordinates)
        assert r.efforts == pytest.approx(truth.efforts, rel=1e-7, abs=1e-9)
