"""How fast a database answers in Python: single questions, and arrays of them beside bare reads of the same values.

python scripts/bench_query.py [FILE] [--two-sided 6] [--pairs 1000000] [--repeats 5] [--json]

Asks FILE, or one with all pairs of --two-sided checkers a side that is built for it.  Positions and pairs are random,
the same in every run.  All are asked once before anything is timed, so that what they touch is in memory: a file larger
than that wants fewer --pairs.  Works on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from timing import load, seconds, spread

import bgrace
from bgrace.tables.two_sided import two_sided_order

SINGLE = 20_000
"""Single questions of each kind."""

FEW = 1_000
"""The same where an answer takes long."""

Run = Callable[[], object]


@dataclass(frozen=True)
class Question:
    """What is timed, and how many answers it gives."""

    what: str
    run: Run
    answers: int


def one_by_one(what: str, ask: Callable[..., object], *sides: Iterable[Any]) -> Question:
    """A loop of single questions."""
    asked = list(zip(*sides, strict=True))

    def run() -> None:
        for given in asked:
            ask(*given)

    return Question(what, run, len(asked))


def as_tuples(positions: npt.NDArray[np.int8], n: int) -> list[tuple[int, ...]]:
    """The first few positions, as a program would have them."""
    return [tuple(row) for row in positions[:n].tolist()]


def about_positions(db: bgrace.Database, random: np.random.Generator, n: int) -> list[Question]:
    """Questions about one player."""
    numbers = random.integers(0, len(db.space), n)
    positions = db.space.position(numbers)
    single = as_tuples(positions, SINGLE)
    return [
        Question("space.index, array", partial(db.space.index, positions), n),
        Question("space.position, array", partial(db.space.position, numbers), n),
        Question("db.epc, array", partial(db.epc, positions), n),
        Question("db.roll_distribution, array", partial(db.roll_distribution, positions), n),
        one_by_one("db.epc", db.epc, single),
        one_by_one("db.mean_rolls", db.mean_rolls, single),
        one_by_one("db.variance_rolls", db.variance_rolls, single),
        one_by_one("db.roll_distribution", db.roll_distribution, single),
        one_by_one("db.epc of text", db.epc, map(str, map(bgrace.Position, single))),
    ]


def about_pairs(db: bgrace.Database, random: np.random.Generator, n: int) -> list[Question]:
    """Questions about two players, neither of whom has finished."""
    space = bgrace.PositionSpace(db.space.points, db.two_sided_checkers)
    indices = random.integers(1, len(space), (2, n))
    pair = on_roll, opponent = space.position(indices[0]), space.position(indices[1])
    sides = as_tuples(on_roll, SINGLE), as_tuples(opponent, SINGLE)
    few = tuple(side[:FEW] for side in sides)
    asked = [
        Question("db.win_probability, arrays", partial(db.win_probability, *pair), n),
        Question("db.equities, arrays", partial(db.equities, *pair), n),
        Question("db.equities, arrays, Jacoby", partial(db.equities, *pair, jacoby=True), n),
        Question("db.cube_action, arrays", partial(db.cube_action, *pair), n),
        one_by_one("db.method", db.method, *sides),
        one_by_one("db.win_probability", db.win_probability, *sides),
        one_by_one("db.equities", db.equities, *sides),
        *(
            one_by_one(f"db.cube_action, cube {cube}", partial(db.cube_action, cube=cube), *sides)
            for cube in ("centered", "mine", "theirs", "none")
        ),
        one_by_one("db.cube_action, Jacoby", partial(db.cube_action, jacoby=True), *sides),
        one_by_one("db.best_plays of 31", partial(db.best_plays, roll="31"), *few),
        one_by_one("db.best_plays of 11", partial(db.best_plays, roll="11"), *few),
    ]
    table = db.stored.tables["two_sided/equities"]
    if isinstance(table, np.ndarray):  # not an archive's
        rank = np.argsort(two_sided_order(space))
        places = rank[indices[0]] * len(space) + rank[indices[1]]
        asked.insert(0, Question("bare reads, array", partial(table.view(np.int64).reshape(-1).take, places), n))
    return asked


def time_file(path: Path, n: int, repeats: int) -> dict[str, Any]:
    """Ask a file everything."""
    random = np.random.default_rng(0)
    with bgrace.open(path) as db:
        asked = about_positions(db, random, n)
        if db.two_sided_checkers:
            asked += about_pairs(db, random, n)
        for question in asked:
            print(f"once: {question.what}", file=sys.stderr)
            question.run()
        taken: list[list[float]] = [[] for _ in asked]
        for _ in range(repeats):
            for question, times in zip(asked, taken, strict=True):
                times.append(seconds(question.run))
        return {
            "file": f"{db.space.points} points, {db.space.checkers} checkers, two-sided {db.two_sided_checkers}, "
            f"{path.stat().st_size / 1e9:.2f} GB",
            "numpy": np.__version__,
            "load": load(),
            "repeats": repeats,
            "questions": [
                {
                    "what": question.what,
                    "answers": question.answers,
                    "microseconds": {name: 1e6 * value / question.answers for name, value in spread(times).items()},
                }
                for question, times in zip(asked, taken, strict=True)
            ],
        }


def show(results: dict[str, Any]) -> None:
    """As Markdown has it."""
    for name in ("file", "numpy", "load"):
        print(f"{name}: {results[name]}")
    print(f"\nmedians of {results['repeats']} repeats, least and greatest in brackets\n")
    print(f"| {'one core':30} | {'rate':>18} | {'one answer':33} |\n|---|---|---|")
    for row in results["questions"]:
        times = row["microseconds"]
        answer = f"{times['median']:.3f} us ({times['least']:.3f} to {times['greatest']:.3f})"
        print(f"| {row['what']:30} | {1 / times['median']:8.3f} million/s | {answer:33} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="a database; without it one is built for the purpose")
    parser.add_argument("--two-sided", type=int, default=6, help="checkers a side of that one; 6 unless given")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="in an array; 1,000,000 unless given")
    parser.add_argument("--repeats", type=int, default=5, help="how often everything is asked; 5 unless given")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    if arguments.repeats < 1 or arguments.pairs < SINGLE:
        parser.error(f"give --repeats 1 or more and --pairs {SINGLE} or more")
    with ExitStack() as stack:
        path = arguments.file
        if path is None:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "queries.h5"
            bgrace.build(path, two_sided=arguments.two_sided)
        results = time_file(path, arguments.pairs, arguments.repeats)
    if arguments.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
