"""Results of a roll."""

from libc.stdint cimport int64_t

import numpy as np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check


def plays(Space space not None, int64_t index, int die1, int die2):
    """Indices of every distinct result of a roll, in rising order: int64, shape (n,)."""
    results = np.empty(c.BGR_MAX_PLAYS, dtype=np.int64)
    cdef int64_t[::1] out = results  # OUT
    cdef int n = 0
    cdef c.bgr_status status
    with nogil:
        status = c.bgr_plays(&space.c, index, die1, die2, &out[0], &n)
    check(status, f"index {index}, roll {die1}-{die2}")
    return results[:n].copy()


def rolls():
    """The 21 rolls as the C code orders them: (larger, smaller, weight)."""
    cdef int larger, smaller, weight, roll
    listed = []
    for roll in range(c.BGR_N_ROLLS):
        check(c.bgr_roll(roll, &larger, &smaller, &weight), f"roll {roll}")
        listed.append((larger, smaller, weight))
    return listed
