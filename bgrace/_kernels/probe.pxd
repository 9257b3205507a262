from libc.stdint cimport int64_t

from bgrace._kernels cimport cbgrace as c

cdef class OpenFile:
    cdef c.bgr_file file
    cdef c.bgr_block_sums sums
    cdef tuple blocks  # keeps the arrays of `sums`
    cdef str name
    cdef int again(self, c.bgr_file *file) except -1

cdef class Probe:
    cdef c.bgr_db *db
    cdef const c.bgr_tables *tables
    cdef const unsigned char[::1] view  # keeps the bytes where they are
    cdef OpenFile opened  # keeps checksums of blocks
    cdef str name
    cdef int _check_index(self, int64_t index) except -1
    cdef int _check_pair(self, int64_t on_roll, int64_t opponent) except -1
    cdef int _find_row(self, int64_t index, bint first_checker, c.bgr_row *row) except -1
    cdef int _find_pair(self, int64_t on_roll, int64_t opponent, bint jacoby, bint doubling, double *planes) except -1
