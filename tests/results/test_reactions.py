"""Reactions and energy: every body in balance, action and reaction, and work that is accounted for."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.interpolate import CubicSpline

import biela
from biela import Result, library
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.results.reactions.elements import elements, pins
from mechanisms import Recipe, build, recipe, recipes
from shared_systems import simulated

# Penalty multipliers are alpha (about 1e7) times a difference that should vanish: round-off leaves 1e-7 of them.
EVENTFUL = [name for name in library.names() if biela.load(name).stops or biela.load(name).locks]  # test_events
FLAT = [name for name in library.names() if biela.load(name).dimension != 3 and len(biela.load(name).gravity) == 2]
PLANAR = [name for name in FLAT if name not in EVENTFUL]
ROUND_OFF = {name: 1e-7 if name == "penalty" else 1e-9 for name in FORMULATIONS}
Wrench = tuple[str, np.ndarray, np.ndarray | None, np.ndarray | float]
"""body, force, where it acts, moment: over the samples"""


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def channel(r: Result, name: str) -> np.ndarray:
    return np.asarray(r[name])


@cache
def short_run(name: str, formulation: str) -> Result:
    duration = min(0.2, float(biela.load(name).run.duration or 0.2))
    result = simulated(name, duration, formulation=formulation, integrator="dopri5", tolerance=1e-9, samples=8)
    assert result.ok, result.explain()
    return result


# -------------------------------------------------- Newton and Euler for every body, from channels by name
def motor(body: str, name: str = "motor") -> Callable[[Result], list[Wrench]]:
    return lambda r: [(body, np.zeros((len(r.t), 2)), None, channel(r, f"{name}.effort"))]


def joint(r: Result, name: str, at: str, second: str, first: str | None = None) -> list[Wrench]:
    """A joint's reaction on its second body, about its point; the opposite on the first (None: the ground)."""
    force, moment, where = channel(r, f"{name}.reaction"), channel(r, f"{name}.moment"), channel(r, at)
    out: list[Wrench] = [(second, force, where, moment)]
    return out + [(first, -force, where, -moment)] if first else out


def along(r: Result, a: str, b: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Length, rate and unit vector from a to b."""
    d, dv = channel(r, b) - channel(r, a), channel(r, f"{b}.velocity") - channel(r, f"{a}.velocity")
    length = np.hypot(*d.T)
    u = d / length[:, None]
    return length, (u * dv).sum(axis=1), u


def pushed_apart(r: Result, a: str, b: str, force: np.ndarray, at_a: str | None, at_b: str | None) -> list[Wrench]:
    """A force that lengthens a-b, on the bodies at its two ends."""
    f = force[:, None] * along(r, a, b)[2]
    out: list[Wrench] = [(at_b, f, channel(r, b), 0.0)] if at_b else []
    return out + [(at_a, -f, channel(r, a), 0.0)] if at_a else out


def hung(r: Result, cubic: float = 0.0) -> list[Wrench]:
    y, rate = channel(r, "P")[:, 1], channel(r, "P.velocity")[:, 1]
    down = -(10000 * y + cubic * y**3 + 1500 * rate)  # spring and damper
    force = np.column_stack([0 * down, down])
    return [("block", force, channel(r, "P"), 0.0), *joint(r, "guide", "P", "block")]


def suspension(r: Result, cubic: float = 0.0) -> list[Wrench]:
    (x1, _, _), (x2, v2, _) = along(r, "O", "P1"), along(r, "P1", "P2")
    return [
        *pushed_apart(r, "O", "P1", -160000 * (x1 - 0.5), None, "wheel"),
        *pushed_apart(r, "P1", "P2", -16000 * (x2 - 0.5) - cubic * (x2 - 0.5) ** 3 - 1500 * v2, "wheel", "chassis"),
        *joint(r, "guide1", "P1", "wheel"),
        *joint(r, "guide2", "P2", "chassis"),
    ]


def quartic(r: Result) -> list[Wrench]:
    pull = -2 * channel(r, "P")[:, 0] ** 3  # of the potential k (x^2)^2/2
    return [("m", np.column_stack([pull, 0 * pull]), channel(r, "P"), 0.0), *joint(r, "guide", "P", "m")]


def on_rods(r: Result) -> list[Wrench]:
    return [*joint(r, "l1", "P1", "first"), *joint(r, "l2", "P2", "second", "first")]


def car_axis(r: Result) -> list[Wrench]:
    lam = channel(r, "multiplier.upright.equation")[:, None]  # of l . b = 0: it pushes l along b, and b along l
    left, b = (channel(r, p) for p in ("l", "b"))
    return [
        ("lever", np.zeros((len(r.t), 2)), None, channel(r, "road.effort")),
        ("left", -lam * b, left, 0.0),
        ("lever", -lam * left, b, 0.0),
        *pushed_apart(r, "O", "l", -(along(r, "O", "l")[0] - 0.5), None, "left"),
        *pushed_apart(r, "b", "r", -(along(r, "b", "r")[0] - 0.5), "lever", "right"),
        *joint(r, "axle", "r", "right"),
        ("left", -channel(r, "axle.reaction"), left, 0.0),
    ]


# What acts on the bodies besides weights and pins, worked out by hand for every mechanism of the library.
LOADS: dict[str, Callable[[Result], list[Wrench]]] = {
    "andrews": lambda r: [
        ("K1", np.zeros((len(r.t), 2)), None, 0.033),
        *pushed_apart(r, "C", "D", -4530 * (along(r, "C", "D")[0] - 0.07785), None, "K3"),
    ],
    "car-axis": car_axis,
    "chain": lambda r: [],
    "chebyshev": motor("left"),
    "double-four-bar": lambda r: [],
    "double-pendulum": lambda r: [],
    "double-pendulum-001": lambda r: [],
    "double-pendulum-002": on_rods,
    "double-pendulum-002-light": on_rods,
    "double-pendulum-spring": lambda r: pushed_apart(
        r, "P0", "P2", -10 * (along(r, "P0", "P2")[0] - 3), None, "disc"
    ),
    "folding-four-bar": lambda r: [],
    "four-bar": lambda r: [],
    "jansen": motor("crank"),
    "kinematics-003-four-bar": motor("crank"),
    "kinematics-003-six-bar": lambda r: [w for k in (2, 3, 4) for w in motor(f"bar{k}", f"motor{k}")(r)],
    "kinematics-003-sliding": lambda r: [
        *motor("crank")(r), *joint(r, "aligned", "B", "arm", "rod"), *joint(r, "square", "D", "arm", "rod"),
    ],
    "mass-spring-damper": hung,
    "n-four-bar": lambda r: [],
    "oscillator-002": quartic,
    "peaucellier": motor("crank"),
    "progressive-spring-001": lambda r: hung(r, 60000.0),
    "progressive-suspension-001": lambda r: suspension(r, 400000.0),
    "quick-return": lambda r: [
        *motor("crank")(r), *joint(r, "slot", "A", "crank", "lever"), *joint(r, "guide", "E", "ram"),
    ],
    "rod-pendulum": lambda r: [],
    "simple-pendulum": lambda r: [],
    "slider-crank": lambda r: [
        ("crank", np.zeros((len(r.t), 2)), None, 0.1), *joint(r, "guide", "B", "slider"),
    ],
    "slider-crank-001": lambda r: joint(r, "guide", "B", "slider"),
    "two-mass-suspension": suspension,
}  # fmt: skip


def penalty_rounding(r: Result) -> float:
    """What one rounding of the accelerations makes of forces: eps alpha |Phi_q|^T |Phi_q| |q''|.

    A multiplier is alpha times what is left of Phi_q q'' beside its bias, which is tiny beside either of them; so the
    accelerations count, and those of light bodies are large. The solution and the multiplier round once each.
    """
    largest = 0.0
    for q, v, a, t in zip(r.q, r.v, r.a, r.t, strict=True):
        B = np.abs(r.system.at(q, v, float(t)).B)
        largest = max(largest, (B.T @ (B @ np.abs(a))).max(initial=0.0))
    return float(np.finfo(float).eps * r.trajectory.alpha * largest)


@pytest.mark.parametrize("name, formulation", [
    (name, list(FORMULATIONS)[(k + shift) % len(FORMULATIONS)]) for k, name in enumerate(PLANAR) for shift in (0, 2)
])  # fmt: skip
def test_every_body_is_in_balance(name: str, formulation: str):
    """m a_G and I alpha are what pins, joints, applied forces and weight amount to, about the centre of mass."""
    r = short_run(name, formulation)
    resolved = r.system.resolved
    g = np.array(resolved.gravity, dtype=float)
    loads = LOADS[name](r)
    pins = [c for c in r.channels("*.reaction@*") if not c.endswith((".x", ".y", ".norm"))]
    sizes = [np.abs(channel(r, c)).max() for c in pins] + [np.abs(f).max() for _, f, _, _ in loads]
    size = max(sizes)
    assert size > 0
    tiny = 1e-9 * size + (2 * penalty_rounding(r) if formulation == "penalty" else 0.0)
    for body, b in resolved.bodies.items():
        centre = channel(r, body + ".position")
        force = np.tile(b.mass * g, (len(r.t), 1))
        moment = np.zeros(len(r.t))
        for pin in pins:
            point, owner = pin.split(".reaction@")
            if owner == body:
                force += channel(r, pin)
                moment += cross(channel(r, point) - centre, channel(r, pin))
        for owner, f, where, m in loads:
            if owner == body:
                force += f
                moment += m + (0.0 if where is None else cross(where - centre, f))
        off = force - b.mass * channel(r, f"{body}.acceleration")
        assert np.abs(off).max() < tiny, f"{body}: forces {off}"
        if not b.particle:
            off = moment - b.inertia * channel(r, f"{body}.angular_acceleration")
            assert np.abs(off).max() < tiny * r.system.size, f"{body}: moments {off}"


@pytest.mark.parametrize("name", PLANAR)
def test_formulations_give_the_same_reactions(name: str):
    """After 0.2 s, with the same tolerance. Penalty constraints give a little, and oscillate."""
    exact = short_run(name, "projection")
    for formulation in FORMULATIONS:
        r = short_run(name, formulation)
        for pin in r.channels("*.reaction@*"):
            size = max(np.abs(channel(exact, pin)).max(), 1.0)
            near = 1e-2 if formulation == "penalty" else 1e-5
            assert np.abs(channel(r, pin) - channel(exact, pin)).max() < near * size, (formulation, pin)


def check_pins(r: Result, tiny: float = 1e-9) -> None:
    """At a shared moving point the pin pushes the bodies with opposite forces."""
    vectors = [c for c in r.channels("*.reaction@*") if not c.endswith((".x", ".y", ".norm"))]
    size = max([np.abs(channel(r, c)).max() for c in vectors] + [np.abs(r.a).max(), 1.0])
    known, fixed = pins(r.system.resolved), r.system.resolved.ground
    for point in (p for p in r.system.resolved.start if r.channels(f"{p}.reaction")):
        forces = [channel(r, c) for c in vectors if c.startswith(f"{point}.reaction@")]
        grounded = any(place.point in fixed for place in known[point].places)
        assert len(forces) + grounded >= 2
        assert grounded or np.abs(sum(forces)).max() < tiny * size, point


@pytest.mark.parametrize("name", PLANAR)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_action_is_reaction(name: str, formulation: str):
    check_pins(short_run(name, formulation), ROUND_OFF[formulation])


@pytest.mark.parametrize("integrator", [name for name, i in INTEGRATORS.items() if not i.direct])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_multipliers_belong_to_their_sample(integrator: str, formulation: str):
    """At every sample, on a step or between two: M q'' + Phi_q^T lam = Q with what the sample itself holds."""
    i = INTEGRATORS[integrator]
    if (i.scipy or i.tangents) and FORMULATIONS[formulation].chooses_coordinates:
        with pytest.raises(biela.MethodError, match="cannot be combined with"):
            biela.simulate("quick-return", 0.1, formulation=formulation, integrator=integrator)
        return
    step = {} if INTEGRATORS[integrator].adaptive else {"step": 1e-3}
    r = simulated("quick-return", 0.03, formulation=formulation, integrator=integrator, samples=30, **step)
    assert r.ok and len(r.t) == 31
    for k, t in enumerate(r.t):
        at = r.system.at(r.q[k], r.v[k], float(t))
        size = max(np.abs(at.Q).max(), np.abs(r.system.M @ r.a[k]).max())
        off = np.abs(r.system.M @ r.a[k] + at.B.T @ r.trajectory.lam[k] - at.Q).max()
        # the corrector of an implicit method leaves q a little beyond where the accelerations were evaluated (those of
        # radau5 at the end of a step are the slope of its polynomial); where positions are off, an angle's merged row
        # and its sine and cosine rows differ by that much
        drift = 10 * np.abs(at.Phi).max() * np.abs(r.trajectory.lam[k]).max()
        bound = (1e-4 if i.iterates or i.tangents else 1e-7) * size + drift
        assert off < bound, f"sample {k} of {len(r.t) - 1}"


@settings(max_examples=2 * settings().max_examples)
@given(recipes())
def test_balance_and_pins_of_random_mechanisms(drawn: Recipe):
    r = biela.simulate(build(drawn), 0.05, tolerance=1e-8, samples=2)
    check_pins(r)
    free = r.free_bodies
    acting = [e.force(free) for e in elements(r.system.resolved).values()]
    size = max(np.abs(free.lam).max(initial=0.0), np.abs(r.a).max(), 1.0)
    for body in r.system.resolved.bodies:
        wrenches = [free.weight(body), free.inertia(body), *(free.wrench(g, body) for g in acting)]
        assert np.abs(sum(w[0] for w in wrenches)).max() < 1e-9 * size, body
        assert np.abs(sum(w[1] for w in wrenches)).max() < 1e-9 * size, body


# ------------------------------------------------------------------------------------ pendulum, closed form
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_tension_of_the_pendulum(formulation: str):
    """Let go from the horizontal the rod pulls with -3 m g y / L, at the bottom with 3 m g = 29.43 N."""
    quarter = 2.367841947576237 / 4
    r = biela.simulate(
        "simple-pendulum", quarter, formulation=formulation, integrator="dopri5", tolerance=1e-11, samples=20
    )
    near = 1e-4 if formulation == "penalty" else 1e-8
    xy = channel(r, "P")
    pull = -3 * 9.81 * xy[:, 1]
    np.testing.assert_allclose(channel(r, "O.reaction"), -pull[:, None] * xy, atol=near)
    np.testing.assert_allclose(channel(r, "P.reaction@bob"), -pull[:, None] * xy, atol=near)
    np.testing.assert_allclose(channel(r, "O.reaction")[-1], [0, 29.43], atol=10 * near)
    assert r["O.reaction.norm"][-1] == pytest.approx(29.43, abs=10 * near)


# ---------------------------------------------------------------------------- four-bar, by Newton and Euler
def four_bar_by_hand(theta: float, omega: float) -> dict[str, np.ndarray | float]:
    """Pin forces and accelerations of the library's four-bar: three free bodies and one loop, by NumPy."""
    O, D = np.zeros(2), np.array([0.4, 0.0])
    A = 0.1 * np.array([math.cos(theta), math.sin(theta)])
    d = np.hypot(*(D - A))  # B: intersection of the circles about A (0.3) and D (0.25), above A-D
    u = (D - A) / d
    x = (d * d + 0.3**2 - 0.25**2) / (2 * d)
    B = A + x * u + math.sqrt(0.3**2 - x * x) * np.array([-u[1], u[0]])
    n = lambda r: np.array([-r[1], r[0]])  # noqa: E731  # omega x r
    w2, w3 = np.linalg.solve(np.column_stack([n(B - A), -n(B - D)]), -omega * n(A - O))
    e = (B - A) / 0.3
    G1, G2, G3 = A / 2, A + 0.15 * e + 0.05 * n(e), (D + B) / 2
    m, inertia, g = (0.5, 1.0, 1.2), (0.5 * 0.1**2 / 12, 0.01, 1.2 * 0.25**2 / 12), np.array([0, -9.81])
    # unknowns: three angular accelerations, then the forces of the pins: O on the crank, A and B on the coupler,
    # D on the rocker
    K, f = np.zeros((11, 11)), np.zeros(11)
    O_, A_, B_, D_ = slice(3, 5), slice(5, 7), slice(7, 9), slice(9, 11)
    spin = lambda arm: np.array([-arm[1], arm[0]])  # noqa: E731  # moment of a unit force at arm: row over (Fx, Fy)
    bodies = (
        (0, G1, ((O_, O, 1), (A_, A, -1)), [(0, G1 - O)], -(omega**2) * (G1 - O)),
        (1, G2, ((A_, A, 1), (B_, B, 1)), [(0, A - O), (1, G2 - A)], -(omega**2) * (A - O) - w2**2 * (G2 - A)),
        (2, G3, ((D_, D, 1), (B_, B, -1)), [(2, G3 - D)], -(w3**2) * (G3 - D)),
    )
    for k, G, held, arms, normal in bodies:
        rows, turn = slice(3 * k, 3 * k + 2), 3 * k + 2
        for where, point, sign in held:
            K[rows, where] += sign * np.eye(2)
            K[turn, where] += sign * spin(point - G)
        for j, arm in arms:
            K[rows, j] -= m[k] * n(arm)
        K[turn, k] -= inertia[k]
        f[rows] = m[k] * (normal - g)
    K[9:, 0], K[9:, 1], K[9:, 2] = n(A - O), n(B - A), -n(B - D)
    f[9:] = omega**2 * (A - O) + w2**2 * (B - A) - w3**2 * (B - D)
    s = np.linalg.solve(K, f)
    return {
        "crank.angular_acceleration": s[0], "coupler.angular_acceleration": s[1], "rocker.angular_acceleration": s[2],
        "crank.rate": omega, "coupler.rate": w2, "rocker.rate": w3, "B": B,
        "O.reaction@crank": s[O_], "A.reaction@crank": -s[A_], "A.reaction@coupler": s[A_],
        "B.reaction@coupler": s[B_], "B.reaction@rocker": -s[B_], "D.reaction@rocker": s[D_],
    }  # fmt: skip


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f != "penalty"])
def test_pin_forces_of_the_four_bar(formulation: str):
    r = biela.simulate("four-bar", 0.5, formulation=formulation, integrator="dopri5", tolerance=1e-11, samples=40)
    names = four_bar_by_hand(0.0, 20.0)
    values = {name: channel(r, name) for name in names}
    for k, (theta, omega) in enumerate(zip(channel(r, "crank_angle"), channel(r, "crank_angle.rate"))):
        for name, expected in four_bar_by_hand(theta, omega).items():
            size = np.abs(values[name]).max()
            assert np.abs(values[name][k] - expected).max() < 1e-8 * size, (name, k)


# --------------------------------------------------------------------------------------------- the slot
def test_a_slot_pushes_square_to_itself_and_does_not_turn():
    r = short_run("quick-return", "augmented")
    force, lever = channel(r, "slot.reaction"), channel(r, "D") - channel(r, "C")
    size = np.abs(force).max()
    assert size > 1
    assert np.abs((force * lever).sum(axis=1)).max() < 1e-9 * size
    assert np.abs(channel(r, "slot.moment")).max() < 1e-9 * size
    np.testing.assert_allclose(channel(r, "guide.reaction.x"), 0, atol=1e-9 * size)


# ------------------------------------------------------------------------------------------------- energy
# mechanism -> the power that flows in, from channels
POWER: dict[str, Callable[[Result], np.ndarray]] = {
    "quick-return": lambda r: channel(r, "motor.power"),
    "jansen": lambda r: channel(r, "motor.power"),
    "kinematics-003-sliding": lambda r: channel(r, "motor.effort") * channel(r, "psi1.rate"),
    "slider-crank": lambda r: 0.1 * channel(r, "theta.rate"),
    "mass-spring-damper": lambda r: -1500 * channel(r, "y.rate") ** 2,
    "two-mass-suspension": lambda r: -1500 * (channel(r, "P1.vy") - channel(r, "P2.vy")) ** 2,
    "double-pendulum-spring": lambda r: np.zeros(len(r.t)),
    "four-bar": lambda r: np.zeros(len(r.t)),
}


@pytest.mark.parametrize("name", POWER)
@pytest.mark.parametrize("formulation", ["augmented", "projection"])
def test_energy_changes_by_the_power_that_flows_in(name: str, formulation: str):
    r = biela.simulate(name, 0.5, formulation=formulation, integrator="dopri5", tolerance=1e-10, step=2e-3, samples=500)
    t, total, power = np.asarray(r.t), channel(r, "energy.total"), POWER[name](r)
    scale = r.energy_scale
    np.testing.assert_allclose(total, channel(r, "energy.kinetic") + channel(r, "energy.potential"), atol=1e-12 * scale)
    rate = CubicSpline(t, total)(t, 1)[5:-5]
    flow = max(np.abs(power).max(), scale)
    assert np.abs(rate - power[5:-5]).max() < 1e-5 * flow
    # the same, summed up: what biela calls work, and what is left over
    work = CubicSpline(t, power).antiderivative()(t)
    np.testing.assert_allclose(channel(r, "energy.work"), work, atol=1e-7 * scale)
    assert np.abs(channel(r, "energy.error")).max() < 1e-7 * scale
    assert np.abs(total - total[0] - work).max() < 1e-7 * scale


@pytest.mark.parametrize("seed", range(25))
def test_energy_of_random_mechanisms_is_accounted_for(seed: int):
    r = biela.simulate(build(recipe(seed)), 0.2, tolerance=1e-10, step=1e-2, samples=20)
    assert r.ok, r.explain()
    assert np.abs(channel(r, "energy.error")).max() < 1e-6 * max(r.energy_scale, 1.0)
