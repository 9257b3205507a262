"""The slow twin for bearing off against men behind: the whole board, played by the rules of backgammon.

Nothing here is imported from bgrace.  A board is two sides of 26 counts: off, points 1 to 24, and the bar, each counted
by the side whose checkers they are.  Checked itself against GNU Backgammon's solution of two checkers a side, in
tests/contact/test_contact_rules.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from helpers.reference import ROLLS, WEIGHTS

Side = tuple[int, ...]
Board = tuple[Side, Side]
"""The side to play first."""

OFF, BAR = 0, 25


def side(places: Iterable[int]) -> Side:
    """Checkers on each of these places."""
    counts = [0] * 26
    for place in places:
        counts[place] += 1
    return tuple(counts)


def after_die(board: Board, die: int) -> set[Board]:
    """Every board that one die leads to."""
    mine, theirs = board
    found = set()
    for start in [BAR] if mine[BAR] else range(1, BAR):
        if not mine[start]:
            continue
        end = start - die
        if end <= OFF:
            if any(mine[7:]) or (end < OFF and any(mine[start + 1 :])):
                continue
            end = OFF
        elif theirs[25 - end] > 1:
            continue
        after, other = list(mine), list(theirs)
        after[start] -= 1
        after[end] += 1
        if end != OFF and other[25 - end]:
            other[25 - end] = 0
            other[BAR] += 1
        found.add((tuple(after), tuple(other)))
    return found


def after_dice(boards: set[Board], dice: Iterable[int]) -> set[Board]:
    """Every board after all of these dice, in this order; empty if they cannot all be played."""
    for die in dice:
        boards = {found for board in boards for found in after_die(board, die)}
    return boards


def plays(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Every result of a roll: as many dice as can be played, of two the larger if only one can; or the board itself."""
    small, large = sorted(roll)
    orders: list[tuple[tuple[int, ...], ...]]
    if small == large:
        orders = [((small,) * n,) for n in (4, 3, 2, 1)]
    else:
        orders = [((small, large), (large, small)), ((large,),), ((small,),)]
    for dice in orders:
        found = set().union(*(after_dice({board}, order) for order in dice))
        if found:
            return found
        # Whoever has borne off everything is done, whatever is left of the dice.
        ended = {each for order in dice for each in after_dice({board}, order[:-1]) if each[0][OFF] == sum(each[0])}
        if ended:
            return ended
    return {board}


class Risks:
    """The least chance ever to be hit, by recursion over whole boards; what has been seen is remembered.

    The side that bears off comes first in every board; the other side has its men behind and no others, for whom it is
    enough that any part of a roll may be left over.
    """

    def __init__(self, runs: bool) -> None:
        self._runs = runs
        self._to_hit: dict[Board, float] = {}
        self._to_bear_off: dict[Board, float] = {}

    def to_hit(self, board: Board) -> float:
        """With the men's side to roll."""
        if safe(board):
            return 0.0
        if board not in self._to_hit:
            self._to_hit[board] = self._of_running(board) if self._runs else self._of_waiting(board)
        return self._to_hit[board]

    def to_bear_off(self, board: Board) -> float:
        """With the other side to roll."""
        if safe(board):
            return 0.0
        if board not in self._to_bear_off:
            played, stuck = self._rolls(board)
            self._to_bear_off[board] = played + stuck * self.to_hit(board) if stuck else played
        return self._to_bear_off[board]

    def _rolls(self, board: Board) -> tuple[float, float]:
        """Risk of the rolls that can be played, and how likely the others are."""
        played = stuck = 0.0
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
            results = plays(board, roll)
            if results == {board}:
                stuck += weight / 36
            else:
                played += weight / 36 * min(self.to_hit(result) for result in results)
        return played, stuck

    def _of_waiting(self, board: Board) -> float:
        shots = sum(weight for roll, weight in zip(ROLLS, WEIGHTS, strict=True) if hits(board, roll)) / 36
        played, stuck = self._rolls(board)
        risk, before = 0.0, -1.0
        while risk != before:  # the same board again and again, until nothing changes any more
            risk, before = shots + (1 - shots) * (played + stuck * risk), risk
        return risk

    def _of_running(self, board: Board) -> float:
        total = 0.0
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
            if hits(board, roll):
                total += weight
                continue
            reached = {(after[1], after[0]) for after in parts(board, roll)}
            if not board[1][BAR] or not reached:
                reached.add(board)
            total += weight * max(self.to_bear_off(after) for after in reached)
        return total / 36


def parts(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Whatever the men behind can do with one die of a roll or more; they come first in the results."""
    turned = {(board[1], board[0])}
    a, b = roll
    orders = [(a,) * n for n in (1, 2, 3, 4)] if a == b else [(a,), (b,), (a, b), (b, a)]
    return set().union(*(after_dice(turned, order) for order in orders))


def hits(board: Board, roll: tuple[int, int]) -> bool:
    """Whether the men behind can hit."""
    return any(after[1][BAR] for after in parts(board, roll))


def safe(board: Board) -> bool:
    """Whether every man is past every checker that is left."""
    mine, theirs = board
    highest = max((point for point in range(1, BAR) if mine[point]), default=0)
    return all(25 - point > highest for point in range(1, 26) if theirs[point])
