"""Match play as tables for a reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from bgrace.cli.screen import Block, columns
from bgrace.cli.tables import percent_text
from bgrace.cube.action import CubeAction
from bgrace.match.arithmetic import CubePoints
from bgrace.match.maps import ScoreMap
from bgrace.match.met import MatchEquityTable
from bgrace.match.zadeh import Cell

LETTERS: Final = {"no double": "-", "double/take": "D", "double/pass": "P", "too good": "+", "no cube": "."}
"""How a map shows a verdict."""


def points_blocks(points: list[CubePoints]) -> list[Block]:
    """The take points and windows of every cube."""
    heads = ("cube", "double", "cash", "take", "take, live", "gammon won", "gammon lost")
    table = columns(*["right"] * 7, heads=heads)
    for each in points:
        table.add_row(
            f"{each.cube_value}",
            *(_maybe(value) for value in (each.doubling_point, each.cash_point, each.take_point)),
            _maybe(each.live_take_point),
            f"{each.gammon_value_won:.3f}",
            f"{each.gammon_value_lost:.3f}",
        )
    remarks = [
        (each.cube_value, "the opponent who takes redoubles at once" if each.automatic_redouble else each.reason)
        for each in points
    ]
    return [table, *(Text(f"  {cube}: {remark}", style="dim") for cube, remark in remarks if remark)]


def met_blocks(met: MatchEquityTable, length: int) -> list[Block]:
    """The first rows and columns of a table, in percent."""
    heads = ["", *(f"{x}" for x in range(1, length + 1))]
    grid, post = (columns(*["right"] * (length + 1), heads=heads) for _ in range(2))
    for x1 in range(1, length + 1):
        grid.add_row(Text(f"{x1}", style="dim"), *(f"{100 * met.equity(x1, x2):.1f}" for x2 in range(1, length + 1)))
    most = met.post_crawford.shape[1]
    for row in met.post_crawford if not met.is_symmetric else met.post_crawford[:1]:
        post.add_row("", *(f"{100 * row[x]:.1f}" if x < most else "" for x in range(length)))
    return [
        Text(met.name, style="bold"),
        *([met.description] if met.description else []),
        f"{met.length} points, {'both players alike' if met.is_symmetric else 'players differ'}",
        "",
        grid,
        "",
        "Trailer after the Crawford game, the other side needing 1",
        post,
    ]


def zadeh_lines(cells: Sequence[Sequence[Cell]]) -> list[str]:
    """Zadeh's table: three figures in percent for each score."""
    limit = len(cells)
    lines = ["  " + "".join(f"{x1:>4} " for x1 in range(1, limit + 1))]
    for x2 in range(1, limit + 1):
        column = [cells[x1][x2 - 1] for x1 in range(limit)]
        shown = [str(cell).split("/") for cell in column]
        for k in range(max(map(len, shown))):
            # A mark stands behind its figure, and the figures stay in line.
            figures = (
                f"{text[k].rstrip('*'):>4}{'*' if text[k].endswith('*') else ' '}" if k < len(text) else " " * 5
                for text in shown
            )
            lines.append(f"{x2 if k == 0 else '':>2}" + "".join(figures))
    return [line.rstrip() for line in lines]


def map_grid(score_map: ScoreMap) -> Table:
    """A map: a letter for each score."""
    names, rows = score_map.grid()
    grid = columns(*["right"] * (len(names) + 1))
    grid.padding = (0, 0, 0, 1)
    heads = [Text(name, style="dim") for name in names]
    grid.add_row("", *heads)
    unsure = {id(action) for score, action in score_map.actions.items() if score_map.is_unsure(score)}
    for head, actions in zip(heads, rows, strict=True):
        grid.add_row(head, *(_letter(action, "?" if id(action) in unsure else "") for action in actions))
    return grid


def _letter(action: CubeAction | None, mark: str = "") -> Text:
    if action is None:
        return Text("")
    letter = LETTERS[action.verdict]
    return Text(letter + mark, style={"D": "green", "P": "bold green", "+": "cyan"}.get(letter, "dim"))


def _maybe(value: float | None) -> str:
    return "" if value is None else percent_text(value)
