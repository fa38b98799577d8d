"""What a worker can be asked to do; each job is a function of its request and of who watches it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..worker import Watch


@dataclass(frozen=True)
class Answer:
    """What a job gives: bytes, and what is to be told about them."""

    body: bytes
    head: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(data: Any) -> Answer:
        """Numbers, texts, lists and tables as JSON; what is not finite is null."""
        return Answer(json.dumps(plain(data), allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode())


def plain(data: Any) -> Any:
    """Only what JSON has.

    >>> plain({"P": (1.0, float("inf"))})
    {'P': [1.0, None]}
    """
    if isinstance(data, dict):
        return {str(k): plain(v) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [plain(v) for v in data]
    if data is None or type(data) in (bool, str, int):
        return data
    if hasattr(data, "tolist"):
        return plain(data.tolist())
    if isinstance(data, float):
        return data if data == data and abs(data) != float("inf") else None
    return str(data)


def _job(module: str, name: str) -> Callable[[bytes, Watch], Answer]:
    """A function of a request and of who watches it; its file is loaded with the first request."""

    def run(body: bytes, watch: Watch) -> Answer:
        request = json.loads(body)
        out = getattr(import_module(f".{module}", __package__), name)(request, watch)
        return out if isinstance(out, Answer) else Answer.of(out)

    return run


JOBS: dict[str, Callable[[bytes, Watch], Answer]] = {
    "check": _job("checking", "check"),
    "full_check": _job("checking", "full_check"),
    "run": _job("running", "run"),
    "compare": _job("running", "compare"),
    "drag": _job("dragging", "drag"),
    "number": _job("model_text", "number"),
    "set": _job("model_text", "set_values"),
    "export": _job("exporting", "export"),
}
"""by the name in the address of a request"""
