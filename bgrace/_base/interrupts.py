"""Ctrl-C: one line instead of a traceback while a command is being loaded, and never lost after that.

This module imports next to nothing, so that `stop_quietly` can be the first thing that a process does.
"""

import os
import signal

__all__ = ["check_interrupt", "heed_again", "stop_quietly"]

_pressed = False


def stop_quietly() -> None:
    """Let Ctrl-C end the process at once, with one line and exit status 1, until `heed_again`.

    Nothing is being written yet that would have to be put in order.  A process for which Ctrl-C has a meaning of its
    own, or none, as under ``nohup``, keeps it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def heed_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if `stop_quietly` had changed that, and be remembered."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, _raise)


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed.

    For whatever is called again and again while something is computed: the exception that comes with the key itself is
    lost if it happens to be raised where Python ignores exceptions, as in a finalizer or a callback of a library.
    """
    if _pressed:
        raise KeyboardInterrupt


def _stop(_signal: int, _frame: object) -> None:
    try:
        os.write(2, b"bgrace: stopped\n")
    finally:
        os._exit(1)


def _raise(_signal: int, _frame: object) -> None:
    global _pressed  # noqa: PLW0603  (a process has one keyboard)
    _pressed = True
    raise KeyboardInterrupt
