"""Check and time what docs/match-mathematics.md says of match play.

    python scripts/bench_match.py

Prints how much of Zadeh's tables is reproduced, how long score maps take, and how long the first pair that a process
solves takes, money and match, import of Python aside.  Results go to standard output; the exit
status is 1 if a table has fewer figures right than the page says.
"""

from __future__ import annotations

import csv
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bgrace.match import MatchEquityTable, ZadehModel, score_map

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
COLUMNS = ("equity", "first", "second")
PROMISED = {"1": (120, 104, 105), "2": (225, 196, 192)}
MAPS = (
    ("1,1,1,1,1,1", "1,1,1,1,1,1", 11),
    ("1,1,1,1,1,1", "0,1,2,1,1,1", 11),
    ("2,2,1,1", "2,2,1,1", 11),
    ("1,1,1,1,1,1", "1,1,1,1,1,1", 15),
    ("6x6", "6x6", 11),
    ("6x6", "1x1 6x5", 11),
)
SOLVES = (
    ("6x6", "6x6", ""),
    ("6x6", "1x1 6x5", ""),
    ("6x6", "1,1,1,1,1,1", ""),
    ("1,1,1,1,1,1", "0,1,2,1,1,1", ""),
    ("6x6", "6x6", "match=match.Score(5, 7)"),
    ("1,1,1,1,1,1", "0,1,2,1,1,1", "match=match.Score(5, 7)"),
)


def zadeh() -> bool:
    models = {"1": ZadehModel.equal(), "2": ZadehModel.unequal()}
    right = {table: [0, 0, 0] for table in models}
    printed = {table: [0, 0, 0] for table in models}
    with (GOLDEN / "match_zadeh_tables.csv").open(newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            figures = models[row["table"]].cell(int(row["x1"]), int(row["x2"])).percent()
            for k, figure in enumerate(figures):
                printed[row["table"]][k] += 1
                right[row["table"]][k] += figure == int(row[COLUMNS[k]].rstrip("*"))
    for table, counts in right.items():
        shown = ", ".join(f"{a} of {b}" for a, b in zip(counts, printed[table], strict=True))
        print(f"Zadeh's table {table}: {shown} figures as printed (chance, first, second take point)")
    return all(tuple(right[table]) >= promised for table, promised in PROMISED.items())


def maps() -> None:
    MatchEquityTable.default()
    for on_roll, opponent, length in MAPS:
        wall, cpu = time.perf_counter(), time.process_time()
        found = score_map(on_roll, opponent, length)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(
            f"map of {on_roll} against {opponent}, {length} points, {len(found.actions)} scores: "
            f"{wall:.2f} s, {cpu:.2f} s of processors"
        )


def first_solves(repeats: int = 5) -> None:
    for on_roll, opponent, what in SOLVES:
        program = (
            "import time, bgrace, bgrace.match as match\nstart = time.perf_counter()\n"
            f"bgrace.solve({on_roll!r}, {opponent!r}, {what})\nprint(time.perf_counter() - start)"
        )
        times = [
            1000 * float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout)
            for _ in range(repeats)
        ]
        label = f"solve {on_roll} against {opponent}{', ' if what else ''}{what}, first of a process"
        print(f"{label}: median {statistics.median(times):.1f} ms, least {min(times):.1f} ms")


def main() -> int:
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    good = zadeh()
    first_solves()
    maps()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
