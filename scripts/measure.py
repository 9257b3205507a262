"""Measure numbers that the pages state: python scripts/measure.py CASE --help.

`CASES` lists the cases.  Each prints a table or lines of numbers, and changes nothing.  Races are recorded, or random
and of several kinds (random_races.py).  scripts/bench.py times commands and calls.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Final

import click
import numpy as np
from random_races import KINDS, drawn, n_pairs, recorded, solved_fully

import bgrace
from bgrace import embed
from bgrace._base.limits import Limits
from bgrace._kernels.answer import Answer, Solver
from bgrace.answers import Bounds
from bgrace.answers.alone import follow_alone
from bgrace.answers.question import Question
from bgrace.answers.reasons import solver
from bgrace.board.position import counts_of
from bgrace.cli.solve import query
from bgrace.counts.judged import COUNT_NAMES, judge_counts
from bgrace.match.stakes import Stakes
from bgrace.tables import solve_one_sided

ROOT: Final = Path(__file__).resolve().parent.parent
MIN_PAIRS: Final = 1e5
"""A race with fewer pairs is solved exactly within any budget."""


def values(answer: Answer) -> list[float]:
    """List for each place of the cube, in points: rolling now; if one may double, double/take and the difference."""
    listed: list[float] = []
    for cube, place in answer.cubes().items():
        view = place.views()[0]
        assert view is not None
        _, middle, scale = view
        decision = answer.cube(cube)
        rolled, doubled = ((value - middle) / scale for value in (decision.no_double, decision.double_take))
        listed += [rolled] if math.isnan(doubled) else [rolled, doubled, doubled - rolled]
    return listed


def percentiles(numbers: Sequence[float], digits: int = 5) -> str:
    """Write the limits within which 50, 90, 95 and 99 % of the numbers are."""
    known = [number for number in numbers if not math.isnan(number)]
    return " ".join(f"{x:.{digits}f}" for x in np.percentile(known, [50, 90, 95, 99])) if known else "-"


# ---------------------------------------------------------------------- answers


BUDGETS: Final = (0.003, 0.01, 0.03, 0.1, 0.3)
"""Seconds of the answers whose errors are measured."""


@click.command()
@click.option("--races", default=200, show_default=True, help="Of each kind.")
@click.option("--seed", default=0, show_default=True)
@click.option("--most", default=8e6, show_default=True, help="Greatest number of pairs of a race.")
def errors(races: int, seed: int, most: float) -> None:
    """Compare stated errors of answers with true ones, by kind of race and by budget: median and nine tenths.

    Races are in turn for money and at a score.  Exact answers count in the column `with exact ones` alone.  `by`: the
    greatest ratio of a true to its stated error.  `ratio`: the median of stated by true error, where the true one is
    more than 1e-6.  `rank`: Spearman's correlation.
    """
    print("| races | seconds | answers | true error | stated | with exact ones | beyond | by | ratio | rank |")
    print("|---|---:|---:|---|---|---|---:|---:|---:|---:|")
    measured: list[tuple[str, float, float, float]] = []
    n_exact = Counter[tuple[str, float]]()
    for kind in ("recorded", *KINDS):
        large = ((pair, at) for pair, at in drawn(kind, seed) if MIN_PAIRS < n_pairs(pair) <= most)
        for pair, at in itertools.islice(large, races):
            solved, sides = solved_fully(pair, at), (counts_of(pair[0]), counts_of(pair[1]))
            for budget in BUDGETS if solved else ():
                answer = solver().ask(*sides, at.kernel, seconds=budget, memory_bytes=2 << 30)
                assert answer is not None
                assert solved is not None
                if answer.info().exact:
                    n_exact[kind, budget] += 1
                    continue
                error = max(abs(a - b) for a, b in zip(values(answer), values(solved), strict=True))
                method = kind if answer.info().pairs else "estimates"
                measured.append((method, budget, error, answer.info().error))
        for budget in BUDGETS:
            print_errors(
                kind, f"{budget:g}", [each for each in measured if each[:2] == (kind, budget)], n_exact[kind, budget]
            )
    print_errors("estimates", "", [each for each in measured if each[0] == "estimates"])
    turns = [each for each in measured if each[0] != "estimates"]
    for budget in BUDGETS:
        print_errors("by turns", f"{budget:g}", [each for each in turns if each[1] == budget])
    print_errors("by turns", "all", turns)


def print_errors(name: str, seconds: str, measured: list[tuple[str, float, float, float]], n_exact: int = 0) -> None:
    """Print a row of the table: true and stated errors of the answers that are not exact."""
    if len(measured) < 2:
        return
    errors = np.array([each[2:] for each in measured])
    true, stated = errors.T
    both = np.append(stated, np.zeros(n_exact))
    cells = [f"{np.median(each):.2g}, {np.quantile(each, 0.9):.2g}" for each in (true, stated, both)]
    ratios = (stated / np.maximum(true, 1e-12))[true > 1e-6]
    ratio = f"{np.median(ratios):.0f}" if len(ratios) else "-"
    rank = np.corrcoef(np.argsort(np.argsort(errors, axis=0), axis=0).T).ravel()[1]
    print(
        f"| {name} | {seconds} | {len(measured)} | {' | '.join(cells)} | {int((true > stated).sum())} | "
        f"{(true / stated).max():.1f} | {ratio} | {rank:.2f} |",
        flush=True,
    )


@click.command()
def estimates() -> None:
    """Measure the time of estimates, and their distance from solutions of a second.

    Root mean squares for money, 99 of 100 at any stakes, and the number of estimates off by more than they state.
    """

    @cache
    def solver_for(stakes: Stakes) -> Solver:
        prepared = Solver()
        if stakes.score is None:
            prepared.prepare(stakes.kernel, 6)
        return prepared

    print("| races | | median, greatest time | chance | mine, centered, theirs | 99 of 100 within | beyond |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for kind in ("recorded", *KINDS):
        money, errors, stated, took = [], [], [], []
        for pair, stakes in itertools.islice(drawn(kind, 20261124), 250):
            (mine, theirs), prepared = map(counts_of, pair), solver_for(stakes)
            solved = prepared.ask(mine, theirs, stakes.kernel, seconds=1.0)
            spent = []
            for _ in range(5):
                start = time.perf_counter()
                estimate = prepared.ask(mine, theirs, stakes.kernel, "estimate")
                spent.append(time.perf_counter() - start)
            assert solved is not None
            assert estimate is not None
            took.append(1e6 * min(spent))
            errors.append(max(abs(a - b) for a, b in zip(values(estimate), values(solved), strict=True)))
            stated.append(estimate.info().error + solved.info().error)
            if stakes.score is None:
                now = [estimate.cube(place)[0] - solved.cube(place)[0] for place in ("mine", "centered", "theirs")]
                money.append([estimate.chances()[0] - solved.chances()[0], *now])
        square = np.sqrt((np.array(money) ** 2).mean(axis=0))
        print(
            f"| {kind} | {len(errors)} | {np.median(took):.1f}, {max(took):.0f} us | {square[0]:.4f} | "
            f"{square[1]:.4f}, {square[2]:.4f}, {square[3]:.4f} | {np.quantile(errors, 0.99):.3f} | "
            f"{sum(a > b for a, b in zip(errors, stated, strict=True))} |",
            flush=True,
        )


@click.command()
def times() -> None:
    """Divide the processor time of recorded races by the time allowed, on one thread, without and with all rolls."""
    boards = recorded()
    order = np.random.default_rng(1).permutation(len(boards))
    solver().ask(counts_of(boards[0].on_roll), counts_of(boards[0].opponent), Stakes().kernel, "estimate")
    print("| seconds | rolls | races | median | 99 of 100 | greatest | beyond 1.25 | estimates |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|")
    for budget, rolls in itertools.product((0.001, 0.01, 0.1, 1.0), (False, True)):
        ratios, n_estimates = [], 0
        for k in order[: max(20, min(300, int(9 / budget)))]:
            board = boards[k]
            sides, stakes = (counts_of(board.on_roll), counts_of(board.opponent)), Stakes.of(board).kernel
            start = time.process_time()
            answer = solver().ask(*sides, stakes, seconds=budget, memory_bytes=2 << 30, rolls=rolls)
            ratios.append((time.process_time() - start) / budget)
            n_estimates += answer is not None and answer.way == "estimate"
        print(
            f"| {budget:g} | {'all' if rolls else 'none'} | {len(ratios)} | {np.median(ratios):.2f} | "
            f"{np.quantile(ratios, 0.99):.2f} | {max(ratios):.2f} | {sum(r > 1.25 for r in ratios)} | {n_estimates} |",
            flush=True,
        )


@click.command()
@click.option("--races", default=300, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--seconds", multiple=True, default=[0.1, 1.0, 3.0], show_default=True)
def bounds(races: int, seed: int, seconds: tuple[float, ...]) -> None:
    """Measure the width of bounds of recorded races, count proved verdicts, and look for exact values outside."""
    boards = recorded()
    chosen = [boards[k] for k in np.random.default_rng(seed).permutation(len(boards))[:races]]
    for most, home in itertools.product(sorted(seconds), (True, False)):
        widths, took, proved, methods = [], [], list[bool](), Counter[str]()
        outside = n_exact = 0
        for board in chosen:
            if (max(board.on_roll.highest, board.opponent.highest) <= 6) != home:
                continue
            stakes, start = Stakes.of(board), time.process_time()
            limits = Limits(most, 3 << 30, 1)
            proof = Question(board.on_roll, board.opponent, stakes, limits=limits).proof()
            took.append(time.process_time() - start)
            intervals = Bounds.of(proof, stakes.cubes)
            assert intervals is not None
            known = intervals.cube(board.cube if board.cube in stakes.cubes else stakes.default_cube)
            unit = max(stakes.payoff(1) - stakes.payoff(-1), 1e-5) / 2  # to points of the cube
            widths.append((intervals.win.width, known.value.width / unit))
            methods[intervals.method] += 1
            proved += [known.proved] * (known.verdict != "no cube")
            pair = board.on_roll, board.opponent
            if n_pairs(pair) <= 3e6 and (solved := solved_fully(pair, stakes)) is not None:
                exact = [(solved.cube(place).value, intervals.cube(place).value) for place in stakes.cubes]
                n_exact += 1
                apart = max(max(bound.low - value, value - bound.high) for value, bound in exact)
                outside += apart > 2e-13  # the rounding of exact values (docs/proofs.md)
        print(f"{most:g} s, {'home' if home else 'not all home'}: {len(took)} races: {methods.most_common()}")
        print(f"  width of the chance to win, 50 90 95 99 %:  {percentiles([win for win, _ in widths])}")
        print(f"  width of the value, in points of the cube:  {percentiles([value for _, value in widths])}")
        print(f"  processor time:                             {percentiles(took, 2)}")
        print(f"  verdicts proved: {sum(proved)} of {len(proved)}; {outside} of {n_exact} exact values outside")


@click.command()
def reasons() -> None:
    """Check that reasons add up to margins; count which term decides, and which part of a wrong count is wrong."""
    races = recorded(20)
    off_by, decides, wrong = 0.0, Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for race in races:
        solution = bgrace.solve(race.on_roll, race.opponent, seconds=0.05, threads=1)
        action, known = solution.cube_action("centered"), solution.reasons_at("centered")
        assert known is not None
        for name, reason, margin in (
            ("double", known.double, action.double_margin),
            ("take", known.take, action.take_margin),
        ):
            off_by = max(off_by, abs(sum(reason.terms.values()) - (margin or 0.0)))
            decides[name, reason.decides or "none alone"] += 1
        judged = judge_counts(solution, (follow_alone(race.on_roll).epc, follow_alone(race.opponent).epc))
        for name, losses in judged.losses.items():
            for decision in (each for each, loss in losses.items() if loss):
                culprit = judged.culprits.get(name, {}).get(decision)
                wrong[COUNT_NAMES[name], culprit.term if culprit else "none named"] += 1
    print(f"{len(races)} races: terms add up to the margin within {off_by:.1e} points")
    for (name, term), n in sorted(decides.items()):
        print(f"| {name} | {term} | {100 * n / len(races):.1f} % |")
    for (name, term), n in sorted(wrong.items()):
        print(f"| {name} | {term} | {n} |")
    print(Counter({term: sum(n for (_, of), n in wrong.items() if of == term) for _, term in wrong}).most_common())


# ---------------------------------------------------------------------- files


PLANES: Final = ("cubeless", "centered", "mine", "theirs")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True))
def accuracy(file: Path) -> None:
    """Compare a file with double precision: the one-sided rows of all positions, and equities of 1,000 random pairs."""
    with bgrace.open(file) as db:
        space = db.space
        exact, positions = solve_one_sided(space), space.position(np.arange(len(space)))
        rows = db.roll_distribution(positions)
        rolls = np.arange(exact.roll_distribution.shape[1])
        rows = np.pad(rows, ((0, 0), (0, len(rolls) - rows.shape[1])))
        errors = {
            "chance of exactly k rolls": rows - exact.roll_distribution,
            "chance of at most k rolls": (rows - exact.roll_distribution).cumsum(axis=1),
            "mean of the row": rows @ rolls - exact.mean_rolls,
        }
        two_sided = bgrace.PositionSpace(space.points, db.two_sided_checkers)
        drawn_pairs = np.random.default_rng(1).integers(1, len(two_sided), (1000 if db.two_sided_checkers else 0, 2))
        off = []
        for mine, theirs in (tuple(map(two_sided.position, map(int, pair))) for pair in drawn_pairs):
            solved = bgrace.solve(mine, theirs, exact=True).equities
            stored = db.equities(mine, theirs)
            off.append([getattr(stored, name) - getattr(solved, name) for name in PLANES])
        errors |= dict(zip(PLANES, np.array(off).T, strict=True)) if off else {}
    print("| | greatest | root mean square | bias |\n|---|---:|---:|---:|")
    for name, each in errors.items():
        print(f"| {name} | {np.abs(each).max():.1e} | {np.sqrt((each**2).mean()):.1e} | {each.mean():+.1e} |")


ONE_BY_ONE: Final = """#include "bgrace.h"
#define ONE_BY_ONE(name, type, CALL) \\
    int name(bgr_db *db, int points, const int8_t *x, const int8_t *y, int64_t n, type *out) { \\
        int status = 0; \\
        for (int64_t i = 0; i < n && !status; i++, x += points, y += points) status = CALL; \\
        return status; }
ONE_BY_ONE(equities_one_by_one, bgr_equities, bgr_probe_equities(db, points, x, y, out + i))
ONE_BY_ONE(win_one_by_one, double, bgr_probe_win_probability(db, points, x, y, out + i, NULL))
"""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--pairs", default=2_000_000, show_default=True)
def probe(file: Path, pairs: int) -> None:
    """Time the C library as it opens a file and answers from memory, on one core: processor time, best of nine."""
    header, *_, source = embed.sources()
    with tempfile.TemporaryDirectory() as folder, bgrace.open(file) as db:
        made, own = Path(folder, "probe.so"), Path(folder, "probe.c")
        own.write_text(ONE_BY_ONE, encoding="utf-8")
        flags = ["-std=c11", "-O2", "-DNDEBUG", "-shared", "-fPIC", "-fno-semantic-interposition", f"-I{header.parent}"]
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, *flags, own, source, "-o", made, "-lm"], check=True)
        library = ctypes.CDLL(str(made))
        space = bgrace.PositionSpace(db.space.points, db.two_sided_checkers)
        places = np.random.default_rng(1).integers(1, len(space), (2, pairs))
        sides = [np.ascontiguousarray(space.position(each), np.int8) for each in places]
        out, n_done = np.zeros((pairs, 8)), ctypes.c_int64()
        room, n = out.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(pairs)
        for access, name in enumerate(("map", "load", "read")):
            handle, start = ctypes.c_void_p(), time.perf_counter()
            assert library.bgr_open(os.fsencode(file), access, ctypes.byref(handle)) == 0
            print(f"{name}: open {1e3 * (time.perf_counter() - start):.2f} ms")
            asked = [handle, space.points, *(side.ctypes.data_as(ctypes.c_void_p) for side in sides), n, room]
            for call, more in (
                ("equities_one_by_one", []),
                ("bgr_probe_equities_batch", [ctypes.byref(n_done)]),
                ("win_one_by_one", []),
                ("bgr_probe_win_probability_batch", [ctypes.byref(n_done)]),
            ):
                took = []
                for _ in range(10):
                    start = time.process_time()
                    assert getattr(library, call)(*asked, *more) == 0
                    took.append(time.process_time() - start)
                print(f"{name}: {call:32} {pairs / min(took[1:]) / 1e6:.2f} million/s", flush=True)


@click.command()
def frames() -> None:
    """Count the calls of bgrace's functions that a second query in one process makes, by file and in all."""
    entered: Counter[Path] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        source = Path(frame.f_code.co_filename)
        if event == "call" and source.is_relative_to(ROOT / "bgrace"):
            entered[source] += 1

    for profile in (None, count):
        sys.setprofile(profile)
        with redirect_stdout(StringIO()):
            query.main([str(bgrace.example_file()), "6x1", "1x1", "--json"], standalone_mode=False)
        sys.setprofile(None)
    for path, n in entered.most_common():
        print(f"{n:4} {path.relative_to(ROOT)}")
    print(f"{entered.total():4} in {len(entered)} files")


CASES: Final[dict[str, click.Command]] = {
    "errors": errors,  # docs/accuracy.md, csrc/base/tuning.h
    "estimates": estimates,  # docs/embedding/search.md, csrc/answer/by_estimate.c
    "times": times,  # docs/embedding/search.md, csrc/turns/choose.c
    "bounds": bounds,  # docs/proofs.md
    "reasons": reasons,  # docs/why-a-take.md
    "accuracy": accuracy,  # docs/accuracy.md, docs/race-tables.md
    "probe": probe,  # docs/benchmarks.md
    "frames": frames,  # docs/architecture.md
}

if __name__ == "__main__":
    click.Group(commands=CASES, help=__doc__)()
