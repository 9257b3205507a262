"""Ctrl-C and SIGTERM: while a command is being loaded they end it with one line, and later they are never lost.

This module imports only modules that Python loads when it starts, so that a process can call `stop_quietly` first of
all.  Before that, while Python itself starts, no package can change what Ctrl-C prints.
"""

import _thread
import os
import sys

TYPE_CHECKING = False  # not from typing, which takes a while to import
if TYPE_CHECKING:
    import signal
    from threading import Event
else:
    import _signal as signal  # without the enums of `signal`, whose import takes longer than all else here


_KEYS = (signal.SIGINT, signal.SIGTERM)  # both end a command in the same way

_pressed = False
_own = _thread._local()  # for each thread: stop, an Event


def stop_quietly() -> None:
    """Let Ctrl-C end the process at once, with one line and exit status 1, until `heed_again`.

    No file is being written yet, so nothing has to be cleaned up.  Handlers that the process set itself stay, and a
    process that ignores Ctrl-C, as under ``nohup``, goes on to ignore it.
    """
    for key, default in zip(_KEYS, (signal.default_int_handler, signal.SIG_DFL), strict=True):
        if signal.getsignal(key) in (default, _raise):
            signal.signal(key, _stop)


def heed_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if `stop_quietly` had changed that, and remember that it was pressed.

    Where Python ignores the exception, it prints no warning, since `check_interrupt` raises it again.
    """
    for key in _KEYS:
        if signal.getsignal(key) is _stop:
            signal.signal(key, _raise)
            sys.unraisablehook = _report_others


def heed_no_more() -> None:
    """Ignore Ctrl-C from now on, if `heed_again` was called: the command has ended, and the process is about to."""
    for key in _KEYS:
        if signal.getsignal(key) is _raise:
            signal.signal(key, signal.SIG_IGN)


def _report_others(ignored: "sys.UnraisableHookArgs") -> None:
    if ignored.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(ignored)


def stop_with(stop: "Event") -> None:
    """Let `check_interrupt` stop this thread once an event is set, since only the main thread gets Ctrl-C."""
    _own.stop = stop


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed, or this thread is to stop.

    Long computations call it again and again, because the exception that Ctrl-C raises itself is lost wherever Python
    ignores exceptions, as in a finalizer or in a callback of a library.
    """
    stop = getattr(_own, "stop", None)
    if _pressed or (stop is not None and stop.is_set()):
        raise KeyboardInterrupt


class HeldInterrupts:
    """A context in which Ctrl-C raises KeyboardInterrupt only in `check_interrupt`, or at the end.

    It serves calls of a library whose callbacks and finalizers would lose the exception.  In threads other than the
    main one, and if the process has its own handler of Ctrl-C, it changes nothing.
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
        finally:  # a second Ctrl-C may raise here; then the first need not be remembered either
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
