"""Shared by the checks: the file, the sample, and how to say that something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Summarised, Told, as_json
from bgrace.database.store import StoredTables, Table
from bgrace.errors import VerificationError
from bgrace.verify.rules import GAMMON_CHECKERS, Rules, pips_of

_WITHOUT_ENTRIES: Final = 2
"""Checks that are made of any file: of its tables, and their checksums."""


@dataclass(frozen=True, slots=True)
class Check(Told):
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

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.name}: {self.detail}"


@dataclass(frozen=True, slots=True, repr=False)
class VerificationReport(Summarised):
    """The result of a verification.

    Attributes
    ----------
    path : Path
    full : bool
        Whether everything was recomputed, not a sample.  Nothing was if tables are missing or have wrong shapes.
    seed, samples : int
        Which sample, and how large.
    checks : tuple of Check
        In the order in which they were made.
    published : bool or None
        Whether every number is that of the table which bgrace publishes, by SHA-256 sums that come with the package.
        None if no such table of this size is published, or a check failed.
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
        """The checks that didn't pass."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def recomputed(self) -> bool:
        """Whether the tables were such that entries of them could be recomputed."""
        return len(self.checks) > _WITHOUT_ENTRIES

    def raise_if_failed(self) -> None:
        """Do nothing if every check passed.

        Raises
        ------
        VerificationError
            Otherwise; the message names every check that failed.
        """
        if not self.passed:
            outcome = "; ".join(f"{check.name}: {check.detail}" for check in self.failures)
            raise VerificationError(f"{self.path} is wrong: {outcome}; build it again")

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, as JSON would have it."""
        names = ("passed", "full", "seed", "samples", "checks", "published")
        return {"path": str(self.path), **as_json(self, *names)}

    def __str__(self) -> str:
        how = "everything" if self.full else f"a sample of {self.samples}, seed {self.seed}"
        how = how if self.recomputed else "nothing"
        verdict = "passes" if self.passed else f"FAILS {len(self.failures)} of {len(self.checks)} checks"
        return "\n".join([f"{self.path} {verdict} ({how} recomputed)", *map(str, self.checks)])


Steps: TypeAlias = npt.NDArray[np.int32]
Item = TypeVar("Item")

MEAN_ERROR: Final = 1e-10
"""Rolls.  Means closer than this are equal, and the result with the smaller index is chosen."""

SUM_ERROR: Final = 1e-12
"""For sums of a few dozen terms below 1 in float64: a thousand times what rounding does to them."""


class BrokenError(Exception):
    """A check that fails, with where and how."""


def first_false(good: npt.NDArray[np.bool_]) -> tuple[int, ...] | None:
    """Return where the first false stands, or None.  NaN compares false with everything, so it is found too."""
    if good.all():
        return None
    return tuple(int(k) for k in np.unravel_index(int(np.argmin(good)), good.shape))


class Job:
    """The objects of the checks, and how they are read."""

    pairs_at_a_time = 1 << 20
    rows_at_a_time = 1 << 14
    sampled_pairs = 1 << 22
    sampled_pieces = 40
    full_bytes = 1 << 27
    """Of a stripe of pairs: a full check of a larger table goes by stripes."""

    def __init__(self, stored: StoredTables, full: bool, seed: int, samples: int) -> None:
        directory = stored.directory
        self.stored = stored
        self.full = full
        self.samples = samples
        self.rules: Rules = Rules(directory.points, directory.checkers)
        self.rng: np.random.Generator = np.random.default_rng(seed)
        self.tick: Callable[[float], None] = lambda share: None
        self._seed = seed
        self._order: npt.NDArray[np.int64] | None = None
        self._rank: npt.NDArray[np.int64] | None = None

    def begin(self, number: int, tick: Callable[[float], None]) -> None:
        """Start a check with random numbers of its own, so that one more check leaves the samples of others alone."""
        self.rng = np.random.default_rng([self._seed, number])
        self.tick = tick

    def table(self, name: str) -> Table:
        """Return a table: an array, or a dataset of an archive that is indexed like one."""
        return self.stored.tables[name]

    def each(self, items: Sequence[Item]) -> Iterator[Item]:
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
        """The expected contents of the table of that name."""
        if self._order is None:
            n = comb(self.rules.points + self.stored.directory.two_sided_checkers, self.rules.points)
            self._order = np.argsort(pips_of(self.rules.counts_of(np.arange(n))), kind="stable")
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
        """By rank: the loss, in steps, of the side that has not finished."""
        counts = self.rules.counts_of(self.order).sum(axis=1)
        gammon = self.stored.directory.gammons & (counts == GAMMON_CHECKERS)
        return self.scale * np.where(gammon, 2, 1)

    def parts(self, n: int) -> list[slice]:
        """Pieces of a table of `n` rows: all of them, or, of a large table, the first, the last and a sample."""
        pieces = in_pieces(n, self.rows_at_a_time)
        if self.full or len(pieces) <= self.sampled_pieces:
            return pieces
        wanted = np.sort(self.rng.choice(len(pieces) - 2, self.sampled_pieces - 2, replace=False)) + 1
        return [pieces[0], *(pieces[k] for k in wanted), pieces[-1]]

    def rows(self, n: int) -> npt.NDArray[np.int64]:
        """Ranks whose rows are looked at: all but that of the empty board, or a sample if the table is large."""
        wanted = n - 1 if self.full else min(n - 1, max(64, self.sampled_pairs // n))
        return np.sort(self.rng.choice(n - 1, wanted, replace=False)) + 1


def in_pieces(n: int, size: int) -> list[slice]:
    """Cut 0 .. `n` - 1 into pieces of at most `size`."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


Step: TypeAlias = tuple[str, Callable[[Job], str]]
"""A rule that must hold, and the function that looks: it says how well it holds, or raises BrokenError."""


def pair_name(job: Job, mine: int, theirs: int) -> str:
    """Name a pair of ranks, for messages."""
    return f"{job.rules.name(int(job.order[mine]))} on roll against {job.rules.name(int(job.order[theirs]))}"


def n_without_all(job: Job) -> int:
    """How many positions have borne off a checker; they come first."""
    return comb(job.rules.points + GAMMON_CHECKERS - 1, job.rules.points)
