"""A whole board, with contact: what a recorded game is replayed on before it becomes a race.

Here are hits, the bar and entering, and the plays of a roll by enumeration; nothing is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bgrace.board import Board, GameState
from bgrace.board.ids import write_xgid
from bgrace.board.position import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, race
from bgrace.errors import PositionError

BAR: Final = 25
"""The point that a hit checker enters from."""

OFF: Final = 0
"""The target of a checker that is borne off."""

Move: TypeAlias = tuple[int, int]
"""From point or `BAR`, to point or `OFF`, counted by the player who moves."""


@dataclass(frozen=True, slots=True)
class FullBoard:
    """Checkers of both sides on 24 points and the bar.

    Attributes
    ----------
    mine, theirs : tuple of int, 25 each
        Checkers of the player to move and of the opponent, each counted from their own ace point; the last is the bar.

    Examples
    --------
    >>> START.is_race, len(START.plays((3, 1)))
    (False, 16)
    >>> after = START.moved([(8, 5), (6, 5)])
    >>> after.mine[4], after.swapped.theirs[4]
    (2, 2)
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]

    @property
    def swapped(self) -> FullBoard:
        """The same seen by the other side."""
        return FullBoard(self.theirs, self.mine)

    @property
    def is_race(self) -> bool:
        """Whether all checkers have passed each other, and both sides have some left."""
        mine, theirs = _highest(self.mine), _highest(self.theirs)
        return bool(mine and theirs) and mine + theirs < BAR

    def board(self, state: GameState) -> Board:
        """The race that this is, with the game around it.

        Raises
        ------
        PositionError
            If the sides still have contact.
        """
        on_roll, opponent = race(self.mine, self.theirs, "the board")
        return Board(on_roll, opponent, **vars(state))

    def xgid(self, roll: tuple[int, int] | None = None) -> str:
        """Write an XGID of the board for money, with the cube in the middle.

        Examples
        --------
        >>> START.xgid((3, 1))
        'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
        """
        return write_xgid(self.mine, self.theirs, GameState(roll=roll))

    def checked(self) -> FullBoard:
        """Return the board if it can be one.

        Raises
        ------
        PositionError
            If a side has more than 15 checkers, or both stand on one point.
        """
        for side in (self.mine, self.theirs):
            if len(side) != BAR or min(side) < 0 or sum(side) > MAX_CHECKERS:
                raise PositionError(f"{sum(side)} checkers of one side: a side has at most {MAX_CHECKERS}")
        for point in range(1, MAX_POINTS + 1):
            if self.mine[point - 1] and self.theirs[MAX_POINTS - point]:
                raise PositionError(f"both sides stand on point {point} of the player to move: a point holds one side")
        return self

    # ------------------------------------------------------------------ plays

    def moved(self, moves: Iterable[Move]) -> FullBoard:
        """Carry out moves without asking whether any dice make them; a lone checker that is hit goes to the bar.

        Raises
        ------
        PositionError
            If there is no checker to move, or a point is held by the opponent.
        """
        mine, theirs = list(self.mine), list(self.theirs)
        for start, end in moves:
            if not 1 <= start <= BAR or not mine[start - 1]:
                raise PositionError(f"no checker to play from {'the bar' if start == BAR else f'point {start}'}")
            if not OFF <= end < start:
                raise PositionError(f"{start}/{end} does not go down")
            mine[start - 1] -= 1
            if end == OFF:
                continue
            met = theirs[MAX_POINTS - end]
            if met > 1:
                raise PositionError(f"the opponent holds point {end}")
            theirs[MAX_POINTS - end] = 0
            theirs[BAR - 1] += met
            mine[end - 1] += 1
        return FullBoard(tuple(mine), tuple(theirs))

    def plays(self, roll: tuple[int, int]) -> set[FullBoard]:
        """Every distinct result of a roll, as the player who moved sees it; the board itself if nothing can be moved.

        As many dice are played as possible; if only one of the two can be played, the larger one.
        """
        larger, smaller = max(roll), min(roll)
        if larger == smaller:
            reached = {self}
            for _ in range(4):
                reached = {result for board in reached for result in board.steps(larger)} or reached
            return reached
        first, second = self.steps(larger), self.steps(smaller)
        both = {result for board in first for result in board.steps(smaller)}
        both |= {result for board in second for result in board.steps(larger)}
        return both or first or second or {self}

    def steps(self, die: int) -> set[FullBoard]:
        """Every result of one die."""
        starts: Sequence[int] = [BAR] if self.mine[BAR - 1] else range(1, MAX_POINTS + 1)
        highest = _highest(self.mine)
        results = set()
        for start in starts:
            if not self.mine[start - 1]:
                continue
            end = start - die
            if end > OFF:
                if self.theirs[MAX_POINTS - end] > 1:
                    continue
            elif highest > HOME_POINTS or (end < OFF and start < highest):
                continue
            results.add(self.moved([(start, max(end, OFF))]))
        return results


def _highest(side: Sequence[int]) -> int:
    """Highest point that has a checker, 25 for the bar, 0 if there is none."""
    return next((point for point in range(len(side), 0, -1) if side[point - 1]), 0)


_SIDE: Final = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(point, 0) for point in range(1, BAR + 1))
START: Final = FullBoard(_SIDE, _SIDE)
"""Where every game begins."""
