"""``bgrace prove``."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import click

from bgrace._base.limits import Limits
from bgrace.answers.certificate import write_proof
from bgrace.cli.options import json_option, limits_options
from bgrace.cli.output import emit
from bgrace.cli.race import StakesOptions, read_sides, stakes_options
from bgrace.cli.tables import proof_blocks
from bgrace.cli.targets import Target, check_targets


@click.command(name="prove")
@click.argument("pos")
@click.argument("opp", required=False)
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Write the proof to FILE.",
)
@stakes_options
@limits_options("seconds", "memory_bytes", "threads")
@json_option
def prove_command(
    *,
    pos: str,
    opp: str | None,
    path: Path,
    asked: StakesOptions,
    limits: Limits,
    as_json: bool,
) -> None:
    """Prove between which bounds the values of a race lie, and write the proof to a file.

    POS and OPP are as in bgrace solve.  The proof holds a shortlist of positions for either side.  With one side
    confined to its shortlist and the other free, all pairs give a bound from below; the other way round, one from
    above.  scripts/check_proof.py works them out again and needs nothing of bgrace.  A proof by clocks cannot be
    written: bgrace solve --prove prints it.

    \b
    Examples:
      bgrace prove "6x3 5x3" "6x2 5x3 2x1" -o race.proof
      bgrace prove 2gYAALQbAAAAAA:8IlqACAACAAE -o race.proof --seconds 3
    """  # noqa: D301
    check_targets([Target("--output", path)])
    sides = read_sides(pos, opp)
    question = asked.question(sides, limits)
    cube, solution = question.stakes.check_cube(question.cube), replace(question, cube=None).solution()
    proved = write_proof(solution, path, **asdict(limits))
    emit(
        proved.to_dict(cube=cube),
        as_json,
        lambda *_: [str(proved), *proof_blocks(proved, cube)],
        [*sides.notes, f"{path}: written"],
    )
