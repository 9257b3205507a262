from bgrace._kernels cimport cbgrace as c

cdef class OpenFile:
    cdef c.bgr_file file
    cdef c.bgr_block_sums sums
    cdef tuple blocks  # keeps the arrays of `sums`
    cdef str name
    cdef int again(self, c.bgr_file *file) except -1
