"""One player alone on more than six points: a layer, all positions of one number of checkers, at a time."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t

import numpy as np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport check
from bgrace._kernels.progress cimport Reporter, report

CHANCE_SCALE = c.BGR_CHANCE_SCALE


def slot_bytes() -> int:
    """Memory that a layer without distributions takes for each position while it is solved."""
    return c.bgr_layer_slot_bytes()


def layer_bytes(int points, int checkers) -> int:
    """Maximum memory of the layer of `checkers` checkers while it is solved, with distributions."""
    cdef int64_t n_bytes
    check(c.bgr_layer_bytes(points, checkers, &n_bytes), f"{checkers} checkers on {points} points")
    return n_bytes


cdef class Home:
    """Every position of at most `checkers` checkers on six points, solved until fewer than `stop` are on the board."""

    cdef c.bgr_home *c

    def __cinit__(self, int checkers, int stop, int n_threads) -> None:
        with nogil:
            status = c.bgr_home_new(checkers, stop, n_threads, &self.c)
        check(status, f"checkers={checkers}, stop={stop}")

    def __dealloc__(self):
        c.bgr_home_free(self.c)

    def layer_size(self, const int8_t[::1] most) -> int:  # IN
        """How many positions a layer has; most: int8, shape (points,)."""
        cdef int64_t size
        check(c.bgr_layer_size(self.c, <int>most.shape[0], &most[0], &size), f"most={list(most)}")
        return size


cdef class Layer:
    """The positions with most[0] checkers, at most most[j] of them on point j + 1 or beyond, solved.

    most: int8, shape (points,).  progress: called with a level, the work done and the work to do; may raise to stop.
    width: how many numbers of rolls a distribution covers at most.
    """

    cdef c.bgr_layer *c
    cdef Home _home
    cdef bint _distributions
    cdef int _points
    cdef int _n_threads
    cdef readonly int64_t size
    cdef readonly int width

    def __cinit__(
        self,
        Home home not None,
        const int8_t[::1] most,
        bint distributions,
        int n_threads,
        progress: LevelProgress | None = None,
    ) -> None:
        cdef Reporter reporter = Reporter(progress)
        cdef c.bgr_layer_options options
        self._home = home
        self._distributions = distributions
        self._points, self._n_threads = <int>most.shape[0], n_threads
        self.size = home.layer_size(most)
        options.distributions, options.n_threads = distributions, n_threads
        options.progress, options.context = report, <void *>reporter
        with nogil:
            status = c.bgr_layer_new(home.c, <int>most.shape[0], &most[0], &options, &self.c)
        reporter.check_status(status, f"{self.size} positions")
        self.width = c.bgr_layer_width(self.c)

    def __dealloc__(self):
        c.bgr_layer_free(self.c)

    def mean(self, const int8_t[::1] counts) -> float:  # IN
        """Mean rolls of a position of the layer, or of one in the home board with fewer checkers."""
        cdef double mean_rolls
        if counts.shape[0] != self._points:
            raise ValueError(f"counts must be {self._points}")
        check(c.bgr_layer_mean(self.c, &counts[0], &mean_rolls), f"{list(counts)}")
        return mean_rolls

    def distribution(self) -> Floats:
        """Chances of exactly 0, 1, ... rolls from the layer's last position, float64."""
        cdef double[::1] chances = np.empty(c.BGR_MAX_RACE_ROLLS)  # OUT
        if self._distributions:
            raise ValueError("a layer with distributions has no plays any more")
        with nogil:
            status = c.bgr_layer_distribution(self.c, &chances[0])
        check(status, f"{self.size} positions")
        return np.trim_zeros(chances.base, "b")

    def write(
        self,
        double[::1] mean_rolls: Floats | None,  # OUT, or None
        double[::1] variance_rolls: Floats | None,  # OUT, or None
        uint8_t[::1] first_roll not None,  # OUT
        uint16_t[:, ::1] chances not None,  # OUT
        int64_t first=0,
    ) -> None:
        """Fill rows of tables with what was found, in rising index, that of the first-th position first."""
        cdef c.bgr_layer_rows rows
        cdef int64_t n = first_roll.shape[0]
        if not self._distributions:
            raise ValueError("this layer has no tables")
        if n == 0 or first < 0 or first > self.size - n:
            raise ValueError(f"rows {first} .. {first + n - 1} of {self.size}")
        if (
            chances.shape[0] != n
            or (mean_rolls is not None and mean_rolls.shape[0] != n)
            or (variance_rolls is not None and variance_rolls.shape[0] != n)
        ):
            raise ValueError(f"tables must have {n} rows")
        rows.mean_rolls = &mean_rolls[0] if mean_rolls is not None else NULL
        rows.variance_rolls = &variance_rolls[0] if variance_rolls is not None else NULL
        rows.layer, rows.first, rows.n, rows.width = self.c, first, n, <int>chances.shape[1]
        rows.first_roll, rows.chances = &first_roll[0], &chances[0, 0]
        with nogil:
            status = c.bgr_layer_tables(&rows, self._n_threads)
        check(status, f"rows of {chances.shape[1]} chances")
