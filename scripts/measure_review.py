"""Measure reviews of matches that GNU Backgammon saved: what is found, and how long it takes.

    python scripts/measure_review.py FOLDER [--workers 1 2] [--seconds 0.3]

FOLDER has matches as .sgf, and beside them as .mat.  Printed are

- for each match: race decisions found in the .sgf and in the .mat, those that a second replay counts (sgf_races.py),
  and whether both files tell the same move by move;
- how long a review takes in a process that has just been started (cold: by the clock, and in seconds of processors,
  which count no other work on the machine), and again in one that has reviewed it (warm);
- matches and decisions a second of the whole folder, for each number of workers, and whether the results are the same.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import sgf_races

from bgrace.review import Match, read, review, review_many
from bgrace.review.questions import DEFAULT_SECONDS
from bgrace.review.replay import replay

_COLD = "import sys; from bgrace.review import review; review(sys.argv[1], seconds=float(sys.argv[2]))"


def found(match: Match) -> Counter[str]:
    """Race decisions by kind, as sgf_races counts them."""
    counted: Counter[str] = Counter()
    for game in replay(match):
        counted.update(each.done if each.kind == "cube" else each.kind for each in game.decisions)
    del counted["resign"]
    return counted


def told(match: Match) -> Iterator[tuple[object, ...]]:
    """Everything that a file says of a match, in plain values."""
    yield (match.length, match.players)
    for game in match.games:
        yield (game.number, game.score, game.result)
        yield from ((a.kind, a.player, a.roll, a.moves, a.move_number) for a in game.actions)


def print_matches(paths: list[Path], seconds: float) -> None:
    """One line a match."""
    print("match           length  decisions  second count  same in .mat    same moves  cold s  cpu s  warm s")
    for path in paths:
        (saved,), (text,) = read(path), read(path.with_suffix(".mat"))
        second = sgf_races.count(path.read_text(encoding="utf-8"))
        began, spent = time.perf_counter(), _child_seconds()
        subprocess.run([sys.executable, "-c", _COLD, str(path), str(seconds)], check=True)
        cold, spent = time.perf_counter() - began, _child_seconds() - spent
        review(path, seconds=seconds)
        began = time.perf_counter()
        review(path, seconds=seconds)
        warm = time.perf_counter() - began
        same = (found(saved) == second, found(saved) == found(text), list(told(saved)) == list(told(text)))
        words = "  ".join(f"{'equal' if one else 'DIFFERENT':>12}" for one in same)
        number = sum(found(saved).values())
        times = f"{cold:6.1f}  {spent:5.1f}  {warm:6.2f}"
        print(f"{path.stem:14}  {saved.length:6}  {number:9}  {words}  {times}", flush=True)


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_rates(paths: list[Path], workers: list[int], seconds: float) -> None:
    """One line for each number of workers."""
    first: list[str] | None = None
    for n in workers:
        with ProcessPoolExecutor(n, mp_context=get_context("spawn")) as executor:
            list(executor.map(_warm, range(n)))
            began = time.perf_counter()
            reviews = list(review_many(paths, executor=executor, seconds=seconds))
            took = time.perf_counter() - began
        lines = [json.dumps(one.to_dict()) for one in reviews]
        n_decisions = sum(len(match.decisions) for one in reviews for match in one.reviews)
        same = "" if first is None else ", same bytes" if lines == first else ", DIFFERENT RESULTS"
        first = first or lines
        rates = f"{len(paths) / took:.2f} matches and {n_decisions / took:.1f} decisions a second"
        print(f"{n} workers: {took:.1f} s, {rates}{same}", flush=True)


def _warm(_number: int) -> str:
    """Load what a worker needs."""
    time.sleep(0.5)
    return review.__module__


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=DEFAULT_SECONDS)
    asked = parser.parse_args()
    paths = sorted(asked.folder.glob("*.sgf"), key=lambda path: int(path.stem.split("-")[0]))
    print_matches(paths, asked.seconds)
    print_rates(paths, asked.workers, asked.seconds)


if __name__ == "__main__":
    main()
