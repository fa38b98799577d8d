"""Results, files, drawings, the terminal."""

import re

import numpy as np
import pytest

import biela
import biela.bondgraph as bg


def test_energy_is_balanced_and_has_names():
    r = bg.simulate("dc-motor", 0.2, samples=100, tolerance=1e-11)
    assert {"b1.power", "b1.energy", "winding.energy", "energy.stored", "energy.supplied"} <= set(r.channels())
    stored, supplied, lost = (np.asarray(r[f"energy.{x}"]) for x in ("stored", "supplied", "dissipated"))
    assert np.abs(stored - supplied + lost).max() < 1e-8 * supplied.max()
    assert np.asarray(r["b3.power"]).min() >= 0 and r.unit("b3.power") == "W" and r.unit("b3.energy") == "J"
    assert np.abs(np.asarray(r["b2.energy"]) - np.asarray(r["winding.energy"])).max() < 1e-9 * supplied.max()


def test_tables_and_files(tmp_path):
    r = bg.simulate("rack", 0.5, samples=20)
    r.to_csv(tmp_path / "a.csv", ["wheel.p", "b6.power"])
    head, first = (tmp_path / "a.csv").read_text().splitlines()[:2]
    assert head == "t [s],wheel.p [N*m*s],b6.power [W]" and first.startswith("0,")
    data = r.to_xarray()
    assert data["spring.q"].attrs["units"] == "m" and data.attrs["model"] == "rack"
    r.to_netcdf(tmp_path / "a.nc")
    figure = r.plot("spring.q", "b6.power", path=tmp_path / "p.png")
    assert [axes.get_ylabel() for axes in figure.axes] == ["spring.q [m]", "b6.power [W]"]


@pytest.mark.parametrize("name", bg.names())
def test_files_are_read_back_equal(name, tmp_path):
    g = bg.load(name)
    g.save(tmp_path / "g.toml")
    again = bg.load(tmp_path / "g.toml")
    assert again == g and again.equations.A == g.equations.A


def test_schema_accepts_the_library():
    jsonschema = pytest.importorskip("jsonschema")
    import tomllib

    from biela.bondgraph.model.file import GRAPHS

    for name in bg.names():
        jsonschema.validate(tomllib.loads((GRAPHS.folder / f"{name}.toml").read_text()), bg.json_schema())


def test_import_is_light():
    import subprocess
    import sys

    heavy = "{'numpy', 'sympy', 'scipy', 'matplotlib'}"
    code = f"import sys, biela; biela.bondgraph; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# --------------------------------------------------------------------------------------------- drawings
def test_text_shows_half_arrows_and_strokes():
    assert bg.load("mass-spring-damper").text() == (
        "1 v\n├┃↼──b1── Se weight : m*g\n├──b2──⇀┃ I mass : m\n├┃──b3──⇀ C spring : k\n└┃──b4──⇀ R damper : d"
    )
    assert bg.load("rack").text(ascii=True).splitlines()[-2] == "        +|--b6--> I rack : m  (derivative causality)"
    for name in bg.names():  # every bond once, loops too
        text = bg.load(name).text(ascii=True)
        assert sorted(re.findall(r"--(b\d+)--", text)) == sorted(bg.load(name).bonds)


@pytest.mark.parametrize("name", bg.names())
def test_layout_keeps_elements_apart(name):
    from itertools import combinations
    from math import dist

    from biela.bondgraph.layout import layout

    places = layout(bg.load(name))
    assert min(dist(a, b) for a, b in combinations(places.values(), 2)) > 0.75
    assert set(places) == set(bg.load(name).elements)


def test_drawing_follows_the_conventions(tmp_path):
    """Each bond: a line, a barb at the end where the half-arrow points, a bar across the end with the stroke."""
    from biela.bondgraph.layout import layout

    g = bg.load("two-mass")
    figure = g.draw(tmp_path / "g.svg")
    g.draw(tmp_path / "g.png")
    assert "<svg" in (tmp_path / "g.svg").read_text() and (tmp_path / "g.png").stat().st_size > 10_000
    places = layout(g)
    lines = [np.array(line.get_xydata()) for line in figure.axes[0].lines]
    assert len(lines) == 3 * len(g.bonds)
    for k, bond in enumerate(g.bonds):
        shaft, barb, stroke = lines[3 * k : 3 * k + 3]
        start, end = (np.array(places[x]) for x in g.bonds[bond])
        along = (end - start) / np.linalg.norm(end - start)
        assert np.allclose(barb[0], shaft[1]) and (barb[1] - barb[0]) @ along < 0  # at the end, pointing back
        at = np.array(places[g.causality.stroke[bond]])
        middle = stroke.mean(axis=0)
        assert np.linalg.norm(middle - at) == pytest.approx(min(np.linalg.norm(p - at) for p in shaft))
        assert abs((stroke[1] - stroke[0]) @ along) < 1e-12


def test_places_can_be_given(tmp_path):
    from biela.bondgraph.layout import layout

    g = bg.BondGraph(name="g").add("v", "1", at=(0, 0)).add("m", "I", inertia=1, at=(2, 1)).add("k", "C", stiffness=1)
    g.bond("b1", "v", "m").bond("b2", "v", "k")
    places = layout(g)
    assert places["m"] == (2.0, 1.0) and places["v"] == (0.0, 0.0) and "k" in places
    g.draw(tmp_path / "g.png")


def test_errors_leave_no_file(tmp_path):
    with pytest.raises(biela.BielaError):
        bg.load("rack").draw(tmp_path / "g.xyz")
    assert not list(tmp_path.iterdir())
