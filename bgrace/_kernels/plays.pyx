"""Results of a roll."""

from operator import attrgetter

from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check

cdef extern from "Python.h":
    ctypedef struct PyTypeObject

    object PyType_GenericAlloc(PyTypeObject *kind, Py_ssize_t n_items)
    int PyObject_GenericSetAttr(object instance, object name, object value) except -1

cdef enum:
    FEW = c.BGR_MAX_HOME_PLAYS

_LOSS = attrgetter("loss")


def results(
    Space space not None, int64_t index, int die1, int die2, type kind not None: type[SomeCounts]
) -> tuple[list[int], list[SomeCounts]]:
    """Every distinct result of a roll: a list of indices, in rising order, and one of counts, of a kind of tuple."""
    cdef int64_t few[FEW]
    cdef int64_t *reached = few
    cdef int8_t row[c.BGR_MAX_POINTS]
    cdef int n = 0, k, j, points = space.c.points
    cdef c.bgr_status status
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
            counts.append(tuple.__new__(kind, [row[j] for j in range(points)]))
        return indices, counts
    finally:
        if reached != few:
            free(reached)


def ranked(
    type kind not None: type[SomePlay],
    start: tuple[int, ...],
    roll: tuple[int, int],
    list positions not None: list[SomeCounts],
    list values not None: list[float],
    list chances: list[float] | None,
) -> list[SomePlay]:
    """Plays, of a frozen class with slots, in falling order of their values, equal ones in the order given.

    chances: to win the match, or None.  The fields are set here, for the class's own way takes several times as long.
    """
    cdef Py_ssize_t k, n = len(positions)
    cdef double best, value
    if n == 0 or len(values) != n or (chances is not None and len(chances) != n):
        raise ValueError(f"{n} positions and {len(values)} values")
    best = max(values)
    plays = []
    for k in range(n):
        value = values[k]
        play = PyType_GenericAlloc(<PyTypeObject *>kind, 0)
        PyObject_GenericSetAttr(play, "position", positions[k])
        PyObject_GenericSetAttr(play, "equity", values[k])
        PyObject_GenericSetAttr(play, "loss", best - value)
        PyObject_GenericSetAttr(play, "start", start)
        PyObject_GenericSetAttr(play, "roll", roll)
        PyObject_GenericSetAttr(play, "mwc", None if chances is None else chances[k])
        plays.append(play)
    plays.sort(key=_LOSS)
    return plays


def rolls() -> list[tuple[int, int, int]]:
    """The 21 rolls as the C code orders them: (larger, smaller, weight)."""
    cdef int larger, smaller, weight, roll
    listed = []
    for roll in range(c.BGR_N_ROLLS):
        check(c.bgr_roll(roll, &larger, &smaller, &weight), f"roll {roll}")
        listed.append((larger, smaller, weight))
    return listed


def play_text(before: Sequence[int], after: Sequence[int], int die1, int die2) -> str | None:
    """The moves from one position to another, of any numbers of points; None if the roll does not lead there."""
    cdef int8_t sides[2][c.BGR_MAX_POINTS]
    cdef char text[c.BGR_PLAY_SIZE]
    cdef int k, j
    memset(sides, 0, sizeof(sides))
    for k, side in enumerate((before, after)):
        for j, count in enumerate(side):
            sides[k][j] = count
    status = c.bgr_play_text(c.BGR_MAX_POINTS, sides[0], sides[1], die1, die2, text)
    return text.decode() if status == c.BGR_OK else None
