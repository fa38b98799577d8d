"""Motions given as tables and files: splines, noise, units, and everything that can be wrong with them."""

import numpy as np
import pytest

import biela
from biela.analysis.inverse.spline import noise_of, smooth

T = np.linspace(0.0, 1.0, 201)


def crank(t, w=6.0):
    return 0.3 + w * t + 0.4 * np.sin(3 * t)


LAW = "0.3 + 6*t + 0.4*sin(3*t)"


def exact(times):
    return np.asarray(biela.inverse("four-bar", {"crank_angle": LAW}, times=times)["crank_angle.effort"])


@pytest.mark.parametrize(
    "motion",
    [
        {"crank_angle": (T, crank(T))},
        {"t": T, "crank_angle": crank(T)},
        {"time [ms]": 1000 * T, "crank_angle [deg]": np.degrees(crank(T))},
        {"crank_angle": {"x": T.tolist(), "y": crank(T).tolist()}},
        [{"t": T, "crank_angle": crank(T)}],
        {"crank.angle": (T, crank(T))},
    ],
)
def test_a_table_in_any_form(motion):
    r = biela.inverse("four-bar", motion)
    assert len(r.t) == len(T)
    (name,) = r.gap
    np.testing.assert_allclose(r[f"{name}.effort"], exact(T), rtol=0, atol=2e-5)


def test_splines_converge():
    """The quintic by the fourth order of the spacing in its accelerations, the cubic by the second."""
    gaps = {}
    for spline in ("quintic", "cubic"):
        for n in (26, 51, 101):
            t = np.linspace(0, 1, n)
            table, times = {"crank_angle": (t, crank(t))}, np.linspace(0.3, 0.7, 21)
            r = biela.inverse("four-bar", table, spline=spline, times=times)
            gaps[spline, n] = np.abs(r["crank_angle.effort"] - exact(np.asarray(r.t))).max()
    assert gaps["quintic", 51] < gaps["quintic", 26] / 10 and gaps["quintic", 101] < gaps["quintic", 51] / 10
    assert gaps["cubic", 51] < gaps["cubic", 26] / 3 and gaps["cubic", 101] < gaps["cubic", 51] / 3
    assert gaps["quintic", 101] < 0.01 * gaps["cubic", 101]


def test_noise_is_told_and_smoothed():
    rng = np.random.default_rng(3)
    t = np.linspace(0, 1, 501)
    noisy = crank(t) + 2e-4 * rng.standard_normal(len(t))
    inner = slice(40, -40)
    truth = exact(t)
    rough = biela.inverse("four-bar", {"crank_angle": (t, noisy)})
    assert any("looks noisy by about 0.0002" in note for note in rough.notes)
    for noise in ("auto", {"crank_angle": "0.2 mrad"}):
        r = biela.inverse("four-bar", {"crank_angle": (t, noisy)}, smoothing=noise)
        assert any("was smoothed" in note and "0.000" in note for note in r.notes)
        error = np.abs(np.asarray(r["crank_angle.effort"]) - truth)[inner].max()
        assert error < 0.1 * np.abs(truth).max() and error < 0.02 * np.abs(rough["crank_angle.effort"] - truth).max()
    calm = biela.inverse("four-bar", {"crank_angle": (T, crank(T))})
    assert not any("noisy" in note for note in calm.notes)


def test_the_smoothing_spline():
    t = np.sort(np.random.default_rng(0).uniform(0, 2, 300))
    y = 1 + 2 * t - 3 * t**2  # a parabola costs nothing: the penalty is on the third derivative
    fit = smooth(t, y, 1e-3)
    assert fit.largest < 1e-5
    noise = 1e-3 * np.random.default_rng(1).standard_normal(300)
    assert 0.7e-3 < noise_of(t, np.sin(4 * t) + noise) < 1.3e-3
    fit = smooth(t, np.sin(4 * t) + noise, 1e-3)
    assert abs(fit.rms - 1e-3) < 2e-5
    error = fit.spline(t) - np.sin(4 * t)
    assert np.sqrt(np.mean(error**2)) < 0.6e-3 and np.abs(error[20:-20]).max() < 1e-3


def test_angles_that_jump_by_a_turn():
    t = np.linspace(0, 2, 201)
    wrapped = np.mod(crank(t) + np.pi, 2 * np.pi) - np.pi
    r = biela.inverse("four-bar", {"crank_angle": (t, wrapped)})
    whole = biela.inverse("four-bar", {"crank_angle": (t, crank(t))})
    np.testing.assert_allclose(r["crank_angle.effort"], whole["crank_angle.effort"], rtol=0, atol=1e-9)
    assert any("whole turn 2 times" in note for note in r.notes)


def test_files_that_biela_wrote(tmp_path):
    run = biela.simulate("four-bar", 0.2, samples=100, tolerance=1e-11)
    run.to_netcdf(tmp_path / "run.nc")
    run.to_csv(tmp_path / "run.csv")
    names = ["crank_angle", "crank_angle.rate", "crank_angle.acceleration"]
    run.to_csv(tmp_path / "states.csv", names)
    for given in (run, str(tmp_path / "run.nc"), run.to_xarray(), tmp_path / "states.csv"):
        r = biela.inverse("four-bar", given)
        assert np.abs(r["crank_angle.effort"]).max() < 1e-6, given  # nothing drives it
    over = biela.inverse("four-bar", tmp_path / "run.csv")  # ten columns for one freedom, differentiated
    assert any("prescriptions for 1 freedom" in note for note in over.notes)
    assert any("prescribe nothing" in note and "energy.kinetic" in note for note in over.notes)
    assert np.abs(np.asarray(over["crank_angle.effort"])[10:-10]).max() < 2e-3 * over.scale
    space = biela.simulate("bricard", 0.3, samples=10, tolerance=1e-11)
    space.to_netcdf(tmp_path / "bricard.nc")
    for coordinates in ("natural", "reference-point", "relative", "mixed"):
        r = biela.inverse("bricard", tmp_path / "bricard.nc", motors="H0.angle", coordinates=coordinates)
        assert np.abs(r["H0.angle.effort"]).max() < 1e-8 and any("no motor" in n for n in r.notes) is False


def csv(tmp_path, text):
    path = tmp_path / "motion.csv"
    path.write_text(text)
    return path


ROWS = "\n".join(f"{t},{0.3 + t}" for t in np.linspace(0, 1, 11))
BAD_FILES = {
    "": "the table is empty",
    ROWS: "the table has no header",
    "t,crank_angle\n0,1\n1,2\n": "the table is too short",
    "t,crank_angle\n" + ROWS.replace("0.5,", "0.4,", 1): "a time is there twice",
    "t,crank_angle\n" + ROWS.replace("0.5,", "0.3,", 1): "the times do not increase",
    "t,crank_angle\n" + ROWS.replace("0.5,0.8", "0.5,"): "the table has a gap",
    "t,crank_angle\n" + ROWS.replace("0.5,0.8", "0.5,nan"): "has a gap",
    "t,crank_angle\n" + ROWS.replace("0.5,0.8", "0.5,much"): "'much' is not a number",
    "t,crank_angle\n" + ROWS.replace("0.5,0.8", "0.5,0.8,7"): "has another length",
    "crank_angle,P.x\n" + ROWS: "the table has no times",
    "t,crnk\n" + ROWS: "column 'crnk' is not a coordinate",
    "t,t\n" + ROWS: "two columns are called 't'",
    "t,energy.kinetic\n" + ROWS: "no column of the table is a coordinate",
    "t,crank_angle [mm]\n" + ROWS: "should be an angle",
    "t,crank_angle [parsec]\n" + ROWS: "cannot be understood",
    "t [m],crank_angle\n" + ROWS: "should be a time",
    "t\n" + "\n".join(map(str, range(9))): "nothing but times",
}


@pytest.mark.parametrize("text", BAD_FILES, ids=list(BAD_FILES.values()))
def test_bad_files(tmp_path, text):
    with pytest.raises(biela.MethodError) as error:
        biela.inverse("four-bar", csv(tmp_path, text))
    assert BAD_FILES[text] in str(error.value) and "motion.csv" in str(error.value)


def bad(message, model="four-bar", kind=biela.BielaError, **options):
    options.setdefault("t_end", 0.5)
    with pytest.raises(kind) as error:
        biela.inverse(model, **{"motion": {"crank_angle": "6*t"}, **options})
    assert message in str(error.value), str(error.value)


def test_bad_requests(tmp_path):
    bad("no coordinate 'crnk'", motion={"crnk": "t"}, kind=biela.ModelError)
    bad("no coordinate 'nowhere'", motors=["nowhere"])
    bad("cannot be understood", motion={"crank_angle": "2*"})
    bad("which motion?", motion=None)
    bad("for how long?", model=no_run(), t_end=None)
    bad("there are no coordinates 'polar'", coordinates="polar")
    bad("free = 'float'", free="float")
    bad("there is no spline", spline="linear")
    bad("no table to be smoothed", smoothing=0.1)
    bad("smoothing = -1", motion={"crank_angle": (T, T)}, smoothing=-1, t_end=None)
    bad("smoothing = '3 kg'", motion={"crank_angle": (T, T)}, smoothing="3 kg", t_end=None)
    bad("tolerance", tolerance=-1.0)
    bad("samples = 0", samples=0)
    bad("cannot end at t = -1", t_end=-1.0)
    bad("times gives the instants", times=[0, 1])
    bad("do not increase", times=[0.0, 0.2, 0.1], t_end=None)
    bad("does not reach so far", motion={"crank_angle": (T, T)}, t_end=2.0)
    bad("does not reach so far", motion={"crank_angle": (T, T)}, times=[-0.1, 0.5], t_end=None)
    bad("no time in common", motion=[{"crank_angle": (T, T)}, {"P.x": (T + 5, T)}], t_end=None)
    bad("another length", motion={"crank_angle": (T, T[:-1])})
    bad("is not a motion", motion="walk.xyz")
    bad("is not a motion", motion=3)
    bad("cannot read", motion=tmp_path / "absent.csv")
    bad("cannot read", motion=tmp_path / "absent.nc", t_end=None)
    (tmp_path / "broken.nc").write_text("hello")
    bad("cannot read", motion=tmp_path / "broken.nc", t_end=None)
    bad("instants of its own", motion=biela.simulate("four-bar", 0.1, samples=5))
    bad("has no value at t = 0.45", motion={"crank_angle": "if(t < 0.45, 6*t, 2.7 + sqrt(0.45 - t))"}, samples=10)
    bad("fixed to the ground", motion={"O.x": "t"})
    bad("is not the name of a coordinate", motion={5: "t"})


def no_run():
    model = biela.load("four-bar")
    model.run = {}
    return model


def test_what_cannot_be(tmp_path):
    # more than the freedoms, and contradictory: with the gap
    bad("contradict one another", motion={"crank_angle": "6*t", "P.x": "0.1 + t"}, kind=biela.AssemblyError)
    bad("a gap of", motion={"crank_angle": "6*t", "P.x": "0.1 + t"})
    # beyond the reach of the joints, and a jump
    bad("rocker.angle should be", motion={"rocker.angle": "2 + t"}, t_end=1.0, kind=biela.AssemblyError)
    bad("cannot be followed", motion={"crank_angle": "if(t > 0.2, 1, 0)"}, samples=10)
    # fewer than the freedoms: what is free, and the way out
    with pytest.raises(biela.AssemblyError) as error:
        biela.inverse("double-pendulum", {"phi1": "t"}, t_end=1.0)
    text = str(error.value)
    assert "1 freedom is left" in text and "phi2" in text and "disc" in text and 'free="simulate"' in text
    # motors that do not reach all that moves
    both = {"phi1": "t", "phi2": "2*t"}
    bad("the motors cannot produce this motion", "double-pendulum", motion=both, motors=["phi1"])
    bad("N m is missing", "double-pendulum", motion=both, motors=["phi1"])
    bad("motors act where motion is prescribed", "double-pendulum", motion={"phi1": "t"}, motors=["phi2"],
        free="simulate")  # fmt: skip
    # a recording of something else, or of a broken mechanism
    run = biela.simulate("four-bar", 0.1, samples=5)
    bad("does not contain", "double-pendulum", motion=run, motors=["phi1"], t_end=None)
    longer = biela.load("four-bar")
    rocker = longer.bodies["rocker"].model_copy(update={"length": 0.26})
    longer.bodies = {**longer.bodies, "rocker": rocker}
    bad("the position of the recording breaks", longer, motion=run, t_end=None, kind=biela.AssemblyError)
    bad("where do the motors act?", "double-pendulum", motion=biela.simulate("double-pendulum", 0.1), t_end=None)


def test_prescribing_what_a_joint_holds():
    m = biela.Model(name="pinned").add_ground("O", 0, 0).add_point("P", 1, 0)
    m.add_body("bar", {"A": (0, 0), "P": (1, 0)}, mass=1.0, center=(0.5, 0), inertia=0.1)
    m.add_joint("pin", "revolute", points=("O", "A"))
    bad("'A.x' cannot move", m, motion={"bar.angle": "t", "A.x": "t"})
    table = {"t": T, "bar.angle": T, "A.x": 0 * T, "A.y": 0 * T}
    r = biela.inverse(m, table)
    assert any("prescribe nothing: A.x, A.y" in note for note in r.notes)
    bad("'A.x' cannot move", m, motion={**table, "A.x": T}, t_end=None)


def test_an_interruption_keeps_what_there_is():
    def stop(after):
        def progress(fraction, count):
            if fraction > after:
                raise KeyboardInterrupt

        return progress

    for after in (0.2, 0.8):  # while following, and while solving
        r = biela.inverse("four-bar", {"crank_angle": "6*t"}, t_end=1.0, samples=200, progress=stop(after))
        assert not r.ok and r.interrupted and "kept" in r.message and 20 <= len(r.t) < 200
        assert len(r["crank_angle.effort"]) == len(r.t) and r.power_error < 1e-9 * r.power_scale


def test_progress_is_told():
    seen = []
    biela.inverse("four-bar", {"crank_angle": "6*t"}, t_end=1.0, samples=100, progress=lambda f, n: seen.append(f))
    assert seen == sorted(seen) and seen[-1] == 1.0 and len(seen) > 8


def test_a_gap_between_the_times_is_named():
    t = np.linspace(0, 1, 101)
    keep = (t < 0.4) | (t > 0.7)
    with pytest.raises(biela.MethodError, match="gap") as error:
        biela.inverse("rod-pendulum", {"t": t[keep], "phi": np.sin(t[keep])})
    assert "0.39 s" in str(error.value) and "0.7 s" in str(error.value)
