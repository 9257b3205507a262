"""Print how narrow proven bounds are, and how many cube verdicts they prove, for recorded races at their own stakes.

    python scripts/measure_bounds.py [--races 300] [--seed 1] [--seconds .1 1 3] [--memory 3] [--threads 1]
    python scripts/measure_bounds.py --verdicts [--races 300] [--seed 1] [--seconds .1 1 10]
    python scripts/measure_bounds.py --exact 3e6 [--races 200] [--seed 1] [--seconds .001]
    python scripts/measure_bounds.py --table FILE [--minutes 15] [--seed 1] [--seconds .001]

The second goes on with more seconds only where the verdict is not proved yet.  The third counts exact values outside
the bounds, of recorded races and of random ones by kind (random_races.py), of that many pairs at most; the fourth those
of pairs of a table, for money.

Races are a sample of data/recorded-races.txt.  "Time" is processor time.  "Hardly matters" counts verdicts that are not
proved, but cost .0001 points at most whichever value within the bounds is right.  At the end: how many bounds of any
value are wider than within fewer seconds.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice, product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from measure_turns import FILE_ERROR, of_file
from options import read_options
from random_races import KINDS, Pair, drawn, n_pairs, recorded, solved_fully

import bgrace
from bgrace._base.arrays import Floats
from bgrace._base.limits import Limits
from bgrace.answers import Bounds
from bgrace.answers.bounds import CubeBounds
from bgrace.answers.question import Question
from bgrace.board import Board
from bgrace.board.spaces import PositionSpace
from bgrace.match.stakes import Stakes

HOME: Final = 6
HARDLY: Final = 1e-4
ROUNDING: Final = 1e-12


class Proved(NamedTuple):
    """One race: how it was proved, widths, the verdict, bounds of all values, and the time.

    loss: of the verdict at most, in points of the cube; None if it is proved, NaN without a cube.
    """

    home: bool
    method: str
    win: float
    value: float
    loss: float | None
    rows: Floats
    seconds: float


def greatest_loss(known: CubeBounds, passed: float) -> float:
    """What either player may lose by the verdict, at the corners of the bounds."""
    losses = [0.0]
    for rolled, taken in product(known.no_double, known.double_take):
        doubled = min(taken, passed)
        double, take = known.verdict.startswith("double"), known.verdict in ("no double", "double/take")
        losses.append(rolled - doubled if double else doubled - rolled)
        losses.append(taken - passed if take else passed - taken)
    return max(losses)


def prove(board: Board, seconds: float, memory: float, threads: int) -> Proved:
    stakes = Stakes.of(board)
    home = max(board.on_roll.highest, board.opponent.highest) <= HOME
    start = time.process_time()
    limits = Limits(seconds, int(memory * 2**30), threads)
    proof = Question(board.on_roll, board.opponent, stakes, limits=limits).prove()
    taken = time.process_time() - start
    bounds = Bounds.of(proof, stakes.cubes)
    cube = board.cube if board.cube in stakes.cubes else stakes.default_cube
    assert bounds is not None
    known = bounds.cube(cube)
    unit = max(stakes.payoff(1) - stakes.payoff(-1), 1e-5) / 2  # to points of the cube
    loss = np.nan if known.verdict == "no cube" else greatest_loss(known, stakes.payoff(1)) / unit
    widths = bounds.win.width, known.value.width / unit
    return Proved(home, bounds.method, *widths, None if known.proved else loss, proof.rows(), taken)


def percentiles(values: list[float]) -> str:
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return "-"
    return " ".join(f"{x:.5f}" for x in np.percentile(known, [50, 90, 95, 99]))


def rows_within(pair: Pair, at: Stakes, seconds: float) -> tuple[str, Floats]:
    proof = Question(*pair, at, limits=Limits(seconds, 1 << 30, 1)).prove()
    return proof.info()[0], proof.rows()


def exact_races(asked: Any) -> None:
    """Print how many exact values lie outside."""
    for kind in ("recorded", *KINDS):
        methods, outside = Counter[str](), 0
        for pair, at in islice(drawn(kind, asked.seed), 20 * asked.races):
            if methods.total() >= asked.races * len(asked.seconds) or n_pairs(pair) > asked.exact:
                continue
            solved = solved_fully(pair, at)
            if solved is None:  # some long ones are refused so
                continue
            exact = solved.now()
            for seconds in asked.seconds:
                method, (low, high) = rows_within(pair, at, seconds)
                methods[method] += 1
                outside += not ((low[: len(exact)] <= exact) & (exact <= high[: len(exact)])).all()
        print(f"{kind}: {dict(methods)}, outside: {outside}", flush=True)


def table(asked: Any) -> None:
    """The same of pairs of a table, whose values are rounded."""
    rng, end = np.random.default_rng(asked.seed), time.monotonic() + 60 * asked.minutes
    methods, outside = Counter[str](), 0
    with bgrace.open(asked.table) as db:
        space = PositionSpace(db.space.points, db.two_sided_checkers)
        while time.monotonic() < end and methods.total() < asked.races * len(asked.seconds):
            mine, theirs = (space.position(int(k)) for k in rng.integers(1, len(space), 2))
            values = of_file(db, mine, theirs)
            for seconds in asked.seconds:
                proof = Question(mine, theirs, Stakes.money(), limits=Limits(seconds, 1 << 30, 1)).prove()
                methods[proof.info()[0]] += 1
                bounds = np.array([proof.cube(place)[0] for place in range(len(values))])
                outside += bool(((values < bounds[:, 0] - FILE_ERROR) | (values > bounds[:, 1] + FILE_ERROR)).any())
    print(f"{asked.table.name}: {dict(methods)}, outside: {outside}")


def verdicts(asked: Any) -> None:
    """Print how many verdicts are proved within each of the seconds."""
    boards = recorded()
    races = [boards[k] for k in np.random.default_rng(asked.seed).permutation(len(boards))[: asked.races]]
    decided = [board for board in races if not np.isnan(prove(board, 0.001, asked.memory, 1).loss or 0)]
    left = decided
    for seconds in sorted(asked.seconds):
        proofs = [(board, prove(board, seconds, asked.memory, asked.threads)) for board in left]
        left = [board for board, proof in proofs if proof.loss is not None]
        matter = sum(proof.loss is not None and proof.loss > HARDLY for _, proof in proofs)
        n, took = len(decided) - len(left), percentiles([proof.seconds for _, proof in proofs])
        print(f"{seconds:g} s: {n} of {len(decided)} verdicts proved; {matter} more matter; time {took}", flush=True)


def main() -> None:
    asked = read_options(
        __doc__,
        races=300,
        seed=1,
        seconds=[0.1, 1.0, 3.0],
        memory=3.0,
        threads=1,
        exact=0.0,
        minutes=15.0,
        table=Path,
        verdicts=False,
    )
    if asked.verdicts:
        verdicts(asked)
        return
    if asked.exact or asked.table:
        (table if asked.table else exact_races)(asked)
        return
    boards = recorded()
    chosen = np.random.default_rng(asked.seed).permutation(len(boards))[: asked.races]
    wider, before = 0, list[Proved]()
    for seconds in sorted(asked.seconds):
        proved = [prove(boards[k], seconds, asked.memory, asked.threads) for k in chosen]
        for home in (True, False):
            some = [one for one in proved if one.home == home]
            open_ = [one.loss for one in some if one.loss is not None and not np.isnan(one.loss)]
            proofs = sum(one.loss is None for one in some)
            methods = ", ".join(f"{n} {method}" for method, n in Counter(one.method for one in some).most_common())
            print(f"{seconds:g} s, {'home' if home else 'not all home'}: {len(some)} races: {methods}")
            print(f"  width of the chance to win, 50 90 95 99 %:  {percentiles([one.win for one in some])}")
            print(f"  width of the value, in points of the cube:  {percentiles([one.value for one in some])}")
            print(
                f"  verdicts proved: {proofs} of {proofs + len(open_)}; "
                f"hardly matters: {sum(loss <= HARDLY for loss in open_)} more"
            )
            print(
                f"  time:                                       {percentiles([one.seconds for one in some])}",
                flush=True,
            )
        for few, more in zip(before, proved, strict=False):
            low, high = few.rows - more.rows
            unproved = few.loss is None and more.loss is not None
            wider += bool((low > ROUNDING).any() or (high < -ROUNDING).any() or unproved)
        before = proved
    print(f"wider within more seconds: {wider} of {len(chosen) * (len(asked.seconds) - 1)}")


if __name__ == "__main__":
    main()
