"""Shared by the commands that review matches: their options, and files reviewed with complaints about the bad ones."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Final

import click

from bgrace.cli.options import Target, check_targets, seconds_option_of
from bgrace.cli.output import progress, say
from bgrace.errors import ArgumentError
from bgrace.match.met import MatchEquityTable
from bgrace_apps.review import FileReview, MatchReview, find_matches, prove_mistakes, review_many
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
