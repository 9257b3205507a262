"""Whether a database file is right: checksums, invariants, and entries worked out a second time.

The plays, the numbering and the recurrences are written here once more, in plain Python and from the rules, so that
nothing of what computed the tables vouches for them.  Vectorised numpy compares whole tables; plain Python recomputes
entries from the entries that they depend on, which by induction from the empty board proves a table if it is done for
all of them.

What is exact is compared exactly.  Every two-sided value is the mean of 36 stored values, rounded once, so it must be
equal to the step; rounding keeps order, so the order of the four planes must hold to the step as well.  What is only
known to hold for exact values has a tolerance in steps, and what is summed in floating point has one in units of the
last place, stated with each check.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace.errors import VerificationError
from bgrace.match_verify import match_checks
from bgrace.store import StoredTables, is_match_file, read_match_file, read_tables

__all__ = ["Check", "VerificationReport", "verify"]

Counts: TypeAlias = tuple[int, ...]
Floats: TypeAlias = npt.NDArray[np.float64]
Steps: TypeAlias = npt.NDArray[np.int32]
Progress: TypeAlias = Callable[[int, int], None]

_MEAN_PIPS: Final = 49 / 6
_ROLLS: Final = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
_WEIGHTS: Final = tuple(1 if a == b else 2 for a, b in _ROLLS)
_HOME_POINTS: Final = 6
_GAMMON_CHECKERS: Final = 15

_CUBELESS, _MINE, _CENTERED, _THEIRS = range(4)

_TIE: Final = 1e-10
"""Rolls.  Means closer than this are equal, and the result with the smaller index is chosen."""

_SUM_ERROR: Final = 1e-12
"""For sums of a few dozen terms below 1 in float64: a thousand times what rounding does to them."""

_ORDER_STEPS: Final = 2
"""For what holds of exact values but was not proved for rounded ones; no table that was tried needs more than 1."""

_SOLVED_STEPS: Final = 4
"""Stored against float64.  Half a step a turn at most; pairs of this size were never found off by more than 1.9."""

_PAIRS_AT_A_TIME: Final = 1 << 20
_SAMPLED_PAIRS: Final = 1 << 22
_ROWS_AT_A_TIME: Final = 1 << 14
_SAMPLED_PIECES: Final = 40
_FULL_BYTES: Final = 1 << 27

_CHANCE_SCALE: Final = 65535
_PACKED_MEAN: Final = 3e-4
_PACKED_VARIANCE: Final = 3e-3
"""Moments of packed rows against those of exact ones: three times the most that was found (docs/race-tables.md)."""

_SMALL_PAIRS: Final = 10
_SMALL_PRODUCT: Final = 3000
"""How many pairs are solved to the bottom, and the most that the ranks of such a pair may multiply to."""

_TICKS: Final = 100

_GAMMONS_AT_A_TIME: Final = 1 << 10
_GAMMON_KINDS: Final = ("winning", "losing")
_OUTSIDE_STEPS: Final = 1
"""For pairs whose values are taken from the planes with gammons: a chance of 1e-5 is a sixth of a step."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
        What must hold.
    passed : bool
    detail : str
        How much was compared and how well it agreed, or the first place where it doesn't.
    """

    name: str
    passed: bool
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """Every attribute under its name, as JSON would have it."""
        return {"name": self.name, "passed": self.passed, "detail": self.detail}

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.name}: {self.detail}"


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """What a verification found.

    Attributes
    ----------
    path : Path
    full : bool
        Whether everything was recomputed, not a sample.
    seed, samples : int
        Which sample, and how large.
    checks : tuple of Check
        In the order in which they were made.
    """

    path: Path
    full: bool
    seed: int
    samples: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that didn't pass."""
        return tuple(check for check in self.checks if not check.passed)

    def raise_if_failed(self) -> None:
        """Do nothing if every check passed.

        Raises
        ------
        VerificationError
            Otherwise; the message names every check that failed.
        """
        if not self.passed:
            found = "; ".join(f"{check.name}: {check.detail}" for check in self.failures)
            raise VerificationError(f"{self.path} is wrong: {found}; build it again")

    def to_dict(self) -> dict[str, Any]:
        """Every attribute under its name, as JSON would have it."""
        return {
            "path": str(self.path),
            "passed": self.passed,
            "full": self.full,
            "seed": self.seed,
            "samples": self.samples,
            "checks": [check.to_dict() for check in self.checks],
        }

    def __str__(self) -> str:
        how = "everything" if self.full else f"a sample of {self.samples}, seed {self.seed}"
        verdict = "passes" if self.passed else f"FAILS {len(self.failures)} of {len(self.checks)} checks"
        return "\n".join([f"{self.path} {verdict} ({how} recomputed)", *map(str, self.checks)])


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
        Recompute every entry, and look at every pair for the invariants.  Otherwise a sample is recomputed, and large
        two-sided tables are looked at in a sample of rows.  Checksums cover everything in either case.
    seed : int
        Of the sample: the same seed looks at the same entries.
    samples : int
        How many positions, and how many pairs, are recomputed unless `full`.
    progress : callable, optional
        Called now and then with the work done and the work to do; may raise to stop.

    Returns
    -------
    VerificationReport

    Raises
    ------
    FormatError
        If the file is no bgrace database, is of a version that this bgrace does not know, or its head is damaged.
    OSError
        If it cannot be read.

    Notes
    -----
    One-sided values: Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.
    Two-sided: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4.

    Examples
    --------
    >>> report = verify("data/small.h5")
    >>> report.passed, len(report.failures)
    (True, 0)
    """
    if is_match_file(path):
        match = read_match_file(path)
        rules = _Rules(match.attributes["points"], match.attributes["checkers"])
        found = match_checks(match, rules, full, seed=seed, samples=samples, progress=progress)
        return VerificationReport(match.path, full, seed, samples, tuple(Check(*each) for each in found))
    stored = read_tables(path)
    job = _Job(stored, full, seed, samples)
    steps: list[_Step] = [("tables", _check_layout), ("checksums", _check_checksums)]
    if not _layout_complaint(stored):
        packed = _is_packed(stored)
        steps += _PACKED if packed else _ONE_SIDED
        if stored.directory.checkers == _GAMMON_CHECKERS:
            steps += _PACKED_FIRST_CHECKER if packed else _FIRST_CHECKER
        if stored.directory.two_sided_checkers:
            steps += _TWO_SIDED
        if stored.directory.gammons:
            steps += _GAMMONS
    checks = []
    for k, (name, look) in enumerate(steps):

        def tick(share: float, k: int = k) -> None:
            if progress is not None:
                progress(round((k + share) * _TICKS), len(steps) * _TICKS)

        job.begin(k, tick)
        # Damaged tables may hold anything, infinities included; comparisons must then fail without a warning.
        with np.errstate(all="ignore"):
            try:
                checks.append(Check(name, True, look(job)))
            except _BrokenError as broken:
                checks.append(Check(name, False, str(broken)))
        tick(1.0)
    return VerificationReport(stored.path, full, seed, samples, tuple(checks))


class _BrokenError(Exception):
    """A check that fails, with where and how."""


def _first_false(good: npt.NDArray[np.bool_]) -> tuple[int, ...] | None:
    """Return where the first false stands, or None.  NaN compares false with everything, so it is found too."""
    if good.all():
        return None
    return tuple(int(k) for k in np.unravel_index(int(np.argmin(good)), good.shape))


# ---------------------------------------------------------------------- the rules, once more


class _Rules:
    """Positions of a space, their numbers and plays, in plain Python."""

    def __init__(self, points: int, checkers: int) -> None:
        self.points = points
        self.checkers = checkers
        self.size = comb(points + checkers, points)
        # By point: C(t + m - 1, m) for t = 0, 1, ... checkers on the point or beyond, m points from there on.
        self._binomials = [
            np.array([comb(t + m - 1, m) for t in range(checkers + 1)], dtype=np.int64) for m in range(points, 0, -1)
        ]
        # Bounded, because a space may have more positions than there is memory for this.
        self.one_die = lru_cache(maxsize=1 << 20)(self._one_die)
        self.two_dice = lru_cache(maxsize=1 << 18)(self._two_dice)
        self.counts = lru_cache(maxsize=1 << 18)(self._counts)

    def index(self, counts: Counts) -> int:
        """Sum over points j of C(t_j + p - j, p - j + 1), t_j the checkers on point j or beyond."""
        above, index = 0, 0
        for j in range(self.points, 0, -1):
            above += counts[j - 1]
            index += comb(above + self.points - j, self.points - j + 1)
        return index

    def _counts(self, index: int) -> Counts:
        """Invert `index`: point by point the greatest t_j whose binomial fits."""
        sums, most = [], self.checkers
        for m in range(self.points, 0, -1):
            while comb(most + m - 1, m) > index:
                most -= 1
            index -= comb(most + m - 1, m)
            sums.append(most)
        return tuple(t - beyond for t, beyond in zip(sums, [*sums[1:], 0], strict=True))

    def _one_die(self, index: int, die: int) -> tuple[int, ...]:
        """Every result of one die; of the empty board, itself."""
        counts = self.counts(index)
        if not any(counts):
            return (index,)
        highest = max(point for point, count in enumerate(counts, 1) if count)
        results = []
        for point, count in enumerate(counts, 1):
            moves_down = point > die
            # Off only when all are home: with the exact die, or from the highest point with a larger one.
            bears_off = highest <= _HOME_POINTS and (point == die or (point < die and point == highest))
            if count and (moves_down or bears_off):
                result = list(counts)
                result[point - 1] -= 1
                if moves_down:
                    result[point - die - 1] += 1
                results.append(self.index(tuple(result)))
        return tuple(results)

    def _two_dice(self, index: int, first: int, second: int) -> frozenset[int]:
        return frozenset(end for middle in self.one_die(index, first) for end in self.one_die(middle, second))

    def results(self, index: int, roll: tuple[int, int]) -> frozenset[int]:
        """Every result of a roll, by index.  A die is left over only on the empty board."""
        a, b = roll
        if a != b:
            return self.two_dice(index, a, b) | self.two_dice(index, b, a)
        return frozenset(end for middle in self.two_dice(index, a, a) for end in self.two_dice(middle, a, a))

    def counts_of(self, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Find the counts of many indices at once: int64, shape (n, points)."""
        left = np.array(indices, dtype=np.int64)
        counts = np.empty((len(left), self.points), dtype=np.int64)
        for j, binomials in enumerate(self._binomials):
            counts[:, j] = np.searchsorted(binomials, left, side="right") - 1
            left -= binomials[counts[:, j]]
        counts[:, :-1] -= counts[:, 1:]
        return counts

    def index_of(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Find the indices of many counts at once: int64, shape (n,)."""
        above = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
        indices = np.zeros(len(counts), dtype=np.int64)
        for j, binomials in enumerate(self._binomials):
            indices += binomials[above[:, j]]
        return indices

    def name(self, index: int) -> str:
        """Write counts in brackets, for messages."""
        return "(" + ",".join(map(str, self.counts(int(index)))) + ")"


class _Job:
    """What the checks look at, and how."""

    def __init__(self, stored: StoredTables, full: bool, seed: int, samples: int) -> None:
        directory = stored.directory
        self.stored = stored
        self.full = full
        self.samples = samples
        self.rules = _Rules(directory.points, directory.checkers)
        self.rng = np.random.default_rng(seed)
        self.tick: Callable[[float], None] = lambda share: None
        self._seed = seed
        self._order: npt.NDArray[np.int64] | None = None
        self._rank: npt.NDArray[np.int64] | None = None

    def begin(self, number: int, tick: Callable[[float], None]) -> None:
        """Start a check with random numbers of its own, so that one more check leaves the samples of others alone."""
        self.rng = np.random.default_rng([self._seed, number])
        self.tick = tick

    def table(self, name: str) -> Any:  # an array, or what of an archive is indexed like one
        return self.stored.tables[name]

    def each(self, items: Any) -> Iterator[Any]:
        """Go through items, telling how far it is."""
        for k, item in enumerate(items):
            if k % 64 == 0:
                self.tick(k / len(items))
                self.stored.let_go()  # a table may be larger than memory
            yield item

    def chosen(self, start: int, stop: int) -> npt.NDArray[np.int64]:
        """Sorted numbers from `start` to `stop` - 1: all of them, or the sample."""
        if self.full or stop - start <= self.samples:
            return np.arange(start, stop)
        return np.sort(self.rng.choice(stop - start, self.samples, replace=False)) + start

    @property
    def order(self) -> npt.NDArray[np.int64]:
        """What the table of that name should hold."""
        if self._order is None:
            n = comb(self.rules.points + self.stored.directory.two_sided_checkers, self.rules.points)
            self._order = np.argsort(_pips(self.rules.counts_of(np.arange(n))), kind="stable")
        return self._order

    @property
    def rank(self) -> npt.NDArray[np.int64]:
        """The inverse of `order`."""
        if self._rank is None:
            self._rank = np.empty_like(self.order)
            self._rank[self.order] = np.arange(len(self.order))
        return self._rank

    @property
    def scale(self) -> int:
        """Steps per unit of equity."""
        return int(self.stored.entry("two_sided/equities").scale)

    def at_stake(self) -> npt.NDArray[np.int64]:
        """By rank: what is lost, in steps, by whoever has not finished."""
        counts = self.rules.counts_of(self.order).sum(axis=1)
        gammon = self.stored.directory.gammons & (counts == _GAMMON_CHECKERS)
        return self.scale * np.where(gammon, 2, 1)

    def parts(self, n: int) -> list[slice]:
        """Pieces of a table of `n` rows: all of them, or, of a large table, the first, the last and a sample."""
        pieces = _pieces(n, _ROWS_AT_A_TIME)
        if self.full or len(pieces) <= _SAMPLED_PIECES:
            return pieces
        wanted = np.sort(self.rng.choice(len(pieces) - 2, _SAMPLED_PIECES - 2, replace=False)) + 1
        return [pieces[0], *(pieces[k] for k in wanted), pieces[-1]]

    def rows(self, n: int) -> npt.NDArray[np.int64]:
        """Ranks whose rows are looked at: all but that of the empty board, or a sample if the table is large."""
        wanted = n - 1 if self.full else min(n - 1, max(64, _SAMPLED_PAIRS // n))
        return np.sort(self.rng.choice(n - 1, wanted, replace=False)) + 1


def _pips(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    pips: npt.NDArray[np.int64] = counts @ np.arange(1, counts.shape[1] + 1)
    return pips


def _pieces(n: int, size: int) -> list[slice]:
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


_Step: TypeAlias = tuple[str, Callable[[_Job], str]]
"""What must hold, and the function that looks: it says how well it holds, or raises _BrokenError."""


# ---------------------------------------------------------------------- the file


def _is_packed(stored: StoredTables) -> bool:
    """Whether distributions are in 16 bits: so they are on more than six points."""
    return stored.directory.points > _HOME_POINTS


def _shapes(stored: StoredTables) -> dict[str, tuple[int | None, ...]]:
    """Which tables there should be, and their shapes; None for lengths that may be any."""
    directory = stored.directory
    points, checkers, two_sided = directory.points, directory.checkers, directory.two_sided_checkers
    n, pairs = comb(points + checkers, points), comb(points + two_sided, points)
    full_rows = n - comb(points + checkers - 1, points)
    shapes: dict[str, tuple[int | None, ...]] = {"one_sided/mean_rolls": (n,), "one_sided/variance_rolls": (n,)}
    if _is_packed(stored):
        shapes |= {"one_sided/first_roll": (n,), "one_sided/roll_chances": (n, None)}
        if checkers == _GAMMON_CHECKERS:
            shapes["one_sided/first_checker_first_roll"] = (full_rows,)
            shapes["one_sided/first_checker_chances"] = (full_rows, None)
    else:
        shapes |= {"one_sided/epc": (n,), "one_sided/roll_distribution": (n, None)}
        if checkers == _GAMMON_CHECKERS:
            shapes["one_sided/first_checker_distribution"] = (full_rows, None)
    if two_sided:
        shapes["two_sided/order"] = (pairs,)
        shapes["two_sided/equities"] = (pairs, pairs, 4)
    if directory.gammons:
        shapes["gammon/columns"] = (full_rows,)
        for kind in _GAMMON_KINDS:
            shapes[f"gammon/{kind}_starts"] = (pairs + 1,)
            shapes[f"gammon/{kind}"] = (None, 2)
    return shapes


def _layout_complaint(stored: StoredTables) -> str:
    """Say what is wrong with the tables' names, shapes and scale, or nothing."""
    tables, shapes = stored.tables, _shapes(stored)
    if tables.keys() != shapes.keys():
        return f"there are tables {sorted(tables)}; there should be {sorted(shapes)}"
    for name, shape in shapes.items():
        found = tables[name].shape
        if len(found) != len(shape) or any(m is not None and m != k for k, m in zip(found, shape, strict=True)):
            return f"{name} has shape {found}; its rows should be {shape[0]}"
    for name in ("one_sided/roll_chances", "one_sided/first_checker_chances"):
        if name in tables and stored.entry(name).scale != _CHANCE_SCALE:
            return f"{name} has {stored.entry(name).scale:g} steps to certainty: it should have {_CHANCE_SCALE}"
    return _scale_complaint(stored) if "two_sided/equities" in tables else ""


def _scale_complaint(stored: StoredTables) -> str:
    scale = stored.entry("two_sided/equities").scale
    most = 16383 if stored.directory.gammons else 32767
    if not (2 <= scale <= most and scale % 2 == 0):
        return f"{scale:g} steps per unit of equity: it should be even, 2 to {most}"
    for kind in _GAMMON_KINDS:
        if f"gammon/{kind}" in stored.tables and stored.entry(f"gammon/{kind}").scale != scale:
            return f"gammon/{kind} has other steps per unit of equity than two_sided/equities"
    return ""


def _check_layout(job: _Job) -> str:
    complaint = _layout_complaint(job.stored)
    if complaint:
        raise _BrokenError(complaint)
    return f"{len(job.stored.tables)} tables of the right shapes"


def _check_checksums(job: _Job) -> str:
    entries = job.stored.entries
    for entry in job.each(entries):
        crc = job.stored.checksum(entry.name)
        if crc != entry.crc32:
            raise _BrokenError(f"{entry.name} has CRC-32 {crc:08x}, the directory says {entry.crc32:08x}")
    return f"{sum(entry.n_bytes for entry in entries)} bytes of {len(entries)} tables"


# ---------------------------------------------------------------------- one side


def _check_distributions(job: _Job) -> str:
    return _distribution_rows(job, "one_sided/roll_distribution", 0)


def _distribution_rows(job: _Job, name: str, first_index: int) -> str:
    """Rows of chances: not negative, summing to one, nothing on zero rolls unless the board is empty."""
    table, worst = job.table(name), 0.0
    for part in job.each(_pieces(len(table), _ROWS_AT_A_TIME)):
        rows = table[part]
        start = first_index + part.start

        def place(at: tuple[int, ...], start: int = start) -> str:
            return f"{name} of {job.rules.name(start + at[0])}"

        if (at := _first_false(rows >= 0)) is not None:
            raise _BrokenError(f"{place(at)} is not a chance at {at[1]} rolls")
        off = np.abs(rows.sum(axis=1) - 1)
        if (at := _first_false(off <= _SUM_ERROR)) is not None:
            raise _BrokenError(f"{place(at)} sums to 1 only within {off[at]:.1e}")
        on_zero = (np.arange(start, start + len(rows)) == 0).astype(np.float64)
        if (at := _first_false(rows[:, 0] == on_zero)) is not None:
            raise _BrokenError(f"{place(at)} has a chance of {rows[at[0], 0]} of no roll at all")
        worst = max(worst, float(off.max()))
    return f"{len(table)} rows, sums within {worst:.1e} of 1"


def _check_moments(job: _Job) -> str:
    """Mean and variance are those of the distribution, and the EPC is the mean in pips and no less than the pips."""
    distribution, epc = job.table("one_sided/roll_distribution"), job.table("one_sided/epc")
    means, variances = job.table("one_sided/mean_rolls"), job.table("one_sided/variance_rolls")
    rolls = np.arange(distribution.shape[1])
    # Rounding in a sum of products grows with the largest factor, here the square of the number of rolls.
    tolerance = _SUM_ERROR * max(1, len(rolls)) ** 2
    worst = 0.0
    for part in job.each(_pieces(len(means), _ROWS_AT_A_TIME)):
        rows, start = distribution[part], part.start
        mean = rows @ rolls
        variance = (rows * (rolls - mean[:, np.newaxis]) ** 2).sum(axis=1)
        pips = _pips(job.rules.counts_of(np.arange(part.start, part.stop)))
        for what, stored, computed in (
            ("mean_rolls", means[part], mean),
            ("variance_rolls", variances[part], variance),
            ("epc", epc[part], means[part] * _MEAN_PIPS),
        ):
            off = np.abs(stored - computed)
            if (at := _first_false(off <= tolerance)) is not None:
                raise _BrokenError(
                    f"{what} of {job.rules.name(start + at[0])} is {stored[at]}; the stored rows make it {computed[at]}"
                )
            worst = max(worst, float(off.max()))
        if (at := _first_false(epc[part] >= pips - tolerance)) is not None:
            raise _BrokenError(f"EPC of {job.rules.name(start + at[0])} is {epc[start + at[0]]}, less than its pips")
    return f"{len(means)} positions, within {worst:.1e}"


def _check_ace_point(job: _Job) -> str:
    """Checkers on the ace point alone: the mean number of rolls solves a recurrence with two roots, 1 and -1/6."""
    rules, means = job.rules, job.table("one_sided/mean_rolls")
    worst = 0.0
    for n in range(1, rules.checkers + 1):
        index = rules.index((n,) + (0,) * (rules.points - 1))
        pairs = (n + 1) // 2
        expected = 7 * pairs + 1 - (-1 / 6) ** pairs
        epc = float(means[index]) * _MEAN_PIPS
        off = abs(epc - expected)
        if not off <= 1e-10:
            raise _BrokenError(f"EPC of {n} checkers on the ace point is {epc}; the closed form says {expected}")
        worst = max(worst, off)
    return f"1 to {rules.checkers} checkers, within {worst:.1e} pips of the closed form"


def _check_one_sided_entries(job: _Job) -> str:
    means, distribution = job.table("one_sided/mean_rolls"), job.table("one_sided/roll_distribution")
    return _recompute(job, "one_sided/roll_distribution", distribution, means, first_index=0, finished=1)


def _recompute(job: _Job, name: str, table: Floats, means: Floats, *, first_index: int, finished: int) -> str:
    """Make rows again from the rows of the best results.

    Row 0 of `table` and of `means` belongs to `first_index`; positions below `finished` need no roll.
    """
    rules = job.rules
    done = np.arange(table.shape[1]) == 0
    indices = job.chosen(max(finished, first_index), first_index + len(table))
    worst = 0.0
    for index in job.each(indices.tolist()):
        mean, row = 0.0, np.zeros(table.shape[1])
        for roll, weight in zip(_ROLLS, _WEIGHTS, strict=True):
            ends = rules.results(index, roll)
            worth = {end: 0.0 if end < finished else float(means[end - first_index]) for end in ends}
            least = min(worth.values())
            best = min((end for end, rolls in worth.items() if rolls <= least + _TIE), default=0)
            mean += weight * worth[best]
            row[1:] += weight * (done if best < finished else table[best - first_index])[:-1]
        mean, row = 1 + mean / 36, row / 36
        off = np.append(row - table[index - first_index], mean - means[index - first_index])
        largest = float(np.abs(off).max())
        if not largest <= _SUM_ERROR * max(1.0, mean):
            raise _BrokenError(f"{name} of {rules.name(index)} differs from its successors' by {largest:.1e}")
        worst = max(worst, largest)
    return f"{len(indices)} of {len(table)} positions, within {worst:.1e}"


def _check_removal(job: _Job) -> str:
    """Compare EPCs: one checker fewer never raises it, though a checker moved nearer home may."""
    rules, means = job.rules, job.table("one_sided/mean_rolls")
    n_compared = 0
    for part in job.each(job.parts(rules.size)):
        counts = rules.counts_of(np.arange(part.start, part.stop))
        for point in range(rules.points):
            there = np.flatnonzero(counts[:, point])
            fewer = counts[there]
            fewer[:, point] -= 1
            less = means[rules.index_of(fewer)]
            if (at := _first_false(less <= means[there + part.start] + _TIE)) is not None:
                raise _BrokenError(
                    f"{rules.name(part.start + there[at[0]])} needs fewer rolls than without a checker of its "
                    f"{point + 1} point"
                )
            n_compared += len(there)
    return f"{n_compared} pairs of positions"


def _check_first_checker(job: _Job) -> str:
    return _distribution_rows(job, "one_sided/first_checker_distribution", _n_without_all(job))


def _check_first_checker_entries(job: _Job) -> str:
    name = "one_sided/first_checker_distribution"
    table, first_index = job.table(name), _n_without_all(job)
    means = table @ np.arange(table.shape[1], dtype=np.float64)
    return _recompute(job, name, table, means, first_index=first_index, finished=first_index)


def _n_without_all(job: _Job) -> int:
    """Positions with fewer than all 15 checkers; they come first."""
    return comb(job.rules.points + _GAMMON_CHECKERS - 1, job.rules.points)


# ---------------------------------------------------------------------- one side, packed


def _check_packed(job: _Job) -> str:
    return _packed_rows(job, "one_sided/first_roll", "one_sided/roll_chances", 0)


def _packed_rows(job: _Job, first_name: str, name: str, first_index: int) -> str:
    """Rows of chances in 16 bits: summing to one exactly, nothing on zero rolls unless the board is empty."""
    first_rolls, table = job.table(first_name), job.table(name)
    for part in job.each(_pieces(len(table), _ROWS_AT_A_TIME)):
        rows, firsts = table[part], first_rolls[part]
        start = first_index + part.start

        def place(at: tuple[int, ...], start: int = start) -> str:
            return f"{name} of {job.rules.name(start + at[0])}"

        sums = rows.sum(axis=1, dtype=np.int64)
        if (at := _first_false(sums == _CHANCE_SCALE)) is not None:
            raise _BrokenError(f"{place(at)} sums to {sums[at]}, not to {_CHANCE_SCALE}")
        if (at := _first_false(rows[:, 0] > 0)) is not None:
            raise _BrokenError(f"{place(at)} begins with a chance of 0")
        empty = np.arange(start, start + len(rows)) == 0
        if (at := _first_false((firsts == 0) == empty)) is not None:
            raise _BrokenError(f"{place(at)} begins with {firsts[at]} rolls")
    return f"{len(table)} rows, summing to one exactly"


def _check_packed_moments(job: _Job) -> str:
    """Mean and variance are close to those of the distribution, and the EPC is no less than the pips."""
    first_rolls, chances = job.table("one_sided/first_roll"), job.table("one_sided/roll_chances")
    means, variances = job.table("one_sided/mean_rolls"), job.table("one_sided/variance_rolls")
    columns = np.arange(chances.shape[1])
    worst, n_compared = np.zeros(2), 0
    for part in job.each(job.parts(len(means))):
        rows = chances[part] / _CHANCE_SCALE
        beyond = rows @ columns
        mean = beyond + first_rolls[part]
        variance = (rows * (columns - beyond[:, np.newaxis]) ** 2).sum(axis=1)
        for k, (what, stored, computed, tolerance) in enumerate(
            (
                ("mean_rolls", means[part], mean, _PACKED_MEAN),
                ("variance_rolls", variances[part], variance, _PACKED_VARIANCE),
            )
        ):
            off = np.abs(stored - computed)
            if (at := _first_false(off <= tolerance)) is not None:
                raise _BrokenError(
                    f"{what} of {job.rules.name(part.start + at[0])} is {stored[at]}; "
                    f"the stored chances make it {computed[at]}"
                )
            worst[k] = max(worst[k], float(off.max()))
        pips = _pips(job.rules.counts_of(np.arange(part.start, part.stop)))
        epc = means[part] * _MEAN_PIPS
        if (at := _first_false(epc >= pips - _SUM_ERROR * pips)) is not None:
            raise _BrokenError(f"EPC of {job.rules.name(part.start + at[0])} is {epc[at]}, less than its pips")
        n_compared += len(rows)
    return f"{n_compared} of {len(means)} positions, means within {worst[0]:.1e}, variances within {worst[1]:.1e}"


def _check_packed_entries(job: _Job) -> str:
    """Make rows again from the rows of the best results: means and variances in float64, chances to the step."""
    means, variances = job.table("one_sided/mean_rolls"), job.table("one_sided/variance_rolls")
    indices = job.chosen(1, len(means))
    worst = 0.0
    for index in job.each(indices.tolist()):
        best = _best_results(job.rules, index, lambda end: float(means[end]))
        expected = np.array([means[end] for end in best])
        mean = float(np.average(expected, weights=_WEIGHTS))
        spread = np.array([variances[end] for end in best]) + (expected - mean) ** 2
        off = np.abs([1 + mean - means[index], float(np.average(spread, weights=_WEIGHTS)) - variances[index]])
        if not off.max() <= _SUM_ERROR * max(1.0, mean) ** 2:
            raise _BrokenError(f"moments of {job.rules.name(index)} differ from its successors' by {off.max():.1e}")
        worst = max(worst, float(off.max()))
        _compare_packed(job, "one_sided/first_roll", "one_sided/roll_chances", 0, index, best)
    return f"{len(indices)} of {len(means)} positions, moments within {worst:.1e}, chances to the step"


def _best_results(rules: _Rules, index: int, mean: Callable[[int], float]) -> list[int]:
    """Find the best result of each roll; of equal ones, that with the smallest index."""
    best = []
    for roll in _ROLLS:
        worth = {end: mean(end) for end in rules.results(index, roll)}
        least = min(worth.values())
        best.append(min((end for end, rolls in worth.items() if rolls <= least + _TIE), default=0))
    return best


def _cumulative(job: _Job, first_name: str, name: str, first_index: int, index: int) -> npt.NDArray[np.int64]:
    """Chances of at most 0, 1, ... rolls, in steps; certainty for whatever lies before the table."""
    result = np.full(1 << 9, _CHANCE_SCALE, dtype=np.int64)
    if index >= first_index:
        row = job.table(name)[index - first_index].astype(np.int64)
        first = int(job.table(first_name)[index - first_index])
        result[:first] = 0
        result[first : first + len(row)] = row.cumsum()
    return result


def _compare_packed(job: _Job, first_name: str, name: str, first_index: int, index: int, best: list[int]) -> None:
    """Compare chances of at most k rolls with the rounded mean of the results' chances of at most k - 1."""
    here = _cumulative(job, first_name, name, first_index, index)
    sums = np.zeros_like(here)
    for weight, end in zip(_WEIGHTS, best, strict=True):
        sums[1:] += weight * _cumulative(job, first_name, name, first_index, end)[:-1]
    off = int(np.abs(_round_36(sums) - here).max())
    # In the home board rows were rounded from exact ones; beyond it, from those that are stored.
    if off > (not any(job.rules.counts(index)[_HOME_POINTS:])):
        raise _BrokenError(f"{name} of {job.rules.name(index)} differs from its successors' by {off} steps")


def _check_packed_first_checker(job: _Job) -> str:
    return _packed_rows(
        job, "one_sided/first_checker_first_roll", "one_sided/first_checker_chances", _n_without_all(job)
    )


def _check_packed_first_checker_entries(job: _Job) -> str:
    """Compare means with those of the best results, and chances where there is no doubt which results are best.

    The exact means are not stored, only the rounded rows that they are the means of.
    """
    first_name, name = "one_sided/first_checker_first_roll", "one_sided/first_checker_chances"
    table, first_index = job.table(name), _n_without_all(job)
    columns = np.arange(table.shape[1])

    def mean(end: int) -> float:
        if end < first_index:
            return 0.0
        row = end - first_index
        return float(job.table(first_name)[row] + table[row] @ columns / _CHANCE_SCALE)

    indices = job.chosen(first_index, first_index + len(table))
    n_compared, worst = 0, 0.0
    for index in job.each(indices.tolist()):
        best, certain, expected = [], True, 1.0
        for roll, weight in zip(_ROLLS, _WEIGHTS, strict=True):
            worth = sorted((mean(end), end) for end in job.rules.results(index, roll))
            expected += weight * worth[0][0] / 36
            close = {end for rolls, end in worth if rolls <= worth[0][0] + _PACKED_MEAN}
            close = {end for end in close if end >= first_index} or {0}
            certain &= len(close) == 1
            best.append(min(close))
        off = abs(mean(index) - expected)
        if not off <= _PACKED_MEAN:
            raise _BrokenError(f"the mean of {name} of {job.rules.name(index)} is off by {off:.1e}")
        worst = max(worst, off)
        if certain:
            n_compared += 1
            _compare_packed(job, first_name, name, first_index, index, best)
    return (
        f"{len(indices)} of {len(table)} positions, means within {worst:.1e}, "
        f"{n_compared} of them without a close choice to the step"
    )


# ---------------------------------------------------------------------- two sides


def _with_double(values: Steps, scale: int) -> Steps:
    """Give values of rolling now, in steps, the right to double first; last axis: planes."""
    result = values.copy()
    doubled = np.minimum(2 * values[..., _THEIRS], scale)
    for plane in (_MINE, _CENTERED):
        np.maximum(values[..., plane], doubled, out=result[..., plane])
    return result


def _turned_round(values: Steps, scale: int) -> Steps:
    """Turn what the opponent on roll has into what it is worth to have moved: his cube is not mine."""
    turned: Steps = -_with_double(values, scale)[..., [_CUBELESS, _THEIRS, _CENTERED, _MINE]]
    return turned


def _round_36(sums: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Divide by 36, to the nearest integer, halves to the even one: in integers throughout."""
    quotient, remainder = np.divmod(sums, 36)
    rounded: npt.NDArray[Any] = quotient + ((remainder > 18) | ((remainder == 18) & (quotient % 2 == 1)))
    return rounded


def _pair_name(job: _Job, mine: int, theirs: int) -> str:
    return f"{job.rules.name(int(job.order[mine]))} on roll against {job.rules.name(int(job.order[theirs]))}"


def _check_order(job: _Job) -> str:
    stored = job.table("two_sided/order")
    if (at := _first_false(stored == job.order)) is not None:
        raise _BrokenError(f"rank {at[0]} is {stored[at]}; by pips, then index, it is {job.order[at]}")
    return f"{len(stored)} ranks"


def _check_finished(job: _Job) -> str:
    """Who has no checker left has won, and lost who rolls against nobody."""
    table, stake = job.table("two_sided/equities"), job.at_stake()[:, np.newaxis]
    won, lost = table[0, 1:], table[1:, 0]
    if (at := _first_false(won == stake[1:])) is not None:
        raise _BrokenError(f"{_pair_name(job, 0, at[0] + 1)} is not {stake[at[0] + 1, 0]} steps")
    if (at := _first_false(lost == -stake[1:])) is not None:
        raise _BrokenError(f"{_pair_name(job, at[0] + 1, 0)} is not {-stake[at[0] + 1, 0]} steps")
    return f"{len(won) + len(lost)} pairs"


def _check_planes(job: _Job) -> str:
    """Compare planes: theirs <= centered <= mine, theirs <= cubeless <= mine, none beyond what is at stake."""
    table, stake = job.table("two_sided/equities"), job.at_stake()
    n = len(table)
    rows = job.rows(n)
    for part in job.each(_pieces(len(rows), max(1, _PAIRS_AT_A_TIME // n))):
        mine = rows[part]
        values = table[mine].astype(np.int32)[:, 1:]

        def place(at: tuple[int, ...], mine: npt.NDArray[np.int64] = mine) -> str:
            return _pair_name(job, int(mine[at[0]]), at[1] + 1)

        in_range = (values <= stake[1:, np.newaxis]) & (values >= -stake[mine, np.newaxis, np.newaxis])
        if (at := _first_false(in_range.all(axis=2))) is not None:
            raise _BrokenError(f"{place(at)}: {values[at]} is out of bounds")
        for lower, upper in ((_THEIRS, _CENTERED), (_CENTERED, _MINE), (_THEIRS, _CUBELESS), (_CUBELESS, _MINE)):
            if (at := _first_false(values[..., lower] <= values[..., upper])) is not None:
                raise _BrokenError(f"{place(at)}: {values[at]} are in the wrong order")
    return f"{len(rows)} of {n - 1} rows, to the step"


def _check_on_roll(job: _Job) -> str:
    """Being on roll is worth something: what I have on roll is at least what I have after my opponent rolls first.

    The cube stays where it is, so mine on my turn is theirs on his.
    """
    table, scale = job.table("two_sided/equities"), job.scale
    n = len(table)
    rows = job.rows(n)
    if len(rows) < n - 1:
        # Columns of a file lie a row apart, so a sample of pairs is a sample of rows against the same sample.
        rows = np.sort(job.rng.choice(rows, min(len(rows), int(_SAMPLED_PAIRS**0.5) // 2), replace=False))
    least = 0
    size = int(_PAIRS_AT_A_TIME**0.5)
    for one in job.each(_pieces(len(rows), size)):
        for other in _pieces(len(rows), size):
            mine, theirs = rows[one], rows[other]
            here = table[np.ix_(mine, theirs)].astype(np.int32)
            there = _turned_round(table[np.ix_(theirs, mine)].astype(np.int32), scale).swapaxes(0, 1)
            gain = (here - there).min(axis=2)
            if (at := _first_false(gain >= -_ORDER_STEPS)) is not None:
                raise _BrokenError(
                    f"{_pair_name(job, int(mine[at[0]]), int(theirs[at[1]]))}: being on roll costs {-gain[at]} steps"
                )
            least = min(least, int(gain.min()))
    return f"{len(rows) ** 2} of {(n - 1) ** 2} pairs, within {-least} steps"


def _check_fewer_checkers(job: _Job) -> str:
    """One checker fewer never hurts its owner: neither on roll nor against one who is."""
    rules, table = job.rules, job.table("two_sided/equities")
    n = len(table)
    counts = rules.counts_of(job.order)
    # By point: ranks with a checker there, and the same without it.
    there, fewer = [], []
    for point in range(rules.points):
        there.append(np.flatnonzero(counts[:, point]))
        less = counts[there[-1]]
        less[:, point] -= 1
        fewer.append(job.rank[rules.index_of(less)])
    rows = job.rows(n)
    least = 0
    for part in job.each(_pieces(len(rows), max(1, _PAIRS_AT_A_TIME // n))):
        mine = rows[part]
        values = table[mine].astype(np.int32)
        for point in range(rules.points):
            against = (values[:, there[point]] - values[:, fewer[point]]).min(axis=2)
            if (at := _first_false(against >= -_ORDER_STEPS)) is not None:
                raise _BrokenError(
                    f"{_pair_name(job, int(mine[at[0]]), int(there[point][at[1]]))}: the opponent would rather not be "
                    f"without a checker of his {point + 1} point"
                )
            having = np.flatnonzero(counts[mine, point])
            less_of = counts[mine[having]]
            less_of[:, point] -= 1
            without = table[job.rank[rules.index_of(less_of)]].astype(np.int32)
            on_roll = (without - values[having]).min(axis=2)[:, 1:]
            if (at := _first_false(on_roll >= -_ORDER_STEPS)) is not None:
                raise _BrokenError(
                    f"{_pair_name(job, int(mine[having[at[0]]]), at[1] + 1)}: the player on roll would rather not be "
                    f"without a checker of the {point + 1} point"
                )
            least = min(least, int(against.min(initial=0)), int(on_roll.min(initial=0)))
    return f"{len(rows)} of {n - 1} rows, within {-least} steps"


def _check_pairs(job: _Job) -> str:
    return _every_pair(job) if job.full else _sampled_pairs(job)


def _sampled_pairs(job: _Job) -> str:
    """Pairs here and there, each from the 36 stored values that it is the mean of."""
    rules, table, stake = job.rules, job.table("two_sided/equities"), job.at_stake()
    n = len(table)
    pairs = job.rng.integers(1, n, size=(job.samples, 2))
    for mine, theirs in job.each(pairs.tolist()):
        index = int(job.order[mine])
        ends = [job.rank[list(rules.results(index, roll))] for roll in _ROLLS]
        ranks = np.concatenate(ends)
        moved = _turned_round(table[theirs, ranks].astype(np.int32), job.scale)
        moved[ranks == 0] = stake[theirs]
        starts = np.cumsum([0, *map(len, ends[:-1])])
        sums = np.array(_WEIGHTS) @ np.maximum.reduceat(moved, starts)
        if (_round_36(sums) != table[mine, theirs]).any():
            raise _BrokenError(
                f"{_pair_name(job, mine, theirs)} has {table[mine, theirs]}; "
                f"the mean of its successors is {_round_36(sums)}"
            )
    return f"{len(pairs)} of {(n - 1) ** 2} pairs, to the step"


def _every_pair(job: _Job) -> str:
    """All pairs, a stripe of opponents at a time: each row is made of the turned rows of its results."""
    rules, table, stake = job.rules, job.table("two_sided/equities"), job.at_stake()
    n = len(table)
    # Flat arrays, because there are nine million results of 54,264 positions.
    results = []
    for index in job.order.tolist():
        ends = [rules.results(index, roll) for roll in _ROLLS]
        ranks = job.rank[[end for some in ends for end in some]].astype(np.int32)
        results.append((ranks, tuple(map(len, ends))))
    width = max(16, _FULL_BYTES // (8 * n))
    stripes = _pieces(n, width)
    for k, stripe in enumerate(stripes):
        moved = np.empty((n, stripe.stop - stripe.start, 4), dtype=np.int16)
        for part in _pieces(stripe.stop - stripe.start, max(1, _PAIRS_AT_A_TIME // n)):
            columns = slice(stripe.start + part.start, stripe.start + part.stop)
            moved[:, part] = _turned_round(table[columns].astype(np.int32), job.scale).swapaxes(0, 1)
        moved[0] = stake[stripe, np.newaxis]
        best = np.empty_like(moved[0])
        sums = np.empty(best.shape, dtype=np.int32)
        for mine in range(1, n):
            if mine % 64 == 0:
                job.tick((k + mine / n) / len(stripes))
            sums[...] = 0
            ranks, lengths = results[mine]
            end = iter(ranks.tolist())
            for length, weight in zip(lengths, _WEIGHTS, strict=True):
                np.copyto(best, moved[next(end)])
                for _ in range(length - 1):
                    np.maximum(best, moved[next(end)], out=best)
                sums += np.multiply(best, weight, dtype=np.int32)
            same = _round_36(sums) == table[mine, stripe]
            if stripe.start == 0:
                same[0] = True  # a game that is over
            if (at := _first_false(same.all(axis=1))) is not None:
                raise _BrokenError(
                    f"{_pair_name(job, mine, stripe.start + at[0])} has {table[mine, stripe.start + at[0]]}; "
                    f"the mean of its successors is {_round_36(sums[at])}"
                )
    return f"all {(n - 1) ** 2} pairs, to the step"


def _check_solved(job: _Job) -> str:
    """Pairs of few pips, solved to the end of the game in float64 by recursion."""
    rules, table, stake = job.rules, job.table("two_sided/equities"), job.at_stake() / job.scale
    n = len(table)
    known: dict[tuple[int, int], tuple[float, float, float, float]] = {}
    results: dict[int, list[tuple[int, list[int]]]] = {}

    def results_of(rank: int) -> list[tuple[int, list[int]]]:
        if rank not in results:
            index = int(job.order[rank])
            results[rank] = [
                (weight, job.rank[list(rules.results(index, roll))].tolist())
                for roll, weight in zip(_ROLLS, _WEIGHTS, strict=True)
            ]
        return results[rank]

    def moved(end: int, theirs: int) -> tuple[float, float, float, float]:
        """Return what it is worth to have moved to `end`."""
        if end == 0:
            return (float(stake[theirs]),) * 4
        cubeless, mine, centered, without = value(theirs, end)
        doubled = min(2 * without, 1.0)
        return -cubeless, -without, -max(centered, doubled), -max(mine, doubled)

    def value(mine: int, theirs: int) -> tuple[float, float, float, float]:
        """Cubeless, mine, centered, theirs, rolling now."""
        if (mine, theirs) not in known:
            sums = [0.0] * 4
            for weight, ends in results_of(mine):
                for plane, best in enumerate(map(max, zip(*(moved(end, theirs) for end in ends), strict=True))):
                    sums[plane] += weight * best
            known[mine, theirs] = (sums[0] / 36, sums[1] / 36, sums[2] / 36, sums[3] / 36)
        return known[mine, theirs]

    worst = 0.0
    most = min(n - 1, _SMALL_PRODUCT)
    for _ in job.each(range(_SMALL_PAIRS)):
        # Results have smaller ranks, so the product of the ranks bounds the work.  Either side may have the larger.
        one = int(job.rng.integers(1, most + 1))
        other = int(job.rng.integers(1, min(n - 1, max(1, _SMALL_PRODUCT // one)) + 1))
        mine, theirs = (one, other) if job.rng.integers(2) else (other, one)
        off = np.abs(table[mine, theirs] - job.scale * np.array(value(mine, theirs))).max()
        if off > _SOLVED_STEPS:
            raise _BrokenError(
                f"{_pair_name(job, mine, theirs)} has {table[mine, theirs] / job.scale}; "
                f"solved it is {np.array(value(mine, theirs))}"
            )
        worst = max(worst, float(off))
    return f"{_SMALL_PAIRS} pairs and {len(known)} below them, within {worst:.2f} steps"


# ---------------------------------------------------------------------- gammons


class _GammonRows:
    """Pairs with values of their own, in which gammons count once: which, and what they are."""

    def __init__(self, job: _Job) -> None:
        _check_gammon_rows(job)  # so that no lookup leaves the tables
        self.table, self.scale = job.table("two_sided/equities"), job.scale
        first = _n_without_all(job)
        self.column = np.full(len(job.order), -1, dtype=np.int64)
        full = job.order >= first
        self.column[full] = job.table("gammon/columns")[job.order[full] - first]
        self.at_column = np.empty(np.count_nonzero(full), dtype=np.int64)
        self.at_column[self.column[full]] = np.flatnonzero(full)
        self.starts = {kind: np.array(job.table(f"gammon/{kind}_starts")) for kind in _GAMMON_KINDS}
        self.values = {kind: job.table(f"gammon/{kind}") for kind in _GAMMON_KINDS}

    def once(self, on_roll: npt.NDArray[np.int64], opponent: npt.NDArray[np.int64]) -> Steps:
        """Cubeless and centered values of rolling now, last axis, of pairs of ranks; none of them finished."""
        result: Steps = self.table[on_roll, opponent][..., [_CUBELESS, _CENTERED]].astype(np.int32)
        for kind, row, full in (("winning", on_roll, opponent), ("losing", opponent, on_roll)):
            starts, column = self.starts[kind], self.column[full]
            place = starts[row] + column
            listed = (column >= 0) & (place < starts[row + 1])
            result[listed] = self.values[kind][place[listed]]
        return result

    def moved(self, ends: npt.NDArray[np.int64], opponent: npt.NDArray[np.int64]) -> Steps:
        """What it is worth, last axis, to have moved to `ends` against opponents on roll, by broadcasting."""
        ends, opponent = np.broadcast_arrays(ends, opponent)
        # A finished game is looked up like any other, and set right in the end.
        result = self.once(opponent, np.maximum(ends, 1))
        taken = np.minimum(2 * self.table[opponent, ends][..., _THEIRS].astype(np.int32), self.scale)
        np.maximum(result[..., 1], taken, out=result[..., 1])
        np.negative(result, out=result)
        result[ends == 0] = self.scale
        return result

    def row(self, kind: str, rank: int) -> npt.NDArray[np.int64]:
        """Ranks with all checkers that a rank has values against."""
        starts = self.starts[kind]
        return self.at_column[: starts[rank + 1] - starts[rank]]


def _check_gammon_rows(job: _Job) -> str:
    columns = job.table("gammon/columns")
    if (at := _first_false(np.sort(columns) == np.arange(len(columns)))) is not None:
        raise _BrokenError(f"{at[0]} is no column, or two positions have it")
    found = []
    for kind in _GAMMON_KINDS:
        starts, n_pairs = job.table(f"gammon/{kind}_starts"), len(job.table(f"gammon/{kind}"))
        lengths = np.diff(starts)
        if (at := _first_false((lengths >= 0) & (lengths <= len(columns)))) is not None:
            raise _BrokenError(f"gammon/{kind}: rank {at[0]} has {lengths[at]} columns of {len(columns)}")
        if starts[0] != 0 or starts[-1] != n_pairs:
            raise _BrokenError(f"gammon/{kind} has {n_pairs} pairs, its rows are {starts[0]} to {starts[-1]}")
        found.append(f"{n_pairs} {kind}")
    return f"{len(columns)} columns, {' and '.join(found)} pairs"


def _mean_of_results(job: _Job, rows: _GammonRows, mine: int, opponents: npt.NDArray[np.int64]) -> Steps:
    """Values of one rank on roll against some, shape (len(opponents), 2), from those of its results."""
    index = int(job.order[mine])
    ends = [job.rank[list(job.rules.results(index, roll))] for roll in _ROLLS]
    moved = rows.moved(np.concatenate(ends), opponents[:, np.newaxis])
    best = np.maximum.reduceat(moved, np.cumsum([0, *map(len, ends[:-1])]), axis=1)
    sums = np.tensordot(best, np.array(_WEIGHTS), axes=(1, 0))
    rounded: Steps = _round_36(sums).astype(np.int32)
    return rounded


def _check_gammon_entries(job: _Job) -> str:
    """Each value is the mean of its successors' values, to the step."""
    rows = _GammonRows(job)
    n_compared = 0
    n_ranks = len(job.order)
    for kind in job.each(_GAMMON_KINDS):
        lengths = np.diff(rows.starts[kind])
        if job.full:
            pairs = ((rank, rows.row(kind, rank)) for rank in np.flatnonzero(lengths).tolist())
        elif lengths.any():
            places = np.sort(job.rng.integers(0, rows.starts[kind][-1], job.samples))
            ranks = np.searchsorted(rows.starts[kind], places, side="right") - 1
            fulls = rows.at_column[places - rows.starts[kind][ranks]]
            pairs = ((rank, np.array([full])) for rank, full in zip(ranks.tolist(), fulls.tolist(), strict=True))
        else:
            continue
        for rank, fulls in pairs:
            job.tick(rank / n_ranks)
            for part in _pieces(len(fulls), _GAMMONS_AT_A_TIME):
                chosen = fulls[part]
                if kind == "winning":
                    stored = rows.once(np.full(len(chosen), rank), chosen)
                    mean = _mean_of_results(job, rows, rank, chosen)
                else:
                    stored = rows.once(chosen, np.full(len(chosen), rank))
                    one = np.array([rank])
                    mean = np.concatenate([_mean_of_results(job, rows, full, one) for full in chosen.tolist()])
                if (at := _first_false((stored == mean).all(axis=1))) is not None:
                    pair = (rank, int(chosen[at[0]]))
                    mine, theirs = pair if kind == "winning" else pair[::-1]
                    raise _BrokenError(
                        f"{_pair_name(job, mine, theirs)} has {stored[at]} if gammons count once; "
                        f"the mean of its successors is {mean[at]}"
                    )
                n_compared += len(chosen)
    total = sum(len(values) for values in rows.values.values())
    return f"{n_compared} of {total} pairs, to the step"


def _check_gammons_outside(job: _Job) -> str:
    """Beyond the end of each row it makes no difference whether gammons count."""
    rows = _GammonRows(job)
    n_full, n_ranks = len(rows.at_column), len(job.order)
    n_compared = worst = 0
    for kind in job.each(_GAMMON_KINDS):
        lengths = np.diff(rows.starts[kind])
        able = np.flatnonzero(lengths < n_full)
        # Neither the empty board, nor a row that is empty because the pairs are in the other table.
        able = able[(able > 0) & ((rows.column[able] < 0) | (kind == "winning"))]
        ranks = able[job.chosen(0, len(able))] if len(able) else able
        for rank in ranks.tolist():
            job.tick(rank / n_ranks)
            # The next one, where a gammon is likeliest, and any.
            further = {int(lengths[rank]), int(job.rng.integers(lengths[rank], n_full))}
            for full in rows.at_column[sorted(further)].tolist():
                mine, theirs = (rank, full) if kind == "winning" else (full, rank)
                mean = _mean_of_results(job, rows, mine, np.array([theirs]))[0]
                once = rows.once(np.array([mine]), np.array([theirs]))[0]
                off = int(np.abs(mean - np.clip(once, -job.scale, job.scale)).max())
                if off > _OUTSIDE_STEPS:
                    raise _BrokenError(
                        f"{_pair_name(job, mine, theirs)} is not listed, but differs by {off} steps if gammons count "
                        "once"
                    )
                n_compared, worst = n_compared + 1, max(worst, off)
    return f"{n_compared} pairs, within {worst} steps"


_ONE_SIDED: Final[list[_Step]] = [
    ("roll distributions", _check_distributions),
    ("means, variances and EPC", _check_moments),
    ("EPC on the ace point", _check_ace_point),
    ("EPC with one checker fewer", _check_removal),
    ("one-sided entries recomputed", _check_one_sided_entries),
]
_PACKED: Final[list[_Step]] = [
    ("roll distributions", _check_packed),
    ("means, variances and EPC", _check_packed_moments),
    ("EPC on the ace point", _check_ace_point),
    ("EPC with one checker fewer", _check_removal),
    ("one-sided entries recomputed", _check_packed_entries),
]
_PACKED_FIRST_CHECKER: Final[list[_Step]] = [
    ("first-checker distributions", _check_packed_first_checker),
    ("first-checker entries recomputed", _check_packed_first_checker_entries),
]
_FIRST_CHECKER: Final[list[_Step]] = [
    ("first-checker distributions", _check_first_checker),
    ("first-checker entries recomputed", _check_first_checker_entries),
]
_TWO_SIDED: Final[list[_Step]] = [
    ("two-sided order", _check_order),
    ("finished games", _check_finished),
    ("bounds and order of equities", _check_planes),
    ("being on roll", _check_on_roll),
    ("equities with one checker fewer", _check_fewer_checkers),
    ("two-sided entries recomputed", _check_pairs),
    ("small pairs solved", _check_solved),
]
_GAMMONS: Final[list[_Step]] = [
    ("pairs in which a gammon matters", _check_gammon_rows),
    ("their values recomputed", _check_gammon_entries),
    ("gammons in other pairs", _check_gammons_outside),
]
