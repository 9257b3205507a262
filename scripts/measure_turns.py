"""How long races take turn by turn, and how far their answers are from exact ones.

    python scripts/measure_turns.py RACES [--every N] [--errors] [--seconds S] [--boundary N] [--money]

RACES has one GNU Backgammon position ID and match ID a line.  Each race is solved at its score, on one thread of a
running process; what is printed is its processor time, not the clock's.  With --errors races that are not solved
exactly within the budget, but can be with more, are compared with their exact values: cubeless, centered, mine, theirs
in points per unit of the cube, at a score in normalised points.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.board import Board, parse_board
from bgrace.errors import BgraceError, MemoryLimitError
from bgrace.match.stakes import Stakes
from bgrace.solving.turns import Budget, solve_turns

EXACT_MEMORY = 3 << 30


def stakes_of(board: Board, money: bool) -> Stakes:
    return Stakes.money() if money else Stakes.of(board)


def show(name: str, numbers: list[float], digits: int) -> None:
    if not numbers:
        print(f"{name}: none")
        return
    array = np.abs(np.array(numbers))
    marks = np.percentile(array, [50, 75, 90, 95, 99])
    marked = " ".join(f"{p} % {value:.{digits}f}" for p, value in zip((50, 75, 90, 95, 99), marks, strict=True))
    rms = math.sqrt(float((array**2).mean()))
    print(
        f"{name}: n {len(array)}, mean {array.mean():.{digits}f}, root mean square {rms:.{digits}f}, {marked}, "
        f"greatest {array.max():.{digits}f}"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take one race in this many")
    parser.add_argument("--first", type=int, default=0, help="begin with this race")
    parser.add_argument("--errors", action="store_true", help="compare with exact values where they can be had")
    parser.add_argument("--most-pairs", type=int, default=3_000_000, help="compare races of at most this many pairs")
    parser.add_argument("--seconds", type=float, default=2.0, help="the budget of an answer")
    parser.add_argument("--delta", type=float, help="compare plays within this many rolls, whatever it takes")
    parser.add_argument("--boundary", type=int, default=0, help="checkers of a table for each score")
    parser.add_argument("--money", action="store_true", help="play for money, whatever the match ID says")
    parser.add_argument("--list", action="store_true", help="print every race")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    ids = chosen.races.read_text(encoding="ascii").split()[chosen.first :: chosen.every]
    budget = Budget(chosen.seconds, delta=chosen.delta, boundary_checkers=chosen.boundary)
    times: list[float] = []
    errors: list[float] = []
    worst: list[float] = []
    methods: dict[str, int] = {}
    covered = compared = 0
    for text in ids:
        board = parse_board(text)
        stakes = stakes_of(board, chosen.money)
        start = time.thread_time()
        try:
            answer = solve_turns(board.on_roll, board.opponent, stakes, budget, threads=1)
        except BgraceError as error:
            print(f"{text}: {error}")
            methods[type(error).__name__] = methods.get(type(error).__name__, 0) + 1
            continue
        times.append(time.thread_time() - start)
        methods[answer.method] = methods.get(answer.method, 0) + 1
        if chosen.list:
            print(
                f"{text} {times[-1]:.3f} s, {answer.method}, delta {answer.delta:g}, "
                f"boundary {answer.boundary_checkers}, {answer.pairs} pairs, {answer.merged} merged"
            )
        if chosen.errors and answer.method != "exact" and answer.pairs <= chosen.most_pairs:
            try:
                exact = solve_turns(
                    board.on_roll, board.opponent, stakes, Budget(1e6, EXACT_MEMORY, delta=math.inf), threads=2
                )
            except MemoryLimitError:
                continue
            # The planes of an answer by turns may leave out gammons that do not happen; places tell which is which.
            found = [_value(answer.now(), answer.places(), k) for k in range(4)]
            truth = [_value(exact.now(), exact.places(), k) for k in range(4)]
            here = [a - b for a, b in zip(found, truth, strict=True) if not math.isnan(b)]
            errors += here
            worst.append(max(abs(error) for error in here))
            covered += worst[-1] <= answer.error
            compared += 1
            if chosen.list:
                print(f"    errors {' '.join(f'{error:+.6f}' for error in here)}, stated {answer.error:g}")
    print(f"{len(ids)} races: {', '.join(f'{n} {name}' for name, n in sorted(methods.items()))}")
    show("seconds", times, 3)
    if chosen.errors:
        show("errors", errors, 6)
        show("greatest of each race", worst, 6)
        print(f"within the error that is stated: {covered} of {compared}")


def _value(now: Floats, places: Floats, cube: int) -> float:
    plane = int(places[cube, 0, 0])
    return float(now[plane]) if plane >= 0 else math.nan


if __name__ == "__main__":
    main()
