"""A bond graph in a terminal: a tree of bonds, each with its half-arrow and its causal stroke."""

from __future__ import annotations

from .layout import _longest_chain
from .model.graph import BondGraph

SIGNS = {"line": "──", "right": "⇀", "left": "↼", "stroke": "┃", "branch": "├", "last": "└", "down": "│"}
PLAIN = {"line": "--", "right": ">", "left": "<", "stroke": "|", "branch": "+", "last": "+", "down": "|"}


def text(graph: BondGraph, ascii: bool = False) -> str:
    """One line for each bond. The half-arrow says where power is counted to, the stroke which end is given the effort.

    >>> import biela.bondgraph as bg
    >>> print(text(bg.load("mass-spring-damper"), ascii=True))
    1 v
    +|<--b1-- Se weight : m*g
    +--b2-->| I mass : m
    +|--b3--> C spring : k
    +|--b4--> R damper : d
    """
    network, c = graph.network, graph.causality
    s = PLAIN if ascii else SIGNS
    seen: set[str] = set()
    drawn: set[str] = set()
    lines: list[str] = []

    def label(name: str) -> str:
        node = network.nodes[name]
        kind = ("M" if node.modulated else "") + node.kind
        value = f" : {node.value}" if node.value and len(node.value) <= 40 else ""
        derivative = "  (derivative causality)" if name in c.derivative else ""
        return f"{kind} {name}{value}{derivative}"

    def bond_text(bond: str, parent: str) -> str:
        """From the parent on the left to the child on the right: "┃──b1──⇀"."""
        b = network.bonds[bond]
        forwards, stroke_left = b.start == parent, c.stroke[bond] == parent
        left = (s["stroke"] if stroke_left else "") + ("" if forwards else s["left"])
        right = (s["right"] if forwards else "") + ("" if stroke_left else s["stroke"])
        return f"{left}{s['line']}{bond}{s['line']}{right}"

    for root in [*_longest_chain(network), *network.nodes]:
        if root in seen:
            continue
        lines.append(label(root))
        seen.add(root)
        stack = [(root, "", _bonds(network, root, drawn))]
        while stack:
            name, indent, bonds = stack[-1]
            bonds[:] = [b for b in bonds if b.name not in drawn]
            if not bonds:
                stack.pop()
                continue
            bond = bonds.pop(0)
            drawn.add(bond.name)
            other = bond.other(name)
            more = any(b.name not in drawn for b in bonds)
            known = other in seen
            branch = s["branch"] if more else s["last"]
            note = "  (see above)" if known else ""
            lines.append(f"{indent}{branch}{bond_text(bond.name, name)} {label(other)}{note}")
            if not known:
                seen.add(other)
                deeper = indent + (s["down"] if more else " ") + "   "
                stack.append((other, deeper, _bonds(network, other, drawn)))
    return "\n".join(lines)


def _bonds(network, name: str, drawn: set[str]) -> list:
    """Bonds to leaves first, so that branches end before the chain goes on."""
    bonds = [b for b in network.nodes[name].bonds if b.name not in drawn]
    return sorted(bonds, key=lambda b: len(network.nodes[b.other(name)].bonds) > 1)
