"""Everything of a result in one self-describing netCDF file, or as an xarray Dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...whole import whole
from .channel import PARTS
from .table import missing

if TYPE_CHECKING:
    from ..motion import Motion


def dataset(result: Motion) -> Any:
    """All channels over time, the raw coordinates, and how they were made.

    Vectors lie along "axis" (x, y and in space z), quaternions along "quaternion" (p0 to p3). The velocities and
    accelerations lie along "coordinate", or, where quaternions make them fewer than the coordinates, along "velocity".
    """
    try:
        import xarray
    except ImportError:
        raise missing("xarray", "labelled data sets") from None
    system, channels = result.system, result.channels()
    labels: dict[str, Any] = {"axis": list(PARTS[system.resolved.dimension])}
    if any(name.endswith(".quaternion") for name in channels):
        labels["quaternion"] = list(PARTS[4])
    labels |= {"coordinate": system.q_names, "row": system.row_names}
    rates = "coordinate" if system.q_names == system.v_names else "velocity"
    labels[rates] = system.v_names
    called = {name: _apart(name, channels) for name in labels}
    vectors = {len(labels[name]): called[name] for name in ("quaternion", "axis") if name in labels}
    variables: dict[str, Any] = {}
    for name in channels:
        channel = result[name]
        dims = ("t",) if channel.ndim == 1 else ("t", vectors[channel.shape[1]])
        variables[name] = (dims, np.asarray(channel), {"units": channel.unit})
    what = {"q": "coordinates", "qdot": "velocities", "qddot": "accelerations"}
    for label, values in (("q", result.q), ("qdot", result.v), ("qddot", result.a)):
        along = called["coordinate" if label == "q" else rates]
        variables[f"coordinates.{label}"] = (("t", along), values, {"long_name": what[label]})
    variables["multipliers"] = (("t", called["row"]), result.multipliers)
    return xarray.Dataset(
        variables,
        coords={"t": ("t", np.asarray(result.t), {"units": "s"}), **{called[name]: labels[name] for name in labels}},
        attrs={
            "model": system.name,
            "method": result.method,
            "quality": result.quality(),
            **result.facts(),
        },
    )


def _apart(dimension: str, channels: list[str]) -> str:
    """A dimension's name that no point or coordinate of the model bears."""
    while dimension in channels:
        dimension += "_"
    return dimension


def write_netcdf(result: Motion, path: str | Path) -> None:
    """A netCDF 4 file, readable by xarray, MATLAB, Julia, ParaView."""
    data = dataset(result)
    try:
        import h5netcdf  # noqa: F401
    except ImportError:
        raise missing("h5netcdf", "netCDF files") from None
    whole(path, lambda file: data.to_netcdf(file, engine="h5netcdf"))
