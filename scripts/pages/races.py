"""The pages about races, from a database of up to eight checkers a side, and from played races."""

from __future__ import annotations

from functools import cache

from matplotlib.figure import Figure

from bgrace.cube import endgame, race
from bgrace_apps.plot import board_races as board_pictures
from bgrace_apps.plot import race as race_pictures
from bgrace_apps.studies import played_races as board_races
from bgrace_apps.studies.played_races import BoardRaces
from bgrace_apps.studies.race_windows import (
    DECISIONS,
    RULES,
    PositionWindow,
    Study,
    rows_by_lead,
    single_checker_lead,
    study,
)
from pages import ROOT, built, markdown, read_csv

PAGES = ("race-windows", "race-mathematics", "played-races")
CHECKERS = 8


@cache
def studied() -> Study:
    with built(points=6, checkers=CHECKERS, two_sided=CHECKERS) as db:
        return study(db)


@cache
def played() -> BoardRaces:
    return board_races.play()


COSTS = [f"{name}: {rule}" if rule == RULES[0] else rule for name in ("double", "take") for rule in RULES]


def _costs(group: PositionWindow) -> list[str]:
    """Write the mean loss of each rule at doubles, then at takes, in thousandths of a point."""
    return [f"{1000 * group.accuracy[name][rule].mean_loss:.1f}" for name in ("double", "take") for rule in RULES]


def positions_by_epc() -> str:
    rows = []
    for group in studied().by_epc(least_pairs=1000):
        if int(group.label) % 5 == 0:
            model = single_checker_lead(int(group.label) + 0.5)
            leads = [f"{getattr(group, name):+.1f} ({model[name]:+.1f})" for name in DECISIONS]
            rows.append([group.label, f"{group.pairs:,}", *leads, *_costs(group)])
    return markdown(["EPC", "pairs", *DECISIONS, *COSTS], rows, left=0)


def one_roll() -> str:
    one, two = endgame.one_checker_chances(), endgame.two_checker_chances()
    rows = [["alone", *one.tolist()], *([f"with {n + 1}", *row] for n, row in enumerate(two.tolist()))]
    return markdown(["", *map(str, range(1, 7))], rows, left=0)


def estimates() -> str:
    rows = []
    for row in read_csv(ROOT / "tests" / "golden" / "race_estimates.csv"):
        span = (f"{row['k_first']}..{row['k_last']}", f"{row['lead_first']}..{row['lead_last']}")
        rows.append([row["estimate"], *span, row["largest"], f"{row['k']}, {row['s']}", row["rms"]])
    return markdown(["estimate", "k", "s - k", "largest error", "at", "root mean square"], rows, left=0)


def examples() -> str:
    rows = [
        [e.name, e.opponent, f"{e.points_no_double:.6f}", f"{e.points_double_take:.6f}", e.game.mine.verdict]
        for e in endgame.examples()
    ]
    return markdown(["example", "opponent on", "no double", "double/take", "verdict"], rows, left=0)


def tables() -> dict[str, str]:
    races = played()
    return {
        "windows": markdown(["lead", *DECISIONS], rows_by_lead(race.solve(0).windows(200)[20:]), left=0),
        "positions by EPC": positions_by_epc(),
        "one roll": one_roll(),
        "estimates": estimates(),
        "examples": examples(),
        "played fits": board_races.markdown(races.fits()),
    }


def pictures() -> dict[str, Figure]:
    return {
        "race-windows.svg": race_pictures.windows(),
        "race-positions.svg": race_pictures.positions(studied()),
        "race-two-step.svg": race_pictures.two_step(),
        "race-continuous.svg": race_pictures.opponents(),
        **{
            f"played-races-{name[-2:]}.svg": draw(played())
            for name, draw in board_pictures.FIGURES.items()
            if name[-2:] in ("02", "10", "11", "12")
        },
    }
