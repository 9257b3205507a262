from collections.abc import Sequence
from typing import TypeAlias

KNOWN: int
RACE: int
MANY: int
APART: int

Counts: TypeAlias = tuple[int, int, int, int, int, int]
Numbers: TypeAlias = tuple[int, float, float | None, float, float | None, float]

def contact_of(on_roll: Sequence[int], opponent: Sequence[int]) -> tuple[int, str, bool, Counts, int, int, int]: ...

class Risks:
    def __init__(self) -> None: ...
    def of(self, counts: Sequence[int], place: int, men: int) -> Numbers: ...
    def plays(
        self, counts: Sequence[int], place: int, men: int, die1: int, die2: int
    ) -> list[tuple[str, Counts, int, Numbers]]: ...
