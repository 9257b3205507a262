"""``bgrace solve``."""

from __future__ import annotations

from typing import cast

import click

from bgrace.analysis import describe
from bgrace.cli.answers import print_answer
from bgrace.cli.batch import print_batch
from bgrace.cli.options import json_option, memory_option, roll_option, rolls_option, seconds_option, threads_option
from bgrace.cli.sides import Sides, read_sides
from bgrace.cli.stakes import AskedStakes, stakes_options
from bgrace.solving.alone import estimate, follow_alone, solve_alone
from bgrace.solving.pairs import Precision, solve

__all__ = ["solve_command"]


@click.command(name="solve")
@click.argument("pos", required=False)
@click.argument("opp", required=False)
@click.option(
    "--batch",
    metavar="FILE",
    help="Answer every ID of a file, or of standard input (-), one a line, in order; with --json, one object a line.",
)
@roll_option
@rolls_option
@stakes_options
@click.option(
    "--one-sided",
    is_flag=True,
    help="Solve each side by itself, and estimate who wins from the rolls that both need.",
)
@click.option(
    "--precision",
    type=click.Choice(["auto", "float64", "int16"]),
    default="auto",
    show_default=True,
    help="float64 and int16 solve all pairs, however long it takes; int16 is within 0.0001.",
)
@seconds_option
@memory_option
@threads_option
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --batch: processes to solve with, instead of threads.",
)
@json_option
def solve_command(
    *,
    pos: str | None,
    opp: str | None,
    batch: str | None,
    roll: str | None,
    all_rolls: bool,
    asked: AskedStakes,
    one_sided: bool,
    precision: str,
    seconds: float,
    memory_bytes: int,
    threads: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Answer a race: who wins, double or not, take or pass, and what to play.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes.  One ID of both sides will do; it is answered at the score, with the cube and under the rules that it
    names, unless options say otherwise.  Any race has an answer: an exact one where that is quick, else one as close as
    --seconds and --memory allow, and the answer says which.  POS alone is answered with its expected pip count and the
    distribution of the number of rolls.

    \b
    Examples:
      bgrace solve XGID=-BBBA--------------aaaaaa-:0:0:1:31:2:3:0:7:10
      bgrace solve "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
      bgrace solve 5x1 6x15 --jacoby
      bgrace solve "5x1 6x1" "4x1 5x1" --match 5,3 --cube-value 2 --cube mine --rolls
      bgrace solve "9x1 7x1 6x4 5x3 4x3 3x1 1x2" "10x1 8x1 7x1 6x4 5x3 4x2 3x1 2x1 1x1"
      bgrace solve "13x3 8x2 6x5 5x5" --roll 65
      bgrace solve --batch races.txt --json
    """  # noqa: D301
    if batch is not None:
        given = {
            "POS": pos is not None,
            "--roll": roll is not None,
            "--rolls": all_rolls,
            "--one-sided": one_sided,
            "--precision": precision != "auto",
        }
        for name in (name for name, is_given in given.items() if is_given):
            raise click.UsageError(f"{name} is for one race, and --batch for many: leave one of them out")
        print_batch(batch, asked, seconds, memory_bytes, threads, workers, as_json)
        return
    if workers is not None:
        raise click.UsageError("--workers is for --batch: one race is solved by threads, see --threads")
    if pos is None:
        raise click.UsageError("POS is missing: give the player on roll, an ID of both sides, or --batch FILE")
    sides = read_sides(pos, opp)
    dice = sides.roll if roll is None else roll
    if sides.opponent is None or one_sided:
        _answer_alone(sides, dice, asked, (roll, all_rolls, precision), memory_bytes, threads, as_json, one_sided)
        return
    stakes = asked.stakes(sides.state)
    cube = asked.place(sides.state, stakes)
    solution = solve(
        sides.on_roll,
        sides.opponent,
        stakes.rules,
        match=stakes.score,
        met=stakes.met,
        cube_value=stakes.cube_value,
        roll="all" if all_rolls else dice,
        precision=cast(Precision, precision),  # click has checked the choice
        seconds=seconds,
        memory_bytes=memory_bytes,
        threads=threads,
    )
    on_roll, opponent = follow_alone(sides.on_roll), follow_alone(sides.opponent)
    answer = describe(solution, on_roll, opponent, dice, cube=cube, all_rolls=all_rolls, state=sides.state)
    print_answer(answer, sides.notes, as_json)


def _answer_alone(
    sides: Sides,
    dice: str | tuple[int, int] | None,
    asked: AskedStakes,
    of_pairs: tuple[str | None, bool, str],
    memory_bytes: int,
    threads: int | None,
    as_json: bool,
    one_sided: bool,
) -> None:
    """Print one side, or two that are solved by themselves."""
    roll, all_rolls, precision = of_pairs
    given = [
        *asked.given,
        *(["--rolls"] if all_rolls else []),
        *(["--precision"] if precision != "auto" else []),
        *(["--roll"] if sides.opponent is not None and roll is not None else []),
    ]
    if given:
        remedy = "leave out --one-sided" if one_sided and sides.opponent is not None else "give OPP as well"
        raise click.UsageError(f"{given[0]} is for both sides, solved as a pair: {remedy}, or leave out {given[0]}")
    if sides.opponent is None:
        print_answer(solve_alone(sides.on_roll, dice, memory_bytes=memory_bytes, threads=threads), sides.notes, as_json)
        return
    on_roll, opponent = (
        solve_alone(side, memory_bytes=memory_bytes, threads=threads) for side in (sides.on_roll, sides.opponent)
    )
    race = describe(estimate(on_roll, opponent), on_roll, opponent)
    print_answer(race, sides.money_notes, as_json)
