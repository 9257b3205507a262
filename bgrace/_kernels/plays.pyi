from typing import TypeVar

from bgrace._kernels.positions import Space

_Counts = TypeVar("_Counts", bound=tuple[int, ...])
_Play = TypeVar("_Play")

def results(space: Space, index: int, die1: int, die2: int, kind: type[_Counts]) -> tuple[list[int], list[_Counts]]: ...
def ranked(
    kind: type[_Play],
    start: tuple[int, ...],
    roll: tuple[int, int],
    positions: list[_Counts],
    values: list[float],
    chances: list[float] | None,
) -> list[_Play]: ...
def rolls() -> list[tuple[int, int, int]]: ...
