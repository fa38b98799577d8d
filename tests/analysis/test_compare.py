"""Work-precision studies: what is run, against what, what failed and why, the orders, and the advice."""

import csv

import pytest

import biela
from biela import MethodError
from biela.analysis.compare.methods import all_method_specs, method_spec


def test_orders_are_those_of_the_books():
    pairs = ["augmented+rk4", "projection+rk2", "conserving", "relative:rk4", "augmented+dopri5"]
    c = biela.compare("double-pendulum", pairs, steps=[1e-2, 5e-3, 2.5e-3], tolerances=[1e-5, 1e-8], duration=1)
    assert c.ok and c.reference == "lagrange+dop853, tolerance 1e-12" and 0 <= c.reference_error < 1e-9
    for pair in pairs[:-1]:
        assert c.order(pair) == pytest.approx(method_spec(pair).order, abs=0.35), pair
    assert c.order("augmented+dopri5") is None
    loose, tight = c.of("augmented+dopri5")
    assert loose.tolerance == 1e-5 and tight.position_error < loose.position_error / 10
    assert all(r.velocity_error > r.position_error for r in c.rows)
    assert all(r.time > 0 and r.evaluations >= r.steps for r in c.rows)


def test_failures_are_rows_with_reasons(tmp_path):
    c = biela.compare("folding-four-bar", ["lagrange+rk4"], steps=[2e-3], duration=1, coordinates=["relative"],
                      integrators=["conserving", "rk4"], repeats=1)  # fmt: skip
    status = {row.pair: row.status for row in c.rows}
    assert status == {"lagrange+rk4": "singular", "relative:conserving": "refused", "relative:rk4": "finished"}
    text = c.text()
    assert "in line" in text and "does not work in relative coordinates" in text and not c.ok
    c.to_csv(tmp_path / "a.csv")
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert len(rows) == 3 and "in line" in rows[0]["message"] and rows[1]["status"] == "refused"
    c.plot(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000


def test_advice():
    pairs = ["augmented+rk4", "conserving", "projection+rk2"]
    c = biela.compare("simple-pendulum", pairs, steps=[1e-2, 1e-3], duration=1, target=1e-8)
    assert c.recommendation().startswith("Take augmented+rk4 at 0.001 s") and "no other method reaches it" in c.text()
    c.target = 1e-30
    assert c.recommendation().startswith("None reaches")
    none = biela.compare("simple-pendulum", pairs, steps=[1e-2], duration=1, reference="none")
    assert none.reference is None and "Take conserving" in none.recommendation() and "energy alone" in none.text()
    alone = biela.compare("simple-pendulum", pairs[:1], steps=[1e-2], duration=1, reference="none")
    assert alone.recommendation() == ""


def test_self_convergence():
    c = biela.compare("double-pendulum", ["conserving", "augmented+rk4"], steps=[8e-3, 4e-3], duration=1,
                      reference="self", repeats=1)  # fmt: skip
    assert "self-convergence" in c.text()
    assert c.order("conserving") == pytest.approx(2, abs=0.2) and c.order("augmented+rk4") == pytest.approx(4, abs=0.4)
    truth = biela.compare("double-pendulum", ["conserving"], steps=[8e-3], duration=1, repeats=1).rows[0]
    own = c.row("conserving", 8e-3)
    # a run against its own with 1/32 of the step misses what that one is off: 1/1024
    assert own.position_error == pytest.approx(truth.position_error, rel=2 / 256)


def test_a_reference_of_your_own():
    c = biela.compare("simple-pendulum", ["conserving"], steps=[1e-2], duration=1, reference="augmented+radau")
    assert c.reference == "augmented+radau, tolerance 1e-12"
    auto = biela.compare("simple-pendulum", ["conserving"], steps=[1e-2], duration=1)
    assert c.rows[0].position_error == pytest.approx(auto.rows[0].position_error, rel=1e-4)


@pytest.mark.parametrize("text, word", [
    ("penalty+", "is not a method"), ("+rk4", "is not a method"), (":rk4", "is not a method"),
    ("polar:rk4", "there are no coordinates"), ("penalty+rk5", "there is no integrator"), ("hht[rho", "not a method"),
    ("hht[rho=x]", "is not a setting"), ("hht[speed=1]", "is not a setting"),
])  # fmt: skip
def test_nonsense(text: str, word: str):
    with pytest.raises(MethodError, match=word):
        method_spec(text)


def test_what_is_refused_before_anything_runs():
    for arguments, word in (
        ({"pairs": ["projection+radau"]}, "cannot be combined with"),
        ({"pairs": ["relative:conserving"]}, "does not work in relative"),
        ({"pairs": ["penalty+conserving"]}, "takes no formulation"),
        ({"pairs": ["rk4[rho=0.5]"]}, "has no effect"),
        ({"integrators": ["conserving"], "coordinates": ["relative"]}, "does not work in relative"),
        ({"reference": "nonsense"}, "there is no integrator"),
        ({"repeats": 0}, "repeats"),
        ({"target": -1.0}, "target"),
    ):
        with pytest.raises(MethodError, match=word):
            biela.compare("double-pendulum", steps=[1e-3], duration=0.1, **arguments)


def test_a_duration_is_needed():
    from biela import Model

    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    with pytest.raises(MethodError, match="for how long"):
        biela.compare(m, ["augmented+rk4"])


def test_combinations():
    ways = [w.name for w in all_method_specs(["natural", "relative"], ["penalty", "augmented"], ["rk4", "hht"])]
    assert ways == ["natural:penalty+rk4", "natural:hht", "natural:augmented+rk4", "relative:penalty+rk4",
                    "relative:hht", "relative:augmented+rk4"]  # fmt: skip


def test_methods_that_hand_over_to_others_are_told(tmp_path):
    pairs = ["relative:lagrange+rk4", "natural:lagrange+rk4"]
    c = biela.compare("double-pendulum", pairs, steps=[1e-2], duration=0.1, reference="none", repeats=1)
    assert [row.ran for row in c.rows] == ["recursion in place of lagrange + rk4", "lagrange + rk4"]
    told = [line for line in c.text().splitlines() if ": run with" in line]
    assert told == ["relative:lagrange+rk4, 0.01 s: run with recursion in place of lagrange + rk4"]
    c.to_csv(tmp_path / "c.csv")
    assert "recursion in place of lagrange" in (tmp_path / "c.csv").read_text()
