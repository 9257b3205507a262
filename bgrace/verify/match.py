"""Whether a database for one score of a match is right: checksums, invariants, and entries worked out a second time.

The recurrence is written here once more, in plain Python; plays and numbering are those of `bgrace.verify.rules`, so
that nothing of what computed the table vouches for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from bgrace._base.progress import Progress
from bgrace.database.match import MatchDatabase
from bgrace.database.store import StoredMatch
from bgrace.errors import FormatError
from bgrace.verify.job import BrokenError
from bgrace.verify.rules import GAMMON_CHECKERS, ROLLS, Rules

__all__ = ["match_checks"]

_MOST_ERROR: Final = 1e-12
"""For a mean of 36 float64 numbers of the size of 1, summed in another order."""

_ROWS_AT_A_TIME: Final = 256


def match_checks(
    stored: StoredMatch,
    full: bool = False,
    *,
    seed: int = 0,
    samples: int = 300,
    progress: Progress | None = None,
) -> Iterator[tuple[str, bool, str]]:
    """Look at everything that must hold of a file.

    Parameters
    ----------
    stored : StoredMatch
    full : bool
        Recompute every pair instead of a sample.
    seed, samples : int
        Of the sample.
    progress : callable, optional
        Called with the work done and the work to do.

    Yields
    ------
    str, bool, str
        What was looked at, whether it is right, and how much was compared or what is wrong.
    """
    job = _MatchJob(stored, full, seed, samples, progress)
    yield (tables := _looked("tables", job.tables))
    if not tables[1]:
        return
    for name, look in (
        ("checksums", job.checksums),
        ("match equity table", job.met),
        ("ranks", job.order),
        ("finished games", job.finished),
        ("bounds", job.bounds),
        ("pairs from their successors", job.entries),
    ):
        yield _looked(name, look)


def _looked(name: str, look: Callable[[], str]) -> tuple[str, bool, str]:
    with np.errstate(all="ignore"):
        try:
            return name, True, look()
        except BrokenError as wrong:
            return name, False, str(wrong)


class _MatchJob:
    def __init__(
        self,
        stored: StoredMatch,
        full: bool,
        seed: int,
        samples: int,
        progress: Progress | None,
    ) -> None:
        self.stored, self.full, self.progress = stored, full, progress
        self.rules = Rules(stored.attributes["points"], stored.attributes["checkers"])
        self.random, self.samples = np.random.default_rng(seed), samples
        self.values = stored.tables["values"]

    def tables(self) -> str:
        try:
            self.database = MatchDatabase(self.stored)
        except FormatError as error:
            raise BrokenError(str(error)) from error
        self.ranks = self.stored.tables["order"]
        counts = self.rules.counts_of(np.asarray(self.ranks, np.int64))
        self.pips = counts @ np.arange(1, counts.shape[1] + 1)
        self.is_full = counts.sum(axis=1) == GAMMON_CHECKERS
        return f"{len(self.stored.tables)} tables fit each other, and the planes follow from the score and its table"

    def checksums(self) -> str:
        for name, crc in self.stored.checksums.items():
            if (found := self.stored.checksum(name)) != crc:
                raise BrokenError(f"{name} has CRC-32 {found:08x}, the file says {crc:08x}")
        return f"CRC-32 of {len(self.stored.checksums)} tables"

    def met(self) -> str:
        found, said = self.database.table.sha256, self.stored.attributes["met_sha256"]
        if found != said:
            raise BrokenError(f"the match equity table has SHA-256 {found}, the file says {said}")
        return f"{self.database.table.name}, SHA-256 {said[:12]}..."

    def order(self) -> str:
        keys = list(zip(self.pips.tolist(), self.ranks.tolist(), strict=True))
        if keys != sorted(keys):
            raise BrokenError("ranks don't run in order of pips, then of index")
        return f"{len(keys):,} positions in order of pips, then of index"

    def finished(self) -> str:
        for side, column, plane in self._views():
            won = np.where(self.is_full, plane[1], plane[0])
            theirs = self._planes()[self._plane_of(side, column)][1 - side]
            lost = -np.where(self.is_full, theirs[1], theirs[0])
            if not (self.values[0, 1:, column] == won[1:]).all() or not (self.values[1:, 0, column] == lost[1:]).all():
                raise BrokenError(f"a finished game is worth the wrong number in column {column}")
        return f"{2 * (len(self.ranks) - 1):,} finished games"

    def bounds(self) -> str:
        n = len(self.ranks)
        for side, column, plane in self._views():
            theirs = self._planes()[self._plane_of(side, column)][1 - side]
            most, least = max(plane[0], plane[1]), -max(theirs[0], theirs[1])
            for start in range(0, n, _ROWS_AT_A_TIME):
                part = self.values[start : start + _ROWS_AT_A_TIME, :, column]
                good = (part >= least - _MOST_ERROR) & (part <= most + _MOST_ERROR)
                if not good.all():
                    row, other = (int(k) for k in np.argwhere(~good)[0])
                    raise BrokenError(
                        f"ranks {start + row} and {other} have {part[row, other]} in column {column}, "
                        f"which is not in {least:g} .. {most:g}"
                    )
        return f"{n * n * self.values.shape[2]:,} values between a loss and a win"

    def entries(self) -> str:
        n = len(self.ranks)
        if self.full:
            pairs = [(i, j) for i in range(1, n) for j in range(1, n)]
        else:
            pairs = [(int(i), int(j)) for i, j in self.random.integers(1, n, (self.samples, 2))]
        worst = 0.0
        rank_of = np.argsort(self.ranks)
        for k, (i, j) in enumerate(pairs):
            results = [
                (1 if a == b else 2, rank_of[sorted(self.rules.results(int(self.ranks[i]), (a, b)))]) for a, b in ROLLS
            ]
            for side, column, plane in self._views():
                mean = sum(
                    weight * max(self._moved(side, column, plane, int(end), j) for end in ends)
                    for weight, ends in results
                )
                error = abs(mean / 36 - float(self.values[i, j, column]))
                if not error <= _MOST_ERROR:
                    raise BrokenError(
                        f"ranks {i} and {j} have {self.values[i, j, column]} in column {column}, their successors make "
                        f"{mean / 36}"
                    )
                worst = max(worst, error)
            if self.progress is not None:
                self.progress(k + 1, len(pairs))
        return f"{len(pairs):,} pairs, every cube state; greatest difference {worst:.1e}"

    def _moved(self, side: int, column: int, plane: Any, end: int, opponent: int) -> float:
        """What it is worth to have moved to `end`, the opponent being on roll."""
        if end == 0:
            return float(plane[1] if self.is_full[opponent] else plane[0])
        number = self._plane_of(side, column)
        theirs = self._planes()[number][1 - side]
        columns = self.database._columns[1 - side]
        best = float(self.values[opponent, end, columns[number]])
        if theirs[2] >= 0:
            taken = theirs[3] * float(self.values[opponent, end, columns[int(theirs[2])]]) + theirs[4]
            best = max(best, min(taken, float(theirs[5])))
        return -best

    def _planes(self) -> Any:
        return self.stored.tables["planes"]

    def _plane_of(self, side: int, column: int) -> int:
        return int(np.flatnonzero(self.database._columns[side] == column)[0])

    def _views(self) -> Iterator[tuple[int, int, Any]]:
        """Every column once: a player who sees it on roll, its number, and his numbers of its plane."""
        for column in range(self.values.shape[2]):
            side = 0 if (self.database._columns[0] == column).any() else 1
            yield side, column, self._planes()[self._plane_of(side, column)][side]
