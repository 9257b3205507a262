"""Every decision of reviews as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

from bgrace._base.frames import Cell
from bgrace_apps.review.reviewing import MatchReview
from bgrace_apps.review.rows import COLUMNS, decision_row

_DIGITS: Final = {
    "loss": 8,
    "equity_loss": 6,
    "win_probability": 6,
    "chance": 8,
    "luck": 8,
    "error": 6,
    "engine_loss": 8,
}
"""Digits after the point, of columns that have any."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

_NAMES: Final = ("source", "player")
"""Columns whose text others have chosen."""


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
    >>> from bgrace_apps.review import review
    >>> lines = review_csv([review("data/matches/5-103.mat")]).splitlines()
    >>> len(lines), lines[0].split(",")[:4]
    (14, ['source', 'match', 'game', 'move'])
    """
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(COLUMNS)
    for told in reviews:
        for each in told.decisions:
            writer.writerow(_written(name, cell) for name, cell in decision_row(told.match, each).items())
    return sink.getvalue()


def _written(name: str, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, float):
        return f"{cell:.{_DIGITS[name]}f}"
    text = str(cell)
    return f"'{text}" if name in _NAMES and text.startswith(_FORMULA) else text
