"""Opening a file of either kind."""

from __future__ import annotations

import os

from bgrace.database import money
from bgrace.database.match import open_match
from bgrace.database.store import is_match_file

__all__ = ["open"]


def open(path: str | os.PathLike[str]) -> money.Database:
    """Open a database file.

    Parameters
    ----------
    path : path-like
        A file that ``bgrace build`` or `bgrace.build` made.

    Returns
    -------
    Database
        A `bgrace.MatchDatabase` for a file that was built for one score of a match.  Read-only; any number of processes
        and threads may have the file open.  Use it as a context manager.

    Raises
    ------
    FormatError
        If the file is not a bgrace database, is of a version that this bgrace does not know, or is damaged.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     round(db.epc((0, 0, 0, 0, 0, 1)), 4)    # one checker on the six point: 1.25 rolls
    10.2083
    """
    return open_match(path) if is_match_file(path) else money.open(path)
