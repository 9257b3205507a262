"""What answers by turns are wrong by: the constants of the error in csrc/turns/error.c.

    python scripts/calibrate_turns.py RACES [--every N] [--first K] [--minutes M] [--judge S] [--list]

RACES has one GNU Backgammon position ID and match ID a line.  Each is solved with small budgets, which look at fewer
plays and merge positions, with the usual one and, where that merges nothing, with larger least gains, which leave out
more plays; and compared with the same solver's answer within --judge seconds, which is 20 to 60 times as many.  Stakes
are the score of the ID and money by turns.  The error of an answer is the greatest of its places of the cube, in points
per unit of the cube, at a score normalised.  Printed: how many answers, the root mean square, 99 % and the greatest
error, how many are within the error that they state, the median of that, 99 % of the ratio of both, and the greatest
processor time.  An answer that is judged by a merged one counts as `judged by a merged one`.
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

MEMORY = 2 << 30
GAINS = (1e-5, 1e-6, 2e-7)
BUDGETS = (0.1, 0.5, 3.0)


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
    parser.add_argument("--judge", type=float, default=30.0, help="seconds of what others are compared with")
    parser.add_argument("--list", action="store_true", help="print every answer")
    return parser.parse_args()


def kind_of(name: str, answer: TurnsAnswer, judge: TurnsAnswer) -> str:
    """What a line of the table is about."""
    kind = f"{name}, merged" if answer.merged else name
    return f"{kind}, judged by a merged one" if judge.merged else kind


def main() -> None:
    """Measure, and print a line for each least gain and each budget."""
    chosen = arguments()
    found: dict[str, list[tuple[float, float, float]]] = {}
    end = time.monotonic() + 60 * chosen.minutes
    for n, text in enumerate(chosen.races.read_text(encoding="ascii").split()[chosen.first :: chosen.every]):
        if time.monotonic() > end:
            break
        board = parse_board(text)
        stakes = Stakes.of(board) if n % 2 else Stakes.money()
        judge = solve_turns(board.on_roll, board.opponent, stakes, Budget(chosen.judge, MEMORY))
        budgets = {f"{seconds:g} seconds": Budget(seconds, MEMORY) for seconds in BUDGETS if seconds < chosen.judge}
        if not judge.merged:
            budgets |= {f"least gain {gain:g}": Budget(chosen.judge, MEMORY, least_gain=gain) for gain in GAINS}
        for name, budget in budgets.items():
            begin = time.process_time()
            answer = solve_turns(board.on_roll, board.opponent, stakes, budget)
            taken = time.process_time() - begin
            if answer.method == "exact":
                continue
            error = float(np.abs(places(answer) - places(judge)).max())
            found.setdefault(kind_of(name, answer, judge), []).append((error, answer.error, taken))
            if chosen.list:
                print(f"{text} {stakes}: {name}: {error:.6f}, stated {answer.error:.6f}, {taken:.2f} s", flush=True)
    print("answers  root mean square  99 %      greatest  within  stated    99 % of error / stated  seconds")
    for kind, those in sorted(found.items()):
        errors, stated, taken = np.array(those).T
        print(
            f"{len(errors):<8} {math.sqrt(float((errors**2).mean())):<17.6f} {np.quantile(errors, 0.99):<9.6f} "
            f"{errors.max():<9.6f} {int((errors <= stated).sum()):<7} {np.median(stated):<9.6f} "
            f"{np.quantile(errors / stated, 0.99):<23.2f} {taken.max():<7.2f} {kind}"
        )


if __name__ == "__main__":
    main()
