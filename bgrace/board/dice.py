"""The dice: 21 kinds of roll, their weights out of 36, and the pips that a roll brings on average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from itertools import islice
from typing import Final

from bgrace._base.arrays import as_integer
from bgrace.errors import RollError

ROLLS: Final[tuple[tuple[int, int], ...]] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
"""The 21 kinds of roll, larger die first: (1, 1), (2, 1), (2, 2), (3, 1), ..., (6, 6)."""

WEIGHTS: Final[tuple[int, ...]] = tuple(1 if a == b else 2 for a, b in ROLLS)
"""Number of the 36 ordered throws that give each entry of `ROLLS`."""

MEAN_PIPS: Final[float] = 49 / 6
"""Pips that a roll brings on average, doubles played four times."""


_SHORT: Final[Mapping[str, tuple[int, int]]] = {
    f"{a}{b}": (max(a, b), min(a, b)) for a in range(1, 7) for b in range(1, 7)
}
"""The usual ways to write rolls."""


def parse_roll(roll: str | Iterable[int]) -> tuple[int, int]:
    """Read a roll, larger die first.

    Parameters
    ----------
    roll : str or iterable of int
        ``"31"``, ``"3-1"``, ``"3,1"``, ``"3 1"`` or a pair of numbers from 1 to 6, in either order.  Sets and mappings
        are refused: a set drops the second die of a double.

    Returns
    -------
    tuple of two int
        The dice, larger one first: an entry of `ROLLS`.

    Raises
    ------
    RollError
        If there are not exactly two dice from 1 to 6.

    Examples
    --------
    >>> parse_roll("1-3"), parse_roll((6, 6))
    ((3, 1), (6, 6))
    """
    if type(roll) is str and roll in _SHORT:
        return _SHORT[roll]
    try:
        if isinstance(roll, (Set, Mapping)):
            dice = []
        elif isinstance(roll, str):
            dice = ["0123456".index(d) for d in roll if d not in "-, /"]
        else:
            dice = [as_integer(die, "") for die in islice(roll, 3)]  # the iterable may be endless
    except (TypeError, ValueError):
        dice = []
    if len(dice) != 2 or not all(1 <= d <= 6 for d in dice):
        raise RollError(f"{roll!r} is not a roll: give two dice from 1 to 6, such as '31' or '3-1'")
    return (dice[0], dice[1]) if dice[0] >= dice[1] else (dice[1], dice[0])


def roll_name(roll: tuple[int, int]) -> str:
    """Write a roll as players name it.

    Examples
    --------
    >>> roll_name((3, 1))
    '3-1'
    """
    return f"{roll[0]}-{roll[1]}"
