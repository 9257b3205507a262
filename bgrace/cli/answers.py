"""A position or a pair as JSON or for a reader, with notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bgrace.answers import PositionAnswer
from bgrace.answers.pair import PairAnalysis
from bgrace.cli.output import emit

if TYPE_CHECKING:
    from rich.console import Console

    from bgrace.cli.screen import Block


def emit_answer(
    answer: PositionAnswer | PairAnalysis, notes: Iterable[str], as_json: bool, everything: bool = False
) -> None:
    """Print an answer, all of it if everything is wanted, and what its reader should know."""
    missing = [answer.solution.missing] if isinstance(answer, PairAnalysis) and answer.solution.missing else []

    def shown(answer: PositionAnswer | PairAnalysis, sink: Console) -> list[Block]:
        from bgrace.cli.tables import answer_blocks  # noqa: PLC0415  (what prints JSON does not wait for rich)

        return answer_blocks(answer, sink, everything)

    emit(answer, as_json, shown, [*notes, *missing])
