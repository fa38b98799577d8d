"""The domains of energy: the units of efforts, flows, momenta and displacements, and quantities written in them."""

from __future__ import annotations

from ...model.units import ALL_DOMAINS, Dimension, Quantity, parse_quantity

UNITS: dict[str | None, tuple[str, str, str, str]] = {
    "translation": ("N", "m/s", "N*s", "m"),
    "rotation": ("N*m", "rad/s", "N*m*s", "rad"),
    "electric": ("V", "A", "Wb", "C"),
    "hydraulic": ("Pa", "m^3/s", "Pa*s", "m^3"),
    None: ("", "", "", ""),
}
"""domain -> units of effort, flow, momentum and displacement"""


def quantity(text: str) -> Quantity | None:
    """The value in SI units, and the dimension, of "12 V" or "0.05 N*m/A"; other text gives None.

    >>> quantity("47 uF").value, quantity("0.05 N*m/A").dimension == dimension_of("Wb"), quantity("2*k") is None
    (4.7e-05, True, True)
    """
    return parse_quantity(text, ALL_DOMAINS)


def dimension_of(unit: str) -> Dimension | None:
    """The dimension of a unit of a channel; None where there is no unit.

    >>> dimension_of("V*s") == dimension_of("Wb")
    True
    """
    one = quantity(f"1 {unit}") if unit else None
    return None if one is None else one.dimension


def same(a: Dimension, b: Dimension) -> bool:
    """Whether two dimensions agree; radians do not count (N*m and N*m/rad are both a torsional stiffness)."""
    return a._replace(rad=0) == b._replace(rad=0)
