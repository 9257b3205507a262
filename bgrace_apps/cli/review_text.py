"""Reviews on the terminal: what both players did, and the worst mistakes with their boards."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rich.console import Console
from rich.text import Text

from bgrace._base.language import say as words_of
from bgrace.board import board_text
from bgrace.cli.output import say
from bgrace.cli.screen import Block, columns, wrapped
from bgrace_apps.review import Decision, MatchReview
from bgrace_apps.review.words import (
    PlayerRecords,
    best_words,
    board_names,
    choice_words,
    close_words,
    costs,
    decision_cost,
    decision_words,
    engine_words,
    level_words,
    player_words,
    pr_words,
    risk_words,
    where,
)

_MAX_CLOSE: Final = 10
"""Decisions that are too close to call that are listed."""

_MAX_RISKS: Final = 10
"""Risks that are listed: those that took most more than the least."""


class ReviewSummary:
    """The report at the end; of many matches only this is kept.

    Many are added up by player, instead of shown one by one; `worst` of the worst mistakes are shown, of one player or
    of all.
    """

    def __init__(self, many: bool, worst: int, player: str | None) -> None:
        self._n_decisions = 0
        self._many, self._worst, self._player = many, worst, player
        self._matches: list[MatchReview] = []
        self._problems: Counter[str] = Counter()
        self._mistakes: list[tuple[MatchReview, Decision]] = []
        self._n_mistakes = self._n_matches = 0
        self._players = PlayerRecords()

    def add(self, review: MatchReview) -> None:
        """Add one match to the summary."""
        self._n_matches += 1
        self._n_decisions += len(review.decisions)
        if not self._many:
            self._matches.append(review)
        self._problems.update(problem.kind for problem in review.problems)
        for problem in review.problems:
            say(f"{review.match.source}: {problem}")
        self._players.add(review)
        own = [each for each in review.mistakes if self._player in (None, review.match.players[each.player])]
        self._n_mistakes += len(own)
        self._mistakes += [(review, each) for each in own[: self._worst]]
        # Points of money and chances of different matches have no common measure but what they are of the cube.
        self._mistakes.sort(key=lambda pair: -((pair[1].equity_loss or 0.0) if self._many else pair[1].loss))
        del self._mistakes[self._worst :]

    def blocks(self, sink: Console) -> list[Block]:
        """The lines to print."""
        blocks = self._all_players() if self._many else []
        for review in self._matches:
            blocks += [*_head(review), *_tallies(review)]
        for review, decision in self._mistakes:
            blocks += _mistake(review, decision, sink, alone=not self._many)
        if self._n_mistakes > self._worst > 0:
            more = words_of("terminal.more", n=f"{self._n_mistakes - self._worst:,}")
            blocks += ["", Text(more, style="dim")]
        for review in self._matches:
            blocks += [_position(each) for each in review.decisions if not each.done]
            blocks += [*_too_close(review, self._player), *_engine(review), *_risks(review, self._player, sink)]
        if self._many and self._problems:
            blocks += ["", Text(words_of("report.problems"), style="bold")]
            blocks += [f"{n:>5,}  {kind}" for kind, n in self._problems.most_common()]
        return blocks

    def _all_players(self) -> list[Block]:
        """The record of each player, in all matches."""
        heads = [words_of(f"report.heads.{name}") for name in ("player", "matches", "choices", "mistakes")]
        table = columns("left", "right", "right", "right", "right", heads=[*heads, words_of("page.review.rows.pr")])
        for record in self._players.rows():
            table.add_row(*record)
        title = words_of("terminal.all", matches=f"{self._n_matches:,}", decisions=f"{self._n_decisions:,}")
        return [Text(title, style="bold"), "", table]


def _head(review: MatchReview) -> list[Block]:
    match = review.match
    lines: list[Block] = [Text(match.source, style="dim"), ""]
    if any(game.number for game in review.games):
        length = words_of("report.length", n=match.length) if match.length else words_of("terminal.session")
        title = words_of("report.against", one=match.players[0], other=match.players[1])
        lines.insert(0, Text(f"{title}, {length}", style="bold"))
    return lines


def _tallies(review: MatchReview) -> list[Block]:
    if not any(each.done for each in review.decisions):
        return []
    tallies = review.tallies
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
            cells = (costs(review.match, tally.errors[name][1]) if tally.errors[name][0] else "" for tally in tallies)
            table.add_row(f"  {words_of(f'report.classes.{name}')}", *cells)
    table.add_row(words_of("terminal.cost"), *(costs(review.match, tally.loss) for tally in tallies))
    table.add_row(words_of("page.review.rows.pr"), *(pr_words(tally.equity_loss, tally.n_counted) for tally in tallies))
    if any(tally.n_too_close for tally in tallies):
        table.add_row(words_of("report.too_close"), *(f"{tally.n_too_close}" for tally in tallies))
    table.add_row(words_of("terminal.luck"), *(costs(review.match, tally.luck, signed=True) for tally in tallies))
    return [table]


def _mistake(review: MatchReview, decision: Decision, sink: Console, *, alone: bool) -> list[Block]:
    source = "" if alone else f"{review.match.source}, "
    title = Text(f"{source}{where(decision)}: {player_words(review.match, decision)}", style="bold")
    blocks: list[Block] = ["", title, *_indented(decision_words(decision), sink)]
    if decision.proved is not None:
        blocks.append(f"  {words_of('page.review.proved' if decision.proved else 'terminal.not_proved')}")
    play = decision.done if decision.kind == "play" else None
    names = board_names(review.match, decision)
    board = board_text(decision.board, play=play, names=names, ascii_only=sink.options.ascii_only)
    return [*blocks, "", *(f"  {line}" for line in board.splitlines())]


def _indented(lines: list[str], sink: Console) -> list[str]:
    return [f"  {line}" for text in lines for line in wrapped(text, sink.width - 2, sink).split("\n")]


def _position(decision: Decision) -> str:
    best, good = decision.choices[0], decision.as_good
    worse = next((each for each in decision.choices if each.name not in good), None)
    lost = "" if worse is None else decision_cost(decision, decision.unit * (best.value - worse.value))
    second = "" if worse is None else f"; {words_of('terminal.second', choice=choice_words(worse.name), cost=lost)}"
    return f"  {where(decision):<14} {best_words(decision)}{second}  {decision.board.gnubg_id()}"


def _too_close(review: MatchReview, player: str | None) -> list[Block]:
    listed = [each for each in review.too_close if player in (None, review.match.players[each.player])]
    if not listed:
        return []
    lines = [
        f"  {where(each)}: {player_words(review.match, each)}; {close_words(each)}" for each in listed[:_MAX_CLOSE]
    ]
    more = f"{words_of('report.and_more', n=len(listed) - _MAX_CLOSE)}; " if len(listed) > _MAX_CLOSE else ""
    title = Text(words_of("terminal.close"), style="bold")
    return ["", title, *lines, Text(f"  {more}{words_of('terminal.settle')}", style="dim")]


def _engine(review: MatchReview) -> list[Block]:
    wrong = [(each, each.engine) for each in review.engine_errors if each.engine is not None]
    if not wrong:
        return []
    stated = any(engine.level for _, engine in wrong)
    title = words_of(f"terminal.{'wrong_at' if stated else 'differ'}", program=review.match.engine)
    lines: list[Block] = ["", Text(title, style="bold")]
    for each, engine in wrong:
        held, right = engine_words(each)
        cost = costs(review.match, engine.loss)
        told = words_of("terminal.held", held=held, right=right, cost=cost)
        lines.append(f"  {where(each)}: {level_words(each)}: {told}")
    return lines


def _risks(review: MatchReview, player: str | None, sink: Console) -> list[Block]:
    notes = [each for each in review.risks if player in (None, review.match.players[each.player])]
    if not notes:
        return []
    riskier = [note for note in notes if note.extra > 0]
    heads = [words_of(f"report.heads.{name}") for name in ("shots", "least", "never")]
    table = columns("left", "left", "left", "right", "right", "right", heads=("", "", "", *heads))
    for note in riskier[:_MAX_RISKS]:
        (done, *numbers), (safest, *least) = risk_words(note)
        roll = f"{note.roll[0]}-{note.roll[1]}"
        table.add_row(where(note), f"{review.match.players[note.player]} {roll}", done, *numbers)
        table.add_row("", words_of("report.risks.safest"), safest, *least)
    title = wrapped(words_of("terminal.risks", riskier=len(riskier), n=len(notes)), sink.width, sink)
    more = words_of("report.and_more", n=len(riskier) - _MAX_RISKS) if len(riskier) > _MAX_RISKS else ""
    listed: list[Block] = [table] if riskier else []
    return ["", Text(title, style="bold"), *listed, *([Text(f"  {more}", style="dim")] if more else [])]
