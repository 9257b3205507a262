from bgrace._kernels.cbgrace cimport bgr_cube_values, bgr_place, bgr_planes, bgr_stakes

cdef class Place:
    cdef bgr_place c

cdef class Stakes:
    cdef bgr_stakes c
    cdef bytearray known  # a bgr_planes, or None
    cdef double[:, ::1] pre
    cdef double[:, ::1] post
    cdef const bgr_planes *planes(self) except NULL
    cdef int planes_with(self, Py_ssize_t n_planes, bgr_planes *planes) except -1

cdef cube_values(const bgr_cube_values *v)
cdef new_place(const bgr_place *place)
cdef int check_planes(Place place, Py_ssize_t n) except -1
