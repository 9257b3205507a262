"""Opening a file of either kind."""

from __future__ import annotations

import os

from bgrace.database.money import Database
from bgrace.database.store import Access, read_tables
from bgrace.database.stored import source_of


def open(path: str | os.PathLike[str], access: Access = "map", *, verify: bool = False) -> Database:
    """Open a database file.

    Parameters
    ----------
    path : path-like
        A file that ``bgrace build`` or `bgrace.build` made.
    access : {"map", "load", "read"}
        How to get at the tables; the C library has the same three, `BGR_MAP`, `BGR_LOAD` and `BGR_READ`.

        - ``"map"``: map the file.  It costs no memory of its own, and a question that is not in memory reads one page.
          For files that nobody writes to: where one is changed in place, answers may be of the new bytes; where it is
          cut short, the system ends the process with SIGBUS.
        - ``"load"``: copy it into memory.  The fastest questions, and nothing that becomes of the file matters.
        - ``"read"``: read it at each question, and see each time that it is still the file that was opened.
          Each takes a while, so longer races end in the pairs of the file only where they ask for few of them.

        Whichever it is, a file that is deleted, or replaced by another of its name, keeps answering: so a database can
        be asked while its successor is built.  (An archive is unpacked chunk by chunk; only ``"load"`` copies it
        first.)
    verify : bool
        Whether to compare all tables with their checksums first, at about a gigabyte a second.  Otherwise only what
        tells where they are is checked; a file that was copied or downloaded is worth it once.

    Returns
    -------
    Database
        A `bgrace.MatchDatabase` for a file that was built for one score of a match.  Read-only; any number of processes
        and threads may have the file open.  Use it as a context manager.

    Raises
    ------
    ArgumentError
        If `access` is not one of these.
    FormatError
        If the file is not a bgrace database, is of a version that this bgrace does not know, or is damaged; with
        ``"read"``, from any question, if the file has been changed since.
    MemoryLimitError
        With ``"load"``, if the file is larger than the machine's memory.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     round(db.epc((0, 0, 0, 0, 0, 1)), 4)    # one checker on the six point: 1.25 rolls
    10.2083
    """
    stored = read_tables(path, access, verify)
    if stored.directory.match is None:
        return Database(source_of(stored))
    from bgrace.database.match import MatchDatabase  # noqa: PLC0415  (takes a while)

    return MatchDatabase(stored)
