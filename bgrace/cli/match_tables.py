"""Match play as tables for a reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from bgrace.cli.screen import columns, print_lines, print_table
from bgrace.cli.tables import percent_text
from bgrace.cube.action import CubeAction
from bgrace.match.arithmetic import CubePoints
from bgrace.match.maps import ScoreMap
from bgrace.match.met import MatchEquityTable
from bgrace.match.zadeh import Cell

LETTERS: Final = {"no double": "-", "double/take": "D", "double/pass": "P", "too good": "+", "no cube": "."}
"""How a map shows a verdict."""


def print_points(points: list[CubePoints]) -> None:
    """Print the take points and windows of every cube."""
    table = columns(*["right"] * 7)
    heads = ("cube", "double", "cash", "take", "take, live", "gammon won", "gammon lost")
    table.add_row(*(Text(head, style="dim") for head in heads))
    for each in points:
        table.add_row(
            f"{each.cube_value}",
            *(_maybe(value) for value in (each.doubling_point, each.cash_point, each.take_point)),
            _maybe(each.live_take_point),
            f"{each.gammon_value_won:.3f}",
            f"{each.gammon_value_lost:.3f}",
        )
    print_table(table)
    for each in points:
        remark = "the opponent who takes redoubles at once" if each.automatic_redouble else each.reason
        if remark:
            print_lines(Text(f"  {each.cube_value}: {remark}", style="dim"))


def print_met(met: MatchEquityTable, length: int) -> None:
    """Print the first rows and columns of a table, in percent."""
    print_lines(Text(met.name, style="bold"))
    if met.description:
        print_lines(met.description)
    print_lines(f"{met.length} points, {'both players alike' if met.is_symmetric else 'players differ'}", "")
    grid = columns(*["right"] * (length + 1))
    grid.add_row("", *(Text(f"{x}", style="dim") for x in range(1, length + 1)))
    for x1 in range(1, length + 1):
        grid.add_row(Text(f"{x1}", style="dim"), *(f"{100 * met.equity(x1, x2):.1f}" for x2 in range(1, length + 1)))
    print_table(grid)
    print_lines("", "Trailer after the Crawford game, the other side needing 1")
    post = columns(*["right"] * (length + 1))
    post.add_row("", *(Text(f"{x}", style="dim") for x in range(1, length + 1)))
    most = met.post_crawford.shape[1]
    for row in met.post_crawford if not met.is_symmetric else met.post_crawford[:1]:
        post.add_row("", *(f"{100 * row[x]:.1f}" if x < most else "" for x in range(length)))
    print_table(post)


def print_zadeh(cells: Sequence[Sequence[Cell]]) -> None:
    """Print Zadeh's table: three figures in percent for each score."""
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
    print_lines(*(line.rstrip() for line in lines))


def print_score_map(score_map: ScoreMap) -> None:
    """Print a map: a letter for each score."""
    names, rows = score_map.grid()
    grid = columns(*["right"] * (len(names) + 1))
    grid.padding = (0, 0, 0, 1)
    heads = [Text(name, style="dim") for name in names]
    grid.add_row("", *heads)
    unsure = {id(action) for score, action in score_map.actions.items() if score_map.is_unsure(score)}
    for head, actions in zip(heads, rows, strict=True):
        grid.add_row(head, *(_letter(action, "?" if id(action) in unsure else "") for action in actions))
    print_table(grid)


def _letter(action: CubeAction | None, mark: str = "") -> Text:
    if action is None:
        return Text("")
    letter = LETTERS[action.verdict]
    return Text(letter + mark, style={"D": "green", "P": "bold green", "+": "cyan"}.get(letter, "dim"))


def _maybe(value: float | None) -> str:
    return "" if value is None else percent_text(value)
