"""``bgrace rollout``."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias

import click
from rich.table import Table
from rich.text import Text

from bgrace.cli.options import json_option, pair_arguments, threads_option
from bgrace.cli.output import emit, progress
from bgrace.cli.race import read_sides
from bgrace.cli.screen import Block, columns, shown_rolls
from bgrace.rollout import (
    MAX_GAMES,
    MAX_SEED,
    POLICIES,
    OnePlayerRollout,
    Policy,
    TwoPlayerRollout,
    one_player,
    two_player,
)

_Rolled: TypeAlias = OnePlayerRollout | TwoPlayerRollout


@click.command()
@pair_arguments()
@click.option(
    "--games",
    type=click.IntRange(2, MAX_GAMES),
    default=1_000_000,
    help="How many games to play.  [default: 1,000,000]",
)
@click.option("--seed", type=click.IntRange(0, MAX_SEED), default=1, show_default=True, help="Of the dice.")
@click.option(
    "--error",
    "standard_error",
    type=click.FloatRange(min=0, min_open=True),
    metavar="E",
    help="Stop earlier if the standard error of the adjusted result is at most E.",
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="hi",
    show_default=True,
    help="How to play: hi bears in by strategies H and I and then plays to the least EPC, epc does so from the start.",
)
@click.option("--opponent-policy", type=click.Choice(POLICIES), help="How OPP plays.  [default: as POS does]")
@click.option(
    "--points",
    type=int,
    metavar="P",
    help="Points within which to play to the least EPC.  [default: 6 for hi, as many as needed for epc]",
)
@click.option(
    "--blocking/--no-blocking",
    default=True,
    show_default=True,
    help="Whether H and I keep off points of the other side.",
)
@threads_option
@json_option
def rollout(
    *,
    pos: str,
    opp: str | None,
    games: int,
    opponent_policy: Policy | None,
    blocking: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Play a race out with random dice, many times.

    POS alone: the number of rolls to bear off.  With OPP, or an ID of both sides: how often POS, who is on roll, wins.
    Positions are in any of the forms that bgrace query takes, on up to 24 points.  Each plain result is followed by an
    adjusted one, without the luck of the dice, whose error is smaller.

    A game depends only on the seed and its number, not on the number of threads.  Ctrl-C prints the result so far.

    \b
    Examples:
      bgrace rollout "2x1 3x2 4x3 5x4 6x5"
      bgrace rollout "4x3 5x2 6x5 7x2 8x2 9x1" "4x3 5x2 6x4 8x3 9x2 10x1" --error 0.0005
      bgrace rollout 6x15 4x15 --games 100000000 --seed 7 --json
    """  # noqa: D301
    sides = read_sides(pos, opp, race=False)  # the rollout checks contact
    if sides.opponent is None and opponent_policy is not None:
        raise click.UsageError("--opponent-policy is for two sides: give OPP as well")
    result: _Rolled | None = None
    stopped = False
    with progress("rolling out") as report:

        def keep(so_far: _Rolled) -> None:
            nonlocal result
            result = so_far
            report(so_far.games, games)

        try:
            if sides.opponent is None:
                one_player(sides.on_roll, games, progress=keep, **asked)
            else:
                asked |= {"opponent_policy": opponent_policy, "blocking": blocking}
                two_player(sides.on_roll, sides.opponent, games, progress=keep, **asked)
        except KeyboardInterrupt:
            stopped = True
    if result is None:
        raise click.ClickException("stopped before the first games were over")
    notes = [*sides.notes_without_score()]
    if sides.roll:
        notes.append("the dice of the ID are not played: a rollout begins before the roll")
    if stopped:
        notes.append(f"stopped after {result.games:,} of {games:,} games")
    blocks = _one_player_blocks(result) if isinstance(result, OnePlayerRollout) else _two_player_blocks(result)
    emit(result, as_json, lambda *_: blocks, notes)
    if stopped:
        raise click.exceptions.Exit(1)


def _one_player_blocks(result: OnePlayerRollout) -> list[Block]:
    facts = _facts(
        ("games", f"{result.games:,}, seed {result.seed}"),
        ("policy", _policy(result)),
        ("mean rolls", f"{result.mean:.5f}{_error_text(result.standard_error, 5)}"),
        ("adjusted", f"{result.adjusted_mean:.5f}{_error_text(result.adjusted_standard_error, 5)}"),
        ("variance", f"{result.variance:.4f}{_error_text(result.variance_standard_error, 4)}"),
    )
    return [Text(str(result.position), style="bold"), "", *facts, _rolls(result)]


def _two_player_blocks(result: TwoPlayerRollout) -> list[Block]:
    policies = dict.fromkeys(_policy(side) for side in (result.on_roll, result.opponent))
    plain, adjusted = result.win_probability, result.adjusted_win_probability
    facts = _facts(
        ("games", f"{result.games:,}, seed {result.seed}"),
        ("policy", "; against ".join(policies)),
        ("wins", f"{100 * plain:.3f} %{_error_text(100 * result.standard_error, 3)}"),
        ("adjusted", f"{100 * adjusted:.3f} %{_error_text(100 * result.adjusted_standard_error, 3)}"),
    )
    head = Text(f"{result.on_roll.position} on roll against {result.opponent.position}", style="bold")
    return [head, "", *facts, _rolls(result.on_roll, result.opponent)]


def _error_text(error: float, digits: int) -> str:
    """The error after a value; empty if there are too few games to know it."""
    return f" ± {error:.{digits}f}" if isfinite(error) else ""


def _facts(*facts: tuple[str, str]) -> list[Block]:
    table = columns("left", "left")
    for label, value in facts:
        table.add_row(Text(label, style="dim"), value)
    return [table, ""]


def _policy(result: OnePlayerRollout) -> str:
    return f"{result.policy}, best plays within {result.points} points"


def _rolls(*sides: OnePlayerRollout) -> Table:
    """Means and distributions of the number of rolls, a column for each side."""
    heads = ("rolls", "on roll", "opponent") if len(sides) == 2 else ("rolls", "chance")
    table = columns("right", *["right"] * len(sides), heads=heads)
    if len(sides) == 2:
        table.add_row("mean", *(f"{side.adjusted_mean:.4f}" for side in sides))
    chances = [side.distribution for side in sides]
    for n in shown_rolls(*chances):
        table.add_row(f"{n}", *(f"{100 * row[n]:.2f} %" if n < len(row) and row[n] else "-" for row in chances))
    return table
