"""One side of a race carried forward turn by turn."""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memcpy

import numpy as np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport check


cdef class Home:
    """The home board solved for one player: what every question below stands on."""

    cdef c.bgr_reach_home *c

    def __cinit__(self) -> None:
        cdef c.bgr_status status
        with nogil:
            status = c.bgr_reach_home_new(&self.c)
        check(status, "the home board")

    def __dealloc__(self):
        c.bgr_reach_home_free(self.c)


cdef c.bgr_reach_options options_of(
    double delta, int max_turns, bint first_checker, bint last_straggler, int64_t max_layer, int64_t max_nodes
):
    return c.bgr_reach_options(
        delta=delta,
        max_turns=max_turns,
        first_checker=first_checker,
        last_straggler=last_straggler,
        cannot_win=0,
        first_roll=0,
        max_layer=max_layer,
        max_nodes=max_nodes,
        max_work=0,
        progress=NULL,
        context=NULL,
    )


cdef int check_points(const int8_t[::1] counts) except -1:
    if counts.shape[0] != c.BGR_MAX_POINTS:
        raise ValueError(f"counts must be {c.BGR_MAX_POINTS}")
    return 0


cdef copied(const void *source, int64_t n, dtype):
    array = np.empty(n, dtype)
    cdef char[::1] to
    if n:
        to = array.view(np.int8)
        memcpy(&to[0], source, <size_t>to.shape[0])
    return array


cdef class Reach:
    """What a position can come to by turn, as csrc/turns/reach.h says; counts: int8, shape (24,).

    Attributes by node: `counts`, int8, shape (n, 24); `home_index`, int32; `checkers`, uint8; `mean` and `variance`,
    float64, of the number of rolls.
    """

    cdef c.bgr_reach *c
    cdef readonly double delta
    cdef readonly int n_layers
    cdef readonly int64_t n_results
    cdef readonly int64_t n_merged
    cdef readonly double merge_error

    def __cinit__(
        self,
        Home home not None,
        const int8_t[::1] counts,  # IN
        *,
        double delta=0,
        int max_turns=0,
        bint first_checker=False,
        bint last_straggler=False,
        int64_t max_layer=0,
        int64_t max_nodes=0,
    ) -> None:
        cdef c.bgr_status status
        cdef c.bgr_reach_options options = options_of(
            delta, max_turns, first_checker, last_straggler, max_layer, max_nodes
        )
        check_points(counts)
        with nogil:
            status = c.bgr_reach_new(home.c, &counts[0], &options, &self.c)
        check(status, f"{list(counts)}, delta={delta}, max_turns={max_turns}, max_layer={max_layer}")
        self.delta, self.merge_error = self.c.delta, self.c.merge_error
        self.n_layers, self.n_results, self.n_merged = self.c.n_layers, self.c.n_results, self.c.n_merged

    def __dealloc__(self):
        c.bgr_reach_free(self.c)

    @property
    def counts(self) -> npt.NDArray[np.int8]:
        return copied(self.c.counts, self.c.n_nodes * c.BGR_MAX_POINTS, np.int8).reshape(-1, c.BGR_MAX_POINTS)

    @property
    def home_index(self) -> npt.NDArray[np.int32]:
        return copied(self.c.home_index, self.c.n_nodes, np.int32)

    @property
    def checkers(self) -> npt.NDArray[np.uint8]:
        return copied(self.c.checkers, self.c.n_nodes, np.uint8)

    @property
    def mean(self) -> Floats:
        return copied(self.c.mean, self.c.n_nodes, np.float64)

    @property
    def variance(self) -> Floats:
        return copied(self.c.variance, self.c.n_nodes, np.float64)

    def chances_off(self) -> Floats:
        """Chance that everybody is off after 0, 1, ... rolls of the best results, float64, shape (n_layers,)."""
        chances = np.zeros(self.c.n_layers)
        for t in range(1, self.c.n_layers):
            chances[t] = self.c.layers[t].chance[0]
        return chances

    def off_error(self) -> Floats:
        """What merging adds to `chances_off`, to the first order, float64, shape (n_layers,)."""
        return copied(self.c.off_error, self.c.n_layers, np.float64)

    def layer(self, int turn) -> ReachLayer:
        """A layer: node, chance, choices, start, result, ways, n_within, parts, shares; None where there is none.

        parts, int32, and shares, float32, (blends, 4): what positions that were merged are made of.
        """
        if not 0 <= turn < self.c.n_layers:
            raise IndexError(f"turn {turn} is outside 0 .. {self.c.n_layers - 1}")
        cdef c.bgr_reach_layer *layer = &self.c.layers[turn]
        cdef int64_t n = layer.n
        cdef int64_t n_rows = n * c.BGR_N_ROLLS if layer.choices else n
        start = result = ways = None
        if layer.start != NULL:
            start = copied(layer.start, n_rows + 1, np.int64)
            result = copied(layer.result, layer.start[n_rows], np.int32)
        if layer.ways != NULL:
            ways = copied(layer.ways, layer.start[n_rows], np.float32)
        parts = np.empty((layer.n_blends, c.BGR_BLEND_PARTS), np.int32)
        shares = np.empty((layer.n_blends, c.BGR_BLEND_PARTS), np.float32)
        cdef int32_t[:, ::1] to_parts = parts
        cdef float[:, ::1] to_shares = shares
        cdef int32_t i
        cdef int k
        for i in range(layer.n_blends):
            for k in range(c.BGR_BLEND_PARTS):
                to_parts[i, k] = layer.blends[i].part[k]
                to_shares[i, k] = layer.blends[i].share[k]
        return (
            copied(layer.node, n, np.int32),
            copied(layer.chance, n, np.float64),
            bool(layer.choices),
            start,
            result,
            ways,
            copied(layer.n_within, c.BGR_MAX_CHECKERS + 1, np.int32),
            parts,
            shares,
        )


def sizes(
    Home home not None,
    const int8_t[::1] counts,  # IN
    *,
    double delta=0,
    int max_turns=0,
    bint first_checker=False,
    bint last_straggler=False,
    int64_t max_nodes=0,
) -> tuple[Integers, int]:
    """How many positions each layer would have, int64, and how many results all layers together."""
    cdef c.bgr_status status
    cdef int n_layers
    cdef int64_t n_results
    cdef c.bgr_reach_options options = options_of(delta, max_turns, first_checker, last_straggler, 0, max_nodes)
    check_points(counts)
    positions = np.empty(c.BGR_REACH_MAX_TURNS + 1, np.int64)
    cdef int64_t[::1] out = positions  # OUT
    with nogil:
        status = c.bgr_reach_sizes(home.c, &counts[0], &options, &out[0], &n_layers, &n_results)
    check(status, f"{list(counts)}, delta={delta}, max_turns={max_turns}")
    return positions[:n_layers].copy(), n_results
