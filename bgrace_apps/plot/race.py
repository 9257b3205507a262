"""Pictures of races: doubling windows by pip count, and those of real positions by expected pip count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bgrace.cube import race
from bgrace.errors import ArgumentError
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture
from bgrace_apps.studies.race_windows import RULES, Decision, Rule, Study, single_checker_lead

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["positions", "windows"]

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
        raise ArgumentError(f"first={first}, limit={limit}: give 1 <= first < limit")
    records = race.solve(0).windows(limit)[first:]
    k = np.array([record.k for record in records])
    leads = {
        name: np.array([np.nan if (lead := getattr(record, name)) is None else lead for record in records], dtype=float)
        for name in _NAMES
    }
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
    panel.set_ylim(bottom, top)
    panel.set_xlabel("pips of the player on roll")
    panel.set_ylabel("lead in pips")
    panel.set_title("Doubling windows of a race, single-checker model")
    crowded = marked is not None and lead > (top + bottom) / 2 and marked[0] < (first + limit) / 2
    panel.legend(loc="center right" if crowded else "upper left")
    return drawn


def _mark(panel: Axes, pips: tuple[int, int], *, right: bool) -> None:
    """Mark a pair with a point and its pips, which stand to the left of it if it is near the right edge."""
    lead = pips[1] - pips[0]
    panel.plot([pips[0]], [lead], "o", color="black", markersize=6, clip_on=False, zorder=5)
    panel.annotate(
        f"{pips[0]} against {pips[1]}",
        (pips[0], lead),
        xytext=(-9 if right else 9, 0),
        textcoords="offset points",
        horizontalalignment="right" if right else "left",
        verticalalignment="center",
        bbox={"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
        zorder=5,
    )


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
    first.set_ylabel("lead in EPC")
    first.set_title("Windows, best bound and single-checker model")
    first.legend(loc="upper left", fontsize=8)
    for panel, name in zip(others, _NAMES, strict=True):
        _costs(panel, epc, {rule: [group.accuracy[name][rule].mean_loss for group in groups] for rule in RULES})
        panel.set_title(f"Cost of the {_NAMES[name].split()[-1]} decision")
    others[-1].legend(loc="lower left", fontsize=8)
    for panel in panels:
        panel.set_xlabel("EPC of the player on roll")
    return drawn


def _costs(panel: Axes, epc: np.ndarray[tuple[int], np.dtype[np.float64]], costs: dict[Rule, list[float]]) -> None:
    for (rule, cost), colour, dash in zip(costs.items(), COLOURS, DASHES, strict=False):
        panel.plot(epc, np.maximum(cost, 1e-6), color=colour, linestyle=dash, label=_RULES[rule])
    panel.set_yscale("log")
    panel.set_ylabel("points a contested pair")
