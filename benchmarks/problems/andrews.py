"""A03 of IFToMM: Andrews' squeezer, to 0.03 s; the error is that of the seven angles of the test set, in rad."""

from __future__ import annotations

import numpy as np
from harness.planar import GROUND, Planar

START = np.array(
    [
        -0.0617138900142764,
        0.0,
        0.455279819163070,
        0.222668390165886,
        0.487364979543843,
        -0.222668390165886,
        1.23054744454982,
    ]
)
END = np.array(
    [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
)
"""beta, Theta, gamma, Phi, delta, Omega, epsilon after 0.03 s (IVP test set, PSIDE at 1e-14)"""
rr, ra, d, da, ss, sa, sb, sc, sd = 0.007, 0.00092, 0.028, 0.0115, 0.035, 0.01874, 0.01043, 0.018, 0.02
e, ea, zt, ta, tb, zf, fa, u, ua, ub = 0.02, 0.01421, 0.04, 0.02308, 0.00916, 0.02, 0.01421, 0.04, 0.01228, 0.00449
A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
MASS = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
INERTIA = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
MOTOR, STIFFNESS, FREE = 0.033, 4530.0, 0.07785


def places(q, cos=np.cos, sin=np.sin):
    """Centres of K1 ... K7, and D; works for numbers and for symbols."""
    b, th, ga, ph, de, om, ep = (q[i] for i in range(7))
    return [
        (ra * cos(b), ra * sin(b)),
        (rr * cos(b) - da * cos(b + th), rr * sin(b) - da * sin(b + th)),
        (B[0] + sa * sin(ga) + sb * cos(ga), B[1] - sa * cos(ga) + sb * sin(ga)),
        (A[0] + zt * cos(de) + (e - ea) * sin(ph + de), A[1] + zt * sin(de) - (e - ea) * cos(ph + de)),
        (A[0] + ta * cos(de) - tb * sin(de), A[1] + ta * sin(de) + tb * cos(de)),
        (A[0] + u * sin(ep) + (zf - fa) * cos(om + ep), A[1] - u * cos(ep) + (zf - fa) * sin(om + ep)),
        (A[0] + ua * sin(ep) - ub * cos(ep), A[1] - ua * cos(ep) - ub * sin(ep)),
        (B[0] + sc * sin(ga) + sd * cos(ga), B[1] - sc * cos(ga) + sd * sin(ga)),
    ]


def constraints(q, cos=np.cos, sin=np.sin):
    """The six equations of the three loops."""
    b, th, ga, ph, de, om, ep = (q[i] for i in range(7))
    x, y = rr * cos(b) - d * cos(b + th), rr * sin(b) - d * sin(b + th)
    return [
        x - ss * sin(ga) - B[0],
        y + ss * cos(ga) - B[1],
        x - e * sin(ph + de) - zt * cos(de) - A[0],
        y + e * cos(ph + de) - zt * sin(de) - A[1],
        x - zf * cos(om + ep) - u * sin(ep) - A[0],
        y - zf * sin(om + ep) + u * cos(ep) - A[1],
    ]


def turns(q):
    """Angles of the seven bodies from the angles of the test set (whose differences they turn by)."""
    b, th, ga, ph, de, om, ep = (q[..., i] for i in range(7))
    return np.stack([b, b + th, ga, ph + de, de, om + ep, ep], axis=-1)


class Squeezer(Planar):
    """Compares seven angles instead of a point."""

    def position_error(self, motion: np.ndarray, t: float) -> float:
        """Largest error of an angle of the test set."""
        k = turns(START) + motion[-1, :, 2]
        q = np.array([k[0], k[1] - k[0], k[2], k[3] - k[4], k[4], k[5] - k[6], k[6]])
        return float(np.abs(q - END).max())


def problem(size: int = 0, duration: float = 0.03) -> Planar:
    """E is where K2, K3, K4 and K6 meet."""
    *centers, D = [(float(x), float(y)) for x, y in places(START)]
    be, de, ep = START[0], START[4], START[6]
    F = rr * np.cos(be), rr * np.sin(be)
    E = (rr - d) * np.cos(be), (rr - d) * np.sin(be)
    G = A[0] + zt * np.cos(de), A[1] + zt * np.sin(de)
    H = A[0] + u * np.sin(ep), A[1] - u * np.cos(ep)
    pins = [
        (GROUND, 0, 0.0, 0.0),
        (0, 1, *F),
        (GROUND, 2, *B),
        (GROUND, 4, *A),
        (GROUND, 6, *A),
        (4, 3, *G),
        (6, 5, *H),
        (1, 2, *E),
        (1, 3, *E),
        (1, 5, *E),
    ]
    pins = [(i, j, float(x), float(y)) for i, j, x, y in pins]
    return Squeezer(
        "andrews",
        MASS,
        INERTIA,
        centers,
        pins,
        duration,
        gravity=0.0,
        springs=[(2, D, (float(C[0]), float(C[1])), STIFFNESS, FREE)],
        torques=[(0, MOTOR)],
        mechanism="andrews",
        unit="rad",
        coarse=2e-4,
    )
