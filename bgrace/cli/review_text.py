"""Reviews on the terminal: what both players did, and the worst mistakes with their boards."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from rich.text import Text

from bgrace.board import board_text
from bgrace.cli.output import columns, console, print_lines, print_table, say
from bgrace.review import Decision, MatchReview
from bgrace.review.words import close_words, costs, decision_words, engine_words, player_words, where

__all__ = ["ReviewPrinter"]

_MAX_CLOSE: Final = 10
"""Decisions that are too close to call that are listed."""


class ReviewPrinter:
    """What is printed in the end; of many matches no more is kept than that.

    Parameters
    ----------
    many : bool
        Whether matches are added up by player, instead of shown one by one.
    worst : int
        Mistakes to show.
    player : str, or None
        Whose alone.
    """

    def __init__(self, many: bool, worst: int, player: str | None) -> None:
        self._n_decisions = 0
        self._many, self._worst, self._player = many, worst, player
        self._matches: list[MatchReview] = []
        self._mistakes: list[tuple[MatchReview, Decision]] = []
        self._n_mistakes = self._n_matches = 0
        self._players: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0.0])

    def add(self, told: MatchReview) -> None:
        """Take what is needed of a review."""
        self._n_matches += 1
        self._n_decisions += len(told.decisions)
        if not self._many:
            self._matches.append(told)
        for problem in told.problems:
            say(f"{told.match.source}: {problem}")
        for tally in told.tallies if any(game.number for game in told.games) else ():
            for k, value in enumerate((1, tally.n_counted, tally.n_errors, tally.equity_loss)):
                self._players[tally.name][k] += value
        own = [each for each in told.mistakes if self._player in (None, told.match.players[each.player])]
        self._n_mistakes += len(own)
        self._mistakes += [(told, each) for each in own[: self._worst]]
        # Points of money and chances of different matches have no common measure but what they are of the cube.
        self._mistakes.sort(key=lambda pair: -((pair[1].equity_loss or 0.0) if self._many else pair[1].loss))
        del self._mistakes[self._worst :]

    def print(self) -> None:
        """Print it."""
        if self._many:
            self._print_players()
        for told in self._matches:
            _print_head(told)
            _print_summary(told)
        for told, decision in self._mistakes:
            _print_mistake(told, decision, alone=not self._many)
        if self._n_mistakes > self._worst > 0:
            more = f"and {self._n_mistakes - self._worst:,} more; --worst N shows more of them"
            print_lines("", Text(more, style="dim"))
        for told in self._matches:
            for decision in told.decisions:
                if not decision.done:
                    _print_position(decision)
            _print_too_close(told, self._player)
            _print_engine(told)

    def _print_players(self) -> None:
        """Print what each player did, in all matches."""
        matches = "1 match" if self._n_matches == 1 else f"{self._n_matches:,} matches"
        print_lines(Text(f"{matches}, {self._n_decisions:,} race decisions", style="bold"), "")
        table = columns("left", "right", "right", "right", "right")
        heads = ("player", "matches", "choices", "mistakes", "lost a choice")
        table.add_row(*(Text(head, style="dim") for head in heads))
        for name, (n_matches, counted, errors, lost) in sorted(
            self._players.items(), key=lambda item: (-item[1][0], item[0])
        ):
            rate = f"{1000 * lost / counted:.2f}" if counted else ""
            table.add_row(name, f"{n_matches:,.0f}", f"{counted:,.0f}", f"{errors:,.0f}", rate)
        print_table(table)
        print_lines("", Text("lost a choice: thousandths of the cube", style="dim"))


def _print_head(told: MatchReview) -> None:
    match = told.match
    if any(game.number for game in told.games):
        length = f"match to {match.length}" if match.length else "money session"
        print_lines(Text(f"{match.players[0]} against {match.players[1]}, {length}", style="bold"))
    print_lines(Text(match.source, style="dim"), "")


def _print_summary(told: MatchReview) -> None:
    if not any(each.done for each in told.decisions):
        return
    tallies = told.tallies
    table = columns("left", "right", "right")
    table.add_row("", *(Text(tally.name, style="bold") for tally in tallies))
    table.add_row("race decisions", *(f"{tally.n_decisions}" for tally in tallies))
    table.add_row("that were a choice", *(f"{tally.n_counted}" for tally in tallies))
    table.add_row("mistakes", *(f"{tally.n_errors}" for tally in tallies))
    for name in tallies[0].errors:
        if any(tally.errors[name][0] for tally in tallies):
            cells = (costs(told.match, tally.errors[name][1]) if tally.errors[name][0] else "" for tally in tallies)
            table.add_row(f"  {name}", *cells)
    table.add_row("cost together", *(costs(told.match, tally.loss) for tally in tallies))
    if any(tally.n_too_close for tally in tallies):
        table.add_row("too close to call", *(f"{tally.n_too_close}" for tally in tallies))
    table.add_row("luck of the dice", *(costs(told.match, tally.luck, signed=True) for tally in tallies))
    print_table(table)


def _print_mistake(told: MatchReview, decision: Decision, *, alone: bool) -> None:
    sink = console()
    sink.print()
    source = "" if alone else f"{told.match.source}, "
    print_lines(Text(f"{source}{where(decision)}: {player_words(told.match, decision)}", style="bold"))
    for line in decision_words(told.match, decision):
        print_lines(f"  {line}")
    if decision.error:
        print_lines(Text(f"  Nearly exact: to about {decision.error:.4f} of the cube.", style="dim"))
    sink.print()
    _print_board(decision, decision.done if decision.kind == "play" else None)


def _print_board(decision: Decision, play: str | None) -> None:
    for line in board_text(decision.board, play=play, ascii_only=console().options.ascii_only).splitlines():
        print_lines(f"  {line}")


def _print_position(decision: Decision) -> None:
    best = decision.choices[0]
    second = (
        f"; {decision.choices[1].name} costs {_lost(decision):.4f} of the cube" if len(decision.choices) > 1 else ""
    )
    print_lines(f"  {where(decision):<14} {best.name}{second}  {decision.board.gnubg_id()}")


def _lost(decision: Decision) -> float:
    first, second = decision.choices[0], decision.choices[1]
    if first.equity is None or second.equity is None:
        return first.value - second.value
    return first.equity - second.equity


def _print_too_close(told: MatchReview, player: str | None) -> None:
    listed = [each for each in told.too_close if player in (None, told.match.players[each.player])]
    if not listed:
        return
    print_lines("", Text("Too close to call, and not counted as mistakes:", style="bold"))
    for each in listed[:_MAX_CLOSE]:
        print_lines(f"  {where(each)}: {player_words(told.match, each)}; {close_words(each)}")
    more = f"and {len(listed) - _MAX_CLOSE:,} more; " if len(listed) > _MAX_CLOSE else ""
    print_lines(Text(f"  {more}--seconds 3 may settle some of them", style="dim"))


def _print_engine(told: MatchReview) -> None:
    wrong = told.engine_errors
    if not wrong:
        return
    print_lines("", Text(f"{told.match.engine}, which judged this match in the file, was wrong itself:", style="bold"))
    for each in wrong:
        if each.engine is not None:
            (held, right), lost = engine_words(each), costs(told.match, each.engine.loss)
            print_lines(f"  {where(each)}: it held {held} best, right is {right}; costs {lost}")
