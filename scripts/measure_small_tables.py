"""What small tables of pairs cost: sizes beside other ways, and a curve of size against error.

rivals FILE prints what the table of pairs of a plain file takes by other means, from bands of it: shuffle and
deflate, as an archive has it; shuffle and zstd, by the command of that name; and second differences, coded as well as
their entropy allows.

curve FILE prints, for several numbers of factors and limits of the error, how large a small file is, how far it is
off, and what wrong verdicts of the cube and wrong plays cost by it; with --svg it draws that too.  From a sample of
rows, against all opponents: mean errors and sizes of a whole file are within some percent of these, greatest errors
are what was asked for, since pairs that are off by more are stored as they are.  Plays are those of every roll: of a
sample of positions against those of the rows, which is all pairs alike, and in pairs of played races.  Playing those
takes 2.7 GB of memory, all of it 3.4 GB with 15 checkers.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from check_turns import draw
from decision_losses import Losses, Rolls, Tally, Values, verdict_losses, worth_of_moving

import bgrace
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import CUBES
from bgrace.database.packing.factors import (
    PlaneFactors,
    leading_basis,
    opponent_factors,
    read_sample,
    sample_columns,
    sample_rows,
    solvers_of,
)
from bgrace.database.store import read_tables
from bgrace.database.store.factored import rounded_products
from bgrace.studies.referee import played_races
from bgrace.tables.two_sided import Plane, two_sided_order

CHUNK = 128
BANDS = 12
"""Of 128 rows each."""

TESTED = 192
"""Rows."""

ROLLED = 2048
"""Positions whose plays against each of those are compared."""

GAMES = 2000
PLAYED = 2000
"""Pairs of their races."""

COUNTS = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256)
LIMITS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
"""Greatest errors of equities."""

BUDGETS = (1, 2, 4, 7, 10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000)
"""Millions of bytes."""

Indices = npt.NDArray[np.int64]


def entropy(values: npt.NDArray[np.int64]) -> float:
    """Bits a value, if each is coded by how often it occurs."""
    counts = np.unique(values, return_counts=True)[1]
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def shuffled(chunk: Values) -> bytes:
    """The first bytes of all values, then the second ones, as HDF5's filter has them."""
    return np.ascontiguousarray(chunk).view(np.uint8).reshape(-1, 2).T.tobytes()


def zstd(data: bytes, level: int) -> int:
    """How long the command makes it."""
    return len(subprocess.run(["zstd", f"-{level}", "-c", "-q"], input=data, capture_output=True, check=True).stdout)


def print_rivals(path: Path) -> None:
    stored = read_tables(path)
    table = stored.tables["two_sided/equities"]
    n = table.shape[0]
    firsts = sorted({min(k * n // BANDS // CHUNK * CHUNK, n - CHUNK) for k in range(BANDS)})
    plain = deflated = packed = 0
    bits = np.zeros(len(Plane))
    for first in firsts:
        band = np.ascontiguousarray(table[first : first + CHUNK])
        plain += band.nbytes
        chunks = [shuffled(band[:, start : start + CHUNK]) for start in range(0, n, CHUNK)]
        deflated += sum(len(zlib.compress(chunk, 6)) for chunk in chunks)
        packed += zstd(b"".join(chunks), 9)
        wide = band.astype(np.int64)
        second = wide[1:, 1:] - wide[:-1, 1:] - wide[1:, :-1] + wide[:-1, :-1]
        bits += [entropy(second[..., plane]) for plane in Plane]
        stored.let_go()
    whole = 8 * n * n
    print(f"{path}: {n} x {n} pairs, {whole / 1e9:.2f} GB plain; from {len(firsts)} bands of {CHUNK} rows")
    print(f"  shuffle and deflate  {whole * deflated / plain / 1e9:.3f} GB")
    print(f"  shuffle and zstd -9  {whole * packed / plain / 1e9:.3f} GB")
    mean = bits / len(firsts)
    text = ", ".join(f"{plane.name.lower()} {mean[plane]:.2f}" for plane in Plane)
    print(f"  second differences   {whole * mean.mean() / 16 / 1e9:.3f} GB ({text} bits a value)")


class Block:
    """Values of some rows of the table, each in all columns or in some, and what numbers of factors make of them.

    Attributes
    ----------
    exact : int16 ndarray, shape (planes, rows, n), or (planes, values) if there are columns
    found : dict of (Plane, int) to int16 ndarray
        By how many factors the plane has; as one plane of `exact`.
    """

    def __init__(self, table: Any, rows: Indices, sampled: Indices, columns: Sequence[Indices] | None = None) -> None:
        self._columns = columns
        self._sampled = np.empty((len(Plane), len(rows), len(sampled)), np.int16)
        parts = []
        for k, row in enumerate(rows.tolist()):
            whole = np.asarray(table[row]).T
            self._sampled[:, k] = whole[:, sampled]
            parts.append(np.array(whole if columns is None else whole[:, columns[k]]))
        self.exact: Values = np.stack(parts, axis=1) if columns is None else np.concatenate(parts, axis=1)
        self.found: dict[tuple[Plane, int], Values] = {}

    def find(self, plane: Plane, factors: PlaneFactors, solve: Callable[[Values], Values], most: float) -> None:
        """Find the values of a plane by these factors of opponents."""
        on_roll, opponent = solve(self._sampled[plane]).astype(np.float64), factors.opponent.astype(np.float64)
        if self._columns is None:
            sums = on_roll @ opponent.T
        else:
            sums = np.concatenate([opponent[some] @ row for some, row in zip(self._columns, on_roll, strict=True)])
        self.found[plane, factors.count] = rounded_products(sums, factors.shift, most).astype(np.int16)

    def missed(self, plane: Plane, count: int) -> npt.NDArray[np.int32]:
        """By how much products of factors are off."""
        off: npt.NDArray[np.int32] = np.abs(self.found[plane, count] - self.exact[plane].astype(np.int32))
        return off

    def beyond(self, plane: Plane, count: int, steps: float) -> npt.NDArray[np.bool_]:
        """Which values a file stores as they are, since products of factors are off by more."""
        return self.missed(plane, count) > steps

    def corrected(self, plane: Plane, count: int, steps: float) -> Values:
        """Values as a file answers, whose error is to be no greater."""
        return np.where(self.beyond(plane, count, steps), self.exact[plane], self.found[plane, count])


@dataclass(frozen=True)
class Choice:
    """A small file that could be made.

    Attributes
    ----------
    limit : float
        The greatest error of an equity.
    size, mean : float
        Bytes of its pairs, and the mean error of the plane whose is greatest.
    counts : dict of Plane to int
        Factors.
    """

    limit: float
    size: float
    mean: float
    counts: dict[Plane, int]


class Sample:
    """Rows to learn from, and what each number of factors makes of others, plane by plane.

    Rows that are tried stand for all pairs, alike; so do their columns, a sample of which are positions whose plays
    against the row's position are compared.  Pairs of played races have rows of their own.
    """

    def __init__(self, path: Path, games: int, threads: int) -> None:
        stored = read_tables(path)
        table, directory = stored.tables["two_sided/equities"], stored.directory
        self.n, self.scale = table.shape[0], stored.entry("two_sided/equities").scale
        space = PositionSpace(directory.points, directory.two_sided_checkers)
        rows, columns = sample_rows(self.n), sample_columns(self.n)
        tested = np.setdiff1d(np.arange(TESTED) * self.n // TESTED + self.n // (2 * TESTED), rows)
        if not tested.size:
            raise SystemExit(f"{path} has {self.n} positions, all of which are learnt from: none is left to try")
        mine, theirs = played_pairs(path, games)
        self.rolls = Rolls.of(space, sample_rows(self.n, ROLLED)[1:])  # no roll of the empty board
        self.played_rolls = Rolls.of(space, mine)
        self.tested = Block(table, tested, columns)
        ends = np.cumsum(self.played_rolls.lengths.sum(axis=1))
        self.moved = Block(table, theirs, columns, np.split(self.played_rolls.ranks, ends[:-1]))
        self.played = Block(table, mine, columns, list(theirs[:, np.newaxis]))
        learn = read_sample(table, rows)
        for plane in Plane:
            most = 64 if plane == Plane.CUBELESS else max(COUNTS)
            basis = leading_basis(learn[plane], min(most, len(rows) // 2), threads)
            for count in (k for k in COUNTS if k <= basis.directions.shape[1]):
                factors = opponent_factors(basis, count, 8, 15)
                (solve,) = solvers_of([factors], columns, threads)
                for block in (self.tested, self.moved, self.played):
                    block.find(plane, factors, solve, 2 * self.scale)
                print(f"{plane.name.lower()}, {count} factors", file=sys.stderr, flush=True)
            stored.let_go()

    def steps(self, plane: Plane, limit: float) -> float:
        """The greatest error of a plane: a double that is taken comes to twice theirs."""
        return limit * self.scale / (1 + (plane == Plane.THEIRS))

    def cost(self, plane: Plane, count: int, limit: float) -> tuple[float, float, int]:
        """Bytes of a plane of a whole file, its mean error, and how many factors that takes."""
        steps = self.steps(plane, limit)
        missed, beyond = self.tested.missed(plane, count), self.tested.beyond(plane, count, steps)
        size = 4.0 * self.n * count + 4.0 * float(beyond.mean()) * self.n**2
        return size, float(np.where(beyond, 0, missed).mean() / self.scale), count

    def values(self, block: Block, choice: Choice) -> tuple[dict[Plane, Values], dict[Plane, Values]]:
        """Exact values of a block, and those of a file."""
        found = {p: block.corrected(p, count, self.steps(p, choice.limit)) for p, count in choice.counts.items()}
        return {plane: block.exact[plane] for plane in Plane}, found

    def verdict_losses(self, block: Block, choice: Choice) -> tuple[float, float, float]:
        """What verdicts by the values of a file cost in pairs of a block."""
        return verdict_losses(*self.values(block, choice), self.scale)

    def play_losses(self, choice: Choice) -> Losses:
        """What plays by the values of a file cost, all pairs alike."""
        exact, found = self.values(self.tested, choice)
        tally = Tally()
        for opponent in range(len(exact[Plane.CUBELESS])):
            worth = (
                worth_of_moving({plane: values[plane][opponent] for plane in Plane}, self.scale)[:, self.rolls.ranks]
                for values in (exact, found)
            )
            tally.add(self.rolls.losses(*worth))
        return tally.losses()

    def played_losses(self, choice: Choice) -> Losses:
        """What plays by the values of a file cost in races as they are played."""
        tally = Tally()
        worth = (worth_of_moving(values, self.scale) for values in self.values(self.moved, choice))
        tally.add(self.played_rolls.losses(*worth))
        return tally.losses()


def played_pairs(path: Path, games: int) -> tuple[Indices, Indices]:
    """Ranks of pairs of played races that the table has and that are not decided."""
    with bgrace.open(path) as db:
        races = played_races(db, games)
        space = PositionSpace(db.space.points, db.two_sided_checkers)
        pairs = draw(races, space.points, PLAYED, 1, db.two_sided_checkers)
    rank = np.argsort(two_sided_order(space))
    mine, theirs = (rank[np.asarray(space.index([pair[side] for pair in pairs]))] for side in range(2))
    return mine, theirs


def choices(sample: Sample) -> Iterator[Choice | int]:
    """The best file of each size, each once; the size itself, in millions of bytes, if there is none so small."""
    counts = {plane: [count for each, count in sample.tested.found if each == plane] for plane in Plane}
    options = {
        limit: {plane: sorted(sample.cost(plane, count, limit) for count in counts[plane]) for plane in Plane}
        for limit in LIMITS
    }
    last: Choice | None = None
    for budget in BUDGETS:
        for limit in LIMITS:
            chosen = {plane: min(some) for plane, some in options[limit].items()}
            size = sum(one[0] for one in chosen.values())
            if size > budget * 1e6:
                continue
            # What is left goes where it lowers the greatest mean error most.
            while True:
                worst = max(chosen, key=lambda plane: chosen[plane][1])
                better = [
                    one
                    for one in options[limit][worst]
                    if one[1] < 0.97 * chosen[worst][1] and size - chosen[worst][0] + one[0] <= budget * 1e6
                ]
                if not better:
                    break
                step = min(better)
                size += step[0] - chosen[worst][0]
                chosen[worst] = step
            mean = max(one[1] for one in chosen.values())
            choice = Choice(limit, size, mean, {plane: one[2] for plane, one in chosen.items()})
            if choice != last:
                last = choice
                yield choice
            break
        else:
            yield budget


@dataclass(frozen=True)
class Point:
    """What a file that could be made loses; verdicts are doubling, redoubling and taking."""

    choice: Choice
    verdicts: tuple[float, float, float]
    plays: Losses
    played_verdicts: tuple[float, float, float]
    played: Losses


def print_curve(path: Path, games: int, threads: int, svg: Path | None) -> None:
    sample = Sample(path, games, threads)
    print("| size | greatest error of an equity | mean | factors | loss: doubling, redoubling, taking |")
    print("|---:|---:|---:|---|---|")
    points = []
    for choice in choices(sample):
        if isinstance(choice, int):
            print(f"| {choice} MB | more than {max(LIMITS)} | | | |")
            continue
        verdicts = sample.verdict_losses(sample.tested, choice)
        names = ", ".join(str(choice.counts[plane]) for plane in Plane)
        print(
            f"| {megabytes(choice)} | {choice.limit} | {choice.mean:.6f} | {names} | {listed(verdicts)} |", flush=True
        )
        played_verdicts = sample.verdict_losses(sample.played, choice)
        points.append(
            Point(choice, verdicts, sample.play_losses(choice), played_verdicts, sample.played_losses(choice))
        )
    print(f"\nPlays, {len(sample.rolls.lengths)} positions on roll against each of {len(sample.tested.exact[0])}")
    print(f"\n| size | {' | '.join(CUBES)} | worse plays | greatest |")
    print("|---:|---:|---:|---:|---:|---|---|")
    for point in points:
        print(f"| {megabytes(point.choice)} | {of_plays(point.plays)} |")
    print(f"\nPlays and verdicts in {len(sample.played_rolls.lengths)} pairs of played races")
    print(f"\n| size | {' | '.join(CUBES)} | worse plays | greatest | doubling, redoubling, taking |")
    print("|---:|---:|---:|---:|---:|---|---|---|")
    for point in points:
        print(f"| {megabytes(point.choice)} | {of_plays(point.played)} | {listed(point.played_verdicts)} |")
    if svg:
        draw_curve(points, svg)


def megabytes(choice: Choice) -> str:
    return f"{choice.size / 1e6:.1f} MB"


def listed(losses: Iterable[float]) -> str:
    return ", ".join(f"{loss:.1e}" for loss in losses)


def of_plays(losses: Losses) -> str:
    """By place of the cube, then of all places the shares of worse plays and the greatest losses."""
    means = " | ".join(f"{mean:.1e} ± {error:.0e}" for mean, error in zip(losses.mean, losses.error, strict=True))
    worse = ", ".join(f"{100 * share:.2f}" for share in losses.worse)
    return f"{means} | {worse} % | {', '.join(f'{loss:.4f}' for loss in losses.greatest)}"


def draw_curve(points: Sequence[Point], svg: Path) -> None:
    import matplotlib as mpl  # noqa: PLC0415  (takes a while)

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "bgrace"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(7, 5))
    sizes = [point.choice.size / 1e6 for point in points]
    lines: dict[str, list[float]] = {
        "greatest error of an equity": [point.choice.limit for point in points],
        "mean error": [point.choice.mean for point in points],
        "mean loss by a play, played races": [float(point.played.mean.mean()) for point in points],
        "mean loss by a play, all pairs": [float(point.plays.mean.mean()) for point in points],
        "mean loss by a verdict, all pairs": [sum(point.verdicts) / 3 for point in points],
    }
    for label, values in lines.items():
        axes.loglog(sizes, [max(value, 1e-9) for value in values], "o-", label=label, markersize=4)
    axes.set_xlabel("size of the pairs, MB")
    axes.set_ylabel("points per unit of the cube")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2)
    figure.tight_layout()
    figure.savefig(svg, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rivals", "curve"))
    parser.add_argument("file", type=Path, help="a plain file with a table of pairs")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--games", type=int, default=GAMES, help="played for pairs as they occur in play")
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    if options.what == "rivals":
        print_rivals(options.file)
    else:
        print_curve(options.file, options.games, options.threads, options.svg)


if __name__ == "__main__":
    main()
