"""Check and time what docs/match-mathematics.md says of match play.

    python scripts/bench_match.py

Prints how much of Zadeh's tables is reproduced, and how long score maps take.  Results go to standard output; the exit
status is 1 if a table has fewer figures right than the page says.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

from bgrace.match import MatchEquityTable, ZadehModel, score_map

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
COLUMNS = ("equity", "first", "second")
PROMISED = {"1": (120, 104, 105), "2": (225, 196, 192)}
MAPS = (
    ("1,1,1,1,1,1", 11),
    ("2,2,1,1", 11),
    ("1,1,1,1,1,1", 15),
    ("6x6", 11),
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
    for position, length in MAPS:
        start = time.perf_counter()
        found = score_map(position, position, length)
        seconds = time.perf_counter() - start
        print(f"map of {position} against itself, {length} points, {len(found.actions)} scores: {seconds:.2f} s")


def main() -> int:
    good = zadeh()
    maps()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
