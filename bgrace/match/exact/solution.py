"""A pair of positions, solved at a match score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.board import Position
from bgrace.board.dice import parse_roll
from bgrace.board.plays import legal_plays, rank_plays
from bgrace.cube.action import TIE, Cube, check_cube, decide, with_double
from bgrace.errors import ArgumentError
from bgrace.match.cube_states import LEAST_SCALE, CubeState, View
from bgrace.match.exact.equities import normalised_equity
from bgrace.match.exact.results import MatchAction, MatchPlay, MatchValues
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.tables.two_sided import GAMMON_CHECKERS

__all__ = ["MatchSolution", "action_of"]


class Solved(Protocol):
    """What a solution asks for the values of planes: the solver's answer, or a database's."""

    def now(self) -> Floats:
        """For the player on roll, (planes,)."""

    def answers(self, result: Position) -> Floats:
        """For the opponent when the player on roll has moved to `result`, (planes,)."""


@dataclass(frozen=True, slots=True)
class MatchSolution:
    """A pair of positions, solved at a match score.

    Attributes
    ----------
    on_roll, opponent : Position
    score : Score
        Before this game.
    cube_value : int
    table : MatchEquityTable
    gammons : bool
        Whether a loser who still has all 15 checkers loses double.
    reachable : tuple of two int
        How many positions the player on roll and the opponent can come to, as they were solved.
    win_probability : float
        Of the player on roll to win this game, both sides playing to win it, without a cube.
    method : str
        ``"solved"``, or ``"match database"``.
    """

    on_roll: Position
    opponent: Position
    score: Score
    cube_value: int
    table: MatchEquityTable
    gammons: bool
    reachable: tuple[int, int]
    win_probability: float
    _solved: Solved
    _states: dict[Cube, CubeState]
    method: str = "solved"

    @property
    def default_cube(self) -> Cube:
        """Where the cube is unless something else is said: in the middle, or mine if it has been turned."""
        return "centered" if self.cube_value == 1 else "mine"

    @property
    def match_chances(self) -> MatchValues:
        """Chance of the player on roll to win the match, by where the cube is, with the right to double first."""
        return MatchValues(
            self._worth("none").no_double,
            *(self._worth(where).mwc if where in self._states else None for where in ("centered", "mine", "theirs")),
        )

    @property
    def equities(self) -> MatchValues:
        """The same in normalised equities at the present cube."""
        values = self.match_chances.to_dict().values()
        return MatchValues(*(None if each is None else self._normalised(each) for each in values))

    def cube_action(self, cube: str | None = None) -> MatchAction:
        """Whether to double, and whether to take.

        Parameters
        ----------
        cube : str, optional
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``; unless given, in the middle at 1, else mine.

        Returns
        -------
        MatchAction

        Raises
        ------
        ArgumentError
            If `cube` is unknown, or a cube of this value cannot be there.
        """
        return self._worth(self._check(cube))

    def best_plays(self, roll: str | Iterable[int], cube: str | None = None) -> list[MatchPlay]:
        """Every play of a roll, best first.

        Parameters
        ----------
        roll : str or pair of int
        cube : str, optional
            As for `cube_action`.

        Returns
        -------
        list of MatchPlay

        Raises
        ------
        ArgumentError
            If `cube` is unknown, or a cube of this value cannot be there.
        RollError
            If `roll` is no roll.
        """
        where, dice = self._check(cube), parse_roll(roll)
        results = legal_plays(self.on_roll, dice)
        chances = np.array([self._chance_of_moving_to(result, where) for result in results])
        won, lost = (self.table.after(self.score, points) for points in (self.cube_value, -self.cube_value))
        # Where the table does not tell winning from losing, the chances themselves still rank the plays.
        scale = won - lost if won > lost else 2.0
        worth = (2 * chances - won - lost) / scale
        of = {tuple(result): float(chance) for result, chance in zip(results, chances, strict=True)}
        return [
            MatchPlay(
                play.play,
                play.position,
                play.equity,
                play.loss,
                of[tuple(play.position)],
                start=play.start,
                roll=play.roll,
            )
            for play in rank_plays(self.on_roll, dice, results, worth)
        ]

    def _check(self, cube: str | None) -> Cube:
        where = self.default_cube if cube is None else check_cube(cube)
        if where not in self._states:
            there = "in the middle (centered)" if self.cube_value == 1 else "on a side (mine or theirs)"
            raise ArgumentError(f"a cube of {self.cube_value} cannot be {where}: it is {there}")
        return where

    def _worth(self, where: Cube) -> MatchAction:
        return action_of(self.table, self.score, self.cube_value, where, self._states[where], self._solved.now())

    def _chance_of_moving_to(self, result: Position, where: Cube) -> float:
        if not result.checkers:
            gammon = self.gammons and self.opponent.checkers == GAMMON_CHECKERS
            return self.table.after(self.score, (2 if gammon else 1) * self.cube_value)
        row = self._solved.answers(result)
        state = self._states[where]
        his = 1 - state.now.middle + state.now.scale * float(row[state.now.plane])
        if state.turned[1] is not None:
            view = state.turned[1]
            taken = 1 - view.middle + view.scale * float(row[view.plane])
            his = with_double(his, taken, 1 - self.table.after(self.score, -self.cube_value))
        return 1 - his

    def _normalised(self, mwc: float) -> float | None:
        return normalised_equity(self.table, self.score, self.cube_value, mwc)


def action_of(
    table: MatchEquityTable, score: Score, cube: int, where: Cube, state: CubeState, row: Floats
) -> MatchAction:
    """The decision of the player on roll, from what the planes hold for the pair."""
    won, lost = table.after(score, cube), table.after(score, -cube)

    def chance(view: View) -> float:
        return view.middle + view.scale * float(row[view.plane])

    def equity(mwc: float | None) -> float | None:
        return None if mwc is None or won <= lost else (2 * mwc - won - lost) / (won - lost)

    now = chance(state.now)
    taken = None if state.turned[0] is None else chance(state.turned[0])
    # Equal equities are a tie; a difference of chances means more or less, depending on the score.
    action = decide(now, taken, won, "none" if taken is None else where, TIE * max((won - lost) / 2, LEAST_SCALE))
    passed = None if taken is None else won
    return MatchAction(
        score,
        cube,
        where,
        now,
        taken,
        passed,
        action.double,
        action.take,
        str(action.verdict),
        _reason(score, cube, where) if taken is None else None,
        equity(now),
        equity(taken),
        equity(passed),
    )


def _reason(score: Score, cube: int, where: Cube) -> str:
    if where == "none":
        return "played without a cube"
    if score.kind == "Crawford":
        return "nobody may double in the Crawford game"
    if where == "theirs":
        return "the cube is the opponent's"
    return f"a cube of {cube} already wins the match for the player on roll"
