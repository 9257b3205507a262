"""Pictures of races played on the board beside single checkers: the figures of Ross, Benjamin and Munson.

"Estimating Winning Probabilities in Backgammon Races" (below RBM).  Figures 2 and 3 are of single checkers alone, 10 to
14 of played races too: give them the `BoardRaces` that `bgrace_apps.studies.played_races.play` plays.  The axes are the
paper's choice; where its text leaves a figure open, ours.  Every function returns a matplotlib figure, and raises
DependencyError if matplotlib is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from bgrace import scm
from bgrace._base.arrays import Floats, Integers
from bgrace.board.dice import MEAN_PIPS
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture, set_heading
from bgrace_apps.studies.played_races import LEADS, PIPS, PRINTED, BoardRaces

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "figure_2", "figure_3", "figure_10", "figure_11", "figure_12", "figure_13", "figure_14"]

_LEADS: Final = np.array(LEADS)


@picture
def figure_2(*, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 2: chances of winning of single checkers."""
    drawn, (panel,) = figure(size=(9, 5.4), ax=ax)
    for x in PIPS:
        panel.plot(x + _LEADS, scm.win_probability(x, x + _LEADS), color=COLOURS[0])
        _name(panel, x, float(scm.win_probability(x, x + _LEADS[-1])))
    for lead, dash, label in ((-4, DASHES[1], "Y = X - 4"), (0, DASHES[2], "Y = X"), (10, DASHES[3], "Y = X + 10")):
        chances = [float(scm.win_probability(x, x + lead)) for x in PIPS]
        panel.plot([x + lead for x in PIPS], chances, color=COLOURS[1], linestyle=dash, linewidth=1.2)
        panel.plot([x + lead for x in PIPS], chances, "o", color=COLOURS[1], markersize=4)
        panel.text(PIPS[-1] + lead + 1, chances[-1] - 0.022, label, color=COLOURS[1], fontsize="small")
    _chances(panel)
    panel.set_title("Single checkers: chance of winning of the player on roll, X pips to go")
    return drawn


@picture
def figure_3(*, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 3: how far D^2/S and the improved formula are off for single checkers."""
    drawn, panels = figure(1, 2, size=(11, 4.6), ax=ax)
    for panel, formula, name in (
        (panels[0], scm.kleinman, "D^2/S, equation (7)"),
        (panels[1], scm.improved, "improved, equation (13)"),
    ):
        errors = np.array([formula(x, x + _LEADS) - scm.win_probability(x, x + _LEADS) for x in PIPS])
        for k, x in enumerate(PIPS):
            panel.plot(_LEADS, errors[k], color=COLOURS[k % 4], linestyle=DASHES[k // 4], label=f"X = {x}")
        panel.axhline(0, color="0.3", linewidth=0.8)
        panel.set(ylim=(-0.0023, 0.0021), xlabel="Y - X, pips")
        worst, spread = np.abs(errors).max(), np.sqrt((errors**2).mean())
        panel.set_title(f"{name}: at most {worst:.4f}, rms {spread:.4f}", fontsize="medium")
    panels[0].set_ylabel("formula less exact chance")
    panels[1].legend(fontsize="small", ncols=2)
    set_heading(drawn, panels, "Formulas for the chance of winning of single checkers", ax)
    return drawn


@picture
def figure_10(races: BoardRaces, *, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 10: the mean number of rolls on the board, beside single checkers by the limit theorem."""
    base = races.alone["base"]
    without_waste = base.pips / MEAN_PIPS
    drawn, (left, right) = figure(1, 2, size=(11, 4.8), ax=ax)
    left.plot(base.pips, base.mean, ".", color=COLOURS[1], label="played")
    left.plot(base.pips, without_waste, color=COLOURS[0], label="X / (49/6)")
    left.set_ylabel("mean number of rolls")
    left.legend()
    _played(right, base.pips, base.mean - without_waste, base.mean_error)
    printed = PRINTED["mean"].at(base.pips) - without_waste
    right.plot(base.pips, printed, "--", color=COLOURS[2], label="printed fit (17)")
    right.axhline(scm.MEAN_OFFSET, color=COLOURS[0], linestyle="-.", label="single checkers: 198/343")
    right.set(ylim=(0.5, 1.6), ylabel="rolls more than X / (49/6)")
    scales = (lambda rolls: np.multiply(rolls, MEAN_PIPS), lambda pips: np.divide(pips, MEAN_PIPS))
    right.secondary_yaxis("right", functions=scales).set_ylabel("the same in pips")
    right.legend(fontsize="small")
    for panel in (left, right):
        panel.set_xlabel("X: pips to go")
    set_heading(
        drawn, (left, right), f"One player alone: how many rolls it takes ({base.games:,} games of each position)", ax
    )
    return drawn


@picture
def figure_11(races: BoardRaces, *, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 11: the variance of the number of rolls on the board, beside lines."""
    base = races.alone["base"]
    first = int(min(PIPS))
    fitted = base.fit("variance", first)
    drawn, (panel,) = figure(size=(8.6, 5.4), ax=ax)
    _played(panel, base.pips, base.variance, base.variance_error)
    x = np.array([0, base.pips[-1]])
    for line, colour, dash, label in (
        (scm.VARIANCE_PIPS / MEAN_PIPS**3 * x, COLOURS[0], DASHES[0], "single checkers: 665/36 X / (49/6)^3"),
        (16 / MEAN_PIPS**3 * x, COLOURS[3], DASHES[1], "Kleinman: 16 X / (49/6)^3"),
        (fitted.at(x), "black", DASHES[2], f"best line from {first}: {fitted.intercept:.3f} + {fitted.slope:.5f} X"),
        (PRINTED["variance"].at(x), COLOURS[2], DASHES[3], "printed fit (18): -0.408 + 0.03302 X"),
    ):
        panel.plot(x, line, color=colour, linestyle=dash, linewidth=1.4, label=label)
    panel.set(xlim=(40, base.pips[-1] + 2), ylim=(0.5, 5.7))
    panel.set(xlabel="X: pips to go", ylabel="variance of the number of rolls")
    panel.legend(fontsize="small")
    panel.set_title(f"One player alone: variance ({base.games:,} games of each position)")
    return drawn


@picture
def figure_12(races: BoardRaces, *, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 12: chances of winning on the board, beside single checkers."""
    played = races.base.win
    drawn, (panel,) = figure(size=(9, 5.6), ax=ax)
    for k, x in enumerate(PIPS):
        y = x + _LEADS
        exact = scm.win_probability(x, y)
        panel.plot(y, exact, color=COLOURS[0], linewidth=1.4, label="single checkers" if k == 0 else None)
        panel.plot(y, played[k], ".", color=COLOURS[1], markersize=4, label="played" if k == 0 else None)
        _name(panel, x, float(max(exact[-1], played[k, -1])))
    for level, extra in ((0.8, 4), (0.9, 12)):
        at = 1.1 * np.array(PIPS) + extra
        panel.plot(at, np.full(at.shape, level), "|", color="black", markersize=11)
        panel.text(165, level - 0.007, f"Y = 1.1 X + {extra}", fontsize="small")
    _chances(panel)
    panel.set_xlim(48, 182)
    panel.legend(loc="lower right")
    panel.set_title("Chance of winning of the player on roll, X pips to go")
    return drawn


@picture
def figure_13(races: BoardRaces, *, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 13: chances of winning where both sides have a gap on the 5 point."""
    return _gaps(races, {"both have a gap": ("gap", "gap")}, "Both sides with a gap on the 5 point", ax)


@picture
def figure_14(races: BoardRaces, *, ax: Panels | None = None) -> Figure:
    """Draw RBM's figure 14: chances of winning where one side has a gap on the 5 point."""
    shapes = {"the player on roll has a gap": ("gap", "base"), "the opponent has a gap": ("base", "gap")}
    return _gaps(races, shapes, "One side with a gap on the 5 point", ax)


def _gaps(races: BoardRaces, shapes: dict[str, tuple[str, str]], title: str, ax: Panels | None) -> Figure:
    """Chances with gaps and without, and their difference; from 60 pips on, where positions with a gap begin."""
    base = races.base.win
    drawn, (left, right) = figure(1, 2, size=(12, 5), ax=ax)
    others = {label: races.chances[pair].win for label, pair in shapes.items()}
    for k, x in enumerate(PIPS):
        y = x + _LEADS
        left.plot(y, base[k], color=COLOURS[0], linewidth=1.2, label="no gap" if k == 0 else None)
        for (label, chances), colour, mark in zip(others.items(), COLOURS[1:], (".", "x"), strict=False):
            left.plot(y, chances[k], mark, color=colour, markersize=4, label=label if k == 0 else None)
        _name(left, x, float(np.nanmax([chances[k, -1] for chances in others.values()])), "{}")
    _chances(left)
    left.legend(loc="lower right", fontsize="small")
    for n, (label, chances) in enumerate(others.items()):
        for k, x in enumerate(PIPS):
            colour, dash, named = COLOURS[k % 4], DASHES[k // 4], f"X = {x}" if n == 0 else None
            right.plot(_LEADS, chances[k] - base[k], color=colour, linestyle=dash, linewidth=1.4, label=named)
        if len(others) > 1:
            above = np.nanmean(chances - base) > 0
            height, side = (0.98, "top") if above else (0.02, "bottom")
            right.text(0.98, height, label, ha="right", va=side, transform=right.transAxes)
    right.axhline(0, color="0.3", linewidth=0.8)
    right.set(xlabel="Y - X, pips", ylabel="chance with the gap less chance without")
    right.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.01, 0.5))
    set_heading(drawn, (left, right), f"{title}: X pips on roll against Y", ax)
    return drawn


def _played(panel: Axes, pips: Integers, values: Floats, errors: Floats) -> None:
    """Dots with error bars."""
    label = "played, two standard errors"
    panel.errorbar(pips, values, yerr=2 * errors, fmt=".", color=COLOURS[1], elinewidth=0.8, label=label)


def _chances(panel: Axes) -> None:
    panel.axhline(0.5, color="0.3", linewidth=0.8)
    panel.set(ylim=(0.2, 1), xlim=(48, 170), xlabel="Y: pips of the opponent", ylabel="chance of winning")


def _name(panel: Axes, x: int, top: float, text: str = "X = {}") -> None:
    """Label a curve at its upper end."""
    panel.text(x + _LEADS[-1] + 0.6, top + 0.004, text.format(x), fontsize="small", color=COLOURS[0])


FIGURES: Final[dict[str, Callable[[BoardRaces], Figure]]] = {
    "figure-02": lambda _races: figure_2(),
    "figure-03": lambda _races: figure_3(),
    "figure-10": figure_10,
    "figure-11": figure_11,
    "figure-12": figure_12,
    "figure-13": figure_13,
    "figure-14": figure_14,
}
"""Every figure by its number in the paper."""
