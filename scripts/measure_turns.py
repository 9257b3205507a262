"""Answers by turns: what they are wrong by beside what they state, how long they take, and whether any race is refused.

    python scripts/measure_turns.py errors [--kinds KIND,...] [--races N] [--seed N] [--minutes M] [--truths FILE]
    python scripts/measure_turns.py table FILE [--games N] [--races N] [--seed N] [--seconds S]
    python scripts/measure_turns.py times [--every N]
    python scripts/measure_turns.py soak [--seed N] [--races N] [--minutes M] [--seconds S]

`errors` solves random races of random_races.py, by kind, and "recorded" ones of data/recorded-races.txt, half of them
for money, half at a score, within .01 to 3 seconds, and every play of every pair of the same races; races with too many
pairs for that (--most) or few enough to be solved exactly at once are left out.  --truths keeps the exact values in a
file, for the next time.  `table` takes exact values from a database with a table of pairs, in races played as
in `bgrace.studies.referee`, for money.  Compared are rolling now in every place of the cube, and in `errors` taken
doubles and their gain, in points per unit of the cube, at a score normalised.  Printed are how many answers are not
exact, the median, the greatest and the root mean square of the errors, the median of what they state, and how many are
further off than that.

`times` solves recorded races at their scores with four budgets: processor time of one thread, and how often it is more
than twice the budget and a millisecond.  `soak` asks random races at any budget, roll, stakes and memory, and prints
each that is refused; race n is made from seed n alone, so a run goes on where another one ended, and a refused race is
asked again with --races 1.  Exit status 1 if any was refused.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from by_turns import Budget, solve_turns
from options import run_command
from random_races import KINDS, Pair, drawn, n_pairs, recorded, solved_fully, stakes

import bgrace
from bgrace._base.arrays import Floats
from bgrace._kernels.answer import Answer
from bgrace.board import Position
from bgrace.errors import BgraceError
from bgrace.match.stakes import Stakes
from bgrace.studies.referee.sample import Races, played_races

MEMORY = 2 << 30
BUDGETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
TIMED = (0.001, 0.01, 0.1, 1.0)
FEWEST = 1e6  # pairs: fewer are solved exactly within any budget
DECIDED = 0.999
FILE_ERROR = 1e-4  # of 16 bits
SOAKED = (1 << 22, 1 << 26, 1 << 30)  # bytes of memory
LEAST_SECONDS = 0.001


def by_turns(answer: Answer) -> Floats:
    """Rolling now, by place of the cube; not a number where there is none."""
    now, planes = answer.now(), answer.places()[:, 0, 0].astype(int)
    return np.array([now[plane] if plane >= 0 else math.nan for plane in planes])


def of_file(db: bgrace.Database, mine: Position, theirs: Position) -> Floats:
    """The same of a database, for money."""
    equities = db.equities(mine, theirs)
    centered, my_cube = (db.cube_action(mine, theirs, cube=cube).no_double for cube in ("centered", "mine"))
    return np.array([equities.cubeless, centered, my_cube, equities.theirs], dtype=np.float64)


def values(answer: Answer) -> list[float]:
    """Rolling now, by place of the cube; then double/take, and its difference to rolling, where there is a cube."""
    now, planes = answer.now(), answer.planes()
    places = [int(plane) for plane in answer.places()[:, 0, 0] if plane >= 0]
    turned, factor, _, offset = (planes[:, 0, k] for k in range(3, 7))
    doubled = [float(factor[k] * now[int(turned[k])] + offset[k]) for k in places if turned[k] >= 0]
    before = [float(now[k]) for k in places if turned[k] >= 0]
    return [float(now[k]) for k in places] + doubled + [a - b for a, b in zip(doubled, before, strict=True)]


# ---------------------------------------------------------------------- races


def draw(races: Races, points: int, n: int, fewest: int, most: int) -> list[Pair]:
    """Some pairs that the table has, not decided yet, the larger side within these checkers."""
    mine, theirs = races.positions("on_roll").astype(int), races.positions("opponent").astype(int)
    larger = np.maximum(mine.sum(axis=1), theirs.sum(axis=1))
    open_ = (races.win > 1 - DECIDED) & (races.win < DECIDED)
    chosen = np.flatnonzero(races.exact & open_ & (larger >= fewest) & (larger <= most))
    chosen = np.random.default_rng(1).permutation(chosen)[:n]
    return [(Position(mine[k].tolist()).resized(points), Position(theirs[k].tolist()).resized(points)) for k in chosen]


class Truths:
    """Exact values, kept in a file of JSON lines, if there is one."""

    def __init__(self, path: Path | None, most_pairs: float) -> None:
        self._path, self._most = path, most_pairs
        self._known: dict[str, list[float] | None] = {}
        if path is not None and path.exists():
            self._known.update(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())

    def of(self, pair: Pair, at: Stakes) -> list[float] | None:
        """None where there are too many pairs, or so few that nobody asks for less."""
        if not FEWEST < n_pairs(pair) <= self._most:
            return None
        key = f"{pair[0]} v {pair[1]}, {at}"
        if key not in self._known:
            solved = solved_fully(pair, at)
            self._known[key] = values(solved) if solved else None
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]


# ---------------------------------------------------------------------- errors


class Race(NamedTuple):
    """(seconds, error, stated) of the answers to a race that are not exact, within rising seconds."""

    at_score: bool
    answers: list[tuple[float, float, float]]


def show(name: str, races: list[Race]) -> None:
    """Print a line for each budget."""
    for seconds in sorted({answer[0] for race in races for answer in race.answers}):
        those = [answer[1:] for race in races for answer in race.answers if answer[0] == seconds]
        errors, stated = np.array(those).T
        print(
            f"| {name} | {seconds:g} | {len(errors)} | {np.median(errors):.5f} | "
            f"{math.sqrt(float((errors**2).mean())):.5f} | {errors.max():.5f} | {np.median(stated):.4f} | "
            f"{int((errors > stated).sum())} |",
            flush=True,
        )


def measure(kind: str, seed: int, races: int, minutes: float, truths: Truths) -> list[Race]:
    measured: list[Race] = []
    end = time.monotonic() + 60 * minutes
    for pair, at in drawn(kind, seed):
        if len(measured) >= races or time.monotonic() > end:
            break
        truth = truths.of(pair, at)
        answers = []
        for seconds in BUDGETS if truth is not None else ():
            answer = solve_turns(*pair, at, Budget(seconds, MEMORY), threads=1)
            if answer.info().exact:
                break
            error = max(abs(a - b) for a, b in zip(values(answer), truth or (), strict=True))
            answers.append((seconds, error, answer.info().error))
        if answers:
            measured.append(Race(at.score is not None, answers))
    return measured


HEAD = """\
| races | seconds | answers | median error | root mean square | greatest | stated, median | beyond |
|---|---:|---:|---:|---:|---:|---:|---:|"""


def errors(
    *,
    kinds: str = ",".join(["recorded", *KINDS]),
    races: int = 200,
    seed: int = 0,
    minutes: float = 10.0,
    most: float = 3e7,
    truths: Path | None = None,
) -> None:
    known = Truths(truths, most)
    print(HEAD)
    everything: list[Race] = []
    for kind in kinds.split(","):
        measured = measure(kind, seed, races, minutes, known)
        show(kind, measured)
        everything += measured
    show("at scores", [race for race in everything if race.at_score])
    show("for money", [race for race in everything if not race.at_score])
    growing = sum(any(b[2] > a[2] for a, b in itertools.pairwise(race.answers)) for race in everything)
    print(f"{growing} of {len(everything)} races state more within more seconds")


def table(file: Path, *, games: int = 100, races: int = 100, seed: int = 1, seconds: float = 2.0) -> None:
    found: dict[str, list[Race]] = {}
    with bgrace.open(file) as db:
        for pair in draw(played_races(db, games, seed), db.space.points, races, 9, 15):
            answer = solve_turns(*pair, budget=Budget(seconds, MEMORY))
            error = float(np.abs(by_turns(answer) - of_file(db, *pair)).max())
            name = "a gammon at stake" if 15 in (side.checkers for side in pair) else "no gammon at stake"
            found.setdefault(name, []).append(Race(False, [(seconds, error, answer.info().error + FILE_ERROR)]))
    print(HEAD)
    for name, measured in sorted(found.items()):
        show(name, measured)


# ---------------------------------------------------------------------- time, and refusals


def times(*, every: int = 1) -> None:
    boards = recorded(every)
    took = np.empty((len(TIMED), len(boards)))
    stated = np.empty_like(took)
    methods: list[Counter[str]] = [Counter() for _ in TIMED]
    bgrace.solve(boards[0], seconds=TIMED[0])  # makes what all answers share
    for (k, seconds), (n, board) in itertools.product(enumerate(TIMED), enumerate(boards)):
        start = time.thread_time()
        solution = bgrace.solve(board, seconds=seconds, threads=1)
        took[k, n] = time.thread_time() - start
        stated[k, n] = solution.error
        methods[k][solution.method] += 1
    print(f"{len(boards)} races; milliseconds; more error than with the budget before\n")
    print("| budget | median | 99 % | longest | over twice + 1 ms | more error | methods |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | :--- |")
    for k, seconds in enumerate(TIMED):
        half, most, all_ = 1e3 * np.percentile(took[k], [50, 99, 100])
        over, more = np.sum(took[k] > 2 * seconds + 1e-3), np.sum(stated[k] > stated[max(k - 1, 0)])
        said = ", ".join(f"{n} {name}" for name, n in methods[k].most_common())
        print(f"| {1e3 * seconds:g} | {half:.2f} | {most:.2f} | {all_:.2f} | {over} | {more} | {said} |")


def ask(seed: int, most_seconds: float) -> str:
    """Ask one race.  Gives what is wrong with the answer, or nothing."""
    rng = np.random.default_rng(seed)
    kind = list(KINDS)[int(rng.integers(len(KINDS)))]
    mine, theirs = KINDS[kind](rng)
    seconds = LEAST_SECONDS * (most_seconds / LEAST_SECONDS) ** rng.random()
    memory = int(rng.choice(SOAKED))
    roll = (int(rng.integers(1, 7)), int(rng.integers(1, 7))) if rng.integers(2) else None
    at = stakes(rng)
    try:
        answer = solve_turns(mine, theirs, at, Budget(seconds, memory), roll=roll, threads=1)
        now = answer.now()
    except BgraceError as error:
        fault = f"{type(error).__name__}: {error}"
    else:
        right = bool(np.isfinite(now).all()) and 0 <= answer.chances().win <= 1 and math.isfinite(answer.info().error)
        fault = "" if right else f"{now}, within {answer.info().error}"
    return fault and f"seed {seed}, {kind}: {mine} v {theirs}, {at}, {seconds:.4f} s, {memory:,}, {roll}: {fault}"


def soak(*, seed: int = 0, races: int = 1_000_000, minutes: float = 10.0, seconds: float = 0.3) -> bool:
    end, told = time.monotonic() + 60 * minutes, time.monotonic() + 60
    n = refused = 0
    while n < races and time.monotonic() < end:
        if fault := ask(seed + n, seconds):
            refused += 1
            print(fault, flush=True)
        n += 1
        if time.monotonic() >= told:
            told += 60
            print(f"{n:,} races, {refused} refused", flush=True)
    print(f"{n:,} races, {refused} refused; go on with --seed {seed + n}")
    return refused > 0


if __name__ == "__main__":
    sys.exit(run_command(__doc__, errors, table, times, soak))
