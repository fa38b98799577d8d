"""What cannot work is told with the names of the bonds and elements."""

import numpy as np
import pytest

import biela
import biela.bondgraph as bg


def refused(g, *words):
    with pytest.raises(biela.BielaError) as caught:
        g.simulate(0.1)
    text = str(caught.value)
    for word in words:
        assert word in text, f"{word!r} is not in\n{text}"
    return text


def oscillator(**data):
    g = bg.BondGraph(name="g", **data)
    g.add("m", "I", inertia=1).add("k", "C", stiffness=1).add("v", "1")
    return g.bond("b1", "v", "m").bond("b2", "v", "k")


def test_causal_conflict_of_two_sources():
    g = (
        bg.BondGraph(name="g")
        .add("j", "0")
        .add("s1", "Se", effort=1)
        .add("s2", "Se", effort=2)
        .add("r", "R", resistance=1)
    )
    g.bond("b1", "s1", "j").bond("b2", "s2", "j").bond("b3", "j", "r")
    refused(g, "causal conflict", "'s1' and 's2'", "bond 'b2'", "Se 's1' settles bonds b1, b3, b2")


def test_causal_conflict_through_a_transformer():
    g = bg.BondGraph(name="g").add("s1", "Sf", flow=1).add("x", "TF", modulus=2).add("s2", "Sf", flow=2)
    g.bond("b1", "s1", "x").bond("b2", "x", "s2")
    refused(g, "causal conflict", "b2")


def test_derivative_causality_of_a_law_that_cannot_be_turned_round():
    g = bg.BondGraph(name="g").add("j", "0").add("s", "Se", effort="sin(t)").add("c", "C", effort="q + q^3")
    g.bond("b1", "s", "j").bond("b2", "j", "c")
    refused(g, "bond 'b2'", "C 'c'", "derivative causality", "cannot be inverted", "displacement")


def test_two_laws_that_are_each_others_inverse_can_be_turned_round():
    g = bg.BondGraph(name="g").add("j", "0").add("s", "Se", effort="1 + 0.3*t")
    g.add("c", "C", effort="q^3", displacement="sign(e)*abs(e)^(1/3)").bond("b1", "s", "j").bond("b2", "j", "c")
    r = g.simulate(1.0, samples=10, integrator="rk4", step=0.1)
    assert np.abs(np.asarray(r["c.q"]) - np.cbrt(1 + 0.3 * np.asarray(r.t))).max() < 1e-12


def test_two_laws_that_contradict_each_other():
    g = oscillator()
    g.elements = {**g.elements, "k": {"type": "C", "effort": "2*q", "displacement": "e/3"}}
    refused(g, "'k'", "'b2'", "contradict")


def test_all_loose_ends_in_one_report():
    g = (
        bg.BondGraph(name="g")
        .add("m", "I", inertia=1)
        .add("v", "1")
        .add("x", "TF", modulus=1)
        .add("r", "R", resistance=1)
    )
    g.bond("b1", "v", "m").bond("b2", "v", "nowhere").bond("b3", "r", "v").bond("b4", "v", "x")
    text = refused(g, "bond 'b2' leads to 'nowhere'", "a port of TF 'x' is not connected", "half-arrow of bond 'b3'",
                   'write b3 = ["v", "r"]')  # fmt: skip
    assert "3 problems" in text


def test_ports():
    refused(oscillator().add("c", "C", stiffness=1), "the port of C 'c' is not connected")
    refused(oscillator().add("j", "0").bond("b3", "j", "m"), "I 'm' has more bonds than ports", "'b1', 'b3'")
    refused(oscillator().add("j", "0").bond("b3", "v", "j"), "junction 0 'j' joins nothing", "'b3'")
    g = oscillator().add("x", "TF", modulus=2).add("j", "1").add("r", "R", resistance=1)
    g.bond("b3", "v", "x").bond("b4", "j", "x").bond("b5", "j", "r")
    refused(g, "half-arrows do not pass through TF 'x'", "'b3', 'b4' both come in", "reverse bond 'b4'")
    refused(oscillator().bond("b3", "v", "v"), "bond 'b3' joins 'v' to itself")


@pytest.mark.parametrize(
    "element, words",
    [
        ({"type": "I", "inertia": 0}, ("inertia of I 'z' on bond 'b3' is 0", "> 0")),
        ({"type": "I", "inertia": -2}, ("inertia of I 'z' on bond 'b3' is -2",)),
        ({"type": "R", "resistance": "a - a"}, ("resistance of R 'z' on bond 'b3' is 0",)),
        ({"type": "C"}, ("C 'z' on bond 'b3' has no law", "stiffness, capacitance")),
        ({"type": "C", "stiffness": 1, "effort": "q"}, ("more than one law",)),
        ({"type": "C", "effort": "3"}, ("does not depend on q",)),
        ({"type": "C", "effort": "k0*q"}, ("unknown name 'k0'", "elements.z.effort")),
        ({"type": "C", "effort": "q +"}, ("cannot be read", "elements.z.effort")),
        ({"type": "R", "resistance": "1/0"}, ("elements.z.resistance",)),
        ({"type": "I", "momentum": "f^3"}, ("does not say its flow",)),
        ({"type": "R", "resistance": "2 parsecs"}, ("cannot be understood", "parsecs")),
    ],
)
def test_impossible_laws(element, words):
    g = oscillator(parameters={"a": 1})
    g.elements = {**g.elements, "z": element}
    refused(g.bond("b3", "v", "z"), *words)


def test_units_of_another_domain():
    g = oscillator(domain="translation")
    g.elements = {**g.elements, "m": {"type": "I", "inertia": "3 V"}}
    refused(g, "the unit of '3 V' does not fit", "elements.m.inertia")
    g = oscillator(parameters={"mass": "3 kg", "c": "2 N*s/m"}, domain="translation")
    g.elements = {**g.elements, "m": {"type": "I", "inertia": "c"}}
    refused(g, "the unit of 'c' does not fit")


def test_two_domains_on_one_bond():
    g = bg.BondGraph(name="g").add("s", "Se", effort=1, domain="electric").add("j", "1")
    g.add("m", "I", inertia=1, domain="rotation").bond("b1", "s", "j").bond("b2", "j", "m")
    refused(g, "joins two domains", "electric", "rotation")


def test_a_loop_without_a_solution():
    g = bg.BondGraph(name="g").add("j", "1").add("r1", "R", resistance=1).add("r2", "R", resistance=-1)
    g.bond("b1", "j", "r1").bond("b2", "j", "r2")
    refused(g, "algebraic loop", "'b1'", "'b2'", "no unique solution")


def test_initial_values():
    refused(oscillator().start(v=1), "'v' stores nothing", "initial.v")
    g = bg.load("rack")
    refused(g.start(wheel=1.0, rack=1.0), "contradicts", "'rack'", "6 follows")
    g = bg.load("rack").start(wheel=1.0, rack=6.0)
    assert g.simulate(0.1).ok


@pytest.mark.parametrize(
    "text, words",
    [
        ("", ("empty",)),
        ("[bodies.a]\nmass = 1", ("describes a mechanism", "--mechanism")),
        ("[elements.m\n", ("not a TOML file",)),
        ('[elements.m]\ntype = "I"\ninertai = 2', ("unknown key 'inertai'", "did you mean 'inertia'", "line 3")),
        ('[elements.m]\ntype = "Q"', ("unknown type 'Q'",)),
        ("[elements.m]\ninertia = 2", ("'type' is missing",)),
        ('[elements.m]\ntype = "Se"', ("'effort' is missing", "elements.m")),
        ('[bonds]\nb1 = ["a"]', ("bonds.b1", "line 2")),
        ('[bonds]\n"b-1" = ["a", "b"]', ("cannot be a name",)),
        ("colour = 3", ("unknown key 'colour'",)),
    ],
)
def test_mistakes_in_files(text, words):
    with pytest.raises(biela.ModelError) as caught:
        bg.load_text(text)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_requests_that_cannot_work():
    g = bg.load("mass-spring-damper")
    for options, word in [
        ({"t_end": -1}, "not possible"),
        ({"t_end": "2 m"}, "not a time"),
        ({"step": 5}, "longer than the run"),
        ({"integrator": "rk5"}, "rk5"),
        ({"integrator": "rk4", "tolerance": 1e-8}, "no effect"),
        ({"integrator": "trapezoidal", "tolerance": 1e-8}, "no effect"),
        ({"samples": 0}, "samples"),
    ]:
        with pytest.raises(biela.MethodError, match=word):
            g.simulate(**options)
    with pytest.raises(biela.MethodError, match="weight"):
        g.linear().transfer_function("weigth", "spring.q")
    with pytest.raises(biela.ModelError, match="no parameter"):
        g.with_parameters(mu=1)
    with pytest.raises(KeyError, match=r"spring\.q"):
        g.simulate(0.1)["sprng.q"]


def test_a_run_that_blows_up_keeps_what_it_has():
    g = bg.BondGraph(name="g", parameters={"a": 1}).add("j", "0").add("c", "C", stiffness=1)
    g.add("r", "R", flow="-e^2").bond("b1", "j", "c").bond("b2", "j", "r").start(c=1)
    r = g.simulate(2.0, integrator="rk4", step=0.01)  # q' = q^2: 1/(1 - t)
    assert not r.ok and 0.9 < float(r.t[-1]) < 1.1 and np.isfinite(r.x).all()
    assert r.status.sentence in r.explain()
    inside = np.asarray(r.t) < 0.9
    assert np.abs(np.asarray(r["c.q"])[inside] * (1 - np.asarray(r.t)[inside]) - 1).max() < 1e-6


def test_a_source_whose_rate_is_needed_must_be_a_formula():
    g = bg.BondGraph(name="g").add("j", "0").add("s", "Se", effort=lambda t: t).add("c", "C", stiffness=1)
    g.bond("b1", "s", "j").bond("b2", "j", "c")
    refused(g, "rate of source 's'", "'b1'")


@pytest.mark.parametrize("integrator", ["rk4", "trapezoidal", "dop853"])
def test_an_interrupted_run_keeps_what_it_has(integrator):
    def stop(fraction, steps):
        if fraction > 0.3:
            raise KeyboardInterrupt

    r = bg.load("duffing").simulate(50.0, integrator=integrator, step=0.02, progress=stop)
    assert r.status.name == "interrupted" and not r.ok and 10 < float(r.t[-1]) < 30
    assert np.isfinite(np.asarray(r["energy.error"])).all()
