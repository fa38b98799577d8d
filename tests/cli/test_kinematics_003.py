"""`biela kinematics` in the coordinates of text 003."""

import json


def test_coordinates(biela):
    done = biela("kinematics", "four-bar", "--turn", "crank", "--coordinates", "relative", "--count", 13, "--json")
    data = json.loads(done.out)
    assert done.code == 0 and data["coordinates"] == "relative" and data["positions"] == 13
    wrong = biela("kinematics", "four-bar", "--turn", "crank", "--coordinates", "polar")
    assert wrong.code == 2 and "there are no coordinates 'polar'" in wrong.err and "relative" in wrong.err


def test_newton(biela, here):
    done = biela("newton", "four-bar", "--coordinate", "crank_angle", "--to", "30 deg", "--plot", "n.png", "--iterates")
    assert done.code == 0 and "quadratic" in done.out and "crank_angle   0.52359877" in done.out
    assert (here / "n.png").stat().st_size > 1000
    data = json.loads(biela("newton", "cardan", "--json", "--plot", "space.svg").out)
    assert data["converged"] and len(data["Phi"]) == data["iterations"] + 1 == len(data["q"])
    far = biela("newton", "four-bar", "--coordinate", "rocker.angle", "--to", 3, "--whole-steps")
    assert far.code == 1 and "wanders" in far.out
    wrong = biela("newton", "four-bar", "--guess", "B.y")
    assert wrong.code == 2 and "is not NAME=VALUE" in wrong.err


def test_open(biela):
    done = biela("kinematics", "four-bar", "--turn", "crank", "--count", 5, "--coordinates", "relative", "--open", "A")
    assert done.code == 0 and "complete; 5 positions" in done.out
    for arguments, text in (
        (("--coordinates", "relative", "--open", "C"), "there is no joint 'C' to open"),
        (("--coordinates", "relative", "--open", "A", "--open", "B"), "would cut the tree"),
        (("--open", "A"), "--open has no meaning here"),
    ):
        for command in (("kinematics", "four-bar"), ("run", "four-bar", "--duration", 0.1), ("newton", "four-bar")):
            wrong = biela(*command, *arguments)
            assert wrong.code == 2 and text in wrong.err
