"""Men behind a bearoff: shots, and the least chance ever to be hit."""

import numpy as np

from libc.stdint cimport int8_t

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check

N_PLACES = c.BGR_N_PLACES


def risk_of_one(Space space not None, bint runs):
    """One man, who waits or runs: float64 (2, places, positions), with the man's side or the other one to roll."""
    tables = np.empty((2, c.BGR_N_PLACES, space.c.size))
    cdef double[:, :, ::1] out = tables  # OUT
    cdef c.bgr_behind behind = c.BGR_RUNS if runs else c.BGR_WAITS
    cdef c.bgr_status status
    with nogil:
        status = c.bgr_risk_of_one(&space.c, behind, &out[0, 0, 0], &out[1, 0, 0])
    check(status, f"a space of {space.c.points} points")
    return tables


def risk_of_two(Space space not None, int place):
    """Two men on one place, who wait: float64 (2, positions), as above."""
    tables = np.empty((2, space.c.size))
    cdef double[:, ::1] out = tables  # OUT
    cdef c.bgr_status status
    with nogil:
        status = c.bgr_risk_of_two(&space.c, place, &out[0, 0], &out[1, 0])
    check(status, f"place {place}, a space of {space.c.points} points")
    return tables


def shots(counts not None, int place, int men):
    """Weight, out of 36, of the rolls that hit a blot of six counts; place 0 .. 6, one man or two."""
    cdef int8_t row[6]
    cdef int point
    if len(counts) != 6 or not 0 <= place < c.BGR_N_PLACES or men not in (1, 2):
        raise ValueError(f"{len(counts)} points, {men} men on place {place}")
    for point in range(6):
        row[point] = counts[point]
    return c.bgr_shots(row, place, men)
