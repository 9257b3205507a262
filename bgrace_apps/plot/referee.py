"""Pictures of the cost of rules for races."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np

from bgrace.errors import ArgumentError
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture, set_heading
from bgrace_apps.studies.referee import Judged, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["by_length", "chances", "ranking"]


@picture
def ranking(reports: dict[str, Report], *, ax: Panels | None = None) -> Figure:
    """Draw the cost of each rule, cheapest first: one panel per report.

    Parameters
    ----------
    reports : dict
        Reports by the title of their panel.

    Raises
    ------
    ArgumentError
        If there is no report.
    """
    if not reports:
        raise ArgumentError("there is no report to draw: give at least one")
    most = max(len(report.rules) for report in reports.values())
    drawn, panels = figure(1, len(reports), size=(6.4 * len(reports), 1.6 + 0.27 * most), ax=ax)
    for panel, (title, report) in zip(panels, reports.items(), strict=True):
        # Beside others "never" would leave no room for them.
        _bars(panel, [rule for rule in report.rules if rule.name != "never"] or report.rules)
        panel.set_title(f"{title}: {report.judged_pairs:,} pairs", fontsize="medium")
    if ax is None:
        columns = 4 if len(reports) > 1 else 2
        labelled = panels[0].get_legend_handles_labels()
        drawn.legend(*labelled, loc="outside lower center", ncols=columns, fontsize="small")
    else:
        panels[0].legend(loc="lower right", fontsize="small")
    return drawn


def _bars(panel: Axes, rules: Sequence[Judged]) -> None:
    places = list(range(len(rules)))
    costs, errors, best = ([getattr(rule, name) for rule in rules] for name in ("cost", "error", "best_cost"))
    named = next((k for k, rule in enumerate(rules) if rule.kind != "yardstick"), 0)
    for k, rule in enumerate(rules):
        alpha = 0.35 if rule.kind == "yardstick" else 1.0  # no rule for the board: it is drawn paler
        doubles, takes = ("by doubling wrongly", "by wrong takes and passes") if k == named else (None, None)
        doubling = (rule.double.cost + rule.redouble.cost) / 2
        panel.barh(k, doubling, color=COLOURS[0], alpha=alpha, label=doubles)
        panel.barh(k, rule.cost - doubling, left=doubling, color=COLOURS[1], alpha=alpha, label=takes)
    panel.errorbar(costs, places, xerr=errors, fmt="none", ecolor="black", elinewidth=1, label="standard error")
    limits = "the same rule with its best limits"
    panel.plot(best, places, "D", color="white", markeredgecolor="black", markersize=5, label=limits)
    panel.set_yticks(places, [rule.title for rule in rules], fontsize="small")
    for label, rule in zip(panel.get_yticklabels(), rules, strict=True):
        label.set_fontstyle("italic" if rule.kind == "yardstick" else "normal")
        label.set_color("0.35" if rule.kind == "yardstick" else "black")
    panel.set_ylim(len(rules) - 0.4, -0.6)
    panel.grid(visible=False, axis="y")
    panel.set_xlabel("loss a pair of positions, thousandths of the cube")


@picture
def by_length(report: Report, *, ax: Panels | None = None) -> Figure:
    """Draw a map of the cost of each rule at each length: which rule is good when.

    Parameters
    ----------
    report : Report

    Returns
    -------
    Figure
        Colour and number say what is lost, on one logarithmic scale for the whole map: the darker, the dearer.  The
        cheapest rules for the board of each column are bold.

    Raises
    ------
    ArgumentError
        If the report has no count and no formula.
    """
    rules = sorted((rule for rule in report.rules if rule.name != "never"), key=lambda rule: rule.kind == "yardstick")
    costs = np.array([list(rule.cost_by_length.values()) for rule in rules])
    board = [rule.kind != "yardstick" for rule in rules]
    if not any(board):
        raise ArgumentError("the report has no count and no formula: judge at least one")
    # Below a twentieth of a thousandth nothing is left to tell apart.
    least = np.maximum(costs[board].min(axis=0), 0.05)
    depth = np.log2(np.maximum(costs, 0.05) / 0.05)
    darkest = max(float(depth.max()), 1.0)
    drawn, (panel,) = figure(size=(2.6 + 0.85 * costs.shape[1], 1.3 + 0.29 * len(rules)), ax=ax)
    panel.imshow(depth, cmap="Blues", vmin=0, vmax=1.15 * darkest, aspect="auto")
    for row, column in np.ndindex(*costs.shape):
        value = costs[row, column]
        shown = f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.95 else f"{value:.2f}"
        ink = "white" if depth[row, column] > 0.65 * darkest else "black"
        weight = "bold" if board[row] and value <= 1.1 * least[column] else "normal"
        panel.text(column, row, shown, ha="center", va="center", fontsize="small", color=ink, weight=weight)
    panel.axhline(sum(board) - 0.5, color="black", linewidth=1)
    columns = [f"{length}\n({pairs:,})" for length, pairs in report.lengths.items()]
    panel.set_xticks(range(costs.shape[1]), columns, fontsize="small")
    panel.set_yticks(range(len(rules)), [rule.title for rule in rules], fontsize="small")
    for label, rule in zip(panel.get_yticklabels(), rules, strict=True):
        label.set_fontstyle("italic" if rule.kind == "yardstick" else "normal")
    panel.tick_params(length=0)
    panel.grid(visible=False)
    panel.spines[:].set_visible(False)
    panel.set_xlabel("pips of the player on roll (pairs of positions)")
    panel.set_title("Thousandths of the cube that a pair of positions loses", fontsize="medium")
    return drawn


@picture
def chances(report: Report, names: Sequence[str], *, ax: Panels | None = None) -> Figure:
    """Draw how far chances of winning are off, by the pips of the player on roll.

    Parameters
    ----------
    report : Report
    names : sequence of str
        Rules of the report that give a chance, at most sixteen.

    Raises
    ------
    ArgumentError
        If a rule gives none.
    KeyError
        If a rule is not in the report.
    """
    rules = [report[name] for name in names]
    for rule in rules:
        if rule.chance is None:
            raise ArgumentError(f"{rule.name} gives no chance of winning: leave it out")
    drawn, (left, right) = figure(1, 2, size=(11, 4.8), ax=ax)
    places = list(range(len(report.lengths)))
    styles = [(colour, dash) for dash in DASHES for colour in COLOURS]
    for panel, quantity in ((left, "rms_by_length"), (right, "bias_by_length")):
        for rule, (colour, dash) in zip(rules, cycle(styles), strict=False):
            line = [100 * value for value in getattr(rule.chance, quantity).values()]
            panel.plot(places, line, color=colour, linestyle=dash, marker="o", markersize=3.5, label=rule.title)
        panel.set_xticks(places, list(report.lengths), fontsize="small")
        panel.set_xlabel("pips of the player on roll")
    right.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small")
    left.set_yscale("log")
    left.set_yticks([0.5, 1, 2, 5, 10, 20], ["0.5", "1", "2", "5", "10", "20"])
    left.set_ylabel("root mean square error of the chance, %")
    right.axhline(0, color="0.3", linewidth=0.8)
    right.set_ylabel("mean error, %: above 0 the rule is too hopeful")
    set_heading(drawn, (left, right), "How far off the chance of winning is", ax)
    return drawn
