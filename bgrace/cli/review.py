"""``bgrace review``."""

from __future__ import annotations

import click
from rich.text import Text

from bgrace.board import board_text
from bgrace.cli.match_tables import read_met
from bgrace.cli.options import json_option, met_option
from bgrace.cli.output import columns, console, print_json, print_lines, print_note, print_table, say
from bgrace.errors import ArgumentError, FormatError
from bgrace.match.met import MatchEquityTable
from bgrace.review import Decision, MatchReview, read
from bgrace.review.questions import DEFAULT_SECONDS
from bgrace.review.reviewing import review
from bgrace.review.words import costs, decision_words, player_words, where

__all__ = ["review_command"]


@click.command(name="review")
@click.argument("matches", nargs=-1, required=True, metavar="MATCH...")
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="Mistakes to show.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_SECONDS,
    show_default=True,
    help="About how long to compute on a position that is too large to be solved exactly.",
)
@met_option
@json_option
def review_command(*, matches: tuple[str, ...], worst: int, seconds: float, met: str | None, as_json: bool) -> None:
    """Judge every race decision of recorded matches, exactly, at its own score.

    MATCH is a file of a match: .mat or .txt (which nearly every program writes), .sgf (GNU Backgammon), .xg or .xgp
    (eXtreme Gammon), .bgf (BGBlitz), .ogxm; or IDs of positions, one a line.

    \b
    Examples:
      bgrace review tests/review/matches/5-103.mat
      bgrace review tests/review/matches/5-103.mat --worst 3
      bgrace review tests/review/matches/5-103.mat --json
    """  # noqa: D301
    table = read_met(met)
    reviews: list[MatchReview] = []
    for path in matches:
        reviews += _reviewed(path, table, seconds)
    if not any(told.decisions for told in reviews):
        raise _NothingError(f"{', '.join(matches)}: no game came to a race, so there is nothing to review")
    for told in reviews:
        if as_json:
            print_json(told.to_dict())
        else:
            print_review(told, worst)


class _NothingError(click.ClickException):
    """A file that cannot be reviewed: wrong usage."""

    exit_code = 2


def _reviewed(path: str, met: MatchEquityTable | None, seconds: float) -> list[MatchReview]:
    try:
        return [review(match, met=met, seconds=seconds) for match in read(path)]
    except (ArgumentError, FormatError) as error:
        raise _NothingError(str(error)) from error
    except OSError as error:
        raise _NothingError(f"{path}: {error.strerror or error}; give a file of a match") from error


def print_review(told: MatchReview, worst: int) -> None:
    """Print what came of a match, and its worst mistakes with boards."""
    match = told.match
    length = f"match to {match.length}" if match.length else "money session"
    if match.length or told.games:
        print_lines(Text(f"{match.players[0]} against {match.players[1]}, {length}", style="bold"))
    print_lines(Text(match.source, style="dim"), "")
    _print_summary(told)
    for decision in told.mistakes[:worst]:
        _print_mistake(told, decision)
    for problem in told.problems:
        say(f"{match.source}: {problem}")


def _print_summary(told: MatchReview) -> None:
    table = columns("left", "right", "right")
    tallies = told.tallies
    table.add_row("", *(Text(tally.name, style="bold") for tally in tallies))
    table.add_row("race decisions", *(f"{tally.n_decisions}" for tally in tallies))
    table.add_row("that were a choice", *(f"{tally.n_counted}" for tally in tallies))
    table.add_row("mistakes", *(f"{tally.n_errors}" for tally in tallies))
    for name in tallies[0].errors:
        if any(tally.errors[name][0] for tally in tallies):
            cells = (costs(told.match, tally.errors[name][1]) if tally.errors[name][0] else "" for tally in tallies)
            table.add_row(f"  {name}", *cells)
    table.add_row("cost together", *(costs(told.match, tally.loss) for tally in tallies))
    table.add_row("luck of the dice", *(costs(told.match, tally.luck, signed=True) for tally in tallies))
    print_table(table)


def _print_mistake(told: MatchReview, decision: Decision) -> None:
    sink = console()
    sink.print()
    print_lines(Text(f"{where(decision)}: {player_words(told.match, decision)}", style="bold"))
    for line in decision_words(told.match, decision):
        print_lines(f"  {line}")
    sink.print()
    play = decision.done if decision.kind == "play" else None
    for line in board_text(decision.board, play=play, ascii_only=sink.options.ascii_only).splitlines():
        print_lines(f"  {line}")
    if decision.error:
        print_note(f"nearly exact: within about {decision.error:.4f} points")
