"""``bgrace query``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from bgrace._base.limits import Limits
from bgrace.answers import PositionAnswer, Solution
from bgrace.answers.pair import describe
from bgrace.board import Position
from bgrace.cli.answers import emit_answer
from bgrace.cli.options import (
    all_option,
    check_option,
    database_argument,
    json_option,
    limits_options,
    position_text,
    refuse,
    roll_option,
    rolls_option,
)
from bgrace.cli.sides import read_sides
from bgrace.cli.stakes import StakesOptions, stakes_options
from bgrace.database.money import Database
from bgrace.database.money import open as open_database
from bgrace.errors import CoverageError, PositionError
from bgrace.match.stakes import Stakes


@click.command()
@database_argument
@click.argument("pos", callback=position_text)
@click.argument("opp", required=False)
@roll_option
@rolls_option
@stakes_options
@limits_options("seconds", "memory_bytes")
@check_option
@all_option
@json_option
def query(
    *,
    file: Path,
    pos: str,
    opp: str | None,
    roll: str | None,
    all_rolls: bool,
    asked: StakesOptions,
    limits: Limits,
    checked: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """Ask a database about a position or a race.

    POS is the player on roll, OPP the opponent, each counted from its own ace point: checker counts "5,1,8,1,0,0", or
    point x count "1x5 2x1 3x8 4x1".  Instead of both, a GNU Backgammon position ID, positionID:matchID, an XGID or
    an OGID gives both sides at once, and the dice, the score and the cube if it has them.  Every value is for the
    player on roll, before the dice.  Where FILE ends, and for other stakes, the race is solved on the spot, as bgrace
    solve does.

    \b
    Examples:
      bgrace query bearoff.h5 "5,1,8,1,0,0"
      bgrace query bearoff.h5 "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
      bgrace query bearoff.h5 VQUAgG0BAAAAAA --json
    """  # noqa: D301
    sides = read_sides(pos, opp)
    dice = sides.roll if roll is None else roll
    with open_database(file, verify=checked) as db:
        if sides.opponent is None:
            given = dict.fromkeys(asked.given, True) | {"--rolls": all_rolls}
            refuse(given, "{} needs both sides: give OPP as well, or leave out {}")
            emit_answer(db.alone(sides.on_roll, dice), sides.notes, as_json)
            return
        stakes, cube = asked.placed(sides.state)
        solution = _solution(db, sides.on_roll, sides.opponent, stakes, limits)
        on_roll, opponent = _alone(db, sides.on_roll), _alone(db, sides.opponent)
        answer = describe(solution, on_roll, opponent, dice, cube=cube, all_rolls=all_rolls, state=sides.state)
        emit_answer(answer, sides.notes, as_json, everything)


def _solution(db: Database, on_roll: Position, opponent: Position, stakes: Stakes, limits: Limits) -> Solution:
    """The answer of the file, or solved where the file does not have it."""
    if stakes.score is None:
        with suppress(CoverageError, PositionError):
            stored = db.solution(on_roll, opponent, stakes.rules, cube_value=stakes.cube_value)
            if stored.missing is None:
                return stored
    from bgrace.answers.pairs import solve  # noqa: PLC0415  (takes a while)

    return solve(
        on_roll,
        opponent,
        stakes.rules,
        match=stakes.score,
        met=stakes.met,
        cube_value=stakes.cube_value,
        database=db,
        seconds=limits.seconds,
        memory_bytes=limits.memory_bytes,
    )


def _alone(db: Database, side: Position) -> PositionAnswer:
    """One side from the file, or solved where the file does not have it."""
    try:
        return db.alone(side)
    except (CoverageError, PositionError):
        from bgrace.answers.alone import follow_alone  # noqa: PLC0415  (takes a while)

        return follow_alone(side)
