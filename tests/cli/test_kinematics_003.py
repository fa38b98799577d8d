"""`biela kinematics` in the coordinates of text 003."""

import json


def test_coordinates(biela):
    done = biela("kinematics", "four-bar", "--turn", "crank", "--coordinates", "relative", "--count", 13, "--json")
    data = json.loads(done.out)
    assert done.code == 0 and data["coordinates"] == "relative" and data["positions"] == 13
    wrong = biela("kinematics", "four-bar", "--turn", "crank", "--coordinates", "polar")
    assert wrong.code == 2 and "there are no coordinates 'polar'" in wrong.err and "relative" in wrong.err
