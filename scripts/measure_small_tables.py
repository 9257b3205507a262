"""What small tables of pairs cost: sizes beside other ways, and a curve of size against error.

rivals FILE prints what the table of pairs of a plain file takes by other means, from bands of it: shuffle and
deflate, as an archive has it; shuffle and zstd, by the command of that name; and second differences, coded as well as
their entropy allows.

curve FILE prints, for several numbers of factors and limits of the error, how large a small file is, how far it is off,
and what wrong verdicts of the cube cost by it; with --svg it draws that too.  From a sample of rows, against all
opponents: mean errors and sizes of a whole file are within some percent of these, greatest errors are what was asked
for, since pairs that are off by more are stored as they are.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bgrace.database.packing.factors import (
    PlaneFactors,
    leading_basis,
    opponent_factors,
    sample_columns,
    sample_rows,
    solver_of,
)
from bgrace.database.store import read_tables
from bgrace.database.store.small import rounded_products
from bgrace.tables.two_sided import Plane

CHUNK = 128
BANDS = 12
"""Of 128 rows each."""

TESTED = 192
COUNTS = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256)
LIMITS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
"""Greatest errors of equities."""

BUDGETS = (1, 2, 4, 7, 10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000)
"""Millions of bytes."""

Values = npt.NDArray[np.int16]


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


class Sample:
    """Rows to learn from and rows to try, plane by plane, and what each number of factors makes of these."""

    def __init__(self, path: Path, threads: int) -> None:
        stored = read_tables(path)
        table = stored.tables["two_sided/equities"]
        self.n, self.scale = table.shape[0], stored.entry("two_sided/equities").scale
        rows = sample_rows(self.n)
        tested = np.setdiff1d(np.arange(TESTED) * self.n // TESTED + self.n // (2 * TESTED), rows)
        learn, self.exact = (self._read(table, some) for some in (rows, tested))
        columns = sample_columns(self.n)
        self.found: dict[tuple[Plane, int], Values] = {}
        for plane in Plane:
            most = 64 if plane == Plane.CUBELESS else max(COUNTS)
            basis = leading_basis(learn[plane], min(most, len(rows) // 2), threads)
            for count in (k for k in COUNTS if k <= basis.directions.shape[1]):
                factors = opponent_factors(basis, count, 8, 15)
                few = PlaneFactors(np.ascontiguousarray(factors.opponent[columns]), factors.shift)
                on_roll = solver_of(few, threads)(self.exact[plane][:, columns]).astype(np.float64)
                products = rounded_products(
                    on_roll @ factors.opponent.T.astype(np.float64), factors.shift, 2 * self.scale
                )
                self.found[plane, count] = products.astype(np.int16)
                print(f"{plane.name.lower()}, {count} factors", file=sys.stderr, flush=True)
            stored.let_go()

    def _read(self, table: Any, rows: npt.NDArray[np.int64]) -> Values:
        found = np.empty((len(Plane), len(rows), self.n), np.int16)
        for k, row in enumerate(rows.tolist()):
            found[:, k] = np.asarray(table[row]).T
        return found

    def corrected(self, plane: Plane, count: int, limit: float) -> tuple[Values, float, float]:
        """Values with exceptions taken out, bytes of a whole file, and the mean error."""
        exact, found = self.exact[plane], self.found[plane, count]
        missed = np.abs(found.astype(np.int32) - exact)
        beyond = missed > limit * self.scale
        size = 4.0 * self.n * count + 4.0 * float(beyond.mean()) * self.n**2
        return np.where(beyond, exact, found), size, float(np.where(beyond, 0, missed).mean() / self.scale)


def verdict_loss(exact: dict[Plane, Values], found: dict[Plane, Values], scale: float) -> tuple[float, float, float]:
    """What doubling, redoubling and taking by other values costs in the mean: points per unit of the cube."""
    true, seen = ({p: v[p] / scale for p in (Plane.MINE, Plane.CENTERED, Plane.THEIRS)} for v in (exact, found))
    losses = []
    turned = {name: np.minimum(2 * one[Plane.THEIRS], 1) for name, one in (("true", true), ("seen", seen))}
    for plane in (Plane.CENTERED, Plane.MINE):
        wrong = (turned["seen"] > seen[plane]) != (turned["true"] > true[plane])
        losses.append(float((wrong * np.abs(turned["true"] - true[plane])).mean()))
    wrong = (2 * seen[Plane.THEIRS] > 1) != (2 * true[Plane.THEIRS] > 1)
    losses.append(float((wrong * np.abs(2 * true[Plane.THEIRS] - 1)).mean()))
    return losses[0], losses[1], losses[2]


def print_curve(path: Path, threads: int, svg: Path | None) -> None:
    sample = Sample(path, threads)
    options: dict[float, dict[Plane, list[tuple[float, float, int]]]] = {}
    for limit in LIMITS:
        options[limit] = {}
        for plane in Plane:
            bound = limit / (1 + (plane == Plane.THEIRS))  # a double that is taken comes to twice that
            options[limit][plane] = sorted(
                (*sample.corrected(plane, count, bound)[1:], count) for p, count in sample.found if p == plane
            )
    print("| size | greatest error of an equity | mean | factors | loss: doubling, redoubling, taking |")
    print("|---:|---:|---:|---|---|")
    points = []
    for budget in BUDGETS:
        best: tuple[float, float, dict[Plane, int], float] | None = None
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
            best = limit, size, {plane: one[2] for plane, one in chosen.items()}, max(one[1] for one in chosen.values())
            break
        if best is None:
            print(f"| {budget} MB | more than {max(LIMITS)} | | | |")
            continue
        limit, size, counts, mean = best
        found = {p: sample.corrected(p, counts[p], limit / (1 + (p == Plane.THEIRS)))[0] for p in Plane}
        losses = verdict_loss({p: sample.exact[p] for p in Plane}, found, sample.scale)
        names = ", ".join(str(counts[plane]) for plane in Plane)
        print(
            f"| {size / 1e6:.1f} MB | {limit} | {mean:.6f} | {names} | {', '.join(f'{loss:.1e}' for loss in losses)} |",
            flush=True,
        )
        points.append((size / 1e6, limit, mean, sum(losses) / 3))
    if svg:
        draw(points, svg)


def draw(points: list[tuple[float, float, float, float]], svg: Path) -> None:
    import matplotlib as mpl  # noqa: PLC0415  (takes a while)

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "bgrace"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(7, 4))
    sizes = [point[0] for point in points]
    for k, label in ((1, "greatest error of an equity"), (2, "mean error"), (3, "mean loss by a wrong verdict")):
        axes.loglog(sizes, [max(point[k], 1e-9) for point in points], "o-", label=label, markersize=4)
    axes.set_xlabel("size of the pairs, MB")
    axes.set_ylabel("points per unit of the cube")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(svg, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rivals", "curve"))
    parser.add_argument("file", type=Path, help="a plain file with a table of pairs")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    if options.what == "rivals":
        print_rivals(options.file)
    else:
        print_curve(options.file, options.threads, options.svg)


if __name__ == "__main__":
    main()
