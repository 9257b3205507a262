"""``bgrace deck``."""

from __future__ import annotations

from pathlib import Path

import click

from bgrace._base.files import write_small_file
from bgrace.cli.options import Target, explorer_option, language_option, workers_option
from bgrace.cli.race import met_option, read_met
from bgrace_apps.cli.reviewing import ReviewRun, review_seconds_option
from bgrace_apps.review.deck import deck_bytes


@click.command(name="deck")
@click.argument("matches", nargs=-1, required=True, metavar="MATCH...")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="An .apkg file.")
@click.option("--player", metavar="NAME", help="Cards of the mistakes of this player alone.")
@explorer_option
@workers_option
@review_seconds_option
@language_option
@met_option
def deck_command(
    *,
    matches: tuple[str, ...],
    output: Path,
    player: str | None,
    explorer: str | None,
    workers: int | None,
    seconds: float,
    met: str | None,
) -> None:
    """Make Anki cards of the mistakes in recorded matches, or of positions.

    MATCH is as for bgrace review.  Each card shows a board and asks what to do; its back has the right answer, the
    value of every choice, and the play that was made.  Importing a later deck adds new cards and keeps your
    progress.

    \b
    Examples:
      bgrace deck match.mat -o errors.apkg
      bgrace deck matches/ --player "Anna Lee" -o errors.apkg
      bgrace deck quiz.txt -o quiz.apkg
    """  # noqa: D301
    run = ReviewRun(matches, read_met(met), seconds, workers, player=player)
    run.check_targets(Target("--output", output, (".apkg",)), met=met)
    click.echo(write_small_file(output, deck_bytes(run, player=player, explorer=explorer)))
    run.finish()
