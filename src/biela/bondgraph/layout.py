"""Where a drawing puts the elements: the longest chain of junctions in a row, the rest where there is space."""

from __future__ import annotations

from collections import deque
from math import cos, hypot, pi, sin

from .model.graph import BondGraph
from .model.network import Network

Place = tuple[float, float]
NEAR = 0.78
"""no two elements come closer than this, in lengths of a bond"""
HALF_TURN = 180


def layout(graph: BondGraph) -> dict[str, Place]:
    """A place for every element; those that say `at` are where they say."""
    network = graph.network
    fixed = {name: item.at for name, item in graph.elements.items() if item.at is not None}
    places: dict[str, Place] = {name: (float(x), float(y)) for name, (x, y) in fixed.items()}  # type: ignore[misc]
    spine = _longest_chain(network)
    if not places:
        spacing = max(1.0, 0.30 * max((len(network.nodes[n].bonds) for n in spine), default=0))
        for k, name in enumerate(spine):
            places[name] = (k * spacing * 1.1, 0.0)
    waiting = deque(places)
    for name in network.nodes:
        if not waiting and name not in places:  # a part that nothing connects to the rest
            low = min((y for _, y in places.values()), default=2.5)
            places[name] = (0.0, low - 2.5)
            waiting.append(name)
        while waiting:
            here = waiting.popleft()
            around = [b.other(here) for b in network.nodes[here].bonds]
            free = [n for n in dict.fromkeys(around) if n not in places]
            free.sort(key=lambda n: len(network.nodes[n].bonds) == 1)  # what leads on first, then the leaves
            for other in free:
                places[other] = _free_place(network, places, here, other)
                waiting.append(other)
    return places


def _longest_chain(network: Network) -> list[str]:
    """The longest shortest way between two nodes of the junction structure."""
    inner = [n for n, node in network.nodes.items() if len(node.bonds) > 1]
    best: list[str] = inner[:1] or list(network.nodes)[:1]
    for start in inner:
        came: dict[str, str | None] = {start: None}
        queue = deque([start])
        last = start
        while queue:
            last = queue.popleft()
            for bond in network.nodes[last].bonds:
                other = bond.other(last)
                if other not in came and len(network.nodes[other].bonds) > 1:
                    came[other] = last
                    queue.append(other)
        chain: list[str] = []
        step: str | None = last
        while step is not None:
            chain.append(step)
            step = came[step]
        if len(chain) > len(best):
            best = chain[::-1]
    return best


def _free_place(network: Network, places: dict[str, Place], here: str, other: str) -> Place:
    """The best of some places around an element: upright first, away from the others, crossing no bond."""
    x, y = places[here]
    lines = [(places[b.start], places[b.end]) for b in network.bonds.values() if b.start in places and b.end in places]
    neighbours = [b.other(other) for b in network.nodes[other].bonds if b.other(other) in places]
    best, least = (x, y + 1), float("inf")
    for reach in (1.0, 1.3, 1.7, 2.2, 3.0):
        for angle in (90, -90, 0, HALF_TURN, 45, 135, -45, -135, 65, 115, -65, -115):
            spot = (x + reach * cos(angle * pi / HALF_TURN), y + reach * sin(angle * pi / HALF_TURN))
            cost = 1.2 * (reach - 1) + {90: 0.0, -90: 0.02, 0: 0.1, HALF_TURN: 0.1}.get(angle, 0.35)
            for place in places.values():
                gap = hypot(spot[0] - place[0], spot[1] - place[1])
                cost += 4 * max(0.0, NEAR - gap) + 0.03 / max(gap, 0.1)
            for a, b in lines:
                cost += 3 * max(0.0, 0.4 - _to_line(spot, a, b))
                cost += sum(2.0 for n in neighbours if _cross(spot, places[n], a, b))
            cost += sum(0.15 * hypot(spot[0] - places[n][0], spot[1] - places[n][1]) for n in neighbours)
            for n in neighbours:  # the new bonds must not run through other elements
                for name, place in places.items():
                    if name != n:
                        cost += 3 * max(0.0, 0.45 - _to_line(place, spot, places[n]))
            if cost < least - 1e-9:
                best, least = spot, cost
    return best


def _to_line(p: Place, a: Place, b: Place) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    s = 0.0 if length == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
    return hypot(p[0] - a[0] - s * dx, p[1] - a[1] - s * dy)


def _cross(p: Place, q: Place, a: Place, b: Place) -> bool:
    def side(u: Place, v: Place, w: Place) -> float:
        return (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0])

    if {p, q} & {a, b}:
        return False
    return side(p, q, a) * side(p, q, b) < 0 and side(a, b, p) * side(a, b, q) < 0
