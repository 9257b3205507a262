"""The slow twin of rollouts: dice, strategies H and I, and games, one step after another.

Written from Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.1, as
docs/rollouts.md interprets it, and from Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
for the dice; imports nothing from bgrace.  A position is a tuple of 24 counts, ace point first.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from helpers.reference import ExpectedRolls, index, single_die

Counts = tuple[int, ...]

EXPECTED = ExpectedRolls()


def philox(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]:
    """Return four random words by Philox4x32-10."""
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k, q % 2**32, (p >> 32) ^ d ^ m, p % 2**32
        k, m = (k + 0x9E3779B9) % 2**32, (m + 0xBB67AE85) % 2**32
    return a, b, c, d


def dice(seed: int, game: int, side: int) -> Iterator[tuple[int, int]]:
    """Yield the throws of a side: the first six digits to the base 36 of fractions of 64 bits, two in each block."""
    block = 0
    while True:
        words = philox((game % 2**32, game >> 32, side, block), (seed % 2**32, seed >> 32))
        for low, high in (words[:2], words[2:]):
            fraction = Fraction(high << 32 | low, 2**64)
            for _ in range(6):
                digit = int(fraction * 36)
                fraction = fraction * 36 - digit
                yield digit // 6 + 1, digit % 6 + 1
        block += 1


def table(point: int) -> int:
    return (point - 1) // 6


def is_home(counts: Counts, points: int = 6) -> bool:
    return not any(counts[points:])


def moved(counts: Counts, start: int, end: int) -> Counts:
    after = list(counts)
    after[start - 1] -= 1
    after[end - 1] += 1
    return tuple(after)


def best_of_dice(counts: Counts, left: Sequence[int], points: int) -> Counts:
    """Return the result of the dice in any order with the least expected rolls; among equals the smallest index."""
    reached = {(counts[:points], tuple(left))}
    ends: set[Counts] = set()
    while reached:
        here, rest = reached.pop()
        if not rest or not any(here):
            ends.add(here)
            continue
        for k in range(len(rest)):
            reached |= {(after, rest[:k] + rest[k + 1 :]) for after in single_die(here, rest[k])}
    least = min(EXPECTED(end) for end in ends)
    best = min((end for end in ends if EXPECTED(end) <= least + 1e-10), key=index)
    return best + (24 - points) * (0,)


def play(counts: Counts, roll: tuple[int, int], blocked: set[int], points: int = 6) -> Counts:
    """Play a roll by strategies H and I until all checkers are within `points`, then by the least expected rolls."""
    larger, smaller = max(roll), min(roll)
    left = [larger] * 4 if larger == smaller else [larger, smaller]
    if is_home(counts, points):
        return best_of_dice(counts, left, points)

    # Strategy H, one die at a time.
    for die in list(left):
        for start in range(24, die, -1):
            if counts[start - 1] and start - die not in blocked and table(start - die) < table(start):
                counts = moved(counts, start, start - die)
                left.remove(die)
                break
        if is_home(counts, points):
            return best_of_dice(counts, left, points)
    # Strategy H, all remaining dice with one checker.
    if len(left) > 1:
        total = sum(left)
        for start in range(24, total, -1):
            ways = [[start - sum(order[: k + 1]) for k in range(len(order))] for order in (left, left[::-1])]
            is_free = any(blocked.isdisjoint(way) for way in ways)
            if counts[start - 1] and is_free and table(start - total) < table(start):
                counts = moved(counts, start, start - total)
                left = []
                break
        if is_home(counts, points):
            return best_of_dice(counts, left, points)
    # Strategy I.
    for k, die in enumerate(left):
        sources = [j for j in range(24, die, -1) if counts[j - 1] and j - die not in blocked]
        empty = [j for j in sources if counts[j - die - 1] == 0]
        if empty or sources:
            start = (empty or sources)[0]
            counts = moved(counts, start, start - die)
            if is_home(counts, points):
                return best_of_dice(counts, left[k + 1 :], points)
    return counts


def game(sides: Sequence[Counts], seed: int, number: int, blocking: bool, points: int = 6) -> list[int]:
    """Count the rolls that each side needs; the first side throws first, and both bear off completely."""
    boards, throws = list(sides), [dice(seed, number, side) for side in range(len(sides))]
    rolls = [0] * len(sides)
    while any(map(any, boards)):
        for side, board in enumerate(boards):
            if any(board):
                other = boards[1 - side] if len(boards) > 1 and blocking else ()
                blocked = {25 - j for j, n in enumerate(other, start=1) if n}
                boards[side] = play(board, next(throws[side]), blocked, points)
                rolls[side] += 1
    return rolls
