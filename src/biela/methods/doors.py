"""Doors from Python into the compiled time loops that cost nothing to open. Each loop is compiled when first used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from .addresses import address


@cache
def loop_of(module: str, name: str) -> Any:
    """A compiled loop, loaded (or compiled) at the first call."""
    return getattr(import_module(f".{module}", __package__), name)


def march(header: int, step: Any, f: Any, settle: Any, *rest: Any) -> tuple[int, int]:
    """`fixed_steps.march`."""
    return loop_of("fixed_steps", "march")(header, address(step), address(f), address(settle), *rest)


def march_adaptive(header: int, step: Any, f: Any, settle: Any, *rest: Any) -> tuple[float, float, float, float]:
    """`variable_steps.march_adaptive`."""
    loop = loop_of("variable_steps", "march_adaptive")
    return loop(header, address(step), address(f), address(settle), *rest)


def begin(header: int, f: Any, settle: Any, t: float, lasts: float = 1.0) -> int:
    """`march.begin`."""
    return loop_of("beginning", "begin_at")(header, address(f), address(settle), t, lasts)


def follow(header: int, look: Any, *rest: Any) -> int:
    """`prescribed.follow`."""
    return loop_of("prescribed", "follow")(header, address(look), *rest)


def look_over(header: int, look: Any, energies: Any, *rest: Any) -> None:
    """`sampled.look_over`."""
    loop_of("sampled", "look_over")(header, address(look), address(energies), *rest)
