"""From what the user said to what it means: every name an element, every law an expression, every port one bond."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sympy

from ...errors import ModelError, so_many
from ...model.resolve.naming import did_you_mean
from ...model.resolve.problems import Problems
from ..equations.element_laws import read_laws
from ..equations.symbols import Expr
from .domains import UNITS, dimension_of
from .laws import Reader

if TYPE_CHECKING:
    from .graph import BondGraph

JUNCTIONS, TWO_PORTS, STORES, SOURCES = ("0", "1"), ("TF", "GY"), ("I", "C"), ("Se", "Sf")


@dataclass
class Bond:
    """A bond: power is counted from `start` to `end`, where the half-arrow is."""

    name: str
    start: str
    end: str
    domain: str | None = None

    def other(self, element: str) -> str:
        return self.end if element == self.start else self.start

    def sign(self, element: str) -> int:
        """+1 where the half-arrow points into the element."""
        return 1 if element == self.end else -1


@dataclass
class Node:
    """An element or junction, with its bonds in the order in which they were declared."""

    name: str
    kind: str
    """Se, Sf, I, C, R, TF, GY, 0 or 1"""
    bonds: list[Bond] = field(default_factory=list)
    laws: dict[str, Expr] = field(default_factory=dict)
    """effort, flow, momentum, displacement, modulus, in symbols; only those that there are"""
    linear: bool = True
    modulated: bool = False
    value: str = ""
    """the law as it was written, for drawings"""

    @property
    def bond(self) -> Bond:
        return self.bonds[0]

    @property
    def state(self) -> str:
        """The name of its energy variable in channels and formulas: mass.p, spring.q."""
        return f"{self.name}.{'p' if self.kind == 'I' else 'q'}"


@dataclass
class Network:
    """A bond graph without loose ends."""

    name: str
    nodes: dict[str, Node]
    bonds: dict[str, Bond]
    parameters: dict[Expr, float]
    python: dict[str, Callable[..., float]]
    initial: dict[str, float]
    doubts: list[str]
    """what is possible, but may not be meant"""

    @property
    def numbers(self) -> dict[Expr, sympy.Float]:
        """The parameters, to be put into expressions."""
        return {symbol: sympy.Float(value) for symbol, value in self.parameters.items()}

    def of(self, *kinds: str) -> list[Node]:
        """The elements of some kinds, as declared."""
        return [node for node in self.nodes.values() if node.kind in kinds]


def resolve(graph: BondGraph) -> Network:
    """What a graph means; everything that is wrong with it is told in one `ModelError`."""
    problems = Problems(graph.name)
    nodes = {name: Node(name, _kind(item.type)) for name, item in graph.elements.items()}
    if not nodes:
        problems.add("there is nothing in this bond graph", "elements", "", "add elements and bonds")
    bonds = _bonds(graph, nodes, problems)
    for node in nodes.values():
        _check_ports(node, problems)
    _domains(graph, nodes, bonds, problems)
    reader = Reader(graph.parameters, problems)
    _check_symbols(graph, nodes, bonds, problems)
    read_laws(graph, nodes, reader)
    initial = _initial(graph, nodes, reader)
    if problems.found:
        raise ModelError(list(problems.found), f"bond graph {graph.name!r}")
    return Network(graph.name, nodes, bonds, reader.values, reader.python, initial, reader.doubts)


def _check_symbols(graph: BondGraph, nodes: dict[str, Node], bonds: dict[str, Bond], problems: Problems) -> None:
    """Parameters must not be called as the variables of the equations are."""
    taken = {f"{letter}_{bond}" for bond in bonds for letter in "ef"}
    taken |= {f"{letter}_{name}" for name in nodes for letter in "pqwu"}
    for name in graph.parameters:
        if name in taken:
            what = f"a parameter cannot be called {name!r}"
            problems.add(
                what, f"parameters.{name}", "a variable of the equations has that name", f"rename it, say {name}0"
            )


def _kind(type: str) -> str:
    return type[1:] if type.startswith("M") else type


def _bonds(graph: BondGraph, nodes: dict[str, Node], problems: Problems) -> dict[str, Bond]:
    bonds: dict[str, Bond] = {}
    for name, (start, end) in graph.bonds.items():
        where = f"bonds.{name}"
        if name in nodes:
            problems.add(
                f"the name {name!r} is taken twice", where, "it is an element and a bond", "rename one of them"
            )
        unknown = [end_ for end_ in (start, end) if end_ not in nodes]
        for missing in unknown:
            cure = did_you_mean(missing, nodes, "elements")
            problems.add(f"bond {name!r} leads to {missing!r}, which does not exist", where, f"{start} -> {end}", cure)
        if start == end and not unknown:
            problems.add(f"bond {name!r} joins {start!r} to itself", where, "", "name two different elements")
        elif not unknown:
            bond = bonds[name] = Bond(name, start, end)
            nodes[start].bonds.append(bond)
            nodes[end].bonds.append(bond)
    return bonds


def _check_ports(node: Node, problems: Problems) -> None:
    """Every port has one bond, and the half-arrows go where the laws count power."""
    name, kind, bonds = node.name, node.kind, node.bonds
    there = ", ".join(repr(b.name) for b in bonds) or "none"
    where = f"elements.{name}"
    label = f"{kind} {name!r}"
    if kind in JUNCTIONS:
        if len(bonds) < 2:
            what = f"junction {label} joins nothing: it has {so_many(len(bonds), 'bond')}"
            problems.add(what, where, f"bonds: {there}", "a junction has two bonds or more; add one, or remove it")
        return
    ports = 2 if kind in TWO_PORTS else 1
    if len(bonds) < ports:
        what = f"{'a' if ports == 2 else 'the'} port of {label} is not connected"
        problems.add(what, where, f"it has {so_many(ports, 'port')}; bonds: {there}", f"add a bond to {name!r}")
    elif len(bonds) > ports:
        why = f"it has {so_many(ports, 'port')}; bonds: {there}"
        problems.add(f"{label} has more bonds than ports", where, why, "put a 0 or 1 junction between")
    elif ports == 2 and {b.sign(name) for b in bonds} != {1, -1}:
        way = "come in" if bonds[0].sign(name) == 1 else "go out"
        why = f"bonds {there} both {way}; its law needs one bond in and one out"
        problems.add(f"the half-arrows do not pass through {label}", where, why, f"reverse bond {bonds[1].name!r}")
    elif kind in ("I", "C", "R") and bonds[0].sign(name) < 0:
        b = bonds[0]
        why = f"bond {b.name!r} goes from {b.start!r} to {b.end!r}; the law counts power that the element takes"
        problems.add(
            f"the half-arrow of bond {b.name!r} points out of {label}", f"bonds.{b.name}", why,
            f'write {b.name} = ["{b.end}", "{b.start}"]',
        )  # fmt: skip


def _initial(graph: BondGraph, nodes: dict[str, Node], reader: Reader) -> dict[str, float]:
    """Momenta and displacements at the start, by the names of their elements."""
    out: dict[str, float] = {}
    for name, given in graph.initial.items():
        where = f"initial.{name}"
        stores = [n for n, node in nodes.items() if node.kind in STORES]
        if name not in stores:
            reader.problems.add(f"{name!r} stores nothing", where, "", did_you_mean(name, stores, "I and C elements"))
            continue
        node = nodes[name]
        units = UNITS[node.bonds[0].domain if node.bonds else None]
        wanted = dimension_of(units[2 if node.kind == "I" else 3])
        value = reader.read(given, where, wanted, {}).xreplace(reader.numbers)
        if value.is_number and value.is_finite:
            out[name] = float(value)
        elif value is not sympy.nan:
            reader.problems.add("this is not a number", where, str(given), "give a number or a formula of parameters")
    return out


def _domains(graph: BondGraph, nodes: dict[str, Node], bonds: dict[str, Bond], problems: Problems) -> None:
    """Give each bond its domain. Transformers and gyrators pass none on; what is not given is the graph's own."""
    told = {name: item.domain for name, item in graph.elements.items() if item.domain}
    for name, domain in told.items():
        if nodes[name].kind in ("TF", "GY"):
            cure = "say it of an element on either side"
            problems.add(f"{name!r} has a domain on each side", f"elements.{name}.domain", domain, cure)
            continue
        _spread(name, domain, nodes, told, problems, name)
    for bond in bonds.values():
        bond.domain = bond.domain or graph.domain


def _spread(name: str, domain: str, nodes: dict[str, Node], told: dict, problems: Problems, origin: str) -> None:
    waiting = [name]
    while waiting:
        here = nodes[waiting.pop()]
        for bond in here.bonds:
            if bond.domain not in (None, domain):
                cure = "put a TF or GY between the two domains, or correct one"
                why = f"{bond.domain} on one side, {domain} (from {origin!r}) on the other"
                problems.add(f"bond {bond.name!r} joins two domains", f"bonds.{bond.name}", why, cure)
                return
            if bond.domain is None:
                bond.domain = domain
                other = bond.other(here.name)
                if nodes[other].kind not in ("TF", "GY"):
                    waiting.append(other)
