"""A pair of a file for money: what `bgrace.Solution` asks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.answers import Gammons, Solution, Values
from bgrace.board import Position
from bgrace.cube.action import Cube
from bgrace.database.sources import BOTH_FINISHED, Asked, Source, no_cube, one_sided_wins
from bgrace.errors import ArgumentError, CoverageError, PositionError
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Place, Rules, Stakes
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.one_sided import ONE_SIDED_ERROR, one_sided_gammons
from bgrace.tables.two_sided import Plane

_NO_CUBE: Final[Mapping[Cube, Place]] = {"none": MONEY_PLACES["none"]}


def money_solution(source: Source, on_roll: Position, opponent: Position, asked: Asked) -> Solution:
    """A pair in tables for money."""
    if asked.match is not None or asked.met is not None:
        raise ArgumentError(
            f"{source.path} is for money: leave out match= and met=, solve the pair (bgrace.solve), or build a file "
            "for the score"
        )
    indices = source.space.index(on_roll), source.space.index(opponent)
    if not any(indices):
        raise PositionError(BOTH_FINISHED)
    sides = source.space.position(indices[0]), source.space.position(indices[1])
    exact, full = max(indices) < source.n_pairs, GAMMON_CHECKERS in (on_roll.checkers, opponent.checkers)
    rules = Rules(gammons=source.gammons or not (exact and full)) if asked.rules is None else asked.rules
    if exact and full and rules.gammons != source.gammons:
        counts = "counts" if source.gammons else "does not count"
        raise CoverageError(f"{source.path} {counts} gammons, and these rules differ: solve the pair (bgrace.solve)")
    stakes = Stakes.money(replace(rules, jacoby=rules.jacoby or asked.jacoby), asked.cube_value)
    return Solution(*sides, stakes, _StoredPair(source, sides, indices, stakes.rules))


class _StoredPair:
    """A pair of a file for money: a `PairAnswers`."""

    def __init__(
        self, source: Source, sides: tuple[Position, Position], indices: tuple[int, int], rules: Rules
    ) -> None:
        self._source, self._sides, self._indices, self._rules = source, sides, indices, rules
        self._exact = max(indices) < source.n_pairs

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        if not self._exact:
            return self._estimate(np.array([2 * self.win_probability() - 1]), max(self._indices))
        if not self._source.cubeful:
            mine, theirs = (np.array(index) for index in self._indices)
            (cubeless,) = self._source.value_arrays(mine, theirs, (Plane.CUBELESS,), False, False)
            return self._cubeless(cubeless.reshape(1))
        return self._values(np.array(self._source.values(*self._indices, self._rules.jacoby, False)))

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        ends = np.asarray(self._source.space.index(np.array(results)))
        opponent = np.full(ends.shape, self._indices[1])
        most = max(int(ends.max()), self._indices[1])
        if most >= self._source.n_pairs:
            # One method for all plays: a mixture could rank an estimate above an exact value.
            return self._estimate(2 * one_sided_wins(self._source, opponent, ends)[:, np.newaxis] - 1, most)
        planes = SEEN_BY_OTHER if self._source.cubeful else (Plane.CUBELESS,)
        columns = self._source.value_arrays(opponent, ends, planes, self._rules.jacoby, False)
        rows = np.stack(columns, axis=-1)
        return self._values(rows) if self._source.cubeful else self._cubeless(rows)

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._source.win(*self._indices)

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        full = [side.checkers == GAMMON_CHECKERS for side in self._sides]
        if self._exact and not all(full):
            cubeless = self._source.values(*self._indices, False, False)[Plane.CUBELESS]
            difference = cubeless - (2 * self.win_probability() - 1)
            return Gammons(max(difference, 0.0), max(-difference, 0.0), None, None, "two-sided")
        try:
            firsts = [
                self._source.first_checker_rolls(k) if all_there else None
                for k, all_there in zip(self._indices, full, strict=True)
            ]
        except CoverageError:  # a file of GNU Backgammon's may have left them out
            return Gammons(None, None, None, None, None)
        chances = one_sided_gammons(*(self._source.rolls(k) for k in self._indices), *firsts)
        return Gammons(*chances, None, None, "one-sided")

    def _values(self, rows: Floats) -> Values:
        source = self._source
        # What a pair of the table can come to is in the table, too.
        return Values(rows, MONEY_PLACES, "two-sided", source.error, precision=source.precision, of_any_roll=True)

    def _cubeless(self, rows: Floats) -> Values:
        missing = no_cube(self._source)
        return Values(
            rows, _NO_CUBE, "two-sided", self._source.error, precision=self._source.precision, missing=missing
        )

    def _estimate(self, rows: Floats, most: int) -> Values:
        missing = self._source.why_not_covered(self._source.space.position(most).checkers)
        return Values(rows, _NO_CUBE, "one-sided", ONE_SIDED_ERROR, missing=missing)
