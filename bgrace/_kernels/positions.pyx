"""The perfect hash and its inverse, for one position or an array of positions."""

from libc.stdint cimport int8_t, int64_t

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels cimport cbgrace as c
from bgrace import errors

_EXCEPTIONS = {
    c.BGR_ERR_POINTS: errors.ArgumentError,
    c.BGR_ERR_CHECKERS: errors.ArgumentError,
    c.BGR_ERR_POSITION: errors.PositionError,
    c.BGR_ERR_INDEX: errors.PositionIndexError,
    c.BGR_ERR_ROLL: errors.RollError,
    c.BGR_ERR_SIZE: errors.ArgumentError,
    c.BGR_ERR_OPEN: OSError,
    c.BGR_ERR_READ: OSError,
    c.BGR_ERR_FORMAT: errors.FormatError,
    c.BGR_ERR_VERSION: errors.FormatError,
    c.BGR_ERR_COMPRESSED: errors.FormatError,
    c.BGR_ERR_DAMAGED: errors.FormatError,
    c.BGR_ERR_CHANGED: errors.FormatError,
    c.BGR_ERR_COVERAGE: errors.CoverageError,
    c.BGR_ERR_NOT_COMPARED: errors.CoverageError,
    c.BGR_ERR_SCORE: errors.FormatError,
    c.BGR_ERR_CLOSED: errors.ArgumentError,
    c.BGR_ERR_WRITE: OSError,
    c.BGR_ERR_STOPPED: KeyboardInterrupt,
    c.BGR_ERR_CONTACT: errors.PositionError,
    c.BGR_ERR_STAKES: errors.ArgumentError,
    c.BGR_ERR_ARGUMENT: errors.ArgumentError,
}


cdef int check(c.bgr_status status, str what) except -1:
    """Raise the exception of a status; `what` names the values that led to it."""
    if status == c.BGR_ERR_MEMORY:
        raise errors.MemoryLimitError(errors.NO_MEMORY)
    if status != c.BGR_OK:
        raise _EXCEPTIONS[status](f"{what}: {c.bgr_solver_strerror(status).decode()}")
    return 0


cdef class Space:
    """All positions of at most `checkers` checkers on `points` points."""

    def __init__(self, int points, int checkers) -> None:
        check(c.bgr_space_init(points, checkers, &self.c), f"points={points}, checkers={checkers}")

    @property
    def size(self) -> int:
        return self.c.size

    def index(self, counts: Sequence[int]) -> int:
        """Index of one position, given as a tuple or list of `points` integers; TypeError for anything but int."""
        cdef int8_t row[c.BGR_MAX_POINTS]
        cdef int64_t index
        cdef int j
        cdef long count
        cdef tuple given = counts if type(counts) is tuple else tuple(counts)
        if len(given) != self.c.points:
            raise errors.PositionError(f"{given} lists {len(given)} points: this space has {self.c.points}")
        for j in range(self.c.points):
            one = given[j]
            if type(one) is not int:
                raise TypeError  # a float would be truncated
            count = one
            row[j] = <int8_t>count if 0 <= count <= c.BGR_MAX_CHECKERS else -1
        if c.bgr_index(&self.c, row, &index) != c.BGR_OK:
            raise self._complaint(counts)
        return index

    def position(self, index: int) -> tuple[int, ...]:
        """The position of one index, as a tuple of int."""
        cdef int8_t row[c.BGR_MAX_POINTS]
        cdef int64_t number = -1
        if 0 <= index < self.c.size:
            number = index
        if c.bgr_position(&self.c, number, row) != c.BGR_OK:
            raise errors.PositionIndexError(self._range_complaint(index))
        return tuple([row[j] for j in range(self.c.points)])

    def index_batch(self, const count_t[:, ::1] counts: npt.NDArray[np.int8] | Integers) -> Integers:  # IN
        """Indices of (n, points) counts, int8 or int64."""
        cdef int64_t n = counts.shape[0], n_done = 0
        cdef int64_t[::1] indices = np.empty(n, dtype=np.int64)  # OUT
        if counts.shape[1] != self.c.points:
            raise ValueError(f"counts must have shape (n, {self.c.points})")
        if n == 0:
            return indices.base
        with nogil:
            status = index_counts(&self.c, &counts[0, 0], n, &indices[0], &n_done)
        if status != c.BGR_OK:
            raise self._complaint(np.asarray(counts[n_done]), f"position {n_done} of {n}: ")
        return indices.base

    def position_batch(self, const int64_t[::1] indices) -> npt.NDArray[np.int8]:  # IN
        """Counts, int8 of shape (n, points), of an array of indices."""
        cdef int64_t n = indices.shape[0], n_done = 0
        cdef int8_t[:, ::1] counts = np.empty((n, self.c.points), dtype=np.int8)  # OUT
        if n == 0:
            return counts.base
        with nogil:
            status = c.bgr_position_batch(&self.c, &indices[0], n, &counts[0, 0], &n_done)
        if status != c.BGR_OK:
            raise errors.PositionIndexError(self._range_complaint(indices[n_done]))
        return counts.base

    def _complaint(self, counts, where=""):
        counts = tuple(int(k) for k in counts)
        n = sum(counts)
        if min(counts) < 0:
            return errors.PositionError(f"{where}{counts} has a negative count: counts are 0 to {self.c.checkers}")
        problem = f"{where}{counts} has {n} checkers: this space holds at most {self.c.checkers}"
        if n > c.BGR_MAX_CHECKERS:
            return errors.PositionError(problem)
        return errors.PositionCoverageError(f"{problem}: use a space, or a database, for {n} checkers")

    def _range_complaint(self, index):
        return (
            f"index {index} is outside 0 .. {self.c.size - 1}: there are {self.c.size} positions of at most "
            f"{self.c.checkers} checkers on {self.c.points} points"
        )
