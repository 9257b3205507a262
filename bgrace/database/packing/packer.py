"""Make packed files, and find the factors of pairs for packed and approximate files (docs/small-tables.md).

Both kinds are made in the same way: factors of opponents are found from a sample; then every row is read once, from the
top, for the factors of the player on roll and for the errors of the products.  A packed file has all errors, coded in
blocks; an approximate file has the pairs whose error is larger than allowed.

A plane of the table, row: on roll, column: the opponent, is nearly of low rank: two narrow matrices have a product that
is nearly the table.  Factors of opponents come from the leading eigenvectors of a sample of rows, those of the player
on roll from least squares against columns, or a sample of them in a large table; both are rounded to 16 bits.

The result has the same bits on every machine: every product of matrices here is of whole numbers, and float64 holds
these and their sums exactly, so the order in which a library adds does not matter; all else is computed by
`bgrace._kernels.packing` in a fixed order.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Floats
from bgrace._base.files import check_spared
from bgrace._base.limits import Progress, checked_threads, memory_limit
from bgrace._kernels.packing import BLOCK_SIDE, MAX_BLOCK_BYTES, Factors, leading_vectors, solve_rows
from bgrace.database.building import PROGRAM_BYTES, BuildPlan, packed_bytes, write_tables
from bgrace.database.store.format import FORMAT_VERSION, PACKED_TABLES, PAGED_VERSION, PAIRS_TABLE, Contents
from bgrace.database.store.reader import PackedPairs, StoredTables, blocks_a_side, pieces, read_tables
from bgrace.database.store.target import Target
from bgrace.database.store.writer import GENERATOR, Writer, database_target
from bgrace.errors import ArgumentError, FormatError
from bgrace.tables import PLANES, SINGLE_PLANES

__all__ = ["PackReport"]

_ROWS: Final = 16 * BLOCK_SIDE  # at a time


@dataclass(frozen=True, slots=True)
class PackReport:
    """The report of packing or unpacking.

    Attributes
    ----------
    source_bytes, file_bytes : int
        Sizes of the source and of the new file.
    pairs : int
        Number of pairs in the table.
    """

    source_bytes: int
    file_bytes: int
    pairs: int


def check_source(stored: StoredTables) -> None:
    """Raise ArgumentError if a file has no pairs that can be packed."""
    directory = stored.directory
    if directory.approximate:
        raise ArgumentError(f"{stored.path} is approximate and cannot be packed again: give its source")
    if not directory.two_sided_checkers:
        raise ArgumentError(f"{stored.path} has no table of pairs, and only pairs are packed")


def origin(stored: StoredTables, version: int) -> dict[str, JSON]:
    """Attributes of a new file that is made from another."""
    return {**{name: stored.attributes[name] for name in ("generator", "created")}, "format_version": version}


def target_of(
    stored: StoredTables, contents: Contents, path: str | os.PathLike[str], n_bytes: int, smaller: str, force: bool
) -> Target:
    """Make the target of a new file from another; BuildError if it cannot be written, or is the source."""
    target = database_target(path, contents, force=force)
    target.check(n_bytes, smaller)
    check_spared(target.path, [stored.path])
    return target


def report_of(stored: StoredTables, target: Target) -> PackReport:
    """Report the sizes of both files."""
    return PackReport(stored.directory.file_size, target.path.stat().st_size, stored.directory.n_pairs**2)


class PairRows:
    """Rows of a table of pairs, read once from the top; `crc32` is updated with them."""

    def __init__(self, stored: StoredTables, progress: Progress | None, passes: int = 1) -> None:
        self.stored, self._progress, self._passes = stored, progress, passes
        self.table = stored.tables[PAIRS_TABLE]
        self.n = len(self.table)
        self.scale = stored.entry(PAIRS_TABLE).scale
        self._crc32 = 0

    def groups(self) -> Iterator[tuple[int, int]]:
        """The first row of each group, and the row after its last."""
        for row in range(0, self.n, _ROWS):
            yield row, min(row + _ROWS, self.n)

    def read(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Read some rows."""
        self.stored.expect_pairs(stop, min(stop + _ROWS, self.n))  # these are read ahead meanwhile
        return np.ascontiguousarray(self.table[row:stop])

    def read_next(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Read the next rows; FormatError if they are the last, and the checksum is wrong."""
        rows = self.read(row, stop)
        self._crc32 = zlib.crc32(rows.reshape(-1).view(np.uint8).data, self._crc32)
        if stop == self.n and self._crc32 != self.stored.entry(PAIRS_TABLE).crc32:
            raise FormatError(f"{self.stored.path} is damaged: {PAIRS_TABLE} fails its checksum; build it again")
        return rows

    def report(self, rows: int) -> None:
        """Report the number of rows done, in all passes together."""
        self.stored.release_pages()
        if self._progress is not None:
            self._progress(rows * self.n, self._passes * self.n * self.n)


# ---------------------------------------------------------------------- factors


GROUP: Final = 16
"""The number of factors of a plane is a multiple of this: a vector of 256 bits holds as many."""

_WIDE_GROUP: Final = 64  # spreads the weight of a direction over more factors, which reduces rounding
_MAX_COUNTS: Final = (64, 192, 384, 320)  # cubeless, mine, centered, theirs
_SAMPLE: Final = 1536  # rows
COLUMNS: Final = 13_568  # for the factors of the player on roll: about 35 for each of at most 384 factors
_MAX_STEPS: Final = 5000  # root mean square of a factor, so that the largest fit into int16
_MAX_SHIFT: Final = 16  # so that 16 bits of a value and the shift are 32
_INT16: Final = 32767
_VECTOR_BITS: Final = 24  # bits of the elements of eigenvectors: 2^24 2^15 2^11 < 2^53
_SOLVER_BITS: Final = 21  # bits of the elements of the solver's matrix: 2^21 2^15 2^16 < 2^53
_MORE: Final = 64  # more directions than needed are computed, since the last ones are the worst
_MIN_SHARE: Final = 1e-13  # share of the greatest eigenvalue below which there is only rounding


@dataclass(frozen=True, slots=True)
class PlaneFactors:
    """Factors of opponents in one plane: int16, (n, count), and the shift of sums of products in bits."""

    opponent: npt.NDArray[np.int16]
    shift: int

    @property
    def count(self) -> int:
        """Number of factors of a position."""
        return len(self.opponent.T)


def sample_rows(n: int, most: int = _SAMPLE) -> npt.NDArray[np.int64]:
    """Numbers of sampled rows: all, or one from each of `most` stretches of the same length.

    Examples
    --------
    >>> sample_rows(4).tolist(), len(sample_rows(54264)), sample_rows(54264)[:3].tolist()
    ([0, 1, 2, 3], 1536, [0, 56, 78])
    """
    if n <= most:
        return np.arange(n)
    stretch = np.arange(most + 1) * n // most
    # A place within the stretch that does not follow any period of the table (Weyl's sequence).
    places = (np.arange(most, dtype=np.uint64) * np.uint64(0x9E3779B9) >> np.uint64(8)) % np.uint64(1 << 24)
    return stretch[:-1] + (places.astype(np.int64) * np.diff(stretch) >> 24)


def chosen_ranks(n: int) -> tuple[int, ...]:
    """Number of factors of each plane in a table of `n` positions a side: more make codes smaller and take longer.

    Examples
    --------
    >>> chosen_ranks(54264), chosen_ranks(8008), chosen_ranks(28)
    ((64, 192, 384, 320), (64, 128, 256, 192), (0, 0, 0, 0))
    """
    share = min(1.0, (n / 54264) ** 0.25 if n > 3000 else n / 6000)
    group = _WIDE_GROUP if n > 6000 else GROUP
    return tuple(round(count * share / group) * group for count in _MAX_COUNTS)


@dataclass(frozen=True, slots=True)
class Basis:
    """Leading directions of a plane in the space of its columns.

    Attributes
    ----------
    rows : int
        Number of sampled rows of the plane.
    lengths : float64 ndarray of shape (count,)
        Weight of each direction in these rows, falling.
    directions : float64 ndarray of shape (n, count)
        Vectors of length 1.
    """

    rows: int
    lengths: Floats
    directions: Floats


def leading_basis(sample: npt.NDArray[np.int16], count: int, n_threads: int) -> Basis:
    """Find the leading directions of a plane from a sample of its rows.

    There are fewer than `count` if the sample has fewer that matter, and none if it has fewer rows.
    """
    m, n = sample.shape
    if not 0 < count <= m:
        return Basis(m, np.zeros(0), np.zeros((n, 0)))
    # In pieces, to save memory and to let Ctrl-C stop between them; sums of whole numbers are exact in any order.
    gram = np.zeros((m, m))
    for columns in pieces(sample.T):
        piece = sample[:, columns].astype(np.float64)
        gram += piece @ piece.T
    values, vectors = leading_vectors(gram, min(count + _MORE, m), n_threads)
    order = np.argsort(-values, kind="stable")[:count]
    order = order[values[order] > _MIN_SHARE * max(values.max(), 1.0)]
    lengths = np.sqrt(values[order])
    left = np.rint(vectors[order] * (1 << _VECTOR_BITS))
    directions = np.empty((n, len(order)))
    for columns in pieces(sample.T):
        directions[columns] = (left @ sample[:, columns].astype(np.float64)).T / ((1 << _VECTOR_BITS) * lengths)
    return Basis(m, lengths, directions)


def opponent_factors(basis: Basis, count: int, multiple: int = GROUP, max_shift: int = _MAX_SHIFT) -> PlaneFactors:
    """Make factors of opponents from `count` directions, or if there are fewer, from a multiple of `multiple`."""
    n, have = basis.directions.shape
    count = min(count, have // multiple * multiple)
    if count == 0:
        return PlaneFactors(np.zeros((n, 0), np.int16), 0)
    # The root mean square of each side's factors is the root of a direction's weight in the whole table.
    weights = basis.lengths[:count] / np.sqrt(float(basis.rows * n))
    groups, width = count // (count & -count), count & -count
    heaviest = max(float(sum(weights[k::groups].tolist())) / width for k in range(groups))
    shift = 0
    while shift < max_shift and heaviest * 2 ** (shift + 1) <= _MAX_STEPS**2:
        shift += 1
    scales, opponent = np.sqrt(weights * 2**shift) * np.sqrt(float(n)), np.empty((n, count), np.int16)
    for rows in pieces(opponent):
        scaled = basis.directions[rows, :count] * scales
        turned = np.concatenate([_spread(scaled[:, k::groups]) for k in range(groups)], axis=1)
        opponent[rows] = np.clip(np.rint(turned), -_INT16, _INT16)
    return PlaneFactors(opponent, shift)


def _spread(columns: Floats) -> Floats:
    """Rotate columns, whose number is a power of two, so that all have the same weight (Hadamard's matrix).

    The first direction has nearly all of a value: a single factor would need far more than 16 bits for it.
    """
    width = columns.shape[1]
    turned, step = columns, 1
    while step < width:
        pairs = turned.reshape(len(turned), -1, 2, step)
        turned = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
        turned = turned.reshape(len(columns), width)
        step *= 2
    spread: Floats = turned / np.sqrt(float(width))
    return spread


def solver_of(
    plane: PlaneFactors, columns: npt.NDArray[np.int64], n_threads: int
) -> Callable[[npt.NDArray[np.int16]], npt.NDArray[np.int16]]:
    """Make the function that computes the factors of the player on roll, (rows, count), from some columns of rows."""
    if not plane.count:
        return lambda rows: np.zeros((len(rows), 0), np.int16)
    opponent = plane.opponent[columns].astype(np.float64)
    matrix = opponent.copy()
    solve_rows(opponent.T @ opponent, matrix, n_threads)
    matrix *= 2.0**plane.shift
    bits = _SOLVER_BITS - int(np.ceil(np.log2(max(float(np.abs(matrix).max()), 1e-300))))
    matrix = np.rint(np.ldexp(matrix, bits))

    def solve(rows: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        found = np.rint(np.ldexp(rows.astype(np.float64) @ matrix, -bits))
        return np.clip(found, -_INT16, _INT16).astype(np.int16)

    return solve


def planes_table(factors: Sequence[PlaneFactors]) -> npt.NDArray[np.int32]:
    """The columns of `packed/planes`: first factor, count and shift of each plane."""
    starts = np.cumsum([0, *(one.count for one in factors)])
    return np.array([(start, one.count, one.shift) for start, one in zip(starts, factors, strict=False)], np.int32)


# ---------------------------------------------------------------------- packed files

_POSITION_BYTES: Final = 9 << 10  # memory for samples and factors; the solver of a build takes more before


def pack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> PackReport:
    """Make a packed file from a database file: the same tables, bit for bit, with pairs in a fraction of the space.

    A packed file is used like any other, with `bgrace.open` and the C library.  It appears under its name only when it
    is complete.

    Parameters
    ----------
    source : path-like
        A file with a table of pairs.
    target : path-like
        The file to make.
    threads : int, optional
        By default one per processor.  The bytes of the file do not depend on it.
    force : bool
        Whether to replace an existing file.
    progress : callable, optional
        Called with the pairs done and the pairs to do, each counted twice; may raise to stop.

    Returns
    -------
    PackReport

    Raises
    ------
    ArgumentError
        If the file is packed already, or has no table of pairs.
    BuildError
        If the target exists and `force` is not given, or it cannot be written.
    FormatError
        If the source is not a bgrace database, or a table fails its checksum.
    OSError
        If it cannot be read.

    Notes
    -----
    Takes about 0.7 GB of memory for 15 checkers a side, and less for fewer.  It uses up to 3.5 GB more to save time, if
    they fit into three quarters of the machine's memory.

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
    contents = stored.directory.contents
    n_bytes = packed_bytes(contents, sum(table.nbytes for table in stored.tables.values()))
    with target_of(stored, contents, target, n_bytes, "an approximate file (--error)", force) as new:
        _write_packed(stored, new, checked_threads(threads), memory_limit(), progress)
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
        If the file is plain, or approximate, so that it does not have the full values.
    BuildError
        If the target exists and `force` is not given, or it cannot be written.
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
    n_threads = checked_threads(threads)
    n_bytes = sum(table.nbytes for name, table in stored.tables.items() if name not in PACKED_TABLES)
    smaller = "a packed file instead (it is used like any other)"
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
        with suppress(OSError):  # on Windows the target removes it in the end
            target.plain.unlink()
        _write_packed(stored, target, plan.threads, plan.memory_bytes, progress)
    return report_of(stored, target)


def _write_packed(stored: StoredTables, target: Target, threads: int, memory: int, progress: Progress | None) -> None:
    attributes: dict[str, JSON] = {
        **origin(stored, PAGED_VERSION),
        "packed_by": GENERATOR,
        "unpacked_crc32": stored.entry(PAIRS_TABLE).crc32,
    }
    with Writer(target, stored.directory.contents, attributes=attributes) as writer:
        _Packer(PairRows(stored, progress, passes=2), writer, threads, memory).write()


def _copy(stored: StoredTables, writer: Writer, name: str) -> None:
    """Copy a table as it is; FormatError if it fails its checksum."""
    entry = stored.entry(name)
    if stored.checksum(name) != entry.crc32:
        raise FormatError(f"{stored.path} is damaged: {name} fails its checksum; build it again, or get it again")
    planes = {"planes": list(SINGLE_PLANES)} if name in ("gammon/winning", "gammon/losing") else {}
    target = writer.add(name, entry.shape, entry.scale, **planes)
    table = stored.tables[name]
    for rows in pieces(table):
        target[rows] = table[rows]


class _Packer:
    """Writes the tables of a packed file."""

    def __init__(self, rows: PairRows, writer: Writer, n_threads: int, memory_bytes: int) -> None:
        self._rows, self._writer, self._n_threads = rows, writer, n_threads
        self._room = memory_bytes - PROGRAM_BYTES - _POSITION_BYTES * rows.n  # for codes until their places are known
        self._scratch = np.empty(blocks_a_side(rows.n) * MAX_BLOCK_BYTES, np.uint8)
        self._kept: dict[int, npt.NDArray[np.uint8]] = {}  # codes of groups of rows, by their first row

    def write(self) -> None:
        """Write all tables."""
        rows, writer, n = self._rows, self._writer, self._rows.n
        side = blocks_a_side(n)
        planes = writer.add("packed/planes", (len(PLANES), 3))  # first: read together with the directory
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
        columns = sample_rows(n, COLUMNS)
        solvers = [solver_of(one, columns, self._n_threads) for one in found]
        for row, stop in rows.groups():
            values = rows.read_next(row, stop)
            for plane, (first, count, _) in enumerate(planes.tolist()):
                on_roll[row:stop, first : first + count] = solvers[plane](values[:, columns, plane])
            first_block, past = row // BLOCK_SIDE * side, -(-stop // BLOCK_SIDE) * side
            codes, sizes, checksums[first_block:past] = self._code(factors, values, row)
            starts[first_block + 1 : past + 1] = starts[first_block] + np.cumsum(sizes, dtype=np.int64)
            if codes.nbytes <= self._room:
                self._room -= codes.nbytes
                self._kept[row] = codes
            writer.release_pages()
            rows.report(stop)
        self._write_codes(factors, starts)

    def _find_opponents(self) -> list[PlaneFactors]:
        found, rows = [], sample_rows(self._rows.n).tolist()
        for plane, count in enumerate(chosen_ranks(self._rows.n)):
            sample = np.stack([self._rows.table[row][:, plane] for row in rows])
            found.append(opponent_factors(leading_basis(sample, count, self._n_threads), count))
        return found

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

    def _write_codes(self, factors: Factors, starts: npt.NDArray[np.int64]) -> None:
        """Write codes to their places; those that did not fit into memory are computed again."""
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
            self._writer.release_pages()
            rows.report(rows.n + stop)
        self._writer.add_page_checksums()


def _write_plain(stored: StoredTables, writer: Writer, n_threads: int, progress: Progress | None) -> None:
    for name in stored.tables:
        if name in (*PACKED_TABLES, PAIRS_TABLE):
            continue
        _copy(stored, writer, name)
        if name == "two_sided/order" and PAIRS_TABLE in stored.tables:  # a plain file has its pairs here
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
        writer.release_pages()
        rows.report(stop)
    writer.set_row_sums(sums)
