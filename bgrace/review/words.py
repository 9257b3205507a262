"""A review in a reader's words: no jargon unexplained."""

from __future__ import annotations

from typing import Final

from bgrace.answers.reasons import sentence
from bgrace.review.judging import Decision
from bgrace.review.records import Match
from bgrace.review.risks import RiskNote

_SHOWN: Final = 3
"""Choices that are named where none is better."""


def costs(match: Match, loss: float, *, signed: bool = False) -> str:
    """Write what something costs: percent of the match, or points for money.

    Examples
    --------
    >>> costs(Match("a", ("A", "B"), 7), 0.01234), costs(Match("a", ("A", "B"), 0), 0.5, signed=True)
    ('1.23 %', '+0.500 points')
    """
    sign = "+" if signed else ""
    return f"{100 * loss:{sign}.2f} %" if match.length else f"{loss:{sign}.3f} points"


def decision_cost(decision: Decision, loss: float) -> str:
    """Write what a choice of a decision costs, as `costs` does: of a position that stands alone, too."""
    return f"{100 * loss:.2f} %" if decision.board.away is not None else f"{loss:.3f} points"


def error_words(decision: Decision) -> str:
    """Write how sure an answer is, in the unit of its costs."""
    error = decision.error_loss
    return f"{decision.error:.4f} of the cube" if error is None else decision_cost(decision, error)


def best_words(decision: Decision) -> str:
    """Name the best choice, or those that are too close to be told apart."""
    names = decision.as_good
    if len(names) < 2:
        return decision.best
    shown = list(names[:_SHOWN]) + ([f"{len(names) - _SHOWN} others"] if len(names) > _SHOWN else [])
    said = f"{', '.join(shown[:-1])} or {shown[-1]}"
    return f"{said}, {'too close to tell apart' if decision.error else 'equally good'}"


def pr_words(equity_loss: float, n_counted: float) -> str:
    """Write a rating, 500 times the points of the cube that are lost a choice; nothing without a choice.

    Examples
    --------
    >>> pr_words(0.0353, 5), pr_words(0.0, 0)
    ('3.53', '')
    """
    return f"{500 * equity_loss / n_counted:.2f}" if n_counted else ""


def board_names(match: Match, decision: Decision) -> tuple[str, str] | None:
    """The names of the player on roll and of the other; None of a position that stands alone."""
    return (match.players[decision.on_roll], match.players[1 - decision.on_roll]) if decision.game else None


def where(decision: Decision | RiskNote) -> str:
    """Write where in a match a decision, or a note, stands."""
    if not decision.game:
        return f"Position {decision.move}"
    return f"Game {decision.game}, move {decision.move}"


def player_words(match: Match, decision: Decision) -> str:
    """Write who did what.

    A sentence without a full stop: "North passed a double to 2".
    """
    name, board = match.players[decision.player], decision.board
    cube, mark = 2 * board.cube_value, f" {decision.mark}" if decision.mark else ""
    if decision.kind == "play":
        roll = f"{board.roll[0]}-{board.roll[1]}" if board.roll else "the roll"
        return f"{name} played {roll}: {decision.done}{mark}" if decision.done else f"to play {roll}"
    if decision.kind == "cube":
        verb = "redoubled" if board.cube_value > 1 else "doubled"
        if not decision.done:
            return "to double or not"
        return (
            f"{name} {verb} to {cube}{mark}" if decision.done == "double" else f"{name} rolled without doubling{mark}"
        )
    if decision.kind == "answer":
        if not decision.done:
            return f"to take a cube of {cube} or to pass"
        done = {"take": "took", "pass": "passed", "beaver": "beavered"}[decision.done]
        return f"{name} {done} a double to {cube}{mark}"
    verb, _, what = decision.done.partition(" ")
    return f"{name} {'accepted' if verb == 'accept' else 'resigned'} {what}{mark}"


def decision_words(decision: Decision) -> list[str]:
    """Say what was right, and what the mistake costs, in sentences."""
    lost = f"It cost {decision_cost(decision, decision.loss)}"
    lost += " of the match" if decision.board.away is not None else ""
    lost += f", give or take {error_words(decision)}" if decision.error else ""
    return [f"Right was {_best(decision)}.", lost + ".", *reason_words(decision)]


def reason_words(decision: Decision) -> list[str]:
    """Say why, in a sentence or two; of a play, what it lacks."""
    if not decision.reason:
        return []
    text = sentence(decision.reason)
    if decision.kind != "play":
        return [text]
    return [f"{decision.done or 'The next best'}: {text[:1].lower() + text[1:] if text[1:2].islower() else text}"]


def _best(decision: Decision) -> str:
    if decision.kind == "play":
        return best_words(decision)
    words = {
        "no double": "to roll without doubling",
        "double": f"to {'re' if decision.board.cube_value > 1 else ''}double",
    }
    return words.get(decision.best, f"to {decision.best}")


def close_words(decision: Decision) -> str:
    """Say why a decision is too close to call, in a sentence without a full stop."""
    by = decision_cost(decision, decision.loss)
    return f"{decision.best} looks better by {by}, and the answer is sure to {error_words(decision)}"


def risk_words(note: RiskNote) -> list[tuple[str, str, str, str]]:
    """Write play, shots, least risk and never hit of what was done, and of the safest play if that is another."""
    plays = [note.done] if note.done == note.safest else [note.done, note.safest]
    return [
        (
            each.play,
            f"{each.shots} of 36",
            f"{100 * each.least:.1f} %",
            "" if each.never_hit is None else f"{100 * each.never_hit:.1f} %",
        )
        for each in plays
    ]


def level_words(decision: Decision) -> str:
    """How deep the program of the file looked, as the file states it."""
    level = "" if decision.engine is None else decision.engine.level
    return level or "level not stated"


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
        return f"{board.roll[0]}-{board.roll[1]}: how do you play it?"
    if decision.kind == "answer":
        return f"You are white, and are doubled to {2 * board.cube_value}: take or pass?"
    return "Redouble, or roll?" if board.cube_value > 1 else "Double, or roll?"
