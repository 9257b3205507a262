"""How far answers by turns are from exact pairs of played races: money, and five scores.

    python scripts/check_turns.py FILE [--games N] [--races N] [--seed S] [--seconds S] [--solve] [--scores]

FILE has the exact pairs: a database on six to ten points with a two-sided table.  Races are played out as in
`bgrace.studies.referee`; of the positions that the table has, some are drawn and solved by turns within the default
budget of `bgrace.solve`; with --solve by `bgrace.solve` itself, which solves small ones exactly.  With --scores
pairs of at most 12 checkers are compared at scores instead, with all their pairs solved on the spot.  Errors are in
points per unit of the cube, at scores normalised: rolling now, without a cube and with it in each place; `stated` is
how many errors are within the one that the answer states.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from pathlib import Path

import numpy as np

import bgrace
from bgrace._base.arrays import Floats
from bgrace._base.memory import PAIR_MEMORY
from bgrace._base.seconds import DEFAULT_SECONDS
from bgrace.board import Position
from bgrace.cube.action import Cube
from bgrace.errors import MemoryLimitError
from bgrace.match import Score
from bgrace.match.stakes import Stakes
from bgrace.solving.turns import Budget, TurnsAnswer, solve_turns
from bgrace.studies.referee.sample import Races, played_races

CUBES: tuple[Cube, ...] = ("none", "centered", "mine", "theirs")
SCORES = ((Score(3, 5), 1), (Score(5, 3), 2), (Score(7, 7), 1), (Score(2, 9), 1), (Score(11, 5), 4))
DECIDED = 0.999
ALL_PAIRS = 6_000_000


def draw(races: Races, points: int, n: int, fewest: int, most: int) -> list[tuple[Position, Position]]:
    """Some pairs that the table has, not decided yet, the larger side within these checkers."""
    mine, theirs = races.positions("on_roll").astype(int), races.positions("opponent").astype(int)
    larger = np.maximum(mine.sum(axis=1), theirs.sum(axis=1))
    open_ = (races.win > 1 - DECIDED) & (races.win < DECIDED)
    chosen = np.flatnonzero(races.exact & open_ & (larger >= fewest) & (larger <= most))
    chosen = np.random.default_rng(1).permutation(chosen)[:n]
    return [(Position(mine[k].tolist()).resized(points), Position(theirs[k].tolist()).resized(points)) for k in chosen]


def by_turns(answer: TurnsAnswer) -> Floats:
    """Rolling now, by place of the cube; not a number where there is none."""
    now, planes = answer.now(), answer.places()[:, 0, 0].astype(int)
    return np.array([now[plane] if plane >= 0 else math.nan for plane in planes])


def of_file(db: bgrace.Database, mine: Position, theirs: Position) -> Floats:
    equities = db.equities(mine, theirs)
    centered, my_cube = (db.cube_action(mine, theirs, cube=cube).no_double for cube in ("centered", "mine"))
    return np.array([equities.cubeless, centered, my_cube, equities.theirs], dtype=np.float64)


def verdicts(values: Floats, doubled: float) -> tuple[str, str]:
    """Of the cube in the middle and of mine, for money."""
    taken = 2 * doubled
    found = []
    for now in values[1:3]:
        if min(taken, 1.0) > now:
            found.append("take" if taken < 1 else "pass")
        else:
            found.append("too good" if taken > 1 and now > 1 else "no double")
    return found[0], found[1]


def show(name: str, errors: list[Floats], stated: list[float], seconds: list[float]) -> None:
    found, limit = np.nan_to_num(np.abs(np.array(errors))), np.array(stated)  # 0 where the cube cannot be
    rms, most = np.sqrt(np.mean(found**2, axis=0)), np.max(found, axis=0)
    within = np.all(found <= limit[:, None], axis=1)
    print(f"{name}: {len(found)} races, processor seconds {np.median(seconds):.2f}, greatest {max(seconds):.2f}")
    print("    root mean square " + " ".join(f"{c} {x:.6f}" for c, x in zip(CUBES, rms, strict=True)))
    print("    greatest         " + " ".join(f"{c} {x:.6f}" for c, x in zip(CUBES, most, strict=True)))
    print(
        f"    stated: {np.count_nonzero(within)} of {len(errors)} races within it; median {np.median(limit):.6f}",
        flush=True,
    )


def money(db: bgrace.Database, pairs: list[tuple[Position, Position]], seconds: float, whole: bool) -> None:
    errors: dict[str, list[Floats]] = {}
    stated: dict[str, list[float]] = {}
    times: dict[str, list[float]] = {}
    differ: list[float] = []
    methods: Counter[str] = Counter()
    for mine, theirs in pairs:
        begin = time.process_time()
        if whole:
            solution = bgrace.solve(mine, theirs, seconds=seconds)
            found = np.array([solution.cube_action(cube).no_double for cube in CUBES], dtype=np.float64)
            error, method = solution.error, solution.method
        else:
            budget = Budget(seconds, PAIR_MEMORY)
            answer = solve_turns(mine, theirs, Stakes.money(), budget)
            found, error, method = by_turns(answer), answer.error, answer.method
        taken = time.process_time() - begin
        exact = of_file(db, mine, theirs)
        name = "a gammon at stake" if 15 in (mine.checkers, theirs.checkers) else "no gammon at stake"
        errors.setdefault(name, []).append(found - exact)
        stated.setdefault(name, []).append(error + 1e-4)  # the file rounds, too
        times.setdefault(name, []).append(taken)
        methods[method] += 1
        if verdicts(found, found[3]) != verdicts(exact, exact[3]):
            differ.append(float(np.abs(found - exact).max()))
    for name in sorted(errors):
        show(name, errors[name], stated[name], times[name])
    print(f"verdicts that differ: {len(differ)} of {2 * len(pairs)}, by {max(differ, default=0):.6f} at most")
    print(f"methods: {dict(methods)}")


def scores(pairs: list[tuple[Position, Position]], seconds: float) -> None:
    for score, cube in SCORES:
        stakes = Stakes.at(score, cube_value=cube)
        errors, stated, times = [], [], []
        for mine, theirs in pairs:
            begin = time.process_time()
            answer = solve_turns(mine, theirs, stakes, Budget(seconds, PAIR_MEMORY))
            times.append(time.process_time() - begin)
            try:
                exact = solve_turns(mine, theirs, stakes, Budget(1e6, PAIR_MEMORY, delta=math.inf))
            except MemoryLimitError:
                continue
            errors.append(by_turns(answer) - by_turns(exact))
            stated.append(answer.error)
        if errors:
            show(str(stakes), errors, stated, times)


def main() -> None:
    """Draw, solve, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--races", type=int, default=100)
    parser.add_argument("--fewest", type=int, default=9, help="checkers of the larger side")
    parser.add_argument("--most", type=int, default=15, help="checkers of the larger side")
    parser.add_argument("--seconds", type=float, default=DEFAULT_SECONDS)
    parser.add_argument("--solve", action="store_true", help="whatever bgrace.solve does")
    parser.add_argument("--scores", action="store_true")
    chosen = parser.parse_args()
    with bgrace.open(chosen.file) as db:
        races = played_races(db, chosen.games, chosen.seed)
        pairs = draw(races, db.space.points, chosen.races, chosen.fewest, chosen.most)
        if chosen.scores:
            scores(pairs, chosen.seconds)
        else:
            money(db, pairs, chosen.seconds, chosen.solve)


if __name__ == "__main__":
    main()
