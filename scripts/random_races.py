"""Races for measures: recorded ones, and random ones of kinds that recorded play hardly has.

A kind is a function from a random generator to both sides; `KINDS` names them.  The same seed gives the same races.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._kernels.answer import Answer
from bgrace._kernels.two_sided import count_reachable
from bgrace.answers.reasons import solver
from bgrace.board import MAX_POINTS, Board, Position, parse_board
from bgrace.board.position import counts_of
from bgrace.errors import BgraceError
from bgrace.match import Score
from bgrace.match.stakes import Stakes

Pair: TypeAlias = tuple[Position, Position]

RECORDED: Final = Path(__file__).resolve().parent.parent / "data" / "recorded-races.txt"
AT_SCORES: Final = (
    *((3, 5, 1), (5, 3, 1), (7, 7, 1), (2, 9, 1), (11, 5, 1), (2, 2, 1), (1, 4, 1)),
    *((20, 2, 4), (8, 4, 1), (4, 5, 2), (6, 3, 2), (13, 8, 4), (4, 7, 4)),
)
"""Points that both sides need, and the cube; at some of these scores a larger cube is useless to a player."""


def recorded(every: int = 1) -> list[Board]:
    """Read every n-th recorded race, from the first."""
    return [parse_board(text) for text in RECORDED.read_text(encoding="ascii").split()[::every]]


def position(counts: npt.NDArray[np.int64]) -> Position:
    return Position(counts.tolist())


def scattered(rng: np.random.Generator, checkers: int, points: int) -> npt.NDArray[np.int64]:
    """Put each checker on a random point."""
    counts = np.zeros(MAX_POINTS, dtype=np.int64)
    np.add.at(counts, rng.integers(0, points, checkers), 1)
    return counts


def stacked(rng: np.random.Generator, checkers: int, points: int) -> npt.NDArray[np.int64]:
    """Put the checkers on one to four random points."""
    counts = np.zeros(MAX_POINTS, dtype=np.int64)
    where = rng.choice(points, int(rng.integers(1, min(points, 4) + 1)), replace=False)
    np.add.at(counts, rng.choice(where, checkers), 1)
    return counts


def spread_out(rng: np.random.Generator) -> Pair:
    """4 to 10 checkers a side up to the 12 point."""
    return tuple(position(scattered(rng, int(rng.integers(4, 11)), 12)) for _ in range(2))  # type: ignore[return-value]


def stacks(rng: np.random.Generator) -> Pair:
    """3 to 15 checkers at home, on few points."""
    return tuple(position(stacked(rng, int(rng.integers(3, 16)), 6)) for _ in range(2))  # type: ignore[return-value]


def straggler(rng: np.random.Generator) -> Pair:
    """One side with 11 to 14 checkers low and one outside, the other one at home."""
    mine = stacked(rng, int(rng.integers(11, 15)), 6) + scattered(rng, 1, 12)
    return either_way(rng, position(mine), position(stacked(rng, int(rng.integers(2, 16)), 7)))


def to_save(rng: np.random.Generator) -> Pair:
    """A gammon or a backgammon to save: 15 checkers, one or two of them far behind, against few at home."""
    far, near = (1, 14) if rng.integers(2) else (2, 13)
    other = (
        stacked(rng, int(rng.integers(1, 13)), 6) if rng.integers(2) else scattered(rng, int(rng.integers(1, 13)), 6)
    )
    highest = int(np.flatnonzero(other)[-1]) + 1
    mine = stacked(rng, near, 6)
    np.add.at(mine, rng.integers(6, MAX_POINTS - highest, far), 1)
    return either_way(rng, position(mine), position(other))


def far_behind(rng: np.random.Generator) -> Pair:
    """A backgammon to save: 15 checkers, one to five in the other side's home board, against few on low points."""
    other = scattered(rng, int(rng.integers(1, 13)), int(rng.integers(1, 6)))
    highest, far = int(np.flatnonzero(other)[-1]) + 1, int(rng.integers(1, 6))
    between = int(rng.integers(0, 16 - far)) if rng.integers(2) else 0
    mine = stacked(rng, 15 - far - between, 6) + scattered(rng, between, 18)
    np.add.at(mine, rng.integers(18, MAX_POINTS - highest, far), 1)
    return either_way(rng, position(mine), position(other))


def few(rng: np.random.Generator) -> Pair:
    """4 to 9 checkers a side, at home or a little outside."""
    return tuple(position(scattered(rng, int(rng.integers(4, 10)), int(rng.integers(5, 9)))) for _ in range(2))  # type: ignore[return-value]


def either_way(rng: np.random.Generator, mine: Position, other: Position) -> Pair:
    return (mine, other) if rng.integers(2) else (other, mine)


KINDS: dict[str, Callable[[np.random.Generator], Pair]] = {
    "spread out": spread_out,
    "stacks": stacks,
    "straggler": straggler,
    "to save": to_save,
    "far behind": far_behind,
    "few checkers": few,
}


def at_score(number: int) -> Stakes:
    mine, theirs, cube = AT_SCORES[number]
    return Stakes.at(Score(mine, theirs), cube_value=cube)


def drawn(kind: str, seed: int) -> Iterator[tuple[Pair, Stakes]]:
    """Draw races of a kind, or recorded ones in random order, in turn for money and at a score."""
    if kind == "recorded":
        boards = recorded()
        for n, k in enumerate(np.random.default_rng(seed).permutation(len(boards))):
            board = boards[k]
            yield (board.on_roll, board.opponent), Stakes.of(board) if n % 2 else Stakes.money()
        return
    for n in itertools.count(seed):
        yield KINDS[kind](np.random.default_rng(n)), at_score(n // 2 % len(AT_SCORES)) if n % 2 else Stakes.money()


def n_pairs(pair: Pair) -> int:
    """Count the pairs of positions that both sides can reach."""
    return math.prod(count_reachable(np.array(side, dtype=np.int8)) for side in pair)


def solved_fully(pair: Pair, at: Stakes) -> Answer | None:
    """Solve a race without a limit of time; None if that takes more than 2 GiB."""
    try:
        return solver().ask(counts_of(pair[0]), counts_of(pair[1]), at.kernel, "turns", 1e6, 2 << 30, math.inf)
    except BgraceError:
        return None
