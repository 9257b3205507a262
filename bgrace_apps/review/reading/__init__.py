"""Files of matches, whatever wrote them: `read` finds out what a file is and gives what it says."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bgrace.errors import BgraceError, FormatError
from bgrace_apps.review.reading.documents import read_bgf, read_ids, read_ogxm, read_xg
from bgrace_apps.review.reading.gnubg import EXPORTED, read_gnubg_text, read_sgf
from bgrace_apps.review.reading.limits import MAX_MATCHES, read_file, text_of
from bgrace_apps.review.reading.mat import GAM, MAX_LINE, looks_like_mat, read_gam, read_mat
from bgrace_apps.review.records import Match

__all__ = ["MATCH_SUFFIXES", "read", "read_bytes"]

MATCH_SUFFIXES = (".mat", ".gam", ".txt", ".sgf", ".xg", ".xgp", ".bgf", ".ogxm")
"""The endings of files that are taken for matches."""


def read(path: str | os.PathLike[str]) -> Iterator[Match]:
    """Read every match of a file.

    The contents tell the format, not the name.

    Parameters
    ----------
    path : path-like
        A match or money session of GNU Backgammon (.sgf, or a game that it exported as text), of eXtreme Gammon (.xg,
        .xgp), of BGBlitz (.bgf), in OGXM (.ogxm) or as text (.mat, .gam, .txt), or IDs of positions, one per line.

    Yields
    ------
    Match
        What the file says; nothing of it has been played on a board yet.

    Raises
    ------
    DependencyError
        If a package that reads such files is not installed.
    FormatError
        If it is none of these, or larger than a match can be.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> [(match.players, match.length, len(match.games)) for match in read("data/matches/5-103.mat")]
    [(('North', 'East'), 5, 3)]
    """
    yield from read_bytes(read_file(path), str(path))


def read_bytes(data: bytes, source: str) -> Iterator[Match]:
    """Read every match of a file's contents; as `read`.

    Parameters
    ----------
    data : bytes
    source : str
        What the file is called.
    """
    name = Path(source).name
    try:
        for number, match in enumerate(_read(data, name), 1):
            if number > MAX_MATCHES:
                raise FormatError(f"{name} has more than {MAX_MATCHES:,} matches: give the matches in several files")
            yield replace(match, source=source)
    except BgraceError:
        raise
    except Exception as error:  # other people's readers fail in their own ways at a file that is damaged
        raise FormatError(f"{name} is damaged, or of another format than its beginning says: get it again") from error


def _read(data: bytes, name: str) -> Iterator[Match]:
    text = text_of(data).rstrip("\0")
    if not text.strip("\0 \t\r\n"):
        raise FormatError(f"{name} is empty: give a match")
    for mark, reader in ((b"RGMH", read_xg), (b"OGXM", read_ogxm), (rb"(?s)\{.{0,196}BGF", read_bgf)):
        if re.match(mark, data):
            yield reader(data, name)
            return
    if re.match(r"\s*\(\s*;", text[:10_000]):
        yield from read_sgf(text, name)
    elif looks_like_mat(text):
        yield from read_mat(text, name)
    elif EXPORTED.match(text.lstrip()[:400]):
        yield read_gnubg_text(text, name)
    elif GAM.match(text[:MAX_LINE]):
        yield from read_gam(text, name)
    else:
        yield read_ids(text, name)
