"""Fit the estimates of mean rolls in csrc/turns/estimate.c, and write them.

    python scripts/make_reach_estimate.py sample SEED MINUTES FILE.npz    # positions of played races, solved exactly
    python scripts/make_reach_estimate.py fit FILE.npz ...                # fits, measures, writes csrc/turns/estimate.c

A sample starts from random races whose positions with as many checkers all fit into a layer (bgrace.tables.layers),
plays them out by the least mean, and keeps for each roll the dozen best results that are still outside the home board,
with their exact means.  The fit minimises the squares of the errors of means and, above all, of the differences between
results of the same roll.  The terms are those of csrc/turns/estimate.h: of pairs of a point, of pairs of a group of
points, of sums and of counts by themselves, which speak for pairs that no sample has.  Every fifth group of results is
left out of the fit, and measures it.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bgrace._kernels.layer import Home, Layer
from bgrace.board import MAX_CHECKERS, MAX_POINTS
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.plays import legal_plays

MOST_POSITIONS = (30_000, 100_000, 300_000, 1_500_000)  # of a layer, in turn
WITHIN = 0.25  # rolls of the best
STEP = 1e-4  # BGR_ESTIMATE_STEP
TARGET = Path(__file__).parents[1] / "csrc" / "turns" / "estimate.c"
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

# ------------------------------------------------------------------ samples


def random_start(rng: random.Random) -> list[int]:
    """A race of 15 checkers, seldom fewer, some of them outside the home board."""
    shares = [rng.random() ** 2 + 0.3, rng.random() ** 3, rng.random() ** 4, rng.random() ** 6]
    weights = [0.5, 0.6, 0.8, 1, 1, 1.3]
    checkers = MAX_CHECKERS if rng.random() < 0.4 else rng.randrange(3, MAX_CHECKERS)
    while True:
        counts = [0] * MAX_POINTS
        for quarter in rng.choices(range(4), shares, k=checkers):
            counts[6 * quarter + rng.choices(range(6), weights if quarter == 0 else None)[0]] += 1
        if any(counts[6:]):
            return counts


def layers_of(
    counts: list[int], homes: dict[tuple[int, int], Home], most_positions: int
) -> tuple[Layer, Layer | None] | None:
    """The race solved to the last checker and, with 15, to the first; or None if it is too large."""
    highest, checkers = max(j for j in range(MAX_POINTS) if counts[j]) + 1, sum(counts)
    most = np.ascontiguousarray(np.cumsum(counts[:highest][::-1])[::-1], dtype=np.int8)
    for stop in (1, checkers):
        if (checkers, stop) not in homes:
            homes[checkers, stop] = Home(checkers, stop, 1)
    if homes[checkers, 1].layer_size(most) > most_positions:
        return None
    last = Layer(homes[checkers, 1], most, False, 1)
    return last, Layer(homes[checkers, checkers], most, False, 1) if checkers == MAX_CHECKERS else None


def sample(seed: int, minutes: float, path: str) -> None:
    """Play races out, and keep what the rolls make of them."""
    rng = random.Random(seed)
    homes: dict[tuple[int, int], Home] = {}
    rows: list[tuple[int, ...]] = []
    means: list[tuple[float, float]] = []
    group: list[int] = []
    n_starts, n_groups, end = 0, 0, time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        start = random_start(rng)
        solved = layers_of(start, homes, MOST_POSITIONS[n_starts % len(MOST_POSITIONS)])
        if solved is None:
            continue
        n_starts += 1
        last, first = solved
        highest = max(j for j in range(MAX_POINTS) if start[j]) + 1
        for _ in range(30 if last.size < 300_000 else 100):
            here = tuple(start[:highest])
            while any(here[6:]):
                results = [tuple(play) for play in legal_plays(here, (rng.randrange(1, 7), rng.randrange(1, 7)))]
                values = [last.mean(np.array(result, np.int8)) for result in results]
                order = sorted(range(len(results)), key=values.__getitem__)
                outside = [k for k in order if values[k] < values[order[0]] + WITHIN and any(results[k][6:])]
                for k in outside[:12]:
                    to_first = np.nan if first is None else first.mean(np.array(results[k], np.int8))
                    rows.append(results[k] + (0,) * (MAX_POINTS - highest))
                    means.append((values[k], to_first))
                    group.append(n_groups)
                n_groups += bool(outside)
                here = results[order[0]]
    np.savez_compressed(path, counts=np.array(rows, np.int8), means=np.array(means), group=np.array(group))
    print(f"{len(rows):,} positions of {n_groups:,} rolls")


# ------------------------------------------------------------------ fits


GROUP_OF = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 7] + [8] * 6 + [9] * 6)  # of a point
DAMPING = (3.0, 0.3, 0.03)  # of pairs of a point, pairs of a group, and of sums and counts by themselves


def sums_of(counts: npt.NDArray[np.int8]) -> IntArray:
    """Checkers on each point or beyond, and a 0."""
    sums = np.cumsum(counts[:, ::-1].astype(np.int64), axis=1)[:, ::-1]
    return np.concatenate([sums, np.zeros((len(sums), 1), np.int64)], axis=1)


def terms_of(counts: npt.NDArray[np.int8]) -> IntArray:
    """Numbers of the terms of each position, in tables of 256: as DAMPING has them."""
    sums, points = sums_of(counts), np.arange(MAX_POINTS)
    pair = sums[:, :-1] * 16 + sums[:, 1:]
    own, group = pair + 256 * points, pair + 256 * (MAX_POINTS + GROUP_OF)
    one = 256 * (2 * MAX_POINTS + points)
    kinds = [own, group, one + sums[:, :-1], one + 16 + counts]
    return np.ascontiguousarray(np.concatenate(kinds, axis=1).T)


def solve(columns: IntArray, damping: FloatArray, wanted: FloatArray, group: IntArray, n_terms: int) -> FloatArray:
    """Least squares by conjugate gradients."""
    group = np.unique(group, return_inverse=True)[1]
    size = np.bincount(group)

    def gather(residuals: FloatArray) -> FloatArray:
        total = np.zeros(n_terms)
        for column in columns:
            total += np.bincount(column, residuals, minlength=n_terms)
        return total

    def weigh(values: FloatArray) -> FloatArray:
        return values - 0.9 * (np.bincount(group, values) / size)[group]

    def apply(x: FloatArray) -> FloatArray:
        total = np.zeros(len(wanted))
        for column in columns:
            total += x[column]
        return gather(weigh(total)) + damping * x

    found = np.zeros(n_terms)
    rest = gather(weigh(wanted))
    scale = gather(np.ones(len(wanted))) * 0.6 + damping
    direction = (step := rest / scale).copy()
    product = rest @ step
    for _ in range(60):
        image = apply(direction)
        length = product / (direction @ image)
        found += length * direction
        rest -= length * image
        step = rest / scale
        product, before = rest @ step, product
        direction = step + product / before * direction
    return found


def fit(counts: npt.NDArray[np.int8], mean: FloatArray, group: IntArray, name: str) -> tuple[str, str]:
    """The table as C, and a line about its errors."""
    columns = terms_of(counts)
    n_terms = 256 * 3 * MAX_POINTS
    damping = np.repeat(DAMPING, 256 * MAX_POINTS)
    wanted = mean - counts @ np.arange(1, MAX_POINTS + 1) / MEAN_PIPS
    test = group % 5 == 0
    found = solve(columns[:, ~test], damping, wanted[~test], group[~test], n_terms)
    table = np.zeros((MAX_POINTS, 16, 16))
    parts = found.reshape(-1, 256)
    t, u = np.indices((16, 16))
    for j in range(MAX_POINTS):
        one = parts[2 * MAX_POINTS + j]
        table[j] = (
            (parts[j] + parts[MAX_POINTS + GROUP_OF[j]]).reshape(16, 16) + one[t] + one[16 + np.maximum(t - u, 0)]
        )
    steps = np.rint(table / STEP).astype(int)
    sums = sums_of(counts)
    guess = sum(steps[j][sums[:, j], sums[:, j + 1]] for j in range(MAX_POINTS)) * STEP
    error = (guess - wanted)[test]
    of = np.unique(group[test], return_inverse=True)[1]
    difference = error - (np.bincount(of, error) / np.bincount(of))[of]
    order = np.lexsort(((guess - wanted + mean)[test], of))
    chosen = mean[test][order][np.unique(of[order], return_index=True)[1]]
    order = np.lexsort((mean[test], of))
    loss = chosen - mean[test][order][np.unique(of[order], return_index=True)[1]]
    line = (
        f"root mean square error {np.sqrt((error**2).mean()):.4f}, of differences between results of a roll "
        f"{np.sqrt((difference**2).mean()):.4f}; the result with the least estimate is {loss.mean():.4f} rolls "
        f"worse than the best"
    )
    rows = [
        "    {" + ", ".join(str(steps[j, t, u]) for t in range(16) for u in range(t + 1)) + "},"
        for j in range(MAX_POINTS)
    ]
    head = f"const int16_t {name}[BGR_MAX_POINTS][BGR_ESTIMATE_PAIRS] = {{"
    assert np.abs(steps).max() < 2**15
    return "\n".join([head, *rows, "};"]), line


def main() -> None:
    """Read the command line."""
    if sys.argv[1] == "sample":
        sample(int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
        return
    files = [np.load(path) for path in sys.argv[2:]]
    counts = np.concatenate([file["counts"] for file in files])
    means = np.concatenate([file["means"] for file in files])
    last = 0
    groups = []
    for file in files:
        groups.append(file["group"] + last)
        last = int(groups[-1][-1]) + 1
    group = np.concatenate(groups)
    text, line = fit(counts, means[:, 0], group, "bgr_estimate_last")
    print(f"{len(counts):,} positions; to the last checker: {line}")
    full = ~np.isnan(means[:, 1])
    text_first, line_first = fit(counts[full], means[full, 1], group[full], "bgr_estimate_first")
    print(f"to the first: {line_first}")
    comment = "/* Made by scripts/make_reach_estimate.py. */\n"
    TARGET.write_text(f'{comment}\n#include "estimate.h"\n\n{text}\n\n{text_first}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
