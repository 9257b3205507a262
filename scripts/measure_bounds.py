"""Print how narrow proven bounds are, and how many cube verdicts they prove, for recorded races at their own stakes.

    python scripts/measure_bounds.py [--every 40] [--seconds .1 1 3] [--memory 3] [--threads 1]

Takes one race of N, --every N, of data/recorded-races.txt.  "Time" is processor time.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Final, NamedTuple

import numpy as np
from options import read_options
from random_races import recorded

from bgrace._base.limits import Limits
from bgrace.answers import Bounds
from bgrace.board import Board
from bgrace.match.stakes import Stakes
from bgrace.solving.question import Question

HOME: Final = 6


class Proved(NamedTuple):
    """One race: whether both sides are home, how it was proved, widths, whether the verdict was, and the time."""

    home: bool
    method: str
    win: float
    value: float
    verdict: bool | None
    seconds: float


def prove(board: Board, seconds: float, memory: float, threads: int) -> Proved:
    stakes = Stakes.of(board)
    home = max(board.on_roll.highest, board.opponent.highest) <= HOME
    start = time.process_time()
    limits = Limits(seconds, int(memory * 2**30), threads)
    proof = Question(board.on_roll, board.opponent, stakes, limits=limits).prove()
    taken = time.process_time() - start
    bounds = Bounds.of(proof, stakes.cubes)
    cube = board.cube if board.cube in stakes.cubes else stakes.default_cube
    if bounds is None:
        return Proved(home, "none", 1, np.nan, False, taken)
    known = bounds.cube(cube)
    unit = max(stakes.payoff(1) - stakes.payoff(-1), 1e-5) / 2  # to points of the cube
    verdict = None if known.verdict == "no cube" else known.proved
    return Proved(home, bounds.method, bounds.win.width, known.value.width / unit, verdict, taken)


def percentiles(values: list[float]) -> str:
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return "-"
    return " ".join(f"{x:.5f}" for x in np.percentile(known, [50, 90, 95, 99]))


def main() -> None:
    asked = read_options(__doc__, every=40, seconds=[0.1, 1.0, 3.0], memory=3.0, threads=1)
    boards = recorded(asked.every)
    for seconds in asked.seconds:
        proved = [prove(board, seconds, asked.memory, asked.threads) for board in boards]
        for home in (True, False):
            some = [one for one in proved if one.home == home]
            verdicts = [one.verdict for one in some if one.verdict is not None]
            methods = ", ".join(f"{n} {method}" for method, n in Counter(one.method for one in some).most_common())
            print(f"{seconds:g} s, {'home' if home else 'not all home'}: {len(some)} races: {methods}")
            print(f"  width of the chance to win, 50 90 95 99 %:  {percentiles([one.win for one in some])}")
            print(f"  width of the value, in points of the cube:  {percentiles([one.value for one in some])}")
            print(f"  verdicts proved: {sum(verdicts)} of {len(verdicts)}")
            print(
                f"  time:                                       {percentiles([one.seconds for one in some])}",
                flush=True,
            )


if __name__ == "__main__":
    main()
