"""How large one side of a race becomes turn by turn, how long that takes, and what the rule loses.

    python scripts/measure_reach.py RACES.txt [N] [DELTA] [MAX_LAYER]

RACES.txt has a GNU Backgammon position ID a line, or position:match; N sides are taken at random (60).  Times are of
this process, with what else the machine does left out.  The loss is the rule's mean number of rolls less the exact
one, for those sides outside the home board that come to at most a million positions before a checker is off.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bgrace._kernels.layer import Home as ExactHome
from bgrace._kernels.layer import Layer
from bgrace._kernels.reach import Home, Reach, sizes
from bgrace.board import HOME_POINTS, MAX_POINTS
from bgrace.board.gnubg_position_id import sides_from_position_id

MOST_POSITIONS = 1_000_000


def exact_mean(counts: list[int]) -> float | None:
    """The least mean number of rolls, or None where that takes too long."""
    highest, checkers = max(j for j in range(MAX_POINTS) if counts[j]) + 1, sum(counts)
    most = np.ascontiguousarray(np.cumsum(counts[:highest][::-1])[::-1], dtype=np.int8)
    home = ExactHome(checkers, 1, 1)
    if highest <= HOME_POINTS or home.layer_size(most) > MOST_POSITIONS:
        return None
    return Layer(home, most, False, 1).mean(np.array(counts[:highest], np.int8))


def line(name: str, values: Sequence[float], digits: int) -> str:
    """Median, 95 % and greatest."""
    numbers = ", ".join(f"{x:,.{digits}f}" for x in (*np.quantile(values, [0.5, 0.95]), max(values)))
    return f"{name:<28} {numbers}"


def main() -> None:
    """Measure, and print a line for each figure."""
    path = sys.argv[1]
    n, delta, max_layer = (*sys.argv[2:5], *("60", "0", "0")[len(sys.argv) - 2 :])
    lines = Path(path).read_text(encoding="utf-8").split()
    rng = random.Random(1)
    start = time.process_time()
    home = Home()
    print(f"the home board: {time.process_time() - start:.3f} s")
    nodes, positions, seconds, size_seconds, losses, errors = [], [], [], [], [], []
    for _ in range(int(n)):
        sides = sides_from_position_id(rng.choice(lines).split(":")[0])
        counts = [*sides[rng.randrange(2)], *[0] * MAX_POINTS][:MAX_POINTS]
        if not any(counts):
            continue
        packed = np.array(counts, np.int8)
        start = time.process_time()
        reach = Reach(home, packed, delta=float(delta), max_layer=int(max_layer))
        seconds.append(time.process_time() - start)
        start = time.process_time()
        sizes(home, packed, delta=float(delta))
        size_seconds.append(time.process_time() - start)
        nodes.append(len(reach.mean))
        positions.append(sum(len(reach.layer(t)[0]) for t in range(reach.n_layers)))
        errors.append(reach.merge_error)
        exact = exact_mean(counts)
        if exact is not None:
            losses.append(reach.mean[reach.layer(0)[0][0]] - exact)
    print(f"{len(nodes)} sides, delta {delta}: median, 95 % and greatest")
    print(line("nodes", nodes, 0))
    print(line("positions of all layers", positions, 0))
    print(line("seconds", seconds, 4))
    print(line("seconds for sizes only", size_seconds, 4))
    if any(errors):
        print(line("estimate of merging's error", errors, 5))
    if losses:
        print(line(f"loss of the rule, {len(losses)} sides", losses, 6))
        print(f"{'its mean':<28} {np.mean(losses):.6f}")


if __name__ == "__main__":
    main()
