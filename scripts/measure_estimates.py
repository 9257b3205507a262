"""How long estimates of races take, and how far they are from what races are solved to.

    python scripts/measure_estimates.py [--every N] [--random N] [--seconds S]

Recorded races, and random ones of the kinds of `random_races`, all for money with gammons.  Printed is,
for each class of races: how many; the median and the greatest time of an estimate, each the least of five; the root
mean square of what the chance to win, and the equities of rolling now and of having the right to double first, are off
by with the cube in each place; and what 99 of 100 equities are off by at most.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
from options import read_options
from random_races import KINDS, Pair, recorded

from bgrace._kernels.answer import Answer, Solver
from bgrace._kernels.stakes import CUBE_ORDER, Stakes
from bgrace.board import MAX_POINTS

HOME = 6
PLACES = [CUBE_ORDER.index(name) for name in ("mine", "centered", "theirs")]
NEARLY = 0.005
BOUNDARY = 6


def counts_of(position: tuple[int, ...]) -> npt.NDArray[np.int8]:
    counts = np.zeros(MAX_POINTS, dtype=np.int8)
    counts[: len(position)] = position
    return counts


def values(answer: Answer) -> list[float]:
    """The chance to win, rolling now with the cube in each place, and the same with the right to double."""
    cubes = [answer.cube(place) for place in PLACES]
    return [answer.chances()[0], *(cube[0] for cube in cubes), *(cube[3] for cube in cubes)]


def class_of(on_roll: npt.NDArray[np.int8], opponent: npt.NDArray[np.int8], answer: Answer) -> str:
    """As bgr_answer_info tells them apart."""
    _, gammon, _, lost_gammon, _, _ = answer.chances()
    if any(NEARLY < chance < 1 - NEARLY for chance in (gammon, lost_gammon)):
        return "recorded, a gammon open"
    outside = on_roll[HOME:].any() or opponent[HOME:].any()
    return "recorded, outside" if outside else "recorded, at home"


def main() -> None:
    chosen = read_options(__doc__, every=50, random=50, seconds=1.0)
    rng = np.random.default_rng(20261124)
    races: list[tuple[str, Pair]] = [("", (board.on_roll, board.opponent)) for board in recorded(chosen.every)]
    races += [(kind, draw(rng)) for kind, draw in KINDS.items() for _ in range(chosen.random)]
    solver, stakes = Solver(), Stakes(True)
    solver.prepare(stakes, BOUNDARY)
    errors: dict[str, list[list[float]]] = {}
    times: dict[str, list[float]] = {}
    for kind, sides in races:
        on_roll, opponent = (counts_of(tuple(side)) for side in sides)
        solved = solver.ask(on_roll, opponent, stakes, seconds=chosen.seconds)
        spent = []
        for _ in range(5):
            start = time.perf_counter()
            estimate = solver.ask(on_roll, opponent, stakes, "estimate")
            spent.append(time.perf_counter() - start)
        assert solved is not None
        assert estimate is not None
        off = [a - b for a, b in zip(values(estimate), values(solved), strict=True)]
        for name in [kind] if kind else [class_of(on_roll, opponent, estimate), "recorded"]:
            errors.setdefault(name, []).append(off)
            times.setdefault(name, []).append(min(spent))
    for name in sorted(errors):
        off_by, micros = np.array(errors[name]), np.array(times[name]) * 1e6
        square = np.sqrt((off_by**2).mean(axis=0))
        print(
            f"{name}: {len(off_by)}; {np.median(micros):.1f} us, at most {micros.max():.1f}; chance {square[0]:.4f}; "
            f"rolling now, mine {square[1]:.4f}, centered {square[2]:.4f}, theirs {square[3]:.4f}; with the right to "
            f"double {square[4]:.4f}, {square[5]:.4f}, {square[6]:.4f}; 99 of 100 within "
            f"{np.quantile(np.abs(off_by[:, 1:]).max(axis=1), 0.99):.3f}"
        )


if __name__ == "__main__":
    main()
