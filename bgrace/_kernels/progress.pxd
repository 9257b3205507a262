from libc.stdint cimport int64_t

cdef class Reporter:
    cdef object function
    cdef object raised
    cdef int reraise(self) except -1

cdef int report(void *context, int level, int64_t done, int64_t total) noexcept with gil
