"""One pair of positions, solved on the spot: only what the two sides can come to, and no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._base.arrays import Floats
from bgrace._base.memory import checked_memory, memory_text
from bgrace._kernels.threads import how_many
from bgrace.answers import Gammons, Solution, Values
from bgrace.board import Position, PositionLike, parse_position
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError
from bgrace.match.cube_states import CubeState
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.score_solving import check_solver_memory
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Rules, Stakes
from bgrace.solving.alone import estimated_gammons
from bgrace.tables.exact import CubePlane, Plan, PositionPair, SolvedPair
from bgrace.tables.two_sided import GAMMON_CHECKERS, PLANES

__all__ = ["Precision", "solve"]

Precision: TypeAlias = Literal["auto", "float64", "int16"]

_CUBELESS: Final = PLANES.index("cubeless")
_DEFAULT_MEMORY: Final = 8 << 30
_FLOAT64_BELOW: Final = 1 << 29  # with "auto", what takes more is solved in 16 bits

_GAMMONS_WON: Final = CubePlane((1.0, 1.0), (2.0, 1.0))
_GAMMONS_LOST: Final = CubePlane((1.0, 1.0), (1.0, 2.0))
"""Without a cube, only one side's gammons counting: what they add to 2 W - 1 is the chance of one."""


def solve(
    on_roll: PositionLike,
    opponent: PositionLike,
    rules: Rules | None = None,
    *,
    match: Score | None = None,
    met: MatchEquityTable | None = None,
    cube_value: int = 1,
    precision: Precision = "auto",
    memory_bytes: int = _DEFAULT_MEMORY,
    threads: int | None = None,
) -> Solution:
    """Solve one pair of positions exactly: for money, with a cube without limit, or at a match score.

    Parameters
    ----------
    on_roll, opponent : position
        Counts, ace point first, or text.
    rules : Rules, optional
        Of money: gammons count and the Jacoby rule does not, unless given.  At a score only whether gammons count.
    match : Score, optional
        What both sides need, for a match; money unless given.
    cube_value : int
        Value of the cube before this roll: 1, 2, 4, ...  Equities for money are per unit of it.
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
        With `match` its values are chances to win the match, with normalised equities beside them.

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
    operator stand in ``csrc/two_sided.c`` and ``csrc/exact.c``.

    Examples
    --------
    >>> solution = solve("5x1", "6x15")      # off at once with 31 of 36, and the opponent has all checkers
    >>> round(solution.equities.cubeless, 6), solution.win_probability
    (1.934414, 1.0)
    >>> print(solution.cube_action())
    too good (cube centered): no double +1.9344, double/take +3.8688, double/pass +1.0000
    >>> from bgrace.match import Score
    >>> print(solve("5x1 6x1", "4x1 5x1", match=Score(3, 5)).cube_action())    # in match winning chances
    double/take (3-away, 5-away, cube 1 centered): no double 69.37 %, double/take 71.71 %, double/pass 74.36 %
    """
    stakes = Stakes(Rules() if rules is None else rules, match, met, cube_value)
    memory_bytes = checked_memory(memory_bytes)
    sides = (_read(on_roll, "on_roll"), _read(opponent, "opponent"))
    return Solution(*sides, stakes, _answers(PositionPair(*sides), stakes, precision, memory_bytes, how_many(threads)))


def _read(side: PositionLike, name: str) -> Position:
    position = parse_position(side)
    if not position.checkers:
        raise PositionError(f"{name} has no checker left: the game is over")
    return position


def _answers(
    pair: PositionPair, stakes: Stakes, precision: str, memory_bytes: int, n_threads: int
) -> _Float64Pair | _Int16Pair:
    if stakes.score is not None and precision == "int16":
        raise ArgumentError("precision 'int16' is for money: a match is solved in float64, use that or auto")
    planes, places, win = stakes.planes(pair.has_gammons)
    won_lost: tuple[int | None, int | None] = (None, None)
    if stakes.rules.gammons and pair.has_gammons:
        planes = [*planes, _GAMMONS_WON, _GAMMONS_LOST]
        won_lost = (len(planes) - 2, len(planes) - 1)
    plan = pair.plan(planes)
    if stakes.score is not None:
        check_solver_memory(pair, plan, len(planes), memory_bytes)
        chosen = "float64"
    else:
        chosen = _choose_precision(precision, pair, plan, stakes, memory_bytes)
    if chosen == "int16":
        return _Int16Pair(pair, stakes.rules, n_threads)
    return _Float64Pair(pair.solve(plan, n_threads), places, win, won_lost)


def _choose_precision(
    precision: str, pair: PositionPair, plan: Plan, stakes: Stakes, memory_bytes: int
) -> Literal["float64", "int16"]:
    needed: dict[Literal["float64", "int16"], int] = {
        "float64": pair.graph_bytes + plan.n_bytes,
        # The table and V, and with gammons another table.
        "int16": pair.graph_bytes
        + _int16_pairs(pair)[1] * len(PLANES) * 2 * (3 if stakes.rules.gammons and pair.has_gammons else 2),
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


class _Float64Pair:
    """A pair solved in double precision: a `PairAnswers`."""

    def __init__(
        self,
        solved: SolvedPair,
        places: Mapping[Cube, CubeState],
        win: int,
        gammons: tuple[int | None, int | None],
    ) -> None:
        self._solved, self._places = solved, places
        row = solved.now()
        self._win = (1 + float(row[win])) / 2
        won, lost = (None if plane is None else abs(float(row[plane] - row[win])) for plane in gammons)
        self._gammons = Gammons(won, lost, None, None, "solved")

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return Values(self._solved.now(), self._places, "solved")

    def after(self, results: Sequence[Position]) -> Values:
        """See `PairAnswers.after`."""
        return Values(np.stack([self._solved.answers(result) for result in results]), self._places, "solved")

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        return self._gammons


class _Int16Pair:
    """A pair solved in 16 bits, for money: a `PairAnswers`."""

    def __init__(self, pair: PositionPair, rules: Rules, n_threads: int) -> None:
        self._pair, self._graphs = pair, pair.graphs(_int16_pairs(pair)[0], n_threads)
        gammons = rules.gammons and pair.has_gammons
        self._scale = 16380 if gammons else 32760
        self._tables = self._run(gammons, 1 << PLANES.index("centered") if rules.jacoby else 0, n_threads)
        self._wins = self._run(gammons, 1 << _CUBELESS, n_threads) if gammons else self._tables
        self._start = (pair.rank(self._graphs, 0, pair.sides[0]), pair.rank(self._graphs, 1, pair.sides[1]))

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._values(self._tables[0][self._start])

    def after(self, results: Sequence[Position]) -> Values:
        """See `PairAnswers.after`."""
        ranks = [self._pair.rank(self._graphs, 0, result) for result in results]
        # What is mine is theirs to the opponent.
        return self._values(self._tables[-1][self._start[1], ranks][:, SEEN_BY_OTHER])

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return (1 + float(self._wins[0][self._start][_CUBELESS]) / self._scale) / 2

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        on_roll, opponent = self._pair.sides
        if on_roll.checkers == opponent.checkers:
            return estimated_gammons(on_roll, opponent)
        difference = (self._tables[0][self._start] - self._wins[0][self._start])[_CUBELESS] / self._scale
        return Gammons(max(difference, 0.0), max(-difference, 0.0), None, None, "solved")

    def _values(self, rows: npt.NDArray[np.int16]) -> Values:
        values: Floats = rows / self._scale
        return Values(values, MONEY_PLACES, "solved", precision="int16")

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
