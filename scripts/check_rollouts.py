"""Compare cubeful rollouts with `bgrace.solve`, race by race.

Reads IDs, one per line, and prints a line for each: pips, what the solver says of no double and double/take, what the
rollout does, and the difference in standard errors.  For money, whatever the IDs say.

    python scripts/check_rollouts.py IDS --error 0.0005 --from-pips 80 --to-pips 130 --every 20 --most 40
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import bgrace
from bgrace.board.board import Board
from bgrace.match.stakes import Rules
from bgrace.rollout import Estimate, cubeful
from bgrace.solving.turns import Budget


def races(ids: Path, first: int, last: int) -> Iterator[tuple[str, Board]]:
    """Races within these pips on both sides."""
    for line in ids.read_text().splitlines():
        for word in line.split()[:1]:
            board = bgrace.parse_board(word)
            if all(first <= side.pips <= last for side in (board.on_roll, board.opponent)):
                yield word, board


def compared(found: Estimate, solved: float) -> str:
    """How a rollout and a solution of one value are apart."""
    error = found.standard_error
    z = (solved - found.mean) / error if error else math.nan
    return f"{solved:+.4f} rolled {found.mean:+.4f} +- {error:.4f} difference {solved - found.mean:+.4f} z {z:+.1f}"


def summary(apart: list[tuple[float, float]]) -> str:
    """Of differences, each with its standard error."""
    off = [difference for difference, _ in apart]
    beyond = sum(abs(difference) > 3 * error for difference, error in apart)
    return (
        f"{len(off)} means: root mean square {math.sqrt(sum(x * x for x in off) / len(off)):.5f}, "
        f"mean {sum(off) / len(off):+.5f}, greatest {max(map(abs, off)):.5f}; "
        f"{beyond} beyond 3 standard errors, {sum(abs(x) > 0.0015 for x in off)} beyond 0.0015"
    )


def main() -> None:
    """Read the arguments, and print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", type=Path)
    parser.add_argument("--games", type=int, default=100_000, help="at most")
    parser.add_argument("--error", type=float, default=0.0005, help="standard error to reach")
    parser.add_argument("--seconds", type=float, default=3.0, help="budget of the solution that games are played by")
    parser.add_argument("--answer-seconds", type=float, default=1.0, help="budget of the answer it is compared with")
    parser.add_argument("--from-pips", type=int, default=80)
    parser.add_argument("--to-pips", type=int, default=130)
    parser.add_argument("--every", type=int, default=1, help="take one race in this many")
    parser.add_argument("--most", type=int, default=40, help="races")
    asked = parser.parse_args()
    budget = Budget(seconds=asked.seconds)
    apart: list[tuple[float, float]] = []
    for word, board in islice(
        races(asked.ids, asked.from_pips, asked.to_pips), 0, asked.every * asked.most, asked.every
    ):
        sides = board.on_roll, board.opponent
        solved = bgrace.solve(*sides, Rules(), seconds=asked.answer_seconds).cube_action()
        start = time.perf_counter()
        rolled = cubeful(*sides, games=asked.games, budget=budget, standard_error=asked.error)
        took = time.perf_counter() - start
        print(f"{word} {sides[0].pips} v {sides[1].pips}, {rolled.games:,} games, {took:.0f} s", flush=True)
        for name, rolls, value in (
            ("no double  ", rolled.no_double, solved.no_double),
            ("double/take", rolled.double_take, solved.double_take),
        ):
            if rolls is not None and value is not None:
                print(f"   {name}", compared(rolls, value), flush=True)
                apart.append((value - rolls.mean, rolls.standard_error))
    print(summary(apart))


if __name__ == "__main__":
    main()
