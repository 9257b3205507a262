from bgrace._kernels cimport cbgrace as c

cdef class OpenFile:
    cdef c.bgr_file file
    cdef c.bgr_block_sums sums
    cdef tuple blocks  # keeps the arrays of `sums`
    cdef str name
    cdef int again(self, c.bgr_file *file) except -1
    cdef int check_read(self, c.bgr_status status) except -1
    cdef int _check_inside(self, c.uint64_t offset, size_t n) except -1

cdef class RangeFile(OpenFile):
    cdef object read_many
    cdef dict raised
    cdef int reraise(self) except -1
