"""The directory in the user block: what lets a program without an HDF5 library find and check the tables.

Little-endian throughout.  docs/file-format.md gives the layout byte by byte.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from math import comb
from typing import BinaryIO, Final, TypeAlias

from bgrace._base.arrays import Summarised
from bgrace.board import HOME_POINTS, MAX_CHECKERS
from bgrace.database.store.schema import (
    APPROXIMATE_TABLES,
    APPROXIMATE_VERSION,
    FORMAT_VERSION,
    PACKED_TABLES,
    PACKED_VERSION,
    PAGE_BYTES,
    PAGED_VERSION,
    PAGES_TABLE,
)
from bgrace.errors import FormatError

USER_BLOCK: Final = 4096
"""Bytes in front of the HDF5 part of a file."""

MAGIC: Final = b"\x93BGRACE\n"
"""The first bytes of a finished file."""

OLD_MATCH_MAGIC: Final = b"bgrace match database\n"
"""The first bytes of files for a match score before version 3."""

FILE_HEADS: Final = (MAGIC, OLD_MATCH_MAGIC)
"""The first bytes of database files, those of old versions too."""

_HEADER: Final = struct.Struct("<8sIIQIIIIIII16s32s156s")
_ERRORS: Final = struct.Struct("<4d")  # of an approximate file
_ENTRY: Final = struct.Struct("<40sIIQQQQQdII")
_CRC_PLACE: Final = 48
_MAX_WIN_ERROR, _MAX_EQUITY_ERROR = 1.0, 4.0
_GAMMONS, _ARCHIVE, _CRAWFORD = 1, 4, 8
_DTYPES: Final = {1: "<f8", 2: "<i2", 3: "<i4", 4: "|u1", 5: "<u2", 6: "<i8", 7: "<u4"}
_CODES: Final = {dtype: code for code, dtype in _DTYPES.items()}
_MAX_ENTRIES: Final = (USER_BLOCK - _HEADER.size) // _ENTRY.size


Errors: TypeAlias = tuple[float, float, float, float]
"""How far a chance to win is off at most and in the mean, and an equity."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one table lies: a plain array, last axis fastest."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    n_bytes: int
    scale: float
    crc32: int


@dataclass(frozen=True, slots=True, repr=False)
class Contents(Summarised):
    """The positions and pairs of a file.

    Attributes
    ----------
    points, checkers, two_sided_checkers : int
        0 two-sided checkers if there is no table of pairs.
    gammons : bool
        Whether a loser with 15 checkers loses double in the table of pairs.
    """

    points: int
    checkers: int
    two_sided_checkers: int
    gammons: bool

    @property
    def n_positions(self) -> int:
        """How many positions the tables of one side have."""
        return comb(self.points + self.checkers, self.points)

    @property
    def n_pairs(self) -> int:
        """How many positions a side the table of pairs has; 0 without one."""
        return comb(self.points + self.two_sided_checkers, self.points) if self.two_sided_checkers else 0

    @property
    def shapes(self) -> dict[str, tuple[int | None, ...]]:
        """Its tables in their order, those of packed and approximate pairs aside; None for a length that may be any."""
        points, checkers, n, pairs = self.points, self.checkers, self.n_positions, self.n_pairs
        full = n - comb(points + checkers - 1, points)
        moments = {"one_sided/mean_rolls": (n,), "one_sided/variance_rolls": (n,)}
        shapes: dict[str, tuple[int | None, ...]]
        if points > HOME_POINTS:
            shapes = {"one_sided/first_roll": (n,), "one_sided/roll_chances": (n, None), **moments}
            first = {"one_sided/first_checker_first_roll": (full,), "one_sided/first_checker_chances": (full, None)}
        else:
            shapes = {"one_sided/epc": (n,), **moments, "one_sided/roll_distribution": (n, None)}
            first = {"one_sided/first_checker_distribution": (full, None)}
        if checkers == MAX_CHECKERS:
            shapes |= first
        if self.two_sided_checkers:
            shapes |= {"two_sided/order": (pairs,), "two_sided/equities": (pairs, pairs, 4)}
        if self.gammons:
            shapes |= {"gammon/columns": (full,), "gammon/winning_starts": (pairs + 1,)}
            shapes |= {"gammon/losing_starts": (pairs + 1,), "gammon/winning": (None, 2), "gammon/losing": (None, 2)}
        return shapes


@dataclass(frozen=True, slots=True, repr=False)
class Directory(Contents):
    """What the user block says."""

    file_size: int
    metadata_crc32: int
    entries: tuple[Entry, ...]
    archive: bool = False
    errors: Errors | None = None
    version: int = FORMAT_VERSION

    @property
    def contents(self) -> Contents:
        """Its positions and pairs alone."""
        return Contents(self.points, self.checkers, self.two_sided_checkers, self.gammons)

    @property
    def packed(self) -> bool:
        """Whether the table of pairs is packed."""
        return self.version in (PACKED_VERSION, PAGED_VERSION)

    @property
    def approximate(self) -> bool:
        """Whether pairs have a known error."""
        return self.version == APPROXIMATE_VERSION

    @property
    def paged(self) -> bool:
        """Whether each page of its tables has a checksum."""
        return self.version == PAGED_VERSION

    def pack(self) -> bytes:
        """The `USER_BLOCK` bytes of this directory."""
        flags = self.gammons * _GAMMONS | self.archive * _ARCHIVE
        entries = b"".join(
            _ENTRY.pack(
                entry.name.encode("ascii"),
                _CODES[entry.dtype],
                len(entry.shape),
                *(*entry.shape, 0, 0)[:3],
                entry.offset,
                entry.n_bytes,
                entry.scale,
                entry.crc32,
                0,
            )
            for entry in self.entries
        )
        header = _HEADER.pack(
            MAGIC,
            self.version,
            USER_BLOCK,
            self.file_size,
            self.points,
            self.checkers,
            self.two_sided_checkers,
            flags,
            len(self.entries),
            self.metadata_crc32,
            0,
            b"",
            _ERRORS.pack(*self.errors) if self.errors else b"",
            b"",
        )
        block = (header + entries).ljust(USER_BLOCK, b"\0")
        return block[:_CRC_PLACE] + struct.pack("<I", zlib.crc32(block)) + block[_CRC_PLACE + 4 :]

    @classmethod
    def unpack(cls, block: bytes, path: str) -> Directory:
        """Read a user block; FormatError, naming `path`, if it is not one that this version understands."""
        if block.startswith(b"gnubg-"):
            raise FormatError(
                f"{path} is not a bgrace database but a bearoff file of GNU Backgammon: "
                "bgrace import makes a database of it"
            )
        if block.startswith(OLD_MATCH_MAGIC):
            raise _for_score(path)
        if len(block) < USER_BLOCK or not block.startswith(MAGIC):
            raise FormatError(f"{path} is not a bgrace database: it does not begin with a bgrace directory")
        _, version, size, file_size, points, checkers, two_sided, flags, *rest = _HEADER.unpack_from(block)
        n_entries, metadata_crc, crc, score, errors, _ = rest
        if not FORMAT_VERSION <= version <= PAGED_VERSION:
            raise FormatError(
                f"{path} has format version {version}; this bgrace reads versions {FORMAT_VERSION} to "
                f"{PAGED_VERSION}: build the file again, or use a bgrace that knows it"
            )
        if zlib.crc32(block[:_CRC_PLACE] + b"\0\0\0\0" + block[_CRC_PLACE + 4 : USER_BLOCK]) != crc:
            raise FormatError(f"{path} is damaged: the directory at its head fails its checksum; build it again")
        if size != USER_BLOCK or n_entries > _MAX_ENTRIES:
            raise FormatError(f"{path} is damaged: its directory claims {n_entries} tables in {size} bytes")
        if any(score) or flags & _CRAWFORD:
            raise _for_score(path)
        if flags & ~(_GAMMONS | _ARCHIVE):
            raise FormatError(f"{path} has flags {flags:#x} that this bgrace does not know: build the file again")
        entries = _unpack_entries(block, n_entries, path)
        if version_of({entry.name for entry in entries}) != version:
            raise FormatError(f"{path} is damaged: no file of version {version} has the tables of its directory")
        return cls(
            points,
            checkers,
            two_sided,
            bool(flags & _GAMMONS),
            file_size,
            metadata_crc,
            entries,
            bool(flags & _ARCHIVE),
            _unpack_errors(errors, path) if version == APPROXIMATE_VERSION else None,
            version,
        )


def version_of(tables: Set[str]) -> int:
    """The format version of a file with these tables."""
    if not tables.isdisjoint(APPROXIMATE_TABLES):
        return APPROXIMATE_VERSION
    if PAGES_TABLE in tables:
        return PAGED_VERSION
    return FORMAT_VERSION if tables.isdisjoint(PACKED_TABLES) else PACKED_VERSION


def _for_score(path: str) -> FormatError:
    return FormatError(
        f"{path} is a database for one score of a match, which this bgrace does not read: bgrace solve --match answers "
        "any race at the score"
    )


def _unpack_entries(block: bytes, n: int, path: str) -> tuple[Entry, ...]:
    entries = []
    for k in range(n):
        name, code, n_dims, *shape, offset, n_bytes, scale, crc, _ = _ENTRY.unpack_from(
            block, _HEADER.size + k * _ENTRY.size
        )
        if code not in _DTYPES or not 1 <= n_dims <= 3:
            raise FormatError(f"{path} is damaged: table {k} of its directory has type {code}, {n_dims} axes")
        text = name.rstrip(b"\0").decode("ascii", "replace")
        entries.append(Entry(text, _DTYPES[code], tuple(shape[:n_dims]), offset, n_bytes, scale, crc))
    return tuple(entries)


def _unpack_errors(data: bytes, path: str) -> Errors:
    """How far an approximate file's chances and equities are off at most, and in the mean."""
    win, mean_win, equity, mean_equity = _ERRORS.unpack(data)
    if not (0 <= mean_win <= win <= _MAX_WIN_ERROR and 0 <= mean_equity <= equity <= _MAX_EQUITY_ERROR):
        raise FormatError(f"{path} is damaged: its directory has errors of {win:g} and {equity:g}, which cannot be")
    return win, mean_win, equity, mean_equity


_PIECE: Final = 1 << 22


def crc32_outside(file: BinaryIO, start: int, stop: int, ranges: Iterable[tuple[int, int]] = ()) -> int:
    """CRC-32 of the bytes from `start` to `stop`, or the end of the file, outside of ranges (first, past the last)."""
    crc = 0
    for first, past in [*sorted(ranges), (stop, stop)]:
        end = min(first, stop)
        if start < end:
            file.seek(start)
        while start < end:
            piece = file.read(min(_PIECE, end - start))
            if not piece:
                break
            crc = zlib.crc32(piece, crc)
            start += len(piece)
        start = max(start, past)
    return crc


def page_checksums(file: BinaryIO, ranges: Iterable[tuple[int, int]]) -> Iterator[int]:
    """CRC-32 of each page of the tables that lie in some ranges (first, past the last)."""
    for first, past in sorted(ranges):
        file.seek(first)
        for start in range(first, past, _PIECE):
            piece = memoryview(file.read(min(_PIECE, past - start)))
            for at in range(0, len(piece), PAGE_BYTES):
                yield zlib.crc32(piece[at : at + PAGE_BYTES])
