"""The command line as a function: `biela("run", "four-bar")` gives its exit code, output and errors."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

import biela as package
from biela.cli.app import app


@dataclass
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def biela(here):
    """Run a command in this process, in an empty folder."""

    def run(*arguments: object) -> Ended:
        done = CliRunner().invoke(app, [str(a) for a in arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
        assert "Traceback" not in done.stdout + done.stderr
        assert done.exit_code != 70, done.stderr
        return Ended(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def program():
    """How to start the real program: (command, environment)."""
    environment = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
    environment.pop("BIELA_TRACEBACK", None)
    return [sys.executable, "-m", "biela"], environment


@pytest.fixture
def process(program, here):
    """Run a command as a process of its own."""

    def run(*arguments: str) -> Ended:
        command, environment = program
        done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, timeout=1200)
        return Ended(done.returncode, done.stdout, done.stderr)

    return run
