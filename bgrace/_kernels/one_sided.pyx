"""Mean number of rolls, best results, and distributions."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

import numpy as np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check
from bgrace._kernels.progress cimport Reporter, report

GNUBG_WIDTH = c.BGR_GNUBG_WIDTH


cdef void begin(c.bgr_one_sided *tables, Space space, int stop, int n_threads, Reporter reporter) noexcept:
    memset(tables, 0, sizeof(c.bgr_one_sided))
    tables.space = &space.c
    tables.stop = stop
    tables.n_threads = n_threads
    tables.progress = report
    tables.context = <void *>reporter


def means(
    Space space not None, int stop, int n_threads
) -> tuple[Floats, npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Least mean rolls (float64, size), chosen results (int32, size x 21), greatest number of rolls (uint8, size).

    And the best results of single dice (int32, size x BGR_N_CHAINS), which rollouts go by.
    """
    check(c.BGR_ERR_SIZE if space.c.size > 2**31 - 1 else c.BGR_OK, f"{space.c.size} positions")
    cdef double[::1] mean_rolls = np.empty(space.c.size)  # OUT
    cdef int32_t[:, ::1] best = np.empty((space.c.size, c.BGR_N_ROLLS), dtype=np.int32)  # OUT
    cdef uint8_t[::1] longest = np.empty(space.c.size, dtype=np.uint8)  # OUT
    cdef int32_t[:, ::1] chains = np.empty((space.c.size, c.BGR_N_CHAINS), dtype=np.int32)  # OUT
    cdef Reporter reporter = Reporter()
    cdef c.bgr_one_sided tables
    begin(&tables, space, stop, n_threads, reporter)
    tables.mean_rolls = &mean_rolls[0]
    tables.best = &best[0, 0]
    tables.longest = &longest[0]
    tables.chains = &chains[0, 0]
    with nogil:
        status = c.bgr_one_sided_means(&tables)
    reporter.check_status(status, f"stop={stop} in a space of {space.c.size} positions")
    return mean_rolls.base, best.base, longest.base, chains.base


def distributions(
    Space space not None,
    int stop,
    int n_threads,
    const int32_t[:, ::1] best,  # IN
    const uint8_t[::1] longest,  # IN
) -> tuple[Floats, Floats]:
    """Chance of being done in exactly k rolls (float64, size x width) and variance (float64, size)."""
    if best.shape[0] != space.c.size or best.shape[1] != c.BGR_N_ROLLS or longest.shape[0] != space.c.size:
        raise ValueError("best and longest must come from means() of the same space")
    cdef int width = int(np.max(longest)) + 1
    cdef double[:, ::1] distribution = np.empty((space.c.size, width))  # OUT
    cdef double[::1] variance_rolls = np.empty(space.c.size)  # OUT
    cdef Reporter reporter = Reporter()
    cdef c.bgr_one_sided tables
    begin(&tables, space, stop, n_threads, reporter)
    tables.best = <int32_t *>&best[0, 0]
    tables.longest = <uint8_t *>&longest[0]
    tables.width = width
    tables.distribution = &distribution[0, 0]
    tables.variance_rolls = &variance_rolls[0]
    with nogil:
        status = c.bgr_one_sided_distributions(&tables)
    reporter.check_status(status, f"stop={stop} in a space of {space.c.size} positions")
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
    cdef Reporter reporter = Reporter(progress)
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
        status = c.bgr_gnubg_one_sided(&space.c, n_threads, report, <void *>reporter, &last[0, 0], first_out)
    reporter.check_status(status, f"a space of {n_last} positions")
