"""Who may ask something of the studio: this page, on this machine, with the token, and not too much at once.

The token keeps out other users and other pages; the host keeps out names that were made to point here (DNS
rebinding); the origin keeps out pages of other sites that would have the browser ask for them.
"""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Protocol

LARGEST = 8 * 2**20
"""bytes of a request: a model of that size has some hundred thousand lines"""
NAMES = ("127.0.0.1", "localhost", "[::1]")


class Headers(Protocol):
    """What is asked of a request's headers."""

    def get(self, name: str, /) -> str | None: ...


class Refusal(Exception):
    """A request that is not answered: its HTTP status and why."""

    def __init__(self, status: int, why: str):
        super().__init__(why)
        self.status, self.why = status, why


def new_token() -> str:
    """A token that nobody guesses (256 bits), fit for a path.

    >>> len(new_token()), new_token() == new_token()
    (43, False)
    """
    return secrets.token_urlsafe(32)


def admit(path: str, headers: Headers, token: str, port: int) -> str:
    """The path behind the token, or a refusal.

    >>> admit("/secret/api/run?x=1", {"Host": "127.0.0.1:80"}, "secret", 80)
    'api/run'
    >>> admit("/secret/", {"Host": "evil.example:80"}, "secret", 80)
    Traceback (most recent call last):
    biela.studio.request_guard.Refusal: this studio answers to 127.0.0.1:80 only
    """
    hosts = [f"{name}:{port}" for name in NAMES]
    if (headers.get("Host") or "").lower() not in hosts:
        raise Refusal(403, f"this studio answers to {hosts[0]} only")
    origin = headers.get("Origin")
    if origin is not None and origin.lower() not in [f"http://{host}" for host in hosts]:
        raise Refusal(403, "this request comes from another page")
    if (headers.get("Sec-Fetch-Site") or "none") not in ("none", "same-origin"):
        raise Refusal(403, "this request comes from another page")
    asked, _, rest = path.partition("?")[0].lstrip("/").partition("/")
    if not compare_digest(asked.encode("utf-8", "replace"), token.encode()):
        raise Refusal(403, "the token is missing or wrong: open the address that `biela studio` printed")
    return rest


def body_size(headers: Headers) -> int:
    """Bytes of a request's body, which must be JSON (what a form of another page cannot send) and not too long.

    >>> body_size({"Content-Length": "12", "Content-Type": "application/json"})
    12
    """
    if headers.get("Transfer-Encoding"):
        raise Refusal(411, "say how long the request is (Content-Length)")
    text = headers.get("Content-Length") or ""
    if not text.isascii() or not text.isdigit():
        raise Refusal(411, "say how long the request is (Content-Length)")
    if len(text) > 15 or int(text) > LARGEST:
        raise Refusal(413, f"more than {LARGEST // 2**20} MB in one request")
    if (headers.get("Content-Type") or "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "requests are JSON")
    return int(text)
