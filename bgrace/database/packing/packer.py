"""Pairs as products of factors: packed without loss, unpacked, and approximated with a greatest error that is known.

docs/small-tables.md says how.  Both forms come about in the same way: factors of opponents are found from a sample;
then every row is read once, from the top, for the factors of the player on roll and for what the products leave.  Of
that a packed file holds everything, coded in blocks, an approximate one the pairs that are missed by more than is
allowed.
"""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON
from bgrace._base.memory import memory_limit
from bgrace._base.progress import Progress
from bgrace._base.threads import how_many
from bgrace._kernels.packing import BLOCK_SIDE, MAX_BLOCK_BYTES, Factors
from bgrace.board import HOME_POINTS
from bgrace.board.spaces import PositionSpace
from bgrace.database.building import (
    BuildPlan,
    checked_target,
    generator_name,
    packed_bytes,
    plan_build,
    work_of,
    write_tables,
)
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
    solvers_of,
)
from bgrace.database.store import StoredTables, read_tables
from bgrace.database.store.factored import PackedPairs, blocks_a_side, most_of_planes, rounded_products
from bgrace.database.store.schema import (
    APPROXIMATE_VERSION,
    FORMAT_VERSION,
    PACKED_TABLES,
    PACKED_VERSION,
    PAIRS_TABLE,
)
from bgrace.database.store.target import Target
from bgrace.database.store.writer import Work, Writer, database_target
from bgrace.errors import ArgumentError, BuildError, FormatError
from bgrace.tables.gammons import GAMMON_CHECKERS, SINGLE_PLANES
from bgrace.tables.one_sided import n_fewer_checkers
from bgrace.tables.two_sided import PLANES, Plane

_ROWS: Final = 16 * BLOCK_SIDE  # at a time
_SHARE_OF_CODES: Final = 3  # of all memory, for codes until their places are known
_OF_SINGLE_PLANES: Final = ("gammon/winning", "gammon/losing")

# Of approximate files:
_TESTED: Final = 128  # rows that say how many factors to have
_COUNTS: Final = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160)
_MAX_CUBELESS: Final = 64  # factors of a plane without kinks
_MULTIPLE: Final = 8
_MAX_SHIFT: Final = 15  # so that the sums of values up to 2^15, and of some more, are within 32 bits
_MARGIN: Final = 0.97  # of the mean error that is wanted, so that the mean of all pairs is not over it
_WIN: Final = "win"


@dataclass(frozen=True, slots=True)
class PackReport:
    """The report of packing or unpacking.

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


@dataclass(frozen=True, slots=True)
class PlaneError:
    """How far a plane of an approximate file is from the table that it was made of, over every pair.

    Attributes
    ----------
    plane : str
        ``"win"``, or the name of an equity.
    factors, exceptions : int
        How many factors a position has, and how many pairs are stored as they are.
    greatest, mean : float
        Of the errors: of the chance to win, or in points per unit of the cube.
    """

    plane: str
    factors: int
    exceptions: int
    greatest: float
    mean: float


@dataclass(frozen=True, slots=True)
class ApproximateReport(PackReport):
    """The report of `pack_approximate`: a `PackReport` with the errors of the planes.

    Attributes
    ----------
    planes : tuple of PlaneError
    """

    planes: tuple[PlaneError, ...]


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
    _check_source(stored)
    if stored.directory.packed:
        raise ArgumentError(f"{stored.path} is packed already: bgrace unpack gives the plain file back")
    entry = stored.entry(PAIRS_TABLE)
    rest = stored.directory.file_size - entry.n_bytes
    with _target(
        stored, target, packed_bytes(rest, entry.shape[0] ** 2), "fewer two-sided checkers (--two-sided)", force
    ) as new:
        _write_packed(stored, new, how_many(threads), progress)
    return _report(stored, new)


def unpack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> PackReport:
    """Unpack a packed database file.

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
        If the file is not packed, or is an approximate file, from which the full values cannot be had.
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
    FormatError
        If the source is not a bgrace database, or a block of pairs or another table fails its checksum.
    OSError
        If it cannot be read.
    """
    stored = read_tables(source)
    table = stored.tables.get(PAIRS_TABLE)
    if stored.directory.approximate:
        raise ArgumentError(
            f"{stored.path} is approximate, and the full values cannot be had from it: give the file that it was made "
            "of, which has them"
        )
    if not isinstance(table, PackedPairs):
        raise ArgumentError(f"{stored.path} is not packed: there is nothing to unpack")
    n_threads = how_many(threads)
    rest = sum(entry.n_bytes for entry in stored.entries if entry.name not in PACKED_TABLES)
    smaller = "a packed file instead (it is asked like any other)"
    with (
        _target(stored, target, rest + table.nbytes, smaller, force) as new,
        Writer(new, _work_of(stored), attributes=_origin(stored, FORMAT_VERSION)) as writer,
    ):
        _write_plain(stored, table, writer, n_threads, progress)
    return _report(stored, new)


def build_packed(
    path: str | os.PathLike[str],
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    *,
    threads: int | None = None,
    memory_bytes: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[BuildPlan, PackReport]:
    """Make a packed file of tables that are solved first; arguments and errors as for `bgrace.build`.

    `progress` is called with the work done and to do, first of the building and then of the packing.
    """
    plan = plan_build(points, checkers, two_sided, threads, memory_bytes)
    if not plan.pairs:
        raise ArgumentError(f"two_sided={plan.two_sided} has no table of pairs, and only pairs are packed")
    work = work_of(plan)
    with checked_target(plan, path, work, packed=True, force=force) as target:
        with Writer(target, work, target.plain) as plain:
            write_tables(plain, plan, progress)
        stored = read_tables(target.plain)
        with suppress(OSError):  # not on Windows, where the target removes it in the end
            target.plain.unlink()
        _write_packed(stored, target, plan.threads, progress)
    return plan, _report(stored, target)


def pack_approximate(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    error: float,
    equity_error: float | None = None,
    mean_equity_error: float | None = None,
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> ApproximateReport:
    """Make an approximate file of a database file: all pairs, with a greatest error that is known.

    Every pair is compared with the file that it is made of; those that products of factors would miss by more than is
    allowed are stored as they are.  The errors that were found stand in the file, and answers carry them.  Tables of
    one side are not in it: they are solved again when the file is opened.

    Parameters
    ----------
    source : path-like
        A file for money with a table of pairs on at most six points, plain, packed or an archive.
    target : path-like
        The file to make.
    error : float
        Greatest error of a chance to win, over 0 and up to 0.5.
    equity_error : float, optional
        Greatest error of an equity, the right to double included, in points per unit of the cube.  Without it the file
        has chances to win, and no answer with a cube; gammons do not count in it.
    mean_equity_error : float, optional
        What the mean error of no equity shall be greater than, over all pairs.  Lowers it by more factors.
    threads, force
        As for `bgrace.pack`.
    progress : callable, optional
        Called with the pairs done and the pairs to do; may raise to stop.

    Returns
    -------
    ApproximateReport

    Raises
    ------
    ArgumentError
        If the file cannot be packed, or an error is out of range, or such a mean error cannot be had.
    BuildError
        If the target is there and `force` is not given, or it cannot be written.
    FormatError
        If the source is not a bgrace database, or its pairs fail their checksum.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> import bgrace
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = pack_approximate(bgrace.example_file(), f"{folder}/near.h5", 0.002)
    ...     with bgrace.open(f"{folder}/near.h5") as near, bgrace.open(bgrace.example_file()) as db:
    ...         pair = (0, 1, 0, 0, 0, 2), (1, 1, 0, 0, 1, 0)
    ...         abs(near.win_probability(*pair) - db.win_probability(*pair)) <= report.planes[0].greatest <= 0.002
    True
    """
    stored = read_tables(source)
    _check_source(stored)
    wanted = _wanted_of(stored, error, equity_error, mean_equity_error)
    gammons = stored.directory.gammons and len(wanted) > 1
    with _target(stored, target, 1 << 20, "a larger error (--error)", force, gammons=gammons) as new:
        approximation = _Approximation(_PairRows(stored, progress), wanted, how_many(threads))
        planes = approximation.find()
        if mean_equity_error is not None:
            _check_mean(stored, planes[: len(Plane)], cast(float, equity_error), mean_equity_error)
        win, equities = planes[-1], planes[: len(Plane)] if len(planes) > 1 else ()
        share = 1.0
        if len(planes) == len(Plane):
            win, share = planes[0], 0.5  # cubeless, which is twice the chance to win, less one
        attributes: dict[str, JSON] = {
            **_origin(stored, APPROXIMATE_VERSION),
            "packed_by": generator_name(),
            "win_error": win.greatest * share,
            "mean_win_error": win.mean * share,
            # Theirs counts twice: it is what a double that is taken comes to.
            "equity_error": max((e.greatest * (1 + (e.plane == "theirs")) for e in equities), default=2 * win.greatest),
            "mean_equity_error": max((e.mean for e in equities), default=2 * win.mean),
        }
        with Writer(new, _work_of(stored, gammons=gammons), attributes=attributes) as writer:
            order = np.asarray(stored.tables["two_sided/order"])
            scale = stored.entry(PAIRS_TABLE).scale
            for name, table in {"two_sided/order": order, **approximation.tables()}.items():
                writer.add(name, table.shape, scale if name == "small/values" else 1.0)[...] = table
    done = _report(stored, new)
    return ApproximateReport(done.source_bytes, done.file_bytes, done.pairs, planes)


# ---------------------------------------------------------------------- what all of them share


def _check_source(stored: StoredTables) -> None:
    """Raise ArgumentError if a file has no pairs for money."""
    directory = stored.directory
    if directory.approximate:
        raise ArgumentError(f"{stored.path} is approximate and cannot be packed again: give its source")
    if directory.match is not None:
        raise ArgumentError(f"{stored.path} is for a score of a match, and only pairs for money can be packed")
    if not directory.two_sided_checkers:
        raise ArgumentError(f"{stored.path} has no table of pairs, and only pairs are packed")


def _work_of(stored: StoredTables, *, gammons: bool | None = None) -> Work:
    """The contents of the new file; gammons as in the source unless given."""
    directory = stored.directory
    return Work(
        directory.points,
        directory.checkers,
        directory.two_sided_checkers,
        generator_name(),
        directory.gammons if gammons is None else gammons,
    )


def _origin(stored: StoredTables, version: int) -> dict[str, JSON]:
    """Attributes of a file that is another form of one."""
    return {**{name: stored.attributes[name] for name in ("generator", "created")}, "format_version": version}


def _target(
    stored: StoredTables,
    path: str | os.PathLike[str],
    n_bytes: int,
    smaller: str,
    force: bool,
    *,
    gammons: bool | None = None,
) -> Target:
    """Where another form of a file is to be made; BuildError if it can't be, or would replace that file."""
    target = database_target(path, _work_of(stored, gammons=gammons), force=force)
    target.check(n_bytes, smaller)
    if target.path.exists() and target.path.samefile(stored.path):
        raise BuildError(f"{target.path} is the source of the new file and stays: give the new file another name")
    return target


def _report(stored: StoredTables, target: Target) -> PackReport:
    return PackReport(stored.directory.file_size, target.path.stat().st_size, stored.entry(PAIRS_TABLE).shape[0] ** 2)


class _PairRows:
    """Rows of a table of pairs, read once from the top; `crc32` takes them in."""

    def __init__(self, stored: StoredTables, progress: Progress | None, passes: int = 1) -> None:
        self.stored, self._progress, self._passes = stored, progress, passes
        self.table = stored.tables[PAIRS_TABLE]
        self.n = len(self.table)
        self.scale = stored.entry(PAIRS_TABLE).scale
        self._crc32 = 0

    def groups(self) -> Iterator[tuple[int, int]]:
        """The first row of each group, and the row past its last."""
        for row in range(0, self.n, _ROWS):
            yield row, min(row + _ROWS, self.n)

    def read(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Some rows."""
        self.stored.expect(PAIRS_TABLE, stop, min(stop + _ROWS, self.n))  # they come while these are worked on
        return np.ascontiguousarray(self.table[row:stop])

    def read_next(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Some rows, which follow those before; FormatError if they are the last, and the checksum is not right."""
        rows = self.read(row, stop)
        self._crc32 = zlib.crc32(rows.reshape(-1).view(np.uint8).data, self._crc32)
        if stop == self.n and self._crc32 != self.stored.entry(PAIRS_TABLE).crc32:
            raise FormatError(f"{self.stored.path} is damaged: {PAIRS_TABLE} fails its checksum; build it again")
        return rows

    def report(self, rows: int) -> None:
        """Say how many rows are done, in all passes together."""
        self.stored.let_go()
        if self._progress is not None:
            self._progress(rows * self.n, self._passes * self.n * self.n)


# ---------------------------------------------------------------------- without loss


def _write_packed(stored: StoredTables, target: Target, n_threads: int, progress: Progress | None) -> None:
    attributes: dict[str, JSON] = {
        **_origin(stored, PACKED_VERSION),
        "packed_by": generator_name(),
        "unpacked_crc32": stored.entry(PAIRS_TABLE).crc32,
    }
    with Writer(target, _work_of(stored), attributes=attributes) as writer:
        _Packer(_PairRows(stored, progress, passes=2), writer, n_threads).write()


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
    """Writes the tables of a packed file."""

    def __init__(self, rows: _PairRows, writer: Writer, n_threads: int) -> None:
        self._rows, self._writer, self._n_threads = rows, writer, n_threads
        self._scratch = np.empty(blocks_a_side(rows.n) * MAX_BLOCK_BYTES, np.uint8)
        self._kept: dict[int, npt.NDArray[np.uint8]] = {}  # codes of groups of rows, by their first
        self._n_kept = 0  # bytes

    def write(self) -> None:
        """Write all tables."""
        rows, writer, n = self._rows, self._writer, self._rows.n
        side = blocks_a_side(n)
        for entry in rows.stored.entries:
            if entry.name != PAIRS_TABLE:
                _copy(rows.stored, writer, entry.name)
        planes = writer.add("packed/planes", (len(PLANES), 3))
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
        solvers = solvers_of(found, columns, self._n_threads)
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


def _write_plain(
    stored: StoredTables, table: PackedPairs, writer: Writer, n_threads: int, progress: Progress | None
) -> None:
    entry = stored.entry(PAIRS_TABLE)
    for name in (entry.name for entry in stored.entries if entry.name not in PACKED_TABLES):
        _copy(stored, writer, name)
        if name == "two_sided/order":
            values = writer.add(PAIRS_TABLE, entry.shape, entry.scale, planes=list(PLANES))
    rows, sums = _PairRows(stored, progress), np.empty(len(table), np.uint32)
    for row, stop in rows.groups():
        for first in range(row, stop, BLOCK_SIDE):
            _, damaged, block = table.stripe(first, n_threads, values[first : min(first + BLOCK_SIDE, stop)])
            if damaged:
                raise FormatError(
                    f"{stored.path} is damaged: block {block} of its pairs fails its checksum; get the file again"
                )
        sums[row:stop] = [zlib.crc32(values[k].data) for k in range(row, stop)]
        writer.let_go()
        rows.report(stop)
    writer.set_row_sums(sums)


# ---------------------------------------------------------------------- with an error that is known


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A plane that an approximate file is to have: the greatest error and the mean one of its values, in steps."""

    name: str
    greatest: int
    mean: float
    most: int


def _check_mean(
    stored: StoredTables, equities: tuple[PlaneError, ...], equity_error: float, mean_equity_error: float
) -> None:
    """Raise ArgumentError if a mean is greater than was asked for: as many factors as there may be don't do it."""
    worst = max(equities, key=lambda one: one.mean)
    if worst.mean > mean_equity_error:
        can_be_had = math.ceil(worst.mean * 1e6) / 1e6
        raise ArgumentError(
            f"mean_equity_error={mean_equity_error:g} cannot be had of {stored.path} with "
            f"equity_error={equity_error:g}: {can_be_had:g} can ({worst.plane}); give that, or "
            "less for the error of equities"
        )


def _wanted_of(
    stored: StoredTables, error: float, equity_error: float | None, mean_equity_error: float | None
) -> tuple[_Wanted, ...]:
    if stored.directory.points > HOME_POINTS:
        raise ArgumentError(
            f"{stored.path} has {stored.directory.points} points: approximate files have up to {HOME_POINTS}"
        )
    for name, value, most in (
        ("error", error, 0.5),
        ("equity_error", equity_error, 2.0),
        ("mean_equity_error", mean_equity_error, 2.0),
    ):
        if value is not None and not 0 < value <= most:
            raise ArgumentError(f"{name}={value!r} is not an error: give one over 0 and up to {most:g}, such as 0.002")
    if mean_equity_error is not None and equity_error is None:
        raise ArgumentError("a mean error of equities needs a greatest error, too: without one there are no equities")
    gammons, scale = stored.directory.gammons, stored.entry(PAIRS_TABLE).scale
    win = _Wanted(_WIN, math.floor(2 * error * scale), math.inf, int(scale))
    if equity_error is None:
        return (win,)
    mean = math.inf if mean_equity_error is None else mean_equity_error * scale
    tops = [int(one) for one in most_of_planes(5 if gammons else 4, scale)]
    limits = {plane: math.floor(equity_error * scale / (1 + (plane == Plane.THEIRS))) for plane in Plane}
    if not gammons:
        limits[Plane.CUBELESS] = min(limits[Plane.CUBELESS], win.greatest)
    planes = tuple(_Wanted(plane.name.lower(), limits[plane], mean, tops[plane]) for plane in Plane)
    return (*planes, win) if gammons else planes


class _Planes:
    """Rows of pairs plane by plane, and among the planes that of the chance to win."""

    def __init__(self, rows: _PairRows, names: tuple[str, ...]) -> None:
        self._rows, self._names = rows, names
        stored, n = rows.stored, rows.n
        self._scale = int(rows.scale)
        self._listed = stored.directory.gammons and _WIN in names
        if self._listed:
            directory, tables = stored.directory, stored.tables
            space = PositionSpace(directory.points, directory.two_sided_checkers)
            rank = np.empty(n, np.int64)
            rank[np.asarray(tables["two_sided/order"])] = np.arange(n)
            columns = np.asarray(tables["gammon/columns"])
            self._rank_of_column = np.empty(len(columns), np.int64)
            self._rank_of_column[columns] = rank[n_fewer_checkers(space, GAMMON_CHECKERS) :]
            self._column_of_rank = np.full(n, -1)
            self._column_of_rank[self._rank_of_column] = np.arange(len(columns))
            self._winning_starts, self._losing_starts = (
                np.array(tables[f"gammon/{kind}_starts"]) for kind in ("winning", "losing")
            )

    def read(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
        """Rows by their numbers: (planes, rows, n)."""
        found = np.empty((len(self._names), len(numbers), self._rows.n), np.int16)
        for k, row in enumerate(numbers.tolist()):
            self._put(row, np.asarray(self._rows.table[row]), found[:, k])
        return found

    def read_next(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Rows that follow those before: (planes, rows, n)."""
        found = np.empty((len(self._names), stop - row, self._rows.n), np.int16)
        for k, values in enumerate(self._rows.read_next(row, stop)):
            self._put(row + k, values, found[:, k])
        return found

    def _put(self, row: int, values: npt.NDArray[np.int16], out: npt.NDArray[np.int16]) -> None:
        for k, name in enumerate(self._names):
            out[k] = self._wins(row, values) if name == _WIN else values[:, Plane[name.upper()]]

    def _wins(self, row: int, values: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """Cubeless equities of a row if gammons count once: see docs/file-format.md."""
        once: npt.NDArray[np.int16] = np.clip(values[:, Plane.CUBELESS], -self._scale, self._scale)
        if not self._listed:
            return once
        winning, losing = (self._rows.stored.tables[f"gammon/{kind}"] for kind in ("winning", "losing"))
        column = int(self._column_of_rank[row])
        if column >= 0:
            opponents = np.nonzero(np.diff(self._losing_starts) > column)[0]
            once[opponents] = np.asarray(losing[self._losing_starts[opponents] + column])[:, 0]
        first, past = self._winning_starts[row : row + 2].tolist()
        once[self._rank_of_column[: past - first]] = np.asarray(winning[first:past])[:, 0]
        return once


class _Approximation:
    """Finds factors and exceptions."""

    def __init__(self, rows: _PairRows, wanted: tuple[_Wanted, ...], n_threads: int) -> None:
        self._rows, self._wanted, self._n_threads = rows, wanted, n_threads
        self._planes = _Planes(rows, tuple(one.name for one in wanted))
        self._n = rows.n

    def find(self) -> tuple[PlaneError, ...]:
        """Look at every pair."""
        n, columns = self._n, sample_columns(self._n)
        self._opponent = self._choose(columns)
        solvers = solvers_of(self._opponent, columns, self._n_threads)
        self._on_roll = [np.zeros((n, one.count), np.int16) for one in self._opponent]
        self._counts = np.zeros((len(self._wanted), n), np.int64)
        self._listed: list[list[npt.NDArray[np.uint16]]] = [[] for _ in self._wanted]
        self._values: list[list[npt.NDArray[np.int16]]] = [[] for _ in self._wanted]
        greatest, sums = [0] * len(self._wanted), [0] * len(self._wanted)
        for row, stop in self._rows.groups():
            values = self._planes.read_next(row, stop)
            for plane, wanted in enumerate(self._wanted):
                self._on_roll[plane][row:stop] = solvers[plane](values[plane][:, columns])
                missed = self._miss(plane, values[plane], row)
                beyond = missed > wanted.greatest
                at, opponents = np.nonzero(beyond)
                self._counts[plane, row:stop] = np.bincount(at, minlength=stop - row)
                self._listed[plane].append(opponents.astype(np.uint16))
                self._values[plane].append(values[plane][at, opponents])
                missed[at, opponents] = 0
                greatest[plane] = max(greatest[plane], int(missed.max()))
                sums[plane] += int(missed.sum(dtype=np.int64))
            self._rows.report(stop)
        found = []
        for plane, wanted in enumerate(self._wanted):
            unit = 1 / (self._rows.scale * (2 if wanted.name == _WIN else 1))
            errors = greatest[plane] * unit, sums[plane] * unit / n**2
            found.append(PlaneError(wanted.name, self._opponent[plane].count, int(self._counts[plane].sum()), *errors))
        return tuple(found)

    def _miss(self, plane: int, values: npt.NDArray[np.int16], row: int) -> npt.NDArray[np.uint16]:
        """By how much products miss rows of a plane."""
        opponent = self._opponent[plane]
        missed = np.empty(values.shape, np.uint16)
        if opponent.count == 0:
            np.abs(values, out=missed, casting="unsafe")
            return missed
        planes = np.zeros((len(Plane), 3), np.int32)
        planes[0] = 0, opponent.count, opponent.shift
        factors = Factors(self._on_roll[plane], opponent.opponent, planes)
        for k in range(0, len(values), BLOCK_SIDE):
            part = slice(k, k + BLOCK_SIDE)
            factors.miss(0, values[part], row + k, self._wanted[plane].most, self._n_threads, missed[part])
        return missed

    def _choose(self, columns: npt.NDArray[np.int64]) -> list[PlaneFactors]:
        """Factors of opponents: as many as make the file the smallest, as some rows have it."""
        n, rows = self._n, sample_rows(self._n)
        tested = np.unique(np.arange(_TESTED) * n // _TESTED + n // (2 * _TESTED))
        sample, test = self._planes.read(rows), self._planes.read(tested)
        found = []
        for plane, wanted in enumerate(self._wanted):
            most = _MAX_CUBELESS if wanted.name in (_WIN, "cubeless") else max(_COUNTS)
            counts = [count for count in _COUNTS if count <= min(most, len(rows) // 2)]
            basis = leading_basis(sample[plane], max(counts, default=0), self._n_threads)
            best, least = PlaneFactors(np.zeros((n, 0), np.int16), 0), math.inf
            for count in counts:
                factors = opponent_factors(basis, count, _MULTIPLE, _MAX_SHIFT)
                size, mean = self._try(factors, test[plane], columns, wanted)
                if mean <= _MARGIN * wanted.mean and size < least:
                    best, least = factors, size
                elif math.isinf(least):  # the nearest to the mean that is wanted
                    best = factors
            found.append(best)
        return found

    def _try(
        self,
        factors: PlaneFactors,
        test: npt.NDArray[np.int16],
        columns: npt.NDArray[np.int64],
        wanted: _Wanted,
    ) -> tuple[float, float]:
        """Bytes that a plane would take with these factors, and the mean error in steps."""
        (solve,) = solvers_of([factors], columns, self._n_threads)
        on_roll = solve(test[:, columns]).astype(np.float64)
        products = rounded_products(on_roll @ factors.opponent.T.astype(np.float64), factors.shift, wanted.most)
        missed = np.abs(products - test)
        share = np.count_nonzero(missed > wanted.greatest) / missed.size
        return 4.0 * self._n * factors.count + 4.0 * share * self._n**2, float(missed.mean())

    def tables(self) -> dict[str, npt.NDArray[np.generic]]:
        """The pairs of the file, by the names of its tables."""
        counts = np.array([one.count for one in self._opponent])
        width = max(1, int(counts.sum()))
        planes = np.stack([np.cumsum(counts) - counts, counts, [one.shift for one in self._opponent]], axis=1)
        on_roll, opponent = np.zeros((self._n, width), np.int16), np.zeros((self._n, width), np.int16)
        for (first, count, _), mine, theirs in zip(planes.tolist(), self._on_roll, self._opponent, strict=True):
            on_roll[:, first : first + count] = mine
            opponent[:, first : first + count] = theirs.opponent
        starts = np.concatenate([[0], np.cumsum(self._counts.reshape(-1))])
        return {
            "small/planes": planes.astype(np.int32),
            "small/opponent": opponent,
            "small/on_roll": on_roll,
            "small/starts": starts.astype(np.uint32),
            "small/columns": np.concatenate([part for parts in self._listed for part in parts]),
            "small/values": np.concatenate([part for parts in self._values for part in parts]),
        }
