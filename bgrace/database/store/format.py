"""The format of a database file: its tables, and the directory in its user block.

The directory lets a program without an HDF5 library find the tables and check them.  Little-endian throughout.
docs/file-format.md describes both, with the layout of the directory byte by byte.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from math import comb
from typing import BinaryIO, Final, TypeAlias

from bgrace._base.arrays import JSON, ShortRepr
from bgrace.board import HOME_POINTS, MAX_CHECKERS
from bgrace.errors import FormatError

FORMAT_NAME: Final = "bgrace"
FORMAT_VERSION: Final = 3
PACKED_VERSION: Final = 4
"""Version of packed files before they had checksums of pages; still read."""

APPROXIMATE_VERSION: Final = 5
"""Version of approximate files, whose pairs have a known error."""

PAGED_VERSION: Final = 6
"""Version of packed files with a checksum for each page of its tables, so that parts of it can be read alone."""

PAGE_BYTES: Final = 2048
"""Bytes of a table that share a checksum."""

PAGES_TABLE: Final = "packed/pages"
"""The table of those checksums."""

PAIRS_TABLE: Final = "two_sided/equities"
"""The table of pairs; a packed file has it in another form."""

PACKED_ATTRIBUTES: Final = ("packed_by", "unpacked_crc32")
"""Further attributes of a packed file."""

APPROXIMATE_ERRORS: Final = ("win_error", "mean_win_error", "equity_error", "mean_equity_error")
"""Further attributes of an approximate file that its directory has as well, in this order."""

APPROXIMATE_ATTRIBUTES: Final = ("packed_by", *APPROXIMATE_ERRORS)
"""Further attributes of an approximate file."""


_SCALED: Final = " / scale"
_FULL: Final = "position_with_15"


@dataclass(frozen=True, slots=True)
class DatasetKind:
    """The contents of one dataset.  Within a group, axes of the same name have the same length; no dataset has it."""

    dtype: str
    unit: str
    axes: tuple[str, ...]
    description: str

    def attributes(self, scale: float) -> dict[str, JSON]:
        """Unit, description and scale under the names of netCDF's conventions."""
        named: dict[str, JSON] = {"units": self.unit.removesuffix(_SCALED), "long_name": self.description}
        return {**named, "scale_factor": 1 / scale} if self.unit.endswith(_SCALED) else named


DATASETS: Final[dict[str, DatasetKind]] = {
    "one_sided/epc": DatasetKind(
        "<f8", "pips", ("position",), "Expected pip count of each index: mean_rolls times 49/6."
    ),
    "one_sided/mean_rolls": DatasetKind(
        "<f8", "rolls", ("position",), "Mean number of rolls to bear off, each roll played to lower it most."
    ),
    "one_sided/variance_rolls": DatasetKind("<f8", "rolls squared", ("position",), "Variance of that number."),
    "one_sided/roll_distribution": DatasetKind(
        "<f8", "probability", ("position", "rolls"), "Row: index; column k: chance of being off in exactly k rolls."
    ),
    "one_sided/first_checker_distribution": DatasetKind(
        "<f8",
        "probability",
        (_FULL, "first_checker_rolls"),
        "Row: index minus the number of positions with fewer than 15 checkers; column k: chance that the first "
        "checker comes off on exactly roll k, played to lower the mean of that number most.",
    ),
    "one_sided/first_roll": DatasetKind(
        "|u1", "rolls", ("position",), "Row: index; the least number of rolls whose chance of being off is not 0."
    ),
    "one_sided/roll_chances": DatasetKind(
        "<u2",
        "probability / scale",
        ("position", "rolls_after_first"),
        "Row: index; column k: chance of being off in exactly first_roll + k rolls.",
    ),
    "one_sided/first_checker_first_roll": DatasetKind(
        "|u1",
        "rolls",
        (_FULL,),
        "Row: index minus the number of positions with fewer than 15 checkers; the least roll with a chance that is "
        "not 0 of being the one on which the first checker comes off.",
    ),
    "one_sided/first_checker_chances": DatasetKind(
        "<u2",
        "probability / scale",
        (_FULL, "first_checker_rolls_after_first"),
        "Row: as in first_checker_first_roll; column k: chance that the first checker comes off on exactly roll "
        "first_checker_first_roll + k, played to lower the mean of that number most.",
    ),
    "two_sided/order": DatasetKind(
        "<i4", "index", ("on_roll",), "Index of each rank; ranks run in order of pips, then of index."
    ),
    PAIRS_TABLE: DatasetKind(
        "<i2",
        "equity / scale",
        ("on_roll", "opponent", "plane"),
        "Equity of the player on roll when rolling without doubling, per unit of the present cube. "
        "Row: rank of the player on roll; column: the opponent's rank; last axis: cubeless, mine, centered, theirs.",
    ),
    "gammon/columns": DatasetKind(
        "<i4",
        "column",
        (_FULL,),
        "Row: index minus the number of positions with fewer than 15 checkers; its column in the tables of pairs in "
        "which a gammon is likely enough to matter.",
    ),
    "gammon/winning_starts": DatasetKind(
        "<i8", "row", ("start",), "Where the pairs of each rank begin in gammon/winning, and where the last ones end."
    ),
    "gammon/winning": DatasetKind(
        "<i2",
        "equity / scale",
        ("winning_row", "single_plane"),
        "Equity of rolling now if gammons count once, the player on roll having the rank, the opponent 15 checkers. "
        "Row: start of the rank plus the opponent's column; last axis: cubeless (twice the chance to win, less one), "
        "centered (the Jacoby rule).",
    ),
    "gammon/losing_starts": DatasetKind(
        "<i8", "row", ("start",), "Where the pairs of each rank begin in gammon/losing, and where the last ones end."
    ),
    "gammon/losing": DatasetKind(
        "<i2",
        "equity / scale",
        ("losing_row", "single_plane"),
        "The same with the opponent having the rank, the player on roll 15 checkers. "
        "Row: start of the rank plus the column of the player on roll.",
    ),
    "packed/planes": DatasetKind(
        "<i4",
        "factors",
        ("plane", "field"),
        "For each plane of the packed table of pairs (cubeless, mine, centered, theirs): its first factor, how many it "
        "has, and by how many bits the sum of their products is shifted.",
    ),
    "packed/opponent": DatasetKind(
        "<i2", "steps", ("rank", "factor"), "Row: the opponent's rank; the factors of its positions, plane after plane."
    ),
    "packed/on_roll": DatasetKind(
        "<i2",
        "steps",
        ("rank", "factor"),
        "Row: rank of the player on roll; the factors of its positions, plane after plane.",
    ),
    "packed/starts": DatasetKind(
        "<i8",
        "byte",
        ("start",),
        "Where each block of 32 by 32 pairs begins in packed/codes, and where the last one ends.",
    ),
    "packed/checksums": DatasetKind("<u4", "CRC-32", ("block",), "Of the values of each block, row by row."),
    "packed/codes": DatasetKind(
        "|u1",
        "bits",
        ("byte",),
        "What the products of the factors leave of the values, in blocks; docs/file-format.md says how.",
    ),
    PAGES_TABLE: DatasetKind(
        "<u4",
        "CRC-32",
        ("page",),
        "Of each 2048 bytes of every other table, in the order in which the tables lie in the file.",
    ),
    "small/planes": DatasetKind(
        "<i4",
        "factors",
        ("plane", "field"),
        "For each plane (twice the chance to win, less one; or cubeless, mine, centered, theirs, and that one where "
        "gammons count): its first factor, how many it has, and by how many bits the sum of their products is shifted.",
    ),
    "small/opponent": DatasetKind(
        "<i2", "steps", ("rank", "factor"), "Row: the opponent's rank; the factors of its position, by planes."
    ),
    "small/on_roll": DatasetKind(
        "<i2", "steps", ("rank", "factor"), "Row: rank of the player on roll; its factors, by planes."
    ),
    "small/starts": DatasetKind(
        "<u4",
        "row",
        ("start",),
        "Where the exceptions of each plane, and within it of each rank on roll, begin in small/columns and "
        "small/values, and where the last end.",
    ),
    "small/columns": DatasetKind(
        "<u2", "rank", ("exception",), "The opponents of the exceptions, rising within each rank on roll."
    ),
    "small/values": DatasetKind(
        "<i2",
        "equity / scale",
        ("exception",),
        "The exceptions, which factors miss by more than the file allows.",
    ),
}
"""Every dataset of the directory, by its path in the file."""

CHECKERS: Final = "one_sided/checkers"
ROW_SUMS: Final = "two_sided/row_checksums"

OTHERS: Final[dict[str, DatasetKind]] = {
    CHECKERS: DatasetKind("|i1", "checkers", ("position", "point"), "Row: index; column k: checkers on point k + 1."),
    ROW_SUMS: DatasetKind("<u4", "CRC-32", ("on_roll",), "Of each row of two_sided/equities."),
}
"""Datasets that are not in the directory, so that readers can ignore them: labels, and sums for checking lazily."""

APPROXIMATE_TABLES: Final = tuple(name for name in DATASETS if name.startswith("small/"))
"""Tables that an approximate file has in place of `PAIRS_TABLE`."""

PACKED_TABLES: Final = tuple(name for name in DATASETS if name.startswith("packed/"))
"""Tables that a packed file has in place of `PAIRS_TABLE`."""


# ---------------------------------------------------------------------- directory

USER_BLOCK: Final = 4096
"""Bytes in front of the HDF5 part of a file."""

MAGIC: Final = b"\x93BGRACE\n"
"""The first bytes of a finished file."""

OLD_MATCH_MAGIC: Final = b"bgrace match database\n"
"""The first bytes of files for a match score before version 3."""

FILE_HEADS: Final = (MAGIC, OLD_MATCH_MAGIC)
"""The first bytes of database files, those of old versions too."""

_HEADER: Final = struct.Struct("<8sIIQIIIIIII16s32s156s")
_ERRORS: Final = struct.Struct("<4d")  # for an approximate file
_ENTRY: Final = struct.Struct("<40sIIQQQQQdII")
_CRC_PLACE: Final = 48
_MAX_WIN_ERROR, _MAX_EQUITY_ERROR = 1.0, 4.0
_GAMMONS, _ARCHIVE, _CRAWFORD = 1, 4, 8
_DTYPES: Final = {1: "<f8", 2: "<i2", 3: "<i4", 4: "|u1", 5: "<u2", 6: "<i8", 7: "<u4"}
NUMBER_BYTES: Final = {dtype: int(dtype[2:]) for dtype in _DTYPES.values()}
_CODES: Final = {dtype: code for code, dtype in _DTYPES.items()}
_MAX_ENTRIES: Final = (USER_BLOCK - _HEADER.size) // _ENTRY.size


Errors: TypeAlias = tuple[float, float, float, float]
"""Greatest and mean error of a chance to win, then of an equity."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The place of one table: a plain array, last axis fastest."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    n_bytes: int
    scale: float
    crc32: int

    def pack(self) -> bytes:
        """Write this entry as in a directory."""
        kind = (self.name.encode("ascii"), _CODES[self.dtype], len(self.shape), *(*self.shape, 0, 0)[:3])
        return _ENTRY.pack(*kind, self.offset, self.n_bytes, self.scale, self.crc32, 0)


@dataclass(frozen=True, slots=True, repr=False)
class Contents(ShortRepr):
    """The positions and pairs of a file.

    Attributes
    ----------
    points, checkers, two_sided_checkers : int
        Two-sided checkers are 0 if there is no table of pairs.
    gammons : bool
        Whether a loser with 15 checkers loses double in the table of pairs.
    """

    points: int
    checkers: int
    two_sided_checkers: int
    gammons: bool

    @property
    def n_positions(self) -> int:
        """Number of positions in the tables of one side."""
        return comb(self.points + self.checkers, self.points)

    @property
    def n_pairs(self) -> int:
        """Number of positions a side in the table of pairs; 0 without a table."""
        return comb(self.points + self.two_sided_checkers, self.points) if self.two_sided_checkers else 0

    @property
    def shapes(self) -> dict[str, tuple[int | None, ...]]:
        """Shapes of the tables in order, without those of packed and approximate pairs; None for a variable length."""
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
            shapes |= {"two_sided/order": (pairs,), PAIRS_TABLE: (pairs, pairs, 4)}
        if self.gammons:
            shapes |= {"gammon/columns": (full,), "gammon/winning_starts": (pairs + 1,)}
            shapes |= {"gammon/losing_starts": (pairs + 1,), "gammon/winning": (None, 2), "gammon/losing": (None, 2)}
        return shapes


ROOT_ATTRIBUTES: Final = ("format", "format_version", *Contents.__slots__, "generator", "created")
"""Attributes of the root group of every file."""


@dataclass(frozen=True, slots=True, repr=False)
class Directory(Contents):
    """The contents of the user block."""

    file_size: int
    metadata_crc32: int
    entries: tuple[Entry, ...]
    archive: bool = False
    errors: Errors | None = None
    version: int = FORMAT_VERSION

    @property
    def contents(self) -> Contents:
        """Positions and pairs of the file, without the directory."""
        return Contents(self.points, self.checkers, self.two_sided_checkers, self.gammons)

    @property
    def packed(self) -> bool:
        """Whether the table of pairs is packed."""
        return self.version in (PACKED_VERSION, PAGED_VERSION)

    @property
    def approximate(self) -> bool:
        """Whether pairs have a known error."""
        return self.version == APPROXIMATE_VERSION

    def pack(self) -> bytes:
        """Write this directory as `USER_BLOCK` bytes."""
        flags = self.gammons * _GAMMONS | self.archive * _ARCHIVE
        contents = (self.points, self.checkers, self.two_sided_checkers, flags)
        errors = _ERRORS.pack(*self.errors) if self.errors else b""
        rest = (len(self.entries), self.metadata_crc32, 0, b"", errors, b"")
        header = _HEADER.pack(MAGIC, self.version, USER_BLOCK, self.file_size, *contents, *rest)
        block = (header + b"".join(entry.pack() for entry in self.entries)).ljust(USER_BLOCK, b"\0")
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
            raise FormatError(f"{path} is not a bgrace database: give a file that bgrace build or import made")
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
    """Read the greatest and mean errors of an approximate file's chances and equities."""
    win, mean_win, equity, mean_equity = _ERRORS.unpack(data)
    if not (0 <= mean_win <= win <= _MAX_WIN_ERROR and 0 <= mean_equity <= equity <= _MAX_EQUITY_ERROR):
        raise FormatError(f"{path} is damaged: its directory has errors of {win:g} and {equity:g}, which cannot be")
    return win, mean_win, equity, mean_equity


PIECE: Final = 1 << 22
"""Bytes of a table that are processed at a time."""


def crc32_outside(file: BinaryIO, start: int, stop: int, ranges: Iterable[tuple[int, int]] = ()) -> int:
    """CRC-32 of the bytes from `start` to `stop`, or the end of the file, outside of ranges (first, last + 1)."""
    crc = 0
    for first, past in [*sorted(ranges), (stop, stop)]:
        end = min(first, stop)
        if start < end:
            file.seek(start)
        while start < end:
            piece = file.read(min(PIECE, end - start))
            if not piece:
                break
            crc = zlib.crc32(piece, crc)
            start += len(piece)
        start = max(start, past)
    return crc


def page_checksums(file: BinaryIO, ranges: Iterable[tuple[int, int]]) -> Iterator[int]:
    """CRC-32 of each page of the tables in some ranges (first, last + 1)."""
    for first, past in sorted(ranges):
        file.seek(first)
        for start in range(first, past, PIECE):
            piece = memoryview(file.read(min(PIECE, past - start)))
            for at in range(0, len(piece), PAGE_BYTES):
                yield zlib.crc32(piece[at : at + PAGE_BYTES])
