"""The slow twin for bearing off against men behind: the whole board, played by the rules of backgammon.

It imports nothing from bgrace.  A board is two sides of 26 counts each: off, points 1 to 24 as that side numbers them,
and the bar.  tests/contact/test_contact_rules.py compares it with GNU Backgammon's solution of two checkers a side.
"""

from __future__ import annotations

from collections.abc import Iterable

from helpers.reference import ROLLS, WEIGHTS

Side = tuple[int, ...]
Board = tuple[Side, Side]
"""The side to play comes first."""

OFF, BAR = 0, 25


def side(places: Iterable[int]) -> Side:
    """Return the counts of a side with a checker on each of these places."""
    counts = [0] * 26
    for place in places:
        counts[place] += 1
    return tuple(counts)


def after_die(board: Board, die: int) -> set[Board]:
    """Find every board after one die."""
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
    """Find every board after all of these dice, in this order; none if they cannot all be played."""
    for die in dice:
        boards = {found for board in boards for found in after_die(board, die)}
    return boards


def plays(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Find every result of a roll, with as many dice as possible, or the larger of two; else the board itself."""
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
        # A side that has borne off everything leaves the other dice unplayed.
        ended = {each for order in dice for each in after_dice({board}, order[:-1]) if each[0][OFF] == sum(each[0])}
        if ended:
            return ended
    return {board}


class Risks:
    """The least chance ever to be hit, by recursion over whole boards.

    The side that bears off comes first in every board.  The other side has no checkers except its men behind, which may
    leave any part of a roll unplayed.
    """

    def __init__(self, runs: bool) -> None:
        self._runs = runs
        self._to_hit: dict[Board, float] = {}
        self._to_bear_off: dict[Board, float] = {}

    def to_hit(self, board: Board) -> float:
        """Return the risk with the men's side to roll."""
        if safe(board):
            return 0.0
        if board not in self._to_hit:
            self._to_hit[board] = self._of_running(board) if self._runs else self._of_waiting(board)
        return self._to_hit[board]

    def to_bear_off(self, board: Board) -> float:
        """Return the risk with the other side to roll."""
        if safe(board):
            return 0.0
        if board not in self._to_bear_off:
            played, stuck = self._rolls(board)
            self._to_bear_off[board] = played + stuck * self.to_hit(board) if stuck else played
        return self._to_bear_off[board]

    def _rolls(self, board: Board) -> tuple[float, float]:
        """Return the risk of the rolls that can be played, and the chance of the others."""
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
        while risk != before:  # the same board comes again until the risk no longer changes
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
    """Find every result of one die or more for the men behind, who come first in the results."""
    turned = {(board[1], board[0])}
    a, b = roll
    orders = [(a,) * n for n in (1, 2, 3, 4)] if a == b else [(a,), (b,), (a, b), (b, a)]
    return set().union(*(after_dice(turned, order) for order in orders))


def hits(board: Board, roll: tuple[int, int]) -> bool:
    """Return whether the men behind can hit."""
    return any(after[1][BAR] for after in parts(board, roll))


def safe(board: Board) -> bool:
    """Return whether every man is past every checker that is left."""
    mine, theirs = board
    highest = max((point for point in range(1, BAR) if mine[point]), default=0)
    return all(25 - point > highest for point in range(1, 26) if theirs[point])
