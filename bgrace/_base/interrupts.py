"""Ctrl-C, and SIGTERM: one line instead of a traceback while a command is being loaded, and never lost after that.

This module loads nothing that Python has not loaded at its start, so that `stop_quietly` is the first thing that a
process does.  Before that, while Python itself starts, Ctrl-C is its own: no package can change what it prints then.
"""

import _thread
import os
import sys

TYPE_CHECKING = False  # not from typing, which takes a while to import
if TYPE_CHECKING:
    import signal
    from threading import Event
else:
    import _signal as signal  # what signal dresses in enums, whose import would take longer than all the rest


_KEYS = (signal.SIGINT, signal.SIGTERM)  # which end a command alike

_pressed = False
_own = _thread._local()  # of each thread: stop, an Event


def stop_quietly() -> None:
    """Let Ctrl-C end the process at once, with one line and exit status 1, until `heed_again`.

    Nothing is being written yet that would have to be put in order.  A process for which Ctrl-C has a meaning of its
    own, or none, as under ``nohup``, keeps it.
    """
    for key, default in zip(_KEYS, (signal.default_int_handler, signal.SIG_DFL), strict=True):
        if signal.getsignal(key) in (default, _raise):
            signal.signal(key, _stop)


def heed_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if `stop_quietly` had changed that, and be remembered.

    Where Python ignores the exception it says nothing of it, for `check_interrupt` will raise it.
    """
    for key in _KEYS:
        if signal.getsignal(key) is _stop:
            signal.signal(key, _raise)
            sys.unraisablehook = _tell_others


def heed_no_more() -> None:
    """Ignore Ctrl-C from now on, if `heed_again` was called: the command has ended, and the process is about to."""
    for key in _KEYS:
        if signal.getsignal(key) is _raise:
            signal.signal(key, signal.SIG_IGN)


def _tell_others(ignored: "sys.UnraisableHookArgs") -> None:
    if ignored.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(ignored)


def stop_with(stop: "Event") -> None:
    """Have `check_interrupt` stop this thread, too, once an event is set: only the main one hears of Ctrl-C."""
    _own.stop = stop


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed, or this thread is to stop.

    For whatever is called again and again while something is computed: the exception that comes with the key itself is
    lost if it happens to be raised where Python ignores exceptions, as in a finalizer or a callback of a library.
    """
    stop = getattr(_own, "stop", None)
    if _pressed or (stop is not None and stop.is_set()):
        raise KeyboardInterrupt


class HeldInterrupts:
    """A context in which Ctrl-C is raised by `check_interrupt` alone, and at the end.

    For work in a library whose callbacks and finalizers would lose the exception.  In threads other than the main one,
    and where Ctrl-C has another meaning than Python's, nothing changes.
    """

    def __enter__(self) -> None:
        self._before = {}
        for key in _KEYS:
            before = signal.getsignal(key)
            if before in (signal.default_int_handler, _raise):
                try:
                    signal.signal(key, _remember)
                except ValueError:  # not the main thread
                    return
                self._before[key] = before

    def __exit__(self, kind: object, *_: object) -> None:
        global _pressed
        if not self._before:
            return
        try:
            for key, before in self._before.items():
                signal.signal(key, before)
        finally:  # a second Ctrl-C raises here, and then the first is not remembered either
            pressed, _pressed = _pressed, _pressed and _raise in self._before.values()
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


def _raise(key: int, frame: object) -> None:
    _remember(key, frame)
    raise KeyboardInterrupt
