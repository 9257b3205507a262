"""Ctrl-C: one line instead of a traceback while a command is being loaded, and never lost after that.

This module loads nothing that Python has not loaded at its start, so that `stop_quietly` is the first thing that a
process does.  Before that, while Python itself starts, Ctrl-C is its own: no package can change what it prints then.
"""

import os
import sys

TYPE_CHECKING = False  # not from typing, which takes a while to import
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # what signal dresses in enums, whose import would take longer than all the rest


_pressed = False


def stop_quietly() -> None:
    """Let Ctrl-C end the process at once, with one line and exit status 1, until `heed_again`.

    Nothing is being written yet that would have to be put in order.  A process for which Ctrl-C has a meaning of its
    own, or none, as under ``nohup``, keeps it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def heed_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if `stop_quietly` had changed that, and be remembered.

    Where Python ignores the exception it says nothing of it, for `check_interrupt` will raise it.
    """
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, _raise)
        sys.unraisablehook = _tell_others


def _tell_others(ignored: "sys.UnraisableHookArgs") -> None:
    if ignored.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(ignored)


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed.

    For whatever is called again and again while something is computed: the exception that comes with the key itself is
    lost if it happens to be raised where Python ignores exceptions, as in a finalizer or a callback of a library.
    """
    if _pressed:
        raise KeyboardInterrupt


class HeldInterrupts:
    """A context in which Ctrl-C is raised by `check_interrupt` alone, and at the end.

    For work in a library whose callbacks and finalizers would lose the exception.  In threads other than the main one,
    and where Ctrl-C has another meaning than Python's, nothing changes.
    """

    def __enter__(self) -> None:
        global _pressed  # noqa: PLW0603  (a process has one keyboard)
        self._before = signal.getsignal(signal.SIGINT)
        self._holds = self._before in (signal.default_int_handler, _raise)
        if self._holds:
            try:
                signal.signal(signal.SIGINT, _remember)
            except ValueError:  # not the main thread
                self._holds = False
            else:
                _pressed = False

    def __exit__(self, kind: object, *_: object) -> None:
        global _pressed
        if not self._holds:
            return
        signal.signal(signal.SIGINT, self._before)
        pressed, _pressed = _pressed, _pressed and self._before is _raise
        if pressed and kind is None:
            raise KeyboardInterrupt


def _remember(_signal: int, _frame: object) -> None:
    global _pressed  # noqa: PLW0603
    _pressed = True


def _stop(_signal: int, _frame: object) -> None:
    try:
        os.write(2, b"bgrace: stopped\n")
    finally:
        os._exit(1)


def _raise(_signal: int, _frame: object) -> None:
    global _pressed  # noqa: PLW0603  (a process has one keyboard)
    _pressed = True
    raise KeyboardInterrupt
