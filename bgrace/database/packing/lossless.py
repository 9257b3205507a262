"""Packing a table of pairs without loss, and unpacking it."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON
from bgrace._base.files import check_target, real_target
from bgrace._base.memory import memory_limit
from bgrace._base.progress import Progress
from bgrace._base.threads import how_many
from bgrace._kernels.packing import BLOCK_SIDE, MAX_BLOCK_BYTES, Factors
from bgrace.database.building import generator_name
from bgrace.database.packing.factors import (
    GROUP,
    PlaneFactors,
    chosen_ranks,
    leading_basis,
    opponent_factors,
    planes_table,
    read_sample,
    sample_columns,
    sample_rows,
    solver_of,
)
from bgrace.database.store import StoredTables, read_tables
from bgrace.database.store.packed import PackedPairs, blocks_a_side
from bgrace.database.store.schema import FORMAT_VERSION, PACKED_TABLES, PACKED_VERSION, PAIRS_TABLE
from bgrace.database.store.unfinished import Work, place_finished
from bgrace.database.store.writer import Writer
from bgrace.errors import ArgumentError, BuildError, FormatError
from bgrace.tables.gammons import SINGLE_PLANES
from bgrace.tables.two_sided import PLANES

__all__ = ["PackReport", "check_apart", "check_source", "is_made_of", "pack", "unpack", "work_of"]

_ROWS: Final = 16 * BLOCK_SIDE  # at a time
_SHARE_OF_CODES: Final = 3  # of the memory that there is, what codes may take until it is known where they belong
_OF_SINGLE_PLANES: Final = ("gammon/winning", "gammon/losing")


@dataclass(frozen=True, slots=True)
class PackReport:
    """What packing or unpacking made.

    Attributes
    ----------
    source_bytes, file_bytes : int
        Sizes of the file that was read, and of the one that was made.
    pairs : int
        In the table of pairs.
    """

    source_bytes: int
    file_bytes: int
    pairs: int


def pack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> PackReport:
    """Make a packed file of a database file: the same tables, bit for bit, the pairs in a fraction of the room.

    A packed file is asked like any other, by `bgrace.open` and by the C library.  It appears under its name only when
    it is complete; packing that was stopped goes on where it was when it is run again.

    Parameters
    ----------
    source : path-like
        A file for money with a table of pairs.
    target : path-like
        The file to make.
    threads : int, optional
        As many as there are processors, unless given.  The bytes of the file do not depend on it.
    force : bool
        Whether to replace a file that is there, and to drop an unfinished one of other tables.
    progress : callable, optional
        Called with the pairs done and the pairs to do, each of which is looked at twice; may raise to stop.

    Returns
    -------
    PackReport

    Raises
    ------
    ArgumentError
        If the file is packed already, or has no table of pairs for money.
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
    FormatError
        If the source is not a bgrace database, or a table fails its checksum.
    OSError
        If it cannot be read.

    Notes
    -----
    Takes about 3 GB of memory for 15 checkers a side, and for fewer less.

    Examples
    --------
    >>> import tempfile
    >>> import bgrace
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan = bgrace.build(f"{folder}/full.h5", checkers=5, two_sided=5)
    ...     report = bgrace.pack(f"{folder}/full.h5", f"{folder}/packed.h5")
    ...     report = bgrace.unpack(f"{folder}/packed.h5", f"{folder}/plain.h5")
    ...     with open(f"{folder}/full.h5", "rb") as one, open(f"{folder}/plain.h5", "rb") as other:
    ...         one.read() == other.read()
    True
    """
    stored = read_tables(source)
    check_source(stored)
    if stored.directory.packed:
        raise ArgumentError(f"{stored.path} is packed already: bgrace unpack gives the plain file back")
    entry, n_threads = stored.entry(PAIRS_TABLE), how_many(threads)
    rest = stored.directory.file_size - entry.n_bytes
    check_target(target, rest + entry.n_bytes // 2, force=force, smaller="fewer two-sided checkers (--two-sided)")
    attributes: dict[str, JSON] = {
        **{name: stored.attributes[name] for name in ("generator", "created")},
        "format_version": PACKED_VERSION,
        "packed_by": generator_name(),
        "unpacked_crc32": entry.crc32,
    }
    path = real_target(target)
    check_apart(stored.path, path)
    if force or not place_finished(path, lambda found: is_made_of(found, stored, attributes)):
        with Writer(path, work_of(stored, "packed"), drop_other=force, attributes=attributes) as writer:
            packer = _Packer(stored, writer, n_threads, progress)
            writer.fill(packer.write)
    return PackReport(stored.directory.file_size, path.stat().st_size, entry.shape[0] ** 2)


def check_apart(source: Path, target: Path) -> None:
    """Raise BuildError if the new file would replace the one that it is made from."""
    if target.exists() and target.samefile(source):
        raise BuildError(f"{target} is what the new file is made from, and stays: give the new file another name")


def check_source(stored: StoredTables) -> None:
    """Raise ArgumentError if a file has no pairs for money."""
    directory = stored.directory
    if directory.small:
        raise ArgumentError(f"{stored.path} is a small file, and nothing is made of one: give the one it was made of")
    if directory.match is not None:
        raise ArgumentError(f"{stored.path} is for a score of a match, and only pairs for money can be packed")
    if not directory.two_sided_checkers:
        raise ArgumentError(f"{stored.path} has no table of pairs, and nothing else of a file is packed")


def work_of(stored: StoredTables, how: str, *, gammons: bool | None = None) -> Work:
    """What the new file covers; gammons as in the source unless given."""
    directory = stored.directory
    sums = ",".join(f"{entry.crc32:08x}" for entry in stored.entries)
    return Work(
        directory.points,
        directory.checkers,
        directory.two_sided_checkers,
        generator_name(),
        directory.gammons if gammons is None else gammons,
        source=f"{how} from {stored.attributes['created']} {sums}",
    )


def is_made_of(stored: StoredTables, source: StoredTables, attributes: Mapping[str, JSON]) -> bool:
    """Whether a finished file has these attributes, and the pairs of a source."""
    mine, theirs = stored.directory, source.directory
    covers = (mine.points, mine.checkers, mine.two_sided_checkers) == (
        theirs.points,
        theirs.checkers,
        theirs.two_sided_checkers,
    )
    if not covers or mine.archive or any(stored.attributes.get(name) != value for name, value in attributes.items()):
        return False
    return mine.small or stored.entry(PAIRS_TABLE).crc32 == source.entry(PAIRS_TABLE).crc32


def _copy(stored: StoredTables, writer: Writer, name: str) -> None:
    """Take a table over as it is; FormatError if it fails its checksum."""
    entry = stored.entry(name)
    if stored.checksum(name) != entry.crc32:
        raise FormatError(f"{stored.path} is damaged: {name} fails its checksum; build it again, or get it again")
    planes = {"planes": list(SINGLE_PLANES)} if name in _OF_SINGLE_PLANES else {}
    target = writer.add(name, entry.shape, entry.scale, **planes)
    table = stored.tables[name]
    for start in range(0, len(table), 1 << 20):
        target[start : start + (1 << 20)] = table[start : start + (1 << 20)]


class _Packer:
    """Writes the tables of a packed file, stage by stage."""

    def __init__(self, stored: StoredTables, writer: Writer, n_threads: int, progress: Progress | None) -> None:
        self._stored, self._writer = stored, writer
        self._n_threads, self._progress = n_threads, progress
        self._table = stored.tables[PAIRS_TABLE]
        self._n = len(self._table)
        self._scale = stored.entry(PAIRS_TABLE).scale
        self._scratch = np.empty(blocks_a_side(self._n) * MAX_BLOCK_BYTES, np.uint8)
        self._kept: dict[int, npt.NDArray[np.uint8]] = {}  # codes of groups of rows, by their first
        self._n_kept = 0  # bytes

    def write(self) -> None:
        """Write all tables."""
        writer, n, side = self._writer, self._n, blocks_a_side(self._n)
        self._kept, self._n_kept = {}, 0
        for entry in self._stored.entries:
            if entry.name != PAIRS_TABLE:
                _copy(self._stored, writer, entry.name)
        planes = writer.add("packed/planes", (len(PLANES), 3))
        if writer.stage == 0:
            found = self._find_opponents()
            planes[...] = planes_table(found)
            width = max(GROUP, int(sum(one.count for one in found)))
            opponent = writer.add("packed/opponent", (n, width))
            opponent[:, : sum(one.count for one in found)] = np.concatenate([one.opponent for one in found], axis=1)
        opponent = writer.table("packed/opponent")
        on_roll = writer.add("packed/on_roll", opponent.shape)
        starts = writer.add("packed/starts", (side * side + 1,))
        checksums = writer.add("packed/checksums", (side * side,))
        writer.checkpoint(1, [planes, opponent])
        factors = Factors(on_roll, opponent, planes)
        self._find_codes(factors, planes, opponent, on_roll, starts, checksums)
        codes = writer.add("packed/codes", (int(starts[-1]),), self._scale)
        self._write_codes(factors, starts, codes)

    def _find_opponents(self) -> list[PlaneFactors]:
        sample = read_sample(self._table, sample_rows(self._n))
        counts = chosen_ranks(self._n)
        return [
            opponent_factors(leading_basis(sample[plane], count, self._n_threads), count)
            for plane, count in enumerate(counts)
        ]

    def _groups(self) -> Iterator[tuple[int, int]]:
        for row in range(0, self._n, _ROWS):
            yield row, min(row + _ROWS, self._n)

    def _rows(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        self._stored.expect(PAIRS_TABLE, stop, min(stop + _ROWS, self._n))  # they come while these are worked on
        return np.ascontiguousarray(self._table[row:stop])

    def _find_codes(
        self,
        factors: Factors,
        planes: npt.NDArray[np.int32],
        opponent: npt.NDArray[np.int16],
        on_roll: npt.NDArray[np.int16],
        starts: npt.NDArray[np.int64],
        checksums: npt.NDArray[np.uint32],
    ) -> None:
        """Find the factors of the player on roll, and code the blocks, in memory until it is known how long all are."""
        side, columns, first_stage = factors.n_blocks, sample_columns(self._n), self._writer.stage
        solvers = [
            solver_of(PlaneFactors(opponent[columns, first : first + count], int(shift)), self._n_threads)
            for first, count, shift in planes.tolist()
        ]
        crc, n_groups = 0, -(-self._n // _ROWS)
        for number, (row, stop) in enumerate(self._groups()):
            first_block, past = row // BLOCK_SIDE * side, -(-stop // BLOCK_SIDE) * side
            if number + 2 > first_stage:
                rows = self._rows(row, stop)
                for plane, (first, count, _) in enumerate(planes.tolist()):
                    on_roll[row:stop, first : first + count] = solvers[plane](rows[:, columns, plane])
                codes, sizes, checksums[first_block:past] = self._code(factors, rows, row)
                starts[first_block + 1 : past + 1] = starts[first_block] + np.cumsum(sizes, dtype=np.int64)
                self._keep(row, codes)
                if first_stage <= 1:
                    crc = zlib.crc32(rows.reshape(-1).view(np.uint8).data, crc)
                if number + 1 == n_groups:
                    self._check_sum(crc if first_stage <= 1 else self._stored.checksum(PAIRS_TABLE))
                self._report(stop, 0)
            finished: list[npt.NDArray[Any]] = [
                on_roll[row:stop],
                starts[first_block + 1 : past + 1],
                checksums[first_block:past],
            ]
            self._writer.checkpoint(number + 2, finished)

    def _check_sum(self, crc: int) -> None:
        if crc != self._stored.entry(PAIRS_TABLE).crc32:
            self._writer.begin_anew()  # nothing of it is to be gone on with
            raise FormatError(f"{self._stored.path} is damaged: {PAIRS_TABLE} fails its checksum; build it again")

    def _code(
        self, factors: Factors, rows: npt.NDArray[np.int16], row: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
        """Code the blocks of some rows: all codes, one after another; size and checksum of each block."""
        side, codes = factors.n_blocks, []
        n_stripes = -(-len(rows) // BLOCK_SIDE)
        sizes, checksums = np.empty((n_stripes, side), np.int32), np.empty((n_stripes, side), np.uint32)
        for k in range(n_stripes):
            first = k * BLOCK_SIDE
            n_bytes = factors.pack(
                rows[first : first + BLOCK_SIDE], row + first, self._n_threads, sizes[k], checksums[k], self._scratch
            )
            codes.append(self._scratch[:n_bytes].copy())
        return np.concatenate(codes), sizes.reshape(-1), checksums.reshape(-1)

    def _keep(self, row: int, codes: npt.NDArray[np.uint8]) -> None:
        if self._n_kept + codes.nbytes <= memory_limit() // _SHARE_OF_CODES:
            self._n_kept += codes.nbytes
            self._kept[row] = codes

    def _write_codes(self, factors: Factors, starts: npt.NDArray[np.int64], codes: npt.NDArray[np.uint8]) -> None:
        """Put codes where they belong; those that memory had no room for, or that a stop has lost, are found again."""
        side, before = factors.n_blocks, -(-self._n // _ROWS) + 2
        for number, (row, stop) in enumerate(self._groups()):
            bounds = starts[row // BLOCK_SIDE * side : -(-stop // BLOCK_SIDE) * side + 1]
            room = codes[int(bounds[0]) : int(bounds[-1])]
            if number + before > self._writer.stage:
                found = self._kept.pop(row, None)
                if found is None:
                    found, sizes, _ = self._code(factors, self._rows(row, stop), row)
                    if not np.array_equal(sizes, np.diff(bounds)):
                        raise FormatError(f"{self._stored.path} was changed while it was being packed: pack it again")
                room[...] = found
                self._report(self._n, stop)
            self._writer.checkpoint(number + before, [room])

    def _report(self, coded: int, written: int) -> None:
        self._stored.let_go()
        if self._progress is not None:
            self._progress((coded + written) * self._n, 2 * self._n * self._n)


def unpack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> PackReport:
    """Make the plain file again that a packed one was made of.

    The tables are the same bit for bit, and so is the file if the HDF5 library is of the same version.

    Parameters
    ----------
    source : path-like
        A packed file.
    target : path-like
        The file to make.
    threads, force, progress
        As for `pack`.

    Returns
    -------
    PackReport

    Raises
    ------
    ArgumentError
        If the file is not packed, or is a small file, from which the full values cannot be had.
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
    FormatError
        If the source is not a bgrace database, or a block of pairs or another table fails its checksum.
    OSError
        If it cannot be read.
    """
    stored = read_tables(source)
    table = stored.tables.get(PAIRS_TABLE)
    if stored.directory.small:
        raise ArgumentError(
            f"{stored.path} is a small file, and the full values cannot be had from it: give the file that it was made "
            "of, which has them"
        )
    if not isinstance(table, PackedPairs):
        raise ArgumentError(f"{stored.path} is not packed: there is nothing to unpack")
    n_threads = how_many(threads)
    rest = sum(entry.n_bytes for entry in stored.entries if entry.name not in PACKED_TABLES)
    check_target(target, rest + table.nbytes, force=force, smaller="a packed file instead (it is asked like any other)")
    attributes: dict[str, JSON] = {
        **{name: stored.attributes[name] for name in ("generator", "created")},
        "format_version": FORMAT_VERSION,
    }
    path = real_target(target)
    check_apart(stored.path, path)
    if force or not place_finished(path, lambda found: is_made_of(found, stored, attributes)):
        with Writer(path, work_of(stored, "unpacked"), drop_other=force, attributes=attributes) as writer:
            writer.fill(lambda: _write_plain(stored, table, writer, n_threads, progress))
    return PackReport(stored.directory.file_size, path.stat().st_size, len(table) ** 2)


def _write_plain(
    stored: StoredTables, table: PackedPairs, writer: Writer, n_threads: int, progress: Progress | None
) -> None:
    entry = stored.entry(PAIRS_TABLE)
    for name in (entry.name for entry in stored.entries if entry.name not in PACKED_TABLES):
        _copy(stored, writer, name)
        if name == "two_sided/order":
            writer.add(PAIRS_TABLE, entry.shape, entry.scale, planes=list(PLANES))
    values, n = writer.table(PAIRS_TABLE), len(table)
    for number, row in enumerate(range(0, n, _ROWS)):
        part = values[row : row + _ROWS]
        if number + 1 > writer.stage:
            for at in range(row, min(row + _ROWS, n), BLOCK_SIDE):
                _, damaged, first = table.stripe(at, n_threads, part[at - row : at - row + BLOCK_SIDE])
                if damaged:
                    raise FormatError(
                        f"{stored.path} is damaged: block {first} of its pairs fails its checksum; get the file again"
                    )
            stored.let_go()
            if progress is not None:
                progress(min(row + _ROWS, n) * n, n * n)
        writer.checkpoint(number + 1, [part])
