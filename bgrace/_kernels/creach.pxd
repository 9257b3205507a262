# Mirror of csrc/turns/reach.h.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from bgrace._kernels.cbgrace cimport bgr_status

cdef extern from "turns/reach.h" nogil:
    enum:
        BGR_REACH_MAX_TURNS

    ctypedef struct bgr_reach_home:
        pass
    bgr_status bgr_reach_home_new(bgr_reach_home **home) noexcept
    void bgr_reach_home_free(bgr_reach_home *home) noexcept

    ctypedef struct bgr_reach_options:
        double delta
        int max_turns
        int first_checker
        int last_straggler
        int cannot_win
        int first_roll
        int64_t max_layer
        int64_t max_nodes
        double max_work
        int (*progress)(void *context, double done) noexcept nogil
        void *context

    enum:
        BGR_BLEND_PARTS

    ctypedef struct bgr_blend:
        int32_t part[4]
        float share[4]

    ctypedef struct bgr_reach_layer:
        int32_t n
        int32_t n_blends
        int choices
        int32_t *node
        double *chance
        int64_t *start
        int32_t *result
        float *ways
        int32_t *n_within
        bgr_blend *blends

    ctypedef struct bgr_reach:
        double delta
        int n_layers
        bgr_reach_layer *layers
        int64_t n_nodes
        int8_t (*counts)[24]
        int32_t *home_index
        uint8_t *checkers
        double *mean
        double *variance
        int64_t n_results
        int64_t n_merged
        double *off_error
        double merge_error

    bgr_status bgr_reach_new(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                             bgr_reach **reach) noexcept
    void bgr_reach_free(bgr_reach *reach) noexcept
    bgr_status bgr_reach_sizes(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                               int64_t *positions, int *n_layers, int64_t *n_results) noexcept
