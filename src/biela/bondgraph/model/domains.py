"""Domains of energy: told for some elements, the same along junctions, so that every bond gets its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.resolve.problems import Problems

if TYPE_CHECKING:
    from .graph import BondGraph
    from .network import Bond, Node


def domains(graph: BondGraph, nodes: dict[str, Node], bonds: dict[str, Bond], problems: Problems) -> None:
    """Give each bond its domain. Transformers and gyrators pass none on; what nobody tells is the graph's own."""
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
