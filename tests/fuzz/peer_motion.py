"""Open trees against Pinocchio along a whole motion: accelerations, energies and forces across joints at every sample
of a tight run, and the end of the motion that Pinocchio's own accelerations lead to.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

import biela
from biela.coordinates.tree.from_poses import body_motion
from biela.methods.status import Status
from biela.results.reactions.free_body import free_bodies
from biela.results.result import Result
from biela.system.system import System
from fuzz.finding import Finding, Tally
from fuzz.motions import patience
from pinocchio_trees import Recipe, Twin
from spatial.states import size

EXACT = 1e-8
"""of the largest: both are recursions, whose rounding grows along a chain"""
TIGHT, CLOSE = 1e-10, 1e-6
"""tolerance of both integrations, and how far apart they may end: short motions make errors grow some hundred times"""


def compare(system: System, recipe: Recipe, across: dict[str, np.ndarray], duration: float, tally: Tally) -> (
    list[Finding]
):  # fmt: skip
    """A motion in relative coordinates, whose names Pinocchio's twin knows."""
    twin = Twin(recipe, across)
    if not system.n or system.n != twin.model.nv or system.m:
        return []
    r = biela.simulate(system, duration, integrator="dopri8", tolerance=TIGHT, samples=4, progress=patience())
    tally.add("runs")
    if r.status != Status.finished:
        return []
    push = np.array([recipe.pushes.get(name, 0.0) for name in system.v_names])
    out: list[Finding] = []
    for k in range(len(r.t)):
        out += _sample(r, k, twin, push, tally)
    return out or _across(r, twin, push, tally) or _end(r, twin, push, duration, tally)


def _state(r: Result, k: int, twin: Twin) -> tuple:
    system = r.system
    named = dict(zip(system.q_names, r.q[k], strict=True)), dict(zip(system.v_names, r.v[k], strict=True))
    return twin.state(*named, system.v_names)


def _sample(r: Result, k: int, twin: Twin, push: np.ndarray, tally: Tally) -> list[Finding]:
    """Accelerations and energies at one instant."""
    model, data = twin.model, twin.data
    q, v, T, g = _state(r, k, twin)
    a = pin.aba(model, data, q, v, np.linalg.solve(T.T, push), twin.loads(q))
    theirs, ours = np.linalg.solve(T, a - g), r.a[k]
    tally.add("compared", 2)
    # what is small beside the rest of a long chain is as good as the rest
    big = max(size(theirs), size(r.v[k]) ** 2, 1.0)
    if size(theirs - ours) > 1e-6 * big:
        text = f"t = {float(r.t[k]):g} s: accelerations differ by {size(theirs - ours):.3g} of {big:.3g}"
        return [Finding("Pinocchio: accelerations along a motion", text)]
    kinetic = pin.computeKineticEnergy(model, data, q, v)
    potential = pin.computePotentialEnergy(model, data, q)
    own = float(r["energy.kinetic"][k]), float(r["energy.potential"][k])
    if k == 0:
        r.__dict__["level"] = own[1] - potential  # potentials have a constant of their own
    scale = max(abs(kinetic), abs(potential), r.energy_scale)
    off = max(abs(kinetic - own[0]), abs(potential + r.__dict__["level"] - own[1]))
    conservative = not (twin.recipe.loads or twin.recipe.pushes)  # biela counts constant loads by their potential
    if abs(kinetic - own[0]) > EXACT * scale or (conservative and off > EXACT * scale):
        return [Finding("Pinocchio: energies", f"t = {float(r.t[k]):g} s: off by {off:.3g} J of {scale:.3g} J")]
    return []


def _across(r: Result, twin: Twin, push: np.ndarray, tally: Tally) -> list[Finding]:
    """Forces and moments that joints hand on, at the last sample: the joint's own and its motor's, about the centre of
    the body that hangs on it. (Pinocchio knows no welded joints: they are parts of the body before.)"""
    model, data, recipe = twin.model, twin.data, twin.recipe
    q, v, T, g = _state(r, -1, twin)
    pin.rnea(model, data, q, v, T @ r.a[-1] + g, twin.loads(q))
    bodies = {b.body: b for b in free_bodies(r, list(r.system.resolved.bodies))}
    pushed = {f.name: f.coordinate for f in r.system.resolved.forces if getattr(f, "coordinate", None)}
    for j in recipe.joints:
        index, before = twin._joint[j.body][0], twin._joint[j.parent][0]
        if index == before or any(k.type == "fixed" and j.body in (k.body, k.parent) for k in recipe.joints):
            continue
        wrench = data.oMi[index].act(data.f[index])
        body = bodies[j.body]
        mine = [a for a in body.acts if a.name == j.name or str(pushed.get(a.name, "")).split(".")[0] == j.name]
        force = np.sum([a.force for a in mine], axis=0) if mine else np.zeros(3)
        moment = np.sum([a.about_centre for a in mine], axis=0) if mine else np.zeros(3)
        off = max(size(force - wrench.linear),
                  size(moment - wrench.angular + np.cross(body.centre, wrench.linear)) / body.size)  # fmt: skip
        tally.add("compared")
        if off > 1e-6 * max(body.largest, 1e-9):
            names = [a.name for a in mine]
            text = f"{j.name} on {j.body}: {off:.3g} N of {body.largest:.3g} N from Pinocchio's, {names}"
            return [Finding("Pinocchio: reactions", text)]
    return []


def _end(r: Result, twin: Twin, push: np.ndarray, duration: float, tally: Tally) -> list[Finding]:
    """The motion by SciPy and Pinocchio."""
    model, nq = twin.model, twin.model.nq
    q, v, _, _ = _state(r, 0, twin)
    # a push is on biela's own rates: the same of Pinocchio's but for free bodies and planes, which have none
    tau = np.linalg.solve(_state(r, 0, twin)[2].T, push)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        here, u = pin.normalize(model, y[:nq]), y[nq:]
        a = pin.aba(model, twin.data, here, u, tau, twin.loads(here))
        return np.concatenate([rate_of(twin, y[:nq], u), a])

    done = solve_ivp(rates, (0.0, duration), np.concatenate([q, v]), method="DOP853", rtol=TIGHT, atol=TIGHT)
    tally.add("runs")
    if not done.success:
        return []
    tally.add("compared")
    places = twin.places(pin.normalize(model, done.y[:nq, -1]))
    posture = r.system.posture(r.q[-1], r.v[-1])
    worst = 0.0
    for b in twin.recipe.bodies:
        motion = body_motion(posture, b.name)
        worst = max(worst, size(motion.p[0][0] - places[b.name].act(b.center)) / r.system.size)
        worst = max(worst, size(motion.R[0][0] - places[b.name].rotation))
    if worst > CLOSE:
        text = f"after {duration:g} s the bodies are {worst:.3g} sizes or radians from Pinocchio's\n{r.quality()}"
        return [Finding("Pinocchio: another motion", text)]
    return []


def rate_of(twin: Twin, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q' of Pinocchio's coordinates: quaternions, cosines and sines among them."""
    model, out = twin.model, np.zeros(twin.model.nq)
    for piece in twin.pieces:
        i, k = model.idx_qs[piece.index], model.idx_vs[piece.index]
        u = v[k : k + len(piece.v)]
        if piece.kind in ("ball", "free"):
            at = i + 3 if piece.kind == "free" else i
            x, w = q[at : at + 3], q[at + 3]
            out[at : at + 3] = (w * u[-3:] + np.cross(x, u[-3:])) / 2
            out[at + 3] = -(x @ u[-3:]) / 2
            if piece.kind == "free":
                out[i : i + 3] = pin.Quaternion(w, *x).normalized().toRotationMatrix() @ u[:3]
        elif piece.kind == "planar":
            c, s = q[i + 2], q[i + 3]
            out[i : i + 4] = [c * u[0] - s * u[1], s * u[0] + c * u[1], -s * u[2], c * u[2]]
        else:
            out[i : i + len(u)] = u
    return out
