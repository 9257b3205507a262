"""One pair of positions, solved on the spot: only what the two sides can reach, and no database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._base.arrays import Floats
from bgrace._base.memory import checked_memory, memory_text
from bgrace._kernels.threads import how_many
from bgrace.board import Position, parse_position
from bgrace.board.dice import ROLLS, parse_roll
from bgrace.board.plays import Play, legal_plays, rank_plays
from bgrace.board.spaces import PositionLike
from bgrace.cube.action import CubeAction, Equities, check_cube, decide, with_double
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError
from bgrace.match.exact import MatchSolution, solve_match
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_cube_value
from bgrace.tables.exact import CubePlane, Plan, PositionPair, SolvedPair
from bgrace.tables.two_sided import GAMMON_CHECKERS, PLANES

__all__ = ["Precision", "Rules", "Solution", "solve"]

Precision: TypeAlias = Literal["auto", "float64", "int16"]

_WIN, _CUBELESS, _MINE, _CENTERED, _THEIRS = range(5)
_SWAPPED: Final = [_WIN, _CUBELESS, _THEIRS, _CENTERED, _MINE]  # my cube is theirs for the opponent
_STATES: Final = ("win", *PLANES)
_DEFAULT_MEMORY: Final = 8 << 30
_FLOAT64_BELOW: Final = 1 << 29  # with "auto", what takes more is solved in 16 bits


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a game for money.

    Attributes
    ----------
    gammons : bool
        Whether a loser who still has all 15 checkers loses double.
    jacoby : bool
        Whether gammons count once as long as the cube is centered.
    """

    gammons: bool = True
    jacoby: bool = False


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved pair of positions.

    Attributes
    ----------
    on_roll, opponent : Position
    rules : Rules
    precision : str
        ``"float64"``, or ``"int16"``: within 1e-4 of it.
    reachable : tuple of two int
        How many positions the player on roll and the opponent can come to, as they were solved.
    win_probability : float
        Of the player on roll, both sides playing to win, without a cube.
    equities : Equities
        Centered and mine include the right to double before this roll.
    """

    on_roll: Position
    opponent: Position
    rules: Rules
    precision: str
    reachable: tuple[int, int]
    win_probability: float
    equities: Equities
    _now: Floats
    _answer: _Answers | _KnownAnswers

    def cube_action(self, cube: str = "centered") -> CubeAction:
        """Whether to double, and whether to take.

        Parameters
        ----------
        cube : str
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.

        Returns
        -------
        CubeAction

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        """
        where = check_cube(cube)
        state = _STATES.index("cubeless" if where == "none" else where)
        return decide(self._now[state], 2 * self._now[_THEIRS], 1.0, where)

    def best_plays(self, roll: str | Iterable[int], cube: str = "centered") -> list[Play]:
        """Every play of a roll, best first.

        Parameters
        ----------
        roll : str or pair of int
        cube : str
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.

        Returns
        -------
        list of Play

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        RollError
            If `roll` is no roll.
        """
        where, dice = check_cube(cube), parse_roll(roll)
        results = legal_plays(self.on_roll, dice)
        worth = np.array([self._worth_of_moving_to(result, where) for result in results])
        return rank_plays(self.on_roll, dice, results, worth)

    def _worth_of_moving_to(self, result: Position, where: str) -> float:
        if not result.checkers:
            gammon = self.rules.gammons and self.opponent.checkers == GAMMON_CHECKERS
            return 2.0 if gammon and not (self.rules.jacoby and where == "centered") else 1.0
        answer = self._answer(result)
        taken = 2 * float(answer[_THEIRS])
        return -float(
            {
                "none": float(answer[_CUBELESS]),
                "centered": with_double(float(answer[_CENTERED]), taken),
                "mine": float(answer[_THEIRS]),
                "theirs": with_double(float(answer[_MINE]), taken),
            }[where]
        )


@overload
def solve(
    on_roll: PositionLike,
    opponent: PositionLike,
    rules: Rules | None = None,
    *,
    match: None = None,
    cube_value: int = 1,
    met: MatchEquityTable | None = None,
    precision: Precision = "auto",
    memory_bytes: int = _DEFAULT_MEMORY,
    threads: int | None = None,
) -> Solution: ...


@overload
def solve(
    on_roll: PositionLike,
    opponent: PositionLike,
    rules: Rules | None = None,
    *,
    match: Score,
    cube_value: int = 1,
    met: MatchEquityTable | None = None,
    precision: Precision = "auto",
    memory_bytes: int = _DEFAULT_MEMORY,
    threads: int | None = None,
) -> MatchSolution: ...


def solve(
    on_roll: PositionLike,
    opponent: PositionLike,
    rules: Rules | None = None,
    *,
    match: Score | None = None,
    cube_value: int = 1,
    met: MatchEquityTable | None = None,
    precision: Precision = "auto",
    memory_bytes: int = _DEFAULT_MEMORY,
    threads: int | None = None,
) -> Solution | MatchSolution:
    """Solve one pair of positions exactly: for money, with a cube without limit, or at a match score.

    Parameters
    ----------
    on_roll, opponent : position
        Counts, ace point first, or text.
    rules : Rules, optional
        Gammons count and Jacoby's rule does not, unless given.
    match : Score, optional
        What both sides need, for a match; money unless given.
    cube_value : int
        Value of the cube before this roll, 1, 2, 4, ...; for a match.  Money equities are per unit of it.
    met : MatchEquityTable, optional
        What scores are worth: the table that comes with bgrace, unless given.
    precision : str
        ``"float64"``; ``"int16"``, which takes a quarter of the memory and less time, to within 1e-4 of equity; or
        ``"auto"``: float64 as long as its tables stay below half a gigabyte.
    memory_bytes : int
        The most memory to use: 8 GiB unless given.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    Solution
        For money.
    MatchSolution
        With `match`: the same questions, answered in match winning chances, with normalised equities beside them.

    Raises
    ------
    ArgumentError
        If `precision` is unknown, an argument is not what it should be, or what is only for money meets what is only
        for a match.
    MemoryLimitError
        If the positions that the two sides can come to are too many; nothing has been computed then.
    PositionError
        If a position cannot be read, a side has no checker left, or the sides still have contact.

    Notes
    -----
    Every pair of a position that one side can come to and one that the other can is solved, for either side on roll:
    Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4, on real positions.  The order and the
    operator stand in ``csrc/solve/two_sided.c`` and ``csrc/solve/exact.c``.

    Examples
    --------
    >>> solution = solve("5x1", "6x15")      # off at once with 31 of 36, and the opponent has all of his checkers
    >>> round(solution.equities.cubeless, 6), solution.win_probability
    (1.934414, 1.0)
    >>> print(solution.cube_action())
    too good (cube centered): no double +1.9344, double/take +3.8688, double/pass +1.0000
    >>> from bgrace.match import Score
    >>> print(solve("5x1 6x1", "4x1 5x1", match=Score(3, 5)).cube_action())    # in match winning chances
    double/take (3-away, 5-away, cube 1 centered): no double 69.37 %, double/take 71.71 %, double/pass 74.36 %
    """
    rules = Rules() if rules is None else rules
    if not isinstance(rules, Rules):
        raise ArgumentError(f"rules={rules!r} are none: give bgrace.Rules(gammons=..., jacoby=...)")
    memory_bytes = checked_memory(memory_bytes)
    if match is not None:
        if rules.jacoby:
            raise ArgumentError("jacoby=True: Jacoby's rule is for money, leave it out at a match score")
        if precision == "int16":
            raise ArgumentError("precision 'int16' is for money: a match is solved in float64, use that or auto")
        return solve_match(
            _read(on_roll, "on_roll"),
            _read(opponent, "opponent"),
            match,
            cube_value=cube_value,
            table=met,
            gammons=rules.gammons,
            memory_bytes=memory_bytes,
            threads=threads,
        )
    if met is not None:
        raise ArgumentError("met= is for a match: give match=, the score, too")
    check_cube_value(cube_value)
    sides = (_read(on_roll, "on_roll"), _read(opponent, "opponent"))
    pair, n_threads = PositionPair(*sides), how_many(threads)
    plan = pair.plan(_planes(pair, rules))
    chosen = _choose_precision(precision, pair, plan, rules, memory_bytes)
    solved = pair.solve(plan, n_threads) if chosen == "float64" else _Int16Pair(pair, rules, n_threads)
    now = solved.now()
    taken = 2 * float(now[_THEIRS])
    equities = Equities(
        cubeless=float(now[_CUBELESS]),
        centered=with_double(float(now[_CENTERED]), taken),
        mine=with_double(float(now[_MINE]), taken),
        theirs=float(now[_THEIRS]),
        method="solved",
    )
    return Solution(
        *sides,
        rules,
        chosen,
        pair.reachable,
        (1 + float(now[_WIN])) / 2,
        equities,
        now,
        _Answers(sides[0], solved),
    )


class _Answers:
    """What the opponent has on his roll, by the position that the player on roll has moved to."""

    def __init__(self, start: Position, solved: SolvedPair | _Int16Pair) -> None:
        self._start = start
        self._solved = solved

    def __call__(self, result: Position) -> Floats:
        return self._solved.answers(result)[_SWAPPED]

    def __reduce__(self) -> tuple[type[_KnownAnswers], tuple[dict[Position, Floats]]]:
        """Pickle what can be asked for, not the tables that it comes from."""
        return _KnownAnswers, ({end: self(end) for roll in ROLLS for end in legal_plays(self._start, roll)},)


class _KnownAnswers:
    """The same, from a list."""

    def __init__(self, known: dict[Position, Floats]) -> None:
        self._known = known

    def __call__(self, result: Position) -> Floats:
        return self._known[result]

    def __reduce__(self) -> tuple[type[_KnownAnswers], tuple[dict[Position, Floats]]]:
        return _KnownAnswers, (self._known,)


def _read(side: PositionLike, name: str) -> Position:
    position = parse_position(side)
    if not position.checkers:
        raise PositionError(f"{name} has no checker left: the game is over")
    return position


def _planes(pair: PositionPair, rules: Rules) -> list[CubePlane]:
    """The places of the cube in a game for money, without limit; places as the player on roll sees them."""
    single = (1.0, 1.0)
    points = (2.0, 2.0) if rules.gammons and pair.has_gammons else single
    return [
        CubePlane(single, single),
        CubePlane(single, points),
        CubePlane(single, points, (_THEIRS, -1), (2.0, 0.0), passed=(1.0, 0.0)),
        CubePlane(single, single if rules.jacoby else points, (_THEIRS, _MINE), (2.0, 2.0), passed=single),
        CubePlane(single, points, (-1, _MINE), (0.0, 2.0), passed=(0.0, 1.0)),
    ]


def _choose_precision(
    precision: str, pair: PositionPair, plan: Plan, rules: Rules, memory_bytes: int
) -> Literal["float64", "int16"]:
    needed: dict[Literal["float64", "int16"], int] = {
        "float64": pair.graph_bytes + plan.n_bytes,
        # The table and V, and with gammons another table.
        "int16": pair.graph_bytes
        + _int16_pairs(pair)[1] * len(PLANES) * 2 * (3 if rules.gammons and pair.has_gammons else 2),
    }
    if precision not in ("auto", *needed):
        raise ArgumentError(f"precision {precision!r} is unknown: use auto, float64 or int16")
    chosen: Literal["float64", "int16"] = "int16"
    if precision == "float64" or (precision == "auto" and needed["float64"] <= min(memory_bytes, _FLOAT64_BELOW)):
        chosen = "float64"
    if needed[chosen] > memory_bytes:
        remedy = "allow more, look the pair up in a database, or estimate it (bgrace solve --one-sided)"
        if chosen == "float64" and needed["int16"] <= memory_bytes:
            remedy = f"use int16, which needs {memory_text(needed['int16'])}"
        raise MemoryLimitError(
            f"these positions lead to {pair.pairs:,} pairs for either side on roll, {memory_text(needed[chosen])} "
            f"in {chosen}; {memory_text(memory_bytes)} are allowed: {remedy}"
        )
    return chosen


def _int16_pairs(pair: PositionPair) -> tuple[bool, int]:
    """Whether to solve the union of both sides' positions, and how many ordered pairs that makes."""
    if pair.union_pairs is not None and pair.union_pairs < 2 * pair.pairs:
        return True, pair.union_pairs
    return False, 2 * pair.pairs


class _Int16Pair:
    """A pair solved in 16 bits; the same questions as `SolvedPair`."""

    def __init__(self, pair: PositionPair, rules: Rules, n_threads: int) -> None:
        self._pair, self._graphs = pair, pair.graphs(_int16_pairs(pair)[0], n_threads)
        gammons = rules.gammons and pair.has_gammons
        self._scale = 16380 if gammons else 32760
        self._tables = self._run(gammons, 1 << PLANES.index("centered") if rules.jacoby else 0, n_threads)
        self._wins = self._run(gammons, 1 << PLANES.index("cubeless"), n_threads) if gammons else self._tables
        self._start = tuple(pair.rank(self._graphs, side, position) for side, position in enumerate(pair.sides))

    def now(self) -> Floats:
        """For the player on roll, (planes,)."""
        return self._values(0, *self._start)

    def answers(self, result: Position) -> Floats:
        """For the opponent when the player on roll has moved to `result`, (planes,)."""
        return self._values(-1, self._start[1], self._pair.rank(self._graphs, 0, result))[_SWAPPED]

    def _run(self, gammons: bool, single_planes: int, n_threads: int) -> list[npt.NDArray[np.int16]]:
        a, b = (*self._graphs, None)[:2]
        assert a is not None
        tables = [
            np.empty((len(x), len(y), len(PLANES)), np.int16) for x, y in ([(a, a)] if b is None else [(a, b), (b, a)])
        ]
        kernel.solve(
            a,
            b,
            tables[0],
            None if b is None else tables[1],
            self._scale,
            gammon_checkers=GAMMON_CHECKERS if gammons else 0,
            single_planes=single_planes,
            n_threads=n_threads,
        )
        return tables

    def _values(self, side: int, i: int, j: int) -> Floats:
        return np.concatenate((self._wins[side][i, j, :1], self._tables[side][i, j])) / self._scale
