"""Tables as laws: forces keep to their points, drivers have accelerations, and a spline that swings is spoken of."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

import biela
from biela import bondgraph as bg
from biela.model.interpolation import curve, overshoot

JUMP = {"x": [0, 5, 5.1, 5.2, 10], "y": [0, 0, 1000, 0, 0]}


def pushed(table) -> biela.Model:
    model = biela.Model(name="pushed", gravity=(0, 0)).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    return model.add_force("f", "force", point="P", value=[table, 0])


def carried(table, duration: float = 10.0) -> biela.Model:
    model = biela.Model(name="carried", gravity=(0, 0)).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    model.run = {"duration": duration}
    return model.add_driver("d", "P.x", table).add_driver("e", "P.y", 0)


def test_a_force_is_what_its_table_says():
    r = biela.simulate(pushed(JUMP), 10.0)
    twice = PchipInterpolator(JUMP["x"], JUMP["y"]).antiderivative(2)
    assert float(r["P.x"][-1]) == pytest.approx(float(twice(10.0)), rel=1e-6)
    assert not any("leaves its points" in note for note in r.notes)
    assert not biela.check(pushed(JUMP)).doubts


def test_a_spline_that_swings_is_told_with_its_numbers():
    model = pushed({**JUMP, "interpolation": "cubic"})
    extreme = CubicSpline(JUMP["x"], JUMP["y"])(np.linspace(0, 10, 100_001)).min()
    for told in (biela.simulate(model, 1.0).notes, biela.check(model).doubts):
        (line,) = [x for x in told if "leaves its points" in x]
        assert "forces.f.value, x" in line and "pchip" in line
        assert "between 0 and 5" in line and "0 and 0" in line
        said = float(line.partition("it reaches ")[2].split()[0])
        assert said == pytest.approx(extreme, rel=0.02)


def test_drivers_have_continuous_accelerations_unless_asked_otherwise():
    x, y = [0, 0.3, 0.7, 1.0, 1.5], [0, 0.1, 0.4, 0.5, 0.7]
    spline = CubicSpline(x, y)
    r = biela.kinematics(carried({"x": x, "y": y}, 1.5), count=301)
    assert np.asarray(r["P.ax"]) == pytest.approx(spline(np.asarray(r.t), 2), rel=1e-9, abs=1e-9)
    other = biela.kinematics(carried({"x": x, "y": y, "interpolation": "pchip"}, 1.5), count=301)
    assert np.asarray(other["P.vx"]) == pytest.approx(PchipInterpolator(x, y)(np.asarray(r.t), 1), rel=1e-9, abs=1e-9)


def test_a_driver_whose_spline_swings_is_told():
    notes = biela.kinematics(carried(JUMP), count=11).notes
    assert any("drivers.d.law leaves its points" in note and "more points" in note for note in notes)
    smooth = np.linspace(0, 6, 25)
    fine = carried({"x": smooth.tolist(), "y": np.sin(smooth).tolist()}, 6.0)
    assert not any("leaves" in note for note in biela.kinematics(fine, count=11).notes)


@pytest.mark.parametrize("per_period", [8, 12, 40])
def test_a_sampled_sine_is_no_alarm(per_period):
    x = np.linspace(0, 2, 2 * per_period + 1)
    for phase in np.linspace(0, 1, 7):
        y = np.sin(2 * np.pi * x + phase)
        assert overshoot(x, y, curve(x, y, "cubic")) is None


def test_a_step_through_a_spline_is_an_alarm():
    x, y = np.arange(8.0), (np.arange(8) > 3) * 5.0
    found = overshoot(x, y, curve(x, y, "cubic"))
    assert found is not None and 0.25 < found.by < 1.0
    assert overshoot(x, y, curve(x, y, "pchip")) is None and overshoot(x, y, curve(x, y, "linear")) is None


def test_motions_from_files_tell_their_swings(tmp_path):
    """A jump among even rows: the quintic spline of inverse dynamics rings beside it."""
    t = np.linspace(0, 1, 21)
    y = np.where(t > 0.52, 0.2, 0.0)
    path = tmp_path / "motion.csv"
    path.write_text("t,P.x\n" + "".join(f"{a},{b}\n" for a, b in zip(t, y)))
    model = biela.Model(name="m", gravity=(0, 0)).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    for motion in (str(path), {"P.x": {"x": t.tolist(), "y": y.tolist(), "interpolation": "cubic"}}):
        notes = biela.inverse(model, motion=[motion, {"P.y": 0}]).notes
        assert any("P.x leaves its table: it reaches" in note for note in notes), notes


def test_what_joins_the_points_of_a_motion_is_not_ignored():
    t = np.linspace(0, 1, 21)
    model = biela.Model(name="m", gravity=(0, 0)).add_point("P", 0, 0).add_mass("p", "P", 1.0)
    for said in ({"interpolation": "linear"}, {"interpolation": "pchip"}, {"smooth": True}):
        with pytest.raises(biela.MethodError, match=r"interpolation|smooth"):
            biela.inverse(model, motion={"P.x": {"x": t.tolist(), "y": (t**2).tolist(), **said}})


@pytest.mark.parametrize("interpolation", ["pchip", "cubic", "linear"])
def test_bond_graphs_read_tables_as_mechanisms_do(interpolation):
    table = {"x": [0, 0.5, 0.6, 0.7, 2], "y": [0, 0, 10, 0, 0], "interpolation": interpolation}
    g = bg.BondGraph(name="g").add("v", "1").add("m", "I", inertia=1).add("s", "Se", effort=table)
    g.bond("b1", "v", "m").bond("b3", "s", "v")
    r = g.simulate(2.0, tolerance=1e-9, samples=41)
    x, y = table["x"], table["y"]
    t = np.linspace(0, 2, 200_001)
    force = curve(x, y, interpolation)(t)
    impulse = float(np.sum((force[1:] + force[:-1]) / 2) * (t[1] - t[0]))
    assert float(r["m.p"][-1]) == pytest.approx(impulse, rel=1e-3)
    assert any("leaves its points" in note for note in r.notes) == (interpolation == "cubic")
