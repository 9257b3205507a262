"""``bgrace review`` and ``bgrace deck``."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from bgrace._base.files import write_small_file
from bgrace._base.language import decimal
from bgrace._base.language import say as words_of
from bgrace.board import board_text
from bgrace.board.dice import roll_name
from bgrace.cli.options import (
    Decorator,
    Target,
    check_targets,
    explorer_option,
    json_option,
    language_option,
    seconds_option_of,
    with_options,
    workers_option,
)
from bgrace.cli.output import eprint, listed, print_json, progress
from bgrace.cli.race import met_files, met_option, read_met
from bgrace.cli.screen import Block, columns, console, show, wrapped
from bgrace.errors import ArgumentError
from bgrace_apps.review import (
    Decision,
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
from bgrace_apps.review.words import (
    PlayerRecords,
    best_words,
    board_names,
    choice_words,
    close_words,
    costs,
    decision_words,
    engine_words,
    labelled,
    level_words,
    player_words,
    pr_words,
    risk_words,
    where,
)

_RUN_OPTIONS: Final[Sequence[Decorator]] = (
    explorer_option,
    workers_option,
    seconds_option_of(
        DEFAULT_SECONDS, "About how long to compute on a position that is too large to be solved exactly."
    ),
    language_option,
    met_option,
)
"""What commands that review matches have in common; `ReviewRun` takes workers, seconds and the match equity table."""

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
        player: str | None,
        prove: bool = False,
        *,
        met: str | None,
        seconds: float,
        workers: int | None,
    ) -> None:
        self._prove = prove
        self._met, self._seconds, self._workers = read_met(met), seconds, workers
        self._met_files = met_files(met)
        self._names = names
        self.n_reviews = self.n_decisions = 0
        self._failed: dict[str, str] = {}
        """Complaints by the name of a file."""
        self.player, self._players = player, dict[str, None]()
        try:
            self.paths = list(find_matches(names))
        except ArgumentError as error:
            raise NothingError(str(error)) from error
        self.many: bool = len(self.paths) != 1
        """Whether there is more than one file."""
        if not self.many:  # an OSError, as in every command whose file cannot be read
            path = self.paths[0]
            path.stat()
            if not os.access(path, os.R_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    def check_targets(self, *targets: Target) -> None:
        """Check that no file to be written is one of those that are read, such as a match or the match equity table."""
        check_targets(targets, [*self.paths, *self._met_files])

    def __iter__(self) -> Iterator[MatchReview]:
        with progress("reviewing") if self.many else nullcontext() as shown:
            for result in review_many(
                self.paths, met=self._met, seconds=self._seconds, workers=self._workers, progress=shown
            ):
                self.n_reviews += len(result.reviews)
                if result.error:
                    self._complain(result)
                for review in result.reviews:
                    if any(game.number for game in review.games):  # a list of positions has no players
                        self._players |= dict.fromkeys(review.match.players)
                if not self.many:
                    self._check_player()
                for review in result.reviews:
                    self.n_decisions += len(review.decisions)
                    for problem in review.problems:
                        eprint(f"{review.match.source}: {problem}")
                    yield prove_mistakes(review, self._met) if self._prove else review
        if not self.n_reviews:
            raise NothingError("none of these files is a match, as said above")
        self._check_player()
        if not (self.n_decisions or self._failed):
            named = ", ".join(self._names[:3]) + (", ..." if len(self._names) > 3 else "")
            raise NothingError(f"{named}: nothing to review: no game came to a race that could be judged")

    def _check_player(self) -> None:
        """Raise NothingError if nobody has the name that is asked about."""
        names = list(self._players)
        if self.player is None or not names or self.player in names:
            return
        named = names if len(names) <= _MAX_NAMED else [*names[:_MAX_NAMED], f"{len(names) - _MAX_NAMED:,} more"]
        are = "the players are" if len(names) > 1 else "the player is"
        raise NothingError(f"no player {self.player!r}: {are} {listed(named)}")

    def _complain(self, told: FileReview) -> None:
        line = told.error if told.path in told.error else f"{told.path}: {told.error}"
        if not (self.many or told.reviews):
            raise NothingError(line)
        self._failed[told.path] = line
        if self.many:
            eprint(line)

    def finish(self) -> None:
        """Raise ClickException if not all could be reviewed; the reports of the others are printed already."""
        if not self._failed:
            return
        if not self.many:
            raise click.ClickException(*self._failed.values())
        more = f" and {len(self._failed) - _MAX_NAMED:,} more" if len(self._failed) > _MAX_NAMED else ""
        raise click.ClickException(
            f"{len(self._failed):,} of the {len(self.paths):,} files could not be reviewed, or not all of it, as said "
            f"above: {', '.join(islice(self._failed, _MAX_NAMED))}{more}"
        )


def _run_options(command: Callable[..., None]) -> Callable[..., None]:
    return with_options(command, _RUN_OPTIONS)


@click.command(name="review")
@click.argument("matches", nargs=-1, required=True, metavar="MATCH...")
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="Mistakes to show.")
@click.option("--player", metavar="NAME", help="Show the mistakes of this player alone.")
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write an .html page with boards and charts."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE", help="Write decisions as .csv.")
@click.option("--prove", is_flag=True, help="Say which mistakes are proved; each of the others takes some 0.4 seconds.")
@_run_options
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
    as_json: bool,
    **asked: Any,
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
    run = ReviewRun(matches, player, prove, **asked)
    run.check_targets(Target("--html", html, (".html", ".htm")), Target("--csv", csv_file, (".csv",)))
    summary = ReviewSummary(run, worst)
    kept: list[MatchReview] = []
    for review in run:
        summary.add(review)
        if html is not None or csv_file is not None:
            kept.append(review)
        if as_json and run.many:
            click.echo(json.dumps(review.to_dict(), allow_nan=False))
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
@click.option("--player", metavar="NAME", help="Leave out the mistakes of other players; positions of no match stay.")
@_run_options
def deck_command(
    *, matches: tuple[str, ...], output: Path, player: str | None, explorer: str | None, **asked: Any
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
    run = ReviewRun(matches, player, **asked)
    run.check_targets(Target("--output", output, (".apkg",)))
    click.echo(write_small_file(output, deck_bytes(run, player=player, explorer=explorer)))
    run.finish()


# ---------------------------------------------------------------------- the report on the terminal

_MAX_CLOSE: Final = 10
"""Number of decisions listed as too close to call."""

_MAX_RISKS: Final = 10
"""Number of plays listed for their risk: those furthest above the least risk."""


class ReviewSummary:
    """The report at the end of a run; of many matches nothing else is kept in memory.

    If there are several matches, they are added up by player instead of being shown one by one.  The `worst` gravest
    mistakes are shown, of one player or of all.
    """

    def __init__(self, run: ReviewRun, worst: int) -> None:
        self._run, self._worst = run, worst
        self._matches: list[MatchReview] = []
        self._problems: Counter[str] = Counter()
        self._mistakes: list[tuple[MatchReview, Decision]] = []
        self._n_mistakes = 0
        self._players = PlayerRecords()

    def add(self, review: MatchReview) -> None:
        """Add one match to the summary."""
        if not self._run.many:
            self._matches.append(review)
        self._problems.update(problem.kind for problem in review.problems)
        self._players.add(review)
        own = [each for each in review.mistakes if self._run.player in (None, review.match.players[each.player])]
        self._n_mistakes += len(own)
        self._mistakes += [(review, each) for each in own]
        # Points for money and chances of different matches can be compared only in points per unit of the cube.
        self._mistakes.sort(key=lambda pair: -((pair[1].equity_loss or 0.0) if self._run.many else pair[1].loss))
        del self._mistakes[self._worst :]

    def blocks(self, sink: Console) -> list[Block]:
        """The lines to print."""
        blocks = self._all_players() if self._run.many else []
        for review in self._matches:
            blocks += [*_head(review), *_tallies(review)]
        for review, decision in self._mistakes:
            blocks += _mistake(review, decision, sink, alone=not self._run.many)
        if self._n_mistakes > self._worst > 0:
            more = words_of("terminal.more", n=f"{self._n_mistakes - self._worst:,}")
            blocks += ["", Text(more, style="dim")]
        for review in self._matches:
            blocks += [_position(each) for each in review.decisions if not each.done]
            blocks += [*_too_close(review, self._run.player), *_engine(review), *_risks(review, self._run.player, sink)]
        if self._run.many and self._problems:
            blocks += ["", Text(words_of("report.problems"), style="bold")]
            blocks += [f"{n:>5,}  {kind}" for kind, n in self._problems.most_common()]
        return blocks

    def _all_players(self) -> list[Block]:
        """The record of each player, in all matches."""
        heads = [words_of(f"report.heads.{name}") for name in ("player", "matches", "choices", "mistakes")]
        table = columns("left", "right", "right", "right", "right", heads=[*heads, words_of("page.review.rows.pr")])
        for record in self._players.rows():
            table.add_row(*record)
        title = words_of("terminal.all", matches=f"{self._run.n_reviews:,}", decisions=f"{self._run.n_decisions:,}")
        return [Text(title, style="bold"), "", table]


def _head(review: MatchReview) -> Iterator[Block]:
    match = review.match
    if any(game.number for game in review.games):
        length = words_of("report.length", n=match.length) if match.length else words_of("terminal.session")
        title = words_of("report.against", one=match.players[0], other=match.players[1])
        yield Text(words_of("phrases.comma").join((title, length)), style="bold")
    yield Text(match.source, style="dim")
    yield ""


def _tallies(review: MatchReview) -> list[Block]:
    if not any(each.done for each in review.decisions):
        return []
    tallies, length = review.tallies, review.match.length
    table = columns("left", "right", "right")
    table.add_row("", *(Text(tally.name, style="bold") for tally in tallies))
    table.add_row(words_of("terminal.decisions"), *(f"{tally.n_decisions}" for tally in tallies))
    table.add_row(words_of("terminal.choices"), *(f"{tally.n_counted}" for tally in tallies))
    table.add_row(words_of("report.heads.mistakes"), *(f"{tally.n_errors}" for tally in tallies))
    tried = [[each.proved for each in review.mistakes if each.player == k and each.proved is not None] for k in (0, 1)]
    if any(tried):
        table.add_row(
            words_of("terminal.proved"), *(words_of("terminal.of", n=sum(own), all=len(own)) for own in tried)
        )
    for name in tallies[0].errors:
        if any(tally.errors[name][0] for tally in tallies):
            cells = (costs(length, tally.errors[name][1]) if tally.errors[name][0] else "" for tally in tallies)
            table.add_row(f"  {words_of(f'report.classes.{name}')}", *cells)
    table.add_row(words_of("terminal.cost"), *(costs(length, tally.loss) for tally in tallies))
    table.add_row(words_of("page.review.rows.pr"), *(pr_words(tally.equity_loss, tally.n_counted) for tally in tallies))
    if any(tally.n_too_close for tally in tallies):
        table.add_row(words_of("report.too_close"), *(f"{tally.n_too_close}" for tally in tallies))
    table.add_row(words_of("terminal.luck"), *(costs(length, tally.luck, signed=True) for tally in tallies))
    return [table]


def _mistake(review: MatchReview, decision: Decision, sink: Console, *, alone: bool) -> list[Block]:
    told = labelled(where(decision), player_words(review.match, decision))
    if not alone:
        points = decimal(-(decision.equity_loss or 0.0), 4)
        told = f"{review.match.source}{words_of('phrases.comma')}{told} ({words_of('report.of_cube', points=points)})"
    title = Text(told, style="bold")
    said = [line for text in decision_words(decision) for line in wrapped(text, sink.width - 2).split("\n")]
    blocks: list[Block] = ["", title, *(f"  {line}" for line in said)]
    if decision.proved is not None:
        blocks.append(f"  {words_of('page.review.proved' if decision.proved else 'terminal.not_proved')}")
    play = decision.done if decision.kind == "play" else None
    names = board_names(review.match, decision)
    board = board_text(decision.board, play=play, names=names, ascii_only=sink.options.ascii_only)
    return [*blocks, "", *(f"  {line}" for line in board.splitlines())]


def _position(decision: Decision) -> str:
    best, good = decision.choices[0], decision.as_good
    told = [best_words(decision)]
    if worse := next((each for each in decision.choices if each.name not in good), None):
        lost = costs(decision.board.match_length, decision.unit * (best.value - worse.value))
        told.append(words_of("terminal.second", choice=choice_words(worse.name), cost=lost))
    return f"  {where(decision):<14} {words_of('phrases.semicolon').join(told)}  {decision.board.gnubg_id()}"


def _too_close(review: MatchReview, player: str | None) -> list[Block]:
    listed = [each for each in review.too_close if player in (None, review.match.players[each.player])]
    if not listed:
        return []
    semicolon = words_of("phrases.semicolon")
    lines = [
        f"  {labelled(where(each), player_words(review.match, each))}{semicolon}{close_words(each)}"
        for each in listed[:_MAX_CLOSE]
    ]
    more = f"{words_of('report.and_more', n=len(listed) - _MAX_CLOSE)}{semicolon}" if len(listed) > _MAX_CLOSE else ""
    title = Text(words_of("terminal.close"), style="bold")
    return ["", title, *lines, Text(f"  {more}{words_of('terminal.settle')}", style="dim")]


def _engine(review: MatchReview) -> Iterator[Block]:
    wrong = [(each, each.engine) for each in review.engine_errors if each.engine is not None]
    if not wrong:
        return
    stated = any(engine.level for _, engine in wrong)
    title = words_of(f"terminal.{'wrong_at' if stated else 'differ'}", program=review.match.engine)
    yield ""
    yield Text(title, style="bold")
    for each, engine in wrong:
        held, right = engine_words(each)
        cost = costs(review.match.length, engine.loss)
        told = words_of("terminal.held", held=held, right=right, cost=cost)
        yield f"  {labelled(where(each), labelled(level_words(each), told))}"


def _risks(review: MatchReview, player: str | None, sink: Console) -> list[Block]:
    notes = [each for each in review.risks if player in (None, review.match.players[each.player])]
    if not notes:
        return []
    riskier = [note for note in notes if note.extra > 0]
    heads = [words_of(f"report.heads.{name}") for name in ("shots", "least", "never")]
    table = columns("left", "left", "left", "right", "right", "right", heads=("", "", "", *heads))
    for note in riskier[:_MAX_RISKS]:
        (done, *numbers), (safest, *least) = risk_words(note)
        table.add_row(where(note), f"{review.match.players[note.player]} {roll_name(note.roll)}", done, *numbers)
        table.add_row("", words_of("report.risks.safest"), safest, *least)
    title = wrapped(words_of("terminal.risks", riskier=len(riskier), n=len(notes)), sink.width)
    more = words_of("report.and_more", n=len(riskier) - _MAX_RISKS) if len(riskier) > _MAX_RISKS else ""
    listed: list[Block] = [table] if riskier else []
    return ["", Text(title, style="bold"), *listed, *([Text(f"  {more}", style="dim")] if more else [])]
