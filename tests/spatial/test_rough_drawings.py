"""A rough drawing decides where a mechanism starts, and no dimension of it; what it does decide is told.

The same mechanism drawn exactly and drawn roughly, with its lengths given, is the same mechanism: the same positions,
torques and reactions. Coordinates of joints are zero where the drawing is put together.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import biela
from biela.analysis.check.check import check


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def _across(rng: np.random.Generator, axis: np.ndarray) -> np.ndarray:
    return _unit(np.cross(axis, rng.normal(size=3)))


def _turn(rng: np.random.Generator, size: float) -> np.ndarray:
    """A rotation by a small random angle."""
    w = size * rng.uniform(-1, 1, 3)
    W = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    angle = np.linalg.norm(w)
    if angle == 0.0:
        return np.eye(3)
    return np.eye(3) + np.sin(angle) / angle * W + (1 - np.cos(angle)) / angle**2 * W @ W


class FourBar:
    """A crank and a rocker on hinges with any axes across them, and a coupler with a ball at each end."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        self.rng = rng
        self.a, self.d = _unit(rng.normal(size=3)), _unit(rng.normal(size=3))
        self.A, self.D = np.zeros(3), np.array([1.0, 0.2, -0.1]) + 0.2 * rng.normal(size=3)
        self.u, self.w = _across(rng, self.a), _across(rng, self.d)
        self.B, self.C = self.A + 0.25 * self.u, self.D + 0.6 * self.w
        self.coupler = float(np.linalg.norm(self.C - self.B))

    def sound(self) -> bool:
        """Far from a dead point, so that a small error of the drawing does not lead to another assembly."""
        line = _unit(self.C - self.B)
        return bool(abs(np.cross(self.d, self.w) @ line) > 0.4) and self.coupler > 0.4

    def bars(self, off: float) -> biela.Model:
        m = biela.Model(name="four-bar", gravity=(0, 0, -9.81)).add_ground("A", *self.A).add_ground("D", *self.D)
        B, C = (p + off * self.rng.uniform(-1, 1, 3) for p in (self.B, self.C))
        m.add_point("B", *B).add_point("C", *C)
        m.add_bar("crank", "A", "B", mass=1.0, length=0.25)
        m.add_bar("coupler", "B", "C", mass=0.7, length=self.coupler)
        m.add_bar("rocker", "D", "C", mass=1.3, length=0.6)
        m.add_joint("in", "revolute", bodies=("ground", "crank"), at="A", axis=tuple(self.a))
        m.add_joint("out", "revolute", bodies=("ground", "rocker"), at="D", axis=tuple(self.d))
        return self.driven(m)

    def bodies(self, off: float, own_axes: bool) -> biela.Model:
        """Crank and rocker with points in axes of their own, turned roughly."""
        m = biela.Model(name="four-bar", gravity=(0, 0, -9.81)).add_ground("A", *self.A).add_ground("D", *self.D)
        m.add_point("B", *(self.B + off * self.rng.uniform(-1, 1, 3)))
        m.add_point("C", *(self.C + off * self.rng.uniform(-1, 1, 3)))
        m.add_bar("coupler", "B", "C", mass=0.7, length=self.coupler)
        parts = (("crank", "A", "B", self.A, self.a, self.u, 0.25), ("rocker", "D", "C", self.D, self.d, self.w, 0.6))
        for name, first, second, at, axis, along, length in parts:
            # of its own: x along the link, the axis 30 degrees from y towards z
            c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
            y = c * axis - s * np.cross(along, axis)
            rough = _turn(self.rng, off) @ np.column_stack([along, y, np.cross(along, y)])
            points = {first: (0.0, 0.0, 0.0), second: (length, 0.0, 0.0)}
            turned = {"x": tuple(rough[:, 0]), "y": tuple(rough[:, 1])}
            m.add_body(name, points, mass=1.0, center=(length / 2, 0, 0), inertia=(0.01, 0.02, 0.02),
                       position=tuple(at), orientation=turned)  # fmt: skip
            given = (tuple(axis), (0.0, c, s)) if own_axes else tuple(axis)
            joint = "in" if name == "crank" else "out"
            m.add_joint(joint, "revolute", bodies=("ground", name), at=first, axis=given)
        return self.driven(m)

    def driven(self, m: biela.Model) -> biela.Model:
        """The crank turns from the exact position, by an angle that is counted from the ground."""
        zero = {"body": "ground", "direction": tuple(self.u)}
        m.add_coordinate("phi", "angle", of=("A", "B"), relative_to=zero, about=tuple(self.a))
        return m.add_driver("motor", "phi", "0.5*t")


def _numbers(model: biela.Model) -> dict[str, np.ndarray]:
    r = biela.simulate(model, 0.1, step=0.02, formulation="lagrange", integrator="rk4")
    names = ("C.position", "in.reaction", "out.reaction", "out.moment")
    return {**{n: np.asarray(r[n]) for n in names}, "torque": np.asarray(r.reaction("motor").moment)}


def _told(model: biela.Model) -> list[str]:
    """Notes about the drawing."""
    return [note for note in biela.assemble(model).notes if "drawn" in note]


def _same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.abs(one[n] - other[n]).max() < 1e-6 * max(1.0, np.abs(one[n]).max()) for n in one)


@settings(max_examples=5)
@given(seed=st.integers(0, 10_000), off=st.sampled_from([0.003, 0.01, 0.03]))
def test_bars_are_the_same_mechanism_however_they_are_drawn(seed: int, off: float) -> None:
    linkage = FourBar(seed)
    assume(linkage.sound())
    exact, rough = linkage.bars(0.0), linkage.bars(off)
    assert not _told(exact)
    assert not biela.assemble(rough).resolved.doubts
    assert _same(_numbers(exact), _numbers(rough))


@settings(max_examples=5)
@given(seed=st.integers(0, 10_000), off=st.sampled_from([0.01, 0.03]))
def test_other_bodies_are_the_same_or_it_is_told(seed: int, off: float) -> None:
    linkage = FourBar(seed)
    assume(linkage.sound())
    exact = _numbers(linkage.bodies(0.0, True))
    mine = linkage.bodies(off, True)
    assert not biela.assemble(mine).resolved.doubts
    assert _same(exact, _numbers(mine))  # axes of the bodies: no guess
    drawn = linkage.bodies(off, False)
    assert _same(exact, _numbers(linkage.bodies(0.0, False)))
    assert not _told(linkage.bodies(0.0, False))
    doubts = biela.assemble(drawn).resolved.doubts
    for joint in ("in", "out"):
        assert any(f"axis of joint {joint!r}" in d and "deg" in d for d in doubts)
    assert any("axis of joint 'in'" in note for note in _told(drawn))


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_an_oblique_bar_that_is_drawn_exactly_stays_so(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = _unit(rng.normal(size=3))
    across, slope = _across(rng, axis), np.radians(rng.uniform(2, 80))
    P = 0.5 * (np.cos(slope) * across + np.sin(slope) * axis)
    for off, told in ((0.0, False), (0.02, True)):
        m = biela.Model(name="flail").add_ground("O", 0, 0, 0)
        drawn = P * (1 + off)
        m.add_point("P", *drawn).add_bar("arm", "O", "P", mass=1.0, length=0.5)
        m.add_joint("hinge", "revolute", bodies=("ground", "arm"), at="O", axis=tuple(axis))
        system = biela.assemble(m, "natural")
        p = np.array(system.resolved.bodies["arm"].points["P"], dtype=float)
        off_across = np.degrees(np.arcsin(_unit(p) @ axis))
        notes = " ".join(system.notes)
        if not told:
            assert off_across == pytest.approx(np.degrees(slope), abs=1e-6) and not notes
        elif abs(off_across) < 1e-6 or abs(abs(off_across) - 90) < 1e-6:
            assert "'arm'" in notes and "'hinge'" in notes and "exactly" in notes
        else:
            assert f"{90 - np.degrees(slope):.3g}"[:2] in notes and "'hinge'" in notes
            assert any("'hinge'" in d for d in system.resolved.doubts)


JOINTS = {
    "revolute": {"axis": (0, 0, 1)},
    "cylindrical": {"axis": (0, 0, 1)},
    "universal": {"axis": ("x", "y"), "angle": "90 deg"},
    "planar": {"axis": (0, 0, 1)},
    "spherical": {},
    "prismatic": {"axis": (0, 0, 1)},
    "point-on-plane": {"axis": (0, 0, 1)},
}


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000), kind=st.sampled_from(sorted(JOINTS)))
def test_coordinates_of_joints_are_zero_where_the_drawing_is_put_together(seed: int, kind: str) -> None:
    """A box on a joint of any type, tied to the ground by two rods whose lengths are not those drawn."""
    rng = np.random.default_rng(seed)
    m = biela.Model(name="box", gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
    m.add_box("box", (0.4, 0.3, 0.2), {"P": (0.2, 0.15, 0.1), "Q": (-0.2, 0.1, 0.1)}, mass=2.0,
              position=(0.1, 0.05, 0.0))  # fmt: skip
    m.add_joint("J", kind, bodies=("ground", "box"), at="O", **JOINTS[kind])
    for end, foot in (
        (("P", (0.9, 0.7, 0.8)), ("Q", (-0.8, 0.9, 0.4)))
        if kind in ("planar", "spherical")
        else (("P", (0.9, 0.7, 0.8)),)
    ):
        m.add_ground(f"G{end}", *foot)
        here = np.array([0.1, 0.05, 0.0]) + m.bodies["box"].points[end]  # type: ignore[union-attr]
        length = float(np.linalg.norm(here - np.array(foot)) * (1 + rng.uniform(0.005, 0.02)))
        m.add_joint(f"rod{end}", "distance", points=(f"G{end}", end), length=length)
    for coordinates in ("natural", "relative", "reference-point"):
        system = biela.assemble(m, coordinates)
        moved = abs(np.array(system.resolved.poses["box"].origin, dtype=float) - (0.1, 0.05, 0.0)).max()
        turned = abs(np.array(system.resolved.poses["box"].rotation, dtype=float) - np.eye(3)).max()
        assert moved + turned > 1e-4  # it was put right
        for name, c in system.resolved.coordinates.items():
            if c.joint == "J":
                assert abs(float(system.value(name, system.q0)[0][0])) < 1e-9


def test_a_driven_coordinate_keeps_its_place_in_the_drawing() -> None:
    """The crank is drawn where it is to start; the rough ends of the rod do not move it."""
    linkage = FourBar(3)
    m = linkage.bars(0.0)
    m.coordinates, m.drivers = {}, {"motor": {"coordinate": "in.angle", "law": "0.5*t"}}
    m.points = {**m.points, "C": tuple(linkage.C + 0.02)}
    system = biela.assemble(m)
    np.testing.assert_allclose(system.posture(system.q0).place(system.resolved.place("B"))[0][0], linkage.B, atol=1e-9)


def test_zero_says_the_angle_of_the_drawing_put_together() -> None:
    linkage = FourBar(3)
    m = linkage.bars(0.02)
    m.coordinates, m.drivers = {}, {}
    m.joints = {**m.joints, "in": {**m.joints["in"].model_dump(exclude_none=True), "zero": "30 deg"}}
    system = biela.assemble(m)
    assert float(system.value("in.angle", system.q0)[0][0]) == pytest.approx(np.pi / 6, abs=1e-9)
    assert float(system.value("out.angle", system.q0)[0][0]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("space", [False, True], ids=["plane", "space"])
def test_springs_are_free_where_the_drawing_is_put_together(space: bool) -> None:
    z = (0.0,) if space else ()
    m = biela.Model(name="arm").add_ground("O", 0, 0, *z).add_ground("W", 0, 1, *z).add_point("P", 1.2, 0, *z)
    m.add_bar("arm", "O", "P", mass=1.0, length=1.0)
    if space:
        m.add_joint("hinge", "revolute", bodies=("ground", "arm"), at="O", axis=(0, 0, 1))
    m.add_force("spring", "spring", points=("W", "P"), stiffness=100.0)
    r = biela.simulate(m, 0.2)
    np.testing.assert_allclose(np.asarray(r["spring.force"]), 0.0, atol=1e-9)


def test_lengths_that_a_rough_drawing_decides_are_told() -> None:
    m = biela.Model(name="four-bar").add_ground("O", 0, 0).add_ground("D", 3, 0)
    m.add_point("A", 0, 1.05).add_point("B", 3.1, 2)
    m.add_bar("crank", "O", "A", mass=1).add_bar("coupler", "A", "B", mass=1, length=3.2)
    m.add_bar("rocker", "D", "B", mass=1, length=2.0)
    (doubt,) = check(m).doubts
    assert "'crank'" in doubt and "1.05 m" in doubt and "deg" in doubt
    assert any("'crank'" in note for note in biela.simulate(m, 0.1).notes)
    m.bodies = {**m.bodies, "crank": {"type": "bar", "points": ("O", "A"), "mass": 1, "length": 1.0}}
    assert not check(m).doubts
    fits = biela.load("four-bar")  # lengths as drawn, and it fits together
    assert not check(fits).doubts


def test_the_library_is_drawn_exactly_or_decides_nothing() -> None:
    from biela.library import names

    for name in names():
        assert not _told(biela.load(name)), name
