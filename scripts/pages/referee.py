"""The page of measures of the referee, which judges rules for races.

It uses a database of half a gigabyte, of all pairs of at most ten checkers a side, and solves some 30,000 larger
pairs; a solution does not depend on the machine.
"""

from __future__ import annotations

from functools import cache

from matplotlib.figure import Figure

from bgrace_apps.plot import referee as plots
from bgrace_apps.studies.race_windows import DECISIONS
from bgrace_apps.studies.referee import Judged, Report, judge, played_races
from pages import built, markdown

PAGES = ("referee-measures",)
CHECKERS = 10
GAMES = 20_000
SOLVED_GAMES = 5_000
SECONDS = 0.03
LONG, SHORT = (31, 150), (1, 30)


def rules(reports: dict[str, Report]) -> str:
    """Write the loss of every rule in each sample, in order of its loss in long races."""
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
    """Write the loss of a rule, and that with the best limits."""
    return f"{rule.cost:.2f} ± {rule.error:.2f}", "" if rule.name == "never" else f"{rule.best_cost:.2f}"


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


@cache
def found() -> dict[str, Report]:
    """Judge three samples."""
    with built(two_sided=CHECKERS) as db:
        races, solved = played_races(db, GAMES), played_races(db, SOLVED_GAMES, seconds=SECONDS)
        return {"in question": judge(solved), "long": judge(solved, pips=LONG), "short": judge(races, pips=SHORT)}


def tables() -> dict[str, str]:
    reports = found()
    return {"sample": sample(*reports.values()), "rules": rules(reports)}


def pictures() -> dict[str, Figure]:
    reports = found()
    panels = {"31 pips and more": reports["long"], "up to 30 pips": reports["short"]}
    return {
        "referee-ranking.svg": plots.ranking(panels),
        "referee-lengths.svg": plots.by_length(reports["in question"]),
    }
