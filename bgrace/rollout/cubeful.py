"""Rollouts with the cube: races played out by the solver's own plays and cube decisions.

Before every roll the pair on the board is solved afresh (`bgrace.solving.turns`), all plays of all 21 rolls included:
that settles the double, the take and the play.  A game ends where such a solution is exact, or when a side is off.

Luck is taken from the outcome: of every roll, by how much the best play of it is worth more than the mean over all 21
rolls, by the solution that was made before the dice were thrown.  Its mean is 0 whatever errors the values have, so the
adjusted outcomes estimate the same as the plain ones: what play by these decisions is worth.  What is left of their
spread is by how much solutions of consecutive turns disagree, because the shorter the race gets, the more plays the
solver can compare.  So a rollout is closer to exact than the values that it begins with, and says how close.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import inf, sqrt
from threading import Lock
from typing import Final

import numpy as np

from bgrace._base.arrays import JSON, Floats
from bgrace._base.threads import how_many
from bgrace._kernels.rollout import throws
from bgrace.board import Position, PositionLike, parse_position
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.cube.action import TIE, Cube, Verdict, decide
from bgrace.errors import ArgumentError
from bgrace.match.cube_states import MIN_SCALE
from bgrace.match.stakes import Stakes
from bgrace.rollout.games import MAX_SEED
from bgrace.solving.turns import Budget, TurnsAnswer, solve_every_roll

__all__ = ["CUBEFUL_BLOCK", "CubefulRollout", "Estimate", "cubeful", "stream_cubeful"]

CUBEFUL_BLOCK: Final = 16
"""Games between two results of `stream_cubeful`."""

MAX_CUBEFUL_GAMES: Final = 1_000_000

_MEMORY: Final = 256 << 20
_USUAL: Final = Budget(seconds=0.05, memory_bytes=_MEMORY)

_REMEMBERED: Final = 8192
"""Pairs whose solutions are kept: first turns come again and again."""

_THROWS_A_BLOCK: Final = 12
_ROLL_OF_THROW: Final = tuple(ROLLS.index((max(a, b), min(a, b))) for a in range(1, 7) for b in range(1, 7))
_CHANCES: Final[Floats] = np.array(WEIGHTS) / 36


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of an outcome, for the player on roll.

    Attributes
    ----------
    mean, standard_error : float
        Less the luck of the dice.  The error is infinite for fewer than two games.
    plain_mean, plain_standard_error : float
        With it.
    luck_standard_error : float
        Of the mean luck, ``plain_mean - mean``, which tends to 0.
    """

    mean: float
    standard_error: float
    plain_mean: float
    plain_standard_error: float
    luck_standard_error: float

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for an infinite standard error."""
        return {
            "mean": self.mean,
            "standard_error": _finite(self.standard_error),
            "plain_mean": self.plain_mean,
            "plain_standard_error": _finite(self.plain_standard_error),
        }


@dataclass(frozen=True, slots=True)
class CubefulRollout:
    """What rolling without a double and doubling are worth, by playing the race out; made by `cubeful`.

    Values for money are points per unit of the present cube, at a score chances to win the match; `normalised` makes
    points of these.

    Attributes
    ----------
    on_roll, opponent : Position
    stakes : Stakes
    cube : str
        Where it is: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.
    seed, games : int
    no_double : Estimate
        Rolling now, and doubling as the solver does later.
    double_take : Estimate, or None
        If the player on roll doubles and the opponent takes; None where the player cannot double.
    double_pass : float, or None
    ended_exactly : float
        Share of the games that ended at an exact solution with checkers left.
    """

    on_roll: Position
    opponent: Position
    stakes: Stakes
    cube: Cube
    seed: int
    games: int
    no_double: Estimate
    double_take: Estimate | None
    double_pass: float | None
    ended_exactly: float

    @property
    def verdict(self) -> Verdict:
        """What the means say."""
        won, unit = self.stakes.payoff(1), (self.stakes.payoff(1) - self.stakes.payoff(-1)) / 2
        taken = None if self.double_take is None else self.double_take.mean
        return decide(self.no_double.mean, taken, won, "centered", TIE * max(unit, MIN_SCALE)).verdict

    def normalised(self, estimate: Estimate) -> Estimate | None:
        """An estimate in points per unit of the present cube: money as it is.

        None where the match equity table does not tell winning from losing.
        """
        mean, plain = self.stakes.normalised(estimate.mean), self.stakes.normalised(estimate.plain_mean)
        if mean is None or plain is None:
            return None
        unit = (self.stakes.payoff(1) - self.stakes.payoff(-1)) / 2
        return Estimate(
            mean,
            estimate.standard_error / unit,
            plain,
            estimate.plain_standard_error / unit,
            estimate.luck_standard_error / unit,
        )

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold."""
        estimates = {"no_double": self.no_double, "double_take": self.double_take}
        answer: dict[str, JSON] = {
            "on_roll": {"position": list(self.on_roll), "pips": self.on_roll.pips},
            "opponent": {"position": list(self.opponent), "pips": self.opponent.pips},
            "method": "rollout",
            "stakes": str(self.stakes),
            "cube": self.cube,
            "seed": self.seed,
            "games": self.games,
            **{name: estimate.to_dict() if estimate else None for name, estimate in estimates.items()},
            "double_pass": self.double_pass,
            "verdict": self.verdict,
            "ended_exactly": self.ended_exactly,
        }
        if self.stakes.score is not None:
            in_points = {name: self.normalised(estimate) for name, estimate in estimates.items() if estimate}
            answer["normalised"] = {name: points.to_dict() if points else None for name, points in in_points.items()}
        return answer

    def __str__(self) -> str:
        parts = [f"no double {self._shown(self.no_double)}"]
        if self.double_take is not None:
            parts.append(f"double/take {self._shown(self.double_take)}")
        return (
            f"{self.on_roll} against {self.opponent}, {self.stakes}: {self.verdict}, {', '.join(parts)}, "
            f"in {self.games:,} games"
        )

    def _shown(self, estimate: Estimate) -> str:
        if self.stakes.score is None:
            return f"{estimate.mean:+.4f} +- {estimate.standard_error:.4f}"
        return f"{100 * estimate.mean:.2f} % +- {100 * estimate.standard_error:.2f}"


def cubeful(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes | None = None,
    cube: str | None = None,
    *,
    games: int = 128,
    seed: int = 1,
    budget: Budget | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
) -> CubefulRollout:
    """Play a race out with the cube, at any stakes.

    Parameters
    ----------
    on_roll, opponent : position
        Without contact, at least one checker each.
    stakes : Stakes, optional
        Money with gammons, unless given.
    cube : str, optional
        Where it is, seen by the player on roll; unless given, in the middle, at a score with a larger cube mine.
    games : int
        At least 2.  As dice are adjusted for, few will do.
    seed : int
        0 to `MAX_SEED`.
    budget : Budget, optional
        Of each solution; 0.05 seconds unless given.  With a `delta` that is not infinite no solution counts as exact,
        and games are played to the last checker.
    standard_error : float, optional
        Stop as soon as, after a multiple of `CUBEFUL_BLOCK` games, no adjusted standard error is larger, in points per
        unit of the cube, at a score in normalised points.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    CubefulRollout

    Raises
    ------
    ArgumentError
        If a number is out of range, or the cube cannot be there.
    PositionError
        If a position cannot be read, has no checker left, or there is contact.

    Examples
    --------
    >>> print(cubeful("5x1 6x1", "4x1 5x1", games=2))    # every game ends exactly at once
    5x1 6x1 against 4x1 5x1, money: double/take, no double +0.4038 +- 0.0000, double/take +0.6585 +- 0.0000, in 2 games
    """
    *_, last = stream_cubeful(
        on_roll,
        opponent,
        stakes,
        cube,
        games=games,
        seed=seed,
        budget=budget,
        standard_error=standard_error,
        threads=threads,
    )
    return last


def stream_cubeful(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes | None = None,
    cube: str | None = None,
    *,
    games: int = 128,
    seed: int = 1,
    budget: Budget | None = None,
    standard_error: float | None = None,
    threads: int | None = None,
) -> Iterator[CubefulRollout]:
    """As `cubeful`, but give what there is after every `CUBEFUL_BLOCK` games, and at the end."""
    sides = parse_position(on_roll), parse_position(opponent)
    chosen = stakes or Stakes.money()
    place = chosen.check_cube(cube)
    if not 2 <= games <= MAX_CUBEFUL_GAMES:
        raise ArgumentError(f"games={games!r}: give 2 to {MAX_CUBEFUL_GAMES:,}")
    if not 0 <= seed <= MAX_SEED:
        raise ArgumentError(f"seed={seed!r}: give 0 to {MAX_SEED}")
    if standard_error is not None and not 0 < standard_error < inf:
        raise ArgumentError(f"standard error {standard_error}: give a number above 0, such as 0.001")
    solver = _Pairs(budget or _USUAL)
    root = _Turn(*sides, chosen, place)
    first = solver.look(root)
    starts = [root]
    if first.double_take is not None:
        starts.append(root.doubled(first.beavers))
    outcomes = np.empty((games, len(starts), 3))  # plain, luck, whether it ended at an exact solution
    unit = (chosen.payoff(1) - chosen.payoff(-1)) / 2

    def play(game: int) -> None:
        for k, start in enumerate(starts):
            outcomes[game, k] = _play(solver, start, seed, game)

    with ThreadPoolExecutor(how_many(threads)) as pool:
        for begin in range(0, games, CUBEFUL_BLOCK):
            end = min(begin + CUBEFUL_BLOCK, games)
            list(pool.map(play, range(begin, end)))
            estimates = [_estimate(outcomes[:end, k]) for k in range(len(starts))]
            yield CubefulRollout(
                *sides,
                chosen,
                place,
                seed,
                end,
                estimates[0],
                estimates[1] if len(starts) > 1 else None,
                chosen.payoff(1) if len(starts) > 1 else None,
                float(outcomes[:end, :, 2].mean()),
            )
            worst = max(estimate.standard_error for estimate in estimates)
            if standard_error is not None and worst <= standard_error * max(unit, MIN_SCALE):
                return


@dataclass(frozen=True, slots=True)
class _Turn:
    """A pair before the roll of a player; `sign` and `scale` turn its value into the first player's."""

    on_roll: Position
    opponent: Position
    stakes: Stakes
    cube: Cube
    sign: int = 1
    scale: int = 1

    def first_players(self, value: float) -> float:
        if self.stakes.score is None:
            return self.sign * self.scale * value
        return value if self.sign > 0 else 1 - value

    def doubled(self, beavers: bool = False) -> _Turn:
        """The turn after a double and a take; for money values stay per unit of the cube, at a score the cube grows."""
        if self.stakes.score is not None:
            return replace(self, stakes=replace(self.stakes, cube_value=2 * self.stakes.cube_value), cube="theirs")
        return replace(self, cube="theirs", scale=(4 if beavers else 2) * self.scale)

    def passed_on(self, result: Position) -> _Turn:
        """The opponent's turn after a move."""
        stakes = self.stakes
        if stakes.score is not None:
            stakes = replace(stakes, score=stakes.score.swapped)
        return _Turn(self.opponent, result, stakes, _SEEN_BY_OTHER[self.cube], -self.sign, self.scale)


_SEEN_BY_OTHER: Final[dict[Cube, Cube]] = {"centered": "centered", "none": "none", "mine": "theirs", "theirs": "mine"}


@dataclass(frozen=True, slots=True)
class _Known:
    """What a solution says about a turn, for the player on roll: values with the cube in its place."""

    exact: bool
    value: float
    """With the right to double."""
    double_take: float | None
    double_pass: float
    doubles: bool
    takes: bool
    beavers: bool
    results: list[Position]
    """Of the best play of each roll,"""
    after: Floats
    """and what they are worth, (21,);"""
    mean: float
    """their mean."""


class _Pairs:
    """Solutions, remembered; for any number of threads."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: OrderedDict[tuple[Position, Position, Stakes], dict[Cube, _Known]] = OrderedDict()
        self._lock = Lock()

    def look(self, turn: _Turn) -> _Known:
        key = turn.on_roll, turn.opponent, turn.stakes
        with self._lock:
            actions = self._known.get(key, {})
            if turn.cube in actions:
                self._known.move_to_end(key)
                return actions[turn.cube]
        answer = solve_every_roll(*key, self._budget)
        # Money has all places in one solution, and a rollout without and with a double comes to the same pairs.
        cubes = [cube for cube in turn.stakes.cubes if cube != "none" and turn.stakes.score is None]
        actions = {cube: _known(answer, cube) for cube in dict.fromkeys([turn.cube, *cubes])}
        with self._lock:
            self._known[key] = actions
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return actions[turn.cube]


def _known(answer: TurnsAnswer, cube: Cube) -> _Known:
    values = answer.cube(cube)
    results, after = answer.best_plays(cube)
    return _Known(
        answer.method == "exact",
        values.value,
        values.double_take if values.may_double else None,
        values.double_pass,
        values.doubles,
        values.takes,
        values.beavers,
        results,
        after,
        float(_CHANCES @ after),
    )


def _play(solver: _Pairs, turn: _Turn, seed: int, game: int) -> tuple[float, float, float]:
    """Outcome of a game for the first player, the luck in it, and whether it ended at an exact solution.

    The first roll is thrown with the cube where it is, whether or not the player would double.
    """
    luck, rolls = 0.0, 0
    dice: list[list[int]] = [[], []]
    while True:
        known = solver.look(turn)
        side, own = rolls % 2, rolls // 2
        if rolls and known.exact:
            return turn.first_players(known.value), luck, 1.0
        if rolls and known.double_take is not None and known.doubles:
            if not known.takes:
                return turn.first_players(known.double_pass), luck, 0.0
            turn = turn.doubled(known.beavers)
            known = solver.look(turn)
        if own >= len(dice[side]):
            dice[side] = throws(seed, game, side, own // _THROWS_A_BLOCK + 1).tolist()
        roll = _ROLL_OF_THROW[dice[side][own]]
        after = float(known.after[roll])
        luck += turn.first_players(after) - turn.first_players(known.mean)
        result = known.results[roll]
        if not result.checkers:
            return turn.first_players(after), luck, 0.0
        turn = turn.passed_on(result)
        rolls += 1


def _estimate(outcomes: Floats) -> Estimate:
    plain, luck = outcomes[:, 0], outcomes[:, 1]
    (mean, error), (plain_mean, plain_error), (_, luck_error) = map(_mean, (plain - luck, plain, luck))
    return Estimate(mean, error, plain_mean, plain_error, luck_error)


def _mean(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else inf


def _finite(value: float) -> float | None:
    return value if value < inf else None
