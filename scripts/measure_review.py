"""Measure how long reviews of matches take: measure_review.py FOLDER [--workers 1 2] [--simulate 64] [--seconds 0.3].

For each .sgf file of the folder: race decisions, seconds of a review in a process that has just been started, and again
in one that has reviewed it.  Then matches and decisions a second of all of them, for each number of workers, and
whether the results are the same.  --simulate has workers that wait for as long as each review took one processor, and
hand it over as another process would; the rest of the program is the real one.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from options import read_options

from bgrace.review import Results, review, review_many
from bgrace.review.questions import DEFAULT_SECONDS

_COLD = "import sys; from bgrace.review import review; review(sys.argv[1], seconds=float(sys.argv[2]))"


def _warm(_number: int) -> str:
    """Load what a worker needs."""
    time.sleep(0.5)
    return review.__module__


class Simulated(ThreadPoolExecutor):
    """As many workers as are wanted: each waits for as long as a review took, and hands it over as a process would."""

    def __init__(self, workers: int, told: dict[str, bytes], seconds: dict[str, float]) -> None:
        super().__init__(workers)
        self._told, self._seconds = told, seconds

    def submit(self, _work: object, /, *given: Any, **_more: Any) -> Future[Any]:
        """Begin to wait."""
        return super().submit(self._wait, given[2])

    def _wait(self, checksum: str) -> object:
        time.sleep(self._seconds[checksum])
        return pickle.loads(self._told[checksum])


def print_simulated(paths: list[Path], workers: list[int], seconds: float) -> None:
    """What many workers would do, from what one does: everything but their work is real."""
    told, spent, n_decisions = {}, {}, 0
    with ThreadPoolExecutor(1) as executor:
        for path in paths:
            began = time.process_time()
            (one,) = review_many([path], executor=executor, seconds=seconds)
            spent[one.checksum] = time.process_time() - began
            told[one.checksum] = pickle.dumps(one)
            n_decisions += sum(len(match.decisions) for match in one.reviews)
    mean = sum(spent.values()) / len(paths)
    print(f"one match: {mean:.2f} processor seconds, {n_decisions / len(paths):.0f} race decisions")
    for n in workers:
        with tempfile.TemporaryDirectory() as folder:
            many = [Path(folder, f"{k}-{path.name}") for k in range(max(1, 16 * n // len(paths))) for path in paths]
            for copy in many:
                copy.write_bytes((paths[0].parent / copy.name.partition("-")[2]).read_bytes())
            began, before = time.perf_counter(), time.process_time()
            with (
                Simulated(n, told, spent) as executor,
                Results(Path(folder, "results"), seconds=seconds) as results,
            ):
                for _ in review_many(many, executor=executor, seconds=seconds, results=results):
                    pass
            took, own = time.perf_counter() - began, time.process_time() - before
        print(
            f"{n} workers, simulated: {len(many) / took:.1f} matches a second, "
            f"{mean * len(many) / (n * took):.0%} of their time at work, {1e3 * own / len(many):.1f} ms of the program "
            f"a match; a million in {1e6 * took / len(many) / 3600:.1f} hours"
        )


def main() -> None:
    asked = read_options(__doc__, "folder", workers=[1, 2], simulate=[0], seconds=DEFAULT_SECONDS)
    paths = sorted(asked.folder.glob("*.mat" if any(asked.simulate) else "*.sgf"))
    if any(asked.simulate):
        print_simulated(paths, asked.simulate, asked.seconds)
        return
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
