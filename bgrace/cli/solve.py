"""``bgrace solve``."""

from __future__ import annotations

from typing import cast

import click

from bgrace.analysis import describe
from bgrace.cli.answers import asked_cube, print_answer
from bgrace.cli.match_tables import read_met
from bgrace.cli.options import (
    cube_value_option,
    jacoby_option,
    json_option,
    memory_option,
    roll_option,
    threads_option,
)
from bgrace.cli.sides import Sides, read_sides
from bgrace.cube.action import CUBES
from bgrace.match.score import parse_score
from bgrace.match.stakes import Rules
from bgrace.solving.alone import estimate, solve_alone
from bgrace.solving.pairs import Precision, solve

__all__ = ["solve_command"]


@click.command(name="solve")
@click.argument("pos")
@click.argument("opp", required=False)
@roll_option
@click.option(
    "--cube",
    type=click.Choice(CUBES),
    help="Where the cube is, seen by the player on roll.  [default: as the ID has it, or centered]",
)
@click.option("--gammons/--no-gammons", default=True, show_default=True, help="Whether gammons count double.")
@click.option("--match", "match_score", metavar="A,B", help="Points that both sides still need, such as 3,5.")
@click.option("--crawford", is_flag=True, help="With --match: this is the Crawford game.")
@cube_value_option
@click.option("--met", metavar="FILE", help="With --match: what scores are worth.  [default: Kazaross XG2]")
@jacoby_option
@click.option(
    "--one-sided",
    is_flag=True,
    help="Solve each side by itself, and estimate who wins: for races too long to be solved as a pair.",
)
@click.option(
    "--precision",
    type=click.Choice(["auto", "float64", "int16"]),
    default="auto",
    show_default=True,
    help="int16 is within 0.0001, needs a quarter of the memory and is faster.",
)
@memory_option
@threads_option
@json_option
def solve_command(
    *,
    pos: str,
    opp: str | None,
    roll: str | None,
    cube: str | None,
    gammons: bool,
    match_score: str | None,
    crawford: bool,
    cube_value: int,
    met: str | None,
    jacoby: bool,
    one_sided: bool,
    precision: str,
    memory_bytes: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Solve a pair of positions exactly, without a database, or one position.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes; one ID of both sides will do.  Only what the two sides can come to is solved; a pair that is too large
    for the memory is refused, with its size.  POS alone, wherever on the board its checkers are, is answered with its
    expected pip count and the distribution of the number of rolls.

    \b
    Examples:
      bgrace solve "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
      bgrace solve 5x1 6x15 --jacoby
      bgrace solve "5x1 6x1" "4x1 5x1" --match 3,5
      bgrace solve "5x1 6x1" "4x1 5x1" --match 5,3 --cube-value 2 --cube mine
      bgrace solve "13x3 8x2 6x5 5x5" --roll 65
      bgrace solve "13x3 8x2 6x5 5x5" "8x3 6x6 5x4 4x2" --one-sided
    """  # noqa: D301
    sides = read_sides(pos, opp)
    dice = sides.roll if roll is None else roll
    if sides.opponent is None or one_sided:
        of_pairs = {
            "--cube": cube is not None,
            "--no-gammons": not gammons,
            "--match": match_score is not None,
            "--crawford": crawford,
            "--cube-value": cube_value > 1,
            "--met": met is not None,
            "--jacoby": jacoby,
            "--precision": precision != "auto",
            "--roll": one_sided and sides.opponent is not None and roll is not None,
        }
        for option, given in of_pairs.items():
            if given:
                remedy = "give OPP as well" if sides.opponent is None else "leave out --one-sided"
                raise click.UsageError(f"{option} is for both sides, solved as a pair: {remedy}, or leave out {option}")
        _answer_alone(sides, dice, memory_bytes, threads, as_json)
        return
    if match_score is None and (crawford or met or cube_value > 1):
        raise click.UsageError("--crawford, --cube-value and --met are for a match: give --match, the score, too")
    solution = solve(
        sides.on_roll,
        sides.opponent,
        Rules(gammons=gammons, jacoby=jacoby),
        match=None if match_score is None else parse_score(match_score, crawford),
        cube_value=cube_value,
        met=None if match_score is None else read_met(met),
        precision=cast(Precision, precision),  # click has checked the choice
        memory_bytes=memory_bytes,
        threads=threads,
    )
    on_roll, opponent = solve_alone(sides.on_roll), solve_alone(sides.opponent)
    answer = describe(solution, on_roll, opponent, dice, cube=asked_cube(solution, sides, cube))
    print_answer(answer, sides.money_notes if match_score is None else sides.notes, as_json)


def _answer_alone(
    sides: Sides, dice: str | tuple[int, int] | None, memory_bytes: int, threads: int | None, as_json: bool
) -> None:
    """Print one side, or two that are solved by themselves."""
    on_roll = solve_alone(
        sides.on_roll, dice if sides.opponent is None else None, memory_bytes=memory_bytes, threads=threads
    )
    if sides.opponent is None:
        print_answer(on_roll, sides.money_notes, as_json)
        return
    opponent = solve_alone(sides.opponent, memory_bytes=memory_bytes, threads=threads)
    race = describe(estimate(on_roll, opponent), on_roll, opponent)
    print_answer(race, sides.money_notes, as_json)
