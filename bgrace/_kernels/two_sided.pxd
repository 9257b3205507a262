from bgrace._kernels.cbgrace cimport bgr_graph

cdef class Graph:
    cdef bgr_graph *c
