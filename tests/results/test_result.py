"""Results: channels by name with their units, tables, and files that give back what was written."""

import math
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import biela
from biela import Result, library
from biela.errors import BielaError
from biela.methods.registry import FORMULATIONS
from biela.results.channels.channel import Channel
from mechanisms import Recipe, build


@pytest.fixture(scope="module")
def four_bar() -> Result:
    return biela.simulate("four-bar", 0.5, samples=50)


@pytest.fixture(scope="module")
def quick_return() -> Result:
    return biela.simulate("quick-return", 0.5, samples=20)


@pytest.fixture(scope="module")
def suspension() -> Result:
    return biela.simulate("two-mass-suspension", 0.5, samples=20)


# ------------------------------------------------------------------------------------------- channels
UNITS = {
    "t": "s", "A": "m", "A.x": "m", "A.position": "m", "A.vx": "m/s", "A.velocity": "m/s", "A.ay": "m/s^2",
    "A.speed": "m/s", "crank.x": "m", "crank.angle": "rad", "crank.rate": "rad/s",
    "crank.angular_acceleration": "rad/s^2", "crank_angle": "rad", "crank_angle.rate": "rad/s",
    "crank_angle.acceleration": "rad/s^2", "A.reaction": "N", "A.reaction.x": "N", "A.reaction@coupler": "N",
    "A.reaction@coupler.y": "N", "A.reaction.norm": "N", "energy.kinetic": "J", "energy.potential": "J",
    "energy.total": "J", "energy.work": "J", "energy.error": "J", "multiplier.crank.OA": "1",
}  # fmt: skip


@pytest.mark.parametrize("name", UNITS)
def test_channels_by_name(four_bar: Result, name: str):
    channel = four_bar[name]
    assert channel.name == name and channel.unit == four_bar.unit(name) == UNITS[name]
    assert len(channel) == 51 and np.isfinite(channel).all()


@pytest.mark.parametrize(
    "name, unit",
    [
        ("motor.effort", "N*m"), ("motor.power", "W"), ("slot.reaction", "N"), ("slot.moment", "N*m"),
        ("slot.reaction.norm", "N"), ("theta", "rad"), ("violation.slot.line", "1"), ("ram.vx", "m/s"),
    ],
)  # fmt: skip
def test_channels_of_joints_and_drivers(quick_return: Result, name: str, unit: str):
    assert quick_return[name].unit == unit and np.isfinite(quick_return[name]).all()


@pytest.mark.parametrize(
    "name, unit",
    [("tyre.force", "N"), ("tyre.length", "m"), ("damper.rate", "m/s"), ("suspension.force", "N"), ("y1", "m")],
)
def test_channels_of_forces(suspension: Result, name: str, unit: str):
    assert suspension[name].unit == unit and np.isfinite(suspension[name]).all()


def test_vectors_and_their_components(four_bar: Result):
    whole = {
        "P": ("P.x", "P.y"),
        "P.velocity": ("P.vx", "P.vy"),
        "coupler.acceleration": ("coupler.ax", "coupler.ay"),
        "A.reaction": ("A.reaction.x", "A.reaction.y"),
    }
    for vector, parts in whole.items():
        assert four_bar[vector].shape == (51, 2)
        np.testing.assert_array_equal(four_bar[vector], np.column_stack([four_bar[p] for p in parts]))


def test_derivatives_belong_to_their_channels(four_bar: Result):
    """Velocities and accelerations of points, bodies and coordinates against splines through the samples."""
    from scipy.interpolate import CubicSpline

    fine = biela.simulate("four-bar", 0.5, tolerance=1e-11, samples=2000)
    t = np.asarray(fine.t)
    chains = [("P.x", "P.vx", "P.ax"), ("P.y", "P.vy", "P.ay"), ("coupler.x", "coupler.vx", "coupler.ax")]
    chains += [("rocker.angle", "rocker.rate", "rocker.angular_acceleration")]
    chains += [("crank_angle", "crank_angle.rate", "crank_angle.acceleration")]
    for chain in chains:
        for value, rate in pairwise(chain):
            slope = CubicSpline(t, fine[value])(t, 1)[10:-10]
            np.testing.assert_allclose(fine[rate][10:-10], slope, atol=2e-5 * np.abs(fine[rate]).max(), err_msg=rate)


@pytest.mark.parametrize("seed", range(6))
def test_measured_and_carried_coordinates_are_the_same(seed: int):
    """Along moving lines, between moving points: read off the points, or variables of the equations."""
    from scipy.interpolate import CubicSpline

    model = build(Recipe(size=3, coordinates=("position", "distance", "angle", "position"), seed=seed))
    options = {"formulation": "projection", "integrator": "dopri5", "tolerance": 1e-11, "samples": 400}
    natural, mixed = (biela.simulate(model, 0.2, coordinates=c, **options) for c in ("natural", "mixed"))
    assert natural.system.n < mixed.system.n
    t = np.asarray(natural.t)
    for name in model.coordinates:
        for channel in (name, f"{name}.rate", f"{name}.acceleration"):
            size = max(np.abs(mixed[channel]).max(), 1.0)
            np.testing.assert_allclose(natural[channel], mixed[channel], atol=1e-6 * size, err_msg=channel)
        for value, rate in ((name, f"{name}.rate"), (f"{name}.rate", f"{name}.acceleration")):
            slope = CubicSpline(t, natural[value])(t, 1)[5:-5]
            size = max(np.abs(natural[rate]).max(), 1.0)
            np.testing.assert_allclose(natural[rate][5:-5], slope, atol=1e-4 * size, err_msg=rate)


def test_angles_count_whole_turns(four_bar: Result):
    assert four_bar["crank.angle"][-1] > 4 * math.pi / 2
    assert np.abs(np.diff(four_bar["crank.angle"])).max() < 1
    np.testing.assert_allclose(four_bar["crank.angle"], four_bar["crank_angle"], atol=1e-9)


def test_patterns_find_channels(four_bar: Result):
    assert four_bar.channels("A.v*") == ["A.velocity", "A.vx", "A.vy"]
    assert set(four_bar.channels("energy.*")) == {
        f"energy.{x}" for x in ("kinetic", "potential", "total", "work", "error")
    }
    assert four_bar.channels("nothing*") == []
    assert len(four_bar.channels()) == len(set(four_bar.channels())) > 80


def test_an_unknown_channel_is_told_with_its_neighbours(four_bar: Result):
    with pytest.raises(KeyError) as caught:
        four_bar["crank.angel"]
    assert "no channel 'crank.angel'" in str(caught.value) and "did you mean crank.angle" in str(caught.value)
    with pytest.raises(KeyError, match=r"see channels\(\)"):
        four_bar["%%%%"]


@pytest.mark.parametrize("name", library.names())
def test_every_channel_of_every_mechanism_can_be_computed(name: str):
    result = biela.simulate(name, 0.05, samples=3)
    assert result.ok, result.explain()
    for channel in result.channels():
        values = result[channel]
        assert len(values) == len(result.t) == 4, channel
        # a point mass starting where its spring ends has a length but no direction yet
        assert np.isfinite(values).all(), channel
        assert values.unit == result.unit(channel)


# ---------------------------------------------------------------------------------------------- units
def test_other_units():
    angle = Channel.of([0.0, math.pi], "crank.angle", "rad")
    np.testing.assert_allclose(angle.to("deg"), [0, 180], rtol=1e-15)
    assert angle.to("deg").unit == "deg" and angle.to("deg").name == "crank.angle"
    np.testing.assert_allclose(Channel.of([0.25], "P.x", "m").to("mm"), [250])
    np.testing.assert_allclose(Channel.of([2 * math.pi], "crank.rate", "rad/s").to("rpm"), [60])
    np.testing.assert_allclose(Channel.of([1500.0], "A.reaction", "N").to("kN"), [1.5])


def test_a_unit_of_another_kind_is_refused(four_bar: Result):
    with pytest.raises(ValueError, match=r"P\.x is in m; it cannot be given in deg"):
        four_bar["P.x"].to("deg")
    with pytest.raises(ValueError, match="cannot be given in m"):
        four_bar["multiplier.crank.OA"].to("m")


# ----------------------------------------------------------------------------------------- judgement
def test_the_final_positions(four_bar: Result):
    assert set(four_bar.final) == {"O", "D", "A", "B", "P"}
    np.testing.assert_array_equal(four_bar.final["P"], four_bar["P"][-1])
    assert four_bar.final["D"] == [0.4, 0.0]


def test_the_quality_is_told_in_one_line(four_bar: Result):
    line = four_bar.quality()
    assert "\n" not in line and line.startswith("finished, good; energy error ")
    for word in ("|Phi|", "|Phi'|", "steps", "evaluations"):
        assert word in line
    assert "augmented + dopri8" in four_bar.method and four_bar.method in four_bar.explain()
    assert repr(four_bar).startswith("Result('four-bar', 51 samples to t = 0.5 s: finished")
    assert four_bar["violation.position"].max() < 1e-10


def test_the_monitors_are_the_largest_of_the_channels():
    """With a sample at every step, what is monitored in the loop is what the channels show."""
    r = biela.simulate("four-bar", 0.2, formulation="lagrange", integrator="rk2", step=1e-3, samples=200)
    tr = r.trajectory
    assert tr.energy_error == pytest.approx(np.abs(r["energy.error"]).max(), rel=1e-9) and tr.energy_error > 1e-6
    assert tr.violation == pytest.approx(r["violation.position"].max(), rel=1e-9) and tr.violation > 1e-9
    assert tr.rate_violation == pytest.approx(r["violation.velocity"].max(), rel=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("integrator", ["dopri5", "rk4"])
def test_looking_does_not_change_the_run(formulation: str, integrator: str):
    """One sample or thousands: the same steps, and the same end to the last digits."""
    step = {} if integrator == "dopri5" else {"step": 1e-3}
    few, many = (
        biela.simulate("four-bar", 0.5, formulation=formulation, integrator=integrator, samples=n, **step)
        for n in (1, 5000)
    )
    assert few.trajectory.steps == many.trajectory.steps
    np.testing.assert_allclose(few.q[-1], many.q[-1], atol=1e-10)
    np.testing.assert_allclose(few.a[-1], many.a[-1], rtol=1e-6)
    size = np.abs(few.trajectory.lam[-1]).max()
    np.testing.assert_allclose(few.trajectory.lam[-1], many.trajectory.lam[-1], atol=1e-6 * size)
    assert len(few.t) == 2


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "projection"])
def test_looking_does_not_hide_a_dead_point(formulation: str):
    for samples in (10, 100, 1000, 10000):
        r = biela.simulate("folding-four-bar", 0.6, formulation=formulation, integrator="dopri5", samples=samples)
        assert r.status == biela.Status.singular, f"{samples} samples: {r.explain()}"
        assert r.trajectory.stopped_at == pytest.approx(0.437522, abs=1e-3)


def test_partial_results_survive_a_stop():
    r = biela.simulate("double-four-bar", 2.0, formulation="lagrange", integrator="rk4", step=1e-3, samples=2000)
    assert not r.ok and 0.5 < r.t[-1] < 0.72
    assert len(r.t) == len(r["B0.x"]) == len(r["A0.reaction"])
    assert np.isfinite(r["B0.x"]).all() and np.isfinite(r["energy.total"]).all()
    assert r.quality().startswith("stopped at t = 0.71") and "try: " in r.explain()
    np.testing.assert_allclose(np.diff(r.t), 1e-3, atol=1e-12)


def test_a_user_function_that_fails_is_named():
    def broken(t: float, x: float, v: float) -> float:
        return 1.0 if t < 0.1 else 1 / 0

    model = biela.load("two-mass-suspension").model_copy()
    model.add_force("push", "actuator", points=("P1", "P2"), value=broken)
    r = biela.simulate(model, 1.0, integrator="rk4", step=1e-3)
    assert r.status == biela.Status.user_function
    assert "force 'push' at t = 0.1" in r.message and "ZeroDivisionError" in r.message
    assert 0.09 < r.t[-1] <= 0.1001 and np.isfinite(r["P1.y"]).all()


# ------------------------------------------------------------------------------------------- tables
NAMES = ["crank_angle", "P", "A.reaction", "energy.kinetic"]
HEADER = ["t [s]", "crank_angle [rad]", "P.x [m]", "P.y [m]", "A.reaction.x [N]", "A.reaction.y [N]",
          "energy.kinetic [J]"]  # fmt: skip


def test_a_table_has_units_and_split_vectors(four_bar: Result):
    table = four_bar.table(NAMES)
    assert list(table) == HEADER
    np.testing.assert_array_equal(table["P.y [m]"], four_bar["P.y"])
    everything = four_bar.table()
    assert next(iter(everything)) == "t [s]"
    for column in ("A.x [m]", "B.y [m]", "coupler.angle [rad]", "crank_angle [rad]", "energy.work [J]"):
        assert column in everything


def test_csv_gives_back_what_was_written(four_bar: Result, tmp_path: Path):
    path = tmp_path / "out.csv"
    four_bar.to_csv(path, NAMES)
    lines = path.read_text().splitlines()
    assert lines[0].split(",") == HEADER and len(lines) == 52
    read = np.loadtxt(path, delimiter=",", skiprows=1)
    np.testing.assert_allclose(read, np.column_stack(list(four_bar.table(NAMES).values())), rtol=1e-11, atol=1e-300)


def test_parquet_gives_back_what_was_written(four_bar: Result, tmp_path: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "out.parquet"
    four_bar.to_parquet(path, NAMES)
    read = parquet.read_table(path)
    assert read.column_names == HEADER
    for name, values in four_bar.table(NAMES).items():
        np.testing.assert_array_equal(read[name].to_numpy(), values)


def test_netcdf_gives_back_everything(quick_return: Result, tmp_path: Path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    path = tmp_path / "out.nc"
    quick_return.to_netcdf(path)
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        for name in quick_return.channels():
            np.testing.assert_array_equal(data[name].values, quick_return[name], err_msg=name)
            assert data[name].attrs["units"] == quick_return.unit(name)
        np.testing.assert_array_equal(data["t"].values, quick_return.t)
        np.testing.assert_array_equal(data["coordinates.q"].values, quick_return.q)
        np.testing.assert_array_equal(data["coordinates.qdot"].values, quick_return.v)
        np.testing.assert_array_equal(data["coordinates.qddot"].values, quick_return.a)
        np.testing.assert_array_equal(data["multipliers"].values, quick_return.multipliers)
        assert list(data["coordinate"].values) == quick_return.system.q_names
        assert list(data["row"].values) == quick_return.system.row_names
        assert data.attrs["model"] == "quick-return" and data.attrs["status"] == "finished"
        assert data.attrs["steps"] == quick_return.trajectory.steps


@pytest.mark.parametrize("write", ["to_csv", "to_parquet", "to_netcdf"])
def test_a_file_that_cannot_be_written_is_told_and_leaves_nothing(four_bar: Result, tmp_path: Path, write: str):
    with pytest.raises(BielaError, match="cannot write"):
        getattr(four_bar, write)(tmp_path / "no-such-folder" / "file")
    assert os.listdir(tmp_path) == []


def test_an_unknown_column_leaves_no_file(four_bar: Result, tmp_path: Path):
    with pytest.raises(KeyError, match="no channel 'nonsense'"):
        four_bar.to_csv(tmp_path / "out.csv", ["nonsense"])
    assert os.listdir(tmp_path) == []


# ------------------------------------------------------------------------------- redundant constraints
def test_multipliers_of_redundant_rows_are_those_of_least_norm():
    """Three parallel cranks under one coupler, with every formulation: the same multipliers, B B^+ lam = lam."""
    model = build(Recipe("redundant", size=1, seed=3))
    found = []
    for formulation in ("lagrange", "baumgarte", "augmented", "projection"):
        r = biela.simulate(model, 0.1, formulation=formulation, integrator="rk4", step=1e-3, samples=2)
        assert r.ok and any("redundant" in note for note in r.notes)
        lam = r.multipliers[-1]
        B = r.system.at(r.q[-1], r.v[-1], float(r.t[-1])).B
        np.testing.assert_allclose(B @ np.linalg.lstsq(B, lam, rcond=1e-10)[0], lam, atol=1e-8 * np.abs(lam).max())
        found.append(lam)
    for lam in found[1:]:
        np.testing.assert_allclose(lam, found[0], atol=1e-6 * np.abs(found[0]).max())
