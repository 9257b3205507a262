"""What answers by turns are wrong by: the constants of the error in csrc/turns/answer.c.

    python scripts/calibrate_turns.py RACES [--every N] [--first K] [--minutes M] [--list]

RACES has one GNU Backgammon position ID and match ID a line.  Races that a budget of 3 seconds answers without merging
are solved at their scores and for money with larger least gains, which leave out more plays, and with smaller budgets,
which merge; and compared with the answer at a tenth of the usual least gain.  The error of an answer is the greatest of
its places of the cube, in points per unit of the cube, at a score normalised.  Printed: how many answers, the root mean
square, 99 % and the greatest error, how many are within the error that they state, and 99 % of the ratio of both.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.board import parse_board
from bgrace.match.stakes import Stakes
from bgrace.solving.turns import Budget, TurnsAnswer, solve_turns

SECONDS = 3.0
MEMORY = 2 << 30
FINEST = 2e-9
GAINS = (1e3, 1e-5, 1e-6, 2e-7, 2e-8)
BUDGETS = (0.02, 0.1, 0.5)


def places(answer: TurnsAnswer) -> Floats:
    """Rolling now, by place of the cube."""
    planes = answer.places()[:, 0, 0].astype(int)
    found: Floats = answer.now()[planes[planes >= 0]]
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", type=Path)
    parser.add_argument("--every", type=int, default=97, help="take one race of so many")
    parser.add_argument("--first", type=int, default=0, help="begin with this race")
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so many")
    parser.add_argument("--most-pairs", type=int, default=15_000_000, help="leave out larger races")
    parser.add_argument("--list", action="store_true", help="print every answer")
    return parser.parse_args()


def main() -> None:
    """Measure, and print a line for each least gain and each budget."""
    chosen = arguments()
    budgets = {f"least gain {gain:g}": Budget(SECONDS, MEMORY, least_gain=gain) for gain in GAINS}
    budgets |= {f"{seconds:g} seconds": Budget(seconds, MEMORY) for seconds in BUDGETS}
    found: dict[str, list[tuple[float, float]]] = {}
    end = time.monotonic() + 60 * chosen.minutes
    for text in chosen.races.read_text(encoding="ascii").split()[chosen.first :: chosen.every]:
        board = parse_board(text)
        for stakes in (Stakes.of(board), Stakes.money()):
            if time.monotonic() > end:
                break
            default = solve_turns(board.on_roll, board.opponent, stakes, Budget(SECONDS, MEMORY))
            if default.method == "exact" or default.merged or default.pairs > chosen.most_pairs:
                continue
            closest = Budget(SECONDS, MEMORY, least_gain=FINEST)
            expected = places(solve_turns(board.on_roll, board.opponent, stakes, closest))
            for name, budget in budgets.items():
                answer = solve_turns(board.on_roll, board.opponent, stakes, budget)
                if answer.method == "exact":
                    continue
                error = float(np.abs(places(answer) - expected).max())
                kind = f"{name}, merged" if answer.merged else name
                found.setdefault(kind, []).append((error, answer.error))
                if chosen.list:
                    print(f"{text} {stakes}: {kind}: {error:.6f}, stated {answer.error:.6f}", flush=True)
    print("                             answers  root mean square  99 %      greatest  within  99 % of error / stated")
    for name, those in found.items():
        errors, stated = np.array(those).T
        print(
            f"{name:<28} {len(errors):<8} {math.sqrt(float((errors**2).mean())):<17.6f} "
            f"{np.quantile(errors, 0.99):<9.6f} {errors.max():<9.6f} {int((errors <= stated).sum()):<7} "
            f"{np.quantile(errors / stated, 0.99):.2f}"
        )


if __name__ == "__main__":
    main()
