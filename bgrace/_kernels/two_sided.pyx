"""Equities of all pairs of a closed set of positions."""

import os

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint32_t
from libc.string cimport memset

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check
from bgrace._kernels.progress cimport Work

PATHS: Final[dict[str, int]] = {
    name: path for path, name in enumerate(("best", "scalar", "sse2", "avx2", "avx512", "neon"))
}
"""Instruction sets for the inner loop, by their numbers in bgr_path."""


def available_paths() -> list[str]:
    """Names of the instruction sets that this machine has for the inner loop, the scalar one first."""
    return [name for name, path in PATHS.items() if path != c.BGR_PATH_BEST and c.bgr_path_available(path)]


cdef class Graph:
    """A set of positions that no play leaves, with every result of every roll."""

    cdef c.bgr_graph *c

    def __cinit__(self, Space space not None, const int64_t[::1] indices, int n_threads) -> None:
        cdef Work work = Work(None, n_threads)
        cdef int64_t n = indices.shape[0]
        if n == 0:
            check(c.BGR_ERR_CLOSED, "no positions")
        with nogil:
            status = c.bgr_graph_new(&space.c, &indices[0], n, &work.c, &self.c)
        work.check_status(status, f"{n} positions")

    def __dealloc__(self):
        c.bgr_graph_free(self.c)

    def __len__(self) -> int:
        return c.bgr_graph_size(self.c)

    def compare(self, int gammon_checkers, int n_threads) -> None:
        """Find plays that another one beats whatever the opponent has; solutions in double precision skip them.

        No other thread may use the graph meanwhile.
        """
        cdef Work work = Work(None, n_threads)
        with nogil:
            status = c.bgr_graph_compare(self.c, gammon_checkers, &work.c)
        work.check_status(status, f"{len(self)} positions")

    def indices(self) -> Integers:
        """Index of each rank, int64: in order of pips, then of index."""
        cdef int64_t[::1] listed = np.empty(len(self), dtype=np.int64)  # OUT
        c.bgr_graph_indices(self.c, &listed[0])
        return listed.base


def solve(
    Graph graph not None,
    int16_t[:, :, ::1] table,  # OUT
    int scale,
    int gammon_checkers=0,
    unsigned single_planes=0,
    tuple gammon_pairs: KernelPairs | None = None,
    file: KernelFile | None = None,
    int64_t memory_bytes=0,
    str path="best",
    bint gnubg=False,
    int n_threads=1,
    progress: LevelProgress | None = None,
) -> None:
    """Fill table, (len(graph), len(graph), 4), with equities times scale.

    gammon_pairs: column, winning_start, winning (OUT), losing_start, losing (OUT), see csrc/solve/gammon_pairs.h.
    file: descriptor, offset, row_crc32 (OUT), pairs_at_once, and whether to use `table` as a mapping of the file, see
    csrc/solve/pair_file.h; if not, `table` is neither read nor written.  With gnubg the arithmetic is GNU Backgammon's.
    OSError if the file cannot be written or read.
    """
    cdef c.bgr_two_sided_options options
    # One more thread for a file: it waits for the disk.
    cdef Work work = Work(progress, n_threads + (file is not None and n_threads > 1))
    cdef c.bgr_gammon_pairs pairs
    cdef const int32_t[::1] column
    cdef const int64_t[::1] winning_start, losing_start
    cdef int16_t[:, ::1] winning, losing  # OUT
    cdef c.bgr_pair_file pair_file
    cdef uint32_t[::1] row_crc32  # OUT
    cdef int64_t n = len(graph)
    if table is None or table.shape[0] != n or table.shape[1] != n or table.shape[2] != c.BGR_N_PLANES:
        raise ValueError(f"table must have shape ({n}, {n}, {c.BGR_N_PLANES})")
    memset(&options, 0, sizeof(options))
    options.scale = scale
    options.gammon_checkers = gammon_checkers
    options.single_planes = single_planes
    if gammon_pairs is not None:
        column, winning_start, winning, losing_start, losing = gammon_pairs
        if column.shape[0] != n:
            raise ValueError(f"column must have shape ({n},)")
        _check_starts(winning_start, n, winning)
        _check_starts(losing_start, n, losing)
        pairs.column, pairs.winning_start, pairs.losing_start = &column[0], &winning_start[0], &losing_start[0]
        pairs.winning = &winning[0, 0] if winning.shape[0] else NULL
        pairs.losing = &losing[0, 0] if losing.shape[0] else NULL
        options.gammon_pairs = &pairs
    memset(&pair_file, 0, sizeof(pair_file))
    if file is not None:
        pair_file.descriptor, pair_file.offset, row_crc32, pair_file.pairs_at_once, is_mapped = file
        if is_mapped:
            pair_file.mapped = <unsigned char *>&table[0, 0, 0]
        if row_crc32 is None or row_crc32.shape[0] != n:
            raise ValueError(f"row_crc32 must have shape ({n},)")
        pair_file.row_crc32 = &row_crc32[0]
        options.file = &pair_file
    options.memory_bytes = memory_bytes
    options.path = PATHS[path]
    options.arithmetic = c.BGR_GNUBG if gnubg else c.BGR_NEAREST
    options.work = work.c
    with nogil:
        status = c.bgr_two_sided(graph.c, &options, &table[0, 0, 0])
    if file is not None and status in (c.BGR_ERR_WRITE, c.BGR_ERR_READ):
        raise OSError(pair_file.error, os.strerror(pair_file.error))
    work.check_status(status, f"scale={scale}, path={path!r}, {n} positions")


def table_crc32(const uint32_t[::1] row_crc32 not None) -> int:
    """CRC-32 of a square table from those of its rows."""
    if row_crc32.shape[0] == 0:
        return 0
    return c.bgr_pair_table_crc32(&row_crc32[0], row_crc32.shape[0])


def count_reachable(const int8_t[::1] counts not None) -> int:
    """Number of reachable positions, by formula, without listing them."""
    cdef int points = <int>counts.shape[0]
    cdef double n
    if points == 0:
        raise ValueError("counts: give those of 1 point or more")
    check(c.bgr_count_reachable(points, &counts[0], &n), f"counts of {points} points")
    return int(n)


cdef int _check_starts(const int64_t[::1] starts, int64_t n, int16_t[:, ::1] values) except -1:
    if starts.shape[0] != n + 1 or starts[0] != 0 or starts[n] != values.shape[0] or (np.diff(starts) < 0).any():
        raise ValueError(f"starts must be {n + 1} numbers that rise from 0 to {values.shape[0]}")
    if values.shape[1] != c.BGR_N_SINGLE:
        raise ValueError(f"values must have shape (..., {c.BGR_N_SINGLE})")
    return 0
