"""From a resolved model to flat lists: constraint rows, masses, forces and laws in natural or mixed coordinates.

Everything here works on floats and on SymPy expressions alike; `arena.as_arrays` makes NumPy arrays of the former.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..model.meaning import GROUND, Direction, ForceMeaning, LawMeaning, LineMeaning, Meaning, Place
from .coordinates.layout import Layout
from .coordinates.natural import Natural
from .equations import COORDINATES, JOINTS, View, minus
from .polynomial import Polynomial


@dataclass(frozen=True)
class Functions:
    """The functions of the scalars in use: of floats, or of SymPy expressions."""

    sqrt: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    atan2: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class RowInfo:
    """One constraint row: who it belongs to, and its equation in exploded and in final coordinates."""

    name: str
    owner: str
    role: str
    """rigid, joint, coordinate or driver"""
    exploded: Polynomial
    equation: Polynomial
    law: LawMeaning | None = None


@dataclass(frozen=True)
class ForceInfo:
    """One force element: its law(s) and its vectors in exploded variables."""

    name: str
    kind: str
    """load, line, coordinate or torsion"""
    law: LawMeaning
    law_index: int
    exploded: dict[int, Any] = field(default_factory=dict)
    """load: exploded variable -> polynomial that multiplies the law"""
    vectors: tuple = ()
    """line: (r_B - r_A,); torsion: (u, w), as pairs of exploded polynomials"""
    column: int = -1
    part: str = ""
    """of a load with two components: x or y"""


@dataclass
class Lowered:
    """The flat description of a system, and what every number in it stands for."""

    meaning: Meaning
    layout: Layout
    natural: Natural
    q_names: list[str]
    carried: list[str]
    """relative coordinates that are variables"""
    rows: list[RowInfo]
    dropped: list[RowInfo]
    """rows without variables: identities, or contradictions"""
    masses: dict[str, dict[tuple[int, int], Any]]
    """body -> mass matrix in exploded variables"""
    weights: dict[str, dict[int, Any]]
    """body -> generalised weight in exploded variables"""
    forces: list[ForceInfo]
    laws: list[LawMeaning]
    lists: dict[str, Any]
    """what `arena.as_arrays` takes, but for programs, tables and workspace"""


def lower(meaning: Meaning, layout: Layout, carry: Iterable[str], functions: Functions) -> Lowered:
    """Write the equations of a mechanism with the given relative coordinates among its variables."""
    natural = Natural.of(meaning, layout, functions.sqrt)
    carried = [c for c in meaning.coordinates if c in set(carry)]
    extra = len(natural.copies)
    place_of = {c: extra + k for k, c in enumerate(carried)}
    see = _view(natural, meaning, functions)

    laws: list[LawMeaning] = []
    rows, dropped = _rows(natural, meaning, see, place_of)
    masses = {name: natural.mass(name) for name in meaning.bodies}
    weights = {name: _weight(natural, meaning, name) for name in meaning.bodies}
    forces = [f for force in meaning.forces for f in _force(natural, force, place_of, laws)]

    q_names = natural.q_names + carried
    lists: dict[str, Any] = {"n": len(q_names), "m": len(rows)}
    lists |= _row_lists(rows, laws)
    lists |= _merged_lists(rows, lists, len(q_names))
    lists |= _mass_lists(natural, masses, len(q_names))
    lists |= _weight_lists(natural, meaning, weights, len(q_names))
    lists |= _force_lists(natural, forces, len(natural.q_names), extra)
    lists |= _heading_lists(natural, meaning)
    lists["group"] = [int(k >= len(rows) or rows[k].role == "coordinate") for k in lists["active"]]
    lists["prefer"] = [0] * len(natural.q_names) + [1] * len(carried)
    return Lowered(
        meaning, layout, natural, q_names, carried, rows, dropped, masses, weights, forces, laws, lists
    )


def _view(natural: Natural, meaning: Meaning, fn: Functions) -> View:
    def position(p: Place) -> tuple:
        if p.body == GROUND:
            return p.local
        if p.point in meaning.start:
            return meaning.start[p.point]
        f, at = _frame(p.body)
        return (at[0] + f[0] * p.local[0] - f[1] * p.local[1], at[1] + f[1] * p.local[0] + f[0] * p.local[1])

    def _frame(body: str) -> tuple:
        """(cos, sin) and origin of a body's axes at the start, from its pair of points."""
        if body == GROUND:
            return (1, 0), (0, 0)
        a, b = natural._pair_names(body)
        start = {**meaning.start, **meaning.ground}
        if a not in start or b not in start:  # a body with a made-up point starts unrotated
            known = next((p for p in (a, b) if p in start), None)
            local = meaning.bodies[body].points[known] if known else (0, 0)
            return (1, 0), minus(start[known], local) if known else (0, 0)
        e = minus(meaning.bodies[body].points[b], meaning.bodies[body].points[a])
        d = minus(start[b], start[a])
        scale = fn.sqrt((e[0] * e[0] + e[1] * e[1]) * (d[0] * d[0] + d[1] * d[1]))
        c, s = (e[0] * d[0] + e[1] * d[1]) / scale, (e[0] * d[1] - e[1] * d[0]) / scale
        la = meaning.bodies[body].points[a]
        return (c, s), (start[a][0] - c * la[0] + s * la[1], start[a][1] - s * la[0] - c * la[1])

    def heading(line: LineMeaning) -> tuple:
        v = line.vector
        if isinstance(v, Direction):
            (c, s), _ = _frame(v.body)
            return (c * v.local[0] - s * v.local[1], s * v.local[0] + c * v.local[1])
        return minus(position(v.end), position(v.start))

    def distance(a: Place, b: Place) -> Any:
        d = minus(position(b), position(a))
        return fn.sqrt(d[0] * d[0] + d[1] * d[1])

    def angle(u: LineMeaning, v: LineMeaning) -> Any:
        a, b = heading(u), heading(v)
        return fn.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])

    return View(natural.place, natural.vector, distance, angle, fn.cos, fn.sin)


def _rows(natural: Natural, meaning: Meaning, see: View, place_of: dict[str, int]) -> tuple[list, list]:
    found: list[tuple[str, str, str, Any, LawMeaning | None]] = []
    for name in meaning.bodies:
        found += [(f"{name}.{w}", name, "rigid", e, None) for w, e in natural.rigid_rows(name)]
    for j in meaning.joints:
        found += [(f"{j.name}.{w}", j.name, "joint", e, None) for w, e in JOINTS[j.type](j, see)]
    for name, index in place_of.items():
        c = meaning.coordinates[name]
        found += [(f"{name}.{w}", name, "coordinate", e, None) for w, e in COORDINATES[c.type](c, index, see)]
    for d in meaning.drivers:
        e = natural.place(d.place)[d.axis] if d.place else Polynomial.variable(place_of[d.coordinate])
        found.append((d.name, d.name, "driver", e, d.law))
    rows, dropped = [], []
    for name, owner, role, exploded, law in found:
        row = RowInfo(name, owner, role, exploded, natural.collapse(exploded), law)
        (rows if row.equation.variables() else dropped).append(row)
    return rows, dropped


def _weight(natural: Natural, meaning: Meaning, name: str) -> dict[int, Any]:
    """C_G^T m g, 000 (70)."""
    r, m = natural.center(name), meaning.bodies[name].mass
    out: dict[int, Any] = {}
    for axis in (0, 1):
        for i, c in r[axis].linear.items():
            out[i] = out.get(i, 0) + c * m * meaning.gravity[axis]
    return {i: c for i, c in out.items() if c != 0}


def _force(natural: Natural, f: ForceMeaning, place_of: dict[str, int], laws: list[LawMeaning]) -> list[ForceInfo]:
    def law(which: LawMeaning) -> int:
        laws.append(which)
        return len(laws) - 1

    if f.type == "force":
        r, out = natural.place(f.places[0]), []
        for axis, which in enumerate((f.law, f.law_y)):
            if which is None or which == LawMeaning():
                continue
            way = natural.direction(Direction(f.axes, ((1, 0), (0, 1))[axis]))
            exploded: dict[int, Any] = {}
            for k in (0, 1):
                for i, c in r[k].linear.items():
                    exploded[i] = exploded.get(i, Polynomial()) + way[k] * c
            out.append(ForceInfo(f.name, "load", which, law(which), exploded, part="xy"[axis]))
        return out
    if f.type == "moment":
        exploded = {}
        for sign, body in zip((1, -1), f.bodies, strict=False):
            if body == GROUND:
                continue
            # power N omega with omega = (e x e')/L^2 of the body's pair
            a, b = natural._pair_names(body)
            e = minus(natural.copy(body, b), natural.copy(body, a))
            local = natural._local
            carrier = natural.layout.carriers[body]
            le = minus(
                local(natural.meaning.bodies[body], carrier.pair[1]),
                local(natural.meaning.bodies[body], carrier.pair[0]),
            )
            scale = sign / (le[0] * le[0] + le[1] * le[1])
            for point, way in ((a, -1), (b, 1)):
                exploded[natural._index[body, point, 0]] = e[1] * (-scale * way)
                exploded[natural._index[body, point, 1]] = e[0] * (scale * way)
        return [ForceInfo(f.name, "load", f.law, law(f.law), exploded)]
    if f.type == "line":
        d = minus(natural.place(f.places[1]), natural.place(f.places[0]))
        return [ForceInfo(f.name, "line", f.law, law(f.law), vectors=(d,))]
    if f.type == "torsion":
        ways = tuple(natural.direction(Direction(b, (1, 0))) for b in f.bodies)
        return [ForceInfo(f.name, "torsion", f.law, law(f.law), vectors=ways)]
    assert f.coordinate is not None
    return [ForceInfo(f.name, "coordinate", f.law, law(f.law), column=place_of[f.coordinate])]


# ------------------------------------------------------------------------------------------ flat lists
def _row_lists(rows: list[RowInfo], laws: list[LawMeaning]) -> dict[str, list]:
    keys = "jptr jcol aptr acol c b aval trig_row trig_entry trig_col trig_cos trig_sin drv_row drv_law"
    out: dict[str, list] = {key: [] for key in keys.split()}
    out["jptr"].append(0)
    out["aptr"].append(0)
    for k, row in enumerate(rows):
        p, entry_of = row.equation, {}
        for i in sorted(p.variables()):
            entry_of[i] = len(out["jcol"])
            out["jcol"].append(i)
            out["b"].append(p.linear.get(i, 0))
            for (a, b), c in p.quadratic.items():
                if i in (a, b):
                    out["acol"].append(b if i == a else a)
                    out["aval"].append(2 * c if a == b else c)
            out["aptr"].append(len(out["acol"]))
        out["jptr"].append(len(out["jcol"]))
        out["c"].append(p.constant)
        for i, (c, d) in p.trig.items():
            for key, value in zip(keys.split()[7:12], (k, entry_of[i], i, c, d), strict=True):
                out[key].append(value)
        if row.law is not None:
            laws.append(row.law)
            out["drv_row"].append(k)
            out["drv_law"].append(len(laws) - 1)
    return out


def _merged_lists(rows: list[RowInfo], lists: dict[str, Any], n: int) -> dict[str, list]:
    """One row for the sine and the cosine row of each angle, numbered after all the others.

    Where positions are a little off, the twins contradict one another and the bodies' own rows, and a large penalty
    would turn that into forces. Their combination along the angle cannot: its slope in phi never vanishes.
    """
    keys = "merge_row merge_sine merge_cosine merge_col merge_from active pair_row pair_pos pair_e pair_f"
    out: dict[str, list] = {key: [] for key in keys.split()}
    jptr, jcol = lists["jptr"], lists["jcol"]
    nothing = len(jcol) + sum(  # an entry of J that stays zero, after those of the merged rows
        len(set(jcol[jptr[k] : jptr[k + 1]]) | set(jcol[jptr[k + 1] : jptr[k + 2]]))
        for k, row in enumerate(rows) if row.role == "coordinate" and row.name.endswith(".sine")
    )  # fmt: skip
    twins = set()
    for k, row in enumerate(rows):
        if row.role != "coordinate" or not row.name.endswith(".sine"):
            continue
        twins |= {k, k + 1}
        places = [{jcol[e]: e for e in range(jptr[r], jptr[r + 1])} for r in (k, k + 1)]
        columns = sorted(set(places[0]) | set(places[1]))
        out["merge_row"].append(len(jptr) - 1)
        out["merge_sine"].append(k)
        out["merge_cosine"].append(k + 1)
        out["merge_col"].append(next(iter(row.equation.trig)))
        for entries in places:
            out["merge_from"] += [entries.get(c, nothing) for c in columns]
        jcol += columns
        jptr.append(len(jcol))
    out["active"] = [k for k in range(len(rows)) if k not in twins] + out["merge_row"]
    for k in out["active"]:
        for e in range(jptr[k], jptr[k + 1]):
            for f in range(jptr[k], e + 1):
                out["pair_row"].append(k)
                out["pair_pos"].append(jcol[e] * n + jcol[f])
                out["pair_e"].append(e)
                out["pair_f"].append(f)
    return out


def _mass_lists(natural: Natural, masses: dict, n: int) -> dict[str, list]:
    dense: dict[tuple[int, int], Any] = {}
    for matrix in masses.values():
        for (a, b), value in matrix.items():
            (moving_a, i), (moving_b, j) = natural.target(natural.copies[a]), natural.target(natural.copies[b])
            if moving_a and moving_b:
                dense[i, j] = dense.get((i, j), 0) + value
    entries = sorted(ij for ij, value in dense.items() if value != 0)
    flat: list[Any] = [0] * (n * n)
    for i, j in entries:
        flat[i * n + j] = dense[i, j]
    ptr = [bisect_left(entries, (k, 0)) for k in range(n + 1)]
    return {"M": flat, "mptr": ptr, "mcol": [j for _, j in entries], "mval": [dense[ij] for ij in entries]}


def _weight_lists(natural: Natural, meaning: Meaning, weights: dict, n: int) -> dict[str, list]:
    Q0: list[Any] = [0] * n
    V0: Any = 0
    for name, weight in weights.items():
        r, m = natural.center(name), meaning.bodies[name].mass
        V0 = V0 - m * (meaning.gravity[0] * r[0].constant + meaning.gravity[1] * r[1].constant)
        for i, value in weight.items():
            moving, where = natural.target(natural.copies[i])
            if moving:
                Q0[where] = Q0[where] + value
            else:
                V0 = V0 - value * where
    return {"Q0": Q0, "V0": [V0]}


def _force_lists(natural: Natural, forces: list[ForceInfo], points: int, extra: int) -> dict[str, list]:
    keys = "load_ptr load_law load_col load_b load_aptr load_acol load_aval cf_col cf_law tor_turn"
    out: dict[str, list] = {key: [] for key in keys.split()}
    for kind in ("line", "tor"):
        out |= {f"{kind}_{part}": [] for part in ("ptr", "law", "col", "cx", "cy", "x0", "y0")}
        out[f"{kind}_ptr"].append(0)
    out["load_ptr"].append(0)
    out["load_aptr"].append(0)
    for f in forces:
        if f.kind == "coordinate":
            out["cf_col"].append(points + f.column - extra)
            out["cf_law"].append(f.law_index)
        elif f.kind == "load":
            _append_load(natural, f, out)
        else:
            kind = "line" if f.kind == "line" else "tor"
            for vector in f.vectors:
                _append_vector(natural, vector, kind, out)
            out[f"{kind}_law"].append(f.law_index)
            if kind == "tor":
                out["tor_turn"].append(0.0)
    return out


def _heading_lists(natural: Natural, meaning: Meaning) -> dict[str, list]:
    """The vector of each rigid body's pair: its heading tells how often the body has turned."""
    out: dict[str, list] = {"head_ptr": [0], "head_col": [], "head_c": [], "head_0": []}
    bodies = [name for name, body in meaning.bodies.items() if not body.particle]
    for name in bodies:
        a, b = natural._pair_names(name)
        for component in minus(natural.copy(name, b), natural.copy(name, a)):
            p = natural.collapse(component)
            out["head_col"] += list(p.linear)
            out["head_c"] += list(p.linear.values())
            out["head_ptr"].append(len(out["head_col"]))
            out["head_0"].append(p.constant)
    return {**out, "head_below": [0] * len(bodies), "turns": [0.0] * len(bodies)}


def _append_load(natural: Natural, f: ForceInfo, out: dict[str, list]) -> None:
    by_column: dict[int, Polynomial] = {}
    for i, p in f.exploded.items():
        moving, column = natural.target(natural.copies[i])
        if moving:
            by_column[column] = by_column.get(column, Polynomial()) + natural.collapse(p)
    for column, p in sorted(by_column.items()):
        out["load_col"].append(column)
        out["load_b"].append(p.constant)
        for j, c in p.linear.items():
            out["load_acol"].append(j)
            out["load_aval"].append(c)
        out["load_aptr"].append(len(out["load_acol"]))
    out["load_ptr"].append(len(out["load_col"]))
    out["load_law"].append(f.law_index)


def _append_vector(natural: Natural, vector: tuple, kind: str, out: dict[str, list]) -> None:
    x, y = (natural.collapse(c) for c in vector)
    for i in sorted(x.variables() | y.variables()):
        out[f"{kind}_col"].append(i)
        out[f"{kind}_cx"].append(x.linear.get(i, 0))
        out[f"{kind}_cy"].append(y.linear.get(i, 0))
    out[f"{kind}_ptr"].append(len(out[f"{kind}_col"]))
    out[f"{kind}_x0"].append(x.constant)
    out[f"{kind}_y0"].append(y.constant)
