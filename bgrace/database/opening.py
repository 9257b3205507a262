"""Opening a file of either kind."""

from __future__ import annotations

import os

from bgrace.database.match import MatchDatabase
from bgrace.database.money import Database
from bgrace.database.store import read_tables
from bgrace.database.stored import source_of

__all__ = ["open"]


def open(path: str | os.PathLike[str]) -> Database:
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
    stored = read_tables(path)
    return Database(source_of(stored)) if stored.directory.match is None else MatchDatabase(stored)
