"""Every error that bgrace raises on purpose.

::

    BgraceError
    +-- ArgumentError (ValueError)        an option, limit or array shape that cannot be used
    +-- PositionError (ValueError)        counts, text or an ID that is not a position of this space
    |   +-- PositionCoverageError         more checkers or points than the database has; also a CoverageError
    +-- PositionIndexError (IndexError)   a number outside 0 .. len(space) - 1
    +-- RollError (ValueError)            something that is not a roll of two dice
    +-- ClosedError (ValueError)          a database that is closed already
    +-- CoverageError (LookupError)       the database has no answer for these positions
    +-- FormatError (ValueError)          not a bgrace database, of an unknown version, or damaged
    +-- VerificationError (ValueError)    a database whose contents fail a check
    +-- BuildError (OSError)              a database could not be written
    +-- DependencyError (ImportError)     a package that only some functions need is not installed
    +-- MemoryLimitError (MemoryError)    a computation that needs more memory than allowed

Each is also the builtin that a caller would expect, so ``except ValueError`` keeps working.  Every message names
the value, the limit, and what would work.
"""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "BgraceError",
    "BuildError",
    "ClosedError",
    "CoverageError",
    "DependencyError",
    "FormatError",
    "MemoryLimitError",
    "PositionCoverageError",
    "PositionError",
    "PositionIndexError",
    "RollError",
    "VerificationError",
]

NO_MEMORY = "there is not enough memory: ask for less, such as fewer points, checkers or games, or close other programs"
BOTH_FINISHED = "both sides have borne off all checkers: at most one side can have finished"
NO_CUBE_TO_TURN = "a side has no checker left: the game is over and there is no cube to turn"

_MAX_LETTERS = 600  # of a message: more than bgrace's own texts need, but less than a long value in them


def shortened(message: str) -> str:
    """A message without its middle if it is very long."""
    half = _MAX_LETTERS // 2
    return message if len(message) <= _MAX_LETTERS else f"{message[:half]} ... {message[-half:]}"


class BgraceError(Exception):
    """Root of the tree: catches everything that bgrace raises on purpose."""

    def __str__(self) -> str:
        """The message; without its middle if a long value in it makes it very long."""
        return shortened(super().__str__())


class ArgumentError(BgraceError, ValueError):
    """An option, a limit or an array shape that cannot be used."""


class PositionError(BgraceError, ValueError):
    """Counts, text or an ID that is not a position of the space in question."""


class PositionIndexError(BgraceError, IndexError):
    """A position number outside ``0 .. len(space) - 1``."""


class RollError(BgraceError, ValueError):
    """Something that is not a roll of two dice."""


class ClosedError(BgraceError, ValueError):
    """A database that is closed already."""


class CoverageError(BgraceError, LookupError):
    """The database holds no answer for these positions."""


class PositionCoverageError(PositionError, CoverageError):
    """A position with more checkers or points than the space or the database in question."""


class FormatError(BgraceError, ValueError):
    """A file that is not a bgrace database, is of an unknown version, or is damaged."""


class VerificationError(BgraceError, ValueError):
    """A database that can be read but whose contents fail a check."""


class BuildError(BgraceError, OSError):
    """A database could not be written."""


class DependencyError(BgraceError, ImportError):
    """A package that only some functions need, such as matplotlib, is not installed."""


class MemoryLimitError(BgraceError, MemoryError):
    """A computation that needs more memory than allowed."""


WRONG_QUESTIONS = (ArgumentError, PositionError, PositionIndexError, RollError)  # other questions can still be answered
