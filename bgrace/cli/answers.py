"""What is known about a position or a pair, as JSON or for a reader, with notes."""

from __future__ import annotations

from collections.abc import Iterable

from bgrace.analysis import MatchAnalysis, PairAnalysis, PositionAnalysis, describe_match_solution
from bgrace.cli.match_tables import print_match_pair
from bgrace.cli.output import console, print_json, print_notes
from bgrace.cli.sides import Sides
from bgrace.cli.tables import print_pair, print_position
from bgrace.match.exact import MatchSolution

__all__ = ["print_answer", "print_match_answer"]


def print_answer(answer: PositionAnalysis | PairAnalysis | MatchAnalysis, notes: Iterable[str], as_json: bool) -> None:
    """Print an answer, and what its reader should know."""
    if as_json:
        print_json(answer.to_dict())
    elif isinstance(answer, MatchAnalysis):
        print_match_pair(console(), answer)
    elif isinstance(answer, PairAnalysis):
        print_pair(console(), answer)
    else:
        print_position(console(), answer)
    print_notes(notes, as_json)


def print_match_answer(
    solution: MatchSolution, sides: Sides, roll: str | tuple[int, int] | None, cube: str | None, as_json: bool
) -> None:
    """Print what is known about a pair at a match score, with the cube as asked for or as the ID has it."""
    if cube is None and (sides.cube == "centered") == (solution.cube_value == 1):
        cube = sides.cube
    print_answer(describe_match_solution(solution, roll, cube=cube), sides.notes, as_json)
