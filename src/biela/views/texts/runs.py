"""The runs behind the figures of the texts; each is made once, however many figures show it."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from ...analysis.simulate import simulate
from ...library import load
from ...model.file import load_file
from ...model.model import Model
from ...results.result import Result


@cache
def pendulum(formulation: str, integrator: str) -> Result:
    """The double pendulum of 000, section 4.4: ten seconds, h = 1e-3."""
    return simulate(load("double-pendulum"), 10.0, formulation=formulation, integrator=integrator, step=1e-3)


@cache
def masses(scheme: str, m1: float, t_end: float = 10.0) -> Result:
    """The double pendulum of 002, section 6.2, by its conserving or its decaying scheme, h = 1e-3."""
    model = _own("point-pendulum").with_parameters(m1=m1)
    samples = round(t_end / 1e-3) if t_end <= 1.5 else 5000
    return simulate(model, t_end, integrator=scheme, step=1e-3, samples=samples)


@cache
def top(scheme: str, t_end: float = 3.0) -> Result:
    """The symmetric top of 002, section 6.3, h = 1e-3."""
    return simulate(_own("symmetric-top"), t_end, integrator=scheme, step=1e-3, samples=3000)


@cache
def suspended(t_end: float = 2.0) -> Result:
    """The mass on a spring and a damper of 001, section 15.4."""
    return simulate(load("mass-spring-damper"), t_end)


def _own(name: str) -> Model:
    with as_file(files("biela.views.texts").joinpath(f"{name}.toml")) as path:
        return load_file(path)
