"""Compare cubeful rollouts with `bgrace.solve`, race by race.

Reads IDs, one a line, and prints a line for each: pips, what the solver says of no double and double/take, what the
rollout does, and the difference in standard errors.  For money, whatever the IDs say.

    python scripts/check_rollouts.py IDS --games 64 --seconds 0.3 --from-pips 80 --to-pips 130 --most 40
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import bgrace
from bgrace.match.stakes import Rules
from bgrace.rollout import Estimate, cubeful
from bgrace.solving.turns import Budget


def compared(found: Estimate, solved: float) -> str:
    """How a rollout and a solution of one value are apart."""
    error = found.standard_error
    z = (solved - found.mean) / error if error else math.nan
    return f"{solved:+.4f} rolled {found.mean:+.4f} +- {error:.4f} difference {solved - found.mean:+.4f} z {z:+.1f}"


def main() -> None:
    """Read the arguments, and print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", type=Path)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=0.3, help="budget of each solution of a rollout")
    parser.add_argument("--from-pips", type=int, default=80)
    parser.add_argument("--to-pips", type=int, default=130)
    parser.add_argument("--most", type=int, default=40, help="races")
    asked = parser.parse_args()
    done = 0
    for line in asked.ids.read_text().splitlines():
        words = line.split()
        if done == asked.most:
            break
        if not words:
            continue
        board = bgrace.parse_board(words[0])
        pips = board.on_roll.pips, board.opponent.pips
        if not all(asked.from_pips <= n <= asked.to_pips for n in pips):
            continue
        done += 1
        solved = bgrace.solve(board.on_roll, board.opponent, Rules()).cube_action()
        start = time.perf_counter()
        rolled = cubeful(board.on_roll, board.opponent, games=asked.games, budget=Budget(seconds=asked.seconds))
        took = time.perf_counter() - start
        print(f"{words[0]} {pips[0]} v {pips[1]}, {asked.games} games, {took:.0f} s", flush=True)
        print("   no double  ", compared(rolled.no_double, solved.no_double))
        if rolled.double_take is not None and solved.double_take is not None:
            print("   double/take", compared(rolled.double_take, solved.double_take), flush=True)


if __name__ == "__main__":
    main()
