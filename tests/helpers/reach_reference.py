"""The slow twin of csrc/turns: what one side of a race can come to, from the rules of backgammon alone."""

from __future__ import annotations

from functools import cache

from helpers.reference import ROLLS, TIE, WEIGHTS, Counts, index, plays

POINTS = 24


@cache
def mean(counts: Counts) -> float:
    """Least mean number of rolls to the last checker; all positions below are looked at."""
    if not any(counts):
        return 0.0
    return (
        1
        + sum(w * min(mean(result) for result in plays(counts, roll)) for roll, w in zip(ROLLS, WEIGHTS, strict=True))
        / 36
    )


@cache
def mean_first(counts: Counts) -> float:
    """Least mean number of rolls to the first of 15 checkers."""
    if sum(counts) < 15:
        return 0.0
    return (
        1
        + sum(
            w * min(mean_first(result) for result in plays(counts, roll))
            for roll, w in zip(ROLLS, WEIGHTS, strict=True)
        )
        / 36
    )


@cache
def kept(counts: Counts, roll: tuple[int, int], delta: float) -> list[Counts]:
    """The results whose mean is within delta of the least, the best first, of equal ones that with the lesser index."""
    results = sorted(plays(counts, roll), key=index)
    least = min(map(mean, results))
    best = next(result for result in results if mean(result) <= least + TIE)
    others = [r for r in results if r != best and delta > 0 and mean(r) <= least + delta + TIE]
    return [best, *others]


def layers(counts: Counts, delta: float, max_turns: int = 1000) -> list[set[Counts]]:
    """The positions after 0, 1, ... rolls, until everybody is off or the horizon."""
    empty = (0,) * len(counts)
    found = [{counts}]
    while len(found) <= max_turns and found[-1] != {empty}:
        found.append({empty} | {r for here in found[-1] for roll in ROLLS for r in kept(here, roll, delta)})
    return found
