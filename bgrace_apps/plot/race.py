"""Pictures of races: doubling windows by pips and by EPC, the last two rolls, and the continuous game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bgrace.cube import continuous, endgame, race
from bgrace.errors import ArgumentError
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture
from bgrace_apps.studies.race_windows import RULES, Decision, Rule, Study, single_checker_lead

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["opponents", "positions", "two_step", "windows"]

_NAMES: Final[dict[Decision, str]] = {
    "double": "least lead to double",
    "redouble": "least lead to redouble",
    "take": "greatest lag to take",
}

_RULES: Final[dict[Rule, str]] = {
    "pips": "single-checker table, raw pips",
    "epc": "single-checker table, EPC",
    "lead": "best lead in EPC",
}


@picture
def windows(
    limit: int = 150, first: int = 20, marked: tuple[int, int] | None = None, *, ax: Panels | None = None
) -> Figure:
    """Draw the doubling windows of the single-checker model.

    Parameters
    ----------
    limit, first : int
        Greatest and least pip count of the doubler.
    marked : tuple of two int, optional
        Pips of the player on roll and of the opponent, to be marked with a point.

    Raises
    ------
    ArgumentError
        If the limits are out of order or out of range.

    Notes
    -----
    Dotsenko and Marynych, "Optimal doubling strategies in backgammon", Table 5.
    """
    if not 1 <= first < limit:
        raise ArgumentError(f"first={first}, limit={limit}: a picture needs 1 <= first < limit")
    records = race.solve(0).windows(limit)[first:]
    k = np.array([record.k for record in records])
    leads = {name: np.array([getattr(record, name) for record in records], dtype=float) for name in _NAMES}
    drawn, (panel,) = figure(ax=ax)
    top, bottom = np.nanmax(leads["take"]) + 4.5, np.nanmin(leads["double"]) - 3.5
    if marked is not None:
        lead = marked[1] - marked[0]
        top, bottom = max(top, lead + 2 + lead // 20), min(bottom, lead - 2 + lead // 20)
    # Counts and leads are whole: double from a line on, take up to it and including it.
    low, high, last = leads["double"] - 0.5, leads["redouble"] - 0.5, leads["take"] + 0.5
    panel.fill_between(k, low, high, step="mid", color=COLOURS[0], alpha=0.12, linewidth=0)
    panel.fill_between(k, high, last, step="mid", color=COLOURS[1], alpha=0.16, linewidth=0)
    panel.fill_between(k, last, top, step="mid", color="0.5", alpha=0.18, linewidth=0)
    for line, label, colour, dash in zip((low, high, last), _NAMES.values(), COLOURS, DASHES, strict=False):
        panel.step(k, line, where="mid", color=colour, linestyle=dash, label=label)
    at, other = len(k) * 3 // 5, len(k) * 17 // 20
    middle, third = len(k) // 2, len(k) // 3
    panel.text(k[middle], last[middle] + 0.6 * (top - last[middle]), "double, pass")
    panel.text(k[third], bottom + 0.25 * (low[third] - bottom), "no double")
    for text, place, n, height in (
        ("double or redouble, take", (0.44, 0.19), at, (high[at] + last[at]) / 2),
        ("double a centered cube only", (0.62, 0.3), other, (low[other] + high[other]) / 2),
    ):
        panel.annotate(
            text, (k[n], height), place, textcoords="axes fraction", arrowprops={"arrowstyle": "-", "linewidth": 0.8}
        )
    if marked is not None:
        _mark(panel, marked, right=marked[0] > first + 0.75 * (limit - first))
    panel.set_xlim(min(first, *(marked or (first,))[:1]), max(limit, *(marked or (limit,))[:1]))
    panel.set(ylim=(bottom, top), xlabel="pips of the player on roll", ylabel="lead in pips")
    panel.set_title("Doubling windows of a race, single-checker model")
    crowded = marked is not None and lead > (top + bottom) / 2 and marked[0] < (first + limit) / 2
    panel.legend(loc="center right" if crowded else "upper left")
    return drawn


def _mark(panel: Axes, pips: tuple[int, int], *, right: bool) -> None:
    """Mark a pair with a point and its pips, which stand to the left of it if it is near the right edge."""
    lead = pips[1] - pips[0]
    panel.plot([pips[0]], [lead], "o", color="black", markersize=6, clip_on=False, zorder=5)
    text, shift, side = f"{pips[0]} against {pips[1]}", (-9 if right else 9, 0), "right" if right else "left"
    box = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    panel.annotate(text, (pips[0], lead), shift, textcoords="offset points", ha=side, va="center", bbox=box, zorder=5)


@picture
def positions(studied: Study, least_pairs: int = 1000, *, ax: Panels | None = None) -> Figure:
    """Draw the windows of real positions in expected pips, and the cost of rules of thumb.

    Parameters
    ----------
    studied : Study
        See `bgrace_apps.studies.race_windows.study`.
    least_pairs : int
        Groups with fewer contested pairs are left out.

    Raises
    ------
    ArgumentError
        If no group is that large.
    """
    groups = [group for group in studied.by_epc(least_pairs) if isinstance(group.label, int)]
    if not groups:
        raise ArgumentError(f"least_pairs={least_pairs}: no group of this study has as many, give less")
    epc = np.array([group.label for group in groups], dtype=float) + 0.5
    advice = [single_checker_lead(max(float(e), 49 / 6)) for e in epc]
    drawn, panels = figure(2, 2, (10, 7.5), ax=ax)
    first, *others = panels
    for name, colour, dash in zip(_NAMES, COLOURS, DASHES, strict=False):
        exact = [getattr(group, name) for group in groups]
        first.plot(epc, exact, color=colour, linestyle=dash, label=_NAMES[name])
        first.plot(epc, [leads[name] for leads in advice], color=colour, linestyle=dash, linewidth=0.8, alpha=0.8)
    first.plot([], [], color="0.4", linewidth=0.8, label="thin: single-checker model")
    first.set(ylabel="lead in EPC", title="Windows, best bound and single-checker model")
    first.legend(loc="upper left", fontsize=8)
    for panel, name in zip(others, _NAMES, strict=True):
        for rule, colour, dash in zip(RULES, COLOURS, DASHES, strict=False):
            # A cost of 0 has no place on a logarithmic axis.
            cost = [group.accuracy[name][rule].mean_loss or np.nan for group in groups]
            panel.plot(epc, cost, color=colour, linestyle=dash, marker=".", label=_RULES[rule])
        panel.set(yscale="log", ylabel="points a contested pair")
        panel.set_title(f"Cost of the {_NAMES[name].split()[-1]} decision")
    others[-1].legend(loc="lower left", fontsize=8)
    for panel in panels:
        panel.set_xlabel("EPC of the player on roll")
    return drawn


@picture
def two_step(*, ax: Panels | None = None) -> Figure:
    """Draw Tuck's three curves: where to double, redouble and pass in a game of two steps, with the three examples.

    Notes
    -----
    Dotsenko and Marynych, "Optimal doubling strategies in backgammon", figure 1.
    """
    q = np.linspace(0, 1, 241)  # meets the corners of the curves
    curves = {
        "double from here on: $P_D$": endgame.double_threshold(q),
        "redouble from here on: $P_R$": endgame.redouble_threshold(q),
        "pass beyond: $P_Q$": endgame.pass_threshold(q),
    }
    double, redouble, take = curves.values()
    drawn, (panel,) = figure(size=(6.8, 6.2), ax=ax)
    panel.fill_betweenx(q, double, redouble, color=COLOURS[0], alpha=0.14, linewidth=0)
    beyond = np.maximum(redouble, take)
    panel.fill_betweenx(q, redouble, beyond, color=COLOURS[1], alpha=0.14, linewidth=0)
    panel.fill_betweenx(q, beyond, 1, color="0.5", alpha=0.18, linewidth=0)
    for (label, p), colour, dash in zip(curves.items(), COLOURS, DASHES, strict=False):
        panel.plot(p, q, color=colour, linestyle=dash, label=label)
    panel.axvline(19 / 36, color="black", linewidth=0.7)
    for example in endgame.examples():
        panel.plot([example.game.p], [example.game.q], "o", color="black", markersize=5, clip_on=False)
        panel.annotate(
            example.name.upper(), (example.game.p, example.game.q), xytext=(6, -12), textcoords="offset points"
        )
    panel.text(0.25, 0.88, "no double", ha="center")
    panel.text(0.83, 0.45, "double or redouble,\npass", ha="center")
    panel.text(0.27, 0.42, "double or redouble,\ntake", ha="center")
    panel.annotate(
        "double a centered\ncube only",
        (0.5, 0.72),
        (0.1, 0.72),
        arrowprops={"arrowstyle": "-", "linewidth": 0.8},
        va="center",
    )
    panel.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", title="Two rolls from the end")
    panel.set(xlabel="p: the player on roll wins now", ylabel="q: the opponent, given another roll, wins")
    panel.legend(loc="lower right", fontsize=9)
    return drawn


@picture
def opponents(*, ax: Panels | None = None) -> Figure:
    """Draw the mean winnings against opponents who double too early or too late, and the approach to the normal law.

    Notes
    -----
    Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 3.
    """
    drawn, (left, right) = figure(1, 2, (10, 4.2), ax=ax)
    t = np.linspace(0.002, 0.2, 100)
    lines = {
        "insolent, at 0.2 + t": [continuous.insolent(value, 1).mean for value in t],
        "cautious, at 0.2 - t, takes": [continuous.cautious(value, takes=True).mean for value in t],
        "cautious, at 0.2 - t, passes": [continuous.cautious(value).mean for value in t],
    }
    for (label, means), colour, dash in zip(lines.items(), COLOURS, DASHES, strict=False):
        left.plot(t, means, color=colour, linestyle=dash, label=label)
    left.set(xlabel="t", ylabel="mean winnings of a rational player", title="What a wrong doubling point costs")
    left.legend(loc="upper left", fontsize=9)
    games = np.unique(np.logspace(1, 5, 13).astype(int))
    chances = [continuous.chance_within_norming(int(n)) for n in games]
    right.plot(games, chances, "o-", color=COLOURS[0], markersize=4, label="sum of n games within $a_n$")
    right.axhline(0.6827, color=COLOURS[1], linestyle=DASHES[1], label="limit, 0.6827")
    right.set(xscale="log", ylim=(0.45, 0.7), xlabel="games n", ylabel="chance", title="The central limit, slowly")
    right.legend(loc="lower right", fontsize=9)
    return drawn
