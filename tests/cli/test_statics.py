"""`biela equilibrium`, `biela modes` and `biela linearise`."""

import json

import numpy as np
import pytest


def test_where_it_rests(biela):
    done = biela("equilibrium", "mass-spring-damper", "-o", "start.toml", "-o", "rest.csv", "--channels", "y,P.y")
    assert done.code == 0 and "stable" in done.out and "y = 0.245 m" in done.out and "wrote start.toml" in done.out
    again = biela("run", "start.toml", "--duration", "0.1", "--json")
    assert json.loads(again.out)["final"]["P"][1] == pytest.approx(-0.245, abs=1e-12)


def test_all_positions(biela):
    done = biela("equilibrium", "simple-pendulum", "--all", "--json")
    data = json.loads(done.out)
    assert done.code == 0 and sorted(p["stability"] for p in data["positions"]) == ["stable", "unstable"]
    assert biela("equilibrium", "slider-crank", "--all").code == 1


def test_no_rest(biela):
    done = biela("equilibrium", "slider-crank", "--json")
    assert done.code == 2 and json.loads(done.out)["status"] == "refused" and "crank turns" in done.err


def test_modes(biela, here):
    done = biela("modes", "double-pendulum", "--plot", "modes.png")
    assert done.code == 0 and "0.29204" in done.out and (here / "modes.png").stat().st_size > 1000
    assert biela("modes", "double-pendulum", "--plot", "one.svg", "--mode", 1).code == 0
    data = json.loads(biela("modes", "double-pendulum", "--json").out)
    assert [m["kind"] for m in data["modes"]] == ["oscillates", "oscillates"]
    assert biela("modes", "simple-pendulum", "--at", "0.2").code == 0


def test_linearise(biela, here):
    done = biela("linearise", "mass-spring-damper", "--inputs", "y", "--outputs", "y,P.ay", "--bode", "bode.png",
                 "-o", "lin.json", "-o", "lin.mat", "--from", "0.1", "--to", "10")  # fmt: skip
    assert done.code == 0 and "states: y, y.rate" in done.out and (here / "bode.png").exists()
    np.testing.assert_allclose(json.loads((here / "lin.json").read_text())["A"], [[0, 1], [-40, -6]], atol=1e-9)
    data = json.loads(biela("linearise", "mass-spring-damper", "--json").out)
    assert data["states"] == ["y", "y.rate"]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("equilibrium", "four-bar", "--all", "-o", "x.toml"), "one file cannot hold them"),
        (("equilibrium", "four-bar", "-o", "x.txt"), "cannot tell the format"),
        (("equilibrium", "four-bar", "--seek", "best"), "seek = 'best'"),
        (("equilibrium", "cardan"), "the drivers determine everything"),
        (("modes", "four-bar", "--at", "noon"), "--at 'noon'"),
        (("modes", "four-bar", "--mode", "1"), "--mode needs a picture"),
        (("linearise", "four-bar", "--inputs", "crnk.angle"), "did you mean 'crank.angle'"),
        (("linearise", "four-bar", "--outputs", "P"), "is a vector"),
        (("linearise", "four-bar", "--bode", "b.png"), "--bode needs inputs and outputs"),
        (("linearise", "four-bar", "--from", "1"), "belong to --bode"),
    ],
)
def test_refusals(biela, here, arguments, words):
    done = biela(*arguments)
    assert done.code == 2 and words in done.err and not list(here.iterdir())
