"""Calls from Python into the compiled loops, which cost next to nothing. Each loop is compiled when first used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ...machine.addresses import address


@cache
def loop_of(module: str, name: str) -> Any:
    """A compiled loop, loaded (or compiled) at the first call."""
    return getattr(import_module(f"biela.methods.{module}"), name)


def march(header: int, step: Any, f: Any, settle: Any, *rest: Any) -> tuple[int, int]:
    """`fixed_steps.march`."""
    return loop_of("loops.fixed_steps", "march")(header, address(step), address(f), address(settle), *rest)


def march_adaptive(header: int, step: Any, f: Any, settle: Any, *rest: Any) -> tuple[float, float, float, float]:
    """`variable_steps.march_adaptive`."""
    loop = loop_of("loops.variable_steps", "march_adaptive")
    return loop(header, address(step), address(f), address(settle), *rest)


def begin(header: int, f: Any, settle: Any, t: float, lasts: float = 1.0) -> int:
    """`monitors.begin`."""
    return loop_of("loops.beginning", "begin_at")(header, address(f), address(settle), t, lasts)


def follow(header: int, look: Any, *rest: Any) -> int:
    """`prescribed.follow`."""
    return loop_of("positions.prescribed", "follow")(header, address(look), *rest)


def evaluate_samples(header: int, evaluate: Any, energies: Any, *rest: Any) -> None:
    """`sampled.evaluate_samples`."""
    loop_of("loops.sampled", "evaluate_samples")(header, address(evaluate), address(energies), *rest)
