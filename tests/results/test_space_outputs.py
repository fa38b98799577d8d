"""Files of results in space: three components, quaternions, and velocities that are not as many as coordinates."""

import numpy as np
import pytest

import biela
from biela.results.channels.channel import Channel

SETS = ("natural", "reference-point", "relative", "mixed")


@pytest.fixture(scope="module", params=SETS)
def top(request):
    return biela.simulate("heavy-top", 0.05, samples=8, coordinates=request.param)


def test_the_columns_of_a_table(top):
    names = ["G.x", "G.y", "G.z", "top.p0", "top.p1", "top.p2", "top.p3"]
    units = ["m"] * 3 + ["1"] * 4
    head = [f"{name} [{unit}]" for name, unit in zip(names, units, strict=True)]
    table = top.table()
    assert list(table) == ["t [s]", *head, "energy.kinetic [J]", "energy.potential [J]", "energy.work [J]"]
    assert sum(table[f"top.p{k} [1]"] ** 2 for k in range(4)) == pytest.approx(np.ones(9))


def test_the_joints_coordinates_are_in_the_table():
    table = biela.simulate("bricard", 0.05, samples=3).table()
    assert {f"H{k}.angle [rad]" for k in range(6)} <= set(table)


def test_vectors_are_split(top):
    table = top.table(["G", "top.quaternion", "top.spin"])
    parts = [f"G.{x} [m]" for x in "xyz"] + [f"top.quaternion.p{k} [1]" for k in range(4)]
    assert list(table) == ["t [s]", *parts, *(f"top.spin.{x} [rad/s]" for x in "xyz")]
    np.testing.assert_array_equal(table["top.quaternion.p3 [1]"], top["top.p3"])
    assert list(Channel.of([1.0], "a", "m").parts()) == ["a"]


def test_bodies_without_points_have_their_centre_in_the_table():
    bodies = {"box": {"type": "box", "size": [0.1, 0.2, 0.3], "mass": 1}}
    result = biela.simulate(biela.Model(name="free", gravity=(0, 0, -9.81), bodies=bodies), 0.1, samples=4)
    assert [f"box.{x} [m]" in result.table() for x in "xyz"] == [True] * 3
    assert result.table()["box.z [m]"][-1] == pytest.approx(-0.5 * 9.81 * 0.01)


def test_csv_and_parquet(top, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    top.to_csv(tmp_path / "a.csv")
    top.to_parquet(tmp_path / "a.parquet")
    table = top.table()
    with open(tmp_path / "a.csv") as file:
        assert file.readline().strip().split(",") == list(table)
        read = np.loadtxt(file, delimiter=",")
    np.testing.assert_allclose(read, np.column_stack(list(table.values())), rtol=1e-11, atol=1e-300)
    assert parquet.read_table(tmp_path / "a.parquet").column_names == list(table)


def test_netcdf_holds_everything(top, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    top.to_netcdf(tmp_path / "a.nc")
    system = top.system
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as data:
        for name in top.channels():
            np.testing.assert_array_equal(data[name].values, top[name], err_msg=name)
        assert data["G"].dims == ("t", "axis") and list(data["axis"].values) == ["x", "y", "z"]
        assert data["top.quaternion"].dims == ("t", "quaternion")
        np.testing.assert_array_equal(data["top.quaternion"].sel(quaternion="p1"), top["top.p1"])
        np.testing.assert_array_equal(data["coordinates.q"].values, top.q)
        np.testing.assert_array_equal(data["coordinates.qdot"].values, top.v)
        np.testing.assert_array_equal(data["coordinates.qddot"].values, top.a)
        assert list(data["coordinate"].values) == system.q_names
        rates = data["coordinates.qdot"].dims[1]
        assert list(data[rates].values) == system.v_names
        assert rates == ("coordinate" if system.q_names == system.v_names else "velocity")


def test_names_that_dimensions_have_too(tmp_path):
    pytest.importorskip("h5netcdf")
    bodies = {"row": {"type": "bar", "points": ["axis", "t1"], "mass": 1}}
    points = {"ground": {"axis": (0, 0)}, "points": {"t1": (1, 0)}}
    model = biela.Model(name="odd", gravity=(0, -9.81), bodies=bodies, **points)
    model = model.model_copy()
    model.add_coordinate("coordinate", "angle", of=("axis", "t1"))
    result = biela.simulate(model, 0.1, samples=3)
    data = result.to_xarray()
    assert data["axis"].dims == ("t", "axis_") and data["coordinate"].dims == ("t",)
    assert data["coordinates.q"].dims == ("t", "coordinate_")
    result.to_netcdf(tmp_path / "a.nc")


@pytest.mark.parametrize("name, coordinates", [
    *(("two-mass-suspension", coordinates) for coordinates in SETS),
    ("four-bar", "relative"), ("quick-return", "mixed"),
])  # fmt: skip
def test_planar_files_in_all_coordinates(name, coordinates, tmp_path):
    pytest.importorskip("h5netcdf")
    result = biela.simulate(name, 0.05, samples=3, coordinates=coordinates)
    data = result.to_xarray()
    assert "quaternion" not in data.dims and data.sizes["axis"] == 2
    result.to_netcdf(tmp_path / "a.nc")
    assert all(len(column) == 4 for column in result.table().values())


@pytest.mark.parametrize("coordinates", SETS)
def test_a_motion_of_one_instant(coordinates):
    from biela.results.motion import Motion

    system = biela.assemble("puma560", coordinates)
    motion = Motion.at_start(system)
    assert motion.q.shape == (1, system.nq) and motion.v.shape == (1, system.n)
    np.testing.assert_allclose(motion["tool"][0], Motion.at_start(biela.assemble("puma560"))["tool"][0], atol=1e-9)
