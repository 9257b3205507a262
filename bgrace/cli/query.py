"""``bgrace query``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from bgrace.analysis import describe
from bgrace.answers import PositionAnswer
from bgrace.board import PositionLike
from bgrace.cli.answers import asked_cube, print_answer
from bgrace.cli.options import cube_value_option, database_argument, jacoby_option, json_option, roll_option
from bgrace.cli.sides import read_sides
from bgrace.cube.action import CUBES
from bgrace.database.match import MatchDatabase
from bgrace.database.opening import open as open_database
from bgrace.match.score import parse_score
from bgrace.match.stakes import Rules
from bgrace.solving.alone import solve_alone

__all__ = ["query"]


@click.command()
@database_argument
@click.argument("pos")
@click.argument("opp", required=False)
@roll_option
@click.option(
    "--cube",
    type=click.Choice(CUBES),
    help="Where the cube is, seen by the player on roll.  Asking makes it an error if FILE has no answer with a cube.  "
    "[default: as the ID has it, or centered]",
)
@click.option(
    "--match",
    "match_score",
    metavar="A,B",
    help="For a file of one score: it, seen by the player on roll.  [default: as the file was built]",
)
@cube_value_option
@jacoby_option
@json_option
def query(
    *,
    file: Path,
    pos: str,
    opp: str | None,
    roll: str | None,
    cube: str | None,
    match_score: str | None,
    cube_value: int,
    jacoby: bool,
    as_json: bool,
) -> None:
    """Tell everything known about a position, or about a pair.

    POS is the player on roll, OPP the opponent, each counted from its own ace point: checker counts "5,1,8,1,0,0", or
    point x count "1x5 2x1 3x8 4x1".  Instead of both, a GNU Backgammon position ID, positionID:matchID or an XGID
    gives both sides at once, and the dice and the cube if it tells of them.  Every value is for the player on roll,
    before the dice.  A FILE that was built for one score of a match answers for a pair, in chances to win the match.

    \b
    Examples:
      bgrace query bearoff.h5 "5,1,8,1,0,0"
      bgrace query bearoff.h5 "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
      bgrace query bearoff.h5 VQUAgG0BAAAAAA --json
      bgrace query 5-5.h5 "5x1 6x1" "4x1 5x1" --cube-value 2 --cube mine
    """  # noqa: D301
    sides = read_sides(pos, opp)
    dice = sides.roll if roll is None else roll
    with open_database(file) as db:
        at_score = isinstance(db, MatchDatabase)
        if at_score and jacoby:
            raise click.UsageError(f"--jacoby is for money, and {file} for a match: leave it out")
        if at_score and sides.opponent is None:
            raise click.UsageError(f"{db.path} is for pairs at a score of a match: give OPP as well")
        if not at_score and (match_score is not None or cube_value > 1):
            raise click.UsageError(f"--match and --cube-value are for a file of one score, and {file} is for money")
        if sides.opponent is None:
            if cube is not None or jacoby:
                asked, option = (f"--cube {cube}", "--cube") if cube else ("--jacoby", "--jacoby")
                raise click.UsageError(f"{asked} needs both sides: give OPP as well, or leave out {option}")
            print_answer(db.alone(sides.on_roll, dice), sides.money_notes, as_json)
            return
        alone: Callable[[PositionLike], PositionAnswer] = solve_alone if at_score else db.alone
        on_roll, opponent = alone(sides.on_roll), alone(sides.opponent)
        score = None
        if isinstance(db, MatchDatabase) and match_score is not None:
            score = parse_score(match_score, db.score.crawford)
        rules = Rules(jacoby=True) if jacoby else None
        solution = db.solution(sides.on_roll, sides.opponent, rules, match=score, cube_value=cube_value)
        where = asked_cube(solution, sides, cube)
        answer = describe(solution, on_roll, opponent, dice, cube=where, strict=cube is not None)
        print_answer(answer, sides.notes if at_score else sides.money_notes, as_json)
