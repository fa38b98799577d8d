"""The unit of what NumPy's functions give, function by function. What is not listed here gives a plain array."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .unit_algebra import Powers, angle_factor, powers, raised, times, written

KEEP = {np.negative, np.positive, np.absolute, np.fabs, np.conjugate, np.rint, np.floor, np.ceil, np.trunc}
"""of one argument, in its unit"""
LIKE = {np.add, np.subtract, np.maximum, np.minimum, np.fmax, np.fmin, np.hypot, np.remainder, np.fmod}
"""of two of a kind: a plain number is taken to be in the unit of the other"""
COMPARE = {np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal}
"""two of a kind, the answer without a unit"""
ONE_UNIT = {np.copyto, np.allclose, np.isclose, np.array_equal, np.array_equiv}
"""functions of two arrays that are compared, or put in one another's place"""
PRODUCT, QUOTIENT = {np.multiply, np.matmul, np.vecdot}, {np.divide, np.floor_divide}
POWERS = {np.sqrt: Fraction(1, 2), np.cbrt: Fraction(1, 3), np.square: Fraction(2), np.reciprocal: Fraction(-1)}
OF_ANGLE = {np.sin, np.cos, np.tan}
"""in degrees, too: the angle is turned into radians first"""
GIVES_ANGLE = {np.arcsin, np.arccos, np.arctan}
OF_NUMBER = {np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sinh, np.cosh, np.tanh}
TURNED = {np.degrees: ("rad", "deg"), np.rad2deg: ("rad", "deg"), np.radians: ("deg", "rad"),
          np.deg2rad: ("deg", "rad")}  # fmt: skip

SAME = {
    np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, np.append, np.sum, np.nansum, np.cumsum, np.mean,
    np.nanmean, np.median, np.nanmedian, np.std, np.nanstd, np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin,
    np.ptp, np.diff, np.ediff1d, np.percentile, np.quantile, np.nanpercentile, np.nanquantile, np.sort, np.flip,
    np.fliplr, np.flipud, np.roll, np.squeeze, np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis,
    np.broadcast_to, np.repeat, np.tile, np.round, np.around, np.clip, np.unwrap, np.copy, np.nan_to_num, np.take,
    np.delete, np.insert, np.atleast_1d, np.atleast_2d, np.expand_dims, np.real, np.linalg.norm, np.trim_zeros,
    np.resize, np.compress, np.extract, np.select, np.choose, np.where, np.trace, np.diagonal,
}  # fmt: skip
"""functions whose answer is in the unit of their arguments, if these are all of one unit"""
MULTIPLIED = {np.dot, np.inner, np.outer, np.cross, np.vdot, np.kron, np.convolve, np.correlate, np.trapezoid}
"""functions of two arguments that multiply one by the other"""
SQUARED = {np.var, np.nanvar}


def of_ufunc(ufunc: np.ufunc, units: list[str | None], exponent: object = None) -> str | None:
    """The unit of ufunc(...) with operands in these units (None: a plain number), all in one where that is needed;
    None where it is not known."""
    given = [u for u in units if u is not None]
    parts: list[Powers | None] = [{} if u is None else powers(u) for u in units]
    if ufunc in KEEP or ufunc in LIKE or ufunc is np.clip:
        return given[0] or None
    if ufunc in PRODUCT or ufunc in QUOTIENT:
        if ufunc is not np.floor_divide and [1 for u in units if u is None]:  # 2 x is what x is, as x/2
            if units[1] is None or ufunc in PRODUCT:
                return given[0] or None
        return written(times(parts[0], parts[1], 1 if ufunc in PRODUCT else -1))
    if ufunc in POWERS:
        return written(raised(parts[0], POWERS[ufunc]))
    if ufunc in (np.power, np.float_power):
        if units[1] is not None and parts[1] != {}:
            return None
        if np.ndim(exponent) == 0 and np.isfinite(float(exponent)):  # type: ignore[arg-type, call-overload]
            return written(raised(parts[0], Fraction(float(exponent)).limit_denominator(12)))  # type: ignore
        return "1" if parts[0] == {} else None
    if ufunc is np.arctan2:
        return "rad"
    if ufunc in OF_ANGLE:
        return "1" if angle_factor(given[0]) is not None else None
    if ufunc in TURNED:
        return TURNED[ufunc][1] if given[0] == TURNED[ufunc][0] else None
    if ufunc in OF_NUMBER or ufunc in GIVES_ANGLE:
        return None if parts[0] != {} else "rad" if ufunc in GIVES_ANGLE else "1"
    return None


def of_reduction(ufunc: np.ufunc, unit: str) -> str | None:
    """The unit of a sum, a largest value and the like."""
    if ufunc in LIKE - {np.subtract, np.remainder, np.fmod}:
        return unit
    return "1" if ufunc is np.multiply and powers(unit) == {} else None
