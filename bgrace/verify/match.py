"""Pairs for a match score: invariants, and entries worked out a second time.

The recurrence is written here once more, in plain Python; plays and numbering are those of `bgrace.verify.rules`, so
that nothing of what computed the table vouches for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.database.store import MatchHead, cut_name
from bgrace.errors import ArgumentError, FormatError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import ScoreStates, Stakes
from bgrace.verify.job import BrokenError, Job, Step, pair_name
from bgrace.verify.rules import GAMMON_CHECKERS, ROLLS
from bgrace.verify.two_sided import check_order

_MAX_ERROR: Final = 1e-12
"""For a mean of 36 float64 numbers of the size of 1, summed in another order."""

_ROWS_AT_A_TIME: Final = 256


class _View(NamedTuple):
    """A column of the values: what a player on roll sees of a plane."""

    column: int
    side: int  # 0 if that player is the first
    plane: int


class _Planes:
    """The cube planes of a file, and the columns in which either player finds them."""

    def __init__(self, job: Job) -> None:
        self.numbers: Floats = np.asarray(job.table("match/planes"))  # [plane, player]: win, gammon, turned, ...
        self.columns: npt.NDArray[np.int32] = np.asarray(job.table("match/columns"))  # [player, plane]
        turned = self.numbers[:, :, 2]
        if not np.isin(turned, np.arange(-1, len(self.numbers))).all():
            raise BrokenError("a double leads to a cube plane that is not there")

    def views(self) -> Iterator[_View]:
        """Every column once, by the first that sees it."""
        for column in np.unique(self.columns).tolist():
            side, plane = (int(k) for k in np.argwhere(self.columns == column)[0])
            yield _View(column, side, plane)

    def paid(self, view: _View, is_full: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """The winnings of the player on roll from a loser of each rank, and loses at each rank of their own."""
        mine, theirs = self.numbers[view.plane, view.side], self.numbers[view.plane, 1 - view.side]
        return np.where(is_full, mine[1], mine[0]), -np.where(is_full, theirs[1], theirs[0])


def _head(job: Job) -> MatchHead:
    head = job.stored.directory.match
    assert head is not None, "only a file for a match score is asked"
    return head


def _is_full(job: Job) -> npt.NDArray[np.bool_]:
    """By rank, whether a loser there loses a gammon."""
    full: npt.NDArray[np.bool_] = job.rules.counts_of(job.order).sum(axis=1) == GAMMON_CHECKERS
    return full & job.stored.directory.gammons


def _table(job: Job) -> MatchEquityTable:
    pre, post = (np.array(job.table(f"match/{name}_crawford")) for name in ("pre", "post"))
    try:
        return MatchEquityTable.from_arrays(pre, post, _head(job).met_name)
    except (ArgumentError, FormatError) as error:
        raise BrokenError(f"the match equity table is not one: {error}") from error


def _met(job: Job) -> str:
    head, table = _head(job), _table(job)
    if table.sha256 != head.met_sha256:
        raise BrokenError(
            f"the match equity table has SHA-256 {table.sha256}, the head of the file says {head.met_sha256}"
        )
    return f"{cut_name(table.name)}, SHA-256 {table.sha256[:12]}..."


def _cube_planes(job: Job) -> str:
    head, planes, table = _head(job), _Planes(job), _table(job)
    try:
        score = Score(head.first_needs, head.second_needs, head.crawford)
        expected = ScoreStates.of(Stakes.at(score, table), job.stored.directory.gammons).to_array()
    except ArgumentError as error:
        raise BrokenError(f"its score and its match equity table do not go together: {error}") from error
    if planes.numbers.shape != expected.shape or not np.allclose(planes.numbers, expected, rtol=0, atol=_MAX_ERROR):
        raise BrokenError("there are other cube planes than the score and the match equity table make")
    n_columns = int(job.stored.tables["match/values"].shape[2])
    if not np.array_equal(np.unique(planes.columns), np.arange(n_columns)):
        raise BrokenError(f"match/columns does not name each of the {n_columns} columns of match/values")
    return f"{len(expected)} planes follow from {score} and the table"


def _finished(job: Job) -> str:
    values, planes, is_full = job.table("match/values"), _Planes(job), _is_full(job)
    first_row, first_column = values[0, :, :], values[:, 0, :]
    for view in planes.views():
        won, lost = planes.paid(view, is_full)
        if not (first_row[1:, view.column] == won[1:]).all() or not (first_column[1:, view.column] == lost[1:]).all():
            raise BrokenError(f"a finished game is worth the wrong number in column {view.column}")
    return f"{2 * (len(is_full) - 1)} finished games"


def _bounds(job: Job) -> str:
    values, planes = job.table("match/values"), _Planes(job)
    views = list(planes.views())
    columns = [view.column for view in views]
    most = np.array([planes.numbers[view.plane, view.side, :2].max() for view in views])
    least = np.array([-planes.numbers[view.plane, 1 - view.side, :2].max() for view in views])
    n = len(values)
    for start in job.each(range(0, n, _ROWS_AT_A_TIME)):
        part = values[start : start + _ROWS_AT_A_TIME][..., columns]
        good = (part >= least - _MAX_ERROR) & (part <= most + _MAX_ERROR)
        if start == 0:
            good[0, 0] = True  # means nothing
        if not good.all():
            row, other, column = (int(k) for k in np.argwhere(~good)[0])
            raise BrokenError(
                f"{pair_name(job, start + row, other)} has {part[row, other, column]} in column {columns[column]}, "
                f"which is not in {least[column]:g} .. {most[column]:g}"
            )
    return f"{n * n * len(views)} values between a loss and a win"


def _entries(job: Job) -> str:
    values, planes, is_full = job.table("match/values"), _Planes(job), _is_full(job)
    n = len(is_full)
    if job.full or (n - 1) ** 2 <= job.samples:
        pairs = np.stack(np.meshgrid(np.arange(1, n), np.arange(1, n), indexing="ij"), axis=-1).reshape(-1, 2)
    else:
        pairs = job.rng.integers(1, n, (job.samples, 2))
    worst, views = 0.0, list(planes.views())
    for i, j in job.each(pairs.tolist()):
        index = int(job.order[i])
        results = [(1 if a == b else 2, job.rank[sorted(job.rules.results(index, (a, b)))]) for a, b in ROLLS]
        for view in views:
            won, _ = planes.paid(view, is_full)
            mean = sum(
                weight * max(_moved(values, planes, view, int(end), j, float(won[j])) for end in ends)
                for weight, ends in results
            )
            stored = float(values[i, j][view.column])
            error = abs(mean / 36 - stored)
            if not error <= _MAX_ERROR:
                raise BrokenError(
                    f"{pair_name(job, i, j)} has {stored} in column {view.column}, its successors make {mean / 36}"
                )
            worst = max(worst, error)
    return f"{len(pairs)} pairs, every cube state; greatest difference {worst:.1e}"


def _moved(values: Any, planes: _Planes, view: _View, end: int, opponent: int, won: float) -> float:
    """The value of having moved to rank `end`, the opponent being on roll."""
    if end == 0:
        return won
    after, columns = values[opponent, end], planes.columns[1 - view.side]
    _, _, turned, factor, offset, passed = planes.numbers[view.plane, 1 - view.side].tolist()
    best = float(after[columns[view.plane]])
    if turned >= 0:
        best = max(best, min(factor * float(after[columns[int(turned)]]) + offset, passed))
    return -best


MATCH: Final[list[Step]] = [
    ("match equity table", _met),
    ("cube planes", _cube_planes),
    ("two-sided order", check_order),
    ("finished games", _finished),
    ("bounds", _bounds),
    ("pairs from their successors", _entries),
]
"""The rules for the pairs of a file for a match score."""
