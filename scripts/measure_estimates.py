"""How long estimates of races take, and how far they are from what races are solved to.

    python scripts/measure_estimates.py [--races N] [--seed N] [--seconds S]

Recorded races, and random ones of the kinds of `random_races`, half of them for money with gammons, half at a score.
Printed is, for each kind: how many; the median and the greatest time of an estimate, each the least of five; the root
mean square of what the chance to win and rolling now with the cube in each place are off by, for money; what 99 of 100
are within, in any place of the cube, after a double and in what it gains; and how many are beyond what they state.
"""

from __future__ import annotations

import itertools
import time
from functools import cache

import numpy as np
from measure_turns import values
from options import read_options
from random_races import KINDS, drawn

from bgrace._kernels.answer import Solver
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.board import MAX_POINTS
from bgrace.match.stakes import Stakes

PLACES = [CUBE_ORDER.index(name) for name in ("mine", "centered", "theirs")]
BOUNDARY = 6


@cache
def solver_for(stakes: Stakes) -> Solver:
    """With pairs of few checkers solved, for money."""
    solver = Solver()
    if stakes.score is None:
        solver.prepare(stakes.kernel, BOUNDARY)
    return solver


def main() -> None:
    chosen = read_options(__doc__, races=250, seed=20261124, seconds=1.0)
    print("| races | | median, greatest time | chance | mine, centered, theirs | 99 of 100 within | beyond |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for kind in ("recorded", *KINDS):
        money, errors, stated, times = [], [], [], []
        for sides, stakes in itertools.islice(drawn(kind, chosen.seed), chosen.races):
            on_roll, opponent = (np.array(side.resized(MAX_POINTS), np.int8) for side in sides)
            solver = solver_for(stakes)
            solved = solver.ask(on_roll, opponent, stakes.kernel, seconds=chosen.seconds)
            spent = []
            for _ in range(5):
                start = time.perf_counter()
                estimate = solver.ask(on_roll, opponent, stakes.kernel, "estimate")
                spent.append(time.perf_counter() - start)
            assert solved is not None
            assert estimate is not None
            off = np.array([a - b for a, b in zip(values(estimate), values(solved), strict=True)])
            times.append(min(spent))
            errors.append(float(np.abs(off).max()))
            stated.append(estimate.info().error + solved.info().error)
            if stakes.score is None:
                now = [estimate.cube(place)[0] - solved.cube(place)[0] for place in PLACES]
                money.append([estimate.chances()[0] - solved.chances()[0], *now])
        micros, square = np.array(times) * 1e6, np.sqrt((np.array(money) ** 2).mean(axis=0))
        print(
            f"| {kind} | {len(errors)} | {np.median(micros):.1f}, {micros.max():.0f} us | {square[0]:.4f} | "
            f"{square[1]:.4f}, {square[2]:.4f}, {square[3]:.4f} | {np.quantile(errors, 0.99):.3f} | "
            f"{int((np.array(errors) > stated).sum())} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
