"""Fit the estimates for positions outside the home board, and write csrc/turns/estimate.c.

    bgrace build wide.h5 --points 15                                             # 12.6 GB: exact to 15 points
    python scripts/make_reach_estimate.py played wide.h5 SEED MINUTES FILE.npz   # positions of recorded races
    python scripts/make_reach_estimate.py stacked wide.h5 SEED MINUTES FILE.npz  # checkers on few points
    python scripts/make_reach_estimate.py sample SEED MINUTES FILE.npz           # small races, on all points
    python scripts/make_reach_estimate.py fit FILE.npz ...                       # writes csrc/turns/estimate.c

`played` takes sides of data/recorded-races.txt, now and then with some checkers elsewhere, `stacked` random sides on
two to five points, and both look their positions up; `sample` takes random races whose positions with as many checkers
all fit into a layer of bgrace.tables.  All three play the sides out by the least mean, and keep for each roll the
dozen best results that are still outside the home board.

The fit minimises the squares of the errors of means and, above all, of the differences between results of the same
roll; of variances it minimises the squares of the errors alone.  csrc/turns/home_board.h describes the terms: pairs of
a point, pairs of a group of points, single sums and counts, which cover pairs that no sample has, and levels by
pips.  Every fifth race or start is left out of the fit, and the printed errors are of these.

The present file comes from 2.5 million positions of `played`, 0.9 million of `stacked` and 0.8 million of `sample`,
two minutes each; the fit took 5 GB and ten minutes.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from random_races import RECORDED

import bgrace
from bgrace._kernels.one_sided import Home, Layer
from bgrace.board import MAX_CHECKERS, MAX_POINTS
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.ids import sides_from_position_id
from bgrace.board.plays import legal_plays

MAX_POSITIONS = (30_000, 100_000, 300_000, 1_500_000)  # of a layer, in turn
WIDE_POINTS = 15
WITHIN = 0.25  # rolls of the best result
MAX_RESULTS = 12
SMALL, STACKED = 0.3, 0.2  # weights of a position of a small race, and of a stacked side
NUMBERS = ("last", "first", "variance", "third")
STEP = 5e-4  # BGR_ESTIMATE_STEP
TARGET = Path(__file__).parents[1] / "csrc" / "turns" / "estimate.c"
ALPHABET = [chr(code) for code in range(ord("#"), ord("~") + 1) if chr(code) not in "?\\"]
MAX_TEXT = 4095  # characters that every compiler accepts
HEAD = """\
/* Made by scripts/make_reach_estimate.py; home_board.c reads it. */
/* clang-format off */

#include "turns/home_board.h"

"""
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

# ------------------------------------------------------------------ samples


def random_start(rng: random.Random) -> list[int]:
    """Draw a side with 3 to 15 checkers, some of them outside the home board."""
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
    counts: list[int], homes: dict[tuple[int, int], Home], max_positions: int
) -> tuple[Layer, Layer | None] | None:
    """Solve a side to its last checker and, with 15, to its first; return None if it is too large."""
    highest, checkers = max(j for j in range(MAX_POINTS) if counts[j]) + 1, sum(counts)
    most = np.ascontiguousarray(np.cumsum(counts[:highest][::-1])[::-1], dtype=np.int8)
    for stop in (1, checkers):
        if (checkers, stop) not in homes:
            homes[checkers, stop] = Home(checkers, stop, 1)
    if homes[checkers, 1].layer_size(most) > max_positions:
        return None
    last = Layer(homes[checkers, 1], most, False, 1)
    return last, Layer(homes[checkers, checkers], most, False, 1) if checkers == MAX_CHECKERS else None


class Sample:
    """Results of rolls, in a group for each roll."""

    def __init__(self, weight: float) -> None:
        self.weight = weight  # of a position
        self.rows: list[tuple[tuple[int, ...], list[float], int, bool]] = []  # counts, numbers, group, left out
        self.n_groups = 0

    def add(self, results: list[tuple[int, ...]], values: FloatArray, held_out: bool) -> tuple[int, ...]:
        """Keep the best results of a roll outside the home board, with their NUMBERS; return the best result of all."""
        order = np.argsort(values[:, 0], kind="stable")
        near = [int(k) for k in order if values[k, 0] < values[order[0], 0] + WITHIN and any(results[k][6:])]
        for k in near[:MAX_RESULTS]:
            counts = (*results[k], *(0,) * (MAX_POINTS - len(results[k])))
            self.rows.append((counts, values[k].tolist(), self.n_groups, held_out))
        self.n_groups += bool(near)
        return results[int(order[0])]

    def save(self, path: str) -> None:
        """Write it to a file."""
        counts, numbers, group, held_out = map(np.array, zip(*self.rows, strict=True))
        counts = counts.astype(np.int8)
        np.savez_compressed(path, counts=counts, numbers=numbers, group=group, held_out=held_out, weight=self.weight)
        print(f"{len(self.rows):,} positions of {self.n_groups:,} rolls")


def sample(seed: int, minutes: float, path: str) -> None:
    """Play small races out, and keep the results of the rolls."""
    rng = random.Random(seed)
    homes: dict[tuple[int, int], Home] = {}
    found = Sample(SMALL)
    n_starts, end = 0, time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        start = random_start(rng)
        solved = layers_of(start, homes, MAX_POSITIONS[n_starts % len(MAX_POSITIONS)])
        if solved is None:
            continue
        n_starts += 1
        last, first = solved
        highest = max(j for j in range(MAX_POINTS) if start[j]) + 1
        for _ in range(30 if last.size < 300_000 else 100):
            here = tuple(start[:highest])
            while any(here[6:]):
                results = [tuple(play) for play in legal_plays(here, (rng.randrange(1, 7), rng.randrange(1, 7)))]
                boards = [np.array(result, np.int8) for result in results]
                values = [(last.mean(x), np.nan if first is None else first.mean(x), np.nan, np.nan) for x in boards]
                here = found.add(results, np.array(values), n_starts % 5 == 0)
    found.save(path)


def on_wide_points(counts: list[int], rng: random.Random) -> list[int]:
    """Bring checkers from beyond WIDE_POINTS nearer, and now and then move some others."""
    nearer = [*counts[:WIDE_POINTS], *[0] * WIDE_POINTS][:WIDE_POINTS]
    for _ in range(sum(counts[WIDE_POINTS:])):
        nearer[rng.randrange(6, WIDE_POINTS)] += 1
    for _ in range(rng.randrange(6) if rng.random() < 0.6 else 0):
        nearer[rng.choice([j for j in range(WIDE_POINTS) if nearer[j]])] -= 1
        nearer[rng.randrange(WIDE_POINTS)] += 1
    return nearer


def recorded_starts(rng: random.Random) -> Iterator[tuple[list[int], bool]]:
    """Draw sides of recorded races, each with whether the fit leaves it out."""
    ids = [line.split(":")[0] for line in RECORDED.read_text(encoding="utf-8").split()]
    while True:
        race = rng.choice(ids)
        counts = list(sides_from_position_id(race)[rng.randrange(2)])
        if any(counts):
            yield on_wide_points(counts, rng), zlib.crc32(race.encode()) % 5 == 0


def stacked_starts(rng: random.Random) -> Iterator[tuple[list[int], bool]]:
    """Draw sides on few points, most of them with 15 checkers, each with whether the fit leaves it out."""
    while True:
        counts = [0] * WIDE_POINTS
        points = [rng.randrange(WIDE_POINTS if rng.random() < 0.5 else 9) for _ in range(rng.randrange(2, 6))]
        checkers = MAX_CHECKERS if rng.random() < 0.7 else rng.randrange(3, MAX_CHECKERS)
        for point in rng.choices(points, [rng.random() for _ in points], k=checkers):
            counts[point] += 1
        yield counts, rng.random() < 0.2


def play_out(
    database: str, starts: Iterator[tuple[list[int], bool]], rng: random.Random, minutes: float, found: Sample
) -> None:
    """Play sides out, and keep the results of the rolls."""
    end = time.monotonic() + 60 * minutes
    with bgrace.open(database) as db:
        rolls = np.arange(64)
        while time.monotonic() < end:
            start, held_out = next(starts)
            here = tuple(start)
            while any(here[6:]):
                plays = legal_plays(here, (rng.randrange(1, 7), rng.randrange(1, 7)))
                results = [(*play, *[0] * WIDE_POINTS)[:WIDE_POINTS] for play in plays]
                boards = np.array(results)
                values = np.full((len(results), len(NUMBERS)), np.nan)
                values[:, 0], values[:, 2] = db.mean_rolls(boards), db.variance_rolls(boards)
                chances = db.roll_distribution(boards)
                values[:, 3] = (chances * (rolls[: chances.shape[1]] - values[:, :1]) ** 3).sum(axis=1)
                if sum(here) == MAX_CHECKERS and any(here[6:]):
                    chances = db.first_checker_distribution(boards)
                    values[:, 1] = chances @ rolls[: chances.shape[1]]
                here = found.add(results, values, held_out)


# ------------------------------------------------------------------ fits


GROUP_OF = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 7] + [8] * 6 + [9] * 6)  # of a point
N_GROUPS = 10
LEVEL_POINTS = 15  # BGR_ESTIMATE_POINTS
KNOTS = 8  # BGR_ESTIMATE_KNOTS
BETWEEN_KNOTS = 24  # BGR_ESTIMATE_PIPS

# For pairs of a point, pairs of a group, single sums, single counts, and levels.
SIZES = (256 * MAX_POINTS, 256 * N_GROUPS, 16 * MAX_POINTS, 16 * MAX_POINTS, 32 * LEVEL_POINTS * KNOTS)
DAMPING = (3.0, 0.3, 0.03, 0.03, 0.3)
EMPHASIS = 0.8  # on differences between results of a roll
VARIANCE_OF_PIP = 665 / 36 / MEAN_PIPS**3


def sums_of(counts: npt.NDArray[np.int8]) -> IntArray:
    """Count the checkers on each point or beyond, and add a 0."""
    sums = np.cumsum(counts[:, ::-1].astype(np.int64), axis=1)[:, ::-1]
    return np.concatenate([sums, np.zeros((len(sums), 1), np.int64)], axis=1)


def pips_of(counts: npt.NDArray[np.int8]) -> IntArray:
    """Count the pips of each position."""
    return counts.astype(np.int64) @ np.arange(1, MAX_POINTS + 1)


def knots_of(counts: npt.NDArray[np.int8]) -> tuple[IntArray, FloatArray]:
    """Return the knot before the pips of each position, and the distance from it as a part of the interval."""
    at = np.minimum(pips_of(counts) / BETWEEN_KNOTS, KNOTS - 1)
    knot = np.minimum(at.astype(np.int64), KNOTS - 2)
    return knot, at - knot


class Terms:
    """The terms of all positions, column by column: numbers in the tables of SIZES, and shares."""

    def __init__(self, counts: npt.NDArray[np.int8]) -> None:
        sums, points = sums_of(counts), np.arange(MAX_POINTS)
        pair = sums[:, :-1] * 16 + sums[:, 1:]
        knot, after = knots_of(counts)
        checkers = np.concatenate([sums[:, :LEVEL_POINTS], counts[:, :LEVEL_POINTS]], axis=1)
        level = (checkers + 16 * np.arange(2 * LEVEL_POINTS)) * KNOTS + knot[:, None]
        starts = np.cumsum([0, *SIZES])
        kinds = [
            (pair + 256 * points, starts[0], None),
            (pair + 256 * GROUP_OF, starts[1], None),
            (sums[:, :-1] + 16 * points, starts[2], None),
            (counts + 16 * points, starts[3], None),
            (level, starts[4], 1 - after),
            (level + 1, starts[4], after),
        ]
        self.columns = [
            (np.ascontiguousarray(column + start, dtype=np.int32), share)
            for kind, start, share in kinds
            for column in kind.T
        ]
        self.damping = np.repeat(DAMPING, SIZES)
        self.n = len(counts)

    def of(self, values: FloatArray) -> FloatArray:
        """Sum up the values of each position's terms."""
        total = np.zeros(self.n)
        for column, share in self.columns:
            total += values[column] if share is None else share * values[column]
        return total

    def gather(self, numbers: FloatArray) -> FloatArray:
        """Sum up the numbers of each term's positions."""
        total = np.zeros(len(self.damping))
        for column, share in self.columns:
            total += np.bincount(column, numbers if share is None else share * numbers, minlength=len(total))
        return total


def solve(terms: Terms, wanted: FloatArray, group: IntArray, weight: FloatArray, emphasis: float) -> FloatArray:
    """Solve the least squares by conjugate gradients."""
    group = np.unique(group, return_inverse=True)[1]
    size = np.bincount(group)

    def weigh(values: FloatArray) -> FloatArray:
        return weight * (values - emphasis * (np.bincount(group, values) / size)[group])

    found = np.zeros(len(terms.damping))
    rest = terms.gather(weigh(wanted))
    scale = terms.gather(weight * (1 - emphasis / 2)) + terms.damping
    direction = (step := rest / scale).copy()
    product = rest @ step
    for _ in range(60):
        image = terms.gather(weigh(terms.of(direction))) + terms.damping * direction
        length = product / (direction @ image)
        found += length * direction
        rest -= length * image
        step = rest / scale
        product, before = rest @ step, product
        direction = step + product / before * direction
    return found


class Tables:
    """Fitted tables of one number: steps of pairs by point, and of levels by sums and by counts."""

    def __init__(self, found: FloatArray) -> None:
        own, group, sums, counts, levels = np.split(found, np.cumsum(SIZES)[:-1])
        t, u = np.indices((16, 16))
        pairs = own.reshape(-1, 16, 16) + group.reshape(-1, 16, 16)[GROUP_OF]
        pairs += sums.reshape(-1, 16)[:, t] + counts.reshape(-1, 16)[:, np.maximum(t - u, 0)]
        self.pairs = np.rint(pairs / STEP).astype(int)
        self.levels = np.rint(levels.reshape(2, LEVEL_POINTS, 16, KNOTS) / STEP).astype(int)
        if max(np.abs(np.tril(self.pairs)).max(), np.abs(self.levels).max()) >= 2**15:
            raise SystemExit("a term does not fit into 16 bits")

    def estimate(self, counts: npt.NDArray[np.int8]) -> FloatArray:
        """Estimate as C does, without the part that depends on pips alone."""
        sums = sums_of(counts)
        guess = sum(self.pairs[j][sums[:, j], sums[:, j + 1]] for j in range(MAX_POINTS)) * STEP
        knot, after = knots_of(counts)
        for of, level in enumerate(self.levels * STEP):
            for j in range(LEVEL_POINTS):
                checkers = counts[:, j] if of else sums[:, j]
                before, beyond = level[j, checkers, knot], level[j, checkers, knot + 1]
                guess = guess + before + (beyond - before) * after
        return np.asarray(guess)

    def numbers(self) -> list[int]:
        """List the steps in the order of bgr_terms."""
        t, u = np.tril_indices(16)
        changes = self.pairs[:, t, u] - np.where(t > 0, self.pairs[:, t - 1, np.maximum(u - 1, 0)], 0)
        return [*changes.ravel().tolist(), *self.levels.transpose(0, 3, 2, 1).ravel().tolist()]


def digits_of(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Write each number, or run of zeros, in digits to the base 90, for read_terms of csrc/turns/home_board.c."""
    for number, group in itertools.groupby(numbers):
        n = sum(1 for _ in group)
        while number == 0 and n > 2:
            yield [0, min(n, 89)]
            n -= min(n, 89)
        folded = 2 * abs(number) - (number > 0)
        if folded < 76:
            digits = [1 + folded]
        elif folded < 76 + 10 * 90:
            digits = [77 + (folded - 76) // 90, (folded - 76) % 90]
        else:
            rest = folded - 76 - 10 * 90
            digits = [87 + rest // 8100, rest // 90 % 90, rest % 90]
        yield from [digits] * n


def texts_of(numbers: Iterable[int]) -> str:
    """Write the digits as C, in texts of at most 4,095 characters."""
    texts = [""]
    for digits in digits_of(numbers):
        one = "".join(ALPHABET[digit] for digit in digits)
        if len(texts[-1]) + len(one) > MAX_TEXT:
            texts.append("")
        texts[-1] += one
    lines = ("\n".join(f'"{text[at : at + 117]}"' for at in range(0, len(text), 117)) for text in texts)
    return "const char bgr_estimate_text[][4096] = {\n" + ",\n".join(lines) + "};\n"


def report(name: str, guess: FloatArray, wanted: FloatArray, group: IntArray) -> None:
    """Print a line about errors."""
    error = guess - wanted
    of = np.unique(group, return_inverse=True)[1]
    difference = error - (np.bincount(of, error) / np.bincount(of))[of]
    by_guess, by_truth = np.lexsort((guess, of)), np.lexsort((wanted, of))
    chosen = wanted[by_guess][np.unique(of[by_guess], return_index=True)[1]]
    loss = chosen - wanted[by_truth][np.unique(of[by_truth], return_index=True)[1]]
    print(
        f"{name}: {len(error):,} positions, mean error {error.mean():+.4f}, "
        f"root mean square {np.sqrt((error**2).mean()):.4f}, "
        f"of differences between results of a roll {np.sqrt((difference**2).mean()):.4f}; "
        f"the result with the least estimate is {loss.mean():.4f} worse than the best"
    )


def fit(files: dict[str, dict[str, Any]], column: int, name: str) -> list[int]:
    """Fit the terms of one number, and print their errors."""
    parts = []
    for number, file in enumerate(files.values()):
        wanted = file["numbers"][:, column]
        known = ~np.isnan(wanted)
        group = file["group"][known].astype(np.int64) + (number << 40)
        weight = np.full(known.sum(), file["weight"])
        parts.append((file["counts"][known], wanted[known], group, file["held_out"][known], weight))
    counts, wanted, group, held_out, weight = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    by_pips = pips_of(counts) * VARIANCE_OF_PIP if name == "variance" else pips_of(counts) / MEAN_PIPS
    emphasis = 0 if name == "variance" else EMPHASIS
    used = ~held_out
    tables = Tables(solve(Terms(counts[used]), (wanted - by_pips)[used], group[used], weight[used], emphasis))
    guess = tables.estimate(counts) + by_pips
    for number, path in enumerate(files):
        chosen = held_out & (group >> 40 == number)
        if chosen.any():
            report(f"{name}, {path}", guess[chosen], wanted[chosen], group[chosen])
    return tables.numbers()


def fit_third(files: list[dict[str, Any]]) -> str:
    """Fit the coefficients of third cumulants, and write them as C."""
    counts = np.concatenate([file["counts"] for file in files])
    numbers = np.concatenate([file["numbers"] for file in files])
    known = ~np.isnan(numbers[:, 3])
    counts, numbers = counts[known], numbers[known]
    of = np.stack([np.ones(len(counts)), numbers[:, 0], pips_of(counts), counts[:, 6:].sum(axis=1)], axis=1)
    variance = numbers[:, 2:3]
    terms = np.concatenate([of, variance * of, variance**2], axis=1)
    found = np.linalg.lstsq(terms, numbers[:, 3], rcond=None)[0]
    error = terms @ found - numbers[:, 3]
    print(f"third: root mean square {np.sqrt((error**2).mean()):.4f}, of the numbers {numbers[:, 3].std():.4f}")
    return f"const double bgr_estimate_third[9] = {{{', '.join(f'{x:.4f}' for x in found)}}};\n"


def main() -> None:
    """Read the command line."""
    command, *words = sys.argv[1:]
    if command in ("played", "stacked"):
        database, seed, minutes, path = words
        starts, weight = (recorded_starts, 1.0) if command == "played" else (stacked_starts, STACKED)
        rng, found = random.Random(int(seed)), Sample(weight)
        play_out(database, starts(rng), rng, float(minutes), found)
        found.save(path)
        return
    if command == "sample":
        sample(int(words[0]), float(words[1]), words[2])
        return
    files = {path: dict(np.load(path)) for path in words}
    numbers = [number for column, name in enumerate(NUMBERS[:3]) for number in fit(files, column, name)]
    TARGET.write_text(HEAD + texts_of(numbers) + "\n" + fit_third([*files.values()]), encoding="utf-8")


if __name__ == "__main__":
    main()
