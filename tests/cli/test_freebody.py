"""`biela freebody`, and the report and drawings of `biela kinematics`."""

import json

import pytest


def test_at_the_start(biela):
    done = biela("freebody", "four-bar")
    assert done.code == 0 and done.err == ""
    for body in ("crank", "coupler", "rocker"):
        assert f"free body of '{body}' at t = 0 s" in done.out
    assert "pin A" in done.out and "left over" in done.out


def test_at_a_time_with_a_picture(biela, here):
    done = biela("freebody", "four-bar", "--body", "coupler", "--time", "100 ms", "-o", "coupler.svg")
    assert done.code == 0 and "t = 0.1 s" in done.out and "wrote coupler.svg" in done.out
    assert (here / "coupler.svg").read_text(encoding="utf-8").count("A: ") == 1
    done = biela("freebody", "bricard", "--body", "bar1", "--body", "bar2", "-o", "all.png", "--quiet")
    assert done.code == 0 and done.out == ""
    assert (here / "all-bar1.png").stat().st_size > 10_000 and (here / "all-bar2.png").exists()


def test_for_programs(biela):
    done = biela("freebody", "quick-return", "--time", 0.2, "--json", "--formulation", "lagrange")
    data = json.loads(done.out)
    assert data["t"] == 0.2 and {b["body"] for b in data["bodies"]} == {"crank", "lever", "rod", "ram"}
    for body in data["bodies"]:
        assert body["sum"]["relative"] < 1e-9
        assert body["acts"][-1]["kind"] == "inertia"
    motor = next(a for b in data["bodies"] for a in b["acts"] if a["name"] == "motor")
    assert motor["kind"] == "driver" and abs(motor["moment"]) > 0.1


def test_the_ground_and_moments_about_a_point(biela, here):
    done = biela("freebody", "mass-spring-damper", "--body", "ground", "--time", 0.25, "-o", "ground.png")
    assert done.code == 0 and "load on the ground: (0, -2857.74) N" in done.out
    assert (here / "ground.png").stat().st_size > 10_000
    done = biela("freebody", "bricard", "--body", "ground", "--about", "P2", "-o", "space.png", "--json")
    (ground,) = json.loads(done.out)["bodies"]
    assert ground["about"]["name"] == "P2" and max(map(abs, ground["about"]["sum"])) < 1e-9


@pytest.mark.parametrize("arguments, says", [
    (("--body", "rod"), "there is no body 'rod'"),
    (("--about", "Z"), "there is no point 'Z'"),
    (("--about", "coupler@1"), "not a position in 'coupler'"),
    (("--time", "-1"), "before the start"),
    (("--time", "3 mm"), "is not a time"),
    (("-o", "picture.txt"), "cannot tell the format"),
])  # fmt: skip
def test_what_is_refused(biela, here, arguments, says):
    done = biela("freebody", "four-bar", *arguments)
    assert done.code == 2 and says in done.err and not list(here.iterdir())


def test_report_of_kinematics(biela):
    done = biela("kinematics", "four-bar", "--turn", "crank", "--report", "--count", 91)
    assert done.code == 0
    for words in ("crank-rocker", "transmission angles", "B (coupler and rocker)", "crank.angle turns fully"):
        assert words in done.out
    data = json.loads(biela("kinematics", "four-bar", "--report", "--json", "--count", 31, "--channels", "P.x").out)
    assert [e["name"] for e in data["report"]["extremes"]] == ["P.x"]
    assert data["report"]["four_bars"][0]["class"].startswith("crank-rocker")


def test_drawing_of_kinematics(biela, here):
    traces = ("--trace", "P", "--trace", "coupler@0.1,0.2", "--position", "60 deg")
    arguments = ("--count", 31, "--sketch", "s.svg", "--vectors", "velocity, acceleration", *traces)
    done = biela("kinematics", "four-bar", "--turn", "crank", *arguments)
    assert done.code == 0 and "wrote s.svg" in done.out
    drawn = (here / "s.svg").read_text(encoding="utf-8")
    assert "(velocity)" in drawn and "(acceleration)" in drawn and "(reaction)" not in drawn


@pytest.mark.parametrize("arguments, says", [
    (("--vectors", "velocity"), "needs a drawing"),
    (("--sketch", "s.png", "--vectors", "speed"), "no arrows for 'speed'"),
    (("--sketch", "s.png", "--trace", "Q"), "no point 'Q'"),
    (("--sketch", "s.png", "--trace", "coupler@1"), "not a position in 'coupler'"),
    (("--sketch", "s.png", "--position", "900 deg"), "is not reached"),
])  # fmt: skip
def test_drawings_that_are_refused(biela, here, arguments, says):
    done = biela("kinematics", "four-bar", "--count", 11, *arguments)
    assert done.code == 2 and says in done.err and not list(here.iterdir())


def test_moments_about_the_origin_are_told_once(biela):
    done = biela("freebody", "spatial-slider-crank", "--body", "ground", "--about", "origin")
    assert done.code == 0 and done.out.count("Mx_origin") == done.out.count("Mz_origin") == 1
    assert "Mx_A" in biela("freebody", "spatial-slider-crank", "--body", "ground", "--about", "A").out
