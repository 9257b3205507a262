"""The database of users who name none: made once, in their folder for caches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from bgrace._base.files import cache_folder
from bgrace.database.building import build
from bgrace.database.money import Database
from bgrace.database.money import open as open_database
from bgrace.errors import FormatError

CHECKERS: Final = 8
"""A side: half a second to make, 85 MB."""


def cached_database(folder: Path | None = None, *, say: Callable[[str], None] = lambda line: None) -> Database:
    """Open the database of 8 checkers a side that is kept for this user, and make it if it is not there.

    Parameters
    ----------
    folder : Path, optional
        Where it is kept: the user's cache folder, unless given.
    say : callable, optional
        Told in one line when it has to be made.

    Returns
    -------
    Database

    Raises
    ------
    BuildError
        If it cannot be written.
    """
    path = (cache_folder() if folder is None else folder) / f"races-{CHECKERS}.h5"
    with suppress(FileNotFoundError, FormatError):  # an older bgrace may have made it
        return open_database(path)
    say(f"making {path}, once: all races of up to {CHECKERS} checkers a side")
    path.parent.mkdir(parents=True, exist_ok=True)
    build(path, two_sided=CHECKERS, force=True)
    return open_database(path)
