from bgrace._kernels.cbgrace cimport bgr_space, bgr_status

cdef int check(bgr_status status, str what) except -1

cdef class Space:
    cdef bgr_space c
