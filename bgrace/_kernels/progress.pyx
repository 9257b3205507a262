"""Progress functions that C calls, and threads to compute with."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from bgrace._base.interrupts import check_interrupt
from bgrace._kernels.cbgrace cimport bgr_status, bgr_threads_begin, bgr_threads_end, bgr_work
from bgrace._kernels.positions cimport check


cdef class Work:
    """A bgr_work: threads, which end with it, and a progress function, whose exception it carries past the C code."""

    def __cinit__(self, function: LevelProgress | None = None, int n_threads=1) -> None:
        self.function = function
        self.c = bgr_work(bgr_threads_begin(&self.threads, n_threads), report, <void *>self)

    def __dealloc__(self):
        bgr_threads_end(&self.threads)

    cdef int check_status(self, bgr_status status, str what) except -1:
        """Raise the exception of the progress function, or else that of a status, as `positions.check` does."""
        if self.raised is not None:
            raise self.raised
        return check(status, what)


cdef int report(void *context, int level, int64_t done, int64_t total) noexcept with gil:
    """A bgr_progress whose context is a Work; it stops at Ctrl-C or for `stop_with`, even without a function."""
    cdef Work work = <Work>context
    try:
        PyErr_CheckSignals()
        check_interrupt()
        if work.function is not None:
            work.function(level, done, total)
    except BaseException as error:
        work.raised = error
        return 1
    return 0
