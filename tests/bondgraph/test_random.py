"""Random linear bond graphs against the same equations solved without any causality."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import biela
from biela.bondgraph.simulation.numeric import Numeric
from biela.bondgraph.simulation.simulate import initial_state
from bondgraph.random_graphs import descriptor, radau, random_graph, regular


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_transfer_functions_are_those_of_the_descriptor_system(seed):
    g = random_graph(seed)
    E, F, G, names, sources = descriptor(g)
    if not regular(E, F):
        try:
            g.equations  # noqa: B018
        except biela.ModelError:
            return  # refused, as it must be
        raise AssertionError(f"seed {seed}: accepted, though its equations have no unique solution")
    system = g.linear()
    for s in (0.3 + 1.1j, 2.0 - 0.7j, 5.0j):
        direct = np.linalg.solve(s * E - F, G)
        x = np.linalg.solve(s * np.eye(len(system.A)) - system.A, system.B + s * system.B1)
        m = system._outputs
        outputs = m.C @ x + m.D + s * m.D1
        order = [sources.index(name) for name in system.sources]
        rows = [names.index(n) for n in system.outputs]
        expected = direct[rows][:, order]
        ours = np.vstack([x, outputs])
        assert np.abs(ours - expected).max(initial=0.0) < 1e-9 * max(1.0, np.abs(direct).max(initial=0.0))


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_runs_are_those_of_the_descriptor_system(seed):
    g = random_graph(seed)
    E, F, G, names, sources = descriptor(g)
    if not regular(E, F):
        return
    eq = g.equations
    rng = np.random.default_rng(seed)
    if not eq.dependent:
        g.start(**{name.split(".")[0]: float(rng.uniform(-1, 1)) for name in eq.states})
    eq = g.equations
    numeric = Numeric(eq)
    x0 = initial_state(g)
    ef = numeric.efforts_and_flows(0.0, x0)
    z = dict(zip(eq.dependent, numeric.dependent(0.0, x0), strict=True))
    start = {**dict(zip(eq.states, x0, strict=True)), **{g.network.nodes[n].state: v for n, v in z.items()}}
    y0 = np.array([start[n] for n in names if n in start] + [*ef[0], *ef[1]])
    order = [list(eq.inputs).index(name) for name in sources]
    steps, h = 100, 0.02
    direct = radau(E, F, G, y0, lambda t: np.array(numeric.inputs(t)[0], dtype=float)[order], h, steps)
    r = g.simulate(steps * h, tolerance=1e-12, samples=steps)
    assert r.ok, r.explain()
    stored = [n for n in names if n.endswith((".p", ".q"))]
    for name in stored:
        column = direct[:, names.index(name)]
        assert np.abs(np.asarray(r[name]) - column).max() < 1e-7 * max(1.0, np.abs(direct[:, : len(stored)]).max()), (
            name
        )


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_power_balances_at_every_junction(seed):
    g = random_graph(seed)
    if not regular(*descriptor(g)[:2]):
        return
    r = g.simulate(1.0, integrator="rk4", step=0.02, samples=50)
    for node in g.network.of("0", "1", "TF", "GY"):
        for what in ("power", "energy"):
            terms = [b.sign(node.name) * np.asarray(r[f"{b.name}.{what}"]) for b in node.bonds]
            size = max(1.0, max(float(np.abs(x).max()) for x in terms))
            assert np.abs(sum(terms)).max() <= 1e-12 * size, (seed, node.name, what)
