"""Print how narrow proven bounds are, and how many cube verdicts they prove, for recorded races at their own stakes.

    python scripts/measure_bounds.py [--races 300] [--seed 1] [--seconds .1 1 3] [--memory 3] [--threads 1]

Races are a sample of data/recorded-races.txt.  "Time" is processor time.  "Hardly matters" counts verdicts that are not
proved, but cost .0001 points at most whichever value within the bounds is right.  At the end: how many bounds of any
value are wider than within fewer seconds.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from options import read_options
from random_races import recorded

from bgrace._base.arrays import Floats
from bgrace._base.limits import Limits
from bgrace.answers import Bounds
from bgrace.answers.bounds import CubeBounds
from bgrace.board import Board
from bgrace.match.stakes import Stakes
from bgrace.solving.question import Question

HOME: Final = 6
HARDLY: Final = 1e-4
ROUNDING: Final = 1e-12


class Proved(NamedTuple):
    """One race: how it was proved, widths, the verdict, bounds of all values, and the time.

    loss: of the verdict at most, in points of the cube; None if it is proved, NaN without a cube.
    """

    home: bool
    method: str
    win: float
    value: float
    loss: float | None
    rows: Floats
    seconds: float


def greatest_loss(known: CubeBounds, passed: float) -> float:
    """What either player may lose by the verdict, at the corners of the bounds."""
    losses = [0.0]
    for rolled, taken in product(known.no_double, known.double_take):
        doubled = min(taken, passed)
        double, take = known.verdict.startswith("double"), known.verdict in ("no double", "double/take")
        losses.append(rolled - doubled if double else doubled - rolled)
        losses.append(taken - passed if take else passed - taken)
    return max(losses)


def prove(board: Board, seconds: float, memory: float, threads: int) -> Proved:
    stakes = Stakes.of(board)
    home = max(board.on_roll.highest, board.opponent.highest) <= HOME
    start = time.process_time()
    limits = Limits(seconds, int(memory * 2**30), threads)
    proof = Question(board.on_roll, board.opponent, stakes, limits=limits).prove()
    taken = time.process_time() - start
    bounds = Bounds.of(proof, stakes.cubes)
    cube = board.cube if board.cube in stakes.cubes else stakes.default_cube
    assert bounds is not None
    known = bounds.cube(cube)
    unit = max(stakes.payoff(1) - stakes.payoff(-1), 1e-5) / 2  # to points of the cube
    loss = np.nan if known.verdict == "no cube" else greatest_loss(known, stakes.payoff(1)) / unit
    widths = bounds.win.width, known.value.width / unit
    return Proved(home, bounds.method, *widths, None if known.proved else loss, proof.rows(), taken)


def percentiles(values: list[float]) -> str:
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return "-"
    return " ".join(f"{x:.5f}" for x in np.percentile(known, [50, 90, 95, 99]))


def main() -> None:
    asked = read_options(__doc__, races=300, seed=1, seconds=[0.1, 1.0, 3.0], memory=3.0, threads=1)
    boards = recorded()
    chosen = np.random.default_rng(asked.seed).permutation(len(boards))[: asked.races]
    wider, before = 0, list[Proved]()
    for seconds in sorted(asked.seconds):
        proved = [prove(boards[k], seconds, asked.memory, asked.threads) for k in chosen]
        for home in (True, False):
            some = [one for one in proved if one.home == home]
            losses = [one.loss for one in some if one.loss is None or not np.isnan(one.loss)]
            open_ = [loss for loss in losses if loss is not None]
            methods = ", ".join(f"{n} {method}" for method, n in Counter(one.method for one in some).most_common())
            print(f"{seconds:g} s, {'home' if home else 'not all home'}: {len(some)} races: {methods}")
            print(f"  width of the chance to win, 50 90 95 99 %:  {percentiles([one.win for one in some])}")
            print(f"  width of the value, in points of the cube:  {percentiles([one.value for one in some])}")
            print(
                f"  verdicts proved: {len(losses) - len(open_)} of {len(losses)}; "
                f"hardly matters: {sum(loss <= HARDLY for loss in open_)} more"
            )
            print(
                f"  time:                                       {percentiles([one.seconds for one in some])}",
                flush=True,
            )
        for few, more in zip(before, proved, strict=False):
            low, high = few.rows - more.rows
            unproved = few.loss is None and more.loss is not None
            wider += bool((low > ROUNDING).any() or (high < -ROUNDING).any() or unproved)
        before = proved
    print(f"wider within more seconds: {wider} of {len(chosen) * (len(asked.seconds) - 1)}")


if __name__ == "__main__":
    main()
