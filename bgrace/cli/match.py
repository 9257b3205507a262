"""``bgrace match``: cube play at a match score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bgrace._base import arrays
from bgrace._base.frames import csv_text
from bgrace._base.limits import DEFAULT_MEMORY, MAX_SECONDS, checked_threads
from bgrace.answers.score_maps import map_exactly_or_nearly
from bgrace.cli.options import (
    Decorator,
    NumbersCommand,
    Target,
    check_targets,
    cube_value_option,
    json_option,
    memory_option_of,
    pair_arguments,
    refuse,
    seconds_option_of,
    threads_option,
    with_options,
)
from bgrace.cli.output import duration_text, emit, listed, print_notes, progress
from bgrace.cli.race import Sides, met_files, met_option, read_met, read_sides
from bgrace.cli.screen import Block, columns, percent_text, wrapped
from bgrace.cube.action import CubeAction
from bgrace.match.maps import ScoreMap
from bgrace.match.maps import score_map as make_score_map
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import CubePoints, Score, cube_points_at_every_cube, parse_score
from bgrace.match.zadeh import PRINTED_SKILL, Cell, ZadehModel


@click.group(invoke_without_command=True)
@click.pass_context
def match(ctx: click.Context) -> None:
    """Cube play at a match score.

    Scores are points that both sides still need: 3,5 is 3-away for the player on roll, 5-away for the opponent.

    \b
    Examples:
      bgrace match points 3,5
      bgrace match map "5x1 6x1" "4x1 5x1" --length 11
      bgrace match zadeh --unequal
    """  # noqa: D301
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _share_option(name: str, help_text: str) -> Decorator:
    return click.option(name, type=click.FloatRange(0, 1), default=0.0, show_default=True, help=help_text)


@match.command(cls=NumbersCommand)
@click.argument("score", metavar="A,B")
@click.option("--crawford", is_flag=True, help="This is the Crawford game.")
@_share_option("--win-gammons", "Share of gammons in the wins of the player on roll.")
@_share_option("--lose-gammons", "Share of gammons in the opponent's wins.")
@met_option
@json_option
def points(*, score: str, crawford: bool, met: str | None, as_json: bool, **rates: float) -> None:
    """Show the chances at which doubles and takes begin at the score A,B, for every cube.

    All numbers are chances to win the game.  With a dead cube: the doubling point of the player on roll, the cash
    point, and the take point of the opponent; the take point also with a live cube.  The last columns have the value of
    a gammon beyond a single win, which is 0.5 for money.

    \b
    Examples:
      bgrace match points 3,5
      bgrace match points 2,1 --met zadeh
    """  # noqa: D301
    table = read_met(met)
    found = cube_points_at_every_cube(table, parse_score(score, crawford), **rates)
    emit(
        {"table": table.name, "points": [each.to_dict() for each in found]},
        as_json,
        lambda *_: [f"{found[0].score}, table {table.name}", *points_blocks(found)],
    )


_NOT_IN_CSV: Final = ("double", "take", "double_margin", "take_margin")
"""Columns of a map that its CSV leaves out, as they follow from others."""

_MAP_OPTIONS: Final[Sequence[Decorator]] = (
    click.option("--length", type=click.IntRange(1, 64), default=15, show_default=True, help="Points of the match."),
    cube_value_option,
    click.option(
        "--cube",
        type=click.Choice(["centered", "mine", "theirs"]),
        help="Where the cube is.  [default: centered at 1, else mine]",
    ),
    met_option,
    click.option("--gammons/--no-gammons", default=True, show_default=True, help="Whether gammons count double."),
    seconds_option_of(None, "Time for each score that is too close to call at first.  [default: 1, and 10 in all]"),
    memory_option_of(None, "With --exact: maximum memory to use.  [default: 8G]"),
    threads_option,
    click.option("--exact", is_flag=True, help="Solve every score exactly, however long it takes."),
)


map_options: Final = partial(with_options, options=_MAP_OPTIONS)
"""Gives a command the options of a map of scores, which `find_map` takes."""


@match.command("map")
@pair_arguments()
@map_options
@click.option("--csv", "as_csv", is_flag=True, help="Print the result as CSV: one line for each score.")
@json_option
def score_map(*, pos: str, opp: str | None, as_csv: bool, as_json: bool, **options: Any) -> None:
    """Show the cube action of one race at every score of a match.

    Small races are solved exactly, larger ones nearly; ? marks scores that are too close to call.  Those near the score
    of the ID are solved again first.  --exact solves a race exactly, which can take hours, or fails if --memory does
    not suffice.

    POS is the player on roll, OPP the opponent.  Rows are the needs of the player on roll, columns those of the
    opponent; 1C is the Crawford game.

    \b
    Examples:
      bgrace match map "5x1 6x1" "4x1 5x1"
      bgrace match map "1,1,1,1,1,1" "1,1,1,1,1,1" --length 11
    """  # noqa: D301
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two answers: give one of them")
    found, notes = find_map(pos, opp, **options)
    if as_csv:
        cells = {name: column for name, column in found.to_columns().items() if name not in _NOT_IN_CSV}
        click.echo(csv_text([cells, *zip(*cells.values(), strict=True)]), nl=False)
        print_notes(notes, True)
    else:
        shown = partial(_map_blocks, seconds=options["seconds"], threads=options["threads"])
        emit(found, as_json, shown, notes)


def find_map(
    pos: str,
    opp: str | None,
    *,
    met: str | None,
    seconds: float | None,
    memory_bytes: int | None,
    exact: bool,
    **asked: Any,
) -> tuple[ScoreMap, list[str]]:
    """The map for a command's options, and notes for the reader."""
    refuse(
        {"--seconds": exact and seconds is not None}, "{} is for maps that are nearly exact: leave out {}, or --exact"
    )
    refuse({"--memory": not exact and memory_bytes is not None}, "{} is for --exact: give both, or leave out {}")
    sides = read_sides(pos, opp)
    pair, table = sides.both(), read_met(met)
    with progress("mapping") as report:
        state = sides.state
        near = None if state is None or state.away is None else Score(*state.away, state.crawford)
        ask = (
            partial(make_score_map, memory_bytes=DEFAULT_MEMORY if memory_bytes is None else memory_bytes)
            if exact
            else partial(map_exactly_or_nearly, seconds=seconds, near=near, progress=report)
        )
        found = ask(*pair, met=table, **asked)
    return found, [*sides.notes, *_left_out(sides, found)]


def _map_blocks(shown: ScoreMap, sink: Console, seconds: float | None, threads: int | None) -> list[Block]:
    key = "D\u00a0double/take  P\u00a0double/pass  +\u00a0too\u00a0good  -\u00a0no\u00a0double  .\u00a0no\u00a0cube"
    blocks: list[Block] = [
        f"{shown.on_roll} against {shown.opponent}, cube {shown.cube_value} {shown.cube}, table {shown.table.name}",
        wrapped(f"on roll down, opponent across; {key}", sink.width),
        "",
        map_grid(shown),
    ]
    return blocks + [part for text in how_near(shown, seconds, threads) for part in ("", wrapped(text, sink.width))]


def how_near(shown: ScoreMap, seconds: float | None, threads: int | None) -> list[str]:
    """The error of a map, and options that may settle scores too close to call; empty if it is exact."""
    if max(shown.errors.values(), default=0) < 0.00005:
        return []
    n_unsure = sum(map(shown.is_unsure, shown.actions))
    text = f"Nearly exact, to within {max(shown.errors.values()):.4f} points or less"
    if n_unsure:
        longer = min(max(4 * (seconds or 1), 1), MAX_SECONDS)
        wait = duration_text(longer * ceil(n_unsure / checked_threads(threads)))
        text += f"; {n_unsure} too close to call: --seconds\u00a0{longer:g} may settle some in {wait}, --exact all"
    return [f"{text}."]


def _left_out(sides: Sides, shown: ScoreMap) -> list[str]:
    """Name the parts of an ID that a map ignores."""
    state = sides.state
    if state is None:
        return []
    names = ["dice"] if sides.roll else []
    if (state.cube_value, state.cube) != (shown.cube_value, shown.cube):
        names.append("cube")
    if state.away is not None:
        names.append("score")
    verb = "is" if names in (["cube"], ["score"]) else "are"
    how = "; --cube-value and --cube set the cube" if "cube" in names else ""
    note = f"left out {verb} the {listed(names)} of the ID: a map is of every score, before the roll{how}"
    return [note] if names else []


@match.command("met")
@click.argument("table", required=False)
@click.option("--length", type=click.IntRange(1, 25), default=9, show_default=True, help="Points to show.")
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the table to a file: .xml, which GNU Backgammon reads, or .csv.",
)
@met_option
@json_option
def met_command(*, table: str | None, length: int, write: Path | None, met: str | None, as_json: bool) -> None:
    """Show a match equity table, in percent.

    TABLE is a file (GNU Backgammon's XML, eXtreme Gammon's .met, a grid of numbers, or the output of --write), default,
    or zadeh; --met FILE is the same.  Rows are the needs of the
    first player, columns those of the second; at 1 it is the Crawford game.

    \b
    Examples:
      bgrace match met
      bgrace match met /usr/share/gnubg/met/mec26.xml --length 15
      bgrace match met zadeh --write zadeh.xml
    """  # noqa: D301
    if table is not None and met is not None:
        raise click.UsageError("TABLE and --met are the same: give one of them")
    table = met if table is None else table
    check_targets([Target("--write", write)], met_files(table))
    found = read_met(table)
    if write is not None:
        click.echo(found.write(write), err=True)
    facts = arrays.as_json(found, "name", "description", "length", "pre_crawford", "post_crawford")
    emit(facts, as_json, lambda *_: met_blocks(found, min(length, found.length)))


@match.command()
@click.argument("first")
@click.argument("second", default="default", required=False)
@click.option(
    "--length", type=click.IntRange(min=1), help="Compare up to this many points.  [default: as many as both have]"
)
@json_option
def compare(*, first: str, second: str, length: int | None, as_json: bool) -> None:
    """Compare match equity tables FIRST and SECOND, each a file, default, or zadeh.

    \b
    Examples:
      bgrace match compare zadeh
      bgrace match compare mine.xml default --length 15
    """  # noqa: D301
    one, two = read_met(first), read_met(second)
    difference = two.compare(one, length)
    x1, x2, later = difference.largest_at
    where = f"{x1}-away, {x2}-away" + (" after the Crawford game" if later else "")
    values = (table.equity(x1, x2, crawford=not later) for table in (one, two))
    lines = [
        f"{one.name} and {two.name}, up to {difference.length} points",
        f"  greatest difference  {100 * difference.largest:.2f} %  at {where}: "
        + " against ".join(f"{100 * value:.2f} %" for value in values),
        f"  root mean square     {100 * difference.root_mean_square:.2f} %",
    ]
    emit({"first": one.name, "second": two.name, **difference.to_dict()}, as_json, lambda *_: lines)


@match.command()
@click.option("--unequal", is_flag=True, help="Player 1 is the better one: Table 2 instead of Table 1.")
@click.option("--skill", type=float, help=f"Advantage B of player 1.  [default with --unequal: {PRINTED_SKILL}]")
@click.option("--limit", type=click.IntRange(1, 25), default=15, show_default=True, help="Points of the match.")
@json_option
def zadeh(*, unequal: bool, skill: float | None, limit: int, as_json: bool) -> None:
    """Print Zadeh's tables of 1977, computed anew.

    Player 1's needs run across, player 2's down.  Each score has three figures in percent: player 1's chance to win the
    match, then the points at which player 1's and player 2's first double may as well be passed.  * marks a point
    without gammons, which are worth nothing at that score.

    \b
    Examples:
      bgrace match zadeh
      bgrace match zadeh --unequal
    """  # noqa: D301
    if skill is not None and not unequal:
        raise click.UsageError("--skill is for players who differ: give --unequal too")
    model = ZadehModel.unequal(PRINTED_SKILL if skill is None else skill) if unequal else ZadehModel.equal()
    columns = model.table(limit)
    number, cells = 2 if unequal else 1, [cell.to_dict() for column in columns for cell in column]
    head = f"Zadeh's table {number}: player 1's needs across, player 2's down, in percent"
    facts = {"table": number, "skill": model.skill, "cells": cells}
    emit(facts, as_json, lambda *_: [head, "", *zadeh_lines(columns)])


LETTERS: Final = {"no double": "-", "double/take": "D", "double/pass": "P", "too good": "+", "no cube": "."}
"""Letters of a map by verdict."""


def points_blocks(points: list[CubePoints]) -> list[Block]:
    """The take points and windows of every cube."""
    heads = ("cube", "double", "cash", "take", "take, live", "gammon won", "gammon lost")
    table = columns(*["right"] * 7, heads=heads)
    for each in points:
        shown = (each.doubling_point, each.cash_point, each.take_point, each.live_take_point)
        table.add_row(
            f"{each.cube_value}",
            *("" if point is None else percent_text(point) for point in shown),
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
            # A mark stands behind its figure, and figures stay aligned.
            figures = (
                f"{text[k].rstrip('*'):>4}{'*' if text[k].endswith('*') else ' '}" if k < len(text) else " " * 5
                for text in shown
            )
            lines.append(f"{x2 if k == 0 else '':>2}" + "".join(figures))
    return [line.rstrip() for line in lines]


def map_grid(score_map: ScoreMap) -> Table:
    """A map: a letter for each score."""
    names, rows = score_map.grid()
    grid = columns(*["right"] * (len(names) + 1), heads=("", *names))
    grid.padding = (0, 0, 0, 1)
    unsure = {id(action) for score, action in score_map.actions.items() if score_map.is_unsure(score)}
    for name, actions in zip(names, rows, strict=True):
        letters = [_letter(action, "?" if id(action) in unsure else "") for action in actions]
        grid.add_row(Text(name, style="dim"), *letters)
    return grid


def _letter(action: CubeAction | None, mark: str) -> Text:
    if action is None:
        return Text("")
    letter = LETTERS[action.verdict]
    return Text(letter + mark, style={"D": "green", "P": "bold green", "+": "cyan"}.get(letter, "dim"))
