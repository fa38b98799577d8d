"""The sparse factor of accelerations and multipliers together, with a pattern that never changes.   [S.6]-[S.9]

    [ A   B^T ]                                  coordinates have positive pivots, rows negative ones;
    [ B    0  ] = L D L^T,  A = M + beta B^T W B    a row comes after all its coordinates

Nothing is searched, nothing allocated: where each product goes was found beforehand (`system.symbolic_saddle`).
"""

from __future__ import annotations

from math import sqrt

from ...machine.array_table import unpack, unpack_saddle
from ...machine.compiled import compiled
from .static import sparse_solve

LOST, NO_MASS = -1.0, -2.0
"""instead of a margin: more rows are implied than in a regular position; a coordinate without inertia"""
SILENT = 1e-18
"""square of a row, against the largest entry of Phi_x, up to which it is nothing but rounding"""
IMPLIED = 1e-10
"""share of its compliance that a row must have left to be more than what the rows before it say"""
USELESS = 1e-3
"""of the margin that a choice of rows had when it was made"""


@compiled()
def fill_saddle(header, whole):
    """The matrix, without the rows that are left out, or `whole`."""
    s, k = unpack(header), unpack_saddle(header)
    A, J, beta = k.kkt_A, s.J, s.par.beta
    for i in range(len(A)):
        A[i] = 0.0
    for i in range(len(k.kkt_ref)):
        k.kkt_ref[i] = 0.0
    for l in range(len(k.kkt_mass)):
        A[k.kkt_mass[l]] += s.mval[s.mass_from[l]]
    pair, entry = 0, 0
    for p in range(len(s.active)):
        r = s.active[p]
        first, last = s.jptr[r], s.jptr[r + 1]
        if s.left_out[p] == 0 or whole:
            w = beta * s.weight[r]
            for e in range(first, last):
                A[k.kkt_jac[entry]] += J[e]
                entry += 1
                x = w * J[e]
                for f in range(first, e + 1):
                    A[k.kkt_pair[pair]] += x * J[f]
                    pair += 1
        else:
            length = last - first
            entry += length
            pair += length * (length + 1) // 2


@compiled()
def factor_saddle(n, A, ref, ptr, row, to, order, out, group, threshold, most):
    """In place; the diagonal keeps 1/D, nothing for rows left out. Group 0 rows with less than `threshold` of their
    compliance left are left out, `most` at most.

    Returns (rows left out, least share left of a row that is kept); the share is `NO_MASS` at a coordinate without
    inertia.
    """
    size = len(order)
    t, dropped, least = 0, 0, 1.0
    for j in range(size):
        d, node = A[j], order[j]
        begin, end = size + ptr[j], size + ptr[j + 1]
        if node < n:
            if not d > 0.0:
                return dropped, NO_MASS
            inverse = 1.0 / d
            for p in range(begin, end):
                x = A[p]
                ref[row[p - size]] += x * x * inverse
        else:
            inverse = 0.0
            if out[node - n] == 0:
                left = -d / ref[j]
                if not left > threshold and group[node - n] == 0 and dropped < most:
                    out[node - n] = 1
                    dropped += 1
                elif not left > 0.0:
                    least = 0.0
                else:
                    least = min(least, left)
                    inverse = 1.0 / d
        A[j] = inverse
        for p in range(begin, end):
            x = A[p]
            l = x * inverse
            A[p] = l
            A[to[t]] -= l * x
            t += 1
            for r in range(p + 1, end):
                A[to[t]] -= l * A[r]
                t += 1
    return dropped, least


@compiled()
def _try(header, threshold, most):
    """Rows left out at a threshold, those that say nothing at all (as the tree fulfils them by itself) among them."""
    s, k = unpack(header), unpack_saddle(header)
    largest = 0.0
    for e in range(len(s.Jx)):
        largest = max(largest, s.Jx[e] * s.Jx[e])
    silent = 0
    for p in range(len(s.active)):
        s.left_out[p] = 0 if _square(header, p) > SILENT * largest else 1
        silent += s.left_out[p]
    fill_saddle(header, True)
    dropped, least = factor_saddle(s.n, k.kkt_A, k.kkt_ref, k.kkt_ptr, k.kkt_row, k.kkt_to, k.kkt_order, s.left_out,
                                   s.group, threshold, most - silent)  # fmt: skip
    return silent + dropped, least


@compiled()
def _square(header, p):
    s = unpack(header)
    r, x = s.active[p], 0.0
    for e in range(s.jptr[r], s.jptr[r + 1]):
        x += s.J[e] * s.J[e]
    return x


@compiled()
def leave_out(header, excess):
    """Choose `excess` rows that the others imply. False if more are implied.

    Which of the rows in a dependency is left out decides how well the others stand to one another, and a poor choice
    looks like a singular position. So the highest threshold that leaves out just as many is taken: a row with little
    left gives way to a later one. Else the threshold's exponent is halved, for positions that have drifted make implied
    rows look like a little more than that.
    """
    s = unpack(header)
    for try_power in range(-1, -10, -1):
        dropped, least = _try(header, 10.0**try_power, len(s.active))
        if least == NO_MASS or dropped == excess:
            s.left_out[len(s.active)] = 1
            return True
    low, high, power = -14.0, -1.0, -10.0
    for _ in range(12):
        dropped, least = _try(header, 10.0**power, len(s.active))
        if least == NO_MASS or dropped == excess:
            s.left_out[len(s.active)] = 1
            return True
        if dropped < excess:
            low = power
        else:
            high = power
        power = 0.5 * (low + high)
    if 10.0**high < IMPLIED:
        return False
    _try(header, 10.0**high, excess)
    s.left_out[len(s.active)] = 1
    return True


@compiled()
def prepare_saddle(header, excess, margin_at_choice, held):
    """Fill and factorise. The margin (the sine of the least angle between a row and those before it, in the metric of
    A), or `LOST` or `NO_MASS`; and that at the last choice of rows. A choice that is
    `held` is given up within a step only where it has become useless."""
    s, k = unpack(header), unpack_saddle(header)
    count = len(s.active)
    for attempt in range(2):
        fresh = excess > 0 and (s.left_out[count] == 0 or attempt == 1)
        if fresh and not leave_out(header, excess):
            return LOST, margin_at_choice
        fill_saddle(header, False)
        _, least = factor_saddle(s.n, k.kkt_A, k.kkt_ref, k.kkt_ptr, k.kkt_row, k.kkt_to, k.kkt_order, s.left_out,
                                 s.group, 0.0, 0)  # fmt: skip
        if least == NO_MASS:
            return NO_MASS, margin_at_choice
        margin = sqrt(least)
        if fresh or margin_at_choice < 0.0:
            margin_at_choice = margin
        if excess == 0 or fresh or margin > (USELESS if held else 0.3) * margin_at_choice:
            break  # else other rows may be better ones
    return margin, margin_at_choice


@compiled()
def solve_saddle(header, forces, rates):
    """(forces, rates) <- the solution for them; rates of the rows that are left out become zero."""
    s, k = unpack(header), unpack_saddle(header)
    n, A, w, order, ptr, row = s.n, k.kkt_A, k.kkt_w, k.kkt_order, k.kkt_ptr, k.kkt_row
    size = len(order)
    for j in range(size):
        node = order[j]
        w[j] = forces[node] if node < n else rates[node - n]
    sparse_solve(A, w, size, ptr, row)
    for j in range(size):
        node = order[j]
        if node < n:
            forces[node] = w[j]
        else:
            rates[node - n] = w[j]
