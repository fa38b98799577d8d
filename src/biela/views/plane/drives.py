"""Which pins of a mechanism of the plane are driven."""

from __future__ import annotations

from ...model.resolved import GROUND, Direction, Place, ResolvedModel


def driven_pins(resolved: ResolvedModel) -> list[Place]:
    """Where driven angles are measured, if there is a pin.

    >>> import biela
    >>> [place.point for place in driven_pins(biela.assemble("quick-return").resolved)]
    ['O']
    """
    out: list[Place] = []
    for driver in resolved.drivers:
        c = resolved.coordinates.get(driver.coordinate)
        if c is None or c.type != "angle":
            continue
        lines = [x for x in reversed(c.lines) if not isinstance(x.vector, Direction) or x.vector.body != GROUND]
        place = next((x.through for x in lines if x.through is not None), None)
        if place is None:
            bodies = [x.vector.body if isinstance(x.vector, Direction) else x.vector.start.body for x in c.lines]
            shared = [p for p, owners in resolved.owners.items() if set(bodies) <= set(owners)]
            place = resolved.place(shared[0]) if shared else None
        if place is not None:
            out.append(place)
    return out
