"""One pair of positions, solved on the spot: only what the two sides can reach, and no database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._kernels.threads import how_many
from bgrace.cube.action import CubeAction, Equities, check_cube, decide, with_double
from bgrace.dice import parse_roll
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError
from bgrace.match.exact import MatchSolution, solve_match
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_cube_value
from bgrace.notation import Position, parse_position
from bgrace.plays import Play, legal_plays, rank_plays
from bgrace.positions import PositionLike, PositionSpace, space_of
from bgrace.two_sided import GAMMON_CHECKERS, PLANES

__all__ = ["Precision", "Rules", "Solution", "solve"]

Precision: TypeAlias = Literal["auto", "float64", "int16"]

_WIN, _CUBELESS, _MINE, _CENTERED, _THEIRS = range(5)
_STATES: Final = ("win", *PLANES)
_DEFAULT_MEMORY: Final = 8 << 30
_LARGEST_INDEX: Final = 1 << 28  # as in csrc/graph.c
_POSITION_BYTES: Final = 2500  # of a graph: about 170 results, and what finds them; 5 more for each smaller index
_FLOAT64_BELOW: Final = 1 << 29  # with "auto", larger tables are solved in 16 bits


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
    _now: npt.NDArray[np.float64]
    _answer: Callable[[Position], npt.NDArray[np.float64]]

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
        If `precision` is unknown, or what is only for money meets what is only for a match.
    MemoryLimitError
        If the positions that the two sides can come to are too many; nothing has been computed then.
    PositionError
        If a position cannot be read, or a side has no checker left.

    Notes
    -----
    Every pair of a position that one side can come to and one that the other can is solved, for either side on roll:
    Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4, on real positions.  The order and the
    operator stand in ``csrc/two_sided.c`` and ``csrc/exact.c``.

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
    rules = rules or Rules()
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
    sides = [_read(side, name) for side, name in ((on_roll, "on_roll"), (opponent, "opponent"))]
    spaces = [space_of(side.points, side.checkers) for side in sides]
    indices = [_reachable(space, side) for space, side in zip(spaces, sides, strict=True)]
    pairs, runs = len(indices[0]) * len(indices[1]), _runs_needed(sides, rules)
    graphs_bytes = sum(_POSITION_BYTES * len(part) + 5 * int(part[-1]) for part in indices)
    chosen = _choose_precision(precision, pairs, runs, graphs_bytes, memory_bytes)
    n_threads = how_many(threads)
    graphs = [kernel.Graph(space.kernel, part, n_threads) for space, part in zip(spaces, indices, strict=True)]
    solver = _solve_float64 if chosen == "float64" else _solve_int16
    table, answers = solver(graphs, rules, n_threads, runs)
    row, column = (
        int(np.flatnonzero(graph.indices() == space.index(side))[0])
        for graph, space, side in zip(graphs, spaces, sides, strict=True)
    )
    own_space, own_order = spaces[0], graphs[0].indices()
    now = table(row, column)
    taken = 2 * float(now[_THEIRS])
    equities = Equities(
        cubeless=float(now[_CUBELESS]),
        centered=with_double(float(now[_CENTERED]), taken),
        mine=with_double(float(now[_MINE]), taken),
        theirs=float(now[_THEIRS]),
        method="solved",
    )
    return Solution(
        sides[0],
        sides[1],
        rules,
        chosen,
        (len(graphs[0]), len(graphs[1])),
        (1 + float(now[_WIN])) / 2,
        equities,
        now,
        lambda result: answers(column, int(np.flatnonzero(own_order == own_space.index(result))[0])),
    )


def _read(side: PositionLike, name: str) -> Position:
    position = parse_position(side)
    if not position.checkers:
        raise PositionError(f"{name} has no checker left: the game is over")
    return position


def _reachable(space: PositionSpace, side: Position) -> npt.NDArray[np.int64]:
    index = space.index(side)
    if index >= _LARGEST_INDEX:
        # Looking for them takes a byte for each smaller index, and they would be far too many anyway.
        raise MemoryLimitError(
            f"{side} is position {index:,} of its board, and {_LARGEST_INDEX:,} are allowed: only fewer checkers, or "
            "nearer home, can be solved"
        )
    return kernel.reachable(space.kernel, index)


def _runs_needed(sides: list[Position], rules: Rules) -> int:
    """How often the 16-bit solver runs: once more where winning and points are two things."""
    return 2 if rules.gammons and any(side.checkers == GAMMON_CHECKERS for side in sides) else 1


def _choose_precision(precision: str, pairs: int, runs: int, graphs_bytes: int, memory_bytes: int) -> str:
    # Either side on roll, and for each the table and V.
    needed = {
        "float64": graphs_bytes + 2 * 2 * pairs * len(_STATES) * 8,
        "int16": graphs_bytes + 2 * pairs * len(PLANES) * 2 * (1 + runs),
    }
    if precision not in ("auto", *needed):
        raise ArgumentError(f"precision {precision!r} is unknown: use auto, float64 or int16")
    if precision == "auto":
        precision = "float64" if needed["float64"] <= min(memory_bytes, _FLOAT64_BELOW) else "int16"
    if needed[precision] > memory_bytes:
        remedy = "allow more, or look the pair up in a database"
        if precision == "float64" and needed["int16"] <= memory_bytes:
            remedy = f"use int16, which needs {needed['int16'] / 2**30:.2f} GiB"
        raise MemoryLimitError(
            f"these positions lead to {pairs:,} pairs for either side on roll, {needed[precision] / 2**30:.2f} GiB in "
            f"{precision}; {memory_bytes / 2**30:.2f} GiB are allowed: {remedy}"
        )
    return precision


_Lookup: TypeAlias = Callable[[int, int], npt.NDArray[np.float64]]


def _solve_float64(graphs: list[Any], rules: Rules, n_threads: int, runs: int) -> tuple[_Lookup, _Lookup]:
    a, b = graphs
    gammon = 2.0 if rules.gammons else 1.0
    never = -1
    states = [
        (1.0, 1.0, _WIN, never, 0.0, 0.0),
        (1.0, gammon, _CUBELESS, never, 0.0, 0.0),
        (1.0, gammon, _THEIRS, _THEIRS, 2.0, 1.0),
        (1.0, 1.0 if rules.jacoby else gammon, _CENTERED, _THEIRS, 2.0, 1.0),
        (1.0, gammon, _MINE, never, 0.0, 0.0),
    ]
    table, answers = np.empty((len(a), len(b), len(states))), np.empty((len(b), len(a), len(states)))
    kernel.solve_exactly(a, b, states, states, table, answers, GAMMON_CHECKERS, 0.0, n_threads)
    return (lambda i, j: table[i, j]), (lambda i, j: answers[i, j])


def _solve_int16(graphs: list[Any], rules: Rules, n_threads: int, runs: int) -> tuple[_Lookup, _Lookup]:
    a, b = graphs
    scale = 16380 if runs > 1 else 32760

    def run(single_planes: int) -> list[npt.NDArray[np.int16]]:
        for_a = np.empty((len(a), len(b), len(PLANES)), np.int16)
        for_b = np.empty((len(b), len(a), len(PLANES)), np.int16)
        kernel.solve(
            a,
            b,
            for_a,
            for_b,
            scale,
            gammon_checkers=GAMMON_CHECKERS if runs > 1 else 0,
            single_planes=single_planes,
            n_threads=n_threads,
        )
        return [for_a, for_b]

    tables = run(1 << PLANES.index("centered") if rules.jacoby else 0)
    wins = tables if runs == 1 else run(1 << PLANES.index("cubeless"))

    def lookup(k: int) -> _Lookup:
        return lambda i, j: np.concatenate((wins[k][i, j, :1], tables[k][i, j])) / scale

    return lookup(0), lookup(1)
