"""Bearoffs at a match score, solved exactly, with the real cube states of that score.

A cube state is a value c and an owner: (1, nobody), or (c, a player) for c = 2, 4, 8, ...  Whoever owns the cube, or
either side while nobody does, may turn it to 2c and hand it over, unless c already wins him the match: then the cube is
dead for him.  From (1, nobody) two chains of states start, one for each first doubler, and each ends where the owner's
cube is dead.  With R(k) the chance of winning the match after winning the game by k points, for the player on roll

    N[c, owner]  = mean over the rolls of the best play: R(c) or R(2c) if it ends the game, else 1 - E of the opponent
    E[c, owner]  = N, or max(N, min(N[2c, other], R(c))) for a player who may turn the cube

Zadeh, "On doubling in tournament backgammon", Management Science 23 (1977), has the same rules of what a cube can do,
but no positions.  Every state is a plane of its own for the solver in csrc/exact.c.

What a plane holds is a chance less a number, the *shift*, so that the two sides' values of a game sum to 0.  Where no
gammon can happen that makes all dead cubes the same plane: a dead cube of c is worth a constant plus a multiple of
2W - 1, W the chance to win the game.  With the shift of a chain chosen as that constant for the cube at its end,
doubling into it is worth a multiple of that one plane, which the solver can express.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._kernels.threads import how_many
from bgrace.cube.action import TIE, Cube, check_cube, decide, with_double
from bgrace.dice import parse_roll
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_cube_value
from bgrace.notation import Position
from bgrace.plays import Play, legal_plays, rank_plays
from bgrace.positions import PositionSpace, space_of
from bgrace.two_sided import GAMMON_CHECKERS

__all__ = [
    "MatchAction",
    "MatchPlay",
    "MatchSolution",
    "MatchValues",
    "chain_length",
    "mwc_of",
    "normalised_equity",
    "solve_match",
    "solve_scores",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Owner: TypeAlias = Literal["nobody", "on roll", "opponent"]

_OWNERS: Final[dict[Cube, Owner]] = {"centered": "nobody", "mine": "on roll", "theirs": "opponent"}
_MOST_PLANES: Final = 32  # BGR_MAX_STATES
_LEAST_SCALE: Final = 1e-5  # where winning and losing differ by less, ties are told by chances, not by equities


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


# ---------------------------------------------------------------------- cube states


class _Payoff(NamedTuple):
    """What a match is worth after a game, to the side that its table and score are seen by."""

    table: MatchEquityTable
    score: Score

    def __call__(self, points: int) -> float:
        return self.table.after(self.score, points)


class _View(NamedTuple):
    """Where the chances of a cube state stand: shift + scale * plane for the player on roll.

    For the opponent, when he is on roll, it is 1 - shift + scale * plane.
    """

    plane: int
    shift: float
    scale: float


class _Plane(NamedTuple):
    """One plane of the solver; two with equal fields are the same plane."""

    win: tuple[float, float]  # single win of the player on roll, of the opponent
    gammon: tuple[float, float]
    turned: tuple[int, int]
    factor: tuple[float, float]
    passed: tuple[float, float]


_WIN: Final = _Plane((1.0, 1.0), (1.0, 1.0), (-1, -1), (0.0, 0.0), (0.0, 0.0))  # 2W - 1; always plane 0


@dataclass(slots=True)
class _Planes:
    """All cube states that somebody has asked for, each different plane once.

    `gammons` is whether a gammon can happen at all; if not, dead cubes need no planes.
    """

    gammons: bool
    planes: list[_Plane] = field(default_factory=lambda: [_WIN])
    _known: dict[_Plane, int] = field(default_factory=lambda: {_WIN: 0})

    def view(self, payoff: _Payoff, cube: int, owner: Owner, shift: float | None = None) -> _View:
        """The view of a state; `shift` asks for a plane with that shift.  Doubled states are added before it."""
        score = payoff.score
        may = (
            owner in ("nobody", "on roll") and score.may_double(cube),
            owner in ("nobody", "opponent") and score.swapped.may_double(cube),
        )
        if not any(may):
            return self.dead(payoff, cube, shift)
        wanted = shift
        turned: list[_View | None] = [None, None]
        for side, to in enumerate[Owner](("opponent", "on roll")):
            if may[side]:
                turned[side] = found = self.view(payoff, 2 * cube, to, wanted)
                wanted = found.shift
        assert wanted is not None
        shifts = (wanted, 1 - wanted)
        values = [self._outcomes(payoff, cube, side, shifts[side]) for side in (0, 1)]
        to_planes = [-1 if each is None else each.plane for each in turned]
        factors = [0.0 if each is None else each.scale for each in turned]
        plane = _Plane(
            win=(values[0][0], values[1][0]),
            gammon=(values[0][1], values[1][1]),
            turned=(to_planes[0], to_planes[1]),
            factor=(factors[0], factors[1]),
            # A double that is passed pays what a single win at the present cube pays.
            passed=(values[0][0] if may[0] else 0.0, values[1][0] if may[1] else 0.0),
        )
        return _View(self._add(plane), wanted, 1.0)

    def dead(self, payoff: _Payoff, cube: int, shift: float | None = None) -> _View:
        """The view of a cube that nobody turns."""
        won, lost = payoff(cube), payoff(-cube)
        middle = (won + lost) / 2
        decides = cube >= max(payoff.score.on_roll_needs, payoff.score.opponent_needs)
        if (decides or not self.gammons) and (shift is None or shift == middle):
            return _View(0, middle, (won - lost) / 2)
        shift = middle if shift is None else shift
        values = (self._outcomes(payoff, cube, 0, shift), self._outcomes(payoff, cube, 1, 1 - shift))
        plane = _Plane(
            win=(values[0][0], values[1][0]),
            gammon=(values[0][1], values[1][1]),
            turned=(-1, -1),
            factor=(0.0, 0.0),
            passed=(0.0, 0.0),
        )
        return _View(self._add(plane), shift, 1.0)

    def needed(self, plane: int) -> set[int]:
        """A plane and every plane that doubling leads to."""
        found = {plane, 0}
        for each in self.planes[plane].turned:
            if each >= 0:
                found |= self.needed(each)
        return found

    def _outcomes(self, payoff: _Payoff, cube: int, side: int, shift: float) -> tuple[float, float]:
        sign = 1 if side == 0 else -1
        single, double = (_seen_by(side, payoff(sign * points)) - shift for points in (cube, 2 * cube))
        return single, double if self.gammons else single

    def _add(self, plane: _Plane) -> int:
        if plane not in self._known:
            self._known[plane] = len(self.planes)
            self.planes.append(plane)
        return self._known[plane]


def _seen_by(side: int, mwc: float) -> float:
    return mwc if side == 0 else 1 - mwc


def chain_length(first: int, second: int) -> int:
    """How often the cube is of use, from 1 on, if the side that needs `first` points doubles first.

    Examples
    --------
    >>> chain_length(3, 5), chain_length(5, 3)
    (2, 3)
    """
    needs, cube, length = (first, second), 1, 0
    while needs[length % 2] > cube:
        cube, length = 2 * cube, length + 1
    return length


# ---------------------------------------------------------------------- solving


class _Pair:
    """Two positions with all that they can come to, ready to be solved for any planes."""

    def __init__(self, on_roll: Position, opponent: Position, threads: int | None) -> None:
        self.sides = (on_roll, opponent)
        for name, side in zip(("on_roll", "opponent"), self.sides, strict=True):
            if not side.checkers:
                raise PositionError(f"{name} has no checker left: the game is over")
        self.n_threads = how_many(threads)
        self.spaces: list[PositionSpace] = [space_of(side.points, side.checkers) for side in self.sides]
        self.parts = [
            kernel.reachable(space.kernel, space.index(side))
            for space, side in zip(self.spaces, self.sides, strict=True)
        ]

    def bytes_for(self, n_planes: int) -> int:
        """Memory for so many planes: two tables and two sets of values, 8 bytes a pair."""
        return 4 * 8 * len(self.parts[0]) * len(self.parts[1]) * n_planes

    def check_memory(self, n_planes: int, memory_bytes: int) -> None:
        """Refuse what does not fit."""
        pairs, needed = len(self.parts[0]) * len(self.parts[1]), self.bytes_for(n_planes)
        if needed > memory_bytes:
            raise MemoryLimitError(
                f"these positions lead to {pairs:,} pairs for either side on roll, with {n_planes} cube states "
                f"{needed / 2**30:.2f} GiB; {memory_bytes / 2**30:.2f} GiB are allowed: allow more, or ask for smaller "
                "positions"
            )

    def prepare(self) -> None:
        self.graphs = [
            kernel.Graph(space.kernel, part, self.n_threads)
            for space, part in zip(self.spaces, self.parts, strict=True)
        ]
        self.ranks = [{int(index): rank for rank, index in enumerate(graph.indices())} for graph in self.graphs]
        self.row, self.column = (
            ranks[self.spaces[side].index(self.sides[side])] for side, ranks in enumerate(self.ranks)
        )

    def solve(self, planes: Sequence[_Plane], n_threads: int) -> tuple[Floats, Floats]:
        """Tables of both sides on roll, (own, other, planes)."""
        a, b = self.graphs
        tables = np.empty((len(a), len(b), len(planes))), np.empty((len(b), len(a), len(planes)))
        states = [
            [
                (plane.win[side], plane.gammon[side], k, plane.turned[side], plane.factor[side], plane.passed[side])
                for k, plane in enumerate(planes)
            ]
            for side in (0, 1)
        ]
        kernel.solve_exactly(a, b, states[0], states[1], tables[0], tables[1], GAMMON_CHECKERS, 0.0, n_threads)
        return tables


def _gammons_happen(sides: Iterable[Position], gammons: bool) -> bool:
    return gammons and any(side.checkers == GAMMON_CHECKERS for side in sides)


class _State(NamedTuple):
    """A place of the cube with what doubling leads to, for either side on roll."""

    now: _View
    turned: tuple[_View | None, _View | None]


def _state(planes: _Planes, payoff: _Payoff, cube: int, where: Cube) -> _State:
    if where == "none":
        return _State(planes.dead(payoff, cube), (None, None))
    now = planes.view(payoff, cube, _OWNERS[where])
    plane = planes.planes[now.plane]
    turned: list[_View | None] = [None, None]
    if now.plane:
        for side in (0, 1):
            if plane.turned[side] >= 0:
                turned[side] = _View(plane.turned[side], now.shift, plane.factor[side])
    return _State(now, (turned[0], turned[1]))


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
    """

    on_roll: Position
    opponent: Position
    score: Score
    cube_value: int
    table: MatchEquityTable
    gammons: bool
    reachable: tuple[int, int]
    win_probability: float
    _pair: _Pair
    _states: dict[Cube, _State]
    _tables: tuple[Floats, Floats]

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
        row = self._tables[0][self._pair.row, self._pair.column]
        return _action(self.table, self.score, self.cube_value, where, self._states[where], row)

    def _chance_of_moving_to(self, result: Position, where: Cube) -> float:
        if not result.checkers:
            gammon = self.gammons and self.opponent.checkers == GAMMON_CHECKERS
            return self.table.after(self.score, (2 if gammon else 1) * self.cube_value)
        rank = self._pair.ranks[0][self._pair.spaces[0].index(result)]
        row = self._tables[1][self._pair.column, rank]
        state = self._states[where]
        his = 1 - state.now.shift + state.now.scale * float(row[state.now.plane])
        if state.turned[1] is not None:
            view = state.turned[1]
            taken = 1 - view.shift + view.scale * float(row[view.plane])
            his = with_double(his, taken, 1 - self.table.after(self.score, -self.cube_value))
        return 1 - his

    def _normalised(self, mwc: float) -> float | None:
        return normalised_equity(self.table, self.score, self.cube_value, mwc)


def _action(table: MatchEquityTable, score: Score, cube: int, where: Cube, state: _State, row: Floats) -> MatchAction:
    """The decision of the player on roll, from what the planes hold for the pair."""
    won, lost = table.after(score, cube), table.after(score, -cube)

    def chance(view: _View) -> float:
        return view.shift + view.scale * float(row[view.plane])

    def equity(mwc: float | None) -> float | None:
        return None if mwc is None or won <= lost else (2 * mwc - won - lost) / (won - lost)

    now = chance(state.now)
    taken = None if state.turned[0] is None else chance(state.turned[0])
    # Equal equities are a tie; a difference of chances means more or less, depending on the score.
    action = decide(now, taken, won, "none" if taken is None else where, TIE * max((won - lost) / 2, _LEAST_SCALE))
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
    payoff = _Payoff(table or MatchEquityTable.default(), score)
    pair = _Pair(on_roll, opponent, threads)
    planes = _Planes(_gammons_happen(pair.sides, gammons))
    places: tuple[Cube, ...] = ("none", "centered") if cube == 1 else ("none", "mine", "theirs")
    states = {where: _state(planes, payoff, cube, where) for where in places}
    pair.check_memory(len(planes.planes), memory_bytes)
    pair.prepare()
    tables = pair.solve(planes.planes, pair.n_threads)
    return MatchSolution(
        pair.sides[0],
        pair.sides[1],
        score,
        cube,
        payoff.table,
        gammons,
        (len(pair.graphs[0]), len(pair.graphs[1])),
        (1 + float(tables[0][pair.row, pair.column, 0])) / 2,
        pair,
        states,
        tables,
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
    pair = _Pair(on_roll, opponent, threads)
    planes = _Planes(_gammons_happen(pair.sides, gammons))
    states = []
    for score, cube, where in cases:
        if (where == "centered") != (check_cube_value(cube) == 1) and where != "none":
            raise ArgumentError(f"a cube of {cube} cannot be {where}")
        states.append(_state(planes, _Payoff(met, score), cube, where))
    batches = _batches(planes, states)
    workers = min(pair.n_threads, len(batches))
    most = max(len(needed) for _, needed in batches)
    while workers > 1 and pair.bytes_for(most * workers) > memory_bytes:
        workers -= 1
    pair.check_memory(most, memory_bytes)
    pair.prepare()

    def solve_batch(batch: tuple[list[int], set[int]]) -> list[tuple[int, MatchAction]]:
        members, needed = batch
        order = sorted(needed)
        place = {plane: k for k, plane in enumerate(order)}
        chosen = []
        for k in order:
            first, second = planes.planes[k].turned
            chosen.append(planes.planes[k]._replace(turned=(place.get(first, -1), place.get(second, -1))))
        row = np.full(len(planes.planes), np.nan)
        row[order] = pair.solve(chosen, max(1, pair.n_threads // workers))[0][pair.row, pair.column]
        return [(k, _action(met, cases[k][0], *cases[k][1:], states[k], row)) for k in members]

    # One thread a batch: threads that share the small work of one batch would mostly wait for each other.
    with ThreadPoolExecutor(workers) as pool:
        answers = dict(itertools.chain.from_iterable(pool.map(solve_batch, batches)))
    return [answers[k] for k in range(len(cases))]


def _batches(planes: _Planes, states: Sequence[_State]) -> list[tuple[list[int], set[int]]]:
    """Cases that can be solved together, and the planes that they need: at most as many as the solver takes."""
    found: list[tuple[list[int], set[int]]] = []
    for k, state in enumerate(states):
        needed = planes.needed(state.now.plane)
        if found and len(found[-1][1] | needed) <= _MOST_PLANES:
            found[-1][0].append(k)
            found[-1][1].update(needed)
        else:
            found.append(([k], needed))
    return found
