"""A review in words, in the reader's language, with no jargon left unexplained."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from bgrace._base.language import decimal, percent, say, words
from bgrace.answers.reasons import sentence
from bgrace.board.dice import roll_name
from bgrace_apps.review.judging import Choice, Decision, RiskNote, advice_asked
from bgrace_apps.review.records import Match
from bgrace_apps.review.reviewing import MatchReview

_SHOWN: Final = 3
"""Choices that are named where none is better and there are at least two more."""


_MAX_CHOICES: Final = 6
"""Choices that a table lists, what was done besides."""


def costs(match_length: int, loss: float, *, signed: bool = False) -> str:
    """Write what something costs: percent of the match, or points if the length is 0, for money.

    Examples
    --------
    >>> costs(7, 0.01234), costs(0, 0.5, signed=True)
    ('1.23 %', '+0.500 points')
    """
    sign = "+" if signed else ""
    return percent(loss, 2, sign) if match_length else say("page.review.points", points=decimal(loss, 3, sign))


def error_words(decision: Decision) -> str:
    """Write how sure an answer is, in the unit of its costs."""
    if decision.error_loss is None:
        return say("report.error_of_cube", error=decimal(max(decision.error, 1e-4), 4))
    length = decision.board.match_length
    return costs(length, max(decision.error_loss, 1e-4 if length else 1e-3))  # the least that is not written as 0


def best_words(decision: Decision) -> str:
    """Name the best choice, or those that are too close to be told apart."""
    names = decision.as_good
    if len(names) < 2:
        return choice_words(decision.best)
    others = [say("report.others", n=len(names) - _SHOWN)] if len(names) > _SHOWN + 1 else []
    *shown, last = [choice_words(name) for name in names[: _SHOWN if others else None]] + others
    said = say("report.or", listed=say("phrases.comma").join(shown), last=last)
    return f"{said}{say('phrases.comma')}{say('report.same' if decision.error else 'report.equal')}"


def choice_words(name: str) -> str:
    """Name a choice of the cube or about a resignation; plays are as they are."""
    verb, _, game = name.partition(" ")
    if verb in ("accept", "resign"):
        return say(f"report.choices.{verb}", what=say(f"report.games.{game}"))
    named: str = words()["report"]["choices"].get(name, name)
    return named


def labelled(label: str, text: str) -> str:
    """Write what a text is about, and the text."""
    return f"{label}{say('report.label')}{text}"


def pr_words(equity_loss: float, n_counted: float) -> str:
    """Write a rating, 500 times the points of the cube that are lost a choice; nothing without a choice.

    Examples
    --------
    >>> pr_words(0.0353, 5), pr_words(0.0, 0)
    ('3.53', '')
    """
    return decimal(500 * equity_loss / n_counted, 2) if n_counted else ""


class PlayerRecords:
    """What players did in the races of all matches that are added."""

    def __init__(self) -> None:
        self._sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0.0])

    def add(self, told: MatchReview) -> None:
        """Add a match; positions that stand alone are nobody's."""
        for tally in told.tallies if any(game.number for game in told.games) else ():
            for k, value in enumerate((1, tally.n_counted, tally.n_errors, tally.equity_loss)):
                self._sums[tally.name][k] += value

    def rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        """Write name, matches, choices, mistakes and rating of each player, the most active first."""
        for name, (n_matches, counted, errors, lost) in sorted(
            self._sums.items(), key=lambda item: (-item[1][0], item[0])
        ):
            yield name, f"{n_matches:,.0f}", f"{counted:,.0f}", f"{errors:,.0f}", pr_words(lost, counted)


def listed_choices(decision: Decision) -> list[tuple[Choice, str, str]]:
    """The best choices, and what was done besides: each with its value and its cost in words, if it costs anything."""
    length, unit, most = decision.board.match_length, decision.unit, _MAX_CHOICES
    listed = [*decision.choices[:most], *(each for each in decision.choices[most:] if each.name == decision.done)]
    return [
        (
            choice,
            percent(choice.value, 2) if length else decimal(unit * choice.value, 3, "+"),
            costs(length, cost) if (cost := unit * (decision.choices[0].value - choice.value)) > 0 else "",
        )
        for choice in listed
    ]


def board_names(match: Match, decision: Decision) -> tuple[str, str] | None:
    """The names of the player on roll and of the other; None of a position that stands alone."""
    return (match.players[decision.on_roll], match.players[1 - decision.on_roll]) if decision.game else None


def where(decision: Decision | RiskNote) -> str:
    """Write where in a match a decision, or a note, stands."""
    if not decision.game:
        return say("page.review.position", n=decision.move)
    return say("page.review.where", game=decision.game, move=decision.move)


def player_words(match: Match, decision: Decision) -> str:
    """Write who did what.

    A sentence without a full stop: "North passed a double to 2".
    """
    board, done = decision.board, decision.done
    verb, _, game = done.partition(" ")
    redouble = "re" if board.cube_value > 1 else ""
    values: dict[str, float | str] = {
        "player": match.players[decision.player],
        "cube": 2 * board.cube_value,
        "roll": roll_name(board.roll) if board.roll else say("report.asked.roll"),
        "done": done,
        "what": say(f"report.games.{game}") if decision.kind == "resign" else "",
    }
    if not done:
        return say(f"report.asked.{_asked(decision)}", **values)
    key = {"play": "play", "resign": verb}.get(decision.kind, done)
    said = say(f"report.did.{redouble if key == 'double' else ''}{key}", **values)
    return f"{said} {decision.mark}" if decision.mark else said


def _asked(decision: Decision) -> str:
    """The kind of a decision as questions name it: of an answer whether it can be a beaver."""
    return "beaver" if any(choice.name == "beaver" for choice in decision.choices) else decision.kind


def decision_words(decision: Decision) -> list[str]:
    """Say what was right, and what the mistake costs, in sentences."""
    length = decision.board.match_length
    lost = say("report.cost_of_match" if length else "report.cost", cost=costs(length, decision.loss))
    lost += say("report.give_or_take", error=error_words(decision)) if decision.error else ""
    return [say("report.was_right", best=_best(decision)), f"{lost}{say('phrases.end')}", *reason_words(decision)]


def reason_words(decision: Decision) -> list[str]:
    """Say why, in a sentence or two, and which counts are wrong here; of a play, what it lacks."""
    if not decision.reason:
        return []
    text = sentence(decision.reason)
    if decision.wrong_counts:
        first, *others = (words()["counts"][name] for name in decision.wrong_counts)
        culprit = next(iter(decision.wrong_counts.values())).said(advice_asked(decision.kind, decision.board.cube))
        listed = "".join(f"{say('phrases.comma')}{name}" for name in others)
        return [text, say("culprit.wrong", first=first, culprit=culprit, others=listed)]
    if decision.kind != "play":
        return [text]
    lower = text[1:2].islower()  # not EPC
    return [labelled(decision.done or say("report.next_best"), text[:1].lower() + text[1:] if lower else text)]


def _best(decision: Decision) -> str:
    if decision.kind == "play":
        return best_words(decision)
    best = f"re{decision.best}" if decision.best == "double" and decision.board.cube_value > 1 else decision.best
    return say(f"report.to.{best}")


def close_words(decision: Decision) -> str:
    """Say why a decision is too close to call, in a sentence without a full stop."""
    best, lost = choice_words(decision.best), costs(decision.board.match_length, decision.loss)
    return say("report.close.looks", best=best, loss=lost, error=error_words(decision))


def risk_words(note: RiskNote) -> Iterator[tuple[str, str, str, str]]:
    """Write play, shots, least risk and never hit of what was done, and of the safest play if that is another."""
    for each in [note.done] if note.done == note.safest else [note.done, note.safest]:
        never = "" if each.never_hit is None else percent(each.never_hit)
        yield each.play, say("page.risk.shots", n=each.shots), percent(each.least), never


def level_words(decision: Decision) -> str:
    """How deep the program of the file looked, as the file states it."""
    level = "" if decision.engine is None else decision.engine.level
    return level or say("report.engine.no_level")


def engine_words(decision: Decision) -> tuple[str, str]:
    """Name what the program of the file held to be best, and what is right."""
    held = "" if decision.engine is None else decision.engine.best
    if decision.kind == "cube" and held in ("take", "pass"):
        return f"double/{held}", decision.verdict or decision.best
    return held, decision.best


def question_words(decision: Decision) -> str:
    """Write what a decision asks, for somebody who is to find the answer."""
    board = decision.board
    if decision.kind == "play" and board.roll is not None:
        return say("report.question.play", roll=roll_name(board.roll))
    if decision.kind == "answer":
        return say(f"report.question.{_asked(decision)}", cube=2 * board.cube_value)
    return say("report.question.redouble" if board.cube_value > 1 else "report.question.double")
