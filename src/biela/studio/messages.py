"""Messages between the server and a worker: a short JSON head and any bytes, over a pipe."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_SIZES = struct.Struct("<IQ")


def send(pipe: IO[bytes], head: dict[str, Any], body: bytes = b"") -> None:
    """Write one message."""
    text = json.dumps(head).encode()
    pipe.write(_SIZES.pack(len(text), len(body)) + text)
    if body:
        pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Read one message; None when the other side has gone."""
    sizes = _exactly(pipe, _SIZES.size)
    if sizes is None:
        return None
    head_size, body_size = _SIZES.unpack(sizes)
    head, body = _exactly(pipe, head_size), _exactly(pipe, body_size)
    if head is None or body is None:
        return None
    return json.loads(head), body


def _exactly(pipe: IO[bytes], size: int) -> bytes | None:
    parts, missing = [], size
    while missing:
        part = pipe.read(min(missing, 2**20))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
