"""A ball on a table that shakes: every impact is met, however fast the table, by the law of the bouncing ball.

Between impacts y = y0 + v0 s - g s^2/2; at an impact with a table f(t) the velocity becomes f' - e (v - f'). The next
impact is found here by bracketing: from when the ball comes into the reach of the table on, at 400 instants a period.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq

import biela

G = 9.81


def impacts(a: float, f: float, e: float, height: float, end: float) -> list[float]:
    """Instants at which a ball that is dropped meets a sin(2 pi f t)."""
    w, t, y, v, out = 2 * np.pi * f, 0.0, height, 0.0, []
    while True:
        s = 1e-5 / f
        if y + v * s > a:  # above the reach of the table, up to when it comes back there
            s = max(s, (v + np.sqrt(v * v + 2 * G * (y - a))) / G)

        def gap(x: float | np.ndarray) -> float | np.ndarray:
            return y + v * x - 0.5 * G * x * x - a * np.sin(w * (t + x))  # noqa: B023

        fall = (v + np.sqrt(v * v + 2 * G * (y + a))) / G  # it is below the table then
        x = np.arange(s, fall + 1 / f, 1 / (400 * f))
        below = np.flatnonzero(gap(x) < 0)
        assert len(below) and below[0] > 0
        root = float(brentq(gap, x[below[0] - 1], x[below[0]], xtol=1e-16))
        t += root
        if t > end:
            return out
        u = a * w * np.cos(w * t)
        y, v = a * np.sin(w * t), u - e * (v - G * root - u)
        out.append(t)


def shaken(a: float, f: float, e: float, height: float) -> biela.Model:
    m = biela.Model(name="shaken", gravity=(0, -G), parameters={"a": a, "w": 2 * np.pi * f})
    m = m.add_point("P", 0, height).add_mass("ball", "P", mass=0.2)
    return m.add_stop("table", "P.y - a*sin(w*t)", lower=0, restitution=e)


@pytest.mark.parametrize(
    ("a", "f", "e", "height", "end"),
    [
        (1e-4, 1000.0, 0.9, 0.05, 5.0),
        (1e-4, 1000.0, 0.5, 0.01, 0.4),
        (3e-5, 3141.0, 0.8, 0.02, 0.6),
        (2e-3, 50.0, 0.7, 0.01, 0.5),
        (1e-2, 7.0, 0.6, 0.1, 1.5),
    ],
)
def test_no_impact_is_missed(a, f, e, height, end):
    exact = impacts(a, f, e, height, end)
    r = biela.simulate(shaken(a, f, e, height), end, samples=50)
    assert r.ok, r.message
    found = [x.t for x in r.events if x.kind == "impact"]
    # each impact multiplies what the one before was off by; after some they have nothing in common but the law
    together = 0
    while together < min(len(exact), len(found)) and abs(found[together] - exact[together]) < 1e-3 / f:
        together += 1
    assert together >= min(len(exact), 4), (found[:6], exact[:6])
    t, y = np.asarray(r.t), np.asarray(r["P.y"])
    assert (y - a * np.sin(2 * np.pi * f * t)).min() > -1e-9
    check_the_law(r, a, 2 * np.pi * f, e)


def check_the_law(r, a: float, w: float, e: float) -> None:
    """From impact to impact the flight is free, never below the table, and every impact obeys its law."""
    hits = [x for x in r.events if x.kind == "impact"]
    for one, two in pairwise(hits):
        v = one.after + a * w * np.cos(w * one.t)
        s = two.t - one.t
        y = a * np.sin(w * one.t)
        assert y + v * s - 0.5 * G * s * s == pytest.approx(a * np.sin(w * two.t), abs=1e-9)
        x = np.linspace(0, s, max(200, int(60 * s * w / (2 * np.pi))))[1:-1]
        assert (y + v * x - 0.5 * G * x * x - a * np.sin(w * (one.t + x))).min() > -1e-9
        assert one.after == pytest.approx(-e * one.before, rel=1e-9)


def test_a_narrow_bump_of_the_table_throws_the_ball():
    """A bump of a millisecond, between two steps of a ball that lies a centimetre above the table, is met."""
    m = biela.Model(name="bump").add_point("P", 0, 0.01).add_mass("ball", "P", mass=1)
    m.add_stop("table", "P.y - 0.02*exp(-((t - 2.3456789)/0.001)^2)", lower=0, restitution=1)
    r = biela.simulate(m, 5.0, samples=10)
    (hit,) = [x for x in r.events if x.kind == "impact"]
    lead = 0.001 * np.sqrt(np.log(2.0))
    rate = 0.01 * 2 * lead / 1e-6
    assert hit.t == pytest.approx(2.3456789 - lead, abs=1e-9)
    assert float(np.asarray(r["P.vy"])[-1]) == pytest.approx(2 * rate, rel=1e-6)
