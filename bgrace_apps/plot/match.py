"""Pictures of match play: the right cube action at every score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgrace.cube.action import CubeAction
from bgrace.match.maps import ScoreMap
from bgrace_apps.plot.canvas import Panels, figure, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["score_map"]

_SHADES: Final = {
    "no cube": ("white", "", "no cube to turn"),
    "no double": ("#e8eef5", "", "no double"),
    "double/take": ("#8fb3d9", "D", "D  double, take"),
    "double/pass": ("#f2b58a", "P", "P  double, pass"),
    "too good": ("#7a3b8f", "+", "+  too good to double"),
}
"""Colour, letter and name of each verdict; the letters tell them apart without colours."""


@picture
def score_map(result: ScoreMap, *, ax: Panels | None = None) -> Figure:
    """Draw the cube action of one position at every score.

    Parameters
    ----------
    result : ScoreMap

    Returns
    -------
    Figure
        Each square has the verdict's letter and, below it, by how much normalised equity the better of doubling and
        not doubling is ahead, in thousandths.  A question mark is beside verdicts that are too close to call.
    """
    from matplotlib.patches import Patch  # noqa: PLC0415

    names, rows = result.grid()
    side = max(5.5, 0.47 * len(names))
    drawn, (panel,) = figure(size=(side, side + 1.3), ax=ax)
    unsure = [action for score, action in result.actions.items() if result.is_unsure(score)]
    for row, actions in enumerate(rows):
        for column, action in enumerate(actions):
            if action is not None:
                _square(panel, row, column, action, "?" if action in unsure else "")
    panel.set_xticks(range(len(names)), names)
    panel.set_yticks(range(len(names)), names)
    panel.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(names) - 0.5, -0.5), aspect="equal")
    panel.grid(visible=False)
    panel.set_xlabel("points that the opponent needs (1C: the Crawford game)")
    panel.set_ylabel("points that the player on roll needs")
    panel.set_title(
        f"{result.on_roll} on roll\nagainst {result.opponent}, "
        f"cube {result.cube_value} {result.cube}, {result.table.name}",
        fontsize=10,
    )
    present = {action.verdict for action in result.actions.values()}
    # Below the map: of a figure of our own, or of the axes that were given.
    held = drawn if ax is None else panel
    below = {"loc": "outside lower center"} if ax is None else {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12)}
    held.legend(
        **below,
        handles=[
            Patch(facecolor=colour, edgecolor="0.6", label=name)
            for verdict, (colour, _, name) in _SHADES.items()
            if verdict in present
        ]
        + [Patch(facecolor="none", edgecolor="none", label="?  too close to call")] * bool(unsure),
        ncols=3,
        fontsize=8,
        title="numbers: what the wrong choice between doubling and waiting costs, thousandths of a point",
        title_fontsize=8,
    )
    return drawn


def _square(panel: Axes, row: int, column: int, action: CubeAction, mark: str) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    colour, letter, _ = _SHADES[action.verdict]
    panel.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="0.75", linewidth=0.6))
    ink = "white" if action.verdict == "too good" else "black"
    if action.verdict == "no cube":
        panel.text(column, row, "·", ha="center", va="center", color="0.6")
        return
    panel.text(column, row - 0.14, letter + mark, ha="center", va="center", color=ink, fontsize=9)
    if action.double_margin is not None:
        margin = f"{1000 * abs(action.double_margin):.0f}"
        panel.text(column, row + 0.27, margin, ha="center", va="center", color=ink, fontsize=5.5)
