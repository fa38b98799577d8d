"""Rows, masses and forces as flat lists: what `array_table.as_arrays` takes."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from ..machine.workspace import SMALL_MATRIX
from ..mechanics.polynomial import Polynomial
from ..model.resolved import STRAINS, ResolvedLaw, ResolvedModel

if TYPE_CHECKING:
    from ..coordinates.exploded import Exploded
    from .equations import ForceInfo, RowInfo


def row_lists(rows: list[RowInfo], laws: list[ResolvedLaw]) -> dict[str, list]:
    """The quadratics of all the rows, entry by entry of Phi_x."""
    keys = "xptr xcol aptr acol c b aval trig_row trig_entry trig_col trig_cos trig_sin drv_row drv_law"
    out: dict[str, list] = {key: [] for key in keys.split()}
    out["xptr"].append(0)
    out["aptr"].append(0)
    for k, row in enumerate(rows):
        p, entry_of = row.equation, {}
        for i in sorted(p.variables()):
            entry_of[i] = len(out["xcol"])
            out["xcol"].append(i)
            out["b"].append(p.linear.get(i, 0))
            for (a, b), c in p.quadratic.items():
                if i in (a, b):
                    out["acol"].append(b if i == a else a)
                    out["aval"].append(2 * c if a == b else c)
            out["aptr"].append(len(out["acol"]))
        out["xptr"].append(len(out["xcol"]))
        out["c"].append(p.constant)
        for i, (c, d) in p.trig.items():
            for key, value in zip(keys.split()[7:12], (k, entry_of[i], i, c, d), strict=True):
                out[key].append(value)
        if row.law is not None:
            laws.append(row.law)
            out["drv_row"].append(k)
            out["drv_law"].append(len(laws) - 1)
    return out


def merged_lists(rows: list[RowInfo], lists: dict[str, Any]) -> dict[str, list]:
    """One row for the sine and the cosine row of each angle, numbered after all the others.

    Where positions are a little off, the twins contradict one another and the bodies' own rows, and a large penalty
    would turn that into forces. Their combination along the angle cannot: its slope in phi never vanishes.
    """
    keys = "merge_row merge_sine merge_cosine merge_col merge_from"
    out: dict[str, list] = {key: [] for key in keys.split()}
    xptr, xcol = lists["xptr"], lists["xcol"]
    nothing = len(xcol) + sum(  # an entry of Phi_x that stays zero, after those of the merged rows
        len(set(xcol[xptr[k] : xptr[k + 1]]) | set(xcol[xptr[k + 1] : xptr[k + 2]]))
        for k, row in enumerate(rows) if row.role == "coordinate" and row.name.endswith(".sine")
    )  # fmt: skip
    twins = set()
    for k, row in enumerate(rows):
        if row.role != "coordinate" or not row.name.endswith(".sine"):
            continue
        twins |= {k, k + 1}
        places = [{xcol[e]: e for e in range(xptr[r], xptr[r + 1])} for r in (k, k + 1)]
        columns = sorted(set(places[0]) | set(places[1]))
        out["merge_row"].append(len(xptr) - 1)
        out["merge_sine"].append(k)
        out["merge_cosine"].append(k + 1)
        out["merge_col"].append(next(iter(row.equation.trig)))
        for entries in places:
            out["merge_from"] += [entries.get(c, nothing) for c in columns]
        xcol += columns
        xptr.append(len(xcol))
    out["active"] = [k for k in range(len(rows)) if k not in twins] + out["merge_row"]
    return out


def pair_lists(lists: dict[str, Any]) -> dict[str, list]:
    """The products of B^T B, row by row of the active rows: which entries. (Where they go: `filling`.)"""
    out: dict[str, list] = {key: [] for key in ("pair_row", "pair_e", "pair_f")}
    jptr = lists["jptr"]
    for k in lists["active"]:
        for e in range(jptr[k], jptr[k + 1]):
            for f in range(jptr[k], e + 1):
                out["pair_row"].append(k)
                out["pair_e"].append(e)
                out["pair_f"].append(f)
    return out


def mass_lists(exploded: Exploded, masses: dict, n: int) -> dict[str, list]:
    """The mass matrix of natural coordinates (constant): all of it, and its non-zeros."""
    dense: dict[tuple[int, int], Any] = {}
    for matrix in masses.values():
        for (a, b), value in matrix.items():
            (moving_a, i), (moving_b, j) = exploded.target(exploded.copies[a]), exploded.target(exploded.copies[b])
            if moving_a and moving_b:
                dense[i, j] = dense.get((i, j), 0) + value
    entries = sorted(ij for ij, value in dense.items() if value != 0)
    flat: list[Any] = [0] * (n * n if n * n <= SMALL_MATRIX else 0)
    for i, j in entries if flat else []:
        flat[i * n + j] = dense[i, j]
    ptr = [bisect_left(entries, (k, 0)) for k in range(n + 1)]
    return {"M": flat, "mptr": ptr, "mcol": [j for _, j in entries], "mval": [dense[ij] for ij in entries]}


def weight_lists(exploded: Exploded, resolved: ResolvedModel, weights: dict, n: int) -> dict[str, list]:
    """Weights on the variables x, and their potential at x = 0."""
    Q0: list[Any] = [0] * n
    V0: Any = 0
    for name, weight in weights.items():
        r, m = exploded.center(name), resolved.bodies[name].mass
        V0 = V0 - m * sum(g * c.constant for g, c in zip(resolved.gravity, r, strict=True))
        for i, value in weight.items():
            moving, where = exploded.target(exploded.copies[i])
            if moving:
                Q0[where] = Q0[where] + value
            else:
                V0 = V0 - value * where
    return {"Q0": Q0, "fall": [i for i, value in enumerate(Q0) if value != 0], "V0": [V0]}


def force_lists(exploded: Exploded, forces: list[ForceInfo]) -> dict[str, list]:
    """Loads, and the elements that are laws of strains, sorted by these."""
    loads = "load_ptr load_law load_col load_b load_aptr load_acol load_aval"
    elements = "element_law element_strain element_at element_wound wound"
    spans = "span_ptr span_col span_cx span_cy span_cz span_x0 span_y0 span_z0"
    out: dict[str, list] = {key: [] for key in f"{loads} {elements} {spans}".split()}
    for key in ("load_ptr", "load_aptr", "span_ptr"):
        out[key].append(0)
    for f in forces:
        if f.kind == "load":
            _append_load(exploded, f, out)
    for f in sorted((f for f in forces if f.kind != "load"), key=lambda f: STRAINS.index(f.kind)):
        _append_element(exploded, f, out)
    return out


def _append_element(exploded: Exploded, f: ForceInfo, out: dict[str, list]) -> None:
    at = len(out["span_ptr"]) - 1
    if f.kind == "coordinate":
        at = next(iter(exploded.collapse(Polynomial.variable(f.column)).linear))
    for vector in f.vectors:
        _append_vector(exploded, vector, out)
    out["element_law"].append(f.law_index)
    out["element_strain"].append(STRAINS.index(f.kind))
    out["element_at"].append(at)
    out["element_wound"].append(len(out["wound"]) if f.kind == "angle" else 0)
    if f.kind == "angle":
        out["wound"].append(0.0)


def watched(resolved: ResolvedModel) -> list[str]:
    """What has its whole turns counted: rigid bodies of the plane, angles in space."""
    if resolved.dimension == 3:
        return [c.name for c in resolved.coordinates.values() if c.type == "angle"]
    return [name for name, body in resolved.bodies.items() if not body.particle]


def heading_lists(exploded: Exploded, resolved: ResolvedModel) -> dict[str, list]:
    """A vector of each rigid body of the plane: its heading tells how often the body has turned. In space the three
    directions u, v, w of each angle."""
    out: dict[str, list] = {"head_ptr": [0], "head_col": [], "head_c": [], "head_0": []}
    bodies = watched(resolved)
    for name in bodies:
        if resolved.dimension == 3:
            vectors = [c for line in resolved.coordinates[name].lines for c in exploded.vector(line)]
        else:
            vectors = list(exploded.heading(name))
        for component in vectors:
            p = exploded.collapse(component)
            out["head_col"] += list(p.linear)
            out["head_c"] += list(p.linear.values())
            out["head_ptr"].append(len(out["head_col"]))
            out["head_0"].append(p.constant)
    return {**out, "head_below": [0] * len(bodies), "turns": [0.0] * len(bodies)}


def _append_load(exploded: Exploded, f: ForceInfo, out: dict[str, list]) -> None:
    by_column: dict[int, Polynomial] = {}
    for i, p in f.exploded.items():
        moving, column = exploded.target(exploded.copies[i])
        if moving:
            by_column[column] = by_column.get(column, Polynomial()) + exploded.collapse(p)
    for column, p in sorted(by_column.items()):
        out["load_col"].append(column)
        out["load_b"].append(p.constant)
        for j, c in p.linear.items():
            out["load_acol"].append(j)
            out["load_aval"].append(c)
        out["load_aptr"].append(len(out["load_acol"]))
    out["load_ptr"].append(len(out["load_col"]))
    out["load_law"].append(f.law_index)


def _append_vector(exploded: Exploded, vector: tuple, out: dict[str, list]) -> None:
    parts = [exploded.collapse(c) for c in vector]
    for i in sorted({i for p in parts for i in p.variables()}):
        out["span_col"].append(i)
        for axis, p in zip("xyz", parts, strict=False):
            out[f"span_c{axis}"].append(p.linear.get(i, 0))
    out["span_ptr"].append(len(out["span_col"]))
    for axis, p in zip("xyz", parts, strict=False):
        out[f"span_{axis}0"].append(p.constant)
