from libc.stdint cimport int64_t

from bgrace._kernels.cbgrace cimport bgr_parallel, bgr_status, bgr_work

cdef class Work:
    cdef bgr_work c
    cdef bgr_parallel threads
    cdef object function
    cdef object raised
    cdef int check_status(self, bgr_status status, str what) except -1

cdef int report(void *context, int level, int64_t done, int64_t total) noexcept with gil
