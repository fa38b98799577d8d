"""The report: every section there or its reason, numbers those of the result, one file that needs nothing else."""

import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

import biela
from biela.system.symbols import symbolic_system
from biela.views.report import SECTIONS, report

VOID = {"meta", "br", "hr", "img", "link", "input"}


@pytest.fixture(autouse=True, scope="module")
def plain():
    """Formulas as they come: what makes them short is tested with `explain`, and takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symbolic_system, "FEW", 0)
        yield


class Outline(HTMLParser):
    """Which elements are open; what is wrong with them."""

    def __init__(self, html):
        super().__init__()
        self.open, self.wrong, self.seen, self.links = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.links += [v for k, v in attributes if k in ("src", "href", "xlink:href", "action") and v]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)
        self.links += [v for k, v in attributes if k in ("src", "href", "xlink:href", "action") and v]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def sections(html):
    """Title -> its text, tags taken out."""
    found = re.findall(r"<section[^>]*><h2[^>]*>(.*?)</h2>(.*?)</section>", html, re.DOTALL)
    return {title: unescape(re.sub(r"<[^>]+>", " ", body)) for title, body in found}


@pytest.mark.parametrize(
    "name, t_end, missing",
    [
        ("four-bar", 0.3, []),
        ("simple-pendulum", 0.3, []),
        ("car-axis", 0.2, ["Kinematics"]),
        ("kinematics-003-sliding", 0.2, []),
        ("cardan", 0.2, []),
        ("heavy-top", 0.1, ["Kinematics"]),
    ],
)
def test_planar_and_spatial_driven_and_free(name, t_end, missing):
    html = report(name, t_end=t_end, samples=60)
    told = sections(html)
    assert list(told) == list(SECTIONS)
    for title, text in told.items():
        assert ("Not computed for this mechanism" in text) == (title in missing), (title, text[:300])
        assert len(text.split()) > 5 and "nan" not in text.split()
    page = Outline(html)
    assert not page.wrong and not page.open, (page.wrong[:5], page.open[:5])
    assert {"svg", "math", "table"} <= set(page.seen) and not {"script", "img", "iframe", "link"} & set(page.seen)
    assert all(link.startswith("#") for link in page.links)
    assert "url(http" not in html and "@import" not in html


def test_its_numbers_are_those_of_the_result():
    result = biela.simulate("four-bar", 0.5, samples=200)
    told = sections(result.report())
    assert f"{float(np.max(result.reaction('A').force.norm)):.6g}" in told["Reactions"]
    assert f"{result.trajectory.energy_error:.2e}".replace("-", "−") in told["Quality"]
    assert f"{result.final['P'][0]:.6g}".replace("-", "−") in told["Dynamics"]
    least = float(biela.kinematics("four-bar").transmission_angle("B").to("deg").min())
    assert f"{least:.6g}"[:5] in told["Kinematics"]
    assert "1 freedom by rank" in told["Mobility"]


def test_what_does_not_change_is_largest_at_no_time():
    turning = dict(re.findall(r'row">([\w.]+)</th>(.*?)</tr>', report("four-bar", t_end=0.1, samples=20)))
    assert turning["A.speed"].count("<td class=number></td>") == 2  # the crank turns evenly
    assert turning["crank.angular_acceleration"].count("<td class=number></td>") == 2
    assert "<td class=number></td>" not in turning["B.speed"] and "<td class=number></td>" not in turning["A"]
    model = biela.Model(name="hangs", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("A", 0, -1)
    html = report(model.add_bar("bar", "O", "A", mass=2.0), t_end=0.1, samples=20)
    hung = dict(re.findall(r'row">(\w+)</th>(.*?)</tr>', html))["O"]
    assert hung.endswith("<td class=number>19.62</td><td class=number></td>")


def test_what_cannot_be_simulated_is_said_and_the_rest_is_there():
    model = biela.load("four-bar")
    model.add_bar("brace", "O", "B", mass=1.0)  # now a structure
    model.initial = type(model.initial)()
    told = sections(report(model))
    assert "nothing can move" in told["Dynamics"] and "nothing on: reactions, quality" in told["Dynamics"]
    assert "Reactions" not in told and "Quality" not in told  # said once
    assert "Not computed" not in told["Equations"] and "brace" in told["Mechanism"]


def test_a_run_that_stopped_says_so():
    told = sections(report("folding-four-bar", formulation="lagrange", integrator="rk4", step=1e-2, samples=50))
    stopped = not biela.simulate("folding-four-bar", formulation="lagrange", integrator="rk4", step=1e-2).ok
    assert ("The run stopped" in told["Quality"]) == stopped


def test_titles_and_names_are_text():
    model = biela.load("simple-pendulum").model_copy(update={"title": "<script>alert(1)</script> & co"})
    html = report(model, t_end=0.1, samples=10)
    assert "<script" not in html and "&lt;script&gt;" in html


def test_written_whole_from_a_result_and_by_the_command(tmp_path):
    path = tmp_path / "r.html"
    html = biela.simulate("simple-pendulum", 0.1, samples=10).report(path)
    assert path.read_text(encoding="utf-8") == html
    from typer.testing import CliRunner

    from biela.cli.app import app

    out = tmp_path / "c.html"
    done = CliRunner().invoke(app, ["report", "simple-pendulum", "--duration", "0.1", "-o", str(out)])
    assert done.exit_code == 0 and "wrote" in done.output
    assert list(sections(out.read_text(encoding="utf-8"))) == list(SECTIONS)
    refused = CliRunner().invoke(app, ["report", "simple-pendulum", "-o", str(tmp_path / "x.txt")])
    assert refused.exit_code == 2 and not (tmp_path / "x.txt").exists()


def test_a_chain_of_many_bodies_keeps_to_a_page():
    model = biela.load("chain").with_parameters(n=60)
    html = report(model, t_end=0.05, samples=5)
    told = sections(html)
    assert "too large" in told["Equations"] and "more" in told["Mechanism"]
    assert len(html) < 3_000_000


def test_a_mechanism_that_cannot_be_put_together_has_its_reason_once():
    model = biela.Model(name="apart").add_ground("O", 0, 0).add_ground("D", 5, 0).add_point("A", 0.1, 0)
    model.add_bar("crank", "O", "A", mass=1.0, length=0.1).add_bar("rocker", "D", "A", mass=1.0, length=0.2)
    html = report(model)
    assert html.count("Not computed for this mechanism") <= 2, sections(html)
    assert "For the same reason there is nothing on" in html


def test_signs_are_true_and_pairs_of_rows_are_explained():
    text = " ".join(sections(report("double-pendulum", t_end=0.2, samples=20)).values())
    assert not re.findall(r"(?<![\w.)])-\d\S*|\de-\d+", text) and "−" in text
    assert "in mixed coordinates an angle has two rows, its sine and its cosine" in text and "(s)" not in text
