"""The net itself: it runs, it is not blind, and what it finds is made small and can be seen again."""

import json

import numpy as np
import pytest

import biela
from biela.methods.registry import FORMULATIONS
from fuzz import checkpoints, laws, motions, outputs, starts
from fuzz.__main__ import Net, arguments, focused, main, tasks
from fuzz.case import Case, python_function
from fuzz.features import FEATURES, integral
from fuzz.finding import Tally
from fuzz.kinds import KINDS
from fuzz.shrink import shrink, without
from fuzz.workers import Answer, Task, Worker, examine, fails_alike

FEW = [["natural:lagrange+rk4", 60], ["relative:augmented+dopri5", 1e-7]]


def quick(kind: str, seed: int) -> Case:
    """A case in two ways only: what its methods compile is shared with the other tests."""
    case = KINDS[kind].draw(seed)
    return Case(case.kind, case.seed, case.model, {**case.more, "ways": FEW})


@pytest.mark.parametrize("kind", [k for k in KINDS if KINDS[k].drawn_by == "mechanisms_of"])
def test_a_case_of_each_kind_passes(kind: str):
    tally = Tally()
    assert examine(quick(kind, len(kind) % 3), tally) == []
    assert tally.counts["compared"] > 5


def test_a_case_is_the_same_for_the_same_seed_and_survives_its_file(tmp_path):
    case = KINDS["space loops"].draw(5)
    assert case == KINDS["space loops"].draw(5) and case != KINDS["space loops"].draw(6)
    case.write(tmp_path / "case.json", "why")
    assert Case.read(tmp_path / "case.json") == case
    assert (tmp_path / "case.toml").read_text().startswith("# why")
    drawn = [next(t) for t in [tasks(1, list(KINDS))] for _ in range(20)]
    assert drawn == [next(t) for t in [tasks(1, list(KINDS))] for _ in range(20)] and len({t.seed for t in drawn}) == 20


def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong sign in one formulation, of the accelerations that it gives at the start."""
    right = starts.accelerations

    def wrong(system, formulation, **options):
        a, status = right(system, formulation, **options)
        return (-a if formulation == "projection" and system.m else a), status

    monkeypatch.setattr(starts, "accelerations", wrong)


def test_a_wrong_sign_is_caught_and_made_small(monkeypatch: pytest.MonkeyPatch, tmp_path):
    case = quick("plane loops", 3)
    planted(monkeypatch)
    found = examine(case)
    assert {f.signature for f in found} >= {"accelerations: projection in natural"} and "projection" in FORMULATIONS
    finding = next(f for f in found if f.signature == "accelerations: projection in natural")
    small = shrink(focused(case, finding), fails_alike(finding.signature), seconds=20)
    assert fails_alike(finding.signature)(small)
    assert len(small.model["bodies"]) < len(case.model["bodies"]) and not small.model.get("forces")
    assert len(json.dumps(small.model)) < len(json.dumps(case.model)) / 2
    # and it is counted, written, and told at the end
    net = Net(arguments(["--out", str(tmp_path), "--kind", "plane loops"]))
    net.take(Answer(next(tasks(1, ["plane loops"])), case, found, Tally()))
    assert "accelerations: projection in natural" in net.report() and list(tmp_path.glob("*.json"))
    assert main(["--reproduce", str(next(tmp_path.glob("*natural.json")))]) == 1


def test_a_motion_that_is_off_is_caught(monkeypatch: pytest.MonkeyPatch):
    """One part in a hundred thousand of gravity, in one set of coordinates only."""
    right = motions.assembled

    def wrong(model, tally):
        systems, out = right(model, tally)
        systems["natural"].arrays.c[:] = np.asarray(systems["natural"].arrays.c) * (1 + 1e-5)
        return systems, out

    case = quick("plane open", 1)
    assert examine(case) == []
    monkeypatch.setattr(motions, "assembled", wrong)
    assert examine(case) != []


def test_taking_a_part_away_takes_along_what_speaks_of_it():
    model = {
        "ground": {"O": [0, 0]}, "points": {"A": [1, 0], "B": [2, 0]},
        "bodies": {"a": {"points": ["O", "A"]}, "b": {"points": ["A", "B"]}},
        "forces": {"f": {"point": "B", "value": [0, 1]}, "g": {"body": "b"}},
        "initial": {"velocity": {"A.y": 1.0, "B.y": 2.0}},
    }  # fmt: skip
    less = without(model, "b")
    assert less["bodies"] == {"a": {"points": ["O", "A"]}} and less["initial"]["velocity"] == {"A.y": 1.0}
    assert not less["forces"] and less["points"] == {"A": [1, 0]} and less["ground"] == {"O": [0, 0]}


def test_peers_agree_and_a_wrong_gravity_is_seen(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("pinocchio", reason="Pinocchio (the package `pin`) has no wheel for this platform")
    from fuzz import trees

    tally = Tally()
    assert examine(quick("peers", 1), tally) == []
    assert tally.counts["compared"] > 5
    right = trees.tree_of

    def wrong(data):
        recipe, loops = right(data)
        recipe.gravity = recipe.gravity * (1 + 1e-6)
        return recipe, loops

    monkeypatch.setattr(trees, "tree_of", wrong)
    assert "Pinocchio: accelerations" in {f.signature for f in examine(quick("peers", 1))}


def test_a_wrong_motion_of_a_peer_is_seen():
    pytest.importorskip("pinocchio", reason="Pinocchio (the package `pin`) has no wheel for this platform")
    from fuzz import peer_motion, trees

    case, tally = KINDS["peers"].draw(1002), Tally()
    recipe, loops = trees.tree_of(case.model)
    system = biela.assemble(case.build(), "relative")
    across = trees._planes(system, case.model)
    assert not loops and peer_motion.compare(system, recipe, across, 0.2, tally) == [] and tally.counts["runs"] == 2
    recipe.gravity = recipe.gravity * (1 + 1e-4)
    assert peer_motion.compare(system, recipe, across, 0.2, tally)


def test_wrong_energies_and_reactions_at_the_end_are_seen(monkeypatch: pytest.MonkeyPatch):
    m = biela.load("four-bar")
    truth, other = (biela.simulate(m, 0.2, coordinates=c, tolerance=1e-11) for c in ("natural", "relative"))
    known = outputs.Outputs(truth)
    assert known.unique and known.compare(other, 1e-10, Tally()) == []
    known.forces = {name: 1.001 * force for name, force in known.forces.items()}
    assert [f.signature for f in known.compare(other, 1e-10, Tally())] == ["reactions: at the end of a run"]
    monkeypatch.setattr(outputs, "energy_of_bodies", lambda *state: 1.0)
    assert [f.signature for f in known.compare(other, 1e-10, Tally())] == ["energy: kinetic"]


def test_laws_in_mechanisms():
    tally = Tally()
    for seed in (1001, 1002):  # (1000 has nothing to compare)
        assert examine(KINDS["laws in mechanisms"].draw(seed), tally) == []
    assert tally.counts["compared"] > 3


# ------------------------------------------------------------------------------------------------------------ laws
@pytest.mark.parametrize("name", FEATURES)
def test_features_are_what_biela_is_told(name: str):
    """The Python function, and the text or the table, are the same function."""
    f = FEATURES[name]("x", 0.3, 0.7, 2.0)
    for s in np.linspace(-0.5, 1.5, 38).tolist():
        told = np.interp(s, f.said["x"], f.said["y"]) if isinstance(f.said, dict) else python_function(f.said)(0.0, s)
        assert abs(told - f.of(s)) < 1e-12, s


def test_quadrature_between_the_places_is_exact():
    f = FEATURES["tent"]("t", 0.3, 0.5, 3.0)
    assert abs(integral(f.of, 0.0, 1.0, f.places) - 0.3) < 1e-14
    g = FEATURES["bump"]("t", 40.0, 40.1, 1.0)
    assert abs(integral(g.of, 0.0, 100.0, g.places) - np.sqrt(np.pi) * 0.1 / 8) < 1e-14


def law(of: str, name: str) -> Case:
    a, b = {"t": (4.0, 7.0), "x": (8.0, 14.0), "v": (0.8, 1.4)}[of]
    F = {"t": 0.3, "x": -0.05, "v": 0.04}[of]
    return Case(
        "laws", 0, {}, {"of": of, "v0": 2.0, "duration": 10.0, "features": [[name, a, b, F]], "way": "as it is"}
    )


@pytest.mark.parametrize("of, name", [("t", "bump"), ("x", "bump"), ("v", "ramp"), ("t", "ramp")])
def test_laws_are_followed_and_a_skipped_one_is_seen(of: str, name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(laws, "METHODS", laws.METHODS[:2])
    tally = Tally()
    assert examine(law(of, name), tally) == [] and tally.counts["compared"] == 2
    said = laws.models

    def skipped(case: Case):
        m = said(case)
        m.forces = {k: v for k, v in m.forces.items() if k != "f0"}
        return m

    monkeypatch.setattr(laws, "models", skipped)
    assert len(examine(law(of, name))) == 2


def test_stops_and_locks():
    tally = Tally()
    for seed in range(2):
        assert examine(KINDS["stops and locks"].draw(seed), tally) == []
    assert tally.counts["compared"] > 3


# ------------------------------------------------------------------------------------- what cannot work must say so
@pytest.mark.parametrize("kind", ["broken models", "commands"])
def test_what_is_broken_is_refused_in_words(kind: str):
    tally = Tally()
    for seed in range(8):
        assert examine(KINDS[kind].draw(seed), tally) == []
    assert tally.counts["refused"] > 2


def test_a_checkpoint_is_spoilt_in_every_way(tmp_path):
    """In every way but the sound one, the bytes are others."""

    def impatient(fraction: float, _: int) -> None:
        if fraction > 0.2:
            raise KeyboardInterrupt

    path = tmp_path / "run.npz"
    options = {"integrator": "rk4", "step": 1e-5, "samples": 3}
    biela.simulate("simple-pendulum", 1.0, progress=impatient, checkpoint=path, **options)
    data = path.read_bytes()
    for how in set(checkpoints.HOW) - {"integers"}:  # which leaves those alone that are not there
        spoilt = [checkpoints.spoilt(data, how, np.random.default_rng(k)) for k in range(3)]
        assert all((s == data) == (how == "sound") for s in spoilt), how


def test_a_process_that_dies_is_a_finding(tmp_path):
    worker = Worker(0, tmp_path)
    worker.give(Task("plane open", 1))
    worker.process.kill()
    worker.process.join()
    said = worker.answer()
    assert said is not None and said.findings[0].signature == "crash: exit code -9 (plane open)"
    assert said.case is not None and said.case.seed == 1
    worker.end()


@pytest.mark.parametrize("kind", [["--kind", "plane open"]])
def test_the_command(kind: list[str], tmp_path, capsys):
    """With processes of its own; a few runs."""
    assert main(["--runs", "8", "--seed", "3", "--workers", "1", "--out", str(tmp_path), *kind]) == 0
    out = capsys.readouterr().out
    assert "mechanism-runs, seed 3" in out and "plane open" in out and not list(tmp_path.glob("*.json"))
