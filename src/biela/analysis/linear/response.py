"""Frequency response: what comes out of a linearised mechanism for a sine that goes in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BielaError, MethodError, Problem
from ...viewing import views
from ...whole import whole


@dataclass
class Response:
    """Complex amplitudes of the outputs per unit of the inputs: G[frequency, output, input]."""

    title: str
    omega: np.ndarray
    """rad/s"""
    G: np.ndarray
    inputs: list[str]
    input_units: list[str]
    outputs: list[str]
    output_units: list[str]

    def of(self, output: str, input: str) -> np.ndarray:
        """One output over one input, complex, over the frequencies."""
        if output not in self.outputs or input not in self.inputs:
            cure = f"outputs: {', '.join(self.outputs)}; inputs: {', '.join(self.inputs)}"
            raise MethodError(Problem(f"there is no response of {output!r} to {input!r}", cure=cure))
        return self.G[:, self.outputs.index(output), self.inputs.index(input)]

    def unit(self, output: str, input: str) -> str:
        """As in "m/N"."""
        above = self.output_units[self.outputs.index(output)]
        below = self.input_units[self.inputs.index(input)]
        return f"({above})/({below})" if "/" in above or "*" in below else f"{above}/{below}"

    @property
    def magnitude(self) -> np.ndarray:
        return np.abs(self.G)

    @property
    def phase(self) -> np.ndarray:
        """Radians, unwrapped along the frequencies."""
        return np.unwrap(np.angle(self.G), axis=0)

    def plot(self, path: str | Path | None = None, theme: str = "light") -> Any:
        """A Bode plot; gives a matplotlib figure, and writes it if a path is given."""
        return views().bode(self, path, theme)


def write_matrices(data: dict[str, Any], path: Path) -> None:
    """Matrices and names as .json, .npz or .mat, whole or not at all."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        import json

        plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in data.items()}
        whole(path, lambda file: file.write_text(json.dumps(plain, indent=1, allow_nan=False) + "\n", encoding="utf-8"))
    elif suffix == ".npz":
        arrays = {k: v if isinstance(v, np.ndarray) else np.array(v, dtype=str) for k, v in data.items()}

        def write(file: Path) -> None:
            with open(file, "wb") as out:
                np.savez(out, allow_pickle=False, **arrays)

        whole(path, write)
    elif suffix == ".mat":
        from scipy.io import savemat

        cells = {k: v if isinstance(v, np.ndarray) else np.array(v, dtype=object) for k, v in data.items()}
        whole(path, lambda file: savemat(file, cells, appendmat=False))
    else:
        cure = "end its name in .json, .npz or .mat"
        raise BielaError(Problem(f"cannot tell the format of {str(path)!r}", cure=cure))
