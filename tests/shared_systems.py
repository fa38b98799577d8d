"""Mechanisms of the library that many tests run: a system is constant, so each is put together once."""

from __future__ import annotations

from functools import cache
from typing import Any

import biela
from biela import Model
from biela.analysis.simulate.simulate import coordinates_for
from biela.methods.registry import INTEGRATORS
from biela.system.system import System

model_of = cache(biela.load)


@cache
def system_of(name: str, coordinates: str | None) -> System:
    return biela.assemble(model_of(name), coordinates)


def simulated(
    name: str,
    t_end: float | None = None,
    coordinates: str | None = None,
    formulation: str | None = None,
    integrator: str | None = None,
    **options: Any,
) -> biela.Result:
    """`biela.simulate` in the coordinates that it would choose. Whoever changes the system of a result takes that."""
    model: Model = model_of(name)
    chosen = coordinates_for(model, coordinates, formulation, INTEGRATORS.get(integrator or ""))
    return biela.simulate(system_of(name, chosen), t_end, formulation=formulation, integrator=integrator, **options)
