"""Pairs as products of factors, with a known greatest error."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, as_number
from bgrace._base.limits import Progress, checked_threads
from bgrace._kernels.packing import BLOCK_SIDE, Factors
from bgrace.board import HOME_POINTS
from bgrace.board.spaces import PositionSpace
from bgrace.database.packing import packer
from bgrace.database.store.format import APPROXIMATE_VERSION, PAIRS_TABLE
from bgrace.database.store.reader import StoredTables, read_tables
from bgrace.database.store.writer import GENERATOR, Writer
from bgrace.errors import ArgumentError
from bgrace.tables import GAMMON_CHECKERS, Plane, n_fewer_checkers

_TESTED: Final = 128  # rows that determine the number of factors
_COUNTS: Final = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160)
_MAX_CUBELESS: Final = 64  # factors of a plane without kinks
_MULTIPLE: Final = 8
_MAX_SHIFT: Final = 15  # so that sums of values up to somewhat more than 2^15 fit into 32 bits
_MARGIN: Final = 0.97  # share of the given mean error, so that the mean of all pairs does not exceed it
_WIN: Final = "win"

__all__ = ["ApproximateReport", "PlaneError"]


@dataclass(frozen=True, slots=True)
class PlaneError:
    """The errors of a plane of an approximate file, over all pairs of the table that it was made from.

    Attributes
    ----------
    plane : str
        ``"win"``, or the name of an equity.
    factors, exceptions : int
        Number of factors of a position, and of pairs that are stored as they are.
    greatest, mean : float
        Greatest and mean error: of the chance to win, or in points per unit of the cube.
    """

    plane: str
    factors: int
    exceptions: int
    greatest: float
    mean: float


@dataclass(frozen=True, slots=True)
class ApproximateReport(packer.PackReport):
    """The report of `pack_approximate`: a `PackReport` with the errors of the planes.

    Attributes
    ----------
    planes : tuple of PlaneError
    """

    planes: tuple[PlaneError, ...]


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
    """Make an approximate file from a database file: all pairs, with a known greatest error.

    Every pair is compared with the source; pairs for which products of factors have a larger error than allowed are
    stored as they are.  The file has the greatest errors found, and answers state them.  It has no tables of one side:
    they are solved again when they are needed.

    Parameters
    ----------
    source : path-like
        A file with a table of pairs on at most six points, plain, packed or an archive.
    target : path-like
        The file to make.
    error : float
        Greatest error of a chance to win, above 0 and up to 0.5.
    equity_error : float, optional
        Greatest error of an equity, the right to double included, in points per unit of the cube.  Without it the file
        has only chances to win, without a cube and without gammons.
    mean_equity_error : float, optional
        Upper limit of the mean error of each equity over all pairs, kept by more factors.
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
        If the file cannot be packed, an error is out of range, or the mean error is impossible.
    BuildError
        If the target exists and `force` is not given, or it cannot be written.
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
    packer.check_source(stored)
    wanted = _plane_specs(stored, error, equity_error, mean_equity_error)
    contents = stored.directory.contents
    contents = replace(contents, gammons=contents.gammons and len(wanted) > 1)
    with packer.target_of(stored, contents, target, 1 << 20, "a larger error (--error)", force) as new:
        approximation = _Approximation(packer.PairRows(stored, progress), wanted, checked_threads(threads))
        planes = approximation.find()
        if mean_equity_error is not None:
            _check_mean(stored, planes[: len(Plane)], cast(float, equity_error), mean_equity_error)
        win, equities = planes[-1], planes[: len(Plane)] if len(planes) > 1 else ()
        share = 1.0
        if len(planes) == len(Plane):
            win, share = planes[0], 0.5  # cubeless, which is twice the chance to win, less one
        attributes: dict[str, JSON] = {
            **packer.origin(stored, APPROXIMATE_VERSION),
            "packed_by": GENERATOR,
            "win_error": win.greatest * share,
            "mean_win_error": win.mean * share,
            # Theirs counts twice, as the equity after a double that is taken.
            "equity_error": max((e.greatest * (1 + (e.plane == "theirs")) for e in equities), default=2 * win.greatest),
            "mean_equity_error": max((e.mean for e in equities), default=2 * win.mean),
        }
        with Writer(new, contents, attributes=attributes) as writer:
            order = np.asarray(stored.tables["two_sided/order"])
            scale = stored.entry(PAIRS_TABLE).scale
            for name, table in {"two_sided/order": order, **approximation.tables()}.items():
                writer.add(name, table.shape, scale if name == "small/values" else 1.0)[...] = table
    done = packer.report_of(stored, new)
    return ApproximateReport(done.source_bytes, done.file_bytes, done.pairs, planes)


@dataclass(frozen=True, slots=True)
class _PlaneSpec:
    """A plane of an approximate file, with the allowed greatest and mean error of its values, in steps."""

    name: str
    greatest: int
    mean: float
    most: int


def _check_mean(
    stored: StoredTables, equities: tuple[PlaneError, ...], equity_error: float, mean_equity_error: float
) -> None:
    """Raise ArgumentError if a mean error is greater than allowed, even with the most factors."""
    worst = max(equities, key=lambda one: one.mean)
    if worst.mean > mean_equity_error:
        can_be_had = math.ceil(worst.mean * 1e6) / 1e6
        raise ArgumentError(
            f"mean_equity_error={mean_equity_error:g} cannot be had of {stored.path} with "
            f"equity_error={equity_error:g}: {can_be_had:g} can ({worst.plane}); give that, or "
            "less for the error of equities"
        )


def _plane_specs(
    stored: StoredTables, error: float, equity_error: float | None, mean_equity_error: float | None
) -> tuple[_PlaneSpec, ...]:
    if stored.directory.points > HOME_POINTS:
        raise ArgumentError(
            f"{stored.path} has {stored.directory.points} points: approximate files have up to {HOME_POINTS}"
        )
    for name, value, most in (
        ("error", error, 0.5),
        ("equity_error", equity_error, 2.0),
        ("mean_equity_error", mean_equity_error, 2.0),
    ):
        problem = f"{name}={value!r:.80} is not an error: give one over 0 and up to {most:g}, such as 0.002"
        if value is not None:
            as_number(value, problem, math.ulp(0.0), most)
    if mean_equity_error is not None and equity_error is None:
        raise ArgumentError("a mean error of equities needs a greatest error, too: without one there are no equities")
    gammons, scale = stored.directory.gammons, stored.entry(PAIRS_TABLE).scale
    win = _PlaneSpec(_WIN, math.floor(2 * error * scale), math.inf, int(scale))
    if equity_error is None:
        return (win,)
    mean = math.inf if mean_equity_error is None else mean_equity_error * scale
    most = int(scale) * (2 if gammons else 1)
    limits = {plane: math.floor(equity_error * scale / (1 + (plane == Plane.THEIRS))) for plane in Plane}
    if not gammons:
        limits[Plane.CUBELESS] = min(limits[Plane.CUBELESS], win.greatest)
    planes = tuple(_PlaneSpec(plane.name.lower(), limits[plane], mean, most) for plane in Plane)
    return (*planes, win) if gammons else planes


class _Planes:
    """Rows of pairs by plane, one of which is the chance to win."""

    def __init__(self, rows: packer.PairRows, names: tuple[str, ...]) -> None:
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
        listed = numbers.tolist()
        return self._by_plane(listed, (self._rows.table[row] for row in listed))

    def read_next(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Rows that follow those before: (planes, rows, n)."""
        return self._by_plane(range(row, stop), self._rows.read_next(row, stop))

    def _by_plane(self, numbers: Sequence[int], rows: Iterable[npt.NDArray[np.int16]]) -> npt.NDArray[np.int16]:
        found = np.empty((len(self._names), len(numbers), self._rows.n), np.int16)
        for k, (row, values) in enumerate(zip(numbers, rows, strict=True)):
            for plane, name in enumerate(self._names):
                found[plane, k] = self._wins(row, values) if name == _WIN else values[:, Plane[name.upper()]]
        return found

    def _wins(self, row: int, values: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """Cubeless equities of a row if gammons count once: see docs/file-format.md."""
        once: npt.NDArray[np.int16] = np.clip(values[:, Plane.CUBELESS], -self._scale, self._scale)
        if not self._listed:
            return once
        winning, losing = (np.asarray(self._rows.stored.tables[f"gammon/{kind}"]) for kind in ("winning", "losing"))
        column = int(self._column_of_rank[row])
        if column >= 0:
            opponents = np.nonzero(np.diff(self._losing_starts) > column)[0]
            once[opponents] = losing[self._losing_starts[opponents] + column, 0]
        first, past = self._winning_starts[row : row + 2].tolist()
        once[self._rank_of_column[: past - first]] = winning[first:past, 0]
        return once


class _Approximation:
    """Finds factors and exceptions."""

    def __init__(self, rows: packer.PairRows, wanted: tuple[_PlaneSpec, ...], n_threads: int) -> None:
        self._rows, self._wanted, self._n_threads = rows, wanted, n_threads
        self._planes = _Planes(rows, tuple(one.name for one in wanted))
        self._n = rows.n

    def find(self) -> tuple[PlaneError, ...]:
        """Find the factors, and compare every pair."""
        n, columns = self._n, packer.sample_rows(self._n, packer.COLUMNS)
        self._opponent = self._choose(columns)
        solvers = [packer.solver_of(one, columns, self._n_threads) for one in self._opponent]
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
        """Errors of the products in rows of a plane."""
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

    def _choose(self, columns: npt.NDArray[np.int64]) -> list[packer.PlaneFactors]:
        """Opponent factors; their number minimises the file size, estimated on a sample of rows."""
        n, rows = self._n, packer.sample_rows(self._n)
        tested = np.unique(np.arange(_TESTED) * n // _TESTED + n // (2 * _TESTED))
        sample, test = self._planes.read(rows), self._planes.read(tested)
        found = []
        for plane, wanted in enumerate(self._wanted):
            most = _MAX_CUBELESS if wanted.name in (_WIN, "cubeless") else max(_COUNTS)
            counts = [count for count in _COUNTS if count <= min(most, len(rows) // 2)]
            basis = packer.leading_basis(sample[plane], max(counts, default=0), self._n_threads)
            best, least = packer.PlaneFactors(np.zeros((n, 0), np.int16), 0), math.inf
            for count in counts:
                factors = packer.opponent_factors(basis, count, _MULTIPLE, _MAX_SHIFT)
                solve = packer.solver_of(factors, columns, self._n_threads)
                on_roll = solve(test[plane][:, columns]).astype(np.float64)
                sums = on_roll @ factors.opponent.T.astype(np.float64)
                missed = np.abs(rounded_products(sums, factors.shift, wanted.most) - test[plane])
                share = np.count_nonzero(missed > wanted.greatest) / missed.size
                mean = float(missed.mean())
                size = 4.0 * n * factors.count + 4.0 * share * n**2  # bytes of the plane
                if mean <= _MARGIN * wanted.mean and size < least:
                    best, least = factors, size
                elif math.isinf(least):  # the nearest to the allowed mean so far
                    best = factors
            found.append(best)
        return found

    def tables(self) -> dict[str, npt.NDArray[np.generic]]:
        """The pairs of the file, by the names of its tables."""
        planes = packer.planes_table(self._opponent)
        width = max(1, int(planes[:, 1].sum()))
        on_roll, opponent = np.zeros((self._n, width), np.int16), np.zeros((self._n, width), np.int16)
        for (first, count, _), mine, theirs in zip(planes.tolist(), self._on_roll, self._opponent, strict=True):
            on_roll[:, first : first + count] = mine
            opponent[:, first : first + count] = theirs.opponent
        starts = np.concatenate([[0], np.cumsum(self._counts.reshape(-1))])
        return {
            "small/planes": planes,
            "small/opponent": opponent,
            "small/on_roll": on_roll,
            "small/starts": starts.astype(np.uint32),
            "small/columns": np.concatenate([part for parts in self._listed for part in parts]),
            "small/values": np.concatenate([part for parts in self._values for part in parts]),
        }


def rounded_products(sums: npt.NDArray[np.float64], shift: int, most: float) -> npt.NDArray[np.float64]:
    """Values from sums of products of factors: modulo 2^32, divided by 2^shift, rounded, and within -most .. most.

    Sums are whole numbers that float64 holds exactly, so the result is exact too.

    Examples
    --------
    >>> rounded_products(np.array([5.0, 6.0, -6.0, 999.0]), 2, 20.0).tolist()
    [1.0, 2.0, -1.0, 20.0]
    """
    wrapped = sums - np.floor(np.ldexp(sums, -32) + 0.5) * 2.0**32
    return np.clip(np.floor(np.ldexp(wrapped, -shift) + 0.5), -most, most)
