"""Pictures of the last two rolls: Tuck's three curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bgrace.cube import endgame
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["two_step"]


@picture
def two_step(*, ax: Panels | None = None) -> Figure:
    """Draw where to double, redouble and pass in a game of two steps, with the three examples.

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
    panel.set_xlim(0, 1)
    panel.set_ylim(0, 1)
    panel.set_aspect("equal")
    panel.set_xlabel("p: the player on roll wins now")
    panel.set_ylabel("q: the opponent, given another roll, wins")
    panel.set_title("Two rolls from the end")
    panel.legend(loc="lower right", fontsize=9)
    return drawn
