"""``bgrace review`` and ``bgrace deck``."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Final

import click

from bgrace._base.files import write_small_file
from bgrace.cli.options import (
    Target,
    check_targets,
    explorer_option,
    json_option,
    language_option,
    seconds_option_of,
    workers_option,
)
from bgrace.cli.output import print_json, progress, say
from bgrace.cli.race import met_option, read_met
from bgrace.cli.screen import console, show
from bgrace.errors import ArgumentError
from bgrace.match.met import MatchEquityTable
from bgrace_apps.cli.review_text import ReviewSummary
from bgrace_apps.review import (
    FileReview,
    MatchReview,
    find_matches,
    prove_mistakes,
    review_csv,
    review_html,
    review_many,
)
from bgrace_apps.review.deck import deck_bytes
from bgrace_apps.review.questions import DEFAULT_SECONDS

review_seconds_option: Final = seconds_option_of(
    DEFAULT_SECONDS, "About how long to compute on a position that is too large to be solved exactly."
)
"""The ``--seconds`` of commands that review matches."""


_MAX_NAMED: Final = 8
"""Players or files that are listed."""


class NothingError(click.ClickException):
    """Files that cannot be reviewed: wrong usage."""

    exit_code = 2


class ReviewRun:
    """Files, folders or patterns reviewed one after another, to be iterated over once, and then finished.

    A `player` has to be one of the players of the matches.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        met: MatchEquityTable,
        seconds: float,
        workers: int | None,
        player: str | None = None,
        prove: bool = False,
    ) -> None:
        self._prove = prove
        self._met, self._seconds, self._workers = met, seconds, workers
        self._names, self._n_reviews, self._n_decisions = names, 0, 0
        self._failed: dict[str, str] = {}
        """Complaints by the name of a file."""
        self._player, self._players = player, dict[str, None]()
        try:
            self.paths = list(find_matches(names))
        except ArgumentError as error:
            raise NothingError(str(error)) from error
        self.many: bool = len(self.paths) != 1
        """Whether there is more than one file."""
        if not self.many:
            _check_readable(self.paths[0])

    def check_targets(self, *targets: Target, met: str | None) -> None:
        """Make sure that what is to be written replaces nothing that is read, a match equity table included."""
        check_targets(targets, [*self.paths, *([] if met is None else [Path(met)])])

    def __iter__(self) -> Iterator[MatchReview]:
        with progress("reviewing") if self.many else nullcontext() as shown:
            for result in review_many(
                self.paths, met=self._met, seconds=self._seconds, workers=self._workers, progress=shown
            ):
                self._n_reviews += len(result.reviews)
                if result.error:
                    self._complain(result)
                for review in result.reviews:
                    if any(game.number for game in review.games):  # in contrast to positions, which nobody played
                        self._players |= dict.fromkeys(review.match.players)
                if not self.many:
                    self._check_player()
                for review in result.reviews:
                    self._n_decisions += len(review.decisions)
                    yield prove_mistakes(review, self._met) if self._prove else review
        if not self._n_reviews:
            raise NothingError("none of these files is a match, as said above")
        self._check_player()
        if not (self._n_decisions or self._failed):
            named = ", ".join(self._names[:3]) + (", ..." if len(self._names) > 3 else "")
            raise NothingError(f"{named}: no game came to a race, so there is nothing to review")

    def _check_player(self) -> None:
        """Raise NothingError if nobody has the name that is asked about."""
        names = list(self._players)
        if self._player is None or not names or self._player in names:
            return
        named = names if len(names) <= _MAX_NAMED else [*names[:_MAX_NAMED], f"{len(names) - _MAX_NAMED:,} more"]
        listed = " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))
        are = "the players are" if len(names) > 1 else "the player is"
        raise NothingError(f"no player {self._player!r}: {are} {listed}")

    def _complain(self, told: FileReview) -> None:
        line = told.error if told.path in told.error else f"{told.path}: {told.error}"
        if not (self.many or told.reviews):
            raise NothingError(line)
        self._failed[told.path] = line
        if self.many:
            say(line)

    def finish(self) -> None:
        """Raise ClickException, with what is right already printed, if not all could be reviewed."""
        if not self._failed:
            return
        if not self.many:
            raise click.ClickException(*self._failed.values())
        more = f" and {len(self._failed) - _MAX_NAMED:,} more" if len(self._failed) > _MAX_NAMED else ""
        raise click.ClickException(
            f"{len(self._failed):,} of the {len(self.paths):,} files could not be reviewed, or not all of it, as said "
            f"above: {', '.join(islice(self._failed, _MAX_NAMED))}{more}"
        )


def _check_readable(path: Path) -> None:
    """Raise OSError, as every command does that cannot read its file."""
    path.stat()
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


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
