"""The evaluation of one mechanism as a tape: a formulation, run on recorded numbers at the state where a run begins.

No mechanics is written here: the kernels are the only source. What of the state they leave unread is no input, what
they decide on values is a guard.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from numba import types

from ..kernels.crossed import CROSSED_FUNCTIONS
from ..machine.addresses import ADDRESS, TIME, address, evaluate_at, settle_at, step_at
from ..machine.compiled import HEADER, compiled
from ..machine.in_python import in_python
from ..machine.tape.llvm import Compiled
from ..machine.tape.memory import Memory
from ..machine.tape.tape import FUNCTIONS, NotRecordable, Tape
from ..system.system import System
from .loops import loop_calls
from .loops.stepper import first_step
from .settings import Settings, apply
from .status import OK

SCRATCH = frozenset({"w", "fill_w", "kkt_w", "away", "prog_stack"})
"""arrays that nobody reads after an evaluation"""


LARGE = 200
"""coordinates and rows from which on nobody need try"""


PATHS, LOOKS = 8, 40
"""ways through an evaluation that are recorded, and evaluations that are looked at for them"""
LENGTHENED = 8.0
"""by how much the second and the third step from the start are longer than the one before, where steps vary"""


def own_code(system: System, settings: Settings, evaluate: Any, settle: Any) -> Compiled | str:
    """Machine code of this mechanism alone, or why there is none. It is recorded where a run begins, whenever it is
    asked for: so a run that is continued computes as it did."""
    codes = system.workspaces.codes
    if settings not in codes:
        try:
            if system.users.functions:
                raise NotRecordable("a law is a Python function")
            if system.n + system.m > LARGE:
                raise NotRecordable(f"{system.n} coordinates and {system.m} rows are too many for a straight line")
            codes[settings] = Compiled(system.workspaces.aside(recorded, system, settings, evaluate, settle), evaluate)
        except NotRecordable as why:
            codes[settings] = str(why)
    return codes[settings]


def recorded(system: System, settings: Settings, evaluate: Any, settle: Any) -> Tape:
    """The tape of a formulation's `evaluate`: the paths that it takes in the first steps of a run."""
    apply(settings, system)
    if loop_calls.begin(system.header, evaluate, settle, 0.0) != OK:
        raise NotRecordable("it cannot be evaluated where it starts")
    tape, looks, faults = Tape(), 0, list[Exception]()

    def watched(answer: int, _: int, header: int, t: float) -> int:
        nonlocal looks
        looks += 1
        try:
            if looks <= LOOKS and len(tape.paths) < PATHS and not faults:
                record(tape, system, evaluate, t)
        except Exception as fault:  # (which cannot pass through compiled code)
            faults.append(fault)
        ctypes.c_int64.from_address(answer).value = evaluate(header, t)
        return 0

    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_double)(watched)
    f, t = ctypes.cast(call, ctypes.c_void_p).value, 0.0
    h = settings.step if settings.step and not settings.adaptive else first_step(system, settings.integrator.order)
    for _ in range(3):
        if one_step(system.header, address(settings.integrator.step()), f, address(settle), t, h) != OK:
            break
        t, h = t + h, LENGTHENED * h if settings.adaptive else h
    if faults:
        raise faults[0]
    if not tape.paths:
        raise NotRecordable("it cannot be evaluated where it starts")
    tape.keep_most_taken()
    return tape


@compiled(types.int64(HEADER, ADDRESS, TIME))
def one_evaluation(header, f, t):
    """An evaluation by its address."""
    return evaluate_at(f)(header, t)


@compiled(types.int64(HEADER, ADDRESS, ADDRESS, ADDRESS, TIME, TIME))
def one_step(header, step, f, settle, t, h):
    """A step by addresses."""
    return step_at(step)(header, evaluate_at(f), settle_at(settle), t, h)


def record(tape: Tape, system: System, evaluate: Any, t: float) -> None:
    """The path that `evaluate` takes at the present state."""
    s = system.arrays
    memory = Memory(tape, s, () if len(s.tree_calls) else ("M", "mval"))
    memory.arrays.run.multipliers_wanted = 1.0  # multipliers at each evaluation: they cost next to nothing here
    if in_python(evaluate, _instead(system))(memory.arrays, tape.input("t", t)) == OK:
        tape.end_path(memory.outputs(SCRATCH))
    else:
        tape.guards = {}


def _instead(system: System) -> dict[str, Any]:
    """What stands in the place of what recorded numbers cannot pass through."""

    def itself(x: Any) -> Any:
        return x

    def no_call(*_: Any) -> Any:
        raise NotRecordable("a law is a Python function")

    replace = {**FUNCTIONS, "unpack": itself, "unpack_tree": itself, "unpack_saddle": itself, "call_python": no_call}
    calls = [int(address) for address in system.arrays.tree_calls]
    made: dict[int, Callable] = {}

    def call_kernel(address: Any, arrays: Any) -> None:
        if address not in made:
            made[address] = in_python(_kernels_of(system)[calls.index(address)], replace)
        made[address](arrays)

    replace["call_kernel"] = call_kernel
    return replace


def _kernels_of(system: System) -> tuple:
    if system.equations.tree is None:
        return CROSSED_FUNCTIONS
    from ..kernels.tree.calls import TREE_FUNCTIONS

    return TREE_FUNCTIONS
