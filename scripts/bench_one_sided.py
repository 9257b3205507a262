"""Time race tables beside GNU Backgammon's makebearoff, compare them entry by entry, and measure their errors.

    python scripts/bench_one_sided.py                        8 points: makebearoff takes half a minute
    python scripts/bench_one_sided.py --points 8 10          10 points: another six minutes
    python scripts/bench_one_sided.py --points 13 15 --alone --memory 12G --folder /var/tmp
                                                             bgrace alone: files of 3 and 14 GB

For each number of points three things of bgrace are timed, medians of --repeats: the solver, in a process that is
running, to tables in memory; and, by themselves, processes of ``bgrace build`` and ``bgrace verify``, with the memory
that the build took at most.  Up to 10 points the errors of the 16-bit rows are measured against a solution in float64.
Debian's package gnubg has makebearoff.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from timing import load

import bgrace
from bgrace._base.threads import how_many
from bgrace.tables.layers import solve_race_tables
from bgrace.tables.one_sided import one_sided_win, solve_one_sided

QUOTED = {10: 359.0}
"""Seconds of processor time of `makebearoff -o`, measured once, for those who can't wait."""

ROLLS = 32
AT_A_TIME = 1 << 16
PAIRS = 200_000

Floats = npt.NDArray[np.float64]


Times = tuple[float, float]
"""Seconds by the clock, and of processor time."""


def seconds(run: Callable[[], object]) -> Times:
    """Time one call."""
    start, before = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - start, time.process_time() - before


WATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
"""
"""Runs a program.  A process of its own, because what a child is said to have used at most includes its parent's."""


def process(command: list[str]) -> tuple[Times, float]:
    """Time a program; with the most memory, in bytes, that it used."""
    done = subprocess.run([sys.executable, "-c", WATCH, *command], check=True, stdout=subprocess.PIPE, text=True)
    clock, processor, memory = map(float, done.stdout.split())
    return (clock, processor), memory


def read_their_rows(path: Path, size: int, first_gammon: int) -> tuple[Floats, Floats]:
    """Rows of a compressed one-sided file: chances of 0 .. 31 rolls to the last checker, and to the first of 15."""
    data = np.fromfile(path, dtype=np.uint8)
    head = data[40 : 40 + 8 * size].reshape(size, 8)
    units = data[40 + 8 * size :].view("<u2")
    place = head[:, :4].copy().view("<u4")[:, 0].astype(np.int64)

    def rows(start: npt.NDArray[np.int64], lengths: npt.NDArray[np.uint8], firsts: npt.NDArray[np.uint8]) -> Floats:
        result = np.zeros((len(start), ROLLS))
        for k in range(ROLLS):
            there = np.flatnonzero(lengths > k)
            result[there, firsts[there] + k] = units[start[there] + k] / 65535
        return result

    gammon = slice(first_gammon, None)
    last = rows(place, head[:, 4], head[:, 5])
    return last, rows(place[gammon] + head[gammon, 4], head[gammon, 6], head[gammon, 7])


def widened(rows: Floats) -> Floats:
    return np.pad(rows, ((0, 0), (0, ROLLS - rows.shape[1])))


def compare_with_theirs(db: bgrace.Database, theirs: Path) -> None:
    """Greatest differences of means, of any chance, and of chances of at most k rolls."""
    n = len(db.space)
    full = n - len(bgrace.PositionSpace(db.space.points, 14))
    last, first = read_their_rows(theirs, n, n - full)
    rolls = np.arange(ROLLS)
    mean = row = at_most = checker = 0.0
    for start in range(0, n, AT_A_TIME):
        part = np.arange(start, min(start + AT_A_TIME, n))
        positions = db.space.position(part)
        rows = widened(db.roll_distribution(positions))
        mean = max(mean, float(np.abs(db.mean_rolls(positions) - last[part] @ rolls).max()))
        row = max(row, float(np.abs(rows - last[part]).max()))
        at_most = max(at_most, float(np.abs((rows - last[part]).cumsum(axis=1)).max()))
    for start in range(n - full, n, AT_A_TIME):
        part = np.arange(start, min(start + AT_A_TIME, n))
        rows = widened(db.first_checker_distribution(db.space.position(part)))
        checker = max(checker, float(np.abs(rows - first[part - n + full]).max()))
    print(
        f"    all {n:,} entries beside theirs: means within {mean:.2e} rolls, chances within {row:.2e}, chances of at "
        f"most k rolls within {at_most:.2e}; first checker: chances within {checker:.2e}"
    )


def measure_errors(points: int) -> None:
    """16-bit rows against float64 ones, for every position; and the chance to win of pairs drawn at random."""
    space = bgrace.PositionSpace(points, 15)
    exact, tables = solve_one_sided(space), solve_race_tables(space)
    n = len(space)
    worst, squares = np.zeros(4), np.zeros(4)
    rolls = np.arange(exact.roll_distribution.shape[1])
    bias = count = 0.0
    for start in range(0, n, AT_A_TIME):
        part = np.arange(start, min(start + AT_A_TIME, n))
        rows = tables.rolls[part]
        rows = np.pad(rows, ((0, 0), (0, len(rolls) - rows.shape[1])))
        off = rows - exact.roll_distribution[part]
        mean = rows @ rolls
        variance = (rows * (rolls - mean[:, np.newaxis]) ** 2).sum(axis=1)
        at_most = off.cumsum(axis=1)
        used = (exact.roll_distribution[part].cumsum(axis=1) > 1e-6) & (at_most != 0)
        bias += at_most[used].sum()
        count += used.sum()
        for k, errors in enumerate(
            (off[used], at_most[used], mean - exact.mean_rolls[part], variance - exact.variance_rolls[part])
        ):
            worst[k] = max(worst[k], np.abs(errors).max(initial=0))
            squares[k] += (errors**2).sum()
    sizes = np.array([count, count, n, n])
    print(f"    16 bits against float64, all {n:,} positions: greatest error, root mean square")
    for name, most, rms in zip(
        ("chance of k rolls", "chance of at most k rolls", "mean of the row", "variance of the row"),
        worst,
        np.sqrt(squares / sizes),
        strict=True,
    ):
        print(f"      {name:26} {most:.2e}  {rms:.2e}")
    print(f"      bias of chances of at most k rolls {bias / count:+.1e}")
    for name, stored, right in (
        ("stored mean", tables.mean_rolls, exact.mean_rolls),
        ("stored variance", tables.variance_rolls, exact.variance_rolls),
    ):
        print(f"      {name:26} {np.abs(stored - right).max():.2e}")
    chance = np.random.default_rng(0)
    mine, theirs = (np.sort(chance.integers(1, n, PAIRS)) for _ in range(2))  # alike: sorted, so of like length
    stored = one_sided_win(tables.rolls[mine], tables.rolls[theirs])
    right = one_sided_win(exact.roll_distribution[mine], exact.roll_distribution[theirs])
    off = stored - right
    print(
        f"      chance to win, {PAIRS:,} pairs {np.abs(off).max():.2e}  {np.sqrt((off**2).mean()):.2e}, "
        f"bias {off.mean():+.1e}"
    )


def print_times(points: int, n: int, times: dict[str, list[Times]]) -> None:
    """Medians, and how often ours fit into theirs."""
    theirs = f"makebearoff -o {points}"
    medians = {
        name: tuple(statistics.median(column) for column in zip(*taken, strict=True))
        for name, taken in times.items()
        if taken
    }
    for name, (clock, processor) in medians.items():
        least, greatest = (pick(taken[0] for taken in times[name]) for pick in (min, max))
        print(
            f"    {name:20} {clock:8.3f} s ({least:.3f} to {greatest:.3f}), {n / clock / 1e6:.3f} million positions/s; "
            f"{processor:.3f} s of processor time"
        )
    their_clock, their_processor = medians.pop(theirs, (None, QUOTED.get(points)))
    for name, (clock, processor) in medians.items():
        if their_clock is not None:
            print(
                f"    {theirs} / {name}: {their_clock / clock:.0f}, processor times {their_processor / processor:.0f}"
            )
        elif their_processor is not None:
            print(f"    {theirs}, {their_processor:.0f} s of processor time, quoted")
            print(f"      / {name}: {their_processor / clock:.0f}, processor times {their_processor / processor:.0f}")


def bench(points: int, options: argparse.Namespace, makebearoff: str | None) -> None:
    """Everything about one number of points."""
    space = bgrace.PositionSpace(points, 15)
    target, theirs = options.folder / f"bgrace-{points}.h5", options.folder / f"makebearoff-{points}.bd"
    memory = ["--memory", options.memory] if options.memory else []
    build = [sys.executable, "-m", "bgrace", "build", str(target), "--points", str(points), "--force", *memory]
    run_theirs = makebearoff is not None and (points not in QUOTED or options.slow)
    print(f"{points} points, {len(space):,} positions of up to 15 checkers, {how_many()} cores")
    times: dict[str, list[Times]] = {"solver": [], "bgrace build": [], f"makebearoff -o {points}": []}
    most = 0.0
    try:
        for repeat in range(options.repeats):
            if points <= options.solver_most:
                times["solver"].append(seconds(lambda: solve_race_tables(space)))
            taken, memory_used = process(build)
            times["bgrace build"].append(taken)
            most = max(most, memory_used)
            if run_theirs and repeat < options.their_repeats:
                taken, _ = process([str(makebearoff), "-o", str(points), "-f", str(theirs)])
                times[f"makebearoff -o {points}"].append(taken)
        print_times(points, len(space), times)
        print(f"    bgrace build: {most / 2**30:.2f} GiB of memory at most, a file of {target.stat().st_size:,} bytes")
        taken, memory_used = process([sys.executable, "-m", "bgrace", "verify", str(target)])
        print(f"    bgrace verify: passed in {taken[0]:.1f} s, {memory_used / 2**30:.2f} GiB of memory at most")
        if theirs.exists():
            with bgrace.open(target) as db:
                compare_with_theirs(db, theirs)
    finally:
        for path in (target, theirs, target.with_name(target.name + ".partial")):
            path.unlink(missing_ok=True)
    if points <= options.errors_most:
        measure_errors(points)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, nargs="+", default=[8], help="8 unless given")
    parser.add_argument("--repeats", type=int, default=3, help="3 unless given")
    parser.add_argument("--their-repeats", type=int, default=1, help="of makebearoff, which takes long; 1 unless given")
    parser.add_argument("--alone", action="store_true", help="leave makebearoff out")
    parser.add_argument("--slow", action="store_true", help="run makebearoff where its time could be quoted, too")
    parser.add_argument("--memory", help="limit for bgrace build, such as 12G")
    parser.add_argument("--folder", type=Path, help="where files go; a temporary folder unless given")
    parser.add_argument("--solver-most", type=int, default=10, help="most points to solve in memory; 10 unless given")
    parser.add_argument("--errors-most", type=int, default=10, help="most points to solve in float64; 10 unless given")
    options = parser.parse_args()
    makebearoff = shutil.which("makebearoff") or shutil.which("makebearoff", path="/usr/games")
    if makebearoff is None and not options.alone:
        print("makebearoff is not installed: apt-get install gnubg (Debian, Ubuntu), or use --alone", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        options.folder = options.folder or Path(name)
        for points in options.points:
            bench(points, options, None if options.alone else makebearoff)
    print(f"load {load()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
