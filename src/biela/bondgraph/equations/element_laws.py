"""The laws of elements in symbols: what each key means, which forms can be turned round, and which are impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from ...model.units import Dimension
from ..model.domains import UNITS, dimension_of
from ..model.laws import Reader
from .symbols import Expr, symbol

if TYPE_CHECKING:
    from ..model.graph import BondGraph
    from ..model.network import Node

T, E, F, P, Q = (symbol(name) for name in "tefpq")
FORMS = {"I": ("inertia", "flow", "momentum"), "C": ("stiffness", "capacitance", "effort", "displacement"),
         "R": ("resistance", "conductance", "effort", "flow")}  # fmt: skip
LINEAR = {
    "inertia": lambda k: {"flow": P / k, "momentum": k * F},
    "stiffness": lambda k: {"effort": k * Q, "displacement": E / k},
    "capacitance": lambda k: {"effort": Q / k, "displacement": k * E},
    "resistance": lambda k: {"effort": k * F, "flow": E / k},
    "conductance": lambda k: {"effort": F / k, "flow": k * E},
}
OF = {("I", "flow"): P, ("I", "momentum"): F, ("C", "effort"): Q, ("C", "displacement"): E, ("R", "effort"): F,
      ("R", "flow"): E}  # fmt: skip


def signal_symbols(nodes: dict[str, Node]) -> dict[str, Expr]:
    """What modulated laws may refer to: "b1.effort", "b1.flow" of bonds, "mass.p", "spring.q" of stores."""
    found: dict[str, Expr] = {}
    for node in nodes.values():
        for bond in node.bonds:
            found[f"{bond.name}.effort"] = symbol(f"e_{bond.name}")
            found[f"{bond.name}.flow"] = symbol(f"f_{bond.name}")
        if node.kind in ("I", "C"):
            found[node.state] = symbol(node.state)
    return found


def read_laws(graph: BondGraph, nodes: dict[str, Node], reader: Reader) -> None:
    """Fill in `Node.laws`."""
    signals = signal_symbols(nodes)
    for name, item in graph.elements.items():
        node = nodes[name]
        units = UNITS[node.bonds[0].domain if node.bonds else None]
        dims = [dimension_of(unit) for unit in units]
        where = f"elements.{name}"
        if node.kind in ("Se", "Sf", "TF", "GY"):
            key = {"Se": "effort", "Sf": "flow"}.get(node.kind, "modulus")
            given = getattr(item, key)
            wanted = dims[0 if key == "effort" else 1] if key != "modulus" else None
            law = reader.read(given, f"{where}.{key}", wanted, {"t": T}, "", signals)
            node.laws[key] = law
            node.value = "" if callable(given) else str(given)
            free = law.free_symbols
            node.modulated = bool(free & set(signals.values())) or (key == "modulus" and T in free)
            node.linear = key != "modulus" or not node.modulated
            if key != "modulus" and node.modulated:
                node.linear = False
            if key == "modulus":
                _nonzero(node, law, reader, f"{where}.{key}")
        elif node.kind in FORMS:
            _one_port(node, item, reader, dims, signals)


def _one_port(node: Node, item: Any, reader: Reader, dims: list, signals: dict) -> None:
    where, kind = f"elements.{node.name}", node.kind
    bond = f" on bond {node.bond.name!r}" if node.bonds else ""
    given = {key: getattr(item, key) for key in FORMS[kind] if getattr(item, key) is not None}
    constants = [key for key in given if key in LINEAR]
    if not given or len(constants) > 1 or (constants and len(given) > 1):
        what = f"{kind} {node.name!r}{bond} has {'no law' if not given else 'more than one law'}"
        linear = [key for key in FORMS[kind] if key in LINEAR]
        why = f"given: {', '.join(given) or '(none)'}"
        rest = " and ".join(key for key in FORMS[kind] if key not in LINEAR)
        reader.problems.add(what, where, why, f"give one of {', '.join(linear)}; or formulas: {rest}")
        return
    node.value = "" if callable(next(iter(given.values()))) else str(next(iter(given.values())))
    may = signals if kind == "R" else {}
    for key, law in given.items():
        place = f"{where}.{key}"
        if key in LINEAR:
            k = reader.read(law, place, _dimension(key, dims), {"t": T} if kind == "R" else {}, "", may)
            node.modulated = bool(k.free_symbols - set(reader.parameters.values()))
            node.linear = not node.modulated
            if _nonzero(node, k, reader, place, positive=key == "inertia"):
                node.laws.update(LINEAR[key](k))
            continue
        variable = OF[kind, key]
        wanted = dims[{"effort": 0, "flow": 1, "momentum": 2, "displacement": 3}[key]]
        names = {str(variable): variable, **({"t": T} if kind == "R" else {})}
        node.laws[key] = reader.read(law, place, wanted, names, str(variable), may)
        if _is_straight(node.laws[key], variable, reader) and len(given) == 1:
            node.laws.update(_straight(kind, key, node.laws[key], variable))
            break
        node.linear = False
        others = node.laws[key].free_symbols - set(reader.parameters.values()) - {variable}
        node.modulated = node.modulated or bool(others)
        if node.laws[key] is not sympy.nan and variable not in node.laws[key].free_symbols:
            what = f"the law of {kind} {node.name!r}{bond} does not depend on {variable}"
            cure = f"a formula of {variable}; for a constant effort or flow use a source"
            reader.problems.add(what, place, f"{key} = {law}", cure)
    needed = {"I": "flow", "C": "effort"}.get(kind)
    if needed and needed not in node.laws and not constants:
        variable = OF[kind, needed]
        what = f"{kind} {node.name!r}{bond} does not say its {needed}"
        reader.problems.add(what, where, f"given: {', '.join(given)}", f"give {needed} = a formula of {variable} too")
    if len(node.laws) == 2 and not node.linear and sympy.nan not in node.laws.values():
        _agree(node, reader, where)


def _is_straight(law: Expr, variable: Expr, reader: Reader) -> bool:
    """A formula such as k*q: as good as `stiffness = "k"`."""
    if law is sympy.nan or law.free_symbols - set(reader.parameters.values()) != {variable}:
        return False
    slope = sympy.diff(law, variable)
    return variable not in slope.free_symbols and slope != 0 and sympy.expand(law - slope * variable) == 0


def _straight(kind: str, key: str, law: Expr, variable: Expr) -> dict[str, Expr]:
    k = sympy.diff(law, variable)
    linear = {"I": "inertia", "C": "stiffness", "R": "resistance"}[kind]
    return LINEAR[linear](k if (kind, key) in (("I", "momentum"), ("C", "effort"), ("R", "effort")) else 1 / k)


def _dimension(key: str, dims: list[Dimension | None]) -> Dimension | None:
    """What a linear law's constant is measured in, from effort e, flow f, momentum p and displacement q."""
    e, f, p, q = dims
    above, below = {"inertia": (p, f), "stiffness": (e, q), "capacitance": (q, e), "resistance": (e, f),
                    "conductance": (f, e)}[key]  # fmt: skip
    return None if above is None or below is None else Dimension(*(a - b for a, b in zip(above, below, strict=True)))


def _nonzero(node: Node, law: Any, reader: Reader, where: str, positive: bool = False) -> bool:
    value = law.xreplace(reader.numbers)
    if law is sympy.nan or not value.is_number:
        return law is not sympy.nan
    if value.is_zero or value.evalf() == 0.0 or (positive and value.is_negative) or value.is_finite is False:
        on = f" on bond {', '.join(repr(b.name) for b in node.bonds)}" if node.bonds else ""
        key = where.rsplit(".", 1)[1]
        size = f"{float(value):g}" if value.is_finite else "not finite"
        what = f"the {key} of {node.kind} {node.name!r}{on} is {size}: an impossible law"
        reader.problems.add(what, where, str(law), f"give a {key} {'> 0' if positive else 'that is not zero'}")
        return False
    return True


def _agree(node: Node, reader: Reader, where: str) -> None:
    """Two formulas for one law must be each other's inverse."""
    (first, law), (second, back) = node.laws.items()
    a, b = OF[node.kind, first], OF[node.kind, second]
    for x in (-0.7, 0.3, 1.1):
        there = law.xreplace(reader.numbers).subs(a, x)
        again = back.xreplace(reader.numbers).subs(b, there)
        if again.is_number and again.is_real and abs(float(again) - x) > 1e-6:
            on = f" on bond {node.bond.name!r}" if node.bonds else ""
            what = f"the two laws of {node.kind} {node.name!r}{on} contradict each other"
            why = f"{first}({x:g}) = {float(there):g}, but {second}({float(there):g}) = {float(again):g}"
            reader.problems.add(what, where, why, f"leave {second!r} out, or make it the inverse of {first!r}")
            return
