"""Ctrl-C during a long run: the program ends soon, with exit code 130 and with what was computed."""

import json
import signal
import subprocess
import sys
import time

import pytest

from biela.cli.watch import Watch

# far longer than anybody waits: five hundred million steps
LONG = ["run", "double-pendulum", "--integrator", "rk4", "--step", "2e-8", "--duration", "10", "--samples", "100000"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for another process")
def test_partial_results_survive(program, biela, here):
    command, environment = program
    biela("run", "double-pendulum", "--integrator", "rk4", "--step", "1e-3", "--duration", "0.1")  # compiles
    for patience in (3, 6, 12, 24, 48, 96):
        running = subprocess.Popen(
            [*command, *LONG, "-o", "a.csv", "--json"], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        time.sleep(patience)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=600)
        if running.returncode == -signal.SIGINT:
            continue  # Python itself had not begun
        assert running.returncode == 130 and "Traceback" not in err
        if (here / "a.csv").exists() and len((here / "a.csv").read_text().splitlines()) > 10:
            break  # else the signal came before the run had begun, or soon after: a slow machine
    data = json.loads(out)
    assert data["status"] == "interrupted" and 0 < data["t_end"] < 10
    assert len((here / "a.csv").read_text().splitlines()) > 10
    assert [file.name for file in here.iterdir()] == ["a.csv"]


def test_first_interrupt_waits_for_the_chunk_the_second_does_not():
    with Watch("test", quiet=True) as watch:
        watch(0.1, 100)
        signal.raise_signal(signal.SIGINT)
        assert watch.stopping
        with pytest.raises(KeyboardInterrupt):
            watch(0.2, 200)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_before_the_run_an_interrupt_is_immediate():
    with Watch("test", quiet=True), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_before_the_run_an_interrupt_waits_for_the_checkpoint_that_was_asked_for(capfd):
    with Watch("test", quiet=True, keeps=True) as watch:
        signal.raise_signal(signal.SIGINT)
        assert "once more ends it at once" in capfd.readouterr().err
        with pytest.raises(KeyboardInterrupt):
            watch(0.1, 100)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("integrator", [("rk4", "--step", "1e-5"), ("dopri5",), ("conserving", "--step", "1e-4")])
def test_ctrl_c_before_the_run_has_begun_leaves_a_checkpoint(biela, monkeypatch, here, integrator):
    """As while machine code is being compiled: the mechanism is being put together, and somebody loses patience."""
    from biela.analysis.simulate import simulate as module

    assemble = module.assemble

    def pressed(*arguments, **options):
        signal.raise_signal(signal.SIGINT)
        return assemble(*arguments, **options)

    options = ("double-pendulum", "--duration", 400, "--integrator", *integrator)
    with monkeypatch.context() as patch:
        patch.setattr(module, "assemble", pressed)
        ended = biela("run", *options, "--checkpoint", "run.npz", "-q")
    assert ended.code == 130 and "biela resume run.npz" in ended.err, ended.err
    assert (here / "run.npz").exists()
    with monkeypatch.context() as patch:  # without a checkpoint nobody waits
        patch.setattr(module, "assemble", pressed)
        assert biela("run", *options, "-q").code == 130


def test_an_interrupted_comparison_keeps_its_rows(monkeypatch):
    from biela.analysis.compare import compare as module

    calls = []

    def impatient(*arguments, **options):
        calls.append(options)
        if len(calls) == 6:  # one to warm up and three for the first row, one to warm up for the second, then enough
            raise KeyboardInterrupt
        return simulate(*arguments, **options)

    simulate = module.simulate
    monkeypatch.setattr(module, "simulate", impatient)
    pairs = ["lagrange+rk4", "augmented+rk4"]
    comparison = module.compare("simple-pendulum", pairs, steps=[1e-2], duration=0.1, reference="none")
    assert comparison.interrupted and not comparison.ok
    assert [row.pair for row in comparison.rows] == ["lagrange+rk4"]
    assert comparison.text().splitlines()[-1].split() == ["augmented+rk4", "-"]


def test_an_interrupted_run_is_resumed(biela, monkeypatch, here):
    """Ctrl-C, then `biela resume`: the table is that of a run which nobody interrupted, to the last digit."""
    options = ("simple-pendulum", "--integrator", "conserving", "--step", 1e-5, "--duration", 2, "--json")
    calls = []

    def pressed(watch, fraction, steps):
        calls.append(steps)
        if len(calls) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Watch, "__call__", pressed)
        ended = biela("run", *options, "--checkpoint", "run.npz", "-o", "a.csv")
    assert ended.code == 130 and json.loads(ended.out)["t_end"] < 2 and "biela resume run.npz" in ended.err
    resumed = biela("resume", "run.npz", "-o", "b.csv", "--json")
    assert resumed.code == 0 and json.loads(resumed.out)["steps"] == 200_000
    biela("run", *options, "-o", "c.csv")
    assert (here / "b.csv").read_bytes() == (here / "c.csv").read_bytes()
    assert biela("resume", "a.csv").code == 2 and biela("resume", "nothing.npz").code == 2
    assert biela("run", *options, "--checkpoint", "a.txt").code == 2
