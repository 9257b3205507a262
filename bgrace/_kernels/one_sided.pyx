"""One player alone: mean number of rolls, best results, and distributions.

On more than six points it solves one layer, all positions with the same number of checkers, at a time.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check
from bgrace._kernels.progress cimport Work

GNUBG_WIDTH = c.BGR_GNUBG_WIDTH
CHANCE_SCALE = c.BGR_CHANCE_SCALE


cdef void begin(c.bgr_one_sided *tables, Space space, int stop, int n_threads, Work work) noexcept:
    memset(tables, 0, sizeof(c.bgr_one_sided))
    tables.space = &space.c
    tables.stop = stop
    tables.n_threads = n_threads
    tables.progress, tables.context = work.c.progress, work.c.context


def means(
    Space space not None, int stop, int n_threads
) -> tuple[Floats, npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Least mean rolls (float64, size), chosen results (int32, size x 21), greatest number of rolls (uint8, size).

    Also the best results of single dice (int32, size x BGR_N_CHAINS), which rollouts use.
    """
    cdef double[::1] mean_rolls = np.empty(space.c.size)  # OUT
    cdef int32_t[:, ::1] best = np.empty((space.c.size, c.BGR_N_ROLLS), dtype=np.int32)  # OUT
    cdef uint8_t[::1] longest = np.empty(space.c.size, dtype=np.uint8)  # OUT
    cdef int32_t[:, ::1] chains = np.empty((space.c.size, c.BGR_N_CHAINS), dtype=np.int32)  # OUT
    cdef Work work = Work()
    cdef c.bgr_one_sided tables
    begin(&tables, space, stop, n_threads, work)
    tables.mean_rolls = &mean_rolls[0]
    tables.best = &best[0, 0]
    tables.longest = &longest[0]
    tables.chains = &chains[0, 0]
    with nogil:
        status = c.bgr_one_sided_means(&tables)
    work.check_status(status, f"stop={stop} in a space of {space.c.size} positions")
    return mean_rolls.base, best.base, longest.base, chains.base


def distributions(
    Space space not None,
    int stop,
    int n_threads,
    const int32_t[:, ::1] best,  # IN
    const uint8_t[::1] longest,  # IN
) -> tuple[Floats, Floats]:
    """Chance of bearing off in exactly k rolls (float64, size x width) and variance (float64, size)."""
    if best.shape[0] != space.c.size or best.shape[1] != c.BGR_N_ROLLS or longest.shape[0] != space.c.size:
        raise ValueError("best and longest must come from means() of the same space")
    cdef int width = int(np.max(longest)) + 1
    cdef double[:, ::1] distribution = np.empty((space.c.size, width))  # OUT
    cdef double[::1] variance_rolls = np.empty(space.c.size)  # OUT
    cdef Work work = Work()
    cdef c.bgr_one_sided tables
    begin(&tables, space, stop, n_threads, work)
    tables.best = <int32_t *>&best[0, 0]
    tables.longest = <uint8_t *>&longest[0]
    tables.width = width
    tables.distribution = &distribution[0, 0]
    tables.variance_rolls = &variance_rolls[0]
    with nogil:
        status = c.bgr_one_sided_distributions(&tables)
    work.check_status(status, f"stop={stop} in a space of {space.c.size} positions")
    return distribution.base, variance_rolls.base


def gnubg(
    Space space not None,
    int n_threads,
    uint16_t[:, ::1] last not None,  # OUT
    uint16_t[:, ::1] first: npt.NDArray[np.uint16] | None,  # OUT
    progress: LevelProgress | None = None,
) -> None:
    """Fill tables as GNU Backgammon's generator computes them.

    last: (size, 32), by index; first: (1 + positions with 15 checkers, 32), or None.
    """
    cdef Work work = Work(progress)
    cdef uint16_t *first_out = NULL
    cdef int64_t n_last = space.c.size, n_first = 1
    cdef Space fewer = Space(space.c.points, c.BGR_MAX_CHECKERS - 1)
    if last.shape[0] != n_last or last.shape[1] != c.BGR_GNUBG_WIDTH:
        raise ValueError(f"last must have shape ({n_last}, {c.BGR_GNUBG_WIDTH})")
    if first is not None:
        n_first += n_last - fewer.c.size
        if first.shape[0] != n_first or first.shape[1] != c.BGR_GNUBG_WIDTH:
            raise ValueError(f"first must have shape ({n_first}, {c.BGR_GNUBG_WIDTH})")
        first_out = &first[0, 0]
    with nogil:
        status = c.bgr_gnubg_one_sided(&space.c, n_threads, work.c.progress, work.c.context, &last[0, 0], first_out)
    work.check_status(status, f"a space of {n_last} positions")


def slot_bytes() -> int:
    """Bytes per position that a layer without distributions takes while it is solved."""
    return c.bgr_layer_slot_bytes()


def layer_bytes(int points, int checkers) -> int:
    """Greatest number of bytes that the layer of `checkers` checkers takes while it is solved, with distributions."""
    cdef int64_t n_bytes
    check(c.bgr_layer_bytes(points, checkers, &n_bytes), f"{checkers} checkers on {points} points")
    return n_bytes


cdef class Home:
    """Every position of at most `checkers` checkers on six points, solved until fewer than `stop` are on the board."""

    cdef c.bgr_layer_home *c

    def __cinit__(self, int checkers, int stop, int n_threads) -> None:
        with nogil:
            status = c.bgr_layer_home_new(checkers, stop, n_threads, &self.c)
        check(status, f"checkers={checkers}, stop={stop}")

    def __dealloc__(self):
        c.bgr_layer_home_free(self.c)

    def layer_size(self, const int8_t[::1] most) -> int:  # IN
        """Number of positions of a layer; most: int8, shape (points,), as in `Layer`."""
        cdef int64_t size
        check(c.bgr_layer_size(self.c, <int>most.shape[0], &most[0], &size), f"most={list(most)}")
        return size


cdef class Layer:
    """The positions with most[0] checkers, at most most[j] of them on point j + 1 or beyond, solved.

    most: int8, shape (points,).  progress: called with a level, the work done and the work to do; may raise to stop.
    width: greatest number of entries of a distribution.
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
        cdef Work work = Work(progress)
        cdef c.bgr_layer_options options
        self._home = home
        self._distributions = distributions
        self._points, self._n_threads = <int>most.shape[0], n_threads
        self.size = home.layer_size(most)
        options.distributions, options.n_threads = distributions, n_threads
        options.progress, options.context = work.c.progress, work.c.context
        with nogil:
            status = c.bgr_layer_new(home.c, <int>most.shape[0], &most[0], &options, &self.c)
        work.check_status(status, f"{self.size} positions")
        self.width = c.bgr_layer_width(self.c)

    def __dealloc__(self):
        c.bgr_layer_free(self.c)

    def mean(self, const int8_t[::1] counts) -> float:  # IN
        """Mean rolls of a position of the layer, or of one in the home board with fewer checkers."""
        if counts.shape[0] != self._points:
            raise ValueError(f"counts must be {self._points}")
        return c.bgr_layer_mean(self.c, &counts[0])

    def distribution(self) -> Floats:
        """Chances of exactly 0, 1, ... rolls from the layer's last position, float64."""
        cdef double[::1] chances = np.empty(c.BGR_MAX_RACE_ROLLS)  # OUT
        if self._distributions:
            raise ValueError("a layer with distributions does not keep its plays")
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
        """Fill rows of tables with the results of positions number first, first + 1, ... of the layer."""
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
