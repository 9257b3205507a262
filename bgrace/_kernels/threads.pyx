"""How many threads to use.  No other module asks OpenMP anything."""

import operator
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

MAX_THREADS = 256

cdef bint _forked = False


def _note_fork():
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def has_openmp():
    """Whether bgrace was built with OpenMP; without it everything runs on one thread."""
    return BGR_OPENMP == 1


def how_many(threads=None):
    """`threads` if that is a number of threads to work with; None for as many as there are processors to run on.

    In a process that was forked it is 1: OpenMP's threads stay behind in the parent, and GCC's runtime would wait
    for them for ever.
    """
    if threads is None:
        there_are = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return 1 if _forked else min(there_are, MAX_THREADS)
    try:
        number = operator.index(threads)
    except TypeError:
        raise ArgumentError(f"threads={threads!r} is not a whole number: give 1 to {MAX_THREADS}") from None
    if not 1 <= number <= MAX_THREADS:
        # Each needs a stack; OpenMP ends the process if there is no room for it.
        raise ArgumentError(f"{number} threads: give 1 to {MAX_THREADS}")
    return 1 if _forked else number
