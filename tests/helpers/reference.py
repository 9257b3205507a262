"""The slow twin: bearoff positions, plays, expected rolls and two-sided values, straight from the formulas.

It is written from the papers alone, imports nothing from bgrace, and is plain rather than fast.  Kernels are tested
against it.  A position is a tuple of checker counts, ace point first, on any number of
points; checkers not listed are off.  Caches are never emptied: fifteen checkers on six points take about a minute
and half a gigabyte, so tests use fewer.

Sources: Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races" (RBM below), for the index,
the plays and the expected rolls; Dotsenko and Marynych, "Optimal Doubling Strategies in Backgammon", for the cube;
the manual and the files of GNU Backgammon 1.07 for its formats.
"""

import itertools
from collections.abc import Sequence
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Counts = tuple[int, ...]
Roll = tuple[int, int]
FloatArray = NDArray[np.float64]

HOME_POINTS = 6
TIE = 1e-10
"""Means closer than this are equal: true ties are exact, the nearest miss of 15 checkers on 6 points is 3.8e-7."""

MAX_ROLLS = 64
"""Length of a distribution of rolls; fifteen checkers on six points need at most 30."""

ROLLS: tuple[Roll, ...] = tuple(itertools.combinations_with_replacement(range(1, 7), 2))
"""The 21 distinct rolls."""

WEIGHTS: tuple[int, ...] = tuple(1 if a == b else 2 for a, b in ROLLS)
"""Number of the 36 throws of two dice that give each of ROLLS."""


# Positions and their index


def index(counts: Sequence[int]) -> int:
    """Perfect hash: sum over points j of C(t_j + p - j, p - j + 1), t_j the checkers on points >= j (RBM section 3)."""
    p = len(counts)
    return sum(comb(sum(counts[j - 1 :]) + p - j, p - j + 1) for j in range(1, p + 1))


def position(number: int, points: int) -> Counts:
    """Inverse of index: for j = 1..p the greatest t_j whose binomial still fits, then K_j = t_j - t_{j+1}."""
    on_or_above = []
    rest = number
    for j in range(1, points + 1):
        size = points - j + 1
        t = 0
        while comb(t + size, size) <= rest:
            t += 1
        on_or_above.append(t)
        rest -= comb(t + size - 1, size)
    on_or_above.append(0)
    return tuple(on_or_above[j] - on_or_above[j + 1] for j in range(points))


def positions(points: int, checkers: int) -> list[Counts]:
    """List all positions of at most `checkers` checkers in index order, by sorting and without the formula.

    The order is decreasing lexicographic order of (K0, K1, ..., Kp), K0 the checkers that are off.
    """

    def arrangements(places: int, left: int) -> list[Counts]:
        if places == 0:
            return [()]
        return [(k, *rest) for k in range(left + 1) for rest in arrangements(places - 1, left - k)]

    with_off = [(checkers - sum(counts), *counts) for counts in arrangements(points, checkers)]
    with_off.sort(reverse=True)
    return [vector[1:] for vector in with_off]


# Plays


@cache
def single_die(counts: Counts, die: int) -> frozenset[Counts]:
    """Find every position after one die; none only from the empty board.

    A checker moves from j > die to j - die.  With no checker above the six point, a checker on the point of the die
    bears off, and so does one on the highest point if the die is larger.
    """
    highest = max((point for point, checkers in enumerate(counts, start=1) if checkers), default=0)
    results = set()
    for point, checkers in enumerate(counts, start=1):
        if not checkers:
            continue
        after = list(counts)
        after[point - 1] -= 1
        if point > die:
            after[point - die - 1] += 1
            results.add(tuple(after))
        elif highest <= HOME_POINTS and point in (die, highest):
            results.add(tuple(after))
    return frozenset(results)


def dice_orders(roll: Roll) -> list[tuple[int, ...]]:
    """List the orders in which the dice of a roll can be played: two, or one of four equal dice."""
    a, b = roll
    return [(a,) * 4] if a == b else [(a, b), (b, a)]


def plays(counts: Counts, roll: Roll) -> set[Counts]:
    """Find every distinct result of a roll: both orders, doubles four times; the empty board stays.

    The rules demand as many dice as possible, and the larger one if only one of two can be played.  Without points of
    the opponent this excludes nothing: tests/apps/review/test_replay.py has races under all of the rules.
    """
    results: set[Counts] = set()
    for order in dice_orders(roll):
        reached = {counts}
        for die in order:
            reached = {after for before in reached for after in single_die(before, die) or {before}}
        results |= reached
    return results


@cache
def plays_of_every_roll(counts: Counts) -> tuple[tuple[int, tuple[Counts, ...]], ...]:
    """List for each of the 21 rolls its weight, and its results in index order."""
    return tuple(
        (weight, tuple(sorted(plays(counts, roll), key=index))) for roll, weight in zip(ROLLS, WEIGHTS, strict=True)
    )


# One side: expected rolls and distributions of rolls


class ExpectedRolls:
    """Least expected number of rolls until at most `checkers_left` checkers are on the board, from any position.

    E = 0 where that is so, otherwise E(K) = 1 + (1/36) sum over rolls w min over results R of E(R)  (RBM section 3,
    Fig. 9, in rolls instead of pips).  With `checkers_left` = 0 this is the whole bearoff and E x 49/6 is the expected
    pip count; with one checker fewer than the game starts with, it is the wait for the first checker to come off.
    """

    def __init__(self, checkers_left: int = 0) -> None:
        self.checkers_left = checkers_left
        self._known: dict[Counts, float] = {}
        self._chances: dict[Counts, FloatArray] = {}

    def __call__(self, counts: Counts) -> float:
        """Return E of a position."""
        if sum(counts) <= self.checkers_left:
            return 0.0
        if counts not in self._known:
            total = sum(weight * min(map(self, results)) for weight, results in plays_of_every_roll(counts))
            self._known[counts] = 1 + total / 36
        return self._known[counts]

    def best_child(self, counts: Counts, roll: Roll) -> Counts:
        """Return the result with the least E; among equals (to 1e-10) the one with the smallest index."""
        return self._first_best(sorted(plays(counts, roll), key=index))

    def distribution(self, counts: Counts) -> FloatArray:
        """Return P[k], k < 64: exactly k rolls are needed if every roll is played to its `best_child`.

        P_K(k) = (1/36) sum over rolls w P_best(k - 1), and P(0) = 1 where E = 0.
        """
        if counts not in self._chances:
            chances = np.zeros(MAX_ROLLS)
            if sum(counts) <= self.checkers_left:
                chances[0] = 1
            else:
                for weight, results in plays_of_every_roll(counts):
                    chances[1:] += weight / 36 * self.distribution(self._first_best(results))[:-1]
            self._chances[counts] = chances
        return self._chances[counts]

    def _first_best(self, results: Sequence[Counts]) -> Counts:
        least = min(map(self, results))
        return next(result for result in results if self(result) <= least + TIE)


def first_checker_distributions(points: int, checkers: int, rolls: int) -> FloatArray:
    """G[index, k], k < rolls: the first checker comes off on exactly roll k, each play minimising the mean of that.

    The game starts with `checkers` checkers, so the wait is 0 rolls wherever fewer are on the board.
    """
    expected = ExpectedRolls(checkers_left=checkers - 1)
    return np.array([expected.distribution(counts)[:rolls] for counts in positions(points, checkers)])


def distribution_means(chances: FloatArray) -> FloatArray:
    """Return the mean number of rolls of each row of P[..., k]."""
    means: FloatArray = chances @ np.arange(chances.shape[-1], dtype=np.float64)
    return means


def distribution_variances(chances: FloatArray) -> FloatArray:
    """Return the variance of the number of rolls of each row of P[..., k]."""
    deviations = np.arange(chances.shape[-1]) - distribution_means(chances)[..., np.newaxis]
    variances: FloatArray = (chances * deviations**2).sum(axis=-1)
    return variances


def one_sided_win(on_roll: FloatArray, opponent: FloatArray) -> FloatArray:
    """sum over k of P(n_X = k) P(n_Y >= k): the player on roll wins if both need as many rolls (RBM section 2)."""
    not_earlier = np.cumsum(opponent[..., ::-1], axis=-1)[..., ::-1]
    chances: FloatArray = (on_roll * not_earlier).sum(axis=-1)
    return chances


# Two sides: win probability and money equities
#
# Planes of the last axis: cubeless, and rolling now without doubling with the cube mine, centered, theirs, all for
# the player on roll and per unit of the present cube.

CUBELESS, MINE, CENTERED, THEIRS = range(4)
SAME_CUBE_FOR_OPPONENT = [CUBELESS, THEIRS, CENTERED, MINE]


def with_double(roll_now: FloatArray) -> FloatArray:
    """Turn N into E: mine and centered become max(N, min(2 N_theirs, 1)), cubeless and theirs stay."""
    values = roll_now.copy()
    doubled = np.minimum(2 * roll_now[..., THEIRS], 1)
    for plane in (MINE, CENTERED):
        values[..., plane] = np.maximum(roll_now[..., plane], doubled)
    return values


@cache
def two_sided(checkers: int, points: int = 6, gammon_checkers: int | None = None, jacoby: bool = False) -> FloatArray:
    """N[on_roll, opponent, plane] for all ordered pairs of positions of at most `checkers` checkers.

    With A the average over rolls of the greatest value over plays, g(y) = 2 if y still has all `gammon_checkers`
    checkers, else 1 (always 1 without `gammon_checkers`), and E as in `with_double`:

        N_plane(x, y) = A[ g(y) if x' is empty else -E_plane'(y, x') ],   mine' = theirs, theirs' = mine.

    Each plane takes its own maximum.  With `jacoby` gammons count once in the centered plane.  Row 0 (the player has
    won) is g(y), column 0 (the opponent has) is -g(x); for both empty it is +1.  Where no gammon counts the chance to
    win, which both sides maximise, is half of 1 + the cubeless plane.
    """
    spots = positions(points, checkers)
    n = len(spots)
    stakes = np.ones((n, 4))
    stakes[[sum(counts) == gammon_checkers for counts in spots]] = 2
    if jacoby:
        stakes[:, CENTERED] = 1

    # The results of all rolls of all positions but the empty one, in one list; play_ends[x]: where those of x end.
    numbers: list[int] = []
    roll_starts: list[int] = []
    play_ends = [0]
    for counts in spots[1:]:
        for _, results in plays_of_every_roll(counts):
            roll_starts.append(len(numbers))
            numbers += [index(result) for result in results]
        play_ends.append(len(numbers))
    children, starts = np.array(numbers, dtype=np.intp), np.array(roll_starts, dtype=np.intp)

    def average_of_best(moved: FloatArray, first: int, last: int) -> FloatArray:
        """Apply the operator A to positions first..last; moved[x', ...]: the value of having just moved to x'."""
        begin = play_ends[first - 1]
        of_play = moved[children[begin : play_ends[last]]]
        best = np.maximum.reduceat(of_play, starts[21 * (first - 1) : 21 * last] - begin, axis=0)
        by_roll = best.reshape(last - first + 1, len(ROLLS), *moved.shape[1:])
        average: FloatArray = np.tensordot(by_roll, np.array(WEIGHTS) / 36, axes=(1, 0))
        return average

    roll_now = np.empty((n, n, 4))
    roll_now[:, 0] = -stakes
    roll_now[0] = stakes
    # moved[x', y]: the value to a player who has just moved to x' against y, who is now on roll.
    moved = np.empty((n, n, 4))
    moved[0] = stakes
    # Pairs in order of the larger index m: every play lowers the index, so (x, y) needs only pairs done before.
    for m in range(1, n):
        if m > 1:
            roll_now[m, 1:m] = average_of_best(moved[:m, 1:m], m, m)[0]
            moved[1:m, m] = -with_double(roll_now[m, 1:m])[:, SAME_CUBE_FOR_OPPONENT]
        roll_now[1 : m + 1, m] = average_of_best(moved[:m, m], 1, m)
        moved[m, 1 : m + 1] = -with_double(roll_now[1 : m + 1, m])[:, SAME_CUBE_FOR_OPPONENT]
    return roll_now


# Files of GNU Backgammon


HEADER_BYTES = 40


def read_gnubg_one_sided(path: str | Path) -> tuple[FloatArray, FloatArray]:
    """Read from a one-sided .bd file the chances (n, 32) that the last, and the first, checker comes off on roll k.

    Stored are 16-bit multiples of 1/65535.  Compressed files start with an entry for each position: where its values
    begin, in 16-bit units, then how many there are and their first k, for the last and for the first checker.
    Without gammon data the second array is all zeros.  Files of normal distributions are refused.
    """
    data = Path(path).read_bytes()
    header = data[:HEADER_BYTES].decode("ascii")
    if header[:9] != "gnubg-OS-" or header[19] != "0":
        raise ValueError(f"{path}: not a one-sided file of distributions: {header!r}")
    points, checkers = int(header[9:11]), int(header[12:14])
    gammons, compressed = header[15] == "1", header[17] == "1"
    n = comb(points + checkers, points)
    body = data[HEADER_BYTES:]
    if not compressed:
        rows = np.frombuffer(body, "<u2").reshape(n, 64 if gammons else 32) / 65535
        return rows[:, :32], rows[:, 32:] if gammons else np.zeros((n, 32))
    entry = np.dtype([("begin", "<u4"), ("spans", "u1", (2 if gammons else 1, 2))])
    entries = np.frombuffer(body, entry, n)
    values = np.frombuffer(body, "<u2", offset=n * entry.itemsize) / 65535
    both = np.zeros((2, n, 32))
    for row in range(n):
        begin = int(entries["begin"][row])
        for table, (count, first) in enumerate(entries["spans"][row].tolist()):
            both[table, row, first : first + count] = values[begin : begin + count]
            begin += count
    return both[0], both[1]


def read_gnubg_two_sided(path: str | Path) -> NDArray[np.uint16]:
    """Read the values u (n, n, 4) of a cubeful two-sided .bd file: cubeless, mine, centered, theirs (rolling now).

    Equity = u / 32767.5 - 1.  A pair (on_roll, opponent) is record on_roll * n + opponent.
    """
    data = Path(path).read_bytes()
    header = data[:HEADER_BYTES].decode("ascii")
    if header[:9] != "gnubg-TS-" or header[15] != "1":
        raise ValueError(f"{path}: not a cubeful two-sided file: {header!r}")
    points, checkers = int(header[9:11]), int(header[12:14])
    n = comb(points + checkers, points)
    return np.frombuffer(data, "<u2", offset=HEADER_BYTES).astype(np.uint16).reshape(n, n, 4)
