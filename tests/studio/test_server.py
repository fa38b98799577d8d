"""Jobs of the studio: checking, turning, dragging, running, cancelling, exporting, and surviving what fails."""

import base64
import http.client
import json
from time import monotonic, sleep

import numpy as np
import pytest

import biela
from biela import library

FOUR_BAR = library.path("four-bar").read_text(encoding="utf-8")
NEVER = {"duration": "1e4", "step": "1e-5", "integrator": "rk4"}  # 10^9 steps


def until(condition, seconds=300.0):
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end, "waited in vain"
        sleep(0.02)


def floats(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def test_start_fills_the_menus_from_the_registries(client):
    told = client.post("start", {})
    from biela.methods.registry import FORMULATIONS, INTEGRATORS

    assert [f["name"] for f in told["formulations"]] == list(FORMULATIONS)
    assert [i["name"] for i in told["integrators"]] == list(INTEGRATORS)
    assert [m["name"] for m in told["library"]] == library.names()


def test_a_good_text_has_sliders_handles_and_channels(client):
    told = client.job("check", text=FOUR_BAR)["data"]
    assert told["ok"] and not told["problems"] and told["dimension"] == 2
    names = [c["name"] for c in told["controls"]]
    assert names[:2] == ["crank_angle", "crank_angle'"] and "crank.length" in names
    assert {h["point"] for h in told["handles"] if h["ok"]} == set("ODABP")
    assert told["channels"]["P.x"] == "m"


@pytest.mark.parametrize(
    "typed, unit, value",
    [
        ("20 rpm", "", 20 * np.pi / 30), ("20 rpm", "rad/s", 20 * np.pi / 30), ("1 rev/s", "deg/s", 360.0),
        ("7", "rpm", 7.0), ("20 mm", "", None), ("20 mm", "rpm", None), ("abc", "", None), ("1e400", "", None),
        ("nan", "", None), ("2*pi", "", None), ("3 furlongs", "", None),
    ],
)  # fmt: skip
def test_a_number_is_typed_in_any_unit_that_measures_the_same(client, typed, unit, value):
    path = ["initial", "velocity", "crank_angle"]
    told = client.job("number", text=FOUR_BAR, path=path, unit=unit, typed=typed)
    if value is None:
        assert told["kind"] == "refused" and told["problems"][0]["what"]
    else:
        assert told["data"]["value"] == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize(
    "old, new, line",
    [
        ("mass = 0.5", "mas = 0.5", 19),
        ('points = ["D", "B"]', 'points = ["D", "X"]', 27),
        ("[run]", "[run", 41),
        ("length = 0.25", 'length = "30 kg"', 30),
        ("inertia = 0.01", "inertia = [1", 27),
    ],
)
def test_a_mistake_is_told_with_its_line(client, old, new, line):
    told = client.job("check", text=FOUR_BAR.replace(old, new))["data"]
    assert not told["ok"]
    assert line in [p.get("line") for p in told["problems"]], told["problems"]
    assert all(p["what"] for p in told["problems"])


def test_what_cannot_be_put_together_is_told(client):
    told = client.job("check", text=FOUR_BAR.replace("D = [0.4, 0]", "D = [4, 0]"))["data"]
    assert not told["ok"] and told["problems"]


def test_a_slider_writes_its_number_and_nothing_else(client):
    values = [{"path": ["ground", "D", 0], "value": 0.5}, {"path": ["bodies", "crank", "mass"], "value": "0.7 kg"}]
    text = client.job("set", text=FOUR_BAR, values=values)["data"]["text"]
    assert text == FOUR_BAR.replace("D = [0.4, 0]", "D = [0.5, 0]").replace("mass = 0.5\n", 'mass = "0.7 kg"\n')
    assert client.job("set", text=FOUR_BAR, values=[{"path": ["no", "such"], "value": 1}])["kind"] == "refused"


DRAGS = [("O", (-0.1, 0.05)), ("A", (0.05, 0.12)), ("B", (0.33, 0.25)), ("P", (0.1, 0.2))]


@pytest.mark.parametrize("point, to", DRAGS)
def test_a_dragged_point_is_where_it_was_dragged_to_and_the_others_stay(client, point, to):
    before = {h["point"]: h["at"] for h in client.job("check", text=FOUR_BAR)["data"]["handles"]}
    told = client.job("drag", text=FOUR_BAR, point=point, to=to)["data"]
    after = {h["point"]: h["at"] for h in client.job("check", text=told["text"])["data"]["handles"]}
    for name, at in after.items():
        assert np.allclose(at, to if name == point else before[name], atol=3e-5), name
    assert "# roughly: the lengths below decide" in told["text"]


def test_a_point_given_by_formulas_moves_by_its_parameters_or_says_why_not(client):
    text = library.path("slider-crank").read_text(encoding="utf-8")
    told = client.job("drag", text=text, point="A", to=(0.15, 0.0))["data"]
    assert "L1 = 0.15" in told["text"] and '"L1 + L2"' in told["text"]
    assert any("formula" in note for note in told["notes"])


CHAIN = library.path("chain").read_text(encoding="utf-8")


def test_points_of_repeat_blocks_and_formulas_say_why_they_cannot_be_dragged(client):
    handles = {h["point"]: h for h in client.job("check", text=CHAIN, drag=True)["data"]["handles"]}
    assert handles["P0"]["ok"] and not handles["P3"]["ok"] and "[[repeat]]" in handles["P3"]["why"]
    told = client.job("drag", text=CHAIN, point="P3", to=(1, 1))
    assert told["kind"] == "refused" and "[[repeat]]" in told["problems"][0]["why"]
    moved = client.job("drag", text=CHAIN, point="P0", to=(0.5, 0.25))["data"]["text"]
    assert moved == CHAIN.replace("P0 = [0, 0]", "P0 = [0.5, 0.25]")
    told = client.job("drag", text=library.path("bouncing-ball").read_text(encoding="utf-8"), point="P", to=(1, 1))
    assert told["kind"] == "refused" and "formula" in told["problems"][0]["why"]


def test_a_bar_on_a_repeated_point_does_not_make_it_movable(client):
    text = CHAIN.replace("[run]", """[bodies.last]
type = "bar"
points = ["P10", "E"]
length = 0.2
mass = 0.1

[points]
E = [1.2, 0]

[run]""")
    handles = {h["point"]: h for h in client.job("check", text=text, drag=True)["data"]["handles"]}
    assert handles["E"]["ok"] and not handles["P10"]["ok"] and "[[repeat]]" in handles["P10"]["why"]


def test_a_point_that_the_joints_hold_says_where_it_is(client):
    text = library.path("slider-crank").read_text(encoding="utf-8")
    told = client.job("drag", text=text, point="B", to=(0.41, 0.05))["data"]
    at = {h["point"]: h["at"] for h in client.job("check", text=told["text"])["data"]["handles"]}["B"]
    assert abs(at[1]) < 1e-9 and any("held" in n and f"{at[0]:.4g}" in n for n in told["notes"])


def test_a_text_is_written_as_it_is_meant_or_not_at_all(monkeypatch):
    import tomlkit

    from biela.studio.jobs.model_text import rewritten

    odd = '[parameters] # here\r\n"L" = 1_000.5 # mm\r\nM.x = 1\n[bodies]\nb = {mass = 1, points = {A = [0,\n 0]}}\n'
    odd = odd.replace("\n 0]", "0]")
    assert rewritten(odd, [(["parameters", "L"], 2.5)]) == odd.replace("1_000.5", "2.5")
    assert rewritten(odd, [(["bodies", "b", "points", "A", 1], 3.0)]) == odd.replace("[0,0]", "[0,3.0]")
    monkeypatch.setattr(tomlkit, "dumps", lambda document: "[parameters]\nL = 7\n")
    with pytest.raises(biela.BielaError, match="cannot be written"):
        rewritten(odd, [(["parameters", "L"], 2.5)])


SAID = [
    ({"duration": "abc"}, "duration = 'abc'", "number"),
    ({"integrator": "rk5"}, "no integrator 'rk5'", "did you mean"),
    ({"tolerance": "2"}, "tolerance = 2", "1e-6"),
    ({"xi": "-1", "formulation": "baumgarte"}, "xi = -1", "not negative"),
    ({"alpha": "x", "formulation": "penalty"}, "alpha = 'x'", "give a number"),
]


@pytest.mark.parametrize("settings, what, cure", SAID)
def test_problems_are_told_in_the_words_of_the_page(client, settings, what, cure):
    problem = client.job("run", text=FOUR_BAR, settings=settings)["data"]["problems"][0]
    assert what in problem["what"] and cure in problem["cure"] and "did you mean" not in problem.get("why", "")
    assert "t_end" not in str(problem) and "unit of number" not in str(problem)


def test_what_is_no_mechanism_is_told_as_such(client):
    from importlib.resources import files

    graph = files("biela.bondgraph").joinpath("library", "dc-motor.toml").read_text(encoding="utf-8")
    (problem,) = client.job("check", text=graph)["data"]["problems"]
    assert "bond graph" in problem["what"] and "biela bondgraph" in problem["cure"]
    text = FOUR_BAR.replace("duration = 2", "")
    (problem,) = client.job("run", text=text)["data"]["problems"]
    assert "Duration" in problem["cure"]


def test_a_run_is_the_motion_that_biela_computes(client):
    data = client.job("run", text=FOUR_BAR, settings={"samples": 500})["data"]
    motion = data["player"]["results"][0]
    result = biela.simulate("four-bar", samples=500)
    k = motion["frames"].index("rocker")
    poses = floats(motion["poses"]).reshape(motion["count"], len(motion["frames"]), 3)
    angle = np.interp(floats(motion["t"]), result.t, result["rocker.angle"])
    assert np.abs(poses[:, k, 2] - angle).max() < 1e-4
    assert data["summary"]["ok"] and data["summary"]["energy_error"] < 1e-5


def test_moved_sliders_lie_over_the_text(client):
    values = [{"path": ["initial", "velocity", "crank_angle"], "value": "30 rad/s"}]
    request = {"text": FOUR_BAR, "settings": {"samples": 500}, "live": True, "channels": ["crank_angle"]}
    item = client.job("run", values=values, **request)["data"]["player"]["results"][0]["channels"]["items"][0]
    text = FOUR_BAR.replace("20 rad/s", "30 rad/s")
    result = biela.simulate(biela.Model.model_validate(_data(text)), samples=250)
    assert abs(floats(item["y"])[-1] + item["offset"] - result["crank_angle"][-1]) < 1e-3


def _data(text):
    import tomllib

    return tomllib.loads(text)


def test_methods_that_do_not_go_together_are_refused_in_words(client):
    data = client.job("run", text=FOUR_BAR, settings={"integrator": "radau", "formulation": "projection"})["data"]
    assert "cannot be combined with" in data["problems"][0]["what"]
    data = client.job("run", text=FOUR_BAR, settings={"step": "2 kg"})["data"]
    assert "not a time" in data["problems"][0]["what"]
    assert client.job("run", text=FOUR_BAR, settings={"evil": "1"})["data"]["problems"]


def test_a_long_run_tells_how_it_gets_on_and_can_be_cancelled(client):
    messages, thread = client.begin("run", text=FOUR_BAR, settings=NEVER, job="long")
    until(lambda: any("fraction" in m for m in messages))
    client.post("cancel", {"job": "long"})
    thread.join(300)
    assert messages[-1]["kind"] in ("done", "cancelled")
    if messages[-1]["kind"] == "done":  # what was computed is shown
        assert messages[-1]["data"]["ended_by"] == "cancelled"
        assert 0 < messages[-1]["data"]["summary"]["t_end"] < 1e4
    assert client.job("check", text=FOUR_BAR)["data"]["ok"]


def test_a_run_without_end_is_ended_by_its_limit(client):
    data = client.job("run", text=FOUR_BAR, settings=NEVER, limit=0.5)["data"]
    assert data["ended_by"] == "limit" and data["summary"]["t_end"] > 0


def test_pages_do_not_wait_for_each_other(client):
    messages, thread = client.begin("run", text=FOUR_BAR, settings=NEVER, job="other", session="one")
    until(lambda: messages)
    assert client.post("run", {"text": FOUR_BAR, "live": True, "session": "two"})[-1]["data"]["summary"]["ok"]
    assert thread.is_alive() and messages[-1]["kind"] == "progress"
    client.post("cancel", {"job": "other"})
    thread.join(300)
    assert messages[-1]["kind"] != "progress"


def test_a_page_that_goes_away_ends_its_run(client, studio):
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=300)
    body = json.dumps({"text": FOUR_BAR, "settings": NEVER, "job": "gone"})
    connection.request("POST", f"/{studio.token}/api/run", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.readline()
    assert "gone" in studio.workers.busy
    answer.close()
    connection.close()
    until(lambda: "gone" not in studio.workers.busy)


DIVERGES = """
gravity = [0, -9.81]
ground = { O = [0, 0] }
points = { P = [1, 0] }
bodies = { m = { type = "mass", point = "P", mass = 1 } }
[forces.away]
type = "actuator"
points = ["O", "P"]
value = "1e9*x"
[run]
duration = 100
"""


@pytest.mark.parametrize(
    "text",
    [
        DIVERGES,
        "name = 'nothing'",
        "",
        "x" * 100_000,
        "a = " + "[" * 5000,
        FOUR_BAR.replace("duration = 2", "duration = 1e300"),
        FOUR_BAR.replace("mass = 0.5", "mass = -1"),
        FOUR_BAR.replace('velocity = { crank_angle = "20 rad/s" }', "velocity = { crank_angle = 1e200 }"),
        library.path("chain").read_text(encoding="utf-8").replace("n = 10", "n = 1000000000"),
    ],
)
def test_models_that_fail_do_not_take_the_studio_down(client, text):
    last = client.job("run", text=text, live=True, limit=3)
    assert last["kind"] in ("done", "refused")
    told = last.get("problems") or last["data"].get("problems")
    assert told or last["data"]["summary"]["status"]
    assert text != DIVERGES or last["data"]["summary"]["status"] != "finished"
    assert "fault of biela" not in str(told)
    client.job("check", text=text)
    assert client.job("check", text=FOUR_BAR)["data"]["ok"]


CODE = ["__import__('os').mkdir('x')", "().__class__.__bases__[0]", "exec('1')", "open('/x')", "lambda: 1", "t.real"]


@pytest.mark.parametrize("formula", CODE)
def test_formulas_are_data_and_never_code(client, formula):
    text = FOUR_BAR + f'\n[forces.f]\ntype = "moment"\nbody = "crank"\nvalue = "{formula}"\n'
    told = client.job("check", text=text)["data"]
    assert not told["ok"] and "forces.f" in str(told["problems"])
    assert client.job("run", text=text)["data"]["problems"]
    text = FOUR_BAR + f'\n[parameters]\np = "{formula}"\n'
    assert not client.job("check", text=text)["data"]["ok"]


def test_the_check_report_and_the_comparison(client):
    told = client.job("full_check", text=FOUR_BAR)["data"]
    assert told["data"]["ok"] and "freedom by rank: 1" in told["text"]
    messages = client.post(
        "compare", {"text": FOUR_BAR, "pairs": ["projection+rk4"], "steps": ["1 ms", 0.01], "duration": "0.2 s"}
    )
    assert any("rk4" in m.get("text", "") for m in messages[:-1])
    rows = messages[-1]["data"]["rows"]
    assert [r["step"] for r in rows] == [0.001, 0.01] and rows[0]["position_error"] < rows[1]["position_error"] < 1e-2
    assert client.job("compare", text=FOUR_BAR, pairs=["nonsense"])["kind"] == "refused"
    assert client.job("compare", text=FOUR_BAR, pairs=["augmented+rk4"], steps=["-1"])["kind"] == "refused"
    (problem,) = client.job("compare", text=FOUR_BAR, pairs=["relative:conserving"])["problems"]
    assert "relative" in problem["what"]


WAYS = ["augmented+rk4", "relative:projection+rk4", "conserving", "augmented+dopri5", "baumgarte+euler"]


def test_the_comparison_is_that_of_the_command(client, tmp_path):
    """Also of what does not go together, of coordinates, and of integrators that control their error."""
    import csv
    import io

    from typer.testing import CliRunner

    from biela.cli.app import app

    asked = {"text": FOUR_BAR, "pairs": WAYS, "steps": ["2 ms"], "tolerances": ["1e-6"], "duration": "0.1"}
    rows = client.job("compare", **asked)["data"]["rows"]
    options = [x for way in WAYS for x in ("--pair", way)]
    done = CliRunner().invoke(app, ["compare", "four-bar", *options, "--step", "2e-3", "--tolerance", "1e-6",
                                    "--duration", "0.1", "--json"])  # fmt: skip
    told = json.loads(done.stdout[done.stdout.index("{") :])["rows"]
    exact = ("pair", "coordinates", "step", "tolerance", "status", "steps", "evaluations", "position_error")
    assert [[r[k] for k in exact] for r in rows] == [[r[k] for k in exact] for r in told]
    assert all(r["status"] == "finished" or r["message"] for r in rows) and len(rows) == len(WAYS)
    exported = client.job("export", kind="comparison", **asked)
    table = list(csv.DictReader(io.StringIO(base64.b64decode(exported["data"]).decode())))
    assert [r["pair"] for r in table] == [r["pair"] for r in rows]
    assert [float(r["position_error"] or 0) for r in table] == [r["position_error"] or 0 for r in rows]


@pytest.mark.parametrize(
    "kind, suffix, first",
    [
        ("model", ".toml", b"# A crank-rocker"),
        ("csv", ".csv", b"t [s]"),
        ("json", ".json", b"{"),
        ("player", ".html", b"<!DOCTYPE html>"),
        ("report", ".html", b"<!DOCTYPE html>"),
        ("gif", ".gif", b"GIF8"),
        ("sketch-svg", ".svg", b"<?xml"),
        ("sketch-png", ".png", b"\x89PNG"),
        ("plot-png", ".png", b"\x89PNG"),
        ("plot-svg", ".svg", b"<?xml"),
    ],
)
def test_everything_can_be_exported(client, kind, suffix, first):
    told = client.job("export", text=FOUR_BAR, kind=kind, settings={"samples": 50, "duration": "0.2"}, channels=["P.x"])
    assert told["kind"] == "done", told
    assert told["file"].startswith("four-bar") and told["file"].endswith(suffix)
    assert base64.b64decode(told["data"]).startswith(first)


def test_a_structure_has_a_report_but_no_motion(client):
    text = FOUR_BAR.replace("[bodies.rocker]", '[bodies.brace]\ntype = "rod"\npoints = ["O", "B"]\n\n[bodies.rocker]')
    text = text[: text.index("[coordinates")]
    told = client.job("export", text=text, kind="report")
    assert told["kind"] == "done" and "nothing can move" in base64.b64decode(told["data"]).decode()
    assert client.job("export", text=text, kind="player")["kind"] == "refused"
    assert client.job("export", text=text, kind="report", settings={"integrator": "rk4"})["kind"] == "refused"


def test_nothing_else_is_exported(client):
    assert client.job("export", text=FOUR_BAR, kind="../x")["kind"] == "refused"
