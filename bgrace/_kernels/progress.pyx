"""Progress functions, called from C."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from bgrace._base.interrupts import check_interrupt
from bgrace._kernels.cbgrace cimport bgr_status
from bgrace._kernels.positions cimport check


cdef class Reporter:
    """Carries the progress function, and what it raised, across the C code."""

    def __cinit__(self, function: LevelProgress | None = None) -> None:
        self.function = function

    cdef int check_status(self, bgr_status status, str what) except -1:
        """Raise what the function raised, or else the exception of a status, as `positions.check` does."""
        if self.raised is not None:
            raise self.raised
        return check(status, what)


cdef int report(void *context, int level, int64_t done, int64_t total) noexcept with gil:
    """A bgr_progress whose context is a Reporter; heeds Ctrl-C and what stops a thread, even without a function."""
    cdef Reporter reporter = <Reporter>context
    try:
        PyErr_CheckSignals()
        check_interrupt()
        if reporter.function is not None:
            reporter.function(level, done, total)
    except BaseException as error:
        reporter.raised = error
        return 1
    return 0
