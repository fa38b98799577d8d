"""Coordinates and formulations agree: accelerations and energies of random mechanisms, and their motions."""

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings

import biela
from biela import Model
from biela.analysis.mobility import scaled_jacobian
from biela.methods.registry import FORMULATIONS
from biela.system.system import System
from biela.system.tree.seating import seat
from mechanisms import Recipe, build, recipe, recipes
from space_mechanisms import TOPOLOGIES, SpaceRecipe, build_space, space_recipe, space_recipes
from spatial.joints import JOINTS
from spatial.states import (
    COORDINATES,
    accelerations,
    at_a_state,
    body_energy,
    by_least_squares,
    regular,
    silent_rows,
    size,
    snapshot,
)

# mechanisms are dear and their seeds do not shrink
SEARCH = settings(phases=(Phase.explicit, Phase.generate))
FEW = settings(SEARCH, max_examples=settings().max_examples // 2)
EXACT = [name for name in FORMULATIONS if name != "penalty"]


def fit(system: System) -> list[str]:
    """Formulations that are exact here: see `spatial.broken` for those that are not yet."""
    if not system.m:
        return EXACT
    s = np.linalg.svd(scaled_jacobian(system, system.q0), compute_uv=False)[: system.rank]
    slow = s.min(initial=1.0) < 0.1  # "augmented stops early"
    silent = silent_rows(system)  # "rows of round-off"
    return [f for f in EXACT if not (f == "augmented" and slow) and not (f != "projection" and silent)]


def check(systems: dict[str, System]) -> None:
    """The same accelerations of all bodies and points, and the same energies, whatever the coordinates and methods."""
    first = next(iter(systems.values()))
    truth = snapshot(first, first.q0, first.v0, accelerations(first, "projection")[0])
    state = first.at(first.q0, first.v0)
    big = max(size(truth.xdd), 1.0)
    energy = max(abs(state.kinetic), abs(state.potential), 1.0)
    assert abs(state.kinetic - body_energy(first)) < 1e-10 * energy
    for name, system in systems.items():
        at = system.at(system.q0, system.v0)
        assert abs(at.kinetic - state.kinetic) < 1e-10 * energy, name
        assert abs(at.potential - state.potential) < 1e-10 * energy, name
        assert abs(at.power - state.power) < 1e-9 * max(energy, abs(state.power)), name
        a, _ = by_least_squares(system)
        for formulation in fit(system):
            got, lam = accelerations(system, formulation)
            here = snapshot(system, system.q0, system.v0, got)
            assert size(here.xdd - truth.xdd) < 1e-8 * big, (name, formulation)
            at = system.at(system.q0, system.v0)
            forces = max(size(at.Q), size(at.M @ got), size(at.B.T @ lam))
            assert size(at.M @ got + at.B.T @ lam - at.Q) < 1e-8 * forces, (name, formulation)
        if system.is_open_tree:  # the recursion is what runs; the formulation itself must give the same
            assert size(accelerations(system, "lagrange", recursive=False)[0] - a) < 1e-9 * max(size(a), 1.0), name
        if system.is_tree:  # and what biela makes of the first's motion, on the way to reactions, is this one
            q, v, b = seat(system, first.posture(first.q0, first.v0, accelerations(first, "projection")[0]))
            own = system.n - len(system.lowered.carried)
            assert size(b[0][:own] - a[:own]) < 1e-8 * max(size(a), 1.0), name
            assert size(v[0][:own] - system.v0[:own]) < 1e-9 * max(size(v), 1.0), name


@settings(SEARCH)
@given(space_recipes())
def test_coordinates_and_formulations_agree_on_random_mechanisms(drawn: SpaceRecipe):
    systems = at_a_state(build_space(drawn), drawn.seed)
    assume(all([regular(s) for s in systems.values()]))
    check(systems)


@pytest.mark.parametrize("kind", JOINTS)
def test_coordinates_and_formulations_agree_on_each_joint(kind: str):
    for seed in range(2):
        asked = SpaceRecipe(size=2, joints=(kind,), forces=("line", "moment"), seed=seed)
        systems = at_a_state(build_space(asked), seed)
        assert all([regular(s) for s in systems.values()])
        check(systems)


@settings(SEARCH)
@given(recipes())
def test_coordinates_and_formulations_agree_in_the_plane(drawn: Recipe):
    systems = at_a_state(build(drawn), drawn.seed)
    assume(all([regular(s) for s in systems.values()]))
    check(systems)
