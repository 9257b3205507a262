"""The page of measures of the referee: rules for races judged.

Two databases of half a gigabyte, one of all pairs of at most ten checkers a side and one with checkers outside, and
some 30,000 larger pairs solved; a solution does not depend on the machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from measure_turns import by_turns, draw, of_file

import bgrace
from bgrace._base.arrays import Booleans, Floats
from bgrace.plot import referee as plots
from bgrace.solving.turns import Budget, solve_turns
from bgrace.studies.race_windows import DECISIONS
from bgrace.studies.referee import Judged, Races, Report, judge, played_races
from pages import markdown

PAGES = ("referee-measures",)
CHECKERS = 10
GAMES = 20_000
SOLVED_GAMES = 5_000
SECONDS = 0.03
COMPARED = 500
LONG, SHORT = (31, 150), (1, 30)


def rules(reports: dict[str, Report]) -> str:
    """What every rule loses in each sample, by its loss in long races."""
    head = ["rule", "31 pips on: loss", "best limits", "up to 30: loss", "best limits", "as in real games"]
    rows = []
    for rule in reports["long"].rules:
        short, judged = reports["short"][rule.name], reports["in question"][rule.name]
        rows.append(
            [
                f"*{rule.title}*" if rule.kind == "yardstick" else rule.title,
                *(cell for each in (rule, short) for cell in loss_cells(each)),
                f"{judged.cost_in_real_games:.1f}",
                f"{100 * rule.chance.rms:.2f} %" if rule.chance is not None and rule.chance.rms > 0 else "",
            ]
        )
    return markdown([*head, "chance off by"], rows)


def loss_cells(rule: Judged) -> tuple[str, str]:
    """The loss as it is, and with the best limits."""
    return f"{rule.cost:.2f} ± {rule.error:.2f}", "" if rule.name == "never" else f"{rule.best_cost:.2f}"


def far(solved: Floats, exact: Floats) -> list[str]:
    """Root mean square and greatest difference of equities, in thousandths."""
    off = 1000 * np.abs(solved - exact)
    return [f"{np.sqrt(np.mean(off**2)):.2f}", f"{off.max():.2f}"]


def alone(db: bgrace.Database, races: Races, fewest: int) -> list[str]:
    """How far solutions that know nothing of `db` are from its pairs."""
    points, most = db.space.points, db.two_sided_checkers
    pairs = draw(races, points, COMPARED, fewest, most)
    solved = [by_turns(solve_turns(*pair, budget=Budget(SECONDS))) for pair in pairs]
    exact = [of_file(db, *pair) for pair in pairs]
    return [f"{len(pairs):,}", *far(np.array(solved)[:, 1:], np.array(exact)[:, 1:])]


def reference(db: bgrace.Database, outside: bgrace.Database) -> str:
    """Solutions beside exact pairs, those of few checkers being solved anew without them."""
    rows = [
        ["nine or ten a side, all home", *alone(db, played_races(db, GAMES // 10), 9)],
        ["six a side, some outside", *alone(outside, with_some_outside(played_races(outside, GAMES // 10)), 4)],
    ]
    return markdown(["solved equities, in thousandths", "pairs", "rms", "greatest"], rows)


def sample(report: Report, long: Report, short: Report) -> str:
    each = (report, long, short)
    rows = [
        ["pairs of this many games", *(f"{one.games:,}" for one in each)],
        ["pairs of positions", *(f"{one.judged_pairs:,}" for one in each)],
        ["in the table", *(f"{100 * one.exact:.0f} %" for one in each)],
        ["solved by turns", *(f"{100 * one.solved:.0f} %" for one in each)],
        *([f"{name} is right", *(f"{100 * one.right[name]:.1f} %" for one in each)] for name in DECISIONS),
    ]
    return markdown(["", "in question", "31 pips on", "to 30"], rows)


def with_some_outside(races: Races) -> Races:
    """The pairs with a checker outside the home board."""
    outside = np.add(*(races.positions(side)[:, 6:].sum(axis=1) for side in ("on_roll", "opponent"))) > 0
    return chosen_of(races, outside)


def chosen_of(races: Races, chosen: Booleans) -> Races:
    """Some of the pairs."""
    kept = {
        field.name: getattr(races, field.name)[chosen]
        for field in fields(races)
        if field.name not in ("space", "mean_rolls", "variance_rolls")
    }
    return replace(races, **kept)


@contextmanager
def databases() -> Iterator[tuple[bgrace.Database, bgrace.Database]]:
    with tempfile.TemporaryDirectory() as folder:
        path, outside = Path(folder, "referee.h5"), Path(folder, "outside.h5")
        bgrace.build(path, two_sided=CHECKERS)
        bgrace.build(outside, points=10, checkers=6, two_sided=6)
        with bgrace.open(path) as db, bgrace.open(outside) as other:
            yield db, other


@cache
def found() -> tuple[dict[str, Report], str]:
    """Reports on three samples, and how solved equities compare."""
    with databases() as (db, outside):
        races, solved = played_races(db, GAMES), played_races(db, SOLVED_GAMES, seconds=SECONDS)
        reports = {
            "in question": judge(solved),
            "long": judge(solved, pips=LONG),
            "short": judge(races, pips=SHORT),
        }
        return reports, reference(db, outside)


def print_against(path: Path) -> None:
    """Solved pairs of a tenth of the games beside those of a larger table."""
    with databases() as (db, _), bgrace.open(path) as larger:
        solved = played_races(db, SOLVED_GAMES // 10, seconds=SECONDS)
        exact = played_races(larger, SOLVED_GAMES // 10)
    both = solved.solved & exact.exact
    names = ("no_double", "no_redouble", "double_take")
    apart = [getattr(solved, name)[both] - getattr(exact, name)[both] for name in names]
    print(f"{both.sum():,} pairs, {100 * both.sum() / solved.solved.sum():.0f} % of those that were solved")
    for name, off in zip(names, apart, strict=True):
        print(f"{name}: mean {off.mean():+.5f}, rms {np.sqrt(np.mean(off**2)):.5f}, greatest {np.abs(off).max():.5f}")
    within = np.max(np.abs(apart), axis=0) <= solved.error[both]
    print(f"within the stated error: {within.sum():,}")


def tables() -> dict[str, str]:
    reports, compared = found()
    all_of_them, long, short = (reports[name] for name in ("in question", "long", "short"))
    return {
        "sample": sample(all_of_them, long, short),
        "rules": rules(reports),
        "reference": compared,
    }


def pictures() -> dict[str, Figure]:
    reports, _ = found()
    panels = {"31 pips and more": reports["long"], "up to 30 pips": reports["short"]}
    return {
        "referee-ranking.svg": plots.ranking(panels),
        "referee-lengths.svg": plots.by_length(reports["in question"]),
    }
