"""Results of a roll."""

from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check

cdef enum:
    FEW = c.BGR_MAX_HOME_PLAYS


def results(Space space not None, int64_t index, int die1, int die2):
    """Every distinct result of a roll: a list of indices, in rising order, and one of counts, tuples of int."""
    cdef int64_t few[FEW]
    cdef int64_t *found = few
    cdef int8_t row[c.BGR_MAX_POINTS]
    cdef int n = 0, k, j, points = space.c.points
    cdef c.bgr_status status
    if points > 6:
        found = <int64_t *>malloc(c.BGR_MAX_PLAYS * sizeof(int64_t))
        if not found:
            raise MemoryError
    try:
        with nogil:
            status = c.bgr_plays(&space.c, index, die1, die2, found, &n)
        check(status, f"index {index}, roll {die1}-{die2}")
        indices, counts = [], []
        for k in range(n):
            c.bgr_position(&space.c, found[k], row)
            indices.append(found[k])
            counts.append(tuple([row[j] for j in range(points)]))
        return indices, counts
    finally:
        if found != few:
            free(found)


def rolls():
    """The 21 rolls as the C code orders them: (larger, smaller, weight)."""
    cdef int larger, smaller, weight, roll
    listed = []
    for roll in range(c.BGR_N_ROLLS):
        check(c.bgr_roll(roll, &larger, &smaller, &weight), f"roll {roll}")
        listed.append((larger, smaller, weight))
    return listed
