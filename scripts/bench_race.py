"""Time the cube recurrences of races, and check what they and the continuous game give.

    python scripts/bench_race.py

Prints medians of the recurrences beside their limits, the greatest difference from the slow twin of the tests, how the
printed Tables 2 to 5 compare, and the formulas of the continuous game beside a simulation.  Exit status 1 if anything
misses its mark.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import sys
from pathlib import Path

import numpy as np
from timing import check, failures, median

from bgrace import scm
from bgrace.cube import continuous, endgame, race

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from helpers.race_reference import golden, one_roll_equities, two_roll_equities  # the twin lives with the tests

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


def twin() -> None:
    print("against the slow twin")
    for label, limit, tables in (
        ("three cube states, one roll at a time", 200, {n: np.array(t) for n, t in one_roll_equities(200).items()}),
        ("the printed system (7)-(15), two rolls at a time", 80, _arrays(two_roll_equities(80, 1.0), 80)),
    ):
        solved = race.solve(limit)
        worst = max(float(np.abs(getattr(solved, name) - values).max()) for name, values in tables.items())
        check(f"{label}, 0..{limit} pips: greatest difference {worst:.1e} (at most 1e-12)", worst <= 1e-12)


def _arrays(tables: dict[str, dict[tuple[int, int], float]], limit: int) -> dict[str, np.ndarray]:
    return {
        name: np.array([[table[k, s] for s in range(limit + 1)] for k in range(limit + 1)])
        for name, table in tables.items()
    }


def methods() -> None:
    print("win probabilities by three methods")
    for limit in (400, 1000):
        by_recursion = scm.table(limit)[1:]
        for method in scm.METHODS[1:]:
            worst = float(np.abs(scm.table(limit, method)[1:] - by_recursion).max())
            check(f"{method}, 0..{limit} pips: greatest difference {worst:.1e} (at most 1e-12)", worst <= 1e-12)


def printed() -> None:
    print("printed tables")
    one, two = endgame.one_checker_chances(), endgame.two_checker_chances()
    rows = golden("race_chances.csv")
    found = [
        two[int(row["point"]) - 1, int(row["other_point"]) - 1] if row["point"] else one[int(row["other_point"]) - 1]
        for row in rows
    ]
    same = sum(int(row["chances"]) == n for row, n in zip(rows, found, strict=True))
    check(f"Tables 2 and 3: {same} of {len(rows)} cells", same == len(rows) == 42)
    rows = golden("race_win_probability.csv")
    cells = [(int(row["k"]), int(row["lead"]), float(row["printed"])) for row in rows]
    exact = [scm.win_probability(k, k + lead) for k, lead, _ in cells]
    differ = [
        (k, lead, shown, value)
        for (k, lead, shown), value in zip(cells, exact, strict=True)
        if round(100 * shown) != round(100 * value)
    ]
    close = all(abs(value - float(row["exact"])) < 6e-6 for value, row in zip(exact, rows, strict=True))
    check(
        f"Table 4: exact values as derived; {len(cells) - len(differ)} of {len(cells)} printed cells are right", close
    )
    for k, lead, shown, value in differ:
        print(f"          F({k}, {k + lead}) printed {shown:.2f}, exact {value:.5f}")
    records = race.solve(0).windows(200)[20:]
    for column in ("double", "redouble", "take"):
        rows = [row for row in golden("race_windows.csv") if row["column"] == column]
        expected = [(int(row["first"]), int(row["last"]), int(row["lead"])) for row in rows]
        bands = [(band.first, band.last, band.lead) for band in race.bands(records, column)]
        shown = sum(bool(row["printed"]) for row in rows)
        check(f"Table 5, {column}: {len(expected)} rows, of which {shown} are printed", bands == expected)


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
    twin()
    methods()
    printed()
    simulated()
    print("all checks passed" if not failures else f"{len(failures)} failed: " + "; ".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
