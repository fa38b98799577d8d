"""From texts on the command line to models, numbers and channels, or a clear refusal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

from ..errors import BielaError, MethodError, Problem

if TYPE_CHECKING:
    from ..model.model import Model
    from ..results.motion import Motion


def is_of_library(name: str, known: Iterable[str]) -> bool:
    """A name without folder and suffix is one of the library, unless only a file bears it."""
    bare = os.path.basename(name) == name and not name.lower().endswith(".toml")
    return bare and (name in known or not os.path.isfile(name))


def read_model(name: str, settings: Sequence[str] | None = None) -> Model:
    """The model of the library, or in the file, that is meant; with other values of its parameters."""
    from .. import library
    from ..model.file import load_file

    return with_settings(library.load(name) if is_of_library(name, library.names()) else load_file(name), settings)


def with_settings(model: Any, settings: Sequence[str] | None) -> Any:
    """A model or bond graph with the parameters of --set."""
    changes = {}
    for text in settings or ():
        name, value = assignment("--set", text, "--set m=2")
        try:
            changes[name] = float(value)
        except ValueError:
            changes[name] = value
    return model.with_parameters(**changes) if changes else model


def opened(model: Model, joints: Sequence[str] | None, coordinates: str | None) -> Model:
    """The model with the loops opened at these joints, where the coordinates are such that loops are opened at all."""
    if not joints:
        return model
    if coordinates != "relative":
        why = f"in {coordinates or 'natural'} coordinates no loop is opened"
        raise MethodError(Problem("--open has no meaning here", why=why, cure="add --coordinates relative"))
    copy = model.model_copy()
    copy.open_joints = list(joints)
    return copy


def assignment(option: str, text: str, example: str = "") -> tuple[str, str]:
    """The two sides of NAME=VALUE.

    >>> assignment("--set", "L = 12 mm")
    ('L', '12 mm')
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        cure = f"write {option} NAME=VALUE" + (f", as in {example}" if example else "")
        raise MethodError(Problem(f"{option} {text!r} is not NAME=VALUE", cure=cure))
    return name, value


def names_in(option: str, text: str | None, example: str = "A,B") -> list[str]:
    """ "a, b,c" -> ["a", "b", "c"]; a text without names is refused."""
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if text is not None and not names:
        raise MethodError(Problem(f"{option} is empty", cure=f"{option} {example}"))
    return names


@overload
def number(option: str, text: str, kind: str = ...) -> float: ...
@overload
def number(option: str, text: str | None, kind: str = ...) -> float | None: ...
def number(option: str, text: str | None, kind: str = "number") -> float | None:
    """The value of an option in SI units.

    >>> number("--step", "10 ms", "time")
    0.01
    >>> number("--step", "10 mm", "time")
    Traceback (most recent call last):
    biela.errors.MethodError: --step '10 mm' is not a time
      try:   a number in s, or one with a unit
    """
    if text is None:
        return None
    from ..model.units import EXPECTED, UnitError, compatible, describe, parse_quantity

    unit = describe(EXPECTED[kind])
    cure = "a plain number" if kind == "number" else f"a number in {unit}, or one with a unit"
    try:
        quantity = parse_quantity(text)
    except UnitError as error:
        raise MethodError(Problem(f"{option} {text!r} cannot be understood", why=str(error), cure=cure)) from None
    if quantity is None:
        raise MethodError(Problem(f"{option} {text!r} is not a number", cure=cure))
    if not compatible(quantity.dimension, kind):
        what = "a plain number" if kind == "number" else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        raise MethodError(Problem(f"{option} {text!r} is not {what}", cure=cure))
    return quantity.value


def instant(option: str, text: str | None) -> float | None:
    """A time of a motion, from its start on."""
    t = number(option, text, "time")
    if t is not None and t < 0:
        raise MethodError(Problem(f"{option} {text} is before the start", cure="give a time from 0 on"))
    return t


def channel_names(text: str | None, used: bool) -> list[str] | None:
    """The names in --channels; refused where nothing would be done with them."""
    names = names_in("--channels", text, "P.x,P.y")
    if names and not used:
        raise MethodError(Problem("--channels needs an output file", cure="give -o FILE.csv too"))
    return names or None


def check_channels(known: Motion | Iterable[str], names: Iterable[str] | None) -> None:
    """Refuse names that are no channels, with those that come near."""
    if names is None:
        return
    from ..model.resolve.naming import did_you_mean

    available = list(known.channels() if hasattr(known, "channels") else known)  # type: ignore[union-attr]
    unknown = [name for name in names if name != "t" and name not in available]
    if unknown:
        cures = {name: did_you_mean(name, available, "channels", most=12) for name in unknown}
        raise BielaError([Problem(f"there is no channel {name!r}", cure=cure) for name, cure in cures.items()])


def channels_of(
    model: Model, coordinates: str | None = None, formulation: str | None = None, integrator: str | None = None
) -> dict[str, str]:
    """Channel -> unit of what a run of the model gives, without running it."""
    from ..analysis.assembly.assemble import assemble
    from ..analysis.simulate.simulate import coordinates_for
    from ..methods.registry import INTEGRATORS
    from ..results.channels.jumps import JUMPS
    from ..results.motion import Motion

    motion = Motion.at_start(assemble(model, coordinates_for(model, coordinates, formulation)))
    found = {name: motion.unit(name) for name in motion.channels()}
    if integrator in INTEGRATORS and INTEGRATORS[integrator].dissipates:
        found |= dict.fromkeys(JUMPS, "J")
    return found
