"""The verdict on a run judges what the user gets: steps and samples, energy, constraints, steps that were too long."""

import math

import numpy as np
import pytest
from typer.testing import CliRunner

import biela
from biela import Model
from biela.cli.app import app
from biela.results.quality.verdict import BAD, DOUBTFUL, GOOD
from loops import bennett
from mechanisms import build, recipe

ADAPTIVE = [
    ("dopri5", {}), ("dopri8", {}), ("rk4", {"adaptive": True}), ("gauss", {"adaptive": True}),
    ("generalized-alpha", {"adaptive": True, "tolerance": 1e-4}), ("dop853", {}), ("radau", {}),
]  # fmt: skip


def pushed(law) -> Model:
    m = Model(name="pushed", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    m.add_force("f", "force", point="P", value=[law, 0])
    return m


@pytest.mark.parametrize("integrator, options", ADAPTIVE, ids=[name for name, _ in ADAPTIVE])
@pytest.mark.parametrize("name", ["slider-crank"])
def test_the_line_is_not_better_than_the_channel(name, integrator, options):
    r = biela.simulate(name, 1.0, integrator=integrator, samples=400, **{"tolerance": 1e-6, **options})
    assert r.trajectory.energy_error >= 0.999 * np.abs(r["energy.error"]).max()
    assert r.trajectory.violation >= 0.999 * r["violation.position"].max()


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
@pytest.mark.parametrize("name", ["double-pendulum", "four-bar", "slider-crank"])
def test_samples_are_as_good_as_steps(name, integrator):
    """Two samples see the steps alone (the start and the end); many see what lies between."""
    few, many = (
        biela.simulate(name, 1.0, integrator=integrator, tolerance=1e-7, samples=n).trajectory.energy_error
        for n in (1, 1000)
    )
    assert many <= 4 * few


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8"])
def test_samples_lie_on_the_motion(integrator):
    """A mass on a spring, against the closed form, at every sample."""
    m = Model(name="spring", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1.5, 0).add_mass("p", "P", 1.0)
    m.add_force("k", "spring", points=("O", "P"), stiffness=40.0, free=1.0)
    r = biela.simulate(m, 3.0, integrator=integrator, tolerance=1e-8)
    w = math.sqrt(40.0)
    assert np.abs(r["P.x"] - (1 + 0.5 * np.cos(w * np.asarray(r.t)))).max() < 3e-7
    assert np.abs(r["P.vx"] + 0.5 * w * np.sin(w * np.asarray(r.t))).max() < 3e-6
    assert r.verdict.grade == GOOD and r.verdict.error < 1e-4


def test_the_work_at_samples_is_that_of_the_forces():
    r = biela.simulate(pushed("3*cos(5*t)"), 2.0, integrator="dopri5", tolerance=1e-9)
    v = 0.6 * np.sin(5 * np.asarray(r.t))
    assert np.abs(np.asarray(r["energy.work"]) - 0.5 * v**2).max() < 1e-8


def test_a_force_that_only_samples_see_is_told():
    """A bump of 1 J on the way, in a Python function, which biela cannot look into; there is a sample each 0.1 s."""
    m = Model(name="passing", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    bump = lambda t, x, v: math.exp(-(((x - 50.3) / 0.2) ** 2) / 2) / (0.2 * math.sqrt(2 * math.pi))  # noqa: E731
    m.add_force("f", "actuator", points=("O", "P"), value=bump).start(velocity={"P.x": 1.0, "P.y": 0})
    r = biela.simulate(m, 100.0, integrator="dopri5")
    seen = abs(r["P.vx"][-1] - math.sqrt(3)) < 1e-3
    assert seen == (r.verdict.grade == GOOD), r.verdict
    if not seen:
        missed = next(e for e in r.verdict.evidence if e.name == "missed")
        assert missed.grade == BAD and "t = 49." in missed.reason, missed.reason


def test_lost_energy_is_never_finished_alone():
    r = biela.simulate("double-pendulum", 2.0, integrator="euler", step=5e-3)
    assert r.finished and not r.ok and r.verdict.grade == BAD
    assert "bad" in r.quality() and "lost or gained" in r.quality() and "try: step=" in r.explain()
    assert any("do not trust" in note for note in r.notes)
    better = biela.simulate("double-pendulum", 2.0, integrator="rk4", step=1e-3)
    assert better.ok and better.verdict.grade == GOOD and better.verdict.error < 1e-4


@pytest.mark.parametrize("integrator", ["rk2", "rk4", "trapezoidal", "gauss", "abm4", "conserving", "newmark"])
@pytest.mark.parametrize("step", [2e-2, 1e-3])
def test_good_fixed_steps_are_right_within_ten_times_what_they_state(integrator, step):
    r = biela.simulate("double-pendulum", 1.0, integrator=integrator, step=step)
    right = biela.simulate("double-pendulum", 1.0, tolerance=1e-11)
    off = max(
        np.abs(r[f"P{k}"][-1] - right[f"P{k}"][-1]).max() / np.ptp(right[f"P{k}"], axis=0).max() for k in (1, 2)
    )
    assert r.verdict.grade != GOOD or off <= 10 * r.verdict.error
    steps = next(e for e in r.verdict.evidence if e.name == "steps")
    assert off / 30 < steps.share < 100 * off + 1e-12


@pytest.mark.parametrize("formulation", ["augmented", "lagrange", "baumgarte", "projection"])
@pytest.mark.parametrize("integrator, step", [("rk4", 2e-3), ("rk2", 5e-4), ("trapezoidal", 5e-4), ("abm4", 2e-3)])
def test_redundant_loops_in_relative_coordinates_keep_their_energy(formulation, integrator, step):
    r = biela.simulate(bennett(), 2.0, coordinates="relative", formulation=formulation, integrator=integrator,
                       step=step)  # fmt: skip
    assert r.ok and r.trajectory.energy_error < 1e-3 * r.energy_scale, r.explain()


def test_penalty_tells_its_own_error():
    soft, firm = (
        biela.simulate("double-pendulum", 1.0, formulation="penalty", alpha=alpha, tolerance=1e-9)
        for alpha in (1e3, 1e8)
    )
    right = biela.simulate("double-pendulum", 1.0, tolerance=1e-10)
    for r in (soft, firm):
        told = next(e for e in r.verdict.evidence if e.name == "penalty")
        off = np.abs(r["P2"] - right["P2"]).max() / 2.0
        assert off < 10 * max(told.share, r.verdict.error), (off, r.verdict)
    assert soft.verdict.grade in (DOUBTFUL, BAD) and "penalty" in soft.verdict.reason


@pytest.mark.parametrize("integrator", ["dopri5", "dopri8", "rk4", "gauss"])
@pytest.mark.parametrize("seed", [0, 13, 18])
def test_what_stands_still_without_forces_is_good(seed, integrator):
    """Its velocities and energies are rounding, all of them, and so are their errors: none is measured by another."""
    options = {"step": 1e-2} if integrator in ("rk4", "gauss") else {"tolerance": 1e-9}
    r = biela.simulate(build(recipe(seed)), 0.3, coordinates="natural", formulation="augmented", integrator=integrator,
                       samples=4, **options)  # fmt: skip
    assert np.abs(r.v).max() < 1e-12
    assert r.ok and r.verdict.grade == GOOD and r.verdict.error < 1e-6, r.verdict
    assert not any("trust" in note for note in r.notes), r.notes


@pytest.mark.parametrize("integrator", ["gauss", "generalized-alpha", "conserving"])
def test_long_implicit_steps_are_not_condemned_by_an_explicit_method(integrator):
    """A mass on a spring of 1e4 rad/s: Runge's method runs away with steps of 0.5 ms, and is no judge of right ones."""
    m = Model(name="stiff", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    m.add_force("k", "spring", points=("O", "P"), stiffness=1e8, free=1)
    r = biela.simulate(m, 0.5, integrator=integrator, step=1e-3)
    rod = Model(name="rod", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    rod.add_rod("k", "O", "P")
    right = biela.simulate(rod, 0.5, tolerance=1e-10)
    assert np.abs(r["P"][-1] - right["P"][-1]).max() < 1e-4
    assert r.ok and r.verdict.grade == DOUBTFUL and r.verdict.error < 1e-2, r.verdict
    assert r.finer_difference is None


def locked(push: bool) -> Model:
    m = Model(name="locked", gravity=(0, -9.81 if push else 0.0)).add_ground("O", 0, 0)
    m.add_point("A", 0.5, 0).add_point("B", 1, 0).add_bar("one", "O", "A", mass=1).add_bar("two", "A", "B", mass=1)
    m.add_lock("weld", hold="two.angle - one.angle")
    m.start(velocity={"one.angle": 1, "two.angle": 1})
    if push:
        m.add_force("push", "moment", body="one", value="sin(t)")
    return m


@pytest.mark.parametrize("push", [True, False])
def test_a_lock_that_is_closed_throughout_gives_no_alarm(push):
    r = biela.simulate(locked(push), 5.0)
    assert r.ok and not any("trust" in note for note in r.notes), r.explain()
    assert r.trajectory.energy_error < 1e-5 * r.energy_scale and r.verdict.grade == GOOD, r.verdict
    if not push:
        assert np.abs(r["one.rate"] - 1.0).max() < 1e-7


def test_the_method_says_what_ran():
    redundant = biela.simulate(bennett(), 0.5, coordinates="natural", formulation="augmented", integrator="dopri8")
    lower = redundant.trajectory.seen.lower
    assert ("dopri5" in redundant.method) == (lower > 0)
    if lower == redundant.trajectory.steps:
        assert "dopri5 in place of dopri8" in redundant.method
        assert "as asked" not in redundant.method and "dopri5 where rows are redundant" in redundant.reason
    for options in ({"formulation": "lagrange"}, {"formulation": "lagrange", "integrator": "rk4"}, {}):
        chain = biela.simulate("double-pendulum", 0.1, coordinates="relative", **options)
        assert f"recursion in place of {options.get('formulation', 'augmented')} + " in chain.method
        assert "as asked" not in chain.reason and "augmented" not in chain.reason
        assert "the recursion because an open tree has no constraints" in chain.reason
    assert biela.simulate("four-bar", 0.1, formulation="lagrange", integrator="rk4").reason == "as asked"
    assert "augmented + dopri8," in biela.simulate("four-bar", 0.1).method


def test_the_command_line_shows_the_verdict_and_its_exit_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*options: str):
        return CliRunner().invoke(app, ["run", "double-pendulum", "--duration", "2", *options])

    good, bad = run(), run("--integrator", "euler", "--step", "5e-3")
    assert good.exit_code == 0 and "verdict              good: " in good.stdout and "\x1b" not in good.stdout
    assert bad.exit_code == 1 and "verdict              bad: " in bad.stdout and "try: step=" in bad.stdout


@pytest.mark.parametrize("integrator", ["conserving", "rk4", "newmark", "gauss"])
@pytest.mark.parametrize("law", ["tan(t)", "1/(t - 0.99951)", "1e4*exp(-((t - 1.23456)*1e4)^2)"])
def test_fixed_steps_across_a_pole_or_a_peak_are_never_good(law, integrator):
    """Between two samples only: a method that balances the energy of its steps sees nothing of it."""
    model = biela.Model(name="m", gravity=(0, 0)).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    model.add_force("f", "force", point="P", value=[law, 0])
    r = biela.simulate(model, 5.0, integrator=integrator, step=1e-3)
    assert r.verdict.grade != GOOD, r.verdict


@pytest.mark.parametrize("alpha", [1e3, 1e4, 1e5, 1e6, None])
@pytest.mark.parametrize(("name", "duration"), [("double-pendulum", 5.0), ("four-bar", 2.0), ("simple-pendulum", 10.0)])
def test_what_penalty_states_is_the_error_of_the_motion(name, duration, alpha):
    """The error it states is that of the motion, within ten times, and none that is off is called good."""
    truth = biela.simulate(name, duration, tolerance=1e-12)
    r = biela.simulate(name, duration, formulation="penalty", **({"alpha": alpha} if alpha else {}))
    points = [f"{point}.x" for point in r.final]
    off = max(float(np.abs(r[p] - truth[p]).max()) for p in points) / max(float(np.ptp(truth[p])) for p in points)
    assert off < 10 * r.verdict.error, (off, r.verdict)
    assert r.verdict.grade != GOOD or off < 1e-3, (off, r.verdict)


@pytest.mark.parametrize("integrator", ["rk4", "gauss", "abm4", "hht"])
def test_what_happens_at_the_very_start_is_looked_at_too(integrator: str):
    """A push within the first tenth of the run, and nothing after it: all the error is in the first part."""
    m = biela.Model(name="push", gravity=(0, 0)).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    m.add_force("f", "force", point="P", value=["100*exp(-(t/0.02)^2)", 0]).start(velocity={"P.x": 0.1})
    r = biela.simulate(m, 1.0, integrator=integrator, step=0.02, samples=10)
    exact = 0.1 + 100 * 0.02 * np.sqrt(np.pi) / 2
    off = abs(float(r["P.vx"][-1]) - exact) / exact
    assert r.ok and off > 1e-7
    assert off < 10 * r.verdict.error


def test_accelerations_of_index_3_that_ring_are_told():
    """Newmark's method without damping: positions and velocities converge, accelerations do not.   [D.20]"""
    r = biela.simulate("heavy-top", 1.0, coordinates="natural", integrator="newmark", step=1e-3)
    exact = biela.simulate("heavy-top", 1.0, coordinates="natural", tolerance=1e-11)
    share = {e.name: e.share for e in r.verdict.evidence}["accelerations"]
    off = np.abs(np.asarray(r.a)[-1] - np.asarray(exact.a)[-1]).max() / np.abs(np.asarray(exact.a)).max()
    assert share > 0.1 * off
    cured = biela.simulate("heavy-top", 1.0, coordinates="natural", integrator="ali3", step=1e-3)
    assert {e.name: e.share for e in cured.verdict.evidence}["accelerations"] < 1e-6


def test_accelerations_that_tremble_on_a_penalty_are_told() -> None:
    """They are compared with those of joints that do not give way, at the same positions and velocities."""
    options = {"formulation": "penalty", "integrator": "dop853", "tolerance": 1e-5, "coordinates": "natural"}
    r = biela.simulate("four-bar", 0.5, samples=50, **options)
    told = next(e for e in r.verdict.evidence if e.name == "accelerations")
    exact = biela.assemble("four-bar", "natural")
    off, most = 0.0, 0.0
    for q, v, a, t in zip(r.q, r.v, r.a, r.t):
        at = exact.at(q, v, float(t))
        m = len(at.Phi)
        whole = np.block([[at.M, at.B.T], [at.B, np.zeros((m, m))]])
        truth = np.linalg.lstsq(whole, np.concatenate([at.Q, at.gamma]), rcond=1e-12)[0][: exact.n]
        most = max(most, float(np.abs(truth / exact.unit).max()))
        off = max(off, float(np.abs((truth - a) / exact.unit).max()))
    assert 0.1 * off / most < told.share < 10 * off / most
