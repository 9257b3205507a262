"""Answers from a database file, by index: the functions of the C library that engines call."""

import sys
from array import array

from libc.stdint cimport int8_t, int64_t, intptr_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport check, count_t, index_counts
from bgrace import errors
from bgrace._kernels.lazy_numpy import np

# Not by `cimport numpy`, which would load it together with this module.
cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyArrayObject
    enum:
        NPY_DOUBLE
    int _import_array() except -1
    object PyArray_EMPTY(int n_axes, Py_ssize_t *shape, int type, int is_fortran)
    void *PyArray_DATA(PyArrayObject *array)

cdef enum:
    PAIRS_AT_ONCE = 512  # pairs whose indices are computed before they are looked up

cdef bint numpy_is_loaded = False

cdef class OpenFile:
    """The open file of a descriptor, read at given offsets; `name` is for messages.

    It stays open after the descriptor is closed.  Reading raises FormatError if the file has been changed since.
    """

    def __cinit__(self, int descriptor, str name) -> None:
        cdef intptr_t handle = descriptor
        memset(&self.file, 0, sizeof(self.file))
        self.file.handle = -1
        self.name = name
        if sys.platform == "win32":
            import msvcrt

            handle = msvcrt.get_osfhandle(descriptor)
        check(c.bgr_file_share(handle, &self.file), name)

    def __dealloc__(self):
        c.bgr_file_close(&self.file)

    cdef int again(self, c.bgr_file *file) except -1:
        """Open the file again, for an owner who closes it and keeps this object; changes count from the first time."""
        check(c.bgr_file_share(self.file.handle, file), self.name)
        file.sums = self.file.sums
        file.size = self.file.size
        file.changed[0], file.changed[1] = self.file.changed[0], self.file.changed[1]
        return 0

    def check_blocks(self, uint64_t[::1] start, uint64_t[::1] past, uint32_t[::1] crc32) -> None:  # IN
        """Check each of these blocks, which are disjoint and in order, by its CRC-32 before it is first read.

        A wrong CRC-32 makes reading raise FormatError.  Files that were opened again before this call are not checked.
        """
        if not len(start) == len(past) == len(crc32):
            raise ValueError(f"{len(start)} blocks, {len(past)} ends and {len(crc32)} checksums")
        if not len(start):
            return
        self.blocks = start, past, crc32, np.zeros(len(start), np.int64)
        cdef int64_t[::1] is_right = self.blocks[3]
        self.sums.n = len(start)
        self.sums.start, self.sums.past, self.sums.crc32 = &start[0], &past[0], &crc32[0]
        self.sums.is_right = &is_right[0]
        self.file.sums = &self.sums

    def check_unchanged(self) -> None:
        """Raise FormatError if the file has been changed."""
        check(c.bgr_file_unchanged(&self.file), self.name)

    def read(self, uint64_t offset, unsigned char[::1] out) -> None:  # OUT
        """Fill `out` with the bytes from `offset` on."""
        cdef c.bgr_status status = c.BGR_OK
        cdef size_t n = out.shape[0]
        if n > self.file.size or offset > self.file.size - n:
            raise ValueError(f"{n} bytes at {offset} of {self.name}, which has {self.file.size}")
        if n:
            with nogil:
                status = c.bgr_file_read(&self.file, offset, n, &out[0])
        check(status, self.name)


cdef class Probe:
    """The tables of a file whose bytes are in memory or are read from an OpenFile; `name` is for messages.

    Positions are given by index.  An index outside the tables raises PositionIndexError, a pair without any checkers
    PositionError, and a file that is damaged or was changed FormatError.
    """

    def __cinit__(self, file_or_bytes: ReadableBuffer | OpenFile, str name) -> None:
        cdef c.bgr_file file
        memset(&file, 0, sizeof(file))
        file.handle = -1
        if isinstance(file_or_bytes, OpenFile):
            self.opened = <OpenFile>file_or_bytes
            self.opened.again(&file)
        else:
            self.view = file_or_bytes
            file.size = self.view.shape[0]
            file.bytes = &self.view[0] if file.size else NULL
        self.name = name
        with nogil:
            status = c.bgr_open_file(&file, c.BGR_READ, &self.db)
        check(status, name)
        self.tables = c.bgr_tables_of(self.db, 0)

    def __dealloc__(self):
        c.bgr_close(self.db)

    cdef int _check_index(self, int64_t index) except -1:
        if not 0 <= index < self.tables.space.size:
            raise errors.PositionIndexError(f"index {index} is outside 0 .. {self.tables.space.size - 1}")
        return 0

    def epc(self, int64_t index) -> float:
        """Expected pip count."""
        cdef double value
        self._check_index(index)
        check(c.bgr_tables_epc(self.tables, index, &value), self.name)
        return value

    def mean_rolls(self, int64_t index) -> float:
        """Mean number of rolls."""
        cdef double mean, variance
        self._check_index(index)
        check(c.bgr_tables_rolls(self.tables, index, &mean, &variance), self.name)
        return mean

    def variance_rolls(self, int64_t index) -> float:
        """Variance of the number of rolls."""
        cdef double mean, variance
        self._check_index(index)
        check(c.bgr_tables_rolls(self.tables, index, &mean, &variance), self.name)
        return variance

    def moments(self, str name not None, const int64_t[::1] index) -> Floats:  # IN
        """`epc`, `mean_rolls` or `variance_rolls` of many positions."""
        cdef int64_t n = index.shape[0], first, k
        cdef int which = ("epc", "mean_rolls", "variance_rolls").index(name)
        cdef double *out
        found = new_doubles(n, &out)
        for k in range(n):
            if not 0 <= index[k] < self.tables.space.size:
                self._check_index(index[k])
        for first in range(0, n, c.BGR_PIECE):
            status = _moments(self.tables, which, &index[first], <int>min(<int64_t>c.BGR_PIECE, n - first), out + first)
            check(status, self.name)
        return found

    cdef int _find_row(self, int64_t index, bint first_checker, c.bgr_row *row) except -1:
        self._check_index(index)
        if first_checker:
            return check(c.bgr_tables_first_checker(self.tables, index, row), self.name)
        return check(c.bgr_tables_distribution(self.tables, index, row), self.name)

    def row(self, int64_t index, bint first_checker=False) -> Floats:
        """Chances of each number of rolls to bear off, in as many entries as the file has.

        With `first_checker`, chances to bear off the first of 15 checkers; CoverageError if the file lacks them.
        """
        cdef c.bgr_row row
        cdef double *out
        self._find_row(index, first_checker, &row)
        found = new_doubles(row.width, &out)
        memcpy(out, row.chance, row.width * sizeof(double))
        return found

    def bare_row(self, int64_t index, bint first_checker=False) -> array[float]:
        """`row` without NumPy."""
        cdef c.bgr_row row
        self._find_row(index, first_checker, &row)
        return array("d", (<const char *>row.chance)[:row.width * sizeof(double)])

    def rows(self, const int64_t[::1] index, bint first_checker=False) -> Floats:  # IN
        """`row` of many positions, as wide as the widest row."""
        cdef int64_t n = index.shape[0], first, past, k
        cdef c.bgr_row row
        self._find_row(0, first_checker, &row)
        cdef int width = row.width
        if self.tables.in_16_bits:
            for k in range(n):
                self._find_row(index[k], first_checker, &row)
                width = max(width, row.width)
        found = np.empty((n, width))
        cdef double[:, ::1] out = found  # OUT
        for first in range(0, n, c.BGR_PIECE):
            past = min(first + c.BGR_PIECE, n)
            for k in range(first, past):
                self._check_index(index[k])
            if not first_checker and self.tables.file.bytes != NULL and c.bgr_tables_distribution_piece(
                self.tables, &index[first], <int>(past - first), width, &out[first, 0]
            ):
                continue
            for k in range(first, past):
                self._find_row(index[k], first_checker, &row)
                check(c.bgr_row_copy(&row, width, &out[k, 0]), self.name)
        return found

    cdef int _check_pair(self, int64_t on_roll, int64_t opponent) except -1:
        self._check_index(on_roll)
        self._check_index(opponent)
        if on_roll == 0 and opponent == 0:
            raise errors.PositionError(errors.BOTH_FINISHED)
        return 0

    def win_probability(self, int64_t on_roll, int64_t opponent) -> float:
        """Chance to win."""
        cdef double win
        self._check_pair(on_roll, opponent)
        check(c.bgr_tables_win_probability(self.tables, on_roll, opponent, &win), self.name)
        return win

    def win_probability_batch(self, const int64_t[::1] on_roll, const int64_t[::1] opponent) -> Floats:  # IN, as long
        """`win_probability` of many pairs, from whichever table has each."""
        cdef int64_t n = _length(on_roll, opponent), n_done = 0
        cdef double *out
        win = new_doubles(n, &out)
        cdef c.bgr_status status = c.BGR_OK
        if n:
            with nogil:
                status = c.bgr_tables_win_probability_batch(self.tables, &on_roll[0], &opponent[0], n, out, &n_done)
        if status:
            check(status, f"{self.name}, pair {n_done} of {n}")
        return win

    def values(self, int64_t on_roll, int64_t opponent, bint jacoby, bint doubling) -> FourValues:
        """Equities: cubeless, mine, centered, theirs; CoverageError outside the table.

        With `doubling`, mine and centered include the right to double before this roll.
        """
        cdef double[4] planes
        self._find_pair(on_roll, opponent, jacoby, doubling, planes)
        return planes[0], planes[1], planes[2], planes[3]

    cdef int _find_pair(self, int64_t on_roll, int64_t opponent, bint jacoby, bint doubling, double *planes) except -1:
        cdef c.bgr_equities values
        self._check_pair(on_roll, opponent)
        if on_roll >= self.tables.n_pairs or opponent >= self.tables.n_pairs:
            raise errors.CoverageError(f"the table of pairs of {self.name} has {self.tables.n_pairs} positions a side")
        cdef c.bgr_pair pair = c.bgr_tables_pair(self.tables, on_roll, opponent)
        check(c.bgr_tables_equities(self.tables, &pair, &values), self.name)
        planes[0], planes[3] = values.cubeless, values.theirs
        if doubling:
            planes[1], planes[2] = values.mine, values.jacoby if jacoby else values.centered
        else:
            planes[1], planes[2] = values.mine_roll, values.jacoby_roll if jacoby else values.centered_roll
        return 0

    def values_batch(
        self,
        const int64_t[::1] on_roll,  # IN
        const int64_t[::1] opponent,  # IN, as long
        planes: Sequence[int],
        bint jacoby,
        bint doubling,
    ) -> list[Floats]:
        """`values` of many pairs: an array for each of `planes`, which are different places in that result."""
        cdef int64_t n = _length(on_roll, opponent), n_done = 0
        cdef c.bgr_columns columns
        cdef double *start[4]
        cdef c.bgr_status status = c.BGR_OK
        found = _columns(planes, n, start)
        columns.doubling, columns.jacoby = doubling, jacoby
        columns.cubeless, columns.mine, columns.centered, columns.theirs = start[0], start[1], start[2], start[3]
        if n:
            with nogil:
                status = c.bgr_tables_equities_batch(self.tables, &on_roll[0], &opponent[0], n, &columns, &n_done)
        if status:
            check(status, f"{self.name}, pair {n_done} of {n}")
        return found

    def wins_of_counts(
        self, const count_t[:, ::1] on_roll: AnyCounts, const count_t[:, ::1] opponent: AnyCounts  # IN, as long
    ) -> Floats | None:
        """`win_probability_batch` of pairs of counts; None if one of them has no answer.

        Indices go through a small buffer that stays in the cache, instead of arrays as long as the input, which would
        have to be allocated and read from main memory again.
        """
        cdef int64_t n = on_roll.shape[0], first = 0, length, n_done = 0
        cdef int64_t[PAIRS_AT_ONCE] mine, theirs
        cdef double *out
        win = new_doubles(n, &out)
        cdef c.bgr_status status = c.BGR_OK
        if not _fit(self.tables, on_roll.shape, opponent.shape):
            return None
        with nogil:
            while first < n and status == c.BGR_OK:
                length = min(<int64_t>PAIRS_AT_ONCE, n - first)
                status = _number(self.tables, &on_roll[first, 0], &opponent[first, 0], length, mine, theirs)
                if status == c.BGR_OK:
                    status = c.bgr_tables_win_probability_batch(
                        self.tables, mine, theirs, length, out + first, &n_done
                    )
                first += length
        return win if status == c.BGR_OK else None

    def values_of_counts(
        self,
        const count_t[:, ::1] on_roll: AnyCounts,  # IN
        const count_t[:, ::1] opponent: AnyCounts,  # IN, as long
        planes: Sequence[int],
        bint jacoby,
        bint doubling,
        bint started,
    ) -> list[Floats] | None:
        """`values_batch` of pairs of counts; None if a pair has no answer or, with `started`, a side has finished."""
        cdef int64_t n = on_roll.shape[0], first = 0, length, n_done = 0, k
        cdef int64_t[PAIRS_AT_ONCE] mine, theirs
        cdef c.bgr_columns columns
        cdef double *start[4]
        cdef c.bgr_status status = c.BGR_OK
        if not _fit(self.tables, on_roll.shape, opponent.shape):
            return None
        found = _columns(planes, n, start)
        columns.doubling, columns.jacoby = doubling, jacoby
        with nogil:
            while first < n and status == c.BGR_OK:
                length = min(<int64_t>PAIRS_AT_ONCE, n - first)
                status = _number(self.tables, &on_roll[first, 0], &opponent[first, 0], length, mine, theirs)
                for k in range(length):
                    if started and status == c.BGR_OK and (mine[k] == 0 or theirs[k] == 0):
                        status = c.BGR_ERR_POSITION
                columns.cubeless = start[0] + first if start[0] else NULL
                columns.mine = start[1] + first if start[1] else NULL
                columns.centered = start[2] + first if start[2] else NULL
                columns.theirs = start[3] + first if start[3] else NULL
                if status == c.BGR_OK:
                    status = c.bgr_tables_equities_batch(self.tables, mine, theirs, length, &columns, &n_done)
                first += length
        return found if status == c.BGR_OK else None

    def move_values(
        self, int64_t opponent, list ends not None: list[int], int plane, bint jacoby, double won
    ) -> tuple[list[float], list[float]]:
        """Values of having moved to each of `ends`, with the opponent on roll, who may double.

        `plane`: the place in `values`.  `won`: the value of having borne off the last checker.  The second list has
        cubeless values.
        """
        cdef double[4] values
        cdef int64_t end
        with_cube, cubeless = [], []
        for item in ends:
            end = item
            if end:
                self._find_pair(opponent, end, jacoby, True, values)
            with_cube.append(0.0 - values[plane] if end else won)  # no -0.0
            cubeless.append(0.0 - values[0] if end else won)
        return with_cube, cubeless


cdef c.bgr_status _moments(
    const c.bgr_tables *tables, int which, const int64_t *index, int n, double *out  # IN, OUT
) noexcept nogil:
    """Moments of up to BGR_PIECE positions; in one call if the file is in memory and no position fails."""
    cdef double[c.BGR_PIECE] other
    cdef double *spare = other
    cdef double *mean = out if which == 1 else spare
    cdef double *variance = spare if which == 1 else out
    cdef c.bgr_status status = c.BGR_OK
    cdef int k
    if tables.file.bytes != NULL and (
        c.bgr_tables_rolls_piece(tables, index, n, mean, variance)
        if which
        else c.bgr_tables_epc_piece(tables, index, n, out)
    ):
        return c.BGR_OK
    for k in range(n):
        if status == c.BGR_OK and which:
            status = c.bgr_tables_rolls(tables, index[k], mean + k, variance + k)
        elif status == c.BGR_OK:
            status = c.bgr_tables_epc(tables, index[k], out + k)
    return status


cdef list _columns(planes, int64_t n, double **start):
    """A new array, OUT, for each of the planes; `start` gets where each begins, by plane, or NULL."""
    memset(start, 0, 4 * sizeof(start[0]))
    if not set(planes) <= {0, 1, 2, 3} or len(set(planes)) < len(planes):
        raise ValueError(f"planes {planes}: name some of 0, 1, 2 and 3")
    return [new_doubles(n, &start[<int>plane]) for plane in planes]


cdef object new_doubles(Py_ssize_t n, double **start):
    """A new array, OUT; `start` gets where it begins."""
    global numpy_is_loaded
    if not numpy_is_loaded:
        _import_array()
        numpy_is_loaded = True
    found = PyArray_EMPTY(1, &n, NPY_DOUBLE, 0)
    start[0] = <double *>PyArray_DATA(<PyArrayObject *>found)
    return found


cdef bint _fit(const c.bgr_tables *tables, const Py_ssize_t *on_roll, const Py_ssize_t *opponent) noexcept:
    """Whether two shapes are those of counts of equally many positions of the space, at least one."""
    cdef int points = tables.space.points
    return on_roll[0] > 0 and on_roll[0] == opponent[0] and on_roll[1] == points and opponent[1] == points


cdef c.bgr_status _number(
    const c.bgr_tables *tables,
    const count_t *on_roll,
    const count_t *opponent,
    int64_t n,
    int64_t *mine,  # OUT
    int64_t *theirs,  # OUT
) noexcept nogil:
    """Compute the indices of pairs of counts."""
    cdef const c.bgr_space *space = <const c.bgr_space *>&tables.space
    cdef int64_t n_done
    if count_t is int8_t:
        if (
            space.points == c.BGR_HOME_POINTS
            and c.bgr_halves_index(&tables.halves, space.checkers, on_roll, n, mine)
            and c.bgr_halves_index(&tables.halves, space.checkers, opponent, n, theirs)
        ):
            return c.BGR_OK
    status = index_counts(space, on_roll, n, mine, &n_done)
    return status if status != c.BGR_OK else index_counts(space, opponent, n, theirs, &n_done)


cdef int64_t _length(const int64_t[::1] on_roll, const int64_t[::1] opponent) except -1:
    if on_roll.shape[0] != opponent.shape[0]:
        raise ValueError(f"{on_roll.shape[0]} positions on roll and {opponent.shape[0]} opponents")
    return on_roll.shape[0]
