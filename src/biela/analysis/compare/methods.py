"""Methods of a comparison: coordinates, formulation and integrator, as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...errors import BielaError, MethodError, Problem
from ...methods.options import OPTIONS
from ...methods.registry import INTEGRATORS, integrator
from ...methods.settings import choose
from ...system.system import COORDINATES

SETTABLE: dict[str, type] = {
    name: {"word": str, "count": int}.get(o.kind, float) for name, o in OPTIONS.items() if not o.accuracy
}
"""options that a method of a comparison may be given, and what their values are"""


@dataclass(frozen=True)
class MethodSpec:
    """Coordinates, formulation, integrator and what else was set; None leaves the choice to biela."""

    coordinates: str | None
    formulation: str | None
    integrator: str
    settings: tuple[tuple[str, float | str], ...] = ()

    @property
    def name(self) -> str:
        """As it is written.

        >>> MethodSpec("relative", "projection", "rk4").name, MethodSpec(None, None, "hht", (("rho", 0.8),)).name
        ('relative:projection+rk4', 'hht[rho=0.8]')
        """
        pair = f"{self.formulation}+{self.integrator}" if self.formulation else self.integrator
        written = [f"{k}={v}" if isinstance(v, str) else f"{k}={v:g}" for k, v in self.settings]
        settings = f"[{','.join(written)}]" if written else ""
        return (f"{self.coordinates}:" if self.coordinates else "") + pair + settings

    @property
    def adaptive(self) -> bool:
        """Its accuracy is set by a tolerance, not by a step."""
        return integrator(self.integrator).adaptive

    @property
    def order(self) -> int:
        """As the books say."""
        return integrator(self.integrator).order

    def accuracy(self, value: float) -> dict[str, Any]:
        """A step, or the tolerance of an error-controlled integrator, by its name."""
        return {"tolerance" if self.adaptive else "step": value}

    def options(self, accuracy: float | None) -> dict[str, Any]:
        """Arguments of `simulate`; `accuracy` is the step, or the tolerance of an error-controlled integrator."""
        settings = {k: SETTABLE[k](v) for k, v in self.settings}
        return {
            "coordinates": self.coordinates,
            "formulation": self.formulation,
            "integrator": self.integrator,
            **settings,
            **({} if accuracy is None else self.accuracy(accuracy)),
        }

    def refused(self, accuracy: float | None = None) -> BielaError | None:
        """Why these do not go together, if they do not."""
        options = self.options(accuracy)
        coordinates = options.pop("coordinates")
        allowed = integrator(self.integrator).coordinates
        if coordinates is not None and allowed and coordinates not in allowed:
            why = f"it works in: {', '.join(allowed)}"
            return MethodError(Problem(f"{self.integrator} does not work in {coordinates} coordinates", why=why))
        try:
            choose(options.pop("formulation"), options.pop("integrator"), **options)
        except BielaError as error:
            return error
        return None


def method_spec(text: str) -> MethodSpec:
    """Read "[coordinates:][formulation+]integrator[option=value,...]".

    >>> method_spec("penalty+trapezoidal")
    MethodSpec(coordinates=None, formulation='penalty', integrator='trapezoidal', settings=())
    >>> method_spec("reference-point:generalized-alpha[rho=0.8]").settings
    (('rho', 0.8),)
    """
    cure = "formulation+integrator, as in penalty+trapezoidal; relative:projection+rk4; hht[rho=0.8]"
    rest, bracket, inside = text.strip().partition("[")
    coordinates, colon, pair = (part.strip() for part in rest.rpartition(":"))
    formulation, plus, name = (part.strip() for part in pair.rpartition("+"))
    if not name or (plus and not formulation) or (colon and not coordinates) or bool(bracket) != inside.endswith("]"):
        raise MethodError(Problem(f"{text!r} is not a method", cure=cure))
    if coordinates and coordinates not in COORDINATES:
        listed = ", ".join(COORDINATES)
        raise MethodError(Problem(f"there are no coordinates {coordinates!r}", where=text, cure=f"one of: {listed}"))
    integrator(name)
    return MethodSpec(coordinates or None, formulation or None, name, _read_settings(text, inside.rstrip("]")))


def _read_settings(text: str, inside: str) -> tuple[tuple[str, float | str], ...]:
    out: list[tuple[str, float | str]] = []
    for part in (part for part in inside.split(",") if part.strip()):
        key, _, value = (word.strip() for word in part.partition("="))
        try:
            out.append((key, value if SETTABLE.get(key) is str else float(value)))
        except ValueError:
            key = ""
        if key not in SETTABLE:
            cure = f"[NAME=VALUE] with: {', '.join(SETTABLE)}"
            raise MethodError(Problem(f"{part.strip()!r} is not a setting", where=text, cure=cure))
    return tuple(out)


def all_method_specs(
    coordinates: Sequence[str] = (), formulations: Sequence[str] = (), integrators: Sequence[str] = ()
) -> list[MethodSpec]:
    """Every combination; integrators that take no formulation come once for each set of coordinates."""
    out: dict[MethodSpec, None] = {}
    names = integrators or [name for name, i in INTEGRATORS.items() if not i.direct]
    for place, form, name in product(coordinates or [None], formulations or [None], names):
        alone = (
            MethodSpec(place, None, str(name)) if integrator(str(name)).direct else MethodSpec(place, form, str(name))
        )
        if place is not None and place not in COORDINATES:
            method_spec(f"{place}:{name}")  # says which there are
        out[alone] = None
    return list(out)
