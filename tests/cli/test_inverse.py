"""`biela inverse`: what it prints, writes and refuses."""

import json
import signal
import subprocess
import sys
import time

import pytest

TURN = ("inverse", "four-bar", "--motion", "crank_angle=2*pi*t", "--duration", "1 s", "--samples", "40")


def test_the_report(biela):
    done = biela(*TURN)
    assert done.code == 0 and "crank_angle: effort -1.6" in done.out and "power balance closes to" in done.out


def test_json_and_files(biela, here):
    done = biela(*TURN, "--json", "-o", "turn.csv", "-o", "turn.nc", "-o", "turn.json", "--plot", "turn.png")
    data = json.loads(done.out)
    (motor,) = data["motors"]
    assert motor["coordinate"] == "crank_angle" and motor["unit"] == "N*m" and data["status"] == "finished"
    assert data["power_balance_max"] < 1e-12 and abs(motor["energy"]) < 1e-2
    header = (here / "turn.csv").read_text().splitlines()[0]
    assert "crank_angle.effort [N*m]" in header and "crank_angle.energy [J]" in header
    assert (here / "turn.png").stat().st_size > 1000
    assert len(json.loads((here / "turn.json").read_text())["columns"]) > 8
    again = json.loads(biela("inverse", "four-bar", "--motion", "turn.nc", "--json").out)
    assert abs(again["motors"][0]["effort_max"] - motor["effort_max"]) < 1e-9
    table = json.loads(biela("inverse", "four-bar", "--motion", "turn.csv", "--motors", "crank_angle", "--json").out)
    assert abs(table["motors"][0]["effort_max"] - motor["effort_max"]) < 0.05
    chosen = biela(*TURN, "-q", "-o", "some.csv", "--channels", "crank_angle.effort,B.reaction.norm")
    assert chosen.code == 0 and chosen.out == ""
    assert (here / "some.csv").read_text().startswith("t [s],crank_angle.effort [N*m],B.reaction.norm [N]")


def test_motors_free_and_set(biela):
    two = biela(*TURN, "--motors", "crank_angle,rocker.angle")
    assert two.code == 0 and "least norm" in two.out
    loose = ("inverse", "double-pendulum", "--motion", "phi1=t", "--duration", "0.5")
    assert biela(*loose).code == 2 and "--free" in biela(*loose).err
    done = biela(*loose, "--free", "--samples", "20")
    assert done.code == 0 and "moved freely" in done.out
    request = ("inverse", "slider-crank", "--motion", "theta=1+9*t", "--duration", "0.2")
    small = biela(*request, "--set", "L2=0.5", "--json")
    assert json.loads(small.out)["status"] == "finished"


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--motion", "crank_angle"], "is not a motion"),
        (["--motion", "crank_angle=t", "--motors", ","], "--motors is empty"),
        (["--motion", "crank_angle=t", "--duration", "3 kg"], "is not a time"),
        (["--motion", "crank_angle=t", "--gap", "much"], "is not a number"),
        (["--motion", "crnk=t"], "no coordinate 'crnk'"),
        (["--motion", "absent.csv"], "cannot read absent.csv"),
        (["--motion", "crank_angle=t", "--channels", "nothing", "-o", "a.csv"], "no channel 'nothing'"),
        (["--motion", "crank_angle=t", "-o", "a.xyz"], "cannot tell the format"),
        ([], "which motion?"),
    ],
)
def test_refusals(biela, here, arguments, words):
    done = biela("inverse", "four-bar", *arguments)
    assert done.code == 2 and words in done.err and not list(here.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for another process")
def test_an_interrupt_keeps_what_there_is(program, biela, here):
    command, environment = program
    biela(*TURN)  # compiles
    for patience in (4, 8, 16, 32, 64):
        long = [*TURN[:-1], "100000", "-o", "a.csv", "--json"]
        running = subprocess.Popen(
            [*command, *long], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(patience)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=600)
        assert running.returncode == 130 and "Traceback" not in err
        if (here / "a.csv").exists():
            break  # else the signal came before it had begun: a slow machine
    data = json.loads(out)
    assert data["status"] == "interrupted" and 0 < data["t_end"] < 1
