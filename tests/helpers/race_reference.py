"""The slow twin of races: single-checker model, cube recurrences and endgames, straight from the formulas.

Written from the papers alone; imports nothing from bgrace.  Recurrences work in floats, or in fractions for exact
values.

Sources: Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 2; Dotsenko and
Marynych, "Optimal doubling strategies in backgammon", sections 4 and 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from helpers import reference

Number = TypeVar("Number", float, Fraction)
Table = dict[tuple[int, int], Number]


TOTALS = Counter(4 * a if a == b else a + b for a in range(1, 7) for b in range(1, 7))
"""Pips of a roll, four times the die for doubles, and the number of the 36 throws with that many."""


# The single-checker model


def roll_chances(limit: int) -> list[list[Fraction]]:
    """Return exact chances of needing n = 0, 1, ... rolls from m = 0 .. limit pips."""
    chances = [[Fraction(1)]]
    for m in range(1, limit + 1):
        row = [Fraction(0)] * (-(-m // 3) + 1)
        for points, ways in TOTALS.items():
            for n, chance in enumerate(chances[max(m - points, 0)]):
                row[n + 1] += Fraction(ways, 36) * chance
        chances.append(row)
    return chances


def win_chance(own: list[Fraction], other: list[Fraction]) -> Fraction:
    """Return the chance that the player on roll needs at most as many rolls as the opponent."""
    return sum((chance * sum(own[: n + 1], Fraction(0)) for n, chance in enumerate(other)), Fraction(0))


# The cube


def two_roll_equities(limit: int, one: Number) -> dict[str, Table[Number]]:
    """Solve equations (7) to (15) as printed: an own cube that is not turned stays for a roll of either side."""
    dice = [(points, ways * one / 36) for points, ways in TOTALS.items()]
    mine: Table[Number] = {}
    centered: Table[Number] = {}
    no_double_mine: Table[Number] = {}
    no_double_centered: Table[Number] = {}
    doubled: Table[Number] = {}
    for total in range(2 * limit + 1):
        for k in range(max(0, total - limit), min(total, limit) + 1):
            s = total - k
            if k == 0 or s == 0:
                value = one if k == 0 else -one
                for table in (mine, centered, no_double_mine, no_double_centered, doubled):
                    table[k, s] = value
                continue
            roll_twice = roll_once = give_away = 0 * one
            for i, p in dice:
                left = max(k - i, 0)
                roll_once -= p * centered[s, left]
                give_away -= 2 * p * mine[s, left]
                for j, q in dice:
                    # A player who has finished has won; the opponent does not roll.
                    roll_twice += p * q * (mine[left, max(s - j, 0)] if left else one)
            no_double_mine[k, s], no_double_centered[k, s], doubled[k, s] = roll_twice, roll_once, give_away
            mine[k, s] = max(roll_twice, min(give_away, one))
            centered[k, s] = max(roll_once, min(give_away, one))
    return {
        "centered": centered,
        "mine": mine,
        "no_double_centered": no_double_centered,
        "no_double_mine": no_double_mine,
        "double_take": doubled,
    }


# The end of the game on the board


def bearing_off_chances(points: Sequence[int]) -> int:
    """Count the throws out of 36 that bear off checkers on these points."""
    counts = tuple(points.count(point) for point in range(1, 7))
    throws = zip(reference.ROLLS, reference.WEIGHTS, strict=True)
    return sum(weight for roll, weight in throws if (0,) * 6 in reference.plays(counts, roll))
