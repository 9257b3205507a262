"""A position or a pair as JSON or for a reader, with notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bgrace.analysis import PairAnalysis
from bgrace.answers import PositionAnswer
from bgrace.cli.output import emit

if TYPE_CHECKING:
    from rich.console import Console

    from bgrace.cli.screen import Block


def emit_answer(answer: PositionAnswer | PairAnalysis, notes: Iterable[str], as_json: bool) -> None:
    """Print an answer, and what its reader should know."""
    missing = [answer.solution.missing] if isinstance(answer, PairAnalysis) and answer.solution.missing else []
    emit(answer, as_json, _shown, [*notes, *missing])


def _shown(answer: PositionAnswer | PairAnalysis, sink: Console) -> list[Block]:
    from bgrace.cli.tables import answer_blocks  # noqa: PLC0415  (what prints JSON does not wait for rich)

    return answer_blocks(answer, sink)
