"""Laws: how hard a force pushes, how a driver moves. Evaluated in compiled code, without calling Python
unless the user's own law is a Python function."""

from __future__ import annotations

from ...machine.array_table import call_python, unpack
from ...machine.compiled import compiled
from .program import run_program
from .table import table_value


@compiled()
def has_potential(header, law):
    """Whether the program of a law is minus the slope of a potential (the list is empty where no law's is)."""
    s = unpack(header)
    return len(s.law_pot) > 0 and s.law_pot[law] >= 0


@compiled()
def elastic_part(header, law, x):
    """The part of a law that has a potential: a linear spring, 000 (77), (80), or any, 001 figure 15.20 (c)."""
    s = unpack(header)
    f = -s.law_k[law] * (x - s.law_x0[law])
    if has_potential(header, law):
        f += program_value(header, s.law_prog[law], 0.0, x, 0.0)
    return f


@compiled()
def stored(header, law, x):
    """The potential energy of a law."""
    s = unpack(header)
    energy = s.law_k[law] * (x - s.law_x0[law]) ** 2 / 2
    if has_potential(header, law):
        energy += program_value(header, s.law_pot[law], 0.0, x, 0.0)
    return energy


@compiled()
def elastic_jump(header, law, a, b):
    """What the elastic force of a law changes by from a to b; where it has a strain, it is the stress that jumps, and
    the force is that on the discrete derivative of the strain: 002 (60), second line."""
    s = unpack(header)
    if len(s.law_strain) > 0 and s.law_strain[law] >= 0:
        if a == b:
            return 0.0
        p = s.law_strain[law]
        change = program_value(header, p, 0.0, b, 0.0) - program_value(header, p, 0.0, a, 0.0)
        return -s.law_sk[law] * change * change / (b - a)
    return elastic_part(header, law, b) - elastic_part(header, law, a)


@compiled()
def program_value(header, p, t, x, v):
    """Program p, on the present sides of its switches."""
    s = unpack(header)
    return run_program(s.prog_ops, s.prog_ptr[p], s.prog_ptr[p + 1], s.prog_const, t, x, v, s.side, s.prog_stack)


@compiled()
def other_part(header, law, t, x, v):
    """The part of a law without a potential: constant, damper 000 (78), expression, table, user function."""
    s = unpack(header)
    f = s.law_c0[law] - s.law_c[law] * v
    p = s.law_prog[law]
    if p >= 0 and not has_potential(header, law):
        f += program_value(header, p, t, x, v)
    k = s.law_table[law]
    if k >= 0:
        f += table_value(s.tab_ptr, s.tab_breaks, s.tab_coef, k, x if s.law_of_x[law] == 1 else t, s.piece[k])[0]
    u = s.law_user[law]
    if u >= 0:
        f += call_python(s.user_address[0], u, t, x, v)
    return f


@compiled()
def motion(header, law, t):
    """f, f' and f'' of a law of time (a driver)."""
    s = unpack(header)
    f, fd, fdd = s.law_c0[law], 0.0, 0.0
    p = s.law_prog[law]
    if p >= 0:
        f += program_value(header, p, t, 0.0, 0.0)
        fd += program_value(header, s.law_dprog[law], t, 0.0, 0.0)
        fdd += program_value(header, s.law_ddprog[law], t, 0.0, 0.0)
    k = s.law_table[law]
    if k >= 0:
        y, yd, ydd = table_value(s.tab_ptr, s.tab_breaks, s.tab_coef, k, t, s.piece[k])
        f += y
        fd += yd
        fdd += ydd
    u = s.law_user[law]
    if u >= 0:  # the callback gives f, f', f'' for x = 0, 1, 2
        f += call_python(s.user_address[0], u, t, 0.0, 0.0)
        fd += call_python(s.user_address[0], u, t, 1.0, 0.0)
        fdd += call_python(s.user_address[0], u, t, 2.0, 0.0)
    return f, fd, fdd
