"""The slow twin's rules of hitting and entering, against GNU Backgammon's solution of two checkers a side."""

import random
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from helpers.command import call
from helpers.contact_reference import BAR, OFF, Board, Side, plays, side
from helpers.reference import ROLLS, WEIGHTS

MAKEHYPER = Path("/usr/games/makehyper")
N_SIDES = comb(27, 2)
"""Two checkers on 24 points, the bar and off."""


def number_of(counts: Side) -> int:
    """Return the number of a side in the file: the perfect hash of bearoffs, on 25 points."""
    total, number = 0, 0
    for point in range(BAR, OFF, -1):
        total += counts[point]
        number += comb(total + BAR - point, BAR - point + 1)
    return number


def equities(path: Path) -> npt.NDArray[np.float64]:
    """Return cubeless equities by both sides' numbers, the side on roll first.

    After a header of 40 bytes each pair has 28: five chances of 24 bits (to win, to win a gammon or a backgammon, to
    lose a gammon or a backgammon), four equities and a zero.  This layout was found by inspection.
    """
    records = np.fromfile(path, np.uint8, offset=40).reshape(N_SIDES, N_SIDES, 28)
    chances = records[..., :15].reshape(N_SIDES, N_SIDES, 5, 3) @ np.array([1, 256, 65536]) / (2**24 - 1)
    return np.asarray(chances @ np.array([2, 1, 1, -1, -1]) - 1)


@pytest.mark.platforms  # it takes half a minute
@pytest.mark.skipif(not MAKEHYPER.exists(), reason="gnubg's makehyper is not installed")
def test_a_turn_of_hypergammon_is_makehyper_s(tmp_path: Path) -> None:
    """The value of a board is the mean of its best plays' values, for 1,000 boards, most of them with contact.

    Among 200 boards none depends on the rule that the larger die is played if only one can be.
    """
    call(MAKEHYPER, "-c", "2", "-n", "-t", "1e-3", "-f", "hyper.bd", cwd=tmp_path)
    values = equities(tmp_path / "hyper.bd")

    def value(board: Board) -> float:
        return float(values[number_of(board[0]), number_of(board[1])])

    sides = [side(places) for places in combinations_with_replacement(range(26), 2) if any(places)]
    generator, compared, hits = random.Random(0), 0, 0
    while compared < 1000:
        board = generator.choice(sides), generator.choice(sides)
        if any(board[0][point] and board[1][BAR - point] for point in range(1, BAR)):
            continue
        expected = 0.0
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
            results = plays(board, roll)
            expected += weight / 36 * max(-value((theirs, mine)) for mine, theirs in results)
            hits += any(theirs[BAR] > board[1][BAR] for _, theirs in results)
        assert abs(value(board) - expected) < 2e-4, board  # makehyper's values are accurate to .00013
        compared += 1
    assert hits > 1000
