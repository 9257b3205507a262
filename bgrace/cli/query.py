"""``bgrace query``."""

from __future__ import annotations

from pathlib import Path

import click

from bgrace.analysis import PairAnalysis, PositionAnalysis, describe, describe_pair
from bgrace.cli.answers import print_answer, print_match_answer
from bgrace.cli.options import cube_value_option, database_argument, jacoby_option, json_option, roll_option
from bgrace.cli.sides import Sides, read_sides
from bgrace.cube.action import CUBES
from bgrace.database.match import MatchDatabase
from bgrace.database.opening import open as open_database
from bgrace.match.score import parse_score

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
    dice, notes = sides.roll if roll is None else roll, list(sides.money_notes)
    answer: PositionAnalysis | PairAnalysis
    with open_database(file) as db:
        if isinstance(db, MatchDatabase):
            if jacoby:
                raise click.UsageError(f"--jacoby is for money, and {file} for a match: leave it out")
            _answer_at_score(db, sides, dice, cube, match_score, cube_value, as_json)
            return
        if match_score is not None or cube_value > 1:
            raise click.UsageError(f"--match and --cube-value are for a file of one score, and {file} is for money")
        if sides.opponent is not None:
            strict = cube is not None
            answer = describe_pair(
                db, sides.on_roll, sides.opponent, dice, cube=cube or sides.cube, jacoby=jacoby, strict=strict
            )
            if answer.missing:
                notes.append(answer.missing)
        elif cube is not None or jacoby:
            asked, option = (f"--cube {cube}", "--cube") if cube else ("--jacoby", "--jacoby")
            raise click.UsageError(f"{asked} needs both sides: give OPP as well, or leave out {option}")
        else:
            answer = describe(db, sides.on_roll, dice)
    print_answer(answer, notes, as_json)


def _answer_at_score(
    db: MatchDatabase,
    sides: Sides,
    roll: str | tuple[int, int] | None,
    cube: str | None,
    match_score: str | None,
    cube_value: int,
    as_json: bool,
) -> None:
    """Print what a file for one score of a match says of a pair."""
    if sides.opponent is None:
        raise click.UsageError(f"{db.path} is for pairs at a score of a match: give OPP as well")
    score = None if match_score is None else parse_score(match_score, db.score.crawford)
    solution = db.solution(sides.on_roll, sides.opponent, match=score, cube_value=cube_value)
    print_match_answer(solution, sides, roll, cube, as_json)
