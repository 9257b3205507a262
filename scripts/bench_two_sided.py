"""How fast pairs are solved: the rate of each path, single pairs, and, with --full, the whole bearoff.

What is timed is stated in each line; medians of --repeats runs.  GNU Backgammon's makebearoff runs beside bgrace in
bench_makebearoff.py.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
from timing import median

import bgrace
from bgrace._base.threads import how_many
from bgrace._kernels import two_sided as kernel
from bgrace.board.dice import ROLLS
from bgrace.solving.pairs import Precision
from bgrace.tables.two_sided import PLANES, scale_for

LOOP = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { LANES = 256 }; /* eight vectors of 64 bytes: maxima of 16-bit integers, as the solver's operator takes them */
int main(int argc, char **argv)
{
    size_t rows = (size_t)atol(argv[1]) / (2 * LANES), rounds = ((size_t)1 << 32) / (rows * 2 * LANES);
    int16_t *data = aligned_alloc(64, rows * 2 * LANES), best[LANES] = {0};
    struct timespec start, end;
    for (size_t k = 0; k < rows * LANES; k++)
        data[k] = (int16_t)k;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t round = 0; round < rounds; round++) {
        for (size_t row = 0; row < rows; row++)
            for (int e = 0; e < LANES; e++)
                best[e] = data[row * LANES + e] > best[e] ? data[row * LANES + e] : best[e];
        __asm__ volatile("" : : "r"(best), "r"(data) : "memory");
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%.0f\n", (double)(rounds * rows * 2 * LANES) / seconds);
    return argc - 2;
}
"""
"""Reads the same memory again and again."""

PRECISIONS: tuple[Precision, ...] = ("float64", "int16")


def cache_bandwidth(n_bytes: int, repeats: int) -> float | None:
    """Bytes a second that one core reads, over and over, from a piece of memory; None if there is no C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "loop.c"), Path(folder, "loop")
        source.write_text(LOOP)
        try:
            subprocess.run(["cc", "-O3", "-march=native", str(source), "-o", str(program)], check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        runs = [subprocess.run([str(program), str(n_bytes)], check=True, capture_output=True) for _ in range(repeats)]
        return statistics.median(float(run.stdout) for run in runs)


def bench_share(checkers: int, repeats: int) -> None:
    """The share of the cache's bandwidth that the solver uses, on one thread."""
    space = bgrace.PositionSpace(6, checkers)
    n = len(space)
    graph = kernel.Graph(space.kernel, np.arange(n), 1)
    table = np.zeros((n, n, len(PLANES)), np.int16)
    table[:] = 0
    taken = median(partial(kernel.solve, graph, None, table, None, scale_for(space), n_threads=1), repeats)
    n_results = sum(
        len(bgrace.legal_plays(space.position(int(i)), roll)) for i in np.linspace(1, n - 1, 100) for roll in ROLLS
    )
    loaded = n * n / 100 * n_results * len(PLANES) * 2
    # What a row of results reaches: the stripe's rows of the 24 levels below.
    pips = space.position(np.arange(n)).astype(np.int64) @ np.arange(1, 7)
    window = int(np.convolve(np.bincount(pips), np.ones(24)).max()) * 16 * len(PLANES) * 2
    print(
        f"N = {checkers}: one thread loads {loaded / taken / 1e9:.0f} GB/s of operands, whatever else it does included"
    )
    for name, size in (("first cache", 1 << 14), ("as large as a window of 24 levels", window)):
        bandwidth = cache_bandwidth(size, repeats)
        if bandwidth is not None:
            share = loaded / taken / bandwidth
            print(f"  a loop reads {bandwidth / 1e9:.0f} GB/s from {size >> 10} KiB ({name}): a share of {share:.2f}")


def bench_paths(checkers: int, repeats: int, threads: int) -> None:
    """Pairs a second of each path, into memory that has been touched before."""
    space = bgrace.PositionSpace(6, checkers)
    n = len(space)
    graph = kernel.Graph(space.kernel, np.arange(n), threads)
    table = np.zeros((n, n, len(PLANES)), np.int16)
    table[:] = 0
    scale = scale_for(space)
    for path in kernel.available_paths():
        for n_threads in sorted({1, threads}):
            if path == "scalar" and n_threads == 1 and checkers > 8:
                continue  # a minute that shows nothing new
            solve = partial(kernel.solve, graph, None, table, None, scale, path=path, n_threads=n_threads)
            taken = median(solve, 1 if path == "scalar" else repeats)
            rate = n * n / taken / 1e6
            print(f"N = {checkers:2}  {path:7} {n_threads} thread(s)  {taken:8.3f} s  {rate:7.1f} M pairs/s")


def bench_single_pairs(repeats: int) -> None:
    """Time of bgrace.solve, import aside."""
    for on_roll, opponent in (
        ("0,0,0,0,0,6", "0,0,0,0,0,6"),
        ("1,1,1,1,1,1", "1,1,1,1,1,1"),
        ("0,0,0,3,3,4", "0,0,0,3,3,4"),
        ("0,0,0,0,0,10", "0,0,0,0,0,10"),
    ):
        for precision in PRECISIONS:
            run = partial(bgrace.solve, on_roll, opponent, precision=precision)
            try:
                run()
            except bgrace.MemoryLimitError:
                continue
            print(f"solve {on_roll} against {opponent}, {precision}: {median(run, repeats):.3f} s")


def bench_full(memory: str, folder: Path) -> None:
    """Build the whole bearoff as a user would, in a process of its own, with its peak of memory."""
    target = folder / "whole.h5"
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "bgrace", "build", str(target), "--two-sided", "15", "--memory", memory, "--force"],
        check=True,
    )
    taken = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    pairs = len(bgrace.PositionSpace()) ** 2
    print(
        f"N = 15, {pairs:,} pairs, whole process, --memory {memory}: {taken:.1f} s, "
        f"{pairs / taken / 1e6:.1f} M pairs/s, "
        f"peak {peak:.2f} GiB resident (mapped pages of the file included), file {target.stat().st_size / 1e9:.1f} GB"
    )
    target.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--full", action="store_true", help="build all 2,944,581,696 pairs: 24 GB and minutes")
    parser.add_argument("--memory", default="12G", help="for --full")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="for --full")
    arguments = parser.parse_args()
    threads = how_many()
    print(f"{threads} processors, load {os.getloadavg()[0]:.1f}, best path {kernel.available_paths()[-1]}")
    for checkers in (6, 8, 10):
        bench_paths(checkers, arguments.repeats, threads)
    for checkers in (8, 10):
        bench_share(checkers, arguments.repeats)
    bench_single_pairs(arguments.repeats)
    if arguments.full:
        bench_full(arguments.memory, arguments.folder)


if __name__ == "__main__":
    main()
