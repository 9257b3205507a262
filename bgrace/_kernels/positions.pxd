from libc.stdint cimport int8_t, int64_t

from bgrace._kernels.cbgrace cimport bgr_index_batch_i8, bgr_index_batch_i64, bgr_space, bgr_status

ctypedef fused count_t:
    int8_t
    int64_t

cdef int check(bgr_status status, str what) except -1

cdef inline bgr_status index_counts(
    const bgr_space *space, const count_t *counts, int64_t n, int64_t *indices, int64_t *n_done
) noexcept nogil:
    """The indices of counts, each `space.points` of them, one after another."""
    if count_t is int8_t:
        return bgr_index_batch_i8(space, counts, n, indices, n_done)
    else:
        return bgr_index_batch_i64(space, counts, n, indices, n_done)

cdef class Space:
    cdef bgr_space c
