"""All pairs of two closed sets of positions, in double precision."""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t

import numpy as np

from bgrace._kernels.two_sided import PATHS

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport check
from bgrace._kernels.progress cimport Reporter, report
from bgrace._kernels.two_sided cimport Graph

cdef enum:
    N_SPARE = 4
    MAX_SPARE_BYTES = 1 << 27

# What solutions have worked in that are no more, for the next ones.  Read and written with the GIL.
cdef c.bgr_exact_memory spare[N_SPARE]


cdef c.bgr_exact_memory take_spare(size_t n_bytes) noexcept:
    """The smallest that is large enough, or else nothing."""
    cdef int k, best = -1
    cdef c.bgr_exact_memory found
    found.start = NULL
    found.n_bytes = 0
    for k in range(N_SPARE):
        if spare[k].start != NULL and spare[k].n_bytes >= n_bytes:
            if best < 0 or spare[k].n_bytes < spare[best].n_bytes:
                best = k
    if best >= 0:
        found = spare[best]
        spare[best].start = NULL
    return found


cdef int put_spare(c.bgr_exact_memory memory) noexcept:
    """Keep memory in place of what has been kept for longest, as far as the bound allows."""
    cdef int k
    cdef size_t total = memory.n_bytes
    if memory.start == NULL or memory.n_bytes > MAX_SPARE_BYTES:
        c.bgr_exact_free_memory(memory)
        return 0
    c.bgr_exact_free_memory(spare[N_SPARE - 1])
    for k in range(N_SPARE - 1, 0, -1):
        spare[k] = spare[k - 1]
    spare[0] = memory
    for k in range(1, N_SPARE):
        if spare[k].start != NULL:
            total += spare[k].n_bytes
            if total > MAX_SPARE_BYTES:
                c.bgr_exact_free_memory(spare[k])
                spare[k].start = NULL
    return 0


cdef class Exact:
    """All pairs of a position of `a` and a position of `b`, solved in double precision for any cube states.

    A state is a tuple: win, gammon, seen, turned, factor, offset, pass.  With b and states_b None both sides come from
    a.  table_a, (len(a), len(b), states), and table_b, (len(b), len(a), states), are filled unless they are None;
    first_level: pairs with fewer pips on a side are in them already.
    """

    cdef c.bgr_exact *c
    cdef readonly Graph a, b
    cdef readonly int n_states

    def __cinit__(
        self,
        Graph a not None,
        Graph b,
        list states_a not None,
        list states_b,
        double[:, :, ::1] table_a=None,  # OUT
        double[:, :, ::1] table_b=None,  # OUT
        int gammon_checkers=0,
        double total=0.0,
        int first_level=0,
        str path="best",
        int n_threads=1,
        progress=None,
    ):
        cdef c.bgr_cube_state first[c.BGR_MAX_STATES]
        cdef c.bgr_cube_state second_states[c.BGR_MAX_STATES]
        cdef c.bgr_exact_options options
        cdef c.bgr_status status
        cdef c.bgr_graph *second = NULL
        cdef double *first_table = NULL
        cdef double *second_table = NULL
        cdef c.bgr_exact_memory memory
        cdef Reporter reporter = Reporter()
        self.a = a
        self.b = a if b is None else b
        self.n_states = len(states_a)
        if (states_b is None) != (b is None):
            raise ValueError("states of the second side go with a second graph")
        if not 1 <= self.n_states <= c.BGR_MAX_STATES or b is not None and len(states_b) != self.n_states:
            raise ValueError(f"both sides must have equally many states, 1 to {c.BGR_MAX_STATES}")
        for k in range(self.n_states):
            fill_state(states_a[k], &first[k])
        if table_a is not None:
            check_shape(table_a, len(self.a), len(self.b), self.n_states)
            first_table = &table_a[0, 0, 0]
        if b is not None:
            second = b.c
            for k in range(self.n_states):
                fill_state(states_b[k], &second_states[k])
            if table_b is not None:
                check_shape(table_b, len(self.b), len(self.a), self.n_states)
                second_table = &table_b[0, 0, 0]
        elif table_b is not None:
            raise ValueError("one graph has one table")
        reporter.function = progress
        options.states_a = first
        options.states_b = second_states
        options.n_states = self.n_states
        options.gammon_checkers = gammon_checkers
        options.total = total
        options.first_level = first_level
        options.path = PATHS[path]
        options.n_threads = n_threads
        memory = take_spare(<size_t>8 * self.n_states * len(self.a) * len(self.b) * (1 if b is None else 2))
        options.memory = &memory
        options.progress = report
        options.context = <void *>reporter
        with nogil:
            status = c.bgr_exact_new(a.c, second, &options, first_table, second_table, &self.c)
        put_spare(memory)
        if reporter.raised is not None:
            raise reporter.raised
        check(status, f"{self.n_states} states, {len(self.a)} x {len(self.b)} positions, path={path!r}")

    def __dealloc__(self):
        put_spare(c.bgr_exact_close(self.c))

    def values(self, int64_t rank, int64_t opponent_rank, int side=0):
        """Values of rolling now, (states,), for the position of a with a rank against one of b; side 1: b on roll."""
        found = np.empty(self.n_states)
        cdef double[::1] out = found  # OUT
        cdef c.bgr_status status = c.bgr_exact_values(self.c, side, rank, opponent_rank, &out[0])
        check(status, f"ranks {rank} and {opponent_rank} of side {side}")
        return found


cdef int fill_state(tuple values, c.bgr_cube_state *state) except -1:
    state.win, state.gammon, state.seen, state.turned, state.factor, state.offset, state.pass_ = values
    return 0


cdef int check_shape(double[:, :, ::1] table, int64_t rows, int64_t columns, int n_states) except -1:
    if table.shape[0] != rows or table.shape[1] != columns or table.shape[2] != n_states:
        raise ValueError(f"tables must have shapes ({rows}, {columns}, {n_states}) and with the sides exchanged")
    return 0
