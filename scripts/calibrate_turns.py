"""What answers by turns are wrong by: the constants of the error in csrc/turns/tuning.h.

    python scripts/calibrate_turns.py RACES [--every N] [--first K] [--minutes M] [--judge S] [--list]

RACES has one GNU Backgammon position ID and match ID a line.  Each is solved within .03 to 3 seconds, and compared with
the same solver's answer within --judge seconds.  Every second one is for money, the others at the score of their ID.
The error of an answer is the greatest of its places of the cube, in points per unit of the cube, at a score normalised.
Printed by what there is to lose, and by seconds: how many answers that are not exact, their median and greatest error
and its root mean square, the median of what they state, and how many are further off than they state.
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
BUDGETS = (0.03, 0.1, 0.3, 1.0, 3.0)
TO_SAVE = 1e-3  # the chance of a gammon that is worth a thought


def places(answer: TurnsAnswer) -> Floats:
    """Rolling now, by place of the cube."""
    planes = answer.places()[:, 0, 0].astype(int)
    found: Floats = answer.now()[planes[planes >= 0]]
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", type=Path)
    parser.add_argument("--every", type=int, default=120, help="take one race of so many")
    parser.add_argument("--first", type=int, default=0, help="begin with this race")
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so many")
    parser.add_argument("--judge", type=float, default=12.0, help="seconds of what others are compared with")
    parser.add_argument("--list", action="store_true", help="print every answer")
    return parser.parse_args()


def kind_of(answer: TurnsAnswer) -> str:
    """What there is to lose."""
    if max(answer.chances.gammon_win, answer.chances.gammon_loss) > TO_SAVE:
        return "gammon to save"
    return "merged" if answer.merged else "nothing merged"


def main() -> None:
    """Measure, and print a line for each kind and each budget."""
    chosen = arguments()
    found: dict[tuple[str, float], list[tuple[float, float]]] = {}
    end = time.monotonic() + 60 * chosen.minutes
    for n, text in enumerate(chosen.races.read_text(encoding="ascii").split()[chosen.first :: chosen.every]):
        if time.monotonic() > end:
            break
        board = parse_board(text)
        stakes = Stakes.of(board) if n % 2 else Stakes.money()
        answers: dict[float, TurnsAnswer] = {}
        for seconds in (*BUDGETS, chosen.judge):
            answer = solve_turns(board.on_roll, board.opponent, stakes, Budget(seconds, MEMORY))
            answers[seconds] = answer
            if answer.method == "exact":
                break
        *others, judge = answers.items()
        for seconds, answer in others:
            error = float(np.abs(places(answer) - places(judge[1])).max())
            found.setdefault((kind_of(answer), seconds), []).append((error, answer.error))
            if chosen.list:
                print(f"{text} {stakes}: {seconds:g} s: {error:.6f}, stated {answer.error:.6f}", flush=True)
    print("answers  median    root mean square  greatest  stated    further off  seconds  kind")
    for (kind, seconds), those in sorted(found.items()):
        errors, stated = np.array(those).T
        print(
            f"{len(errors):<8} {np.median(errors):<9.6f} {math.sqrt(float((errors**2).mean())):<17.6f} "
            f"{errors.max():<9.6f} {np.median(stated):<9.6f} {int((errors > stated).sum()):<12} {seconds:<8g} {kind}"
        )


if __name__ == "__main__":
    main()
