"""Command lines that cannot work: exit code 2, a message, no traceback, no file left behind."""

import json
import os

import pytest

CASES = [
    "run",
    "run no-such-mechanism",
    "run duoble-pendulum",
    "run nothing.toml",
    "run ../../etc/passwd",
    "run .",
    "run double-pendulum --step -1",
    "run double-pendulum --step 0",
    "run double-pendulum --step nan",
    "run double-pendulum --step inf",
    "run double-pendulum --step 1e999",
    "run double-pendulum --step abc",
    "run double-pendulum --step 1mm",
    "run double-pendulum --integrator rk4 --step 1e-300",
    "run double-pendulum --step 20",
    "run double-pendulum --duration -3",
    "run double-pendulum --duration 0",
    "run double-pendulum --duration 3kg",
    "run double-pendulum --duration __import__('os')",
    "run double-pendulum --tolerance 1m",
    "run double-pendulum --tolerance -1e-6",
    "run double-pendulum --integrator rk4 --tolerance 1e-6",
    "run double-pendulum --formulation nonsense",
    "run double-pendulum --integrator nonsense",
    "run double-pendulum --coordinates nonsense",
    "run double-pendulum --formulation projection --integrator radau",
    "run double-pendulum --formulation lagrange --alpha 1e7",
    "run double-pendulum --formulation lagrange --xi 1",
    "run double-pendulum --alpha 0",
    "run double-pendulum --formulation projection --project-every 1",
    "run double-pendulum --project-every -1",
    "run double-pendulum --samples 0",
    "run double-pendulum --samples many",
    "run double-pendulum --samples 100000000000",
    "run double-pendulum --set",
    "run double-pendulum --set m",
    "run double-pendulum --set m=",
    "run double-pendulum --set =2",
    "run double-pendulum --set q=2",
    "run double-pendulum --set m=nan",
    "run double-pendulum --set m=-1",
    "run double-pendulum --set m=2mm",
    "run double-pendulum --set m=__import__('os').getcwd()",
    "run double-pendulum -o a.xyz",
    "run double-pendulum -o a",
    "run double-pendulum -o nowhere/a.csv",
    "run double-pendulum -o file/a.csv",
    "run double-pendulum -o folder.csv",
    "run double-pendulum --plots file",
    "run double-pendulum --plots file/deeper",
    "run double-pendulum --channels ,",
    "run double-pendulum --channels P9.x -o a.csv",
    "run double-pendulum --channels P2.x",
    "run double-pendulum --nonsense",
    "run double-pendulum four-bar",
    "compare double-pendulum --pair penalty",
    "compare double-pendulum --pair penalty+",
    "compare double-pendulum --pair penalty+nonsense",
    "compare double-pendulum --step -1",
    "compare double-pendulum --reference nonsense",
    "compare double-pendulum -o a.txt",
    "compare double-pendulum --plot nowhere/a.png",
    "kinematics double-pendulum --turn square",
    "kinematics four-bar --turn nobody",
    "kinematics four-bar --coordinate nothing",
    "kinematics four-bar --coordinate crank_angle --turn crank",
    "kinematics four-bar --coordinate crank_angle --to 3mm",
    "kinematics four-bar --count 1",
    "kinematics four-bar --count 0",
    "kinematics four-bar --coordinate crank_angle --branch 99",
    "kinematics four-bar --coordinate crank_angle --rate 0",
    "kinematics four-bar --channels nothing",
    "check no-such-mechanism",
    "explain no-such-mechanism",
    "explain double-pendulum --coordinates nonsense",
    "explain double-pendulum -o a.csv",
    "plot double-pendulum P9.x -o a.png",
    "plot double-pendulum P2.x --against nothing -o a.png",
    "plot double-pendulum P2.x --against P1 -o a.png",
    "plot double-pendulum P2.x -o a.bmpx",
    "plot double-pendulum P2.x -o nowhere/a.png",
    "list nonsense",
    "list channels",
    "list joints double-pendulum",
    "schema -o a.toml",
    "nonsense",
]
FILES = {
    "not TOML": b"this is not toml [[[",
    "empty": b"",
    "binary": bytes(range(256)) * 500,
    "code in an expression": b'[gravity]\nx = "__import__(\\"os\\").system(\\"touch owned\\")"\n',
    "unknown key": b'groun = { O = [0, 0] }\n',
    "nothing in it": b'name = "void"\n',
    "not a number": b"[ground]\nO = [nan, 0]\n",
    "deep": b"a = " + b"[" * 100_000,
    "too large": b"# " + b"x" * 21 * 2**20,
}


def contents(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


@pytest.mark.parametrize("line", CASES)
def test_refused(biela, here, line):
    (here / "file").write_text("a file")
    (here / "folder.csv").mkdir()
    before = contents(here)
    ended = biela(*line.split())
    assert ended.code == 2, (ended.out, ended.err)
    assert ended.err.strip()
    assert "fault of biela" not in ended.err
    assert contents(here) == before


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", ["run", "check", "explain", "kinematics"])
def test_bad_files(biela, here, command, kind):
    (here / "bad.toml").write_bytes(FILES[kind])
    ended = biela(command, "bad.toml")
    assert ended.code == 2 and ended.err.strip()
    assert contents(here) == ["bad.toml"]


def test_a_refusal_is_json_for_programs_too(biela):
    ended = biela("run", "double-pendulum", "--step", "-1", "--json")
    data = json.loads(ended.out)
    assert ended.code == 2 and data["status"] == "refused" and data["problems"][0]["what"]


def test_the_cure_names_what_was_meant(biela):
    assert "did you mean 'double-pendulum'" in biela("run", "duoble-pendulum").err
    assert "did you mean 'P2.speed'" in biela("plot", "double-pendulum", "P2.sped", "-o", "a.png").err
    assert "declared: m, r, g" in biela("run", "double-pendulum", "--set", "q=2").err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_write_protected_folder(biela, here):
    (here / "locked").mkdir(mode=0o500)
    ended = biela("run", "double-pendulum", "-o", "locked/a.csv")
    assert ended.code == 2 and "write-protected" in ended.err


def test_the_real_program(process):
    ended = process("run", "double-pendulum", "--step", "nan")
    assert ended.code == 2 and "Traceback" not in ended.err and "--step" in ended.err
