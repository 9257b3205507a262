"""What an engine pays: small races, budgets, answers that are followed, estimates.

    python scripts/bench_engine.py [--every N] [--seconds S...] [--judge S] [--prepared N]

Processor time of this thread throughout.  Printed are

- random races at home of 7 v 6 and 10 v 10 checkers, for money, with a warm cache, and with the solver prepared for
  --prepared checkers or not: median, 9 of 10, and the longest;
- for each budget in --seconds, over every Nth recorded race, for money: the same; the root mean square of what equities
  are off by against a budget of --judge seconds, and what 99 of 100 are within; how many answers are off by no more
  than they state; and how many took longer than twice the budget and a millisecond;
- an answer followed to the next turn, and an estimate.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._kernels.answer import CUBES, Answer, Solver, Stakes
from bgrace.board import MAX_POINTS, parse_board

RACES: Final = Path(__file__).parents[1] / "data/recorded-races.txt"
PLACES: Final = [CUBES.index(name) for name in ("mine", "centered", "theirs")]
Counts = npt.NDArray[np.int8]


def counts_of(position: Iterable[int]) -> Counts:
    counts = np.zeros(MAX_POINTS, dtype=np.int8)
    for point, n in enumerate(position):
        counts[point] = n
    return counts


def at_home(rng: np.random.Generator, checkers: int) -> Counts:
    return counts_of(np.bincount(rng.integers(0, 6, checkers), minlength=6))


def timed(ask: Callable[..., Answer | None], *arguments: object, **options: float) -> tuple[float, Answer]:
    before = time.thread_time_ns()
    answer = ask(*arguments, **options)
    after = time.thread_time_ns()
    assert answer is not None
    return (after - before) / 1e9, answer


def spread(seconds: list[float]) -> str:
    half, most, longest = (1e3 * float(np.quantile(seconds, q)) for q in (0.5, 0.9, 1))
    return f"median {half:.3f} ms, 9 of 10 {most:.3f}, longest {longest:.3f}"


def equities(answer: Answer) -> list[float]:
    return [answer.cube(place)[0] for place in PLACES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--seconds", type=float, nargs="*", default=[0.001, 0.003, 0.01, 0.03, 0.1])
    parser.add_argument("--judge", type=float, default=2)
    parser.add_argument("--prepared", type=int, default=7)
    chosen = parser.parse_args()
    money, rng, solver, prepared = Stakes(True), np.random.default_rng(7), Solver(), Solver()
    prepared.prepare(money, chosen.prepared)
    for mine, theirs, budget in ((7, 6, 0.001), (10, 10, 0.01)):
        pairs = [(at_home(rng, mine), at_home(rng, theirs)) for _ in range(50)]
        for name, one in (("prepared", prepared), ("not prepared", solver)):
            spent = [timed(one.ask, *pair, money, seconds=budget) for pair in pairs]
            n_exact = sum(answer.info()[0] for _, answer in spent)
            print(
                f"{mine} v {theirs} at home within {budget} s, {name}: {spread([t for t, _ in spent])}; {n_exact} exact"
            )
    boards = [parse_board(text) for text in RACES.read_text(encoding="ascii").split()[:: chosen.every]]
    races = [(counts_of(board.on_roll), counts_of(board.opponent)) for board in boards]
    judged = [equities(timed(solver.ask, *race, money, seconds=chosen.judge)[1]) for race in races]
    for budget in chosen.seconds:
        spent = [timed(solver.ask, *race, money, seconds=budget) for race in races]
        off = np.abs(np.array([equities(answer) for _, answer in spent]) - np.array(judged))
        late = [t for t, _ in spent if t > 2 * budget + 0.001]
        stated = np.mean([off[k].max() <= answer.info()[2] for k, (_, answer) in enumerate(spent)])
        print(
            f"{budget} s, {len(races)} recorded: {spread([t for t, _ in spent])}; "
            f"off by {np.sqrt((off**2).mean()):.5f} rms, 99 of 100 within {np.quantile(off, 0.99):.4f}; "
            f"{100 * stated:.0f} of 100 within what they state; "
            f"{len(late)} took longer than twice that",
            flush=True,
        )
    answer = solver.ask(counts_of([1, 1, 1, 1, 1]), counts_of([1, 1, 1, 1, 1]), money)
    assert answer is not None
    counts = counts_of([1, 1, 1, 1, 1])
    follow = [timed(answer.follow, counts, counts_of([1, 1, 1]), True)[0] for _ in range(200)]
    print(f"followed: {spread(follow)}")
    print(f"estimated: {spread([timed(solver.ask, *race, money, 'estimate')[0] for race in races])}")


if __name__ == "__main__":
    main()
