"""Compare cubeful rollouts with `bgrace.solve`, race by race, or count how often their bounds hold.

Reads IDs, one per line, and prints a line for each: pips, what the solver says of no double and double/take, what the
rollout does, and the difference in standard errors.  For money, whatever the IDs say.

    python scripts/check_rollouts.py IDS --error 0.0005 --from-pips 80 --to-pips 130 --every 20 --most 40
    python scripts/check_rollouts.py IDS --bounds 200 --games 128 --most 3

With --bounds N: of N rollouts with seeds 1 to N, on races solved exactly and by a poor solution, how many intervals at
99 % hold the value; and then how wide intervals of some of the IDs are.

--games are those that are played at most, --error the standard error to reach, --seconds the budget of the solution
that games are played by, --answer-seconds that of the answer it is compared with; one race in --every, --most of them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from options import read_options

import bgrace
from bgrace.answers.turns import Budget
from bgrace.board.board import Board
from bgrace.match.stakes import Rules
from bgrace.rollout import Estimate, bounds, cubeful


def races(ids: Path, first: int, last: int) -> Iterator[tuple[str, Board]]:
    """Races within these pips on both sides."""
    for line in ids.read_text().splitlines():
        for word in line.split()[:1]:
            board = bgrace.parse_board(word)
            if all(first <= side.pips <= last for side in (board.on_roll, board.opponent)):
                yield word, board


def compared(found: Estimate, solved: float) -> str:
    """How a rollout and a solution of one value are apart."""
    error = found.standard_error
    z = (solved - found.mean) / error if error else math.nan
    return f"{solved:+.4f} rolled {found.mean:+.4f} +- {error:.4f} difference {solved - found.mean:+.4f} z {z:+.1f}"


def summary(apart: list[tuple[float, float]]) -> str:
    """Of differences, each with its standard error."""
    off = [difference for difference, _ in apart]
    beyond = sum(abs(difference) > 3 * error for difference, error in apart)
    return (
        f"{len(off)} means: root mean square {math.sqrt(sum(x * x for x in off) / len(off)):.5f}, "
        f"mean {sum(off) / len(off):+.5f}, greatest {max(map(abs, off)):.5f}; "
        f"{beyond} beyond 3 standard errors, {sum(abs(x) > 0.0015 for x in off)} beyond 0.0015"
    )


SOLVED = (
    ("9x1 7x1 5x2 4x1", "8x2 6x1 3x1"),
    ("7x1 6x2 5x1", "8x1 6x1 5x1 4x1"),
    ("8x1 6x3 5x2", "9x1 6x2 5x2"),
    ("6x3 5x2 4x2", "6x3 5x3 2x1"),
)


def coverage(runs: int, games: int) -> None:
    """Print how many intervals hold the exact values."""
    held = {"win": 0, "no double": 0, "double/take": 0}
    for seed in range(1, runs + 1):
        pair = SOLVED[seed % len(SOLVED)]
        solved = bgrace.solve(*pair, Rules())
        action = solved.cube_action()
        found = bounds(*pair, games=games, seed=seed, budget=Budget(delta=0.0))
        rights = solved.win_probability, action.no_double, action.double_take
        for name, interval, right in zip(held, (found.win, found.no_double, found.double_take), rights, strict=True):
            assert interval is not None
            assert right is not None
            held[name] += interval.low <= right <= interval.high
    print(f"{runs} rollouts of {games} games, intervals that hold: {held}", flush=True)


def widths(boards: Iterator[tuple[str, Board]], games: int, seconds: float) -> None:
    """Print intervals of long races."""
    for word, board in boards:
        start = time.perf_counter(), time.process_time()
        found = bounds(board.on_roll, board.opponent, games=games, budget=Budget(seconds=seconds))
        took = time.perf_counter() - start[0], time.process_time() - start[1]
        shown = [f"{of.low:.4f} to {of.high:.4f}" for of in (found.win, found.no_double, found.double_take) if of]
        pips = f"{board.on_roll.pips} v {board.opponent.pips}"
        print(
            f"{word} {pips}, {games} games, {took[0]:.0f} s, {took[1]:.0f} s of processors: {'; '.join(shown)}",
            flush=True,
        )


def main() -> None:
    """Read the arguments, and print what comes out."""
    budgets = {"games": 100_000, "error": 0.0005, "seconds": 3.0, "answer_seconds": 1.0}
    chosen = {"from_pips": 80, "to_pips": 130, "every": 1, "most": 40, "bounds": int}
    asked = read_options(__doc__, "ids", **budgets, **chosen)
    boards = islice(races(asked.ids, asked.from_pips, asked.to_pips), 0, asked.every * asked.most, asked.every)
    if asked.bounds:
        coverage(asked.bounds, asked.games)
        widths(boards, 2 * asked.games, asked.seconds)
        return
    budget = Budget(seconds=asked.seconds)
    apart: list[tuple[float, float]] = []
    for word, board in boards:
        sides = board.on_roll, board.opponent
        solved = bgrace.solve(*sides, Rules(), seconds=asked.answer_seconds).cube_action()
        start = time.perf_counter()
        rolled = cubeful(*sides, games=asked.games, budget=budget, standard_error=asked.error)
        took = time.perf_counter() - start
        print(f"{word} {sides[0].pips} v {sides[1].pips}, {rolled.games:,} games, {took:.0f} s", flush=True)
        for name, rolls, value in (
            ("no double  ", rolled.no_double, solved.no_double),
            ("double/take", rolled.double_take, solved.double_take),
        ):
            if rolls is not None and value is not None:
                print(f"   {name}", compared(rolls, value), flush=True)
                apart.append((value - rolls.mean, rolls.standard_error))
    print(summary(apart))


if __name__ == "__main__":
    main()
