"""There and back: simulate with known efforts, give the motion to inverse dynamics, and find the efforts again."""

import numpy as np
import pytest

import biela
from biela.results.motion import Motion
from mechanisms import build, recipe
from motors import effort_at, independent, powered
from space_mechanisms import build_space, space_recipe

SETS = ("natural", "reference-point", "relative", "mixed")
SAME = ("n-four-bar", "kinematics-003-four-bar", "steady-precession")  # as others
EVENTFUL = ("bouncing-ball", "pendulum-stop", "clutch")  # refused: tests/analysis/test_events.py
LIBRARY = [n for n in biela.library.names() if n not in ("chain", "spatial-chain", "andrews", *SAME, *EVENTFUL)]
SHORT = {"andrews": 0.01, "chain": 0.1}
PLANE = [0, 5, 6, 10, 14, 26]
SPACE = [0, 2, 18, 20]


def there_and_back(model: biela.Model, forth: str | None, back: str | None, t_end: float = 0.2) -> None:
    names = independent(model)
    loaded = powered(model, names)
    run = biela.simulate(loaded, t_end, samples=8, coordinates=forth, formulation="lagrange", tolerance=1e-12)
    assert run.ok, run.explain()
    motors = [*(d.coordinate for d in model.drivers.values()), *names]
    found = biela.inverse(model, run, motors=motors, coordinates=back)
    assert found.ok and found.system.coordinates == (back or found.system.coordinates)
    scale = max(found.scale, float(np.abs(found.efforts).max(initial=0.0)))
    for k, c in enumerate(names):
        gap = np.abs(np.asarray(found[f"{c}.effort"]) - effort_at(k, np.asarray(run.t))).max()
        assert gap < 1e-8 * scale, (c, gap, scale)
    for d in model.drivers:
        gap = np.abs(np.asarray(found[f"{d}.effort"]) - np.asarray(run[f"{d}.effort"])).max()
        assert gap < 1e-8 * scale, (d, gap, scale)
    assert found.power_error < 1e-8 * max(found.power_scale, 1e-6 * scale), found.quality()
    assert found.residual < 1e-8


@pytest.mark.parametrize("name", [*LIBRARY, *SHORT])
def test_library(name: str):
    k = len(name)
    there_and_back(biela.load(name), None, SETS[k % 4], SHORT.get(name, 0.2))


@pytest.mark.parametrize("seed", PLANE)
def test_random_mechanisms_of_the_plane(seed: int):
    there_and_back(build(recipe(seed)), SETS[seed // 2 % 4], SETS[seed % 4])


@pytest.mark.parametrize("seed", SPACE)
def test_random_mechanisms_in_space(seed: int):
    there_and_back(build_space(space_recipe(seed)), None, SETS[seed % 4])


@pytest.mark.parametrize("plane, seed", [(True, s) for s in (1, 12)] + [(False, s) for s in (2, 6)])
def test_all_coordinates_agree(plane: bool, seed: int):
    """Motion prescribed by formulas, as many as freedoms beside the drivers: efforts and power in all sets."""
    model = build(recipe(seed)) if plane else build_space(space_recipe(seed))
    start = Motion.at_start(biela.assemble(model, "natural"))
    laws = {
        c: f"({float(np.asarray(start[c])[0])!r}) + {0.05 + 0.02 * k}*sin({1.0 + 0.5 * k}*t)"
        for k, c in enumerate(independent(model))
    }
    found = [biela.inverse(model, laws, t_end=0.5, samples=4, coordinates=c) for c in SETS]
    scale = max(found[0].scale, float(np.abs(found[0].efforts).max()))
    for r in found:
        assert np.abs(r.efforts - found[0].efforts).max() < 1e-9 * scale
        assert r.residual < 1e-9 and r.power_error < 1e-9 * max(r.power_scale, 1e-9 * scale)
    assert np.abs(found[0].efforts).max() > 1e-3


def test_a_recording_of_another_shape_of_the_same_mechanism():
    """Only the motion is taken over: masses, and with them centres, may be others."""
    model = biela.load("four-bar")
    run = biela.simulate(model, 0.3, samples=20)
    heavy = biela.load("four-bar")
    coupler = heavy.bodies["coupler"].model_copy(update={"center": (0.2, 0.0), "mass": 3.0})
    heavy.bodies = {**heavy.bodies, "coupler": coupler}
    laws = {"crank_angle": (np.asarray(run.t), np.asarray(run["crank_angle"]))}
    replayed = biela.inverse(heavy, run, motors="crank_angle")
    table = {
        "t": run.t, "crank_angle": run["crank_angle"], "crank_angle.rate": run["crank_angle.rate"],
        "crank_angle.acceleration": run["crank_angle.acceleration"],
    }  # fmt: skip
    exact = biela.inverse(heavy, table)
    np.testing.assert_allclose(replayed["crank_angle.effort"], exact["crank_angle.effort"], rtol=0, atol=1e-8)
    spline = biela.inverse(heavy, laws)
    np.testing.assert_allclose(spline["crank_angle.effort"][5:-5], exact["crank_angle.effort"][5:-5], rtol=0, atol=0.3)
    assert np.abs(exact["crank_angle.effort"]).max() > 5
