"""Equities of all pairs of a closed set of positions."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int64_t

import numpy as np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport Space, check

PATHS = {
    "best": c.BGR_PATH_BEST,
    "scalar": c.BGR_PATH_SCALAR,
    "sse2": c.BGR_PATH_SSE2,
    "avx2": c.BGR_PATH_AVX2,
    "avx512": c.BGR_PATH_AVX512,
    "neon": c.BGR_PATH_NEON,
}


def available_paths():
    """Names of the ways to run the inner loop that this machine has, the scalar one first."""
    return [name for name, path in PATHS.items() if path != c.BGR_PATH_BEST and c.bgr_path_available(path)]


cdef class _Reporter:
    """Carries the progress function, and what it raised, across the C code."""

    cdef object function
    cdef object raised


cdef int report(void *context, int64_t done, int64_t total) noexcept with gil:
    cdef _Reporter reporter = <_Reporter>context
    try:
        PyErr_CheckSignals()
        if reporter.function is not None:
            reporter.function(done, total)
    except BaseException as error:
        reporter.raised = error
        return 1
    return 0


cdef class Graph:
    """A set of positions that no play leaves, with every result of every roll."""

    cdef c.bgr_graph *c

    def __cinit__(self, Space space not None, const int64_t[::1] indices, int n_threads):
        cdef c.bgr_status status
        cdef int64_t n = indices.shape[0]
        if n == 0:
            check(c.BGR_ERR_CLOSED, "no positions")
        with nogil:
            status = c.bgr_graph_new(&space.c, &indices[0], n, n_threads, &self.c)
        check(status, f"{n} positions")

    def __dealloc__(self):
        c.bgr_graph_free(self.c)

    def __len__(self):
        return c.bgr_graph_size(self.c)

    def indices(self):
        """Index of each rank, int64: in order of pips, then of index."""
        listed = np.empty(len(self), dtype=np.int64)
        cdef int64_t[::1] out = listed  # OUT
        c.bgr_graph_indices(self.c, &out[0])
        return listed

    def solve(self, int scale, str path, int n_threads, progress, int16_t[:, :, ::1] table):
        """Fill table, int16 of shape (n, n, 4), with equities times scale."""
        cdef int64_t n = len(self)
        cdef c.bgr_path way = PATHS[path]
        cdef c.bgr_status status
        cdef _Reporter reporter = _Reporter()
        if table.shape[0] != n or table.shape[1] != n or table.shape[2] != c.BGR_N_PLANES:
            raise ValueError(f"table must have shape ({n}, {n}, {c.BGR_N_PLANES})")
        reporter.function = progress
        with nogil:
            status = c.bgr_two_sided(self.c, scale, way, n_threads, report, <void *>reporter, &table[0, 0, 0])
        if reporter.raised is not None:
            raise reporter.raised
        check(status, f"scale={scale}, path={path!r}, {n} positions")
