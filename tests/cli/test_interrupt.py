"""Ctrl-C during a long run: the program ends soon, with exit code 130 and with what was computed."""

import json
import signal
import subprocess
import sys
import time

import pytest

from biela.cli.watch import Watch

# far longer than anybody waits: five thousand million steps
LONG = ["run", "double-pendulum", "--integrator", "rk4", "--step", "2e-9", "--duration", "10", "--samples", "100000"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for another process")
def test_partial_results_survive(program, process, here):
    command, environment = program
    process("run", "double-pendulum", "--integrator", "rk4", "--step", "1e-3", "--duration", "0.1")  # compiles
    for patience in (3, 6, 12, 24):
        running = subprocess.Popen(
            [*command, *LONG, "-o", "a.csv", "--json"], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        time.sleep(patience)
        running.send_signal(signal.SIGINT)
        begun = time.perf_counter()
        out, err = running.communicate(timeout=60)
        waited = time.perf_counter() - begun
        assert running.returncode == 130 and "Traceback" not in err
        if (here / "a.csv").exists():
            break  # else the signal came before the run had begun: a slow machine
    data = json.loads(out)
    assert data["status"] == "interrupted" and 0 < data["t_end"] < 10
    assert len((here / "a.csv").read_text().splitlines()) > 10
    assert waited < 10
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


def test_an_interrupted_comparison_keeps_its_rows(monkeypatch):
    from biela.analysis import compare as module

    calls = []

    def impatient(*arguments, **options):
        calls.append(options)
        if len(calls) == 6:  # two to warm up, three for the first row, then enough
            raise KeyboardInterrupt
        return simulate(*arguments, **options)

    simulate = module.simulate
    monkeypatch.setattr(module, "simulate", impatient)
    pairs = ["lagrange+rk4", "augmented+rk4"]
    comparison = module.compare("simple-pendulum", pairs, steps=[1e-2], duration=0.1, reference="none")
    assert comparison.interrupted and not comparison.ok
    assert [row.pair for row in comparison.rows] == ["lagrange+rk4"]
    assert comparison.text().splitlines()[-1].split() == ["augmented+rk4", "|", "-"]
