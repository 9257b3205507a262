"""``bgrace solve``, ``bgrace query`` and ``bgrace prove``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgrace._base.limits import DEFAULT_SECONDS, Limits, memory_text
from bgrace.answers import PositionAnswer
from bgrace.answers.alone import estimate, follow_alone, known_alone, solve_alone
from bgrace.answers.pair import PairAnalysis, describe
from bgrace.answers.proof_file import cost_of_check, write_proof
from bgrace.answers.question import Question
from bgrace.board import Position
from bgrace.board.dice import parse_roll
from bgrace.cli.options import (
    Target,
    all_option,
    check_option,
    check_targets,
    database_argument,
    json_option,
    language_option,
    limits_options,
    pair_arguments,
    refuse,
    roll_option,
    rolls_option,
    workers_option_of,
)
from bgrace.cli.output import duration_text, emit
from bgrace.cli.race import Sides, StakesOptions, read_sides, stakes_options
from bgrace.database.database import open as open_database

if TYPE_CHECKING:
    from rich.console import Console

    from bgrace.cli.screen import Block


@click.command(name="solve")
@pair_arguments(required=False)
@click.option(
    "--batch",
    metavar="FILE",
    help="Answer the IDs of a file or of standard input (-), one per line, in order; with --json, an object per line.",
)
@roll_option
@rolls_option
@stakes_options
@click.option("--one-sided", is_flag=True, help="Solve each side by itself and estimate who wins.")
@click.option("--exact", is_flag=True, help="Solve all pairs, however long it takes, or fail if --memory is too small.")
@click.option("--prove", is_flag=True, help="Prove bounds for every value as well, within --seconds and --memory.")
@limits_options("seconds", "memory_bytes", "threads")
@workers_option_of("With --batch: processes to solve with, instead of threads.")
@all_option
@language_option
@json_option
def solve_command(
    *,
    pos: str | None,
    opp: str | None,
    batch: str | None,
    roll: str | None,
    all_rolls: bool,
    options: StakesOptions,
    one_sided: bool,
    exact: bool,
    prove: bool,
    limits: Limits,
    workers: int | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Answer a race: who wins, double or not, take or pass, and what to play.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes.  One ID of both sides is enough, with any text around it, and - reads it from standard input; its
    score, cube and rules are used, unless options say otherwise.  The answer is exact if that is quick, else as close
    as --seconds and --memory allow, and says which.  POS alone gets its expected pip count and the distribution of the
    number of rolls, always exactly, within --memory.

    \b
    Examples:
      bgrace solve XGID=-BBBA--------------aaaaaa-:0:0:1:31:2:3:0:7:10
      bgrace solve "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31 --cube mine
      bgrace solve 5x1 6x15 --jacoby
      bgrace solve "5x1 6x1" "4x1 5x1" --match 5,3 --cube-value 2 --cube mine --rolls
      bgrace solve "9x1 7x1 6x4 5x3 4x3 3x1 1x2" "10x1 8x1 7x1 6x4 5x3 4x2 3x1 2x1 1x1"
      bgrace solve "13x3 8x2 6x5 5x5" --roll 65
      bgrace solve "6x3 5x3 4x3" "6x2 5x4 3x3" --prove
      bgrace solve --batch races.txt --json
    """  # noqa: D301
    if batch is not None:
        from bgrace.cli.batch import answer_batch  # noqa: PLC0415  (takes a while)

        answer_batch(batch, options, limits, workers, as_json)
        return
    if workers is not None:
        raise click.UsageError("--workers is for --batch: one race is solved by threads, see --threads")
    if pos is None:
        raise click.UsageError("POS is missing: give the player on roll, an ID of both sides, or --batch FILE")
    sides = read_sides(pos, opp)
    dice = sides.roll if roll is None else roll
    if sides.opponent is None or one_sided:
        given = dict.fromkeys(options.given, True) | {
            "--rolls": sides.opponent is not None and all_rolls,
            "--exact": exact,
            "--prove": prove,
            "--seconds": limits.seconds != DEFAULT_SECONDS,
            "--roll": sides.opponent is not None and roll is not None,
        }
        remedy = "give OPP as well" if sides.opponent is None else "leave out --one-sided"
        refuse(given, f"{{}} is for both sides, solved as a pair: {remedy}, or leave out {{}}")
        emit_answer(*_sides_alone(sides, dice, all_rolls, limits), as_json=as_json, everything=everything)
        return
    question = replace(options.question(sides, limits), way="all pairs" if exact else "any", prove=prove)
    _answer(question, sides, dice, all_rolls, follow_alone, as_json, everything)


@click.command()
@database_argument
@pair_arguments()
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
    options: StakesOptions,
    limits: Limits,
    checked: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """Ask a database about a position or a race.

    POS is the player on roll, OPP the opponent, each counted from its own ace point: checker counts "5,1,8,1,0,0", or
    point x count "1x5 2x1 3x8 4x1".  Instead of both, a GNU Backgammon position ID, positionID:matchID, an XGID or
    an OGID gives both sides at once, and the dice, the score and the cube if it has them.  Every value is for the
    player on roll, before the dice.  A race that is not in FILE, or has other stakes, is solved on the spot, as by
    bgrace solve.

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
            given = dict.fromkeys(options.given, True) | {"--seconds": limits.seconds != DEFAULT_SECONDS}
            refuse(given, "{} needs both sides: give OPP as well, or leave out {}")
            emit_answer(db.alone(sides.on_roll, dice, all_rolls=all_rolls), sides.notes, as_json)
            return
        question = replace(options.question(sides, limits), database=db)
        _answer(question, sides, dice, all_rolls, partial(known_alone, db.alone), as_json, everything)


def _sides_alone(
    sides: Sides, dice: str | tuple[int, int] | None, all_rolls: bool, limits: Limits
) -> tuple[PositionAnswer | PairAnalysis, list[str]]:
    """Answer for one side, or for two that are solved by themselves, with notes for the reader."""
    alone = partial(solve_alone, memory_bytes=limits.memory_bytes, threads=limits.threads)
    if sides.opponent is None:
        return alone(sides.on_roll, dice, all_rolls=all_rolls), sides.notes
    on_roll, opponent = alone(sides.on_roll), alone(sides.opponent)
    return describe(estimate(on_roll, opponent), on_roll, opponent), sides.notes_without_score()


def _answer(
    question: Question,
    sides: Sides,
    dice: str | tuple[int, int] | None,
    all_rolls: bool,
    side: Callable[[Position], PositionAnswer],
    as_json: bool,
    everything: bool,
) -> None:
    """Answer a question about a pair, and print it."""
    roll = None if dice is None else parse_roll(dice)
    solution = replace(question, roll=None if all_rolls else roll, every_roll=all_rolls).solution()
    on_roll, opponent = side(question.on_roll), side(question.opponent)
    answer = describe(solution, on_roll, opponent, roll, cube=question.cube, all_rolls=all_rolls, state=sides.state)
    if sides.state and sides.state.double_offered and answer.cube_action and answer.cube_action.double_take is None:
        sides.notes.append("the double that the ID offers is of no use to the player on roll, and left out")
    emit_answer(answer, sides.notes, as_json, everything)


def emit_answer(
    answer: PositionAnswer | PairAnalysis, notes: Iterable[str], as_json: bool, everything: bool = False
) -> None:
    """Print an answer, in full if `everything`, and notes for the reader."""
    missing = [answer.solution.missing] if isinstance(answer, PairAnalysis) and answer.solution.missing else []

    def shown(answer: PositionAnswer | PairAnalysis, sink: Console) -> list[Block]:
        from bgrace.cli.screen import answer_blocks  # noqa: PLC0415  (rich takes a while)

        return answer_blocks(answer, sink, everything)

    emit(answer, as_json, shown, [*notes, *missing])


@click.command(name="prove")
@pair_arguments()
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
    options: StakesOptions,
    limits: Limits,
    as_json: bool,
) -> None:
    """Prove bounds for the values of a race, and write the proof to a file.

    POS and OPP are as in bgrace solve.  The proof has a shortlist of positions for either side.  With one side confined
    to its shortlist and the other free, all pairs give a lower bound; with the roles exchanged, an upper bound.
    scripts/check_proof.py computes the bounds again without bgrace.  A proof by clocks cannot be written: bgrace solve
    --prove prints it.

    \b
    Examples:
      bgrace prove "6x3 5x3" "6x2 5x3 2x1" -o race.proof
      bgrace prove 2gYAALQbAAAAAA:8IlqACAACAAE -o race.proof --seconds 3
    """  # noqa: D301
    from bgrace.cli.screen import proof_blocks  # noqa: PLC0415  (rich takes a while)

    check_targets([Target("--output", path, (".proof",))])
    sides = read_sides(pos, opp)
    question = options.question(sides, limits)
    cube, solution = question.stakes.check_cube(question.cube), replace(question, cube=None).solution()
    proved = write_proof(solution, path, **asdict(limits))
    assert proved.bounds is not None, "else there is no proof"
    check_seconds, check_bytes = cost_of_check(proved.bounds)
    cost = f"about {duration_text(check_seconds)} and {memory_text(check_bytes)} of memory"
    emit(
        proved.to_dict(cube=cube),
        as_json,
        lambda *_: [str(proved), *proof_blocks(proved, cube)],
        [*sides.notes, f"{path}: written; checking it takes {cost}"],
    )
