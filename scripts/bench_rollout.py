"""Time rollouts, and measure what taking the luck out of the dice gains.

    python scripts/bench_rollout.py

Prints games a second, medians of several runs, and by which factor fewer games the adjusted results need for the same
standard error.  Exit status 1 if two-player bearoffs are slower than a million games a second, or if a rollout is more
than four standard errors off the exact answer.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time

import numpy as np

from bgrace import rollout
from bgrace._base.threads import how_many
from bgrace.board import PositionLike
from bgrace.studies import initial_positions

TRIANGLE = "4x3 5x5 6x7"
RACES = ((60, 60), (70, 80), (80, 90), (100, 100), (100, 110), (130, 140))


def median_seconds(
    repeats: int, games: int, on_roll: PositionLike, opponent: PositionLike | None, threads: int
) -> float:
    times = []
    for seed in range(repeats):
        start = time.perf_counter()
        if opponent is None:
            rollout.one_player(on_roll, games, seed, threads=threads)
        else:
            rollout.two_player(on_roll, opponent, games, seed, threads=threads)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000_000, help="of each timing (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="timings of which the median counts")
    arguments = parser.parse_args()
    games, threads = arguments.games, how_many()
    rollout.one_player(TRIANGLE, 2, 1)  # solves the table
    print(f"million games a second, median of {arguments.repeats} of {games:,} games, load {os.getloadavg()[0]:.1f}")
    print(f"  {'':44}  1 thread  {threads} threads")
    base = initial_positions.base
    slow = False
    for label, on_roll, opponent in (
        ("two-player bearoff, 15 checkers a side", TRIANGLE, TRIANGLE),
        ("two-player bearoff, 6 checkers a side", "1,1,1,1,1,1", "1,1,1,1,1,1"),
        ("two-player race, 70 against 80 pips", base(70), base(80)),
        ("two-player race, 100 against 110 pips", base(100), base(110)),
        ("two-player race, 130 against 140 pips", base(130), base(140)),
        ("one-player bearoff, 15 checkers", TRIANGLE, None),
        ("one-player race, 130 pips", base(130), None),
    ):
        rates = [
            games / median_seconds(arguments.repeats, games, on_roll, opponent, n) / 1e6 for n in sorted({1, threads})
        ]
        print(f"  {label:44}  " + "  ".join(f"{rate:8.2f}" for rate in rates))
        slow |= "bearoff, 15 checkers a side" in label and rates[-1] < 1

    print(f"\nagainst exact answers, {games:,} games: (result - exact) / standard error, plain and adjusted")
    worst = 0.0
    for x, y in RACES:
        exact = _exact(x, y)
        found = rollout.two_player(base(x), base(y), games, 1, blocking=False)
        off = (
            (found.win_probability - exact) / found.standard_error,
            (found.adjusted_win_probability - exact) / found.adjusted_standard_error,
        )
        worst = max(worst, *map(abs, off))
        gains = [
            (part.standard_error / part.adjusted_standard_error) ** 2 for part in (found, found.on_roll, found.opponent)
        ]
        print(
            f"  {x:3} : {y:3} pips  exact {100 * exact:.4f} %  {off[0]:+.2f} {off[1]:+.2f}   adjusting saves games by"
            f" {gains[0]:.1f} for the chance to win, {gains[1]:.1f} and {gains[2]:.1f} for the rolls"
        )
    if slow:
        print("FAIL: two-player bearoffs are slower than a million games a second")
    if worst > 4:
        print("FAIL: a result is more than four standard errors off")
    return int(slow or worst > 4)


def _exact(x: int, y: int) -> float:
    """By the exact distributions of both sides, who are not in each other's way."""
    own, other = (rollout.roll_distribution(initial_positions.base(pips)) for pips in (x, y))
    later = np.cumsum(other[::-1])[::-1]
    n = min(len(own), len(later))
    return float(own[:n] @ later[:n])


if __name__ == "__main__":
    sys.exit(main())
