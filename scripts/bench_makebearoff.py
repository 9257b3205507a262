"""bgrace beside GNU Backgammon's makebearoff, in one run: medians, spreads and ratios.

python scripts/bench_makebearoff.py [--repeats 5] [--quick] [--json]

Both programs take turns within each repeat, so that whatever else the machine does hits both.  Times are wall-clock
times, file included where a whole process is timed; makebearoff works on one core, bgrace on as many as there are.
What takes less than 0.6 seconds is run nine times in each repeat.  Commands start with their modules compiled,
as installed ones do.  What is measured is explained in docs/benchmarks.md.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from makebearoff import cell, parse_arguments, process
from timing import installed, load, seconds, spread

import bgrace
from bgrace._base.threads import how_many
from bgrace.tables.layers import solve_race_tables
from bgrace.tables.one_sided import solve_one_sided
from bgrace.tables.packed_rows import is_packed
from bgrace.tables.two_sided import solve_two_sided

Run = Callable[[], object]

SHORT = 0.6
"""Seconds."""

AGAIN = 8


@dataclass(frozen=True)
class Contest:
    """One line of the table: jobs of both programs, by name, and what is compared."""

    what: str
    ours: str
    theirs: tuple[str, ...]


CONTESTS = [
    Contest("one-sided, 6 points: kernel / process", "solve_one_sided 6", ("makebearoff -o 6",)),
    Contest("one-sided, 6 points: one-thread kernel / process", "solve_one_sided 6, 1", ("makebearoff -o 6",)),
    Contest("one-sided, 6 points: process / process", "bgrace build, one-sided 6", ("makebearoff -o 6",)),
    Contest("two-sided, 6x6: solver / process", "solve_two_sided 6", ("makebearoff -t 6x6",)),
    Contest("two-sided, 6x6: one-thread solver / process", "solve_two_sided 6, 1", ("makebearoff -t 6x6",)),
    Contest("two-sided, 6x6: process / process", "bgrace build, 6x6", ("makebearoff -t 6x6",)),
    Contest("both, N = 6: process / two processes", "bgrace build, N = 6", ("makebearoff -o 6", "makebearoff -t 6x6")),
    Contest("one-sided, 8 points: kernel / process", "solve_one_sided 8", ("makebearoff -o 8",)),
    Contest("one-sided, 8 points: one-thread kernel / process", "solve_one_sided 8, 1", ("makebearoff -o 8",)),
    Contest("one-sided, 8 points: process / process", "bgrace build, one-sided 8", ("makebearoff -o 8",)),
    Contest("two-sided, 6x7: solver / process", "solve_two_sided 7", ("makebearoff -t 6x7",)),
    Contest("two-sided, 6x7: one-thread solver / process", "solve_two_sided 7, 1", ("makebearoff -t 6x7",)),
    Contest("two-sided, 6x7: process / process", "bgrace build, 6x7", ("makebearoff -t 6x7",)),
]


def jobs(makebearoff: str, folder: Path, quick: bool) -> dict[str, Run]:
    """What is timed, by name, in the order in which each repeat does it."""
    target = folder / "table"
    environment = installed(folder / "compiled")

    def theirs(*options: str) -> Run:
        return partial(process, makebearoff, *options, "-f", target)

    def build(*options: str) -> Run:
        command: tuple[str | Path, ...] = (sys.executable, "-m", "bgrace", "build", target, "--force", *options)
        return partial(process, *command, environment=environment)

    def one_sided(points: int, threads: int | None = None) -> Run:
        solve = solve_race_tables if is_packed(points) else solve_one_sided
        return partial(solve, bgrace.PositionSpace(points, 15), threads)

    def two_sided(checkers: int, threads: int | None = None) -> Run:
        return partial(solve_two_sided, bgrace.PositionSpace(6, checkers), threads)

    build("--checkers", "2", "--two-sided", "2")()  # compiles the modules
    small: dict[str, Run] = {
        "makebearoff -o 6": theirs("-o", "6"),
        "solve_one_sided 6": one_sided(6),
        "solve_one_sided 6, 1": one_sided(6, 1),
        "bgrace build, one-sided 6": build("--two-sided", "0"),
        "makebearoff -t 6x6": theirs("-t", "6x6"),
        "solve_two_sided 6": two_sided(6),
        "solve_two_sided 6, 1": two_sided(6, 1),
        "bgrace build, 6x6": build("--checkers", "6", "--two-sided", "6"),
        "bgrace build, N = 6": build("--two-sided", "6"),
    }
    large: dict[str, Run] = {
        "makebearoff -o 8": theirs("-o", "8"),
        "solve_one_sided 8": one_sided(8),
        "solve_one_sided 8, 1": one_sided(8, 1),
        "bgrace build, one-sided 8": build("--points", "8", "--two-sided", "0"),
        "makebearoff -t 6x7": theirs("-t", "6x7"),
        "solve_two_sided 7": two_sided(7),
        "solve_two_sided 7, 1": two_sided(7, 1),
        "bgrace build, 6x7": build("--checkers", "7", "--two-sided", "7"),
    }
    return small if quick else small | large


def time_jobs(runs: dict[str, Run], repeats: int) -> dict[str, list[float]]:
    """Times of each job: one from each repeat, or AGAIN more of short ones, which one interruption would spoil."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for repeat in range(repeats):
        for name, run in runs.items():
            print(f"repeat {repeat + 1} of {repeats}: {name}", file=sys.stderr)
            times = [seconds(run)]
            if times[0] < SHORT:
                times += [seconds(run) for _ in range(AGAIN)]
            taken[name] += times
    return taken


def machine() -> dict[str, str]:
    """What it all ran on."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines(Path("/proc/cpuinfo")) if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    return {
        "processor": f"{model}, {how_many()} core(s) to run on",
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_version()}, numpy {np.__version__}",
        "compiler": _first_line(os.environ.get("CC", "cc"), "--version"),
        "makebearoff": _first_line("dpkg-query", "--showformat=gnubg ${Version}", "--show", "gnubg"),
        "load": load(),
    }


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _first_line(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def contest_results(taken: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Both sides of each contest whose jobs were run, and the ratio of their medians."""
    results = []
    for contest in CONTESTS:
        if contest.ours in taken:
            ours = spread(taken[contest.ours])
            theirs = spread([sum(times) for times in zip(*(taken[name] for name in contest.theirs), strict=True)])
            ratio = theirs["median"] / ours["median"]
            results.append({"what": contest.what, "bgrace": ours, "makebearoff": theirs, "ratio": ratio})
    return results


def show(results: dict[str, Any]) -> None:
    """As Markdown has it."""
    for name, value in results["machine"].items():
        print(f"{name}: {value}")
    print(f"\nmedians of {results['repeats']} repeats, least and greatest in brackets\n")
    print(f"| {'what':49} | {'bgrace':27} | {'makebearoff':29} | {'ratio':>6} |\n|---|---|---|---|")
    for row in results["contests"]:
        print(f"| {row['what']:49} | {cell(row['bgrace']):27} | {cell(row['makebearoff']):29} | {row['ratio']:6.0f} |")


def main() -> int:
    arguments = parse_arguments(__doc__, 5)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        taken = time_jobs(jobs(arguments.makebearoff, folder, arguments.quick), arguments.repeats)
    results = {
        "machine": machine(),
        "repeats": arguments.repeats,
        "contests": contest_results(taken),
        "seconds": taken,
    }
    if arguments.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
