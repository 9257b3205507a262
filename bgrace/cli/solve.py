"""``bgrace solve``."""

from __future__ import annotations

import click

from bgrace.analysis import describe_solution
from bgrace.cli.output import bytes_value, console, json_option, note, print_json, print_note
from bgrace.cli.sides import read_sides
from bgrace.cli.tables import print_pair
from bgrace.cube.action import CUBES
from bgrace.solve import Rules, solve

__all__ = ["solve_command"]


@click.command(name="solve")
@click.argument("pos")
@click.argument("opp", required=False)
@click.option("--roll", metavar="DICE", help="List the plays of a roll, such as 31 or 6-6, best first.")
@click.option(
    "--cube",
    type=click.Choice(CUBES),
    help="Where the cube is, seen by the player on roll.  [default: as the ID has it, or centered]",
)
@click.option("--gammons/--no-gammons", default=True, show_default=True, help="Whether gammons count double.")
@click.option("--jacoby", is_flag=True, help="Gammons count once as long as the cube is centered.")
@click.option(
    "--precision",
    type=click.Choice(["auto", "float64", "int16"]),
    default="auto",
    show_default=True,
    help="int16 is within 0.0001, needs a quarter of the memory and is faster.",
)
@click.option("--memory", "memory_bytes", type=bytes_value, default="8G", show_default=True, help="The most to use.")
@click.option("--threads", type=int, metavar="T", help="Threads to compute with.  [default: one a processor]")
@json_option
def solve_command(
    *,
    pos: str,
    opp: str | None,
    roll: str | None,
    cube: str | None,
    gammons: bool,
    jacoby: bool,
    precision: str,
    memory_bytes: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Solve a pair of positions exactly, without a database.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes; one ID of both sides will do.  Only what the two sides can come to is solved; a pair that is too large
    for the memory is refused, with its size.

    \b
    Examples:
      bgrace solve "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
      bgrace solve 5x1 6x15 --jacoby
    """  # noqa: D301
    sides = read_sides(pos, opp)
    if sides.opponent is None:
        raise click.UsageError("OPP is missing: give both sides, or an ID of both")
    solution = solve(
        sides.on_roll,
        sides.opponent,
        Rules(gammons=gammons, jacoby=jacoby),
        precision=precision,  # type: ignore[arg-type]  # click has checked the choice
        memory_bytes=memory_bytes,
        threads=threads,
    )
    answer = describe_solution(solution, roll or sides.roll, cube=cube or sides.cube)
    if as_json:
        print_json(answer.to_dict())
        for text in sides.notes:
            note(text)
        return
    print_pair(console(), answer)
    for text in sides.notes:
        print_note(text)
