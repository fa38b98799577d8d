"""`biela studio`: prints an address that answers, ends with Ctrl-C, and leaves no process behind."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from time import monotonic, sleep

import pytest
from typer.testing import CliRunner

from biela.cli.app import app

BIELA = [sys.executable, "-c", "from biela.cli import main; main()"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and /proc are those of Linux")


def start(*arguments, cwd):
    process = subprocess.Popen(
        [*BIELA, "studio", "--no-open", "--port", "0", *arguments], cwd=cwd, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    line = process.stdout.readline()
    return process, re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", line)[0]


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(x) for x in file.read().split()]


def gone(pid, seconds=300.0):
    end = monotonic() + seconds
    while monotonic() < end:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        sleep(0.05)
    return False


@posix
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_it_serves_until_it_is_ended_and_its_workers_end_with_it(tmp_path, how):
    (tmp_path / "mine.toml").write_text("[ground]\nO = [0, 0]\n")
    process, address = start("mine.toml", cwd=tmp_path)
    try:
        assert b"biela" in urllib.request.urlopen(address, timeout=300).read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address[:-5] + "wrong/", timeout=300)
        workers = children(process.pid)
        assert workers
        process.send_signal(how)
        process.wait(300)  # a guard against waiting for ever, not a measure
        assert how == signal.SIGKILL or process.returncode == 0
        assert all(gone(pid) for pid in workers)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_what_is_neither_file_nor_folder_nor_mechanism_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["studio", "no-such-thing", "--no-open"])
    assert done.exit_code == 2
    (tmp_path / "x.txt").write_text("x")
    assert CliRunner().invoke(app, ["studio", "x.txt", "--no-open"]).exit_code == 2


def test_a_port_that_is_taken_is_refused_in_words(tmp_path, monkeypatch):
    import socket

    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = CliRunner().invoke(app, ["studio", "--no-open", "--port", str(taken.getsockname()[1])])
    assert done.exit_code == 2
