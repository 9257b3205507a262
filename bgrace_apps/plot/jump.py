"""Pictures of the cube models: equity curves of any parameters, and the figures of Higgins' two papers.

M. Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", versions of March and April 2012.  Left out
are the diagram of barriers (March, figure 4) and the scores of a program's games against itself (April, figures 1 and
2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.cube import janowski, jump
from bgrace.cube.model import CubeModel, ModelEquities
from bgrace.errors import ArgumentError
from bgrace_apps.plot.canvas import COLOURS, DASHES, Panels, figure, picture, set_heading
from bgrace_apps.studies import jump_publications

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "FIGURES",
    "approximations",
    "distributions",
    "equity_curves",
    "fixed_window",
    "volatility_profile",
    "window_equity",
]

STATES: Final = {"centered": "centered cube", "mine": "the player's cube", "theirs": "the opponent's cube"}
"""Cube states, in the order of their colours."""

_POINTS: Final = {
    "centered": ("opponent_too_good_centered", "opponent_initial_double", "initial_double", "too_good_centered"),
    "mine": ("redouble", "too_good_mine"),
    "theirs": ("opponent_redouble", "opponent_too_good_theirs"),
}
"""Decision points that are marked on the curve of each cube state."""

_NAMES: Final = {
    "dead": "dead cube",
    "live": "live cube",
    "janowski": "Janowski, x = 0.7",
    "jump": "jump model, first version: average volatility 7.7 %, local 13 %",
}
"""The parts that `window_equity` draws."""

_P: Final = np.linspace(0, 1, 1001)


def _axes(panel: Axes, title: str) -> None:
    panel.set_title(title, fontsize="medium")
    panel.set(xlabel="chance of winning", ylabel="equity per unit of the cube", xlim=(0, 1))


def _mark_window(panel: Axes, take: float, cash: float, height: tuple[float, str]) -> None:
    """Draw lines at the take point and the cash point, and label them at a height in the given coordinates."""
    for point, text, shift, side in ((take, "take", -4, "right"), (cash, "cash", 4, "left")):
        panel.axvline(point, color="0.4", linewidth=0.9, linestyle=(0, (2, 2)))
        named, at = f"{text} {100 * point:.1f} %", (point, height[0])
        panel.annotate(
            named, at, (shift, 0), xycoords=("data", height[1]), textcoords="offset points", ha=side, fontsize="small"
        )


def _describe(win: float, lose: float, volatility: object) -> str:
    shown = f"{100 * volatility:g} %" if isinstance(volatility, float | int) else "varying"
    return f"W = {win:g}, L = {lose:g}, jump volatility {shown}"


@picture
def equity_curves(
    win: float = 1.2,
    lose: float = 1.1,
    volatility: float = 0.08,
    jumps: str = "double-exponential",
    mark_points: bool = True,
    *,
    ax: Panels | None = None,
) -> Figure:
    """Exact equities of rolling now in the three cube states, with the decision points: April 2012, figure 3.

    Parameters
    ----------
    win, lose : float
        W and L, from 1 to 3.
    volatility : float
        Jump volatility, from 0 to 1.
    jumps : str
        Jump distribution.
    mark_points : bool
        Whether to mark where doubles begin, passes begin and playing on begins.

    Raises
    ------
    ArgumentError
        If a number is out of range or the distribution unknown.
    """
    model = jump.exact(win, lose, volatility, jumps)
    drawn, (panel,) = figure(ax=ax)
    values = model.equities(_P)
    for (state, label), colour, dash in zip(STATES.items(), COLOURS, DASHES, strict=False):
        panel.plot(_P, getattr(values, state), color=colour, linestyle=dash, label=label)
        for name in _POINTS[state] if mark_points else ():
            p = getattr(model, name)
            if p is not None and 0 < p < 1:
                panel.plot([p], [getattr(model.equities(p), state)], "o", color=colour, markersize=4.5)
    if mark_points:
        _mark_window(panel, model.take_point, model.cash_point, (0.02, "axes fraction"))
    _axes(panel, f"{_describe(win, lose, volatility)}, {jumps} jumps")
    panel.legend(
        loc="center left", bbox_to_anchor=(0.6, 0.3), frameon=True, framealpha=1, facecolor="white", edgecolor="none"
    )
    return drawn


@picture
def approximations(
    win: float = 1.4,
    lose: float = 1.0,
    volatility: float = 0.20,
    jumps: str = "double-exponential",
    *,
    ax: Panels | None = None,
) -> Figure:
    """Linear, nonlinear and exact equities, one panel for each cube state: April 2012, figures 5 to 7.

    Below each panel are the errors of the approximations, which the paper leaves to the eye.  Parameters, returned
    value and errors are those of `equity_curves`.
    """
    models: dict[str, CubeModel[float]] = {
        "exact": jump.exact(win, lose, volatility, jumps),
        "nonlinear approximation": jump.nonlinear(win, lose, volatility, jumps=jumps),
        "linear approximation": jump.linear(win, lose, volatility),
    }
    drawn, panels = figure(2, 3, size=(12, 7), ax=ax)
    values = {name: model.equities(_P) for name, model in models.items()}
    for (state, title), panel, below in zip(STATES.items(), panels[:3], panels[3:], strict=True):
        truth = getattr(values["exact"], state)
        for (name, held), colour, dash in zip(values.items(), COLOURS, DASHES, strict=False):
            panel.plot(_P, getattr(held, state), color=colour, linestyle=dash, label=name)
            below.plot(_P, getattr(held, state) - truth, color=colour, linestyle=dash)
        _axes(panel, title)
        _axes(below, "less the exact solution")
    panels[0].legend(loc="upper left")
    set_heading(drawn, panels, f"{_describe(win, lose, volatility)}, {jumps} jumps", ax, fontsize="medium")
    return drawn


@picture
def distributions(win: float = 1.2, lose: float = 1.1, volatility: float = 0.08, *, ax: Panels | None = None) -> Figure:
    """Centered equities for both jump distributions, and their difference: April 2012, figure 4.

    Parameters, returned value and errors are those of `equity_curves`.
    """
    one, two = (jump.exact(win, lose, volatility, jumps).equities(_P).centered for jumps in jump.DISTRIBUTIONS)
    drawn, (panel, below) = figure(2, 1, size=(7.5, 6.4), ax=ax)
    for values, name, colour, dash in zip((one, two), jump.DISTRIBUTIONS, COLOURS, DASHES, strict=False):
        panel.plot(_P, values, color=colour, linestyle=dash, label=f"{name} jumps")
    _axes(panel, f"centered cube, {_describe(win, lose, volatility)}")
    panel.legend(loc="upper left")
    below.plot(_P, one - two, color=COLOURS[2])
    _axes(below, "double-exponential less Gaussian")
    return drawn


@picture
def window_equity(model: str = "janowski", win: float = 1.0, lose: float = 1.0, *, ax: Panels | None = None) -> Figure:
    """Centered equity with its steps where the cube is turned: March 2012, figures 1, 2, 3 and 5.

    Parameters
    ----------
    model : str
        ``"dead"``, ``"live"``, ``"janowski"`` (x = 0.7) or ``"jump"`` (first version, average volatility 7.7 %, local
        13 %).
    win, lose : float
        W and L, from 1 to 3.

    Raises
    ------
    ArgumentError
        If the model is not one of these, or a number is out of range.
    """
    if model not in _NAMES:
        raise ArgumentError(f"model={model!r} cannot be drawn: give {', '.join(_NAMES)}")
    first = jump_publications.first_version(win, lose, 0.077, 0.13)
    index = {"dead": 0.0, "live": 1.0, "janowski": 0.7}

    def line(p: Floats) -> ModelEquities[Floats]:
        return first.equities(p) if model == "jump" else janowski.equities(p, win, lose, index[model], form="line")

    points = first if model == "jump" else janowski.decision_points(win, lose, index[model], form="line")
    drawn, (panel,) = figure(ax=ax)
    take, cash = points.take_point, points.cash_point
    inside = np.linspace(take, cash, 50)
    panel.plot((0, take), (-1, -1), inside, line(inside).centered, (cash, 1), (1, 1), color=COLOURS[0])
    _mark_window(panel, take, cash, (0, "data"))
    _axes(panel, f"centered cube after the decision, {_NAMES[model]}")
    return drawn


@picture
def volatility_profile(
    buckets: jump.Buckets | None = None, level: float = 0.114, source: str = "", *, ax: Panels | None = None
) -> Figure:
    """Standard deviation of jumps by the chance of winning, and its heuristic form: March 2012, figure 6.

    Parameters
    ----------
    buckets : Buckets, optional
        Statistics of games; without, only the form with the paper's level is drawn.
    level : float
        Level of the form where there are no statistics.
    source : str
        What the games were, for the legend.
    """
    drawn, (panel,) = figure(ax=ax)
    form = jump.ramp(level) if buckets is None else buckets.fit()
    panel.plot(_P, form(_P), color=COLOURS[1], linestyle=DASHES[1], label=f"form, {100 * form.level:.1f} % inside")
    if buckets is not None:
        seen = buckets.counts > 0
        at = buckets.centers[seen]
        deviation = f"standard deviation{', ' if source else ''}{source}"
        panel.plot(at, buckets.standard_deviation[seen], "o", color=COLOURS[0], label=deviation)
        panel.plot(at, buckets.mean_absolute_jump[seen], "s", color=COLOURS[2], mfc="none", label="mean absolute jump")
    panel.set(xlim=(0, 1), ylim=(0, None), xlabel="chance of winning", ylabel="jump over a full round")
    panel.legend(loc="lower center")
    return drawn


@picture
def fixed_window(
    take_point: float = 0.3, cash_point: float = 0.7, deviation: float = 0.2, *, ax: Panels | None = None
) -> Figure:
    """Equity between two given points, solved and as a straight line: March 2012, figure 7.

    Parameters
    ----------
    take_point, cash_point : float
        The window.
    deviation : float
        Standard deviation of Gaussian jumps.

    Raises
    ------
    ArgumentError
        If a number is out of range.
    """
    window = jump_publications.fixed_window(take_point, cash_point, jump.from_standard_deviation(deviation))
    drawn, (panel,) = figure(ax=ax)
    panel.plot(window.p, window.equity, color=COLOURS[0], linestyle=DASHES[0], label="solved")
    line = window.intercept + window.slope * window.p
    panel.plot(window.p, line, color=COLOURS[1], linestyle=DASHES[1], label="straight line of the first version")
    panel.plot((0, take_point), (-1, -1), (cash_point, 1), (1, 1), color="0.3")
    _axes(panel, f"window {100 * take_point:g} to {100 * cash_point:g} %, standard deviation {100 * deviation:g} %")
    panel.legend(loc="upper left")
    return drawn


FIGURES: Final[dict[str, Callable[[], Figure]]] = {
    "march-2012-figure-1-dead-cube": lambda: window_equity("dead"),
    "march-2012-figure-2-live-cube": lambda: window_equity("live"),
    "march-2012-figure-3-janowski": lambda: window_equity("janowski"),
    "march-2012-figure-5-first-version": lambda: window_equity("jump"),
    "march-2012-figure-6-volatility": volatility_profile,
    "march-2012-figure-7-fixed-window": fixed_window,
    "april-2012-figure-3-equities": equity_curves,
    "april-2012-figure-4-distributions": distributions,
    "april-2012-figures-5-to-7-approximations": approximations,
}
"""Every figure by the name of its file."""
