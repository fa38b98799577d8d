"""The double pendulum of 000: a square and a disc, let go from the horizontal, 10 s."""

from harness.planar import GROUND, Planar

END = (-0.6990744297, 0.6459089873)
"""of P2 after 10 s: minimal equations of SymPy, order 8, tolerances 1e-12 and 3e-14 agree to 1e-10"""


def problem(size: int = 0, duration: float = 10.0) -> Planar:
    """P2 is watched."""
    return Planar(
        "double_pendulum",
        [1.0, 1.0],
        [2 / 3, 0.5],
        [(1.0, 1.0), (3.0, 0.0)],
        [(GROUND, 0, 0.0, 0.0), (0, 1, 2.0, 0.0)],
        duration,
        mechanism="double-pendulum",
        watch=(1, 4.0, 0.0),
        reference=lambda t: END,
    )
