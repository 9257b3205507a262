"""Decisions as rows of a table."""

from __future__ import annotations

from typing import Final

from bgrace._base.frames import Cell, Columns
from bgrace_apps.review.judging import Decision
from bgrace_apps.review.records import Match

COLUMNS: Final[Columns] = {
    "source": str,
    "match": int,
    "game": int,
    "move": int,
    "player": str,
    "kind": str,
    "roll": str | None,
    "done": str,
    "best": str,
    "loss": float,
    "equity_loss": float,
    "error_class": str | None,
    "too_close": bool,
    "forced": bool,
    "trivial": bool,
    "win_probability": float,
    "chance": float,
    "luck": float,
    "method": str,
    "error": float,
    "rolls_after": int,
    "engine_best": str | None,
    "engine_loss": float,
    "engine_level": str | None,
    "gnubg_id": str,
    "xgid": str,
}
"""The columns, and what is in them: the fields of the JSON, and what identifies the match."""


def decision_row(match: Match, decision: Decision) -> dict[str, Cell]:
    """The row of a decision of a match, by the names of the columns; None where there is nothing to say."""
    roll, engine = decision.board.roll, decision.engine
    return {
        "source": match.source,
        "match": match.number,
        "game": decision.game,
        "move": decision.move,
        "player": match.players[decision.player],
        "kind": decision.kind,
        "roll": None if roll is None else f"{roll[0]}{roll[1]}",
        "done": decision.done,
        "best": decision.best,
        "loss": decision.loss,
        "equity_loss": decision.equity_loss,
        "error_class": decision.error_class,
        "too_close": decision.too_close,
        "forced": decision.forced,
        "trivial": decision.trivial,
        "win_probability": decision.win_probability,
        "chance": decision.chance,
        "luck": decision.luck,
        "method": decision.method,
        "error": decision.error,
        "rolls_after": decision.rolls_after,
        "engine_best": None if engine is None else engine.best,
        "engine_loss": None if engine is None else engine.loss,
        "engine_level": None if engine is None else engine.level or None,
        "gnubg_id": decision.board.gnubg_id(),
        "xgid": decision.board.xgid(),
    }
