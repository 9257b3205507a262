"""What is known about a position or a pair, as JSON or for a reader, with notes."""

from __future__ import annotations

from collections.abc import Iterable

from bgrace.analysis import PairAnalysis
from bgrace.answers import PositionAnswer
from bgrace.cli.output import console, print_json, print_notes

__all__ = ["print_answer"]


def print_answer(answer: PositionAnswer | PairAnalysis, notes: Iterable[str], as_json: bool) -> None:
    """Print an answer, and what its reader should know."""
    if as_json:
        print_json(answer.to_dict())
    else:
        from bgrace.cli.tables import print_pair, print_position  # noqa: PLC0415  (takes a while)

        if isinstance(answer, PairAnalysis):
            print_pair(console(), answer)
        else:
            print_position(console(), answer)
    missing = [answer.solution.missing] if isinstance(answer, PairAnalysis) and answer.solution.missing else []
    print_notes([*notes, *missing], as_json)
