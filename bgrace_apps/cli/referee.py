"""``bgrace referee``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from bgrace._base.limits import MAX_SECONDS
from bgrace._base.processes import processes
from bgrace.cli.options import check_option, database_argument, json_option, workers_option_of
from bgrace.cli.output import emit, eprint, progress
from bgrace.cli.screen import Block, Note, columns
from bgrace.database.database import open as open_database
from bgrace_apps import plot as pictures
from bgrace_apps.cli.plot import check_picture, picture_option
from bgrace_apps.studies.race_windows import DECISIONS
from bgrace_apps.studies.referee import RULES, SEED, Report, judge, played_races
from bgrace_apps.studies.referee.judging import MAX_PIPS


@click.command()
@database_argument
@click.option(
    "--rule",
    "rules",
    multiple=True,
    type=click.Choice(list(RULES)),
    metavar="RULE",
    help="A rule to judge; may be given several times.  [default: every rule]",
)
@click.option("--games", type=click.IntRange(2, 10**7), default=2000, show_default=True, help="How many races to play.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, MAX_SECONDS),
    default=0,
    show_default=True,
    help="Seconds to solve each pair in question that FILE does not hold; 0 estimates instead.",
)
@workers_option_of("With --seconds: processes to solve with, not threads.")
@click.option("--seed", type=click.IntRange(min=0), default=SEED, show_default=True, help="Seed of the dice.")
@click.option(
    "--pips",
    type=click.IntRange(min=1),
    nargs=2,
    default=(1, MAX_PIPS),
    show_default=True,
    help="Minimum and maximum pip count of the player on roll.",
)
@click.option(
    "--everywhere", is_flag=True, help="Also judge automatic decisions, with a chance below 50 or above 95 %."
)
@picture_option("PICTURE")
@check_option
@json_option
def referee(
    *,
    file: Path,
    rules: tuple[str, ...],
    games: int,
    seconds: float,
    workers: int | None,
    seed: int,
    pips: tuple[int, int],
    everywhere: bool,
    plot: Path | None,
    checked: bool,
    as_json: bool,
) -> None:
    """Measure what it costs to go by a count or a formula in a race.

    Races are played from before the bear-in to the end, and every rule decides every position before a roll.  Equities
    are exact as far as the two-sided table of FILE reaches.  Beyond that a race of single checkers with the same chance
    stands in, or with --seconds each pair is solved.

    Losses are thousandths of the cube, in three groups of columns:

    \b
      in play         the double and, where the rule doubles, the take
      each decision   double, redouble and take, asked in every race
      best limits     in play, by the same rule with the limits that do best in
                      every other game, judged in the rest: of few games it may
                      lose more than the rule as it is

    \b
    Examples:
      bgrace referee bearoff.h5
      bgrace referee bearoff.h5 --rule keith --rule isight --pips 31 60 --games 20000
    """  # noqa: D301
    if pips[0] > pips[1]:
        raise click.UsageError(f"--pips {pips[0]} {pips[1]}: give the least pip count first, then the greatest")
    check_picture("--plot", plot, [file])
    if workers is not None and not seconds:
        raise click.UsageError("--workers is for --seconds: without it nothing is solved")
    with (
        open_database(file, verify=checked) as db,
        nullcontext() if workers is None else processes(workers) as executor,
    ):
        eprint(f"playing {games:,} races of {db.space.checkers} checkers a side")
        with progress("solving") as report_progress:
            races = played_races(db, games, seed, seconds=seconds, progress=report_progress, executor=executor)
    report = judge(races, dict.fromkeys(rules) or None, pips=pips, everywhere=everywhere)
    emit(report, as_json, _blocks)
    if plot is not None:
        title = "all lengths" if pips == (1, MAX_PIPS) else f"{pips[0]} to {pips[1]} pips"
        eprint(f"drew {pictures.canvas.save(pictures.referee.ranking({title: report}), plot)}")


def _blocks(report: Report, _sink: Console) -> list[Block]:
    heads = ("", "loss", "", "double", "redouble", "take", "best")
    table = columns("left", *["right"] * 6, heads=heads)
    for rule in report.rules:
        parts = (rule.double.cost, rule.redouble.cost, rule.take.cost, rule.best_cost)
        table.add_row(rule.title, f"{rule.cost:.2f}", f"± {rule.error:.2f}", *(f"{cost:.2f}" for cost in parts))
    right = ", ".join(f"{name} {100 * report.right[name]:.0f} %" for name in DECISIONS)
    sample = f"{report.judged_pairs:,} of {report.pairs:,} pairs of {report.games:,} races; right: {right}"
    return [Text(sample, style="bold"), "", table, Note(_known(report))]


def _known(report: Report) -> str:
    parts = [f"{100 * report.exact:.0f} % of the equities are the file's"]
    if report.solved:
        parts.append(f"{100 * report.solved:.0f} % were solved, to within {report.solved_error:.4f} points")
    if report.reference is not None and report.exact + report.solved < 1:
        parts.append(f"what stands in for the others loses {report.reference.cost:.2f} where it can be compared")
    return "; ".join(parts)
