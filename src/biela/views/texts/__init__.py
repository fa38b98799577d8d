"""The figures of the texts biela is built from, each drawn anew by one call or by `biela figure`."""

from .table import FIGURES, figure

__all__ = ["FIGURES", "figure"]
