"""One-sided tables as GNU Backgammon's generator computes them."""

from libc.stdint cimport int64_t, uint16_t

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check
from bgrace._kernels.progress cimport Reporter, report

WIDTH = c.BGR_GNUBG_WIDTH


def one_sided(
    Space space not None,
    int n_threads,
    uint16_t[:, ::1] last not None,  # OUT
    uint16_t[:, ::1] first: npt.NDArray[np.uint16] | None,  # OUT
    progress: LevelProgress | None = None,
) -> None:
    """Fill last, (size, 32), by index, and first, (1 + positions with 15 checkers, 32), unless that is None."""
    cdef Reporter reporter = Reporter()
    cdef uint16_t *first_out = NULL
    cdef c.bgr_status status
    cdef int64_t n_last = space.c.size, n_first = 1
    cdef Space fewer = Space(space.c.points, c.BGR_MAX_CHECKERS - 1)
    if last.shape[0] != n_last or last.shape[1] != c.BGR_GNUBG_WIDTH:
        raise ValueError(f"last must have shape ({n_last}, {c.BGR_GNUBG_WIDTH})")
    if first is not None:
        n_first += n_last - fewer.c.size
        if first.shape[0] != n_first or first.shape[1] != c.BGR_GNUBG_WIDTH:
            raise ValueError(f"first must have shape ({n_first}, {c.BGR_GNUBG_WIDTH})")
        first_out = &first[0, 0]
    reporter.function = progress
    with nogil:
        status = c.bgr_gnubg_one_sided(&space.c, n_threads, report, <void *>reporter, &last[0, 0], first_out)
    reporter.reraise()
    check(status, f"a space of {n_last} positions")
