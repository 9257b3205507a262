"""Limits that are checked before a file is parsed: sizes, also of compressed data once they are unpacked."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Final

import numpy as np

from bgrace._base.files import checked_path, opened
from bgrace._base.limits import memory_text
from bgrace.errors import DependencyError, FormatError

MAX_FILE_BYTES: Final = 32 << 20
"""A match of 25 points with an engine's whole analysis takes a megabyte or two."""

MAX_UNPACKED_BYTES: Final = 128 << 20

MAX_MATCHES: Final = 10_000
"""Most matches of a file."""

MAX_TURNS: Final = 50_000
"""Most rows of a match; a thousand games have fewer.  In memory a row takes a hundred times its bytes."""

_MAX_SMILE_BYTES: Final = 32 << 20
_MAX_SMILE_OBJECTS: Final = 500_000
"""A long match with analysis has a tenth of that."""

_LINE: Final = re.compile(r"^.*$", re.MULTILINE)

_STEP: Final = 1 << 20
_MAX_WORK: Final = 2e10  # sum of squared lengths: a few seconds; two texts of 100,000 letters are within


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Read a file that is not larger than a match can be.

    Raises
    ------
    FormatError
        If it is larger, or not a file.
    OSError
        If it cannot be read.
    """
    named = checked_path(path)
    if named.is_dir() and os.access(named, os.R_OK):  # else the error is that of any file that cannot be read
        raise FormatError(f"{named} is a folder: give a file of a match")
    with opened(path, "a match", "give a file of one") as raw:
        data = raw.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(f"{named} is larger than {memory_text(MAX_FILE_BYTES)}, which no match is: give a match")
    return data


def unpacked(packed: bytes, name: str, limit: int = MAX_UNPACKED_BYTES) -> Iterator[bytes]:
    """Unpack zlib or gzip data piece by piece; others come as they are.  FormatError beyond the size of a match.

    Examples
    --------
    >>> list(unpacked(zlib.compress(b"short"), "example")), list(unpacked(b"plain", "example"))
    ([b'short'], [b'plain'])
    """
    n_bytes, waiting = 0, packed
    while waiting:  # gzip data may have any number of members, one behind the other
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            while waiting and not unpacker.eof:
                piece = unpacker.decompress(waiting, _STEP)
                n_bytes += len(piece)
                waiting = unpacker.unconsumed_tail
                if n_bytes > limit:
                    raise FormatError(
                        f"{name} unpacks to more than {memory_text(limit)}, which no match does: give a match"
                    )
                yield piece
        except zlib.error:
            if not n_bytes:
                yield packed
            return
        waiting = unpacker.unused_data.lstrip(b"\0")


def check_smile(packed: bytes, name: str) -> None:
    """Raise FormatError if Smile data could take for ever to read, or hundreds of times their bytes.

    An empty object or list is two bytes long.  A number ends with the first byte whose highest bit is set, and the time
    to read it grows with the square of its length.  Text has bytes without that bit, too, so the squares of all their
    stretches are added up.
    """
    length, work, n_objects = 0, 0.0, 0
    for piece in unpacked(packed, name, _MAX_SMILE_BYTES):
        n_objects += piece.count(b"\xf8") + piece.count(b"\xfa")
        if n_objects > _MAX_SMILE_OBJECTS:
            raise FormatError(f"{name} has more than {_MAX_SMILE_OBJECTS:,} lists and objects: give a match")
        ends = np.flatnonzero(np.frombuffer(piece, np.uint8) >= 0x80)
        lengths = np.diff(ends, prepend=-1 - length).astype(np.float64)
        length = len(piece) - 1 - int(ends[-1]) if len(ends) else length + len(piece)
        work += float(lengths @ lengths)
        if work + float(length) ** 2 > _MAX_WORK:
            raise FormatError(f"{name} has numbers of more digits than a match has any use for: give a match")


def text_of(data: bytes) -> str:
    r"""Text in the encodings that files of matches have, with lines that end in one way.

    Examples
    --------
    >>> text_of("\ufeffJörg : 0\r\n".encode()), text_of("Šimon\rA".encode("cp1252")), text_of(b"J\x8d")
    ('Jörg : 0\n', 'Šimon\nA', 'J\x8d')
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for encoding in ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    return data.decode("latin-1")


def lines_of(text: str) -> Iterator[str]:
    """Lines, one after another: a list of short ones would take many times the text."""
    return (found[0] for found in _LINE.finditer(text))


def check_variant(variant: str, name: str) -> None:
    """Raise FormatError for matches of a variant that begins from another position than backgammon."""
    if variant.lower() not in ("", "backgammon", "standard"):
        raise FormatError(f"{name} is of {variant[:40]}, another game than backgammon: give matches of backgammon")


def load(name: str) -> ModuleType:
    """Import a module of a package that only reviews need.

    Raises
    ------
    DependencyError
        If it is not installed.

    Examples
    --------
    >>> load("gvformat").__name__
    'gvformat'
    """
    try:
        return import_module(name)
    except ImportError as error:
        package = {"gvformat": "gammonview"}.get(name.partition(".")[0], name)
        raise DependencyError(
            f'{package}, which this needs, cannot be imported ({error}): pip install "bgrace[review]"'
        ) from error
