"""The chances of both players over the race of a game, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil, floor
from typing import Final, TypeAlias

from bgrace._base.language import percent, say
from bgrace_apps.review.judging import Decision, GameReview, seen_by_first
from bgrace_apps.review.records import Match
from bgrace_apps.review.words import costs

_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 14.0, 26.0, 30.0
_WIDTH: Final = 720.0
_HEIGHT: Final = 220.0
_Place: TypeAlias = Callable[[int, float], tuple[float, float]]
"""Where the value before a turn is drawn."""


def turns(game: GameReview) -> list[Decision]:
    """The first decision of each turn of the race."""
    found: list[Decision] = []
    for decision in game.decisions:
        if decision.kind in ("cube", "play") and (not found or (found[-1].move, found[-1].player) != _turn(decision)):
            found.append(decision)
    return found


def _turn(decision: Decision) -> tuple[int, int]:
    return decision.move, decision.player


def chances_svg(match: Match, game: GameReview, anchors: Mapping[tuple[int, int], str]) -> str:
    """Draw what the race was worth to the first player before each roll, and what came of it.

    Parameters
    ----------
    match : Match
    game : GameReview
    anchors : mapping of (int, int) to str
        Where on the page the mistake of a move and player is.

    Returns
    -------
    str
        An ``<svg>`` element; empty where there are fewer than two values to draw.
    """
    listed = turns(game)
    values = [seen_by_first(one.chance, one.on_roll, match.length) for one in listed]
    points = [*values, *([game.finish] if game.finish is not None else [])]
    if len(points) < 2:
        return ""
    low, high = _range(points, bool(match.length))
    step = (_WIDTH - _LEFT - _RIGHT) / (len(points) - 1)
    right = _LEFT + step * (len(points) - 1)

    def place(k: int, value: float) -> tuple[float, float]:
        return _LEFT + k * step, _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = _frame(match, low, high, right, place)
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (place(k, value) for k, value in enumerate(points)))
    base = place(0, low)[1]
    parts.append(f'<path class="area" d="M{path}L{right:.1f} {base:.1f}L{_LEFT:.1f} {base:.1f}z"/>')
    parts.append(f'<path class="line" d="M{path}"/>')
    parts += _labels(listed, place)
    for k, value in enumerate(values):
        x, y = place(k, value)
        parts.append(f'<circle class="turn" cx="{x:.1f}" cy="{y:.1f}" r="2.4"/>')
    parts += _marks(match, game, listed, values, anchors, place)
    if game.finish is not None:
        x, y = place(len(points) - 1, game.finish)
        parts.append(f'<circle class="end" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    title = say("report.chart", n=game.number, player=match.players[0])
    heading = say("report.chance" if match.length else "report.worth", player=match.players[0])
    return (
        f'<svg class="chances" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="group" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}"
        f'<text class="tick" x="{_LEFT:.0f}" y="11">{escape(heading)}</text></svg>'
    )


def _range(points: Sequence[float], is_match: bool) -> tuple[float, float]:
    """The range of the chart: for money as many points to either side of 0, at a score a fifth of all chances or more.

    Examples
    --------
    >>> _range([0.06, 0.11], True), _range([0.3, 0.8], True), _range([-1.5, 2.0], False)
    ((0.0, 0.2), (0.2, 0.8), (-2.0, 2.0))
    """
    if not is_match:
        reach = float(ceil(max(1.0, *(abs(value) for value in points))))
        return -reach, reach
    low, high = floor(5 * min(points)) / 5, ceil(5 * max(points) - 1e-9) / 5
    return (low, high) if high > low else (low - 0.2, high) if high >= 1 else (low, high + 0.2)


def _frame(match: Match, low: float, high: float, right: float, place: _Place) -> list[str]:
    parts = []
    for k in range(5):
        value = low + (high - low) * k / 4
        y = place(0, value)[1]
        middle = " middle" if value == (0.5 if match.length else 0.0) else ""
        shown = percent(value, 0) if match.length else f"{value:+g}"
        parts.append(f'<path class="grid{middle}" d="M{_LEFT:.0f} {y:.1f}H{right:.1f}"/>')
        parts.append(f'<text class="tick end" x="{_LEFT - 8:.0f}" y="{y + 4:.1f}">{shown}</text>')
    return parts


def _labels(listed: Sequence[Decision], place: _Place) -> list[str]:
    """Numbers of moves below the chart, each once and as many as there is room for."""
    first = {one.move: k for k, one in reversed(list(enumerate(listed)))}
    every = max(1, len(first) // 12)
    y = _HEIGHT - _BOTTOM + 18
    return [
        f'<text class="tick mid" x="{place(k, 0)[0]:.1f}" y="{y:.0f}">{listed[k].move}</text>'
        for k in sorted(first.values())[::every]
    ]


def _marks(
    match: Match,
    game: GameReview,
    listed: Sequence[Decision],
    values: Sequence[float],
    anchors: Mapping[tuple[int, int], str],
    place: _Place,
) -> list[str]:
    """A dot for each mistake, that leads to where it is explained."""
    parts = []
    where = {_turn(one): k for k, one in enumerate(listed)}
    for one in game.decisions:
        on_roll = (one.move, one.on_roll)
        k = where.get(_turn(one), where.get(on_roll))
        if not one.error_class or k is None:
            continue
        x, y = place(k, values[k])
        told = f"{match.players[one.player]}, {say(f'report.classes.{one.error_class}')}: {costs(match, one.loss)}"
        dot = f'<circle class="mistake p{one.player}" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/><title>{escape(told)}</title>'
        anchor = anchors.get(_turn(one))
        parts.append(f'<a href="#{anchor}">{dot}</a>' if anchor else f"<g>{dot}</g>")
    return parts
