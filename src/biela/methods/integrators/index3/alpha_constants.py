"""Constants of the alpha family (Newmark, HHT, generalized-alpha) from their damping.   [D.17]"""

from __future__ import annotations


def alphas(name: str, rho: float) -> tuple[float, float, float, float]:
    """alpha_m, alpha_f, beta, gamma for a spectral radius rho at infinite frequency (Chung & Hulbert 1993)."""
    loss = (1.0 - rho) / (1.0 + rho)
    if name.startswith("generalized-alpha"):
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        gamma = 0.5 + af - am
        return am, af, 0.25 * (gamma + 0.5) ** 2, gamma
    af = loss if name == "hht" else 0.0
    return 0.0, af, 0.25 * (1.0 + loss) ** 2, 0.5 + loss
