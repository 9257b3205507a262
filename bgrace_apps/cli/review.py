"""``bgrace review``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bgrace._base.files import write_small_file
from bgrace.cli.options import Target, explorer_option, json_option, language_option, workers_option
from bgrace.cli.output import print_json
from bgrace.cli.race import met_option, read_met
from bgrace.cli.screen import console, show
from bgrace_apps.cli.review_text import ReviewSummary
from bgrace_apps.cli.reviewing import ReviewRun, review_seconds_option
from bgrace_apps.review import MatchReview, review_csv, review_html


@click.command(name="review")
@click.argument("matches", nargs=-1, required=True, metavar="MATCH...")
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="Mistakes to show.")
@click.option("--player", metavar="NAME", help="Show the mistakes of this player alone.")
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write an .html page with boards and charts."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE", help="Write decisions as .csv.")
@click.option(
    "--prove", is_flag=True, help="Say which mistakes are proved, at some 0.4 seconds for each of the others."
)
@explorer_option
@workers_option
@review_seconds_option
@language_option
@met_option
@json_option
def review_command(
    *,
    matches: tuple[str, ...],
    worst: int,
    player: str | None,
    html: Path | None,
    csv_file: Path | None,
    prove: bool,
    explorer: str | None,
    workers: int | None,
    seconds: float,
    met: str | None,
    as_json: bool,
) -> None:
    """Judge every race decision of recorded matches, at its own score.

    MATCH is the file of a match: .mat or .txt (which nearly every program writes), .sgf (GNU Backgammon), .xg or .xgp
    (eXtreme Gammon), .bgf (BGBlitz) or .ogxm.  It can also be a file of position IDs, one per line, a folder, or a
    pattern.  Several files are added up by player; with --json each match is an object on a line of its own.

    \b
    Examples:
      bgrace review match.mat
      bgrace review match.sgf --html match.html
      bgrace review matches/ --csv decisions.csv
    """  # noqa: D301
    if explorer is not None and html is None:
        raise click.UsageError("--explorer is for the page: give --html, its file, too")
    run = ReviewRun(matches, read_met(met), seconds, workers, player, prove)
    run.check_targets(
        Target("--html", html, (".html", ".htm")),
        Target("--csv", csv_file, (".csv",)),
        met=met,
    )
    summary = ReviewSummary(run.many, worst, player)
    kept: list[MatchReview] = []
    for review in run:
        summary.add(review)
        if html is not None or csv_file is not None:
            kept.append(review)
        if as_json and run.many:
            click.echo(json.dumps(review.to_dict(), ensure_ascii=False, allow_nan=False))
        elif as_json:
            print_json(review.to_dict())
    if html is not None:
        write_small_file(html, review_html(kept, explorer=explorer).encode())
    if csv_file is not None:
        write_small_file(csv_file, review_csv(kept).encode())
    if not as_json:
        show(*summary.blocks(console()))
    run.finish()
