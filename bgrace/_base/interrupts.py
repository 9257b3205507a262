"""Ctrl-C while a command is being loaded: one line instead of the traceback of whatever was being imported.

This module imports next to nothing, so that `stop_quietly` can be the first thing that a process does.
"""

import os
import signal

__all__ = ["heed_again", "stop_quietly"]


def stop_quietly() -> None:
    """Let Ctrl-C end the process at once, with one line and exit status 1, until `heed_again`.

    Nothing is being written yet that would have to be put in order.  A process for which Ctrl-C has a meaning of its
    own, or none, as under ``nohup``, keeps it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def heed_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if `stop_quietly` had changed that."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(_signal: int, _frame: object) -> None:
    try:
        os.write(2, b"bgrace: stopped\n")
    finally:
        os._exit(1)
