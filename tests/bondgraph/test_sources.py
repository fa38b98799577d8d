"""Sources that pulse, switch or start late: nothing of them may fall between two steps."""

import numpy as np
import pytest

import biela.bondgraph as bg
from biela import BielaError

PULSE = {"x": [0, 4.95, 5, 5.05, 5.1], "y": [0, 0, 12, 12, 0], "interpolation": "linear"}


def circuit(source) -> bg.BondGraph:
    """A coil of 0.1 H and a resistance of 10 ohm in series: a time constant of 10 ms."""
    g = bg.BondGraph(name="rl").add("j", "1").add("V", "Se", effort=source)
    g.add("l", "I", inertia=0.1).add("r", "R", resistance=10)
    return g.bond("b1", "V", "j").bond("b2", "j", "l").bond("b3", "j", "r")


@pytest.mark.parametrize("source, most", [
    ("12*(step(t,5,0,5.001,1)-step(t,5.1,0,5.101,1))", 0.12 * (1 - np.exp(-10))),
    (PULSE, 0.1195634), ("6*(1+sign(t-5))-6*(1+sign(t-5.1))", 0.12 * (1 - np.exp(-10))),
])  # fmt: skip
def test_a_pulse_is_not_leapt_over(source, most: float):
    r = circuit(source).simulate(20.0)
    assert r.ok and float(np.abs(r["l.p"]).max()) == pytest.approx(most, rel=2e-2)


@pytest.mark.parametrize("integrator", ["auto", "radau"])
def test_what_is_switched_on_later_runs(integrator: str):
    r = circuit("6*(1+sign(t-0.1))").simulate(1.0, integrator=integrator)
    assert r.ok
    t, p = np.asarray(r.t), np.asarray(r["l.p"])
    later = t > 0.1001
    np.testing.assert_allclose(p[later], 0.12 * (1 - np.exp(-100 * (t[later] - 0.1))), atol=1e-7)
    assert np.abs(p[t < 0.0999]).max() < 1e-12


@pytest.mark.parametrize("element", [("I", {"inertia": "m"}), ("C", {"capacitance": "m"}), ("I", {"inertia": "1-m-1"})])
def test_a_zero_by_way_of_a_parameter_is_an_impossible_law(element):
    kind, law = element
    with pytest.raises(BielaError, match="impossible law"):
        g = bg.BondGraph(name="z", parameters={"m": 0.0}).add("j", "1").add("V", "Se", effort=1).add("x", kind, **law)
        g.add("r", "R", resistance=1).bond("b1", "V", "j").bond("b2", "j", "x").bond("b3", "j", "r").simulate(1.0)
