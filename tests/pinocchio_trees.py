"""Random trees of bodies in space, said twice: as a biela model, and as a model of Pinocchio.

Pinocchio's frames of joints stand where biela's do: at the joint, with the axes of the ground (of a floating root: of
that body) where the bodies start. There the coordinates are zero. So most coordinates and velocities are the same
numbers; `Twin.state` says where they are not:

                 biela                                             Pinocchio
    quaternion   scalar first, of any length                       scalar last, unit
    floating     velocity of the centre of mass in ground axes     in the axes of the body
    planar       slides along the axes of the plane, and an angle  velocity in axes that turn; cosine and sine
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pinocchio as pin

from biela import Model

ONE_AXIS = ("revolute", "prismatic", "cylindrical", "screw", "planar", "point-on-line", "point-on-plane")
JOINTS = (*ONE_AXIS, "spherical", "universal", "skew universal", "fixed")


@dataclass
class Body:
    name: str
    place: pin.SE3
    mass: float
    center: np.ndarray
    inertia: np.ndarray


@dataclass
class Joint:
    """From the parent to the body; `backwards` if biela is told the other way round."""

    name: str
    type: str
    parent: str
    body: str
    at: np.ndarray
    axes: tuple[np.ndarray, np.ndarray]
    lead: float
    backwards: bool


@dataclass
class Load:
    """A force on a point of a body and a moment on the body, in the axes of the ground or of the body itself."""

    body: str
    point: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    local: bool


@dataclass
class Recipe:
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    pushes: dict[str, float] = field(default_factory=dict)
    """constant force or moment on a joint's own coordinate"""
    gravity: np.ndarray = field(default_factory=lambda: np.zeros(3))


def unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def random_tree(
    rng: np.random.Generator, count: int, types: tuple[str, ...] = JOINTS, chain: bool = False, floating: int = 0,
    loaded: bool = True,
) -> Recipe:  # fmt: skip
    """`count` bodies, each on a joint to an earlier one (the last in a chain) or to the ground; the first float."""
    recipe = Recipe(gravity=rng.normal(scale=6.0, size=3))
    places = {"ground": np.zeros(3)}
    for k in range(count):
        parent = list(places)[-1 if chain else rng.integers(len(places))]
        at = places[parent] + rng.normal(scale=0.4, size=3)
        name = f"body{k}"
        quaternion = pin.Quaternion(*rng.normal(size=4)).normalized()
        place = pin.SE3(quaternion.toRotationMatrix(), at + rng.normal(scale=0.3, size=3))
        places[name] = place.translation
        r = rng.normal(scale=0.2, size=(5, 3))  # five point masses make a body that can exist
        m = rng.uniform(0.1, 1.0, size=5)
        center = m @ r / m.sum()
        r -= center
        inertia = np.einsum("k,ki,ki->", m, r, r) * np.eye(3) - np.einsum("k,ki,kj->ij", m, r, r)
        recipe.bodies.append(Body(name, place, float(m.sum()), center, inertia))
        if loaded and rng.random() < 0.4:
            force, moment = rng.normal(scale=3.0, size=(2, 3))
            recipe.loads.append(Load(name, rng.normal(scale=0.3, size=3), force, moment, bool(rng.random() < 0.5)))
        if k < floating:
            continue
        type, axis, other = rng.choice(types), unit(rng), unit(rng)
        if type == "universal":
            other = np.cross(axis, other)
            other /= np.linalg.norm(other)
        j = Joint(f"J{k}", str(type), parent, name, at, (axis, other), rng.uniform(0.05, 0.5), bool(rng.random() < 0.3))
        recipe.joints.append(j)
        if loaded and type in ("revolute", "prismatic") and rng.random() < 0.5:
            recipe.pushes[f"{j.name}.{'angle' if type == 'revolute' else 'position'}"] = float(rng.normal(scale=2.0))
    return recipe


def biela_model(recipe: Recipe) -> Model:
    """The tree as a user of biela writes it."""
    m = Model(gravity=recipe.gravity.tolist())
    places = {"ground": pin.SE3.Identity()}
    loads = {load.body: load for load in recipe.loads}
    for b in recipe.bodies:
        places[b.name] = b.place
        points = {f"P_{b.name}": loads[b.name].point.tolist()} if b.name in loads else {}
        m.add_body(
            b.name, points, mass=b.mass, center=b.center.tolist(), inertia=b.inertia.tolist(),
            position=b.place.translation.tolist(), orientation=b.place.rotation.tolist(),
        )  # fmt: skip
    for j in recipe.joints:
        bodies = (j.body, j.parent) if j.backwards else (j.parent, j.body)
        more: dict = {}
        if j.type in ONE_AXIS:
            more["axis"] = j.axes[0].tolist()
        elif "universal" in j.type:
            more["axis"] = [(places[b].rotation.T @ a).tolist() for b, a in zip(bodies, j.axes, strict=True)]
            if j.type != "universal":
                more["angle"] = float(np.arccos(j.axes[0] @ j.axes[1]))
        if j.type == "screw":
            more["lead"] = j.lead
        m.add_joint(j.name, j.type.split()[-1], bodies=bodies, at=j.at.tolist(), **more)
    for name, load in loads.items():
        axes = name if load.local else "ground"
        m.add_force(f"F_{name}", "force", point=f"P_{name}", value=load.force.tolist(), axes=axes)
        m.add_force(f"N_{name}", "moment", body=name, value=load.moment.tolist(), axes=axes)
    for name, value in recipe.pushes.items():
        m.add_force(f"A_{name.replace('.', '_')}", "actuator", coordinate=name, value=value)
    return m


def depth_first(recipe: Recipe) -> list[Body]:
    """The bodies, each branch to its tips before the next one: Pinocchio's mass matrix needs this order."""
    parent = {j.body: j.parent for j in recipe.joints}
    out: list[Body] = []

    def visit(name: str) -> None:
        for b in recipe.bodies:
            if parent.get(b.name, "") == name:
                out.append(b)
                visit(b.name)

    visit("")
    visit("ground")
    return out


@dataclass
class Piece:
    """A joint of Pinocchio, and biela's names of its coordinates and velocities."""

    kind: str
    index: int
    q: list[str]
    v: list[str]


class Twin:
    """The tree as a model of Pinocchio. `across`: two axes of each joint's plane, in the ground's axes."""

    def __init__(self, recipe: Recipe, across: dict[str, np.ndarray]):
        self.recipe, self.model = recipe, pin.Model()
        self.model.gravity.linear = recipe.gravity
        self.pieces: list[Piece] = []
        self._axes = {"ground": np.eye(3)}
        self._joint: dict[str, tuple[int, pin.SE3]] = {"ground": (0, pin.SE3.Identity())}
        joints = {j.body: j for j in recipe.joints}
        for b in depth_first(recipe):
            if b.name in joints:
                self._hang(joints[b.name], across.get(joints[b.name].name))
            else:
                at = pin.SE3(b.place.rotation, b.place.act(b.center))
                self._axes[b.name], self._joint[b.name] = b.place.rotation, (0, pin.SE3.Identity())
                names = [f"{b.name}.{c}" for c in "xyz"]
                q = names + [f"{b.name}.p{k}" for k in range(4)]
                v = names + [f"{b.name}.w{c}" for c in "xyz"]
                self._add(b.name, "free", pin.JointModelFreeFlyer(), at, q, v, placed=pin.SE3.Identity())
            index, pose = self._joint[b.name]
            inertia = pin.Inertia(b.mass, b.center, b.inertia)
            self.model.appendBodyToJoint(index, inertia, pose.inverse() * b.place)
        self.data = self.model.createData()

    def _add(self, body, kind, joint, at: pin.SE3, q, v, placed=None) -> None:
        """One more joint between what carries the body so far and the body; `at` is its frame at the start."""
        index, pose = self._joint[body]
        placement = pose.inverse() * at if placed is None else placed
        index = self.model.addJoint(index, joint, placement, f"joint{len(self.pieces)}")
        self._joint[body] = (index, at)
        self.pieces.append(Piece(kind, index, q, v))

    def _hang(self, j: Joint, across: np.ndarray | None) -> None:
        G = self._axes[j.body] = self._axes[j.parent]
        self._joint[j.body] = self._joint[j.parent]
        at, sign = pin.SE3(G, j.at), -1.0 if j.backwards else 1.0
        first, second = (sign * (G.T @ a) for a in j.axes)

        def plain(joint, *names):
            q = [f"{j.name}.{n}" for n in names]
            self._add(j.body, "plain", joint, at, q, q)

        def slide(axis, name):
            return lambda: plain(pin.JointModelPrismaticUnaligned(axis), name)

        def turn(axis, name):
            return lambda: plain(pin.JointModelRevoluteUnaligned(axis), name)

        def ball():
            q, v = [f"{j.name}.p{k}" for k in range(4)], [f"{j.name}.w{c}" for c in "xyz"]
            self._add(j.body, "ball", pin.JointModelSpherical(), at, q, v)

        if j.type == "planar" and not j.backwards:
            names = [f"{j.name}.{n}" for n in ("position1", "position2", "angle")]
            E = np.column_stack([*across, j.axes[0]])
            self._add(j.body, "planar", pin.JointModelPlanar(), pin.SE3(E, j.at), names, names)
            return
        if j.type == "universal":
            ends = [(first, "angle1"), (second, "angle2")][:: -1 if j.backwards else 1]
            return plain(pin.JointModelUniversal(*(a for a, _ in ends)), *(n for _, n in ends))
        if j.type == "screw":
            return plain(pin.JointModelHelicalUnaligned(first, j.lead / (2 * np.pi)), "angle")
        e1, e2 = (None, None) if across is None else (sign * (G.T @ a) for a in across)
        steps = {
            "revolute": [turn(first, "angle")],
            "prismatic": [slide(first, "position")],
            "cylindrical": [slide(first, "position"), turn(first, "angle")],
            "skew universal": [turn(first, "angle1"), turn(second, "angle2")],
            "spherical": [ball],
            "planar": [slide(e1, "position1"), slide(e2, "position2"), turn(first, "angle")],
            "point-on-line": [slide(first, "position"), ball],
            "point-on-plane": [slide(e1, "position1"), slide(e2, "position2"), ball],
            "fixed": [],
        }[j.type]
        for step in reversed(steps) if j.backwards else steps:
            step()

    def state(self, q: dict[str, float], v: dict[str, float], order: list[str]) -> tuple:
        """q and v of Pinocchio, and T, g: v_pin = T v, v_pin' = T v' + g. `order` is that of biela's velocities."""
        model = self.model
        out, g = pin.neutral(model), np.zeros(model.nv)
        T = np.zeros((model.nv, model.nv))
        for piece in self.pieces:
            x, u = np.array([q[n] for n in piece.q]), np.array([v[n] for n in piece.v])
            i, k = model.idx_qs[piece.index], model.idx_vs[piece.index]
            block, bias = np.eye(len(u)), np.zeros(len(u))
            if piece.kind in ("ball", "free"):
                p = x[-4:] / np.linalg.norm(x[-4:])
                x = np.array([*x[:-4], *p[1:], p[0]])
            if piece.kind == "free":
                R = pin.Quaternion(*p).toRotationMatrix()
                block[:3, :3] = R.T
                bias[:3] = -np.cross(u[3:], R.T @ u[:3])
            elif piece.kind == "planar":
                c, s = np.cos(x[2]), np.sin(x[2])
                block[:2, :2] = [[c, s], [-s, c]]
                bias[:2] = u[2] * np.array([[-s, c], [-c, -s]]) @ u[:2]
                x = np.array([x[0], x[1], c, s])
            out[i : i + len(x)] = x
            T[k : k + len(u), [order.index(n) for n in piece.v]] = block
            g[k : k + len(u)] = bias
        return out, T @ np.array([v[n] for n in order]), T, g

    def places(self, q: np.ndarray) -> dict[str, pin.SE3]:
        """Where the bodies' axes are."""
        pin.forwardKinematics(self.model, self.data, q)
        joint = {b.name: self._joint[b.name] for b in self.recipe.bodies}
        return {b.name: self.data.oMi[joint[b.name][0]] * joint[b.name][1].inverse() * b.place
                for b in self.recipe.bodies}  # fmt: skip

    def loads(self, q: np.ndarray) -> list[pin.Force]:
        """The loads on the bodies, in the frames of the joints."""
        places = self.places(q)
        out = pin.StdVec_Force()
        total = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for load in self.recipe.loads:
            here, index = places[load.body], self._joint[load.body][0]
            R = here.rotation if load.local else np.eye(3)
            force, moment = R @ load.force, R @ load.moment
            at_origin = pin.Force(force, moment + np.cross(here.act(load.point), force))
            total[index] += self.data.oMi[index].actInv(at_origin)
        for f in total:
            out.append(f)
        return out
