"""A drawing of a moving mechanism, as `biela kinematics --sketch` asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import MethodError, Problem
from .writing import PICTURES, can_write

if TYPE_CHECKING:
    from ..analysis.kinematics.kinematics import KinematicResult


@dataclass(frozen=True)
class Drawing:
    """Where to, with which arrows, with the paths of which points."""

    path: Path
    vectors: list[str]
    trace: list[str]

    @staticmethod
    def asked(path: Path | None, vectors: str | None, trace: list[str] | None) -> Drawing | None:
        """Refuse what could not be drawn, before anything is computed."""
        if path is None:
            if vectors is not None or trace:
                what = "--vectors" if vectors is not None else "--trace"
                raise MethodError(Problem(f"{what} needs a drawing", cure="add --sketch FILE.png"))
            return None
        can_write(path, PICTURES)
        wanted = [v.strip() for v in (vectors or "").split(",") if v.strip()]
        if wanted:
            from ..views.scene.vectors import check_vectors

            wanted = check_vectors(wanted)
        return Drawing(path, wanted, list(trace or ()))

    def draw(self, result: KinematicResult, value: float | None) -> Path:
        """Draw it where the coordinate has a value."""
        import numpy as np

        t = None
        if value is not None:
            known = result.coordinate in result
            moved = np.asarray(result[result.coordinate] if known else result.t, dtype=float)
            if not moved.min() - 1e-9 <= value <= moved.max() + 1e-9:
                why = f"{result.coordinate} is moved from {moved.min():.6g} to {moved.max():.6g}"
                raise MethodError(Problem(f"--position {value:.6g} is not on the way", why=why, cure="give another"))
            t = float(result.t[int(np.argmin(np.abs(moved - value)))])
        result.sketch(t, self.path, vectors=self.vectors, trace=self.trace)
        return self.path
