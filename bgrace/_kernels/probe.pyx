"""Single answers from a database file in memory: what the C library gives an engine, by index."""

from libc.stdint cimport int64_t
from libc.string cimport memcpy, memset

cimport numpy as cnp

from bgrace._kernels cimport cdatabase as c
from bgrace._kernels.cbgrace cimport bgr_status
from bgrace._kernels.positions cimport check
from bgrace import errors

cnp.import_array()


cdef class Probe:
    """The tables of a file whose bytes are in `view`; `name` is for messages.

    Questions are by index.  One that is outside raises PositionIndexError, both players without a checker
    PositionError; FormatError says that the file is damaged.
    """

    cdef c.bgr_tables tables
    cdef const unsigned char[::1] view  # keeps the bytes where they are
    cdef str name

    def __cinit__(self):
        memset(&self.tables, 0, sizeof(self.tables))
        self.tables.file.handle = -1

    def __init__(self, const unsigned char[::1] view, str name):
        cdef c.bgr_file file
        cdef bgr_status status
        memset(&file, 0, sizeof(file))
        file.handle = -1
        file.size = view.shape[0]
        file.bytes = &view[0] if view.shape[0] else NULL
        self.view = view
        self.name = name
        c.bgr_tables_close(&self.tables)
        with nogil:
            status = c.bgr_tables_open(&self.tables, &file)
        check(status, name)

    def __dealloc__(self):
        c.bgr_tables_close(&self.tables)

    cdef int _check_index(self, int64_t index) except -1:
        if not 0 <= index < self.tables.space.size:
            raise errors.PositionIndexError(f"index {index} is outside 0 .. {self.tables.space.size - 1}")
        return 0

    def epc(self, int64_t index):
        """Expected pip count."""
        cdef double value
        self._check_index(index)
        cdef bgr_status status = c.bgr_tables_epc(&self.tables, index, &value)
        if status:
            check(status, self.name)
        return value

    def mean_rolls(self, int64_t index):
        """Mean number of rolls."""
        return self._rolls(index)[0]

    def variance_rolls(self, int64_t index):
        """Variance of it."""
        return self._rolls(index)[1]

    cdef (double, double) _rolls(self, int64_t index) except *:
        cdef double mean, variance
        self._check_index(index)
        cdef bgr_status status = c.bgr_tables_rolls(&self.tables, index, &mean, &variance)
        if status:
            check(status, self.name)
        return mean, variance

    def roll_distribution(self, int64_t index):
        """Chance of each number of rolls; as wide as the file has it."""
        cdef c.bgr_row row
        self._check_index(index)
        check(c.bgr_tables_distribution(&self.tables, index, &row), self.name)
        return _array(&row)

    def first_checker_distribution(self, int64_t index):
        """The same for the first of 15 checkers; CoverageError if the file has none."""
        cdef c.bgr_row row
        self._check_index(index)
        check(c.bgr_tables_first_checker(&self.tables, index, &row), self.name)
        return _array(&row)

    cdef int _check_pair(self, int64_t on_roll, int64_t opponent) except -1:
        self._check_index(on_roll)
        self._check_index(opponent)
        if on_roll == 0 and opponent == 0:
            raise errors.PositionError("both sides have borne off all checkers: at most one side can have finished")
        return 0

    def win_probability(self, int64_t on_roll, int64_t opponent):
        """Chance to win, and whether it is from the table of pairs."""
        cdef double win
        cdef c.bgr_method method
        self._check_pair(on_roll, opponent)
        cdef bgr_status status = c.bgr_tables_win_probability(&self.tables, on_roll, opponent, &win, &method)
        if status:
            check(status, self.name)
        return win, method == c.BGR_TWO_SIDED

    cdef c.bgr_equities _values(self, int64_t on_roll, int64_t opponent) except *:
        cdef c.bgr_equities values
        self._check_pair(on_roll, opponent)
        if on_roll >= self.tables.n_pairs or opponent >= self.tables.n_pairs:
            raise errors.CoverageError(f"the table of pairs of {self.name} has {self.tables.n_pairs} positions a side")
        cdef c.bgr_pair pair = c.bgr_tables_pair(&self.tables, on_roll, opponent)
        cdef bgr_status status = c.bgr_tables_equities(&self.tables, &pair, &values)
        if status:
            check(status, self.name)
        return values

    def equities(self, int64_t on_roll, int64_t opponent, bint jacoby):
        """Equities with the right to double: cubeless, centered, mine, theirs; CoverageError beyond the table."""
        cdef c.bgr_equities values = self._values(on_roll, opponent)
        return values.cubeless, values.jacoby if jacoby else values.centered, values.mine, values.theirs

    def values(self, int64_t on_roll, int64_t opponent, bint jacoby):
        """Equities of rolling now: cubeless, mine, centered, theirs."""
        cdef c.bgr_equities values = self._values(on_roll, opponent)
        return values.cubeless, values.mine_roll, values.jacoby_roll if jacoby else values.centered_roll, values.theirs


cdef object _array(const c.bgr_row *row):
    cdef cnp.npy_intp width = row.width
    cdef cnp.ndarray result = cnp.PyArray_EMPTY(1, &width, cnp.NPY_DOUBLE, 0)
    memcpy(cnp.PyArray_DATA(result), row.chance, width * sizeof(double))
    return result
