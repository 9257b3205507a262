"""How many threads there are to work with.  Nothing else in bgrace asks OpenMP anything."""

import os

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


def has_openmp():
    """Whether bgrace was built with OpenMP; without it everything runs on one thread."""
    return BGR_OPENMP == 1


def available():
    """Number of processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
