"""How many threads there are to work with.  Nothing else in bgrace asks OpenMP anything."""

import os

from bgrace.errors import ArgumentError

cdef extern from *:
    """
    #ifdef _OPENMP
    enum { BGR_OPENMP = 1 };
    #else
    enum { BGR_OPENMP = 0 };
    #endif
    """
    enum:
        BGR_OPENMP

MOST_THREADS = 256


def has_openmp():
    """Whether bgrace was built with OpenMP; without it everything runs on one thread."""
    return BGR_OPENMP == 1


def how_many(threads=None):
    """`threads` if that is a number of threads to work with; None for as many as there are processors to run on."""
    if threads is None:
        there_are = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(there_are, MOST_THREADS)
    if not 1 <= threads <= MOST_THREADS:
        # Each needs a stack; OpenMP ends the process if there is no room for it.
        raise ArgumentError(f"{threads} threads: give 1 to {MOST_THREADS}")
    return int(threads)
