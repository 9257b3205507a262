"""What answers by turns are wrong by, beside what they state: the constants of the error in csrc/turns/tuning.h.

    python scripts/calibrate_turns.py [--kinds KIND,...] [--races N] [--seed N] [--minutes M] [--truths FILE] [--list]

Races are random ones of random_races.py, by kind, and "recorded" ones of data/recorded-races.txt, half of them for
money, half at a score.  Each is solved by turns within .01 to 3 seconds, and compared with its exact values, every play
of every pair; races whose pairs are too many for that (--most) or few enough to be solved exactly at once are left out.
--truths keeps the exact values in a file, for the next time.

Compared are rolling now in every place of the cube, double/take, and the difference of the two that decides, in points
per unit of the cube, at a score normalised.  Printed by kind and seconds, and of all kinds at scores and for money: how
many answers that are not exact, the median and the greatest error and the root mean square, the median of what they
state, and how many are further off than they state; and at the end how many state more than within fewer seconds.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from random_races import KINDS, SCORES, Pair

from bgrace._kernels.two_sided import count_reachable
from bgrace.board import Position, parse_board
from bgrace.errors import BgraceError
from bgrace.match import Score
from bgrace.match.stakes import Stakes
from bgrace.solving.turns import Budget, TurnsAnswer, solve_turns

ROOT = Path(__file__).resolve().parent.parent
MEMORY = 2 << 30
BUDGETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
FEWEST = 1e6  # pairs: fewer are solved exactly within any budget


def values(answer: TurnsAnswer) -> list[float]:
    """Rolling now, by place of the cube; then double/take, and its difference to rolling, where there is a cube."""
    now, planes = answer.now(), answer.planes()
    places = [int(plane) for plane in answer.places()[:, 0, 0] if plane >= 0]
    rolling = [float(now[plane]) for plane in places]
    turned, factor, _, offset = (planes[:, 0, k] for k in range(3, 7))
    doubled = [float(factor[k] * now[int(turned[k])] + offset[k]) for k in places if turned[k] >= 0]
    before = [float(now[k]) for k in places if turned[k] >= 0]
    return rolling + doubled + [a - b for a, b in zip(doubled, before, strict=True)]


def recorded(seed: int) -> Iterator[tuple[str, Pair, Stakes]]:
    ids = (ROOT / "data" / "recorded-races.txt").read_text(encoding="ascii").split()
    order = np.random.default_rng(seed).permutation(len(ids))
    for n, k in enumerate(order):
        board = parse_board(ids[k])
        yield ids[k], (board.on_roll, board.opponent), Stakes.of(board) if n % 2 else Stakes.money()


def made(kind: str, seed: int) -> Iterator[tuple[str, Pair, Stakes]]:
    for n in itertools.count(seed):
        pair = KINDS[kind](np.random.default_rng(n))
        mine, theirs = SCORES[n // 2 % len(SCORES)]
        stakes = Stakes.at(Score(mine, theirs)) if n % 2 else Stakes.money()
        yield f"{kind} {n}: {pair[0]} v {pair[1]}", pair, stakes


class Truths:
    """Exact values, kept in a file of JSON lines, if there is one."""

    def __init__(self, path: Path | None, most_pairs: float) -> None:
        self._path, self._most = path, most_pairs
        self._known: dict[str, list[float] | None] = {}
        if path is not None and path.exists():
            self._known.update(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())

    def of(self, pair: Pair, stakes: Stakes) -> list[float] | None:
        """None where there are too many pairs, or so few that nobody asks for less."""
        pairs = math.prod(count_reachable(_counts(side)) for side in pair)
        if not FEWEST < pairs <= self._most:
            return None
        key = f"{pair[0]} v {pair[1]}, {stakes}"
        if key not in self._known:
            try:
                truth = solve_turns(*pair, stakes, Budget(1e6, MEMORY, delta=math.inf), threads=1)
                self._known[key] = values(truth)
            except BgraceError:
                self._known[key] = None
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]


def _counts(side: Position) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    return np.array(side, dtype=np.int8)


class Race(NamedTuple):
    """(seconds, error, stated) of the answers to a race that are not exact, within rising seconds."""

    at_score: bool
    answers: list[tuple[float, float, float]]


def measure(kind: str, chosen: argparse.Namespace, truths: Truths) -> list[Race]:
    measured: list[Race] = []
    end = time.monotonic() + 60 * chosen.minutes
    races = recorded(chosen.seed) if kind == "recorded" else made(kind, chosen.seed)
    for name, pair, stakes in races:
        if len(measured) >= chosen.races or time.monotonic() > end:
            break
        truth = truths.of(pair, stakes)
        if truth is None:
            continue
        answers = []
        for seconds in BUDGETS:
            answer = solve_turns(*pair, stakes, Budget(seconds, MEMORY), threads=1)
            if answer.method == "exact":
                break
            error = max(abs(a - b) for a, b in zip(values(answer), truth, strict=True))
            answers.append((seconds, error, answer.error))
            if chosen.list:
                print(f"{name}, {stakes}: {seconds:g} s: {error:.6f}, stated {answer.error:.6f}", flush=True)
        if answers:
            measured.append(Race(stakes.score is not None, answers))
    return measured


def show(name: str, races: list[Race]) -> None:
    """Print a line for each budget."""
    for seconds in BUDGETS:
        those = [answer[1:] for race in races for answer in race.answers if answer[0] == seconds]
        if those:
            errors, stated = np.array(those).T
            print(
                f"| {name} | {seconds:g} | {len(errors)} | {np.median(errors):.5f} | "
                f"{math.sqrt(float((errors**2).mean())):.5f} | {errors.max():.5f} | {np.median(stated):.4f} | "
                f"{int((errors > stated).sum())} |",
                flush=True,
            )


def main() -> None:
    """Measure, and print a line for each kind and each budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default=",".join(["recorded", *KINDS]))
    parser.add_argument("--races", type=int, default=200, help="of each kind that have answers that are not exact")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the first random race, and of the order of the recorded"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="for each kind")
    parser.add_argument("--most", type=float, default=3e7, help="pairs of a race that is solved exactly")
    parser.add_argument("--truths", type=Path, help="a file for exact values")
    parser.add_argument("--list", action="store_true", help="print every answer")
    chosen = parser.parse_args()
    truths = Truths(chosen.truths, chosen.most)
    print("| races | seconds | answers | median error | root mean square | greatest | stated, median | beyond |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    everything: list[Race] = []
    for kind in chosen.kinds.split(","):
        races = measure(kind, chosen, truths)
        show(kind, races)
        everything += races
    show("at scores", [race for race in everything if race.at_score])
    show("for money", [race for race in everything if not race.at_score])
    growing = sum(any(b[2] > a[2] for a, b in itertools.pairwise(race.answers)) for race in everything)
    print(f"{growing} of {len(everything)} races state more within more seconds")


if __name__ == "__main__":
    main()
