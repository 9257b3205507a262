"""Pairs as products of factors, packed without loss and unpacked."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON
from bgrace._base.limits import Progress, how_many, memory_limit
from bgrace._kernels.packing import BLOCK_SIDE, MAX_BLOCK_BYTES, Factors
from bgrace.database.building import BuildPlan, packed_bytes, write_tables
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
from bgrace.database.packing.pairs import PackReport, PairRows, check_source, origin, report_of, target_of
from bgrace.database.store.reader import StoredTables, read_tables
from bgrace.database.store.schema import FORMAT_VERSION, PACKED_TABLES, PAGED_VERSION, PAIRS_TABLE
from bgrace.database.store.tables import PackedPairs, blocks_a_side, pieces
from bgrace.database.store.target import Target
from bgrace.database.store.writer import GENERATOR, Writer
from bgrace.errors import ArgumentError, FormatError
from bgrace.tables.one_sided import SINGLE_PLANES
from bgrace.tables.two_sided import PLANES

_SHARE_OF_CODES: Final = 3  # of all memory, for codes until their places are known
_OF_SINGLE_PLANES: Final = ("gammon/winning", "gammon/losing")


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
    it is complete.

    Parameters
    ----------
    source : path-like
        A file for money with a table of pairs.
    target : path-like
        The file to make.
    threads : int, optional
        As many as there are processors, unless given.  The bytes of the file do not depend on it.
    force : bool
        Whether to replace a file that is there.
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
    entry = stored.entry(PAIRS_TABLE)
    n_bytes = packed_bytes(stored.directory.file_size - entry.n_bytes, entry.shape[0] ** 2)
    smaller = "fewer two-sided checkers (--two-sided)"
    with target_of(stored, stored.directory.contents, target, n_bytes, smaller, force) as new:
        _write_packed(stored, new, how_many(threads), progress)
    return report_of(stored, new)


def unpack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> PackReport:
    """Unpack a packed database file or an archive.

    The tables are the same bit for bit, and so is the file if the HDF5 library is of the same version.

    Parameters
    ----------
    source : path-like
        A packed file, or an archive.
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
        If the file is plain, or is an approximate file, from which the full values cannot be had.
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
    FormatError
        If the source is not a bgrace database, or a block of pairs or another table fails its checksum.
    OSError
        If it cannot be read.
    """
    stored = read_tables(source, unpacked=False)
    if stored.directory.approximate:
        raise ArgumentError(
            f"{stored.path} is approximate, and the full values cannot be had from it: give the file that it was made "
            "of, which has them"
        )
    if not (stored.directory.packed or stored.directory.archive):
        raise ArgumentError(f"{stored.path} is not packed: there is nothing to unpack")
    n_threads = how_many(threads)
    n_bytes = sum(table.nbytes for name, table in stored.tables.items() if name not in PACKED_TABLES)
    smaller = "a packed file instead (it is asked like any other)"
    with (
        target_of(stored, stored.directory.contents, target, n_bytes, smaller, force) as new,
        Writer(new, stored.directory.contents, attributes=origin(stored, FORMAT_VERSION)) as writer,
    ):
        _write_plain(stored, writer, n_threads, progress)
    return report_of(stored, new)


def write_packed(plan: BuildPlan, target: Target, progress: Progress | None) -> PackReport:
    """Make the packed file of a plan."""
    with target:
        with Writer(target, plan.contents, target.plain) as plain:
            write_tables(plain, plan, progress)
        stored = read_tables(target.plain)
        with suppress(OSError):  # not on Windows, where the target removes it in the end
            target.plain.unlink()
        _write_packed(stored, target, plan.threads, progress)
    return report_of(stored, target)


def _write_packed(stored: StoredTables, target: Target, n_threads: int, progress: Progress | None) -> None:
    attributes: dict[str, JSON] = {
        **origin(stored, PAGED_VERSION),
        "packed_by": GENERATOR,
        "unpacked_crc32": stored.entry(PAIRS_TABLE).crc32,
    }
    with Writer(target, stored.directory.contents, attributes=attributes) as writer:
        _Packer(PairRows(stored, progress, passes=2), writer, n_threads).write()


def _copy(stored: StoredTables, writer: Writer, name: str) -> None:
    """Take a table over as it is; FormatError if it fails its checksum."""
    entry = stored.entry(name)
    if stored.checksum(name) != entry.crc32:
        raise FormatError(f"{stored.path} is damaged: {name} fails its checksum; build it again, or get it again")
    planes = {"planes": list(SINGLE_PLANES)} if name in _OF_SINGLE_PLANES else {}
    target = writer.add(name, entry.shape, entry.scale, **planes)
    table = stored.tables[name]
    for rows in pieces(table, 1 << 22):
        target[rows] = table[rows]


class _Packer:
    """Writes the tables of a packed file."""

    def __init__(self, rows: PairRows, writer: Writer, n_threads: int) -> None:
        self._rows, self._writer, self._n_threads = rows, writer, n_threads
        self._scratch = np.empty(blocks_a_side(rows.n) * MAX_BLOCK_BYTES, np.uint8)
        self._kept: dict[int, npt.NDArray[np.uint8]] = {}  # codes of groups of rows, by their first
        self._n_kept = 0  # bytes

    def write(self) -> None:
        """Write all tables."""
        rows, writer, n = self._rows, self._writer, self._rows.n
        side = blocks_a_side(n)
        planes = writer.add("packed/planes", (len(PLANES), 3))  # first: near the directory, and read with it
        for entry in rows.stored.entries:
            if entry.name != PAIRS_TABLE:
                _copy(rows.stored, writer, entry.name)
        found = self._find_opponents()
        planes[...] = planes_table(found)
        width = sum(one.count for one in found)
        opponent = writer.add("packed/opponent", (n, max(GROUP, width)))
        opponent[:, :width] = np.concatenate([one.opponent for one in found], axis=1)
        on_roll = writer.add("packed/on_roll", opponent.shape)
        starts = writer.add("packed/starts", (side * side + 1,))
        checksums = writer.add("packed/checksums", (side * side,))
        factors = Factors(on_roll, opponent, planes)
        columns = sample_columns(n)
        solvers = [solver_of(one, columns, self._n_threads) for one in found]
        for row, stop in rows.groups():
            values = rows.read_next(row, stop)
            for plane, (first, count, _) in enumerate(planes.tolist()):
                on_roll[row:stop, first : first + count] = solvers[plane](values[:, columns, plane])
            first_block, past = row // BLOCK_SIDE * side, -(-stop // BLOCK_SIDE) * side
            codes, sizes, checksums[first_block:past] = self._code(factors, values, row)
            starts[first_block + 1 : past + 1] = starts[first_block] + np.cumsum(sizes, dtype=np.int64)
            self._keep(row, codes)
            writer.let_go()
            rows.report(stop)
        self._write_codes(factors, starts)

    def _find_opponents(self) -> list[PlaneFactors]:
        sample = read_sample(self._rows.table, sample_rows(self._rows.n))
        return [
            opponent_factors(leading_basis(sample[plane], count, self._n_threads), count)
            for plane, count in enumerate(chosen_ranks(self._rows.n))
        ]

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

    def _write_codes(self, factors: Factors, starts: npt.NDArray[np.int64]) -> None:
        """Put codes where they belong; those that memory had no room for are found again."""
        rows, side = self._rows, factors.n_blocks
        codes = self._writer.add("packed/codes", (int(starts[-1]),), rows.scale)
        for row, stop in rows.groups():
            bounds = starts[row // BLOCK_SIDE * side : -(-stop // BLOCK_SIDE) * side + 1]
            found = self._kept.pop(row, None)
            if found is None:
                found, sizes, _ = self._code(factors, rows.read(row, stop), row)
                if not np.array_equal(sizes, np.diff(bounds)):
                    raise FormatError(f"{rows.stored.path} was changed while it was being packed: pack it again")
            codes[int(bounds[0]) : int(bounds[-1])] = found
            self._writer.let_go()
            rows.report(rows.n + stop)
        self._writer.add_page_checksums()


def _write_plain(stored: StoredTables, writer: Writer, n_threads: int, progress: Progress | None) -> None:
    for name in stored.tables:
        if name in (*PACKED_TABLES, PAIRS_TABLE):
            continue
        _copy(stored, writer, name)
        if name == "two_sided/order" and PAIRS_TABLE in stored.tables:  # where a plain file has its pairs
            entry = stored.entry(PAIRS_TABLE)
            values = writer.add(PAIRS_TABLE, entry.shape, entry.scale, planes=list(PLANES))
    if PAIRS_TABLE not in stored.tables:
        return
    rows, sums = PairRows(stored, progress), np.empty(len(values), np.uint32)
    for row, stop in rows.groups():
        if isinstance(rows.table, PackedPairs):
            for first in range(row, stop, BLOCK_SIDE):
                rows.table.stripe(first, n_threads, values[first : min(first + BLOCK_SIDE, stop)])
        else:
            values[row:stop] = rows.read_next(row, stop)
        sums[row:stop] = [zlib.crc32(values[k].data) for k in range(row, stop)]
        writer.let_go()
        rows.report(stop)
    writer.set_row_sums(sums)
