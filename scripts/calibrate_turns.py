"""What answers by turns are wrong by: the table of errors in csrc/turns/answer.c.

    python scripts/calibrate_turns.py RACES [--every N] [--first K] [--minutes M]

RACES has one GNU Backgammon position ID and match ID a line.  Races whose least solution takes at most --most-pairs are
solved for money with several deltas and several boundaries, and compared with every play where that fits, else with a
delta of 0.15 and exact pairs of 8 checkers.  The error of an answer is the greatest of its places of the cube, in
points.  Printed for each delta and boundary: how many races, the root mean square, 99 % and the greatest.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.board import Position, parse_board
from bgrace.errors import BgraceError
from bgrace.match.stakes import Stakes
from bgrace.solving.turns import Budget, TurnsAnswer, solve_turns

DELTAS = (0.0, 0.02, 0.04, 0.08)
BOUNDARIES = (4, 6, 8)
EXACT_PAIRS = 50_000
MEMORY = 2 << 30


def places(answer: TurnsAnswer) -> Floats:
    """Rolling now, by place of the cube."""
    planes = answer.places()[:, 0, 0].astype(int)
    found: Floats = answer.now()[planes[planes >= 0]]
    return found


def truth(mine: Position, theirs: Position, stakes: Stakes) -> Floats:
    """As close as it gets."""
    far = solve_turns(mine, theirs, stakes, Budget(1e6, MEMORY, delta=0.15, boundary_checkers=8))
    if far.pairs < EXACT_PAIRS:
        try:
            return places(solve_turns(mine, theirs, stakes, Budget(1e6, MEMORY, delta=math.inf, boundary_checkers=8)))
        except BgraceError:
            pass
    return places(far)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", type=Path)
    parser.add_argument("--every", type=int, default=97, help="take one race of so many")
    parser.add_argument("--first", type=int, default=0, help="begin with this race")
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so many of processor time")
    parser.add_argument("--most-pairs", type=int, default=1_000_000, help="leave out larger races")
    parser.add_argument("--list", action="store_true", help="print every answer")
    return parser.parse_args()


def main() -> None:
    """Measure, and print a line for each delta and boundary."""
    chosen = arguments()
    errors: dict[tuple[float, int], list[float]] = {(d, b): [] for d in DELTAS for b in BOUNDARIES}
    stakes = Stakes.money()
    for text in chosen.races.read_text(encoding="ascii").split()[chosen.first :: chosen.every]:
        if time.process_time() > 60 * chosen.minutes:
            break
        board = parse_board(text)
        mine, theirs = board.on_roll, board.opponent
        default = solve_turns(mine, theirs, stakes, Budget())
        if default.method == "exact" or default.merged:
            continue
        if solve_turns(mine, theirs, stakes, Budget(delta=0.0)).pairs > chosen.most_pairs:
            continue
        expected = truth(mine, theirs, stakes)
        for (delta, boundary), those in errors.items():
            answer = solve_turns(mine, theirs, stakes, Budget(1e6, MEMORY, delta=delta, boundary_checkers=boundary))
            found = places(answer)
            if len(found) == len(expected):
                those.append(float(np.abs(found - expected).max()))
                if chosen.list:
                    print(f"{text} {delta:g} {boundary} {errors[delta, boundary][-1]:.7f}", flush=True)
    print("delta  exact pairs  races  root mean square  99 %      greatest")
    for (delta, boundary), those in errors.items():
        array = np.array(those or [math.nan])
        print(
            f"{delta:<6g} {boundary:<12} {len(those):<6} {math.sqrt(float((array**2).mean())):<17.6f} "
            f"{np.quantile(array, 0.99):<9.6f} {array.max():.6f}"
        )


if __name__ == "__main__":
    main()
