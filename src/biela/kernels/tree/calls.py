"""A tree's functions, compiled once and called by address from the kernels that all coordinates share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.ccallback import CFunc

from ...machine.array_table import unpack
from ...machine.compiled import HEADER, cache_folder, compiled
from ...machine.kept_code import kept
from .articulated import tree_energy
from .inertia import contract_rows, gather_forces, weigh_tree
from .motion import accelerate_bodies, place_bodies


def by_address(function: Callable) -> Any:
    """A compiled function that takes the header, with an address of its own."""
    made = CFunc(function, sigutils.normalize_signature(types.void(HEADER)), {}, {"error_model": "numpy"})
    kept(made, cache_folder())
    made.compile()
    return made


def _place(header):
    place_bodies(header)


def _contract(header):
    contract_rows(header)


def _weigh(header):
    weigh_tree(header)


def _gather(header):
    weigh_tree(header)
    gather_forces(header)


def _kinetic(header):
    unpack(header).tree_energy[0] = tree_energy(header)


TREE_FUNCTIONS = (_place, _contract, _weigh, _gather, _kinetic)
"""in the order of `kernels.calls`"""


@cache
def tree_calls() -> np.ndarray:
    """Their addresses."""
    return np.array([by_address(f).address for f in TREE_FUNCTIONS], dtype=np.int64)


@compiled(types.void(HEADER))
def frames_and_accelerations(header):
    """x, x' and x'' (in place of its bias) of the bodies of a tree, from q, v and a."""
    accelerate_bodies(header)
