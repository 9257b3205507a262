"""Predict how long pairs of 15 checkers take on more threads, from bandwidths measured in the same run.

    python scripts/model_two_sided.py [--checkers 12] [--folder /var/tmp]

Prints the processor time of the operator alone, on one and on two threads into memory that was touched before; what one
and two processes at once read from the second cache and from memory, and write to memory that is new to them; and what
the disk takes.  Then the time of `bgrace build --two-sided 15` for 1 to 64 threads, by the formula of docs/solver.md.
The build itself, of --checkers a side, is timed beside it on one thread and on two.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from timing import load

import bgrace
from bgrace._kernels import two_sided as kernel
from bgrace.tables.two_sided import PLANES, pairs_to_write, scale_for

LOOP = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
enum { LANES = 256 }; /* maxima of 16-bit integers, as the solver's operator takes them */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void read_all(int16_t *data, size_t rows, size_t rounds)
{
    int16_t best[LANES] = {0};
    for (size_t round = 0; round < rounds; round++) {
        for (size_t row = 0; row < rows; row++)
            for (int e = 0; e < LANES; e++)
                best[e] = data[row * LANES + e] > best[e] ? data[row * LANES + e] : best[e];
        __asm__ volatile("" : : "r"(best), "r"(data) : "memory");
    }
}
static int16_t *new_memory(size_t n)
{
    int16_t *data = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(data, n, MADV_HUGEPAGE);
    return data;
}
/* kind ("read", "touch"), bytes of each process, bytes to go through, processes: bytes a second of all together */
int main(int argc, char **argv)
{
    size_t n = (size_t)atol(argv[2]), all = (size_t)atol(argv[3]);
    int n_processes = atoi(argv[4]), reads = strcmp(argv[1], "read") == 0;
    int ready[2], go[2];
    char c = 0;
    if (argc != 5 || pipe(ready) || pipe(go))
        return 1;
    for (int k = 0; k < n_processes; k++)
        if (fork() == 0) {
            int16_t *data = new_memory(n);
            if (reads)
                memset(data, 1, n);
            if (write(ready[1], &c, 1) != 1 || read(go[0], &c, 1) != 1)
                return 1;
            if (reads)
                read_all(data, n / (2 * LANES), all / n);
            else
                for (size_t done = 0; done < all; done += n) {
                    memset(data, 1, n);
                    munmap(data, n);
                    data = new_memory(n);
                }
            return 0;
        }
    for (int k = 0; k < n_processes; k++)
        if (read(ready[0], &c, 1) != 1)
            return 1;
    double start = now();
    for (int k = 0; k < n_processes; k++)
        if (write(go[1], &c, 1) != 1)
            return 1;
    while (wait(NULL) > 0)
        ;
    printf("%.0f\n", (double)n_processes * (double)all / (now() - start));
    return 0;
}
"""

THREADS = (1, 2, 4, 8, 16, 32, 64)
WHOLE = 15


@dataclass(frozen=True)
class Bandwidths:
    """Bytes a second, of one process and of two at once."""

    cache: tuple[float, float]
    memory: tuple[float, float]
    touched: tuple[float, float]


def bandwidths(folder: Path, repeats: int) -> Bandwidths:
    source, program = folder / "loop.c", folder / "loop"
    source.write_text(LOOP)
    subprocess.run(["cc", "-O3", "-march=native", str(source), "-o", str(program)], check=True)

    def most(kind: str, n_bytes: int, total: int) -> tuple[float, float]:
        runs = [
            [
                float(subprocess.check_output([str(program), kind, str(n_bytes), str(total), str(n)]))
                for _ in range(repeats)
            ]
            for n in (1, 2)
        ]
        return max(runs[0]), max(runs[1])

    return Bandwidths(most("read", 1 << 20, 1 << 34), most("read", 1 << 30, 1 << 33), most("touch", 1 << 29, 1 << 31))


def operator_seconds(checkers: int, n_threads: int, repeats: int) -> tuple[float, float]:
    """Least seconds by the clock, and of processor time, of all pairs in memory that was touched before."""
    space = bgrace.PositionSpace(6, checkers)
    n = len(space)
    graph = kernel.Graph(space.kernel, np.arange(n), n_threads)
    table = np.zeros((n, n, len(PLANES)), np.int16)
    table[:] = 0
    best = (float("inf"), float("inf"))
    for _ in range(repeats):
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
        kernel.solve(graph, None, table, None, scale_for(space), n_threads=n_threads)
        clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
        best = min(best, (clock, after.ru_utime - before.ru_utime))
    return best


def written(folder: Path, n_bytes: int) -> float:
    """Bytes a second that a file takes until the disk has them."""
    piece = np.random.default_rng(0).bytes(1 << 24)
    path = folder / "written"
    start = time.perf_counter()
    with path.open("wb") as file:
        for _ in range(n_bytes >> 24):
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    taken = time.perf_counter() - start
    path.unlink()
    return n_bytes / taken


def build_seconds(folder: Path, checkers: int, n_threads: int) -> tuple[float, float, float]:
    """Seconds of a whole build: by the clock, in the program, in the system."""
    target = folder / "model.h5"
    command = [sys.executable, "-m", "bgrace", "build", str(target), "--two-sided", str(checkers), "--force"]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "--threads", str(n_threads)], check=True, capture_output=True)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    target.unlink()
    return clock, after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


SERVER = 250e9
"""Bytes a second that eight channels of memory give at best."""

RESULTS = {10: 122, 12: 143, WHOLE: 170}
"""Results of all rolls of a position, in the mean: docs/solver.md."""


def window_bytes(checkers: int) -> tuple[float, float]:
    """What comes from memory in the first and in the second half of all levels.

    In the first, of every stripe of the level and above, the rows of the 24 levels below.  In the second, of every
    stripe of the level the rows above, and once for each rectangle the 24 levels below the first row of that.
    """
    space = bgrace.PositionSpace(6, checkers)
    pips = space.position(np.arange(len(space))).astype(np.int64) @ np.arange(1, 7)
    of_level = np.bincount(pips)
    past = np.cumsum(of_level)
    first = past - of_level
    window = first - first[np.maximum(np.arange(len(of_level)) - 24, 0)]
    column = 2 * len(PLANES)
    new = float((window * (len(space) - first)).sum()) * column
    again = 0.0
    for level in range(1, len(of_level)):
        above = len(space) - past[level]
        n_parts = -(-int(above * of_level[level]) // pairs_to_write(space))
        starts = past[level] + above * np.arange(n_parts) // max(n_parts, 1)
        again += float(of_level[level]) * (above + window[pips_of(starts, past)].sum())
    return new, again * column


def pips_of(ranks: npt.NDArray[np.int64], past: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Pips of ranks, from the number of ranks up to each level."""
    return np.searchsorted(past, ranks, side="right")


@dataclass(frozen=True)
class Model:
    """Seconds of a build, from seconds of processor time, what no thread takes off, and bytes."""

    processor: float
    waits: float
    from_memory: float
    memory: tuple[float, float]
    disk: float

    def parts(self, threads: int) -> list[float]:
        """What processors, memory and the one thread that writes take; the longest of them is the build."""
        # As much more for each thread as the second brought, and no more than a server's memory gives.
        reads = self.memory[0] if threads == 1 else min(self.memory[1] / 2 * threads, SERVER)
        return [self.waits + self.processor / threads, self.from_memory / reads, self.disk]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkers", type=int, default=12, choices=sorted(RESULTS)[:-1])
    parser.add_argument("--repeats", type=int, default=2, help="the least time counts; 2 unless given")
    parser.add_argument("--folder", type=Path, help="where the file goes; a temporary folder unless given")
    parser.add_argument(
        "--whole",
        type=float,
        nargs=3,
        default=(101.3, 21.1, 69.7),
        metavar=("PROGRAM", "SYSTEM", "CLOCK"),
        help="seconds of a build of 15 checkers on two threads: processor time, and by the clock (docs/solver.md)",
    )
    parser.add_argument("--disk", type=float, default=2.0, help="gigabytes to write to it; 2 unless given")
    arguments = parser.parse_args()
    checkers = arguments.checkers
    pairs, whole = (len(bgrace.PositionSpace(6, n)) ** 2 for n in (checkers, WHOLE))
    more_pairs = whole / pairs
    more_work = more_pairs * RESULTS[WHOLE] / RESULTS[checkers]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        found = bandwidths(folder, arguments.repeats)
        for what, pair in (
            ("read from 1 MiB", found.cache),
            ("read from 1 GiB", found.memory),
            ("write to new memory", found.touched),
        ):
            print(f"{what:22} {pair[0] / 1e9:7.1f} GB/s, two processes {pair[1] / 1e9:.1f}")
        disk = written(folder, int(arguments.disk * 1e9))
        print(f"{'write to the disk':22} {disk / 1e9:7.2f} GB/s")
        for n_threads in (1, 2):
            clock, processor = operator_seconds(10, n_threads, arguments.repeats)
            print(f"operator, 10 checkers, {n_threads} thread(s): {clock:.2f} s, {processor:.2f} s of processor time")
        taken = {}
        for n_threads in (1, 2):
            runs = [build_seconds(folder, checkers, n_threads) for _ in range(arguments.repeats)]
            clock, user, system = taken[n_threads] = min(runs)
            print(
                f"build, {checkers} checkers, {n_threads} thread(s): {clock:.1f} s; processor {user:.1f} s in the "
                f"program, {system:.1f} s in the system"
            )
    (one, *_), (two, user, system) = taken[1], taken[2]
    print(
        f"work of {checkers} checkers, times {more_work:.1f} and {more_pairs:.1f}: {user * more_work:.0f} s in the "
        f"program, {system * more_pairs:.0f} s in the system"
    )
    print("threads          processors  memory  disk  seconds")
    program, in_system, by_the_clock = arguments.whole
    for n_checkers, size, busy, clocks in (
        (checkers, 1.0, user + system, {1: one, 2: two}),
        (WHOLE, more_pairs, program + in_system, {2: by_the_clock}),
    ):
        to_disk = pairs * size * len(PLANES) * 2 / disk
        waits = max(0.0, clocks[2] - busy / 2)
        model = Model(busy, waits, sum(window_bytes(n_checkers)), found.memory, to_disk)
        for threads in THREADS if n_checkers == WHOLE else (1, 2):
            parts = model.parts(threads)
            measured = f", measured {clocks[threads]:.1f}" if threads in clocks else ""
            print(
                f"{n_checkers:2} checkers, {threads:2}  "
                + "  ".join(f"{part:6.1f}" for part in parts)
                + f"  {max(parts):6.1f}{measured}"
            )
    print(f"load {load()}")


if __name__ == "__main__":
    main()
