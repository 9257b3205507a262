"""Results of a roll."""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check

cdef extern from "Python.h":
    ctypedef struct PyTypeObject

    object PyType_GenericAlloc(PyTypeObject *kind, Py_ssize_t n_items)
    int PyObject_GenericSetAttr(object instance, object name, object value) except -1


def results(
    Space space not None, int64_t index, int die1, int die2, type kind not None: type[SomeCounts]
) -> tuple[list[int], list[SomeCounts]]:
    """Every distinct result of a roll: a list of indices, in rising order, and one of counts, tuples of `kind`."""
    cdef int64_t few[c.BGR_MAX_HOME_PLAYS]
    cdef int64_t *reached = few
    cdef int8_t row[c.BGR_MAX_POINTS]
    cdef int n = 0, k, j, points = space.c.points
    if points > 6:
        reached = <int64_t *>malloc(c.BGR_MAX_PLAYS * sizeof(int64_t))
        if not reached:
            raise MemoryError
    try:
        with nogil:
            status = c.bgr_plays(&space.c, index, die1, die2, reached, &n)
        check(status, f"index {index}, roll {die1}-{die2}")
        indices, counts = [], []
        for k in range(n):
            c.bgr_position(&space.c, reached[k], row)
            indices.append(reached[k])
            counted = PyType_GenericAlloc(<PyTypeObject *>kind, points)
            for j in range(points):
                count = <int>row[j]
                Py_INCREF(count)
                PyTuple_SET_ITEM(counted, j, count)  # takes over the reference
            counts.append(counted)
        return indices, counts
    finally:
        if reached != few:
            free(reached)


cdef int pips_of(object counts) except -1:
    cdef int point = 0, pips = 0
    for count in <tuple>counts:
        point += 1
        pips += point * <int>count
    return pips


def ranked(
    type kind not None: type[SomePlay],
    start: tuple[int, ...],
    roll: tuple[int, int],
    list positions not None: list[SomeCounts],
    list values not None: list[float],
    list chances: list[float] | None = None,
    list cubeless: list[float] | None = None,
) -> list[SomePlay]:
    """Make plays, of a frozen class with slots, in falling order of their values; equal ones keep the given order.

    chances: to win the match, or None.  cubeless: values of the plays without a cube, or None; between plays of equal
    value these decide, and then the fewer pips.  The fields are set here, because the class's own `__init__` takes
    several times as long.
    """
    cdef Py_ssize_t j, k, n = len(positions)
    cdef bint ties = cubeless is not None
    if n == 0 or len(values) != n or (chances is not None and len(chances) != n) or (ties and len(cubeless) != n):
        raise ValueError(f"{n} positions and {len(values)} values")
    cdef c.bgr_weighed_play *ranks = <c.bgr_weighed_play *>malloc(n * sizeof(c.bgr_weighed_play))
    if not ranks:
        raise MemoryError
    try:
        for k in range(n):
            ranks[k].value, ranks[k].number = values[k], <int>k
            ranks[k].cubeless = cubeless[k] if ties else 0
            ranks[k].pips = pips_of(positions[k]) if ties else 0
        c.bgr_rank_plays(ranks, n)
        plays = []
        for j in range(n):
            k = ranks[j].number
            play = PyType_GenericAlloc(<PyTypeObject *>kind, 0)
            PyObject_GenericSetAttr(play, "position", positions[k])
            PyObject_GenericSetAttr(play, "equity", values[k])
            PyObject_GenericSetAttr(play, "loss", ranks[0].value - ranks[j].value)
            PyObject_GenericSetAttr(play, "start", start)
            PyObject_GenericSetAttr(play, "roll", roll)
            PyObject_GenericSetAttr(play, "mwc", None if chances is None else chances[k])
            plays.append(play)
        return plays
    finally:
        free(ranks)


def play_text(before: Sequence[int], after: Sequence[int], int die1, int die2) -> str | None:
    """Write the moves from one position to another, of any numbers of points; None if the roll does not lead there."""
    cdef int8_t sides[2][c.BGR_MAX_POINTS]
    cdef char text[c.BGR_PLAY_SIZE]
    cdef int k, j
    memset(sides, 0, sizeof(sides))
    for k, side in enumerate((before, after)):
        for j, count in enumerate(side):
            sides[k][j] = count
    status = c.bgr_play_text(c.BGR_MAX_POINTS, sides[0], sides[1], die1, die2, text)
    return text.decode() if status == c.BGR_OK else None
