"""The studio's server: this machine only, the standard library only."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic
from typing import Any

from ..errors import BielaError, Problem, reason_of
from .assets import ASSETS, asset, menus
from .folder import Changed, Folder
from .jobs import JOBS
from .problems import told_problems
from .request_guard import Refusal, admit, body_size, new_token
from .worker_pool import WorkerPool

PORT = 8137
"""tried first: a page keeps its drafts under its address"""
LIMITS = {"live": 3.0, "run": 600.0, "most": 86400.0}
"""seconds of computing: while a slider moves, by default, and the most that can be asked for"""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


class Studio(ThreadingHTTPServer):
    """A server for one folder of model files, and the page at `address`.

    >>> studio = Studio(Path("."), port=0)
    >>> studio.address.startswith("http://127.0.0.1:")
    True
    >>> studio.close()
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, folder: Path, file: str | None = None, port: int | None = None):
        self.folder, self.first = Folder(folder), file
        self.token, self.serving = new_token(), False
        try:
            super().__init__(("127.0.0.1", PORT if port is None else port), Handler)
        except OSError as error:
            if port is not None:
                why = reason_of(error)
                cure = "leave --port out, or choose another"
                raise BielaError(Problem(f"port {port} cannot be used", why=why, cure=cure)) from None
            super().__init__(("127.0.0.1", 0), Handler)
        self.port = self.server_address[1]
        self.workers = WorkerPool()
        threading.Thread(target=menus, daemon=True).start()  # the registries take a second to load

    @property
    def address(self) -> str:
        """Where the page is; the token is part of it."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    def start(self) -> Studio:
        """Serve in a thread of its own."""
        self.serving = True
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        return self

    def close(self) -> None:
        """End the server and its workers."""
        self.workers.close()
        if self.serving:
            self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that goes away in the middle is nothing to tell."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Studio
    timeout = 60

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address holds the token."""

    def version_string(self) -> str:
        return "biela"

    # ----------------------------------------------------------------------------------------- requests
    def do_GET(self) -> None:
        self._admitted(self._page)

    def do_POST(self) -> None:
        self._admitted(self._request)

    def _admitted(self, answer: Callable[[str], None]) -> None:
        try:
            answer(admit(self.path, self.headers, self.server.token, self.server.port))
        except Refusal as refusal:
            self._refuse(refusal)

    def _page(self, name: str) -> None:
        name = name or "index.html"
        if name not in ASSETS:
            raise Refusal(404, "there is nothing here")
        self._send(200, *asset(name))

    def _request(self, name: str) -> None:
        size = body_size(self.headers)
        if not name.startswith("api/"):
            raise Refusal(404, "there is nothing here")
        body = self.rfile.read(size)
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            raise Refusal(400, "requests are JSON") from None
        if not isinstance(request, dict):
            raise Refusal(400, "requests are tables")
        self._do(name.removeprefix("api/"), request, body)

    def _do(self, name: str, request: dict[str, Any], body: bytes) -> None:
        if name in JOBS:
            return self._job(name, request, body)
        action = getattr(self, f"_api_{name}", None) if name.isidentifier() else None
        if action is None:
            raise Refusal(404, "there is nothing here")
        try:
            self._json(200, action(request))
        except Changed as error:
            self._json(409, {"problems": told_problems(error), "changed": True})
        except BielaError as error:
            self._json(422, {"problems": told_problems(error)})
        except (KeyError, TypeError, ValueError) as error:
            raise Refusal(400, f"something is missing in this request: {type(error).__name__}") from None

    # ------------------------------------------------------------------------------- files and the library
    def _api_start(self, request: dict[str, Any]) -> dict[str, Any]:
        """What the page needs to begin."""
        folder = self.server.folder
        here = {"folder": folder.root.name, "place": folder.mark, "files": folder.files(), "first": self.server.first}
        return {**menus(), **here}

    def _api_files(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"files": self.server.folder.files()}

    def _api_open(self, request: dict[str, Any]) -> dict[str, Any]:
        """The text of a mechanism of the library, or of a file of the folder."""
        if "library" in request:
            from .. import library

            path = library.path(str(request["library"]))
            return {"name": path.stem, "text": path.read_text(encoding="utf-8"), "mark": None}
        text, mark = self.server.folder.read(request["file"])
        return {"name": Path(request["file"]).stem, "text": text, "mark": mark}

    def _api_save(self, request: dict[str, Any]) -> dict[str, Any]:
        """Write a file of the folder; `force` writes over one that somebody else has changed."""
        name, folder = request["file"], self.server.folder
        seen = request.get("mark")
        if request.get("force"):
            with contextlib.suppress(BielaError):
                seen = folder.read(name)[1]
        return {"mark": folder.write(name, str(request["text"]), seen), "files": folder.files()}

    def _api_cancel(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"running": self.server.workers.cancel(str(request["job"]))}

    # ---------------------------------------------------------------------------------------------- jobs
    def _job(self, name: str, request: dict[str, Any], body: bytes) -> None:
        """A line of JSON for every message; of an export, the file."""
        if not isinstance(request.get("text"), str):
            raise Refusal(400, "the text of the model is missing")
        limit = LIMITS["live"] if request.get("live") else LIMITS["run"]
        try:
            limit = min(max(float(request.get("limit") or limit), 0.1), LIMITS["most"])
            if limit != limit:
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            raise Refusal(400, "the limit is a number of seconds") from None
        job = str(request.get("job") or new_token())[:80]
        messages = self.server.workers.do(job, name, body, limit, str(request.get("session", ""))[:80])
        with contextlib.closing(messages):
            self._stream(messages)

    def _stream(self, messages: Generator[tuple[dict[str, Any], bytes]]) -> None:
        self.send_response(200)
        self._headers("application/x-ndjson; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for head, body in messages:
            line = json.dumps(head).encode()
            if "media" in head:
                from base64 import b64encode

                line = line[:-1] + b',"data":"' + b64encode(body) + b'"}'
            elif body:
                line = line[:-1] + b',"data":' + body + b"}"
            line += b"\n"
            self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    # ------------------------------------------------------------------------------------------- answers
    def _json(self, status: int, data: Any) -> None:
        self._send(status, json.dumps(data, ensure_ascii=False).encode(), "application/json; charset=utf-8")

    def _send(self, status: int, body: bytes, media: str) -> None:
        self.send_response(status)
        self._headers(media)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _headers(self, media: str) -> None:
        for key, value in (
            ("Content-Type", media),
            ("Content-Security-Policy", POLICY),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(key, value)

    def _refuse(self, refusal: Refusal) -> None:
        """Say no and hang up; what the other side is still sending is let run into nothing for a moment, so that it
        gets to read the answer."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self._json(refusal.status, {"problems": [{"what": refusal.why}]})
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(0.3)
            end = monotonic() + 2.0
            while monotonic() < end and self.connection.recv(2**18):
                pass


def open_studio(folder: Path, file: str | None = None, port: int | None = None) -> Studio:
    """A studio that is being served."""
    return Studio(folder, file, port).start()
