"""Races of the single-checker model."""

import numpy as np

from bgrace._kernels cimport cbgrace as c

MAX_PIPS = c.BGR_MAX_PIPS


def win_probabilities(int limit) -> Floats:
    """Chance of the player on roll, float64 (limit + 1, limit + 1), [own pips, opponent's pips]; NaN at [0, 0]."""
    cdef double[:, ::1] table = np.empty((limit + 1, limit + 1))  # OUT
    with nogil:
        c.bgr_race_win_probabilities(limit, &table[0, 0])
    return table.base


def equities(int limit) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Equities, float64 (limit + 1, limit + 1) each: centered, mine, theirs, and the first two without doubling."""
    cdef double[:, :, ::1] out = np.empty((5, limit + 1, limit + 1))  # OUT
    with nogil:
        c.bgr_race_equities(limit, NULL, &out[0, 0, 0], &out[1, 0, 0], &out[2, 0, 0], &out[3, 0, 0], &out[4, 0, 0])
    return tuple(out.base)
