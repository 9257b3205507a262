"""Every decision of reviews as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

from bgrace.review.reviewing import MatchReview

__all__ = ["COLUMNS", "review_csv"]

COLUMNS: Final = (
    "source",
    "match",
    "game",
    "move",
    "player",
    "kind",
    "roll",
    "done",
    "best",
    "loss",
    "equity_loss",
    "error_class",
    "too_close",
    "forced",
    "trivial",
    "win_probability",
    "chance",
    "luck",
    "method",
    "error",
    "rolls_after",
    "engine_best",
    "engine_loss",
    "gnubg_id",
    "xgid",
)
"""Heads of the columns: the fields of the JSON, and what identifies the match."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def review_csv(reviews: Iterable[MatchReview]) -> str:
    r"""Write every decision on a line.

    Parameters
    ----------
    reviews : iterable of MatchReview

    Returns
    -------
    str
        With a line of heads, `COLUMNS`.  Names that a spreadsheet would take for a formula have an apostrophe in front.

    Examples
    --------
    >>> from bgrace.review import review
    >>> lines = review_csv([review("tests/review/matches/5-103.mat")]).splitlines()
    >>> len(lines), lines[0].split(",")[:4]
    (14, ['source', 'match', 'game', 'move'])
    """
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(COLUMNS)
    for told in reviews:
        for each in told.decisions:
            writer.writerow(
                (
                    _plain(told.match.source),
                    told.match.number,
                    each.game,
                    each.move,
                    _plain(told.match.players[each.player]),
                    each.kind,
                    "" if each.board.roll is None else f"{each.board.roll[0]}{each.board.roll[1]}",
                    each.done,
                    each.best,
                    f"{each.loss:.8f}",
                    "" if each.equity_loss is None else f"{each.equity_loss:.6f}",
                    each.error_class or "",
                    int(each.too_close),
                    int(each.forced),
                    int(each.trivial),
                    f"{each.win_probability:.6f}",
                    f"{each.chance:.8f}",
                    f"{each.luck:.8f}",
                    each.method,
                    f"{each.error:.6f}",
                    each.rolls_after,
                    "" if each.engine is None else each.engine.best,
                    "" if each.engine is None else f"{each.engine.loss:.8f}",
                    each.board.gnubg_id(),
                    each.board.xgid(),
                )
            )
    return sink.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
