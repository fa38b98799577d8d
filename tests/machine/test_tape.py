"""Tapes: what is recorded computes as the kernel does, wherever its guards hold; elsewhere the kernel itself runs."""

from __future__ import annotations

import math
import operator
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biela
from biela.analysis.assembly.assemble import as_model, assemble
from biela.analysis.check.movability import checked_mobility
from biela.errors import MethodError
from biela.library import names
from biela.machine.addresses import address
from biela.machine.fields import STATE
from biela.machine.tape.llvm import Compiled
from biela.machine.tape.memory import KINDS
from biela.machine.tape.tape import FUNCTIONS, VALUES, NotRecordable, Recorded, Tape
from biela.methods.evaluation import functions
from biela.methods.loops import loop_calls
from biela.methods.recorded import SCRATCH, one_evaluation, own_code
from biela.methods.settings import apply, choose

# ------------------------------------------------------------------------------------------------ the tape itself
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
NUMBERS = st.floats(-3.0, 3.0).map(lambda x: round(x, 3))


@st.composite
def programs(draw):
    """Operations on numbers that are there: (name, first, second)."""
    count = draw(st.integers(1, 25))
    name = st.sampled_from([*OPERATORS, "sin", "sqrt", "abs", "max", "if", "square", "0", "1"])
    return [(draw(name), draw(st.integers(0, k + 2)), draw(st.integers(0, k + 2))) for k in range(count)]


def computed(program, functions, *numbers):
    """The last value of a program of three numbers."""
    there = list(numbers)
    for name, i, j in program:
        a, b = there[i], there[j]
        if name in OPERATORS:
            there.append(OPERATORS[name](a, b) if name != "/" else a / (b * b + 1.0))
        elif name == "max":
            there.append(functions["max"](a, b))
        elif name == "if":
            there.append(a if a < b else b * 2.0)
        elif name == "square":
            there.append(a**2)
        elif name in ("0", "1"):
            there.append(a * float(name))
        else:
            there.append(abs(a) if name == "abs" else functions[name](abs(a)))
    return there[-1]


PLAIN = {"max": max, "sin": math.sin, "sqrt": math.sqrt}


@given(programs(), st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_a_tape_computes_as_the_program(program, at, elsewhere):
    """At the numbers it was recorded with, bit for bit; elsewhere, too, or it says that it cannot."""
    tape = Tape()
    inputs = [tape.input(name, value) for name, value in zip("xyz", at, strict=True)]
    last = computed(program, FUNCTIONS, *inputs)
    tape.end_path({"out": tape.number(last)})
    for numbers in (at, elsewhere):
        there = dict(zip("xyz", numbers, strict=True))
        found = tape.run(there.get)
        if numbers is at:
            assert found is not None
        if found is not None:
            assert found["out"] == pytest.approx(computed(program, PLAIN, *numbers), rel=1e-14, abs=1e-300)
    value = last.value if isinstance(last, Recorded) else last
    assert value == pytest.approx(computed(program, PLAIN, *at), rel=1e-14, abs=1e-300)


def test_the_same_is_computed_once():
    tape = Tape()
    x, y = tape.input("x", 2.0), tape.input("y", 3.0)
    tape.end_path({"a": tape.number(x * y + y * x), "b": tape.number((y * x) * 1.0 + 0.0)})
    assert tape.size == 2


def test_two_paths_are_told_apart_by_their_guards():
    tape = Tape()
    for value in (2.0, -2.0):
        x = tape.input("x", value)
        tape.end_path({"out": tape.number(x * 3.0 if x > 0.0 else x + 1.0)})
    assert [tape.run({"x": x}.get) for x in (5.0, -5.0)] == [{"out": 15.0}, {"out": -4.0}]
    assert len(tape.paths) == 2


def test_a_subscript_is_a_guard():
    tape = Tape()
    i = tape.input("i", 1)
    tape.end_path({"out": tape.number([10.0, 20.0, 30.0][i])})
    assert tape.run({"i": 1}.get) == {"out": 20.0}
    assert tape.run({"i": 2}.get) is None


def test_too_long_a_program_is_not_recorded():
    tape = Tape()
    x = tape.input("x", 1.1)
    with pytest.raises(NotRecordable, match="operations"):
        for k in range(2_000_000):  # (it ends long before)
            x = x * (1.0 + 1.0 / (k + 1.5))


def test_every_operation_has_a_value_that_numbers_have():
    """Infinity and NaN as the processor has them, no exception."""
    assert VALUES["div"](1.0, 0.0) == math.inf and VALUES["div"](1.0, -0.0) == -math.inf
    assert math.isnan(VALUES["div"](0.0, 0.0)) and math.isnan(VALUES["sqrt"](-1.0)) and VALUES["exp"](1e4) == math.inf


# --------------------------------------------------------------------------------------- evaluations of mechanisms
def prepared(name: Any, coordinates: str, formulation: str):
    """A system where a run of it begins, and its evaluation."""
    system = assemble(as_model(name), coordinates)
    checked_mobility(system)
    settings = choose(formulation, "rk4", 1e-3)
    apply(settings, system)
    f, settle = functions(settings, system)
    assert loop_calls.begin(system.header, f, settle, 0.0) == 0
    return system, settings, f, settle


TOLERANCE = {"penalty": 1e-6}
"""what rounding may do, relative to the largest entry of an array: penalty factors multiply it"""


def agree(system, settings, f, own, states: int) -> None:
    """The machine code of one mechanism against that of all, where it starts and beside it: every array that an
    evaluation leaves."""
    small = TOLERANCE.get(settings.formulation.name, 1e-10)
    left = [x for x, kind in KINDS.items() if kind == "f" and x in STATE - SCRATCH - {"k", "direct", "mon", "ctl", "r"}]
    begin = {field: getattr(system.arrays, field).copy() for field in STATE}
    random = np.random.default_rng(7)
    s = system.arrays
    for k in range(states):
        moved = 1e-4 * k * random.standard_normal(len(s.y) - 1) * system.size
        found = []
        for machine in (f, own):
            for field, values in begin.items():
                getattr(s, field)[:] = values
            s.y[:-1] += moved
            status = one_evaluation(system.header, address(machine), 0.01 * k)
            found.append({field: getattr(s, field).copy() for field in left} if status == 0 else status)
        if found[0] == 2 and k > 0:  # (a rank that is lost beside the constraints)
            assert found[1] == 2
            continue
        for field in left:
            a, b = (out[field] for out in found)
            assert np.abs(a - b).max(initial=0.0) <= small * max(1.0, np.abs(a).max(initial=0.0)), (field, k)


EVERY = list(zip(names(), cycle(["natural", "relative", "mixed", "reference-point"]), strict=False))
PAIRS = {("natural", "penalty"), ("mixed", "lagrange"), ("reference-point", "penalty"), ("relative", "augmented")}
"""in space, where recording takes longer, each once"""


@pytest.mark.parametrize("formulation", ["penalty", "augmented", "lagrange", "projection"])
@pytest.mark.parametrize("coordinates", ["natural", "mixed", "reference-point", "relative"])
@pytest.mark.parametrize("name", ["slider-crank", "spatial-slider-crank"])
def test_the_code_of_a_mechanism_evaluates_as_that_of_all(name, coordinates, formulation):
    if name == "spatial-slider-crank" and (coordinates, formulation) not in PAIRS:
        return
    system, settings, f, settle = prepared(name, coordinates, formulation)
    own = own_code(system, settings, f, settle)
    assert isinstance(own, Compiled), own
    agree(system, settings, f, own, states=3)


@pytest.mark.parametrize("name, coordinates", EVERY)
def test_every_mechanism_of_the_library(name, coordinates):
    """Whatever it is made of: recorded and the same, or a reason."""
    system, settings, f, settle = prepared(name, coordinates, "lagrange")
    own = own_code(system, settings, f, settle)
    if isinstance(own, str):
        assert "operations, more than" in own or "are too many" in own, own
    else:
        agree(system, settings, f, own, states=2)


# ---------------------------------------------------------------------------------------------------------- runs
def wall() -> biela.Model:
    """1 kg that meets a soft wall 2 m from the origin."""
    m = biela.Model(name="wall", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    m.add_force("f", "actuator", points=("O", "P"), value="if(x > 2, -100*(x - 2), 0)")
    return m.start(velocity={"P.x": 1.0, "P.y": 0})


def test_where_a_guard_fails_the_generic_code_runs():
    """A force that has another formula beyond 2 m, recorded on this side."""
    system, settings, f, settle = prepared(wall(), "natural", "penalty")
    own = own_code(system, settings, f, settle)
    assert isinstance(own, Compiled)
    s, found = system.arrays, {}
    for x in (1.5, 3.0):
        for machine in (f, own):
            s.q[0] = x
            assert one_evaluation(system.header, address(machine), 0.0) == 0
            found[x, machine] = s.a[0]
        assert found[x, f] == pytest.approx(found[x, own], rel=1e-14)
    assert found[1.5, own] == 0.0 and found[3.0, own] == pytest.approx(-100.0)


@pytest.mark.parametrize("integrator", ["dopri8", "rk4", "radau5", "abm4"])
def test_a_wall_is_met(integrator):
    """Half a period of sqrt(100) rad/s in the wall, then back."""
    more: Any = {} if integrator in ("dopri8", "radau5") else {"step": 1e-3}
    r = biela.simulate(wall(), 2.0 + math.pi / 10, integrator=integrator, machine="tape", **more)
    assert r.ok and r.trajectory.machine == "tape"
    assert r["P.x"][-1] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
@pytest.mark.parametrize("more", [{"tolerance": 1e-12}, {"formulation": "lagrange", "integrator": "rk4", "step": 1e-3}])
def test_runs_agree(coordinates, more):
    y = [biela.simulate("slider-crank", 1.0, coordinates=coordinates, machine=machine, **more).trajectory.y
         for machine in ("generic", "tape")]  # fmt: skip
    assert np.allclose(*y, rtol=1e-8, atol=1e-10)


def test_long_runs_get_their_own_code_by_themselves(monkeypatch):
    """By the number of steps, so that a run that is repeated computes the same."""
    monkeypatch.setattr("biela.methods.run.LONG", 20_000)
    long = [biela.simulate("slider-crank", 2.0, integrator="rk4", step=1e-4, samples=10).trajectory for _ in range(2)]
    short = biela.simulate("slider-crank", 0.2, integrator="rk4", step=1e-4).trajectory
    assert (long[0].machine, short.machine) == ("tape", "generic")
    assert np.array_equal(long[0].y, long[1].y)
    plain = biela.simulate("slider-crank", 2.0, integrator="rk4", step=1e-4, samples=10, machine="generic").trajectory
    assert plain.machine == "generic" and np.allclose(plain.y, long[0].y, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("more", [{"integrator": "rk4", "step": 1e-4}, {"integrator": "dopri8"}])
def test_interrupted_runs_go_on_bit_for_bit(more, tmp_path):
    def stop(done: float, steps: int) -> None:
        if done > 0.1:
            raise KeyboardInterrupt

    whole = biela.simulate("slider-crank", 20.0, machine="tape", **more)
    file = tmp_path / "run.npz"
    first = biela.simulate("slider-crank", 20.0, machine="tape", checkpoint=file, progress=stop, **more)
    if first.ok:  # it was over before anybody could stop it
        assert np.array_equal(first.trajectory.y, whole.trajectory.y)
    else:
        assert np.array_equal(biela.resume(file).trajectory.y, whole.trajectory.y)


def test_what_cannot_be_recorded_is_told():
    m = wall().add_force("g", "force", point="P", value=[lambda t, x, v: 0.1 * t, 0])
    r = biela.simulate(m, 0.5, machine="tape")
    assert r.ok and r.trajectory.machine == "generic"
    assert any("a law is a Python function; the generic code ran" in note for note in r.notes)


@pytest.mark.parametrize("integrator", ["conserving", "dop853"])
def test_methods_that_do_not_evaluate_in_machine_code(integrator):
    with pytest.raises(MethodError, match="machine = tape has no effect here"):
        biela.simulate("slider-crank", 0.1, integrator=integrator, machine="tape")


def test_unknown_machines():
    with pytest.raises(MethodError, match="there is no machine 'gpu'"):
        biela.simulate("slider-crank", 0.1, machine="gpu")


def test_damaged_code_is_made_again(tmp_path, monkeypatch):
    """Machine code on disk is taken where it is whole; else it is made anew, with a note."""
    monkeypatch.setattr("biela.machine.tape.llvm.cache_folder", lambda: tmp_path)
    y = []
    for damage in (False, False, True):
        for file in (tmp_path / "tapes").glob("*.o") if damage else ():
            file.write_bytes(file.read_bytes()[:-7])
        r = biela.simulate("slider-crank", 0.1, machine="tape")
        y.append(r.trajectory.y)
        assert len(list((tmp_path / "tapes").glob("*.o"))) == 1
    assert any("was damaged" in note for note in r.notes)
    assert np.array_equal(y[0], y[1]) and np.array_equal(y[0], y[2])


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path, monkeypatch):
    (tmp_path / "tapes").write_text("no folder")
    monkeypatch.setattr("biela.machine.tape.llvm.cache_folder", lambda: tmp_path)
    r = biela.simulate("slider-crank", 0.1, machine="tape")
    assert r.ok and r.trajectory.machine == "tape"
