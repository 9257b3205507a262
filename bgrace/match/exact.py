"""Bearoffs at a match score, solved exactly, with the real cube states of that score.

What those states are stands in `bgrace.match.cube_states`; the solver is csrc/exact.c.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from bgrace._kernels.threads import how_many
from bgrace.arrays import Floats
from bgrace.cube.action import TIE, Cube, check_cube, decide, with_double
from bgrace.dice import parse_roll
from bgrace.errors import ArgumentError, MemoryLimitError
from bgrace.match.cube_states import LEAST_SCALE, CubeState, CubeStates, Payoff, View
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_cube_value
from bgrace.notation import Position
from bgrace.pair import MOST_STATES, Plan, PositionPair
from bgrace.plays import Play, legal_plays, rank_plays
from bgrace.two_sided import GAMMON_CHECKERS

__all__ = [
    "MatchAction",
    "MatchPlay",
    "MatchSolution",
    "MatchValues",
    "mwc_of",
    "normalised_equity",
    "solve_match",
    "solve_scores",
]


_MOST_PLANES: Final = MOST_STATES // 2  # either side sees its own


# ---------------------------------------------------------------------- equities


def normalised_equity(table: MatchEquityTable, score: Score, cube: int, mwc: float) -> float | None:
    """A chance to win the match as points per unit of the cube: +1 is a single win, -1 a single loss.

    Parameters
    ----------
    table : MatchEquityTable
    score : Score
    cube : int
        Value that is played for.
    mwc : float
        Chance of the player on roll to win the match.

    Returns
    -------
    float, or None
        None where the table does not tell winning from losing.

    Notes
    -----
    The straight line through R(cube) and R(-cube), as GNU Backgammon and eXtreme Gammon draw it.
    """
    won, lost = table.after(score, cube), table.after(score, -cube)
    return (2 * mwc - won - lost) / (won - lost) if won > lost else None


def mwc_of(table: MatchEquityTable, score: Score, cube: int, equity: float) -> float:
    """The inverse of `normalised_equity`: the chance to win the match that an equity stands for."""
    won, lost = table.after(score, cube), table.after(score, -cube)
    return lost + (equity + 1) * (won - lost) / 2


@dataclass(frozen=True, slots=True)
class MatchValues:
    """What a pair of positions is worth to the player on roll, by where the cube is.

    Attributes
    ----------
    cubeless : float
        If nobody ever turned the present cube.
    centered, mine, theirs : float, or None
        With the right to double before this roll where he has it; None for a cube that cannot be there: a cube of 1 is
        in the middle, a larger one is not.
    """

    cubeless: float | None
    centered: float | None
    mine: float | None
    theirs: float | None

    def to_dict(self) -> dict[str, float | None]:
        """Every attribute under its name."""
        return {name: getattr(self, name) for name in ("cubeless", "centered", "mine", "theirs")}


@dataclass(frozen=True, slots=True)
class MatchAction:
    """A cube decision at a match score, in match winning chances, with normalised equities beside them.

    Attributes
    ----------
    score : Score
    cube_value : int
        Before the double.
    cube : str
        Where the cube is, seen by the player on roll: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.
    no_double, double_take, double_pass : float
        Chance of the player on roll to win the match if he rolls, if his double is taken, if it is passed.  The last
        two are None where he may not double or has no use for it.
    double, take : bool, or None
        Whether to double, and whether to take if doubled.
    verdict : str
        As in `bgrace.CubeAction`.
    reason : str, or None
        Why there is no cube to turn, with the verdict ``"no cube"``.
    no_double_equity, double_take_equity, double_pass_equity : float, or None
        The same in normalised equities, all at the cube before the double, so that a pass is +1.  None as above, and
        where the table does not tell winning from losing.
    """

    score: Score
    cube_value: int
    cube: Cube
    no_double: float
    double_take: float | None
    double_pass: float | None
    double: bool | None
    take: bool | None
    verdict: str
    reason: str | None
    no_double_equity: float | None
    double_take_equity: float | None
    double_pass_equity: float | None

    @property
    def mwc(self) -> float:
        """Chance to win the match by the better of rolling and doubling, the opponent answering well."""
        if self.double_take is None or self.double_pass is None:
            return self.no_double
        return max(self.no_double, min(self.double_take, self.double_pass))

    @property
    def double_margin(self) -> float | None:
        """By how much normalised equity doubling beats rolling; below 0 where it is worse; None without a cube."""
        values = (self.no_double_equity, self.double_take_equity, self.double_pass_equity)
        if values[0] is None or values[1] is None or values[2] is None:
            return None
        return min(values[1], values[2]) - values[0]

    @property
    def take_margin(self) -> float | None:
        """By how much normalised equity taking beats passing for the opponent; None without a cube."""
        if self.double_take_equity is None or self.double_pass_equity is None:
            return None
        return self.double_pass_equity - self.double_take_equity

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it: chances under the names of a money decision, equities under ``"normalised"``."""
        return {
            "cube": self.cube,
            "cube_value": self.cube_value,
            "no_double": self.no_double,
            "double_take": self.double_take,
            "double_pass": self.double_pass,
            "double": self.double,
            "take": self.take,
            "verdict": self.verdict,
            "reason": self.reason,
            "normalised": {
                "no_double": self.no_double_equity,
                "double_take": self.double_take_equity,
                "double_pass": self.double_pass_equity,
            },
        }

    def __str__(self) -> str:
        head = f"{self.verdict} ({self.score}, cube {self.cube_value} {self.cube})"
        if self.double_take is None or self.double_pass is None:
            return f"{head}: roll {100 * self.no_double:.2f} %"
        return (
            f"{head}: no double {100 * self.no_double:.2f} %, double/take {100 * self.double_take:.2f} %, "
            f"double/pass {100 * self.double_pass:.2f} %"
        )


@dataclass(frozen=True, slots=True)
class MatchPlay(Play):
    """One way to play a roll at a match score.

    Attributes
    ----------
    play, position, equity, loss
        As for `bgrace.Play`; equities are normalised ones, at the cube that is played with.
    mwc : float
        Chance to win the match after the play.
    """

    mwc: float

    def to_dict(self) -> dict[str, Any]:
        """Every attribute under its name, as JSON would have it."""
        return {
            "play": self.play,
            "position": list(self.position),
            "equity": self.equity,
            "loss": self.loss,
            "mwc": self.mwc,
        }


# ---------------------------------------------------------------------- solving


def _gammons_happen(sides: Iterable[Position], gammons: bool) -> bool:
    return gammons and any(side.checkers == GAMMON_CHECKERS for side in sides)


def _check_memory(pair: PositionPair, plan: Plan, n_planes: int, memory_bytes: int) -> None:
    """Refuse what does not fit."""
    needed = plan.n_bytes + pair.graph_bytes
    if needed > memory_bytes:
        raise MemoryLimitError(
            f"these positions lead to {pair.pairs:,} pairs for either side on roll, with {n_planes} cube states "
            f"{needed / 2**30:.2f} GiB; {memory_bytes / 2**30:.2f} GiB are allowed: allow more, or ask for smaller "
            "positions"
        )


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
            MatchPlay(play.play, play.position, play.equity, play.loss, of[tuple(play.position)])
            for play in rank_plays(self.on_roll, dice, results, worth)
        ]

    def _check(self, cube: str | None) -> Cube:
        where = self.default_cube if cube is None else check_cube(cube)
        if where not in self._states:
            there = "in the middle (centered)" if self.cube_value == 1 else "on a side (mine or theirs)"
            raise ArgumentError(f"a cube of {self.cube_value} cannot be {where}: it is {there}")
        return where

    def _worth(self, where: Cube) -> MatchAction:
        return _action(self.table, self.score, self.cube_value, where, self._states[where], self._solved.now())

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


def _action(
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


def solve_match(
    on_roll: Position,
    opponent: Position,
    score: Score,
    *,
    cube_value: int = 1,
    table: MatchEquityTable | None = None,
    gammons: bool = True,
    memory_bytes: int = 8 << 30,
    threads: int | None = None,
) -> MatchSolution:
    """Solve one pair at one score; `bgrace.solve` with ``match=`` is the way to ask for it.

    Parameters
    ----------
    on_roll, opponent : Position
    score : Score
    cube_value : int
    table : MatchEquityTable, optional
        The one that comes with bgrace, unless given.
    gammons : bool
    memory_bytes : int
    threads : int, optional

    Returns
    -------
    MatchSolution

    Raises
    ------
    ArgumentError
        If the cube value is none, or the table does not go as far as the score.
    MemoryLimitError
        If the positions that the two sides can come to are too many; nothing has been computed then.
    PositionError
        If a side has no checker left.
    """
    cube = check_cube_value(cube_value)
    payoff = Payoff(table or MatchEquityTable.default(), score)
    pair, n_threads = PositionPair(on_roll, opponent), how_many(threads)
    planes = CubeStates(_gammons_happen(pair.sides, gammons))
    places: tuple[Cube, ...] = ("none", "centered") if cube == 1 else ("none", "mine", "theirs")
    states = {where: planes.state(payoff, cube, where) for where in places}
    plan = pair.plan(planes.planes)
    _check_memory(pair, plan, len(planes.planes), memory_bytes)
    solved = pair.solve(plan, n_threads)
    return MatchSolution(
        on_roll,
        opponent,
        score,
        cube,
        payoff.table,
        gammons,
        pair.reachable,
        (1 + float(solved.now()[0])) / 2,
        solved,
        states,
    )


def solve_scores(
    on_roll: Position,
    opponent: Position,
    cases: Sequence[tuple[Score, int, Cube]],
    *,
    table: MatchEquityTable | None = None,
    gammons: bool = True,
    memory_bytes: int = 8 << 30,
    threads: int | None = None,
) -> list[MatchAction]:
    """The cube action of one pair at many scores, sharing whatever cube states they share.

    Parameters
    ----------
    on_roll, opponent : Position
    cases : sequence of (Score, int, str)
        Score, cube value, and where the cube is.
    table, gammons, memory_bytes, threads
        As for `solve_match`.

    Returns
    -------
    list of MatchAction
        One for each case.

    Raises
    ------
    ArgumentError, MemoryLimitError, PositionError
        As for `solve_match`.
    """
    met = table or MatchEquityTable.default()
    pair, n_threads = PositionPair(on_roll, opponent), how_many(threads)
    planes = CubeStates(_gammons_happen(pair.sides, gammons))
    states = []
    for score, cube, where in cases:
        if (where == "centered") != (check_cube_value(cube) == 1) and where != "none":
            raise ArgumentError(f"a cube of {cube} cannot be {where}")
        states.append(planes.state(Payoff(met, score), cube, where))
    batches = _batches(pair, planes, cases, states)
    largest = max(batches, key=lambda batch: batch.plan.n_bytes, default=None)
    if largest is None:
        return []
    workers = min(n_threads, len(batches))
    while workers > 1 and largest.plan.n_bytes * workers + pair.graph_bytes > memory_bytes:
        workers -= 1
    _check_memory(pair, largest.plan, len(largest.order), memory_bytes)
    for batch in batches:
        pair.graphs(batch.plan.together, n_threads)

    def solve_batch(batch: _Batch) -> list[tuple[int, MatchAction]]:
        row = np.full(len(planes.planes), np.nan)
        row[batch.order] = pair.solve(batch.plan, max(1, n_threads // workers)).now()
        return [(k, _action(met, cases[k][0], *cases[k][1:], states[k], row)) for k in batch.members]

    # One thread a batch: threads that share the small work of one batch would mostly wait for each other.
    with ThreadPoolExecutor(workers) as pool:
        answers = dict(itertools.chain.from_iterable(pool.map(solve_batch, batches)))
    return [answers[k] for k in range(len(cases))]


class _Batch:
    """Cases that are solved together, and the planes that they need."""

    def __init__(self, pair: PositionPair, states: CubeStates, members: list[int], needed: set[int]) -> None:
        self.members, self.order = members, sorted(needed)
        place = {plane: k for k, plane in enumerate(self.order)}
        chosen = [states.planes[k] for k in self.order]
        self.plan = pair.plan(
            [each._replace(turned=(place.get(each.turned[0], -1), place.get(each.turned[1], -1))) for each in chosen]
        )


def _batches(
    pair: PositionPair, states: CubeStates, cases: Sequence[tuple[Score, int, Cube]], found: Sequence[CubeState]
) -> list[_Batch]:
    """Batches of as many planes as the solver takes, a score beside the one with the sides exchanged."""

    def kind(k: int) -> tuple[int, int, bool]:
        a, b = cases[k][0].on_roll_needs, cases[k][0].opponent_needs
        return min(a, b), max(a, b), cases[k][0].crawford

    groups: list[tuple[list[int], set[int]]] = []
    for _, same in itertools.groupby(sorted(range(len(cases)), key=kind), key=kind):
        members = list(same)
        needed = set().union(*(states.needed(found[k].now.plane) for k in members))
        if groups and len(groups[-1][1] | needed) <= _MOST_PLANES:
            groups[-1][0].extend(members)
            groups[-1][1].update(needed)
        else:
            groups.append((members, needed))
    return [_Batch(pair, states, *group) for group in groups]
