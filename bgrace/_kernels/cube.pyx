"""Cube decisions: one, or an array of them, by the same few lines of C."""

from libc.stdint cimport uint8_t

import numpy as np

from bgrace._kernels.stakes import VERDICTS

from bgrace._kernels.cbgrace cimport *

_WORDS = np.array(VERDICTS)


def decide(double no_double, double double_take, double double_pass, double tie, bint beavers) -> Decision:
    """One decision: the three equities, a beaver in the second, then double, take, verdict and beaver.

    The last is None unless `beavers` says that they are played.
    """
    cdef bgr_cube_values decision = bgr_decide(no_double, double_take, double_pass, tie, beavers)
    return (
        decision.no_double,
        decision.double_take,
        decision.double_pass,
        bool(decision.doubles),
        bool(decision.takes),
        VERDICTS[<int>decision.verdict],
        bool(decision.beavers) if beavers else None,
    )


def decide_batch(
    const double[:] no_double,  # IN
    const double[:] double_take,  # IN, as long
    const double[:] double_pass,  # IN, as long
    double tie,
    bint beavers,
) -> Decisions:
    """Decisions side by side: double, take, verdict and beaver, as `decide` has them."""
    cdef Py_ssize_t n = no_double.shape[0], i
    if double_take.shape[0] != n or double_pass.shape[0] != n:
        raise ValueError(f"{n}, {double_take.shape[0]} and {double_pass.shape[0]} equities: give as many of each")
    double, take, beaver = (np.empty(n, dtype=np.bool_) for _ in range(3))
    cdef uint8_t[::1] doubles = double.view(np.uint8), takes = take.view(np.uint8)  # OUT
    cdef uint8_t[::1] beavered = beaver.view(np.uint8), verdicts = np.empty(n, dtype=np.uint8)  # OUT
    cdef bgr_cube_values decision
    with nogil:
        for i in range(n):
            decision = bgr_decide(no_double[i], double_take[i], double_pass[i], tie, beavers)
            doubles[i] = decision.doubles
            takes[i] = decision.takes
            beavered[i] = decision.beavers
            verdicts[i] = decision.verdict
    return double, take, _WORDS.take(verdicts), beaver if beavers else None
