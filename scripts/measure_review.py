"""Measure how long reviews of matches take: measure_review.py FOLDER [--workers 1 2] [--seconds 0.3].

For each .sgf file of the folder: race decisions, seconds of a review in a process that has just been started, and again
in one that has reviewed it.  Then matches and decisions a second of all of them, for each number of workers, and
whether the results are the same.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from bgrace.review import review, review_many
from bgrace.review.questions import DEFAULT_SECONDS

_COLD = "import sys; from bgrace.review import review; review(sys.argv[1], seconds=float(sys.argv[2]))"


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
    paths = sorted(asked.folder.glob("*.sgf"))
    for path in paths:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", _COLD, str(path), str(asked.seconds)], check=True)
        cold = time.perf_counter() - began
        n = len(review(path, seconds=asked.seconds).decisions)
        began = time.perf_counter()
        review(path, seconds=asked.seconds)
        print(f"{path.stem}: {n} decisions, {cold:.1f} s, again {time.perf_counter() - began:.2f} s", flush=True)
    results = []
    for workers in asked.workers:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
            list(executor.map(_warm, range(workers)))
            began = time.perf_counter()
            reviews = list(review_many(paths, executor=executor, seconds=asked.seconds))
            took = time.perf_counter() - began
        results.append([json.dumps(one.to_dict()) for one in reviews])
        n = sum(len(match.decisions) for one in reviews for match in one.reviews)
        same = "the same bytes" if results[-1] == results[0] else "OTHER RESULTS"
        print(f"{workers} workers: {len(paths) / took:.2f} matches, {n / took:.1f} decisions a second, {same}")


if __name__ == "__main__":
    main()
