"""Time the cube recurrences of races, and check what the tests are too short for.

    python scripts/bench_race.py

Prints medians of the recurrences beside their limits, how far three methods for win probabilities are apart, and the
formulas of the continuous game beside a simulation.  Exit status 1 if anything misses its mark.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import sys

import numpy as np
from timing import check, failures, median

from bgrace import scm
from bgrace.cube import continuous, race

GAMES = 4_000_000


def timings(repeats: int) -> None:
    print(f"recurrences, median of {repeats} runs, load {os.getloadavg()[0]:.1f}")
    for limit, most in ((200, 0.050), (400, 0.300)):
        taken = median(lambda limit=limit: race.solve(limit), repeats)  # type: ignore[misc]
        check(f"0..{limit} pips a side: {1000 * taken:.2f} ms (at most {1000 * most:.0f} ms)", taken < most)
    for name, work in (
        ("windows to 200 pips", lambda: race.solve(0).windows(200)),
        ("win probabilities to 400 pips", lambda: scm.table(400)),
        ("the same by first-passage distributions, these known", lambda: scm.table(400, "first-passage")),
        ("the same by the Markov chain", lambda: scm.table(400, "markov")),
        ("win probabilities to 1000 pips", lambda: scm.table(1000)),
        ("win probabilities to 2000 pips", lambda: scm.table(scm.MAX_PIPS)),
    ):
        print(f"        {name}: {1000 * median(work, repeats):.2f} ms")


def methods() -> None:
    print("win probabilities by three methods")
    for limit in (400, 1000):
        by_recursion = scm.table(limit)[1:]
        for method in scm.METHODS[1:]:
            worst = float(np.abs(scm.table(limit, method)[1:] - by_recursion).max())
            check(f"{method}, 0..{limit} pips: greatest difference {worst:.1e} (at most 1e-12)", worst <= 1e-12)


def simulated() -> None:
    print(f"continuous game, {GAMES:,} simulated games each: greatest deviation in standard errors (at most 4)")
    for name, formula in (
        ("rational", continuous.winnings(6)),
        ("insolent, t = 0.1", continuous.insolent(0.1, 6)),
        ("insolent, t = 0.25", continuous.insolent(0.25, 6)),
        ("cautious, t = 0.1, passes", continuous.cautious(0.1)),
        ("cautious, t = 0.1, takes", continuous.cautious(0.1, takes=True)),
        ("cautious, t = 0.2, takes", continuous.cautious(0.2, takes=True)),
    ):
        played = continuous.simulate(
            GAMES, 2015, low=formula.low, high=formula.high, a_takes=formula.a_takes, b_takes=formula.b_takes
        )
        chances = formula.probabilities
        found = np.array([played.frequency(int(value)) for value in formula.values])
        worst = float(np.max(np.abs(found - chances) / np.sqrt(chances * (1 - chances) / GAMES)))
        # Of the listed values: with both sides taking, the variance of all of them is infinite.
        mean, square = formula.values @ chances, formula.values.astype(float) ** 2 @ chances
        off = abs(float(formula.values @ found - mean)) / math.sqrt((square - mean**2) / GAMES)
        check(f"{name}: chances {worst:.2f}, mean {off:.2f}", worst <= 4 and off <= 4)


def main() -> int:
    arguments = argparse.ArgumentParser(description="Time and check the recurrences of races.")
    arguments.add_argument("--repeats", type=int, default=31, help="runs of each timing")
    repeats = arguments.parse_args().repeats
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")
    timings(repeats)
    methods()
    simulated()
    print("all checks passed" if not failures else f"{len(failures)} failed: " + "; ".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
