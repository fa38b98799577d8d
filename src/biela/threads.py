"""How many threads linear algebra may take: one, unless the user has said otherwise.

Matrices of mechanisms are small. Threads would only wait for each other, and on a machine with other work they wait
long: a check of 300 loops took 77 s with two, 10 s with one.
"""

from __future__ import annotations

from collections.abc import MutableMapping

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread(environment: MutableMapping[str, str]) -> None:
    """Ask for one thread; it has to be said before NumPy is imported.

    >>> e = {"OMP_NUM_THREADS": "4"}
    >>> one_thread(e)
    >>> e["OMP_NUM_THREADS"], e["OPENBLAS_NUM_THREADS"]
    ('4', '1')
    """
    for name in THREADS:
        environment.setdefault(name, "1")
