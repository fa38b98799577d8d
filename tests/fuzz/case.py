"""One case as plain data: what kind it is, its seed, the model, and what else it needs."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from biela import BielaError, Model
from biela.model.write import to_toml

FUNCTION = "python function"
"""a law that is a Python function is kept as {FUNCTION: "an expression of t, x, v"}"""


@dataclass(frozen=True)
class Case:
    """Nothing but numbers, texts, lists and tables."""

    kind: str
    seed: int
    model: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)
    """what the kind needs besides: ways, durations, bytes of files, command lines"""

    def build(self) -> Model:
        """The model, read as a user's program would give it."""
        return Model(**with_functions(self.model))

    def rng(self) -> np.random.Generator:
        """Chance that belongs to this case."""
        return np.random.default_rng([self.seed, 17])

    def write(self, path: Path, remark: str = "") -> None:
        """A file that `./fuzz --reproduce` reads; beside it the model by itself, where it can be written."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"remark": remark, **asdict(self)}, indent=1))
        if remark and self.model:
            try:
                text = to_toml(self.build())
            except (BielaError, ValueError, TypeError):
                return  # a broken model, or one with Python functions
            lines = [f"# {line}" for line in (*remark.splitlines(), f"./fuzz --reproduce {path}")]
            path.with_suffix(".toml").write_text("\n".join(lines) + "\n\n" + text)

    @staticmethod
    def read(path: Path) -> Case:
        """What `write` wrote."""
        data = json.loads(path.read_text())
        data.pop("remark", None)
        return Case(**data)


def plain(value: Any) -> Any:
    """Arrays and tuples as lists, NumPy's numbers as Python's."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return plain(value.tolist()) if hasattr(value, "tolist") else value


def with_functions(value: Any) -> Any:
    """The same data, with Python functions where they are meant."""
    if isinstance(value, dict):
        if FUNCTION in value:
            return python_function(value[FUNCTION])
        return {k: with_functions(v) for k, v in value.items()}
    return [with_functions(v) for v in value] if isinstance(value, list) else value


def python_function(text: str) -> Any:
    """An expression of t, x and v as a Python function that biela cannot look into.

    Python reads it as biela does, but for `^` and for `if`, which is a word of its own.
    """
    code = compile(re.sub(r"\bif\(", "if_(", text).replace("^", "**"), "<law>", "eval")
    return lambda t, x=0.0, v=0.0: float(eval(code, dict(WORDS), {"t": t, "x": x, "v": v}))


def _step(x: float, a: float, low: float, b: float, high: float) -> float:
    """As in docs/model-file.md: smoothly from low at a to high at b."""
    z = min(max((x - a) / (b - a), 0.0), 1.0)
    return low + (high - low) * z**3 * (10 - 15 * z + 6 * z * z)


WORDS: dict[str, Any] = {
    "__builtins__": {}, "abs": abs, "min": min, "max": max, "sin": math.sin, "cos": math.cos, "exp": math.exp,
    "sqrt": math.sqrt, "tanh": math.tanh, "pi": math.pi, "step": _step,
    "sign": lambda x: float(x > 0) - float(x < 0), "if_": lambda c, a, b: a if c else b,
}  # fmt: skip
"""what laws are made of"""
