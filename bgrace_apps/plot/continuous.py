"""Pictures of the continuous game: losses of unlike opponents, and how slowly sums become normal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bgrace.cube import continuous
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["opponents"]


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
    left.set_xlabel("t")
    left.set_ylabel("mean winnings of a rational player")
    left.set_title("What a wrong doubling point costs")
    left.legend(loc="upper left", fontsize=9)
    games = np.unique(np.logspace(1, 5, 13).astype(int))
    chances = [continuous.chance_within_norming(int(n)) for n in games]
    right.plot(games, chances, "o-", color=COLOURS[0], markersize=4, label="sum of n games within $a_n$")
    right.axhline(0.6827, color=COLOURS[1], linestyle=DASHES[1], label="limit, 0.6827")
    right.set_xscale("log")
    right.set_ylim(0.45, 0.7)
    right.set_xlabel("games n")
    right.set_ylabel("chance")
    right.set_title("The central limit, slowly")
    right.legend(loc="lower right", fontsize=9)
    return drawn
