"""Who may ask, and for what: token, host, origin, size, and files of one folder only."""

import socket

import pytest

JSON = {"Content-Type": "application/json"}


def test_the_page_comes_with_the_token_and_keeps_to_itself(client, studio):
    status, headers, body = client.raw("GET", f"/{studio.token}/")
    assert status == 200 and b"biela" in body
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer" and "Access-Control-Allow-Origin" not in headers
    assert studio.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ["/", "/wrong/", "/api/start", "//", "/%2e%2e/", "/wrong/studio.js"])
def test_nothing_without_the_token(client, path):
    assert client.raw("GET", path)[0] == 403
    assert client.raw("POST", path, b"{}", JSON)[0] == 403


def test_tokens_are_long_and_new(studio):
    from biela.studio.request_guard import new_token

    assert len(studio.token) >= 40 and len({new_token() for _ in range(50)}) == 50


HOSTS = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}"]


@pytest.mark.parametrize("host", HOSTS)
def test_names_that_were_made_to_point_here_are_refused(client, studio, host):
    host = host.format(port=studio.port)
    assert client.raw("GET", f"/{studio.token}/", host=host)[0] == 403
    assert client.raw("POST", f"/{studio.token}/api/start", b"{}", JSON, host=host)[0] == 403


def test_own_names_are_fine(client, studio):
    for host in (f"127.0.0.1:{studio.port}", f"localhost:{studio.port}"):
        assert client.raw("GET", f"/{studio.token}/", host=host)[0] == 200


ORIGINS = ["http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "null", ""]


@pytest.mark.parametrize("origin", ORIGINS)
def test_other_origins_are_refused_token_or_not(client, studio, origin):
    headers = {**JSON, "Origin": origin.format(port=studio.port)}
    assert client.raw("POST", f"/{studio.token}/api/start", b"{}", headers)[0] == 403
    assert client.raw("GET", f"/{studio.token}/", headers=headers)[0] == 403


def test_requests_that_a_browser_says_come_from_elsewhere(client, studio):
    headers = {**JSON, "Sec-Fetch-Site": "cross-site"}
    assert client.raw("POST", f"/{studio.token}/api/start", b"{}", headers)[0] == 403
    own = {**JSON, "Origin": f"http://127.0.0.1:{studio.port}", "Sec-Fetch-Site": "same-origin"}
    assert client.raw("POST", f"/{studio.token}/api/start", b"{}", own)[0] == 200


def test_a_large_body_is_refused_before_it_is_read(client, studio):
    head = f"POST /{studio.token}/api/run HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 104857600\r\n\r\n"
    with socket.create_connection(("127.0.0.1", studio.port), timeout=300) as s:
        s.sendall(head.encode())  # and not one byte of the body
        assert b" 413 " in s.recv(1000).splitlines()[0]


def test_a_hundred_megabytes_that_are_sent_are_refused_and_not_kept(client, studio):
    assert client.raw("POST", f"/{studio.token}/api/run", b" " * (100 * 2**20), JSON)[0] == 413
    assert client.raw("GET", f"/{studio.token}/")[0] == 200


def test_bodies_that_are_not_what_the_page_sends(client, studio):
    path = f"/{studio.token}/api/start"
    assert client.raw("POST", path, b"{}", {"Content-Type": "text/plain"})[0] == 415
    assert client.raw("POST", path, b"x=1", {"Content-Type": "application/x-www-form-urlencoded"})[0] == 415
    assert client.raw("POST", path, b"", {**JSON, "Transfer-Encoding": "chunked"})[0] == 411
    assert client.raw("POST", path, b"", JSON)[0] == 411
    assert client.raw("POST", path, b"", {**JSON, "Content-Length": "-5"})[0] == 411
    assert client.raw("POST", path, b"{", JSON)[0] == 400
    assert client.raw("POST", path, b"[1]", JSON)[0] == 400
    assert client.raw("POST", path, b"[" * 100_000, JSON)[0] == 400
    assert client.raw("POST", f"/{studio.token}/api/nothing", b"{}", JSON)[0] == 404
    assert client.raw("POST", f"/{studio.token}/api/__init__", b"{}", JSON)[0] == 404
    assert client.raw("POST", f"/{studio.token}/api/run", b"{}", JSON)[0] == 400
    assert client.raw("PUT", f"/{studio.token}/api/start", b"{}", JSON)[0] == 501


OUTSIDE = [
    "../secret.toml", "a/../../secret.toml", "/etc/secret.toml", "C:\\secret.toml", "..\\secret.toml", "link.toml",
    "elsewhere/secret.toml", ".hidden.toml", ".git/x.toml", "", "x\0.toml", "~/../secret.toml", "C:x.toml",
    "./../secret.toml",
]  # fmt: skip


@pytest.fixture
def secrets(folder):
    """A file beside the folder, and links in it that lead there."""
    secret = folder.parent / "secret.toml"
    secret.write_text("secret = 1")
    for name, target in (("link.toml", secret), ("elsewhere", folder.parent)):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(target)
    return secret


@pytest.mark.parametrize("name", OUTSIDE)
def test_files_outside_of_the_folder_are_neither_read_nor_written(client, secrets, name):
    told = client.post("open", {"file": name}, status=422)
    assert "secret = 1" not in str(told)
    client.post("save", {"file": name, "text": "spoilt", "force": True}, status=422)
    assert secrets.read_text() == "secret = 1"


def test_links_to_elsewhere_are_not_even_listed(client, secrets, folder):
    (folder / "own.toml").write_text("name = 'own'")
    files = client.post("files", {})["files"]
    assert "own.toml" in files and not any("secret" in f or "link" in f or "elsewhere" in f for f in files)


def test_only_model_files_are_written(client, folder):
    for name in ("x.py", "x.sh", "x", "x.toml.exe"):
        client.post("save", {"file": name, "text": "x"}, status=422)
        assert not (folder / name).exists()
    client.post("save", {"file": "no/such/folder.toml", "text": "x"}, status=422)


def test_the_library_is_named_not_pathed(client):
    assert "crank" in client.post("open", {"library": "four-bar"})["text"]
    for name in ("../../secret", "/etc/passwd", "four-bar/../x"):
        client.post("open", {"library": name}, status=422)


def test_a_file_is_saved_read_again_and_not_written_over_unseen(client, folder):
    mark = client.post("save", {"file": "one.toml", "text": "a = 1 # ä\n", "mark": None})["mark"]
    assert (folder / "one.toml").read_text(encoding="utf-8") == "a = 1 # ä\n"
    assert client.post("open", {"file": "one.toml"}) == {"name": "one", "text": "a = 1 # ä\n", "mark": mark}
    (folder / "one.toml").write_text("someone else")
    assert client.post("save", {"file": "one.toml", "text": "mine", "mark": mark}, status=409)["changed"]
    assert client.post("save", {"file": "one.toml", "text": "mine", "mark": None}, status=409)["changed"]
    assert (folder / "one.toml").read_text() == "someone else"
    client.post("save", {"file": "one.toml", "text": "mine", "mark": mark, "force": True})
    assert (folder / "one.toml").read_text() == "mine"
