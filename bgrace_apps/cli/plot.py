"""``bgrace plot``: pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click

from bgrace._base.files import make_folder, write_small_file
from bgrace._base.frames import csv_text
from bgrace.cli.match import find_map, how_near, map_options
from bgrace.cli.options import Decorator, Target, check_option, check_targets, pair_arguments, refuse
from bgrace.cli.output import print_notes, progress
from bgrace.cli.race import met_files
from bgrace_apps import plot as pictures

_GAMES: Final = 2000
"""Races that are played for the figures of the jump model."""


def picture_option(metavar: str) -> Decorator:
    """The ``--plot`` of commands whose result can be drawn."""
    return click.option(
        "--plot",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar=metavar,
        help='Draw a picture too: a .svg, .png or .pdf file.  Needs matplotlib: pip install "bgrace[plot]".',
    )


def check_picture(option: str, path: Path | None, sources: Iterable[Path] = ()) -> None:
    """Check, before any work, that a picture can be drawn and replaces no file; `path` is None without a picture."""
    if path is not None:
        pictures.canvas.check_path(path)
        check_targets([Target(option, path)], sources)
        pictures.canvas.load_matplotlib()


def _output_option(default: str) -> Decorator:
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path(default),
        show_default=True,
        help="The file to write: .png, .svg or .pdf.",
    )


folder_argument: Final[Decorator] = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
"""The ``FOLDER`` that figures go into."""

format_option: Final[Decorator] = click.option(
    "--format",
    "ending",
    type=click.Choice(["png", "svg", "pdf"]),
    default="png",
    show_default=True,
    help="Kind of picture.",
)
"""The ``--format`` of figures."""


@click.group(invoke_without_command=True)
@click.pass_context
def plot(ctx: click.Context) -> None:
    """Draw pictures of the cube models and of races.

    Pictures need matplotlib: pip install "bgrace[plot]".

    \b
    Examples:
      bgrace plot jump --win 1.2 --lose 1.1 --volatility 0.08 -o equities.png
      bgrace plot jump-figures pictures --format pdf
    """  # noqa: D301
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@plot.command()
@click.option("--win", type=float, default=1.2, show_default=True, help="Mean points of a win, 1 to 3.")
@click.option("--lose", type=float, default=1.1, show_default=True, help="Mean points of a loss, 1 to 3.")
@click.option(
    "--volatility", type=float, default=0.08, show_default=True, help="Mean absolute jump of the chance of winning."
)
@click.option(
    "--jumps",
    type=click.Choice(["double-exponential", "gaussian"]),
    default="double-exponential",
    show_default=True,
    help="Shape of the jumps.",
)
@click.option("--compare", is_flag=True, help="Draw the approximations beside the exact solution.")
@_output_option("jump.png")
def jump(*, win: float, lose: float, volatility: float, jumps: str, compare: bool, output: Path) -> None:
    """Draw the equities of the jump model.

    For a centered cube, the player's and the opponent's, by the chance of winning, with the decision points.

    \b
    Examples:
      bgrace plot jump --win 1.2 --lose 1.1 --volatility 0.08
      bgrace plot jump --win 1.4 --lose 1 --volatility 0.2 --compare -o compared.pdf
    """  # noqa: D301
    check_picture("--output", output)
    draw = pictures.jump.approximations if compare else pictures.jump.equity_curves
    click.echo(pictures.canvas.save(draw(win, lose, volatility, jumps), output))


@plot.command("jump-figures")
@folder_argument
@format_option
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Play races from this database against itself for the picture of volatilities.",
)
@click.option("--games", type=click.IntRange(min=1), help=f"With --database: how many races.  [default: {_GAMES}]")
@check_option
def jump_figures(*, folder: Path, ending: str, database: Path | None, games: int | None, checked: bool) -> None:
    """Draw the figures of Higgins' two papers into FOLDER.

    Version of March 2012: figures 1 to 3 and 5 to 7; version of April 2012: figures 3 to 7.

    \b
    Examples:
      bgrace plot jump-figures pictures
      bgrace plot jump-figures pictures --format svg --database bearoff.h5
    """  # noqa: D301
    if database is None:
        refuse({"--check": checked, "--games": games is not None}, "{} is for --database: name one, or leave {} out")
    pictures.canvas.load_matplotlib()
    import bgrace  # noqa: PLC0415
    from bgrace.cube import jump as model  # noqa: PLC0415

    buckets = None
    if database is not None:
        with bgrace.open(database, verify=checked) as db:
            # A dozen positions over the upper half of the space: its larger numbers have more checkers.
            size = len(db.space)
            middle = [db.space.position(index) for index in range(size // 2, size, max(1, size // 24))]
            buckets = model.bucket_jumps(model.play_races(db, [(start, start) for start in middle], games or _GAMES))
    make_folder(folder)
    for name, draw in pictures.jump.FIGURES.items():
        with_races = buckets and "volatility" in name
        drawn = pictures.jump.volatility_profile(buckets, source="races") if with_races else draw()
        click.echo(pictures.canvas.save(drawn, folder / f"{name}.{ending}"))


@plot.command("race-figures")
@folder_argument
@format_option
@click.option(
    "--games",
    type=click.IntRange(min=2),
    default=80_000,
    show_default=True,
    help="Games of each of some 400 positions and 1300 pairs of positions.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1995, show_default=True, help="Seed of the dice.")
def race_figures(*, folder: Path, ending: str, games: int, seed: int) -> None:
    """Draw the figures of Ross, Benjamin and Munson into FOLDER.

    Figures 2, 3 and 10 to 14 of "Estimating Winning Probabilities in Backgammon Races", the last five from races played
    anew; and their numbers: Table 1, mean and variance of every position, and in played-races.md the fits (17) and (18)
    beside the printed ones, errors of formulas, and the effect of gaps.

    \b
    Examples:
      bgrace plot race-figures pictures
      bgrace plot race-figures pictures --format svg --games 20000
    """  # noqa: D301
    from bgrace_apps.studies import played_races as board_races  # noqa: PLC0415

    pictures.canvas.load_matplotlib()
    make_folder(folder)
    with progress("playing races") as report:
        races = board_races.play(games, seed, progress=report)
    for name, draw in pictures.board_races.FIGURES.items():
        click.echo(pictures.canvas.save(draw(races), folder / f"{name}.{ending}"))
    for name, table in (("table-1", board_races.table_1()), ("positions", races.positions())):
        click.echo(write_small_file(folder / f"{name}.csv", csv_text(table).encode()))
    click.echo(write_small_file(folder / "played-races.md", races.to_markdown().encode()))


@plot.command("map")
@pair_arguments()
@map_options
@_output_option("map.svg")
def map_command(*, pos: str, opp: str | None, output: Path, **asked: Any) -> None:
    """Draw the cube action of one race at every score of a match, as bgrace match map finds it.

    \b
    Examples:
      bgrace plot map "1,1,1,1,1,1" "1,1,1,1,1,1" --length 11 -o map.svg
    """  # noqa: D301
    check_picture("--output", output, met_files(asked["met"]))
    found, notes = find_map(pos, opp, **asked)
    click.echo(pictures.canvas.save(pictures.match.score_map(found), output))
    near = how_near(found, asked["seconds"], asked["threads"])
    print_notes([*notes, *(text.replace("\u00a0", " ") for text in near)], True)
