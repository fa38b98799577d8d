"""A system is constant: threads share it, and runs within runs; every result is that of a run alone, bit for bit."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import biela
from biela.machine.fields import STATE

CASES = [
    ("double-pendulum", 0.5, {}),
    ("double-pendulum-spring", 0.2, {"formulation": "projection", "integrator": "abm4", "step": 1e-3}),
    ("four-bar", 0.2, {"formulation": "lagrange", "integrator": "rk4", "step": 1e-3}),
    ("four-bar", 0.2, {"formulation": "penalty", "integrator": "trapezoidal", "step": 1e-3}),
    ("bricard", 0.2, {"coordinates": "relative"}),
    ("bricard", 0.05, {"coordinates": "natural", "integrator": "conserving", "step": 1e-3}),
    ("heavy-top", 0.2, {"coordinates": "relative"}),
    ("heavy-top", 0.05, {"coordinates": "reference-point", "integrator": "generalized-alpha", "step": 1e-3}),
    ("andrews", 0.01, {}),
    ("bouncing-ball", 1.5, {}),
    ("clutch", 1.0, {}),
    ("pendulum-stop", 1.0, {"coordinates": "relative"}),
    ("n-four-bar", 0.2, {"formulation": "lagrange", "integrator": "rk4", "step": 1e-3}),
]
IDS = [f"{name} {' '.join(map(str, options.values()))}" for name, _, options in CASES]
KINDS = ("energy.*", "*.force", "*.reaction", "*.torque", "*.angle", "*.y", "violation.*")


def assembled(name: str, options: dict):
    return biela.assemble(name, options.get("coordinates"))


def run(system, t_end: float, options: dict):
    return biela.simulate(system, t_end, samples=40, **{k: x for k, x in options.items() if k != "coordinates"})


def print_of(result) -> dict[str, bytes]:
    """All that a result says, in bits."""
    tr = result.trajectory
    out = {name: np.ascontiguousarray(getattr(tr, name)).tobytes() for name in ("t", "y", "ydot", "lam", "turns")}
    out["counts"] = repr((tr.steps, tr.evaluations, tr.energy_error, tr.violation, str(tr.status))).encode()
    return out | {f"channel {name}": bits for name, bits in channels(result).items()}


def channels(result) -> dict[str, bytes]:
    names = [name for kind in KINDS for name in result.channels(kind)[:3]]
    return {name: np.asarray(result[name]).tobytes() for name in names}


def differing(a: dict, b: dict) -> list[str]:
    return [name for name in a | b if a.get(name) != b.get(name)]


@pytest.fixture(autouse=True)
def restless():
    """Threads take turns as often as Python allows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(count: int, work) -> list:
    """What each of several threads makes of `work`, all begun at one time."""
    gate = threading.Barrier(count)

    def begin(k: int):
        gate.wait()
        return work(k)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


@pytest.mark.parametrize("name, t_end, options", CASES, ids=IDS)
def test_runs_of_one_system_in_threads_equal_a_run_alone(name, t_end, options):
    alone = print_of(run(assembled(name, options), t_end, options))
    system = assembled(name, options)
    found = in_threads(3, lambda _: [print_of(run(system, t_end, options)) for _ in range(2)])
    assert [differing(alone, one) for several in found for one in several] == [[]] * 6


@pytest.mark.parametrize("name, t_end, options", CASES, ids=IDS)
def test_constants_stay_what_they_are(name, t_end, options):
    system = assembled(name, options)

    def constants():
        out = {k: x.tobytes() for k, x in system.arrays._asdict().items() if k not in STATE and hasattr(x, "tobytes")}
        if not len(system.arrays.tree_calls):
            out |= {"M": system.arrays.M.tobytes(), "mval": system.arrays.mval.tobytes()}
        for laid_out_anew in [k for k in out if k.startswith(("fill_", "kkt_"))]:
            del out[laid_out_anew]
        return out

    before = constants()
    print_of(run(system, t_end, options))
    assert differing(before, constants()) == []


def test_different_methods_on_one_system_at_once():
    system = biela.assemble("four-bar")
    ways = [
        {"formulation": "penalty", "integrator": "trapezoidal", "step": 1e-3},
        {"formulation": "lagrange", "integrator": "rk4", "step": 1e-3},
        {"integrator": "conserving", "step": 1e-3},
        {"formulation": "projection", "integrator": "ab4", "step": 1e-3},
    ]
    alone = [print_of(run(biela.assemble("four-bar"), 0.2, way)) for way in ways]
    found = in_threads(4, lambda k: print_of(run(system, 0.2, ways[k])))
    assert [differing(a, b) for a, b in zip(alone, found, strict=True)] == [[]] * 4


@pytest.mark.parametrize("name", ["four-bar", "bricard", "double-pendulum-spring"])
def test_a_result_read_by_threads_while_its_system_runs(name):
    system = biela.assemble(name)
    result = biela.simulate(system, 0.2, samples=40)
    alone = channels(biela.simulate(biela.assemble(name), 0.2, samples=40))

    def work(k: int):
        return channels(result) if k else [run(system, 0.2, {}) for _ in range(3)]

    assert [differing(alone, one) for one in in_threads(3, work)[1:]] == [[], []]


def test_analyses_of_one_system_in_threads():
    system = biela.assemble("double-pendulum-spring")

    def work(_):
        at_rest, linear = biela.equilibrium(system), biela.linearise(system)
        return at_rest.q.tobytes(), linear.table(), run(system, 0.1, {}).q.tobytes()

    alone = work(0)
    assert in_threads(4, work) == [alone] * 4


def model_with_function(function):
    model = biela.load("simple-pendulum")
    model.add_force("pull", "actuator", coordinate="phi", value=function)
    return model


def test_functions_of_the_user_in_threads():
    """Each run has its own count of calls, and its own complaint."""
    system = biela.assemble(model_with_function(lambda t, x, v: np.sin(9 * t)))

    def work(k: int):
        r = run(system, 0.1 * (k + 1), {})
        return r.trajectory.evaluations, next(n for n in r.notes if "called" in n).split(",")[0], r.q.tobytes()

    single = [work(k) for k in range(3)]
    assert in_threads(3, work) == single

    def fails(t, x, v):
        if threading.current_thread().name.endswith("_1"):
            raise ValueError("no more")
        return 1.0

    shared = biela.assemble(model_with_function(fails))
    statuses = in_threads(3, lambda k: (threading.current_thread().name[-1], run(shared, 0.3, {}).status.name))
    assert all((status == "user_function") == (thread == "1") for thread, status in statuses)


def test_what_a_function_or_progress_does_with_the_system_is_not_felt():
    """The user's own code, called from within a run, may look at the system, and even run it."""
    def looked(look: bool):
        def pull(t, x, v):
            if look:
                system.posture(system.q0 + 0.1, system.v0 + 3.0)
            return np.sin(9 * t)

        system = biela.assemble(model_with_function(pull), "relative")
        return run(system, 0.2, {})

    assert looked(True).q.tobytes() == looked(False).q.tobytes()

    system, inner = biela.assemble("double-pendulum"), []
    options = {"integrator": "rk4", "step": 1e-5}
    alone = print_of(run(biela.assemble("double-pendulum"), 0.3, options))

    def nested(fraction, steps):
        if len(inner) < 2:
            inner.append(print_of(biela.simulate(system, 0.3, samples=40, **options)))

    outer = print_of(biela.simulate(system, 0.3, samples=40, progress=nested, **options))
    assert inner and [differing(alone, one) for one in (outer, *inner)] == [[]] * (1 + len(inner))


def test_a_force_that_asks_for_itself_comes_to_an_end():
    seen = []

    def pull(t, x, v):
        seen.append(float(system.at(system.q0).Q.sum()))
        return seen[-1]

    system = biela.assemble(model_with_function(pull))
    r = run(system, 0.01, {})
    assert not r.ok and np.isnan(seen).all(), r.explain()


def test_systems_are_freed_with_their_last_name():
    """No circle of references keeps the arrays of a system until the garbage collector looks."""
    import gc
    import weakref

    biela.simulate("double-pendulum", 0.01)
    gc.disable()
    try:
        system = biela.assemble("double-pendulum")
        gone = weakref.ref(system.workspaces)
        del system
        assert gone() is None
    finally:
        gc.enable()
