"""All pairs of two closed sets of positions, in double precision."""

from libc.stdint cimport int64_t

from bgrace._kernels.two_sided import PATHS

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport check
from bgrace._kernels.progress cimport Reporter, report
from bgrace._kernels.two_sided cimport Graph


def solve(
    Graph a not None,
    Graph b: Graph | None,
    list states_a not None: list[State],
    list states_b: list[State] | None,
    double[:, :, ::1] table_a not None,  # OUT
    double[:, :, ::1] table_b: Floats | None = None,  # OUT
    int gammon_checkers=0,
    double total=0.0,
    str path="best",
    int n_threads=1,
    progress: LevelProgress | None = None,
) -> None:
    """Fill table_a, (len(a), len(b), states), and table_b, (len(b), len(a), states), for any cube states.

    A state is a tuple: win, gammon, seen, turned, factor, offset, pass.  With b, states_b and table_b None both sides
    come from a.
    """
    cdef c.bgr_cube_state first[c.BGR_MAX_STATES]
    cdef c.bgr_cube_state second[c.BGR_MAX_STATES]
    cdef c.bgr_exact_options options
    cdef c.bgr_threads threads
    cdef c.bgr_exact *exact
    cdef c.bgr_status status
    cdef c.bgr_graph *other = NULL
    cdef double *other_table = NULL
    cdef Reporter reporter = Reporter()
    cdef int n_states = len(states_a)
    cdef int64_t n_a = len(a), n_b = len(a if b is None else b)
    if (b is None) != (states_b is None) or (b is None) != (table_b is None):
        raise ValueError("a second graph goes with states and a table of its own")
    if not 1 <= n_states <= c.BGR_MAX_STATES or b is not None and len(states_b) != n_states:
        raise ValueError(f"both sides must have equally many states, 1 to {c.BGR_MAX_STATES}")
    fill_states(states_a, first)
    check_shape(table_a, n_a, n_b, n_states)
    if b is not None:
        fill_states(states_b, second)
        check_shape(table_b, n_b, n_a, n_states)
        other, other_table = b.c, &table_b[0, 0, 0]
    reporter.function = progress
    options.states_a, options.states_b, options.n_states = first, second, n_states
    options.gammon_checkers, options.total = gammon_checkers, total
    options.path, options.parallel = PATHS[path], c.bgr_threads_begin(&threads, n_threads)
    options.memory = NULL
    options.progress, options.context = report, <void *>reporter
    with nogil:
        status = c.bgr_exact_new(a.c, other, &options, &table_a[0, 0, 0], other_table, &exact)
        c.bgr_threads_end(&threads)
        c.bgr_exact_free(exact)
    if reporter.raised is not None:
        raise reporter.raised
    check(status, f"{n_states} states, {n_a} x {n_b} positions, path={path!r}")


cdef int fill_states(list values, c.bgr_cube_state *states) except -1:
    cdef c.bgr_cube_state *state
    for k, of in enumerate(values):
        state = &states[<int>k]
        state.win, state.gammon, state.seen, state.turned, state.factor, state.offset, state.pass_ = of
    return 0


cdef int check_shape(double[:, :, ::1] table, int64_t rows, int64_t columns, int n_states) except -1:
    if table.shape[0] != rows or table.shape[1] != columns or table.shape[2] != n_states:
        raise ValueError(f"tables must have shapes ({rows}, {columns}, {n_states}) and with the sides exchanged")
    return 0
