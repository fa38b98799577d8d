"""Everything of a result in one self-describing netCDF file, or as an xarray Dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .table import missing, whole

if TYPE_CHECKING:
    from .motion import Motion


def dataset(result: Motion) -> Any:
    """All channels over time, the raw coordinates, and how they were made."""
    try:
        import xarray
    except ImportError:
        raise missing("xarray", "labelled data sets") from None
    variables: dict[str, Any] = {}
    for name in result.channels():
        channel = result[name]
        dims = ("t",) if channel.ndim == 1 else ("t", "axis")
        variables[name] = (dims, np.asarray(channel), {"units": channel.unit})
    system = result.system
    for label, values in (("q", result.q), ("qdot", result.v), ("qddot", result.a)):
        variables[f"coordinates.{label}"] = (("t", "coordinate"), values)
    variables["multipliers"] = (("t", "row"), result.multipliers)
    return xarray.Dataset(
        variables,
        coords={
            "t": ("t", np.asarray(result.t), {"units": "s"}),
            "axis": ["x", "y"],
            "coordinate": system.q_names,
            "row": system.row_names,
        },
        attrs={
            "model": system.name,
            "method": result.method,
            "quality": result.quality(),
            **result.facts(),
        },
    )


def write_netcdf(result: Motion, path: str | Path) -> None:
    """A netCDF 4 file, readable by xarray, MATLAB, Julia, ParaView."""
    data = dataset(result)
    try:
        import h5netcdf  # noqa: F401
    except ImportError:
        raise missing("h5netcdf", "netCDF files") from None
    whole(path, lambda file: data.to_netcdf(file, engine="h5netcdf"))
