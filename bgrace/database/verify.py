"""Check that a database file is whole, and that its values follow from each other.

Every table is compared with its checksum.  Then sampled values are computed again from the file's values of the
positions that each roll leads to.  A fixed part of the sample begins at finished games, whose values are known, so
tables for other rules are detected even if their values follow from each other.

A sample does not find all errors:

- a few wrong values among millions are found only by chance; `full` checks all values;
- if values follow from wrong ones of later positions, only the latter are found;
- entries that no query reads, those of finished games, are not checked;
- in an approximate file, errors of less than twice the stated error are not found.

Files with the published sums have no wrong values.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import comb
from pathlib import Path
from typing import Final

import numpy as np

from bgrace._base.arrays import JSON, Floats, Integers, ShortRepr, ToDict, as_integer, as_json, check_flags
from bgrace._base.limits import Progress, checked_threads
from bgrace._kernels.packing import BLOCK_SIDE
from bgrace.board import HOME_POINTS
from bgrace.board.dice import MEAN_PIPS, ROLLS, WEIGHTS
from bgrace.board.plays import results_of
from bgrace.board.spaces import PositionSpace
from bgrace.database.store.format import PAGES_TABLE, PAIRS_TABLE
from bgrace.database.store.reader import PackedPairs, StoredTables, blocks_a_side, pieces, read_tables
from bgrace.database.stored import Source
from bgrace.errors import FormatError
from bgrace.match.stakes import SEEN_BY_OTHER
from bgrace.tables import (
    CHANCE_SCALE,
    GAMMON_CHECKERS,
    MIN_CHANCE,
    PLANES,
    Plane,
    in_16_bits,
    n_fewer_checkers,
    one_sided_gammons,
    one_sided_win,
)

_FIXED_CHECKERS: Final = 2
"""Positions and pairs of at most this many checkers a side are all checked."""

_FIXED_GAMMONS: Final = 100
"""Number of pairs with a likely gammon that are always checked."""

_GAMMON_GRID: Final = 200
"""Number of positions of each side from which these pairs are chosen."""

_SAME_MEAN: Final = 1e-10
"""In rolls.  Means closer than this count as equal, and the result with the smaller index is chosen."""

_SUM_ERROR: Final = 1e-12
"""Allowed error of sums of a few dozen terms below 1 in float64: a thousand times their rounding."""

_ROW_MEAN: Final = 3e-4
"""In rolls.  Greatest error allowed for means of rows in 16 bits: three times the greatest that was found."""

_HALF_STEP: Final = 0.5 + 1e-6
_UNLISTED_STEP: Final = 1.0
"""Additional error in steps, for pairs in which a gammon is too unlikely to be listed."""

_AT_ONCE: Final = 1 << 18
"""Pairs that are looked up at a time."""

_FIRST_CHECKER: Final = "one_sided/first_checker_"
"""Tables that a file imported from GNU Backgammon may lack."""

_TICKS: Final = 1000

__all__ = ["Check", "VerificationReport", "verify"]


@dataclass(frozen=True, slots=True)
class Check(ToDict):
    """The result of one check.

    Attributes
    ----------
    name : str
        The condition that must hold.
    passed : bool
    detail : str
        The number of values compared and their agreement, or the first place where the condition fails.
    """

    name: str
    passed: bool
    detail: str

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.name}: {self.detail}"


@dataclass(frozen=True, slots=True, repr=False)
class VerificationReport(ShortRepr):
    """The result of a verification.

    Attributes
    ----------
    path : Path
    full : bool
        Whether all values were checked, and not a sample.
    seed, samples : int
        Seed and size of the sample.
    checks : tuple of Check
        The checks in order.
    published : bool or None
        Whether every table is the one that bgrace publishes, by SHA-256 sums in the package.  None if no table of this
        size is published, or a check failed.
    """

    path: Path
    full: bool
    seed: int
    samples: int
    checks: tuple[Check, ...]
    published: bool | None = None

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)

    def to_dict(self) -> dict[str, JSON]:
        """Attributes by name, as values of JSON."""
        names = ("passed", "full", "seed", "samples", "checks", "published")
        return {"path": str(self.path), **as_json(self, *names)}

    def __str__(self) -> str:
        how = "every value" if self.full else f"a sample of {self.samples}, seed {self.seed}"
        verdict = "passes" if self.passed else f"FAILS {len(self.failures)} of {len(self.checks)} checks"
        return "\n".join([f"{self.path} {verdict} ({how})", *map(str, self.checks)])


def verify(
    path: str | os.PathLike[str],
    full: bool = False,
    *,
    seed: int = 0,
    samples: int = 300,
    progress: Progress | None = None,
) -> VerificationReport:
    """Check the contents of a database file.

    Parameters
    ----------
    path : path-like
        A file that ``bgrace build`` or `bgrace.build` made.
    full : bool
        Whether to check every value instead of a sample; checksums cover everything in either case.
    seed : int
        Seed of the sample: the same seed checks the same values.
    samples : int
        Number of positions, and of pairs, that are checked in addition to the fixed part.
    progress : callable, optional
        Called from time to time with the work done and the work to do; may raise to stop.

    Returns
    -------
    VerificationReport

    Raises
    ------
    ArgumentError
        If `seed` or `samples` is not a whole number of 0 or more.
    FormatError
        If the file is not a bgrace database, is of a version that this bgrace does not know, or its head is damaged.
    OSError
        If it cannot be read.

    Notes
    -----
    One-sided values: Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.
    Two-sided: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4.

    Examples
    --------
    >>> import bgrace
    >>> report = verify(bgrace.example_file())
    >>> report.passed, len(report.failures)
    (True, 0)
    """
    check_flags(full=full)
    seed = as_integer(seed, f"seed={seed!r:.80} is not a seed: give a whole number of 0 or more", 0)
    samples = as_integer(samples, f"samples={samples!r:.80} cannot be looked at: give a whole number of 0 or more", 0)
    stored = read_tables(path)
    stored.read_attributes()  # FormatError if HDF5 contradicts the directory
    directory, checks = stored.directory, list[Check]()
    steps: list[tuple[str, Callable[[_Sample], str]]] = [("tables", _tables), ("checksums", _checksums)]
    if directory.packed:
        steps.append(("packed blocks", _blocks))
    if not directory.approximate:
        steps.append(("positions", lambda sample: _positions(sample, first_checker=False)))
        if any(name.startswith(_FIRST_CHECKER) for name in stored.tables):
            steps.append(("first checkers", lambda sample: _positions(sample, first_checker=True)))
    if directory.two_sided_checkers:
        steps.append(("pairs", _pairs))
    for k, (name, look) in enumerate(steps):
        if k > 1 and not checks[0].passed:
            break

        def tick(share: float, k: int = k) -> None:
            if progress is not None:
                progress(round((k + share) * _TICKS), len(steps) * _TICKS)

        # Damaged tables may have any values, infinities included; comparisons must then fail without a warning.
        with np.errstate(all="ignore"):
            try:
                checks.append(Check(name, True, look(_Sample(stored, full, samples, (seed, k), tick))))
            except FormatError as broken:
                checks.append(Check(name, False, str(broken)))
        tick(1.0)
    published = is_published(stored) if all(check.passed for check in checks) else None
    return VerificationReport(stored.path, bool(full), seed, samples, tuple(checks), published)


class _Sample:
    """The file, and the values that are checked."""

    def __init__(
        self, stored: StoredTables, full: bool, samples: int, seed: tuple[int, int], tick: Callable[[float], None]
    ) -> None:
        self.stored, self.full, self.samples, self.tick = stored, full, samples, tick
        self.rng: np.random.Generator = np.random.default_rng(seed)

    def each(self, items: Integers) -> Iterator[int]:
        """Yield the numbers, and report progress."""
        for k, item in enumerate(items.tolist()):
            if k % 64 == 0:
                self.tick(k / len(items))
                self.stored.release_pages()  # a table may be larger than memory
            yield item

    def chosen(self, start: int, stop: int) -> Integers:
        """Sorted numbers from `start` to `stop` - 1: all of them, or some."""
        if self.full or stop - start <= self.samples:
            return np.arange(start, stop)
        return np.sort(self.rng.choice(stop - start, self.samples, replace=False)) + start


# ---------------------------------------------------------------------- the file


def _tables(sample: _Sample) -> str:
    """Check that the tables have the shapes given by the head of the file, and can be opened."""
    stored = sample.stored
    directory, shapes = stored.directory, stored.directory.shapes
    if not (directory.packed or directory.approximate):
        may_lack = {name for name in shapes if name.startswith(_FIRST_CHECKER) and not directory.gammons}
        if stored.tables.keys() not in (shapes.keys(), shapes.keys() - may_lack):
            raise FormatError(f"there are tables {sorted(stored.tables)}; there should be {sorted(shapes)}")
        for name, table in stored.tables.items():
            found, shape = table.shape, shapes[name]
            if len(found) != len(shape) or any(m not in (None, k) for k, m in zip(found, shape, strict=True)):
                wanted = ", ".join("any" if m is None else str(m) for m in shape)
                raise FormatError(f"{name} has shape {found}; it should have ({wanted})")
    Source(stored)  # in which the C library compares two_sided/order with the right ranks
    if directory.gammons and not directory.approximate:
        _gammon_lists(stored)
    return f"{len(stored.entries)} tables of the right shapes"


def _gammon_lists(stored: StoredTables) -> None:
    """Check that rows of pairs with gammons follow each other, and that positions with 15 checkers have columns."""
    space = PositionSpace(stored.directory.points, stored.directory.two_sided_checkers)
    columns = np.sort(stored.tables["gammon/columns"])
    if not np.array_equal(columns, np.arange(len(space) - n_fewer_checkers(space, GAMMON_CHECKERS))):
        raise FormatError("gammon/columns does not have each column once")
    for kind in ("winning", "losing"):
        starts = np.asarray(stored.tables[f"gammon/{kind}_starts"])
        if starts[0] != 0 or np.diff(starts).min() < 0 or starts[-1] != len(stored.tables[f"gammon/{kind}"]):
            raise FormatError(f"the rows of gammon/{kind} do not follow each other to its end")


def _checksums(sample: _Sample) -> str:
    """Check the checksum of every table."""
    stored, entries = sample.stored, sample.stored.entries
    for k, entry in enumerate(entries):
        sample.tick(k / len(entries))
        crc = stored.checksum(entry.name)
        if crc != entry.crc32:
            raise FormatError(f"{entry.name} has CRC-32 {crc:08x}, the directory says {entry.crc32:08x}")
    if PAGES_TABLE in stored.tables:
        pages = np.asarray(stored.tables[PAGES_TABLE])
        found = np.fromiter(stored.page_checksums(), np.uint32, len(pages))
        if len(wrong := np.nonzero(found != pages)[0]):
            raise FormatError(f"page {wrong[0]} has CRC-32 {found[wrong[0]]:08x}, the file says {pages[wrong[0]]:08x}")
    return f"{sum(entry.n_bytes for entry in entries)} bytes of {len(entries)} tables"


def _blocks(sample: _Sample) -> str:
    """Check that every block of a packed table can be unpacked, and its checksum."""
    table, crc = sample.stored.tables[PAIRS_TABLE], 0
    assert isinstance(table, PackedPairs), "only a packed table has blocks"
    for row in range(0, len(table), BLOCK_SIDE):
        values = table.stripe(row, checked_threads())
        sample.tick(row / len(table))
        sample.stored.release_pages()
        crc = zlib.crc32(values.reshape(-1).view(np.uint8).data, crc)
    if crc != sample.stored.entry(PAIRS_TABLE).crc32:
        raise FormatError(f"the pairs unpacked have CRC-32 {crc:08x}, the file says they should have another")
    return f"{blocks_a_side(len(table)) ** 2} blocks unpacked, {table.nbytes} bytes of pairs"


# ---------------------------------------------------------------------- one side


def _positions(sample: _Sample, first_checker: bool) -> str:
    """Check that rows, means and variances follow from those of the best result of each roll.

    With `first_checker`, check those of the roll on which the first of 15 checkers comes off.  Their means are not
    stored, so a row is not compared if two results in 16 bits are too close to determine the better one.
    """
    source = Source(sample.stored)
    space, short = source.space, in_16_bits(source.space.points)
    start = n_fewer_checkers(space, GAMMON_CHECKERS) if first_checker else 1
    rows_of = source.first_checker_rolls if first_checker else source.rolls
    tie = _ROW_MEAN if first_checker and short else _SAME_MEAN

    def means_of(indices: Integers) -> Floats:
        if not first_checker:
            return source.moments("mean_rolls", indices)
        rows = rows_of(indices)
        return rows @ np.arange(rows.shape[1])

    if not first_checker and (source.mean_rolls(0) != 0 or rows_of(0)[0] != 1):
        raise FormatError("the empty board needs rolls")
    fixed = np.arange(start, min(len(space), comb(space.points + _FIXED_CHECKERS, space.points)))
    chosen = np.union1d(fixed, sample.chosen(start, len(space)))
    worst = 0.0
    for index in sample.each(chosen):
        name, best, certain = space.position(index), list[int](), True
        ends = [np.array(results_of(space, index, roll)[0]) for roll in ROLLS]
        means = np.split(means_of(np.concatenate(ends)), np.cumsum([len(of_roll) for of_roll in ends])[:-1])
        for of_roll, rolls in zip(ends, means, strict=True):
            close = of_roll[rolls <= rolls.min() + tie]
            certain &= tie == _SAME_MEAN or len(close) == 1 or bool((close < start).all())
            best.append(int(close[0]))
        own, rows = (np.atleast_2d(rows_of(np.array(k))) for k in (index, best))
        made = np.zeros(max(own.shape[1], rows.shape[1] + 1))
        made[1 : rows.shape[1] + 1] = np.average(rows, axis=0, weights=WEIGHTS)
        made[: own.shape[1]] -= own[0]
        of_best = means_of(np.array(best))
        mean = 1 + float(np.average(of_best, weights=WEIGHTS))
        allowed = _SUM_ERROR * mean**2
        off = [(mean - float(means_of(np.array([index]))[0]), tie)]
        if not first_checker:
            spread = source.moments("variance_rolls", np.array(best)) + (1 + of_best - mean) ** 2
            variance = float(np.average(spread, weights=WEIGHTS))
            off += [(variance - source.variance_rolls(index), allowed)]
            off += [(mean * MEAN_PIPS - source.epc(index), tie)]
        if certain:
            # In 16 bits, rows of the home board were rounded from exact rows, others computed from the stored ones.
            steps = 0.5 if name.highest > HOME_POINTS else 1.0
            off.append((float(np.abs(made.cumsum()).max()), steps / CHANCE_SCALE + allowed if short else allowed))
        for error, most in off:
            if not abs(error) <= most:
                raise FormatError(f"{name} differs by {error:.1e} from what its successors make it")
        worst = max(worst, *(abs(error) for error, _ in off))
    return f"{len(chosen)} of {len(space) - start} positions, within {worst:.1e}"


# ---------------------------------------------------------------------- two sides


class _Values:
    """The values of pairs that are checked: those of the four planes, and two more if gammons count.

    Attributes
    ----------
    names : list of str
    allowed : float64 ndarray
        Allowed error of each, in steps.
    """

    def __init__(self, source: Source, stored: StoredTables) -> None:
        self._source, self._errors = source, stored.directory.errors
        self._planes: tuple[int, ...] = source.planes
        self._scale = stored.entry(PAIRS_TABLE if self._errors is None else "small/values").scale
        self.names = [PLANES[plane] for plane in self._planes]
        self._jacoby = source.gammons and self._errors is None
        if source.gammons and source.cubeful:
            self.names += ["win", *(["Jacoby"] if self._jacoby else [])]
        self.allowed: Floats = np.full(len(self.names), _HALF_STEP)
        if self._errors is not None:
            # The error of the value itself and that of its successors; the error of a chance counts twice in an equity.
            win, equity = 4 * self._errors[0], 2 * self._errors[2]
            of_win = [name == "win" or (name == "cubeless" and not source.gammons) for name in self.names]
            self.allowed += self._scale * np.where(of_win or not source.cubeful, win, equity)
            if self._source.two_sided_checkers == GAMMON_CHECKERS:
                self.allowed += _UNLISTED_STEP

    def rolling(self, mine: Integers, theirs: Integers) -> Floats:
        """The values of rolling now, in steps; last axis: names."""
        return self._all(mine, theirs, self._planes, doubling=False)

    def moved(self, ends: Integers, theirs: Integers) -> Floats:
        """The values of having moved to `ends`, against opponents on roll."""
        values = -self._all(theirs, ends, [SEEN_BY_OTHER[plane] for plane in self._planes], doubling=True)
        over = ends == 0
        gammon = self._source.gammons & (theirs[over] >= n_fewer_checkers(self._source.space, GAMMON_CHECKERS))
        values[over] = self._scale
        values[over, : len(self._planes)] *= 1 + gammon[:, np.newaxis]
        return values

    def _all(self, on_roll: Integers, opponent: Integers, planes: Sequence[int], doubling: bool) -> Floats:
        columns = list(self._source.value_arrays(on_roll, opponent, planes, False, doubling))
        if "win" in self.names:
            columns.append(2 * self._source.wins(on_roll, opponent) - 1)
        if self._jacoby:
            columns += self._source.value_arrays(on_roll, opponent, (Plane.CENTERED,), True, doubling)
        return np.stack(columns, axis=-1) * self._scale

    def complaint(self, mine: int, theirs: int, stored: Floats, expected: Floats) -> str | None:
        """Name the first value of a pair that does not follow from its successors; None if all do."""
        for k, name in enumerate(self.names):
            unlisted = k >= len(self._planes) and not self._is_listed(mine, theirs)
            if not abs(stored[k] - expected[k]) <= self.allowed[k] + unlisted * _UNLISTED_STEP:
                pair = " on roll against ".join(str(self._source.space.position(side)) for side in (mine, theirs))
                return f"{pair}: {name} is {stored[k]:.2f} steps, its successors make it {expected[k]:.2f}"
        return None

    def _is_listed(self, mine: int, theirs: int) -> bool:
        """Whether a gammon is likely enough for the pair to be listed."""
        source, fewer = self._source, n_fewer_checkers(self._source.space, GAMMON_CHECKERS)
        firsts = [source.first_checker_rolls(side) if side >= fewer else None for side in (mine, theirs)]
        won, lost = one_sided_gammons(source.rolls_of_one(mine), source.rolls_of_one(theirs), *firsts)
        return won > MIN_CHANCE or (lost > MIN_CHANCE and firsts[1] is None)


def _pairs(sample: _Sample) -> str:
    """Check that values follow from those of the pairs that each roll leads to."""
    source = Source(sample.stored)
    values, space, n, looked_at, worst = _Values(source, sample.stored), source.space, source.n_pairs, 0, 0.0
    groups = _groups(sample, source)
    for k in sample.each(np.arange(len(groups))):
        mine, opponents = groups[k]
        ends = [results_of(space, mine, roll)[0] for roll in ROLLS]
        flat, starts = np.concatenate(ends), np.cumsum([0, *map(len, ends[:-1])])
        for part in np.array_split(opponents, -(-len(opponents) * len(flat) // _AT_ONCE)):
            moved = values.moved(np.tile(flat, len(part)), np.repeat(part, len(flat)))
            best = np.maximum.reduceat(moved.reshape(len(part), len(flat), -1), starts, axis=1)
            made = np.tensordot(best, np.array(WEIGHTS), axes=(1, 0)) / 36
            stored = values.rolling(np.full(len(part), mine), part)
            off = np.abs(stored - made)
            for row in np.flatnonzero(~(off <= values.allowed).all(axis=1)).tolist():
                complaint = values.complaint(mine, int(part[row]), stored[row], made[row])
                if complaint is not None:
                    raise FormatError(complaint)
            looked_at, worst = looked_at + len(part), max(worst, float(off.max()))
    return f"{looked_at} of {(n - 1) ** 2} pairs, within {worst:.2f} steps"


def _groups(sample: _Sample, source: Source) -> list[tuple[int, Integers]]:
    """The pairs to check: positions on roll, each with its opponents."""
    n, some = source.n_pairs, sample.samples
    few = min(n, comb(source.space.points + _FIXED_CHECKERS, source.space.points))
    if sample.full or (n - 1) ** 2 <= some:
        return [(mine, np.arange(1, n)) for mine in range(1, n)]
    groups = [(mine, np.arange(1, few)) for mine in range(1, few)]
    if source.gammons:
        groups += [(mine, np.array([theirs])) for mine, theirs in _gammon_pairs(source)]
    drawn = sample.rng.integers(1, n, (some, 2))
    return groups + [(mine, np.array([theirs])) for mine, theirs in drawn.tolist()]


def _gammon_pairs(source: Source) -> list[tuple[int, int]]:
    """Pairs whose values depend on whether gammons count once: neither the win nor the gammon is certain."""
    n, fewer = source.n_pairs, n_fewer_checkers(source.space, GAMMON_CHECKERS)
    full = np.unique(np.linspace(fewer, n - 1, _GAMMON_GRID).astype(np.int64))
    other = np.unique(np.linspace(1, fewer - 1, _GAMMON_GRID).astype(np.int64))
    first, last = source.first_checker_rolls(full), source.rolls(full)
    rolls = source.rolls(other)[:, np.newaxis]
    winning = np.minimum(one_sided_win(rolls, first), 2 - 2 * one_sided_win(rolls, last))
    losing = np.minimum(1 - one_sided_win(first, rolls), 2 * one_sided_win(last, rolls))
    pairs = []
    for effect, swapped in ((winning, False), (losing, True)):
        for at in np.argsort(-effect, axis=None, kind="stable")[: _FIXED_GAMMONS // 2].tolist():
            pair = int(other[at // len(full)]), int(full[at % len(full)])
            pairs.append(pair[::-1] if swapped else pair)
    return pairs


_GROUPS: Final = ("one_sided/", "two_sided/", "gammon/")
"""Groups of tables that plain, packed and compressed files share."""


def table_key(stored: StoredTables, name: str) -> str:
    """The key of a table: points, checkers a side, whether gammons count in pairs, and its name."""
    directory = stored.directory
    if name.startswith("one_sided/"):
        return f"{directory.points} points, {directory.checkers} checkers: {name}"
    gammons = ", gammons" if directory.gammons else ""
    return f"{directory.points} points, {directory.two_sided_checkers} checkers a side{gammons}: {name}"


def table_sum(stored: StoredTables, name: str) -> str:
    """SHA-256, in hexadecimal digits, of the scale as float64 and of the elements as in a plain file."""
    table = stored.tables[name]
    digest = hashlib.sha256(np.float64(stored.entry(name).scale).astype("<f8").tobytes())
    for rows in pieces(table):
        piece = np.asarray(table[rows])
        digest.update(np.ascontiguousarray(piece, piece.dtype.newbyteorder("<")).tobytes())
        stored.release_pages()
    return digest.hexdigest()


def table_sums(stored: StoredTables) -> dict[str, str]:
    """The sum of each table that has elements of its own, by its key."""
    return {table_key(stored, name): table_sum(stored, name) for name in stored.tables if name.startswith(_GROUPS)}


@cache
def published_sums() -> dict[str, str]:
    """Checksums that `scripts/make_release.py` wrote, by key."""
    sums: dict[str, str] = json.loads(files("bgrace.database").joinpath("sums.json").read_text(encoding="utf-8"))
    return sums


def is_published(stored: StoredTables) -> bool | None:
    """Whether every table has the published sum; None if one has no published sum, and no other differs."""
    if stored.directory.approximate:
        return None
    known = published_sums()
    names = [name for name in stored.tables if name.startswith(_GROUPS)]
    listed = [name for name in names if table_key(stored, name) in known]
    if not all(table_sum(stored, name) == known[table_key(stored, name)] for name in listed):
        return False
    return True if len(listed) == len(names) else None
