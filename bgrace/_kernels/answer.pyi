from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from _typeshed import ReadableBuffer

from bgrace._kernels.probe import OpenFile

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int8]
Way: TypeAlias = Literal["any", "few", "float64", "int16", "turns", "estimate"]
Cube: TypeAlias = Literal["none", "centered", "mine", "theirs"]
Verdict: TypeAlias = Literal["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"]
CubeValues: TypeAlias = tuple[float, float, float, float, bool, bool, bool, Verdict]
View: TypeAlias = tuple[int, float, float]
State: TypeAlias = tuple[float, float, int, int, float, float, float]

Interval: TypeAlias = tuple[float, float]
ProofMethod: TypeAlias = Literal["none", "clocks", "confined", "exact"]

PROOF_METHODS: Final[tuple[ProofMethod, ...]]
WAYS: Final[tuple[Way, ...]]
CUBES: Final[tuple[Cube, ...]]
VERDICTS: Final[tuple[str, ...]]

class Place:
    def __init__(self, now: View, doubled: View | None = None, redoubled: View | None = None) -> None: ...
    @property
    def plane(self) -> int: ...
    def swapped(self, total: float) -> Place: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Stakes:
    def __init__(
        self,
        gammons: bool = True,
        jacoby: bool = False,
        beavers: bool = False,
        on_roll_needs: int = 0,
        opponent_needs: int = 0,
        crawford: bool = False,
        cube_value: int = 1,
        pre_crawford: Floats | None = None,
        post_crawford: Floats | None = None,
    ) -> None: ...
    def cube(self, place: Place, row: Floats, beavers: bool) -> CubeValues: ...
    def worth(self, place: Place, rows: Floats) -> Floats: ...
    def score_states(self, gammons: bool = True) -> tuple[Floats, list[tuple[int, Cube, Place]]]: ...

class Answer:
    @property
    def way(self) -> Literal["float64", "int16", "turns", "estimate"]: ...
    def follow(self, on_roll: Counts, opponent: Counts, swapped: bool) -> Answer: ...
    def info(self) -> tuple[bool, float, float, int, bool, tuple[int, int], int, int, float]: ...
    def chances(self) -> tuple[float, float, float, float, float, float]: ...
    def cube(self, place: int) -> CubeValues: ...
    def planes(self) -> Floats: ...
    def cubes(self) -> dict[Cube, Place]: ...
    def places(self) -> Floats: ...
    def now(self) -> Floats: ...
    def after(self, results: Counts) -> Floats: ...
    def plays(self, die1: int, die2: int, place: int) -> tuple[Counts, Floats, Floats]: ...

class Games:
    answer: Final[Answer]
    def __init__(
        self,
        solver: Solver,
        on_roll: Counts,
        opponent: Counts,
        stakes: Stakes,
        place: int,
        seconds: float = 0.0,
        memory_bytes: int = 0,
        exactness: float = 0.0,
        n_threads: int = 1,
        least_gain: float = 0.0,
    ) -> None: ...
    def play(
        self, start: int, seed: int, first: int, n: int, n_threads: int = 1
    ) -> tuple[Floats, Floats, npt.NDArray[np.intc]]: ...

class Boundary:
    def __init__(self, file_or_bytes: ReadableBuffer | npt.NDArray[np.uint8] | OpenFile, name: str) -> None: ...

class Proof:
    def info(self) -> tuple[ProofMethod, float, tuple[int, int], tuple[int, int]]: ...
    def chances(self) -> tuple[Interval, Interval, Interval]: ...
    def cube(self, place: int) -> tuple[Interval, Interval, Interval, str, bool]: ...
    def planes(self) -> Floats: ...
    def places(self) -> Floats: ...
    def rows(self) -> Floats: ...
    def shortlist(self, side: int) -> Counts: ...

class MemoryNeededError(Exception): ...
class Cache: ...

class Solver:
    def prepare(self, stakes: Stakes, checkers: int) -> None: ...
    def ask(
        self,
        on_roll: Counts,
        opponent: Counts,
        stakes: Stakes,
        way: Way = "any",
        seconds: float = 0.0,
        memory_bytes: int = 0,
        exactness: float = 0.0,
        n_threads: int = 1,
        dice: tuple[int, int] = (0, 0),
        rolls: bool = False,
        boundary: Boundary | None = None,
        least_gain: float = 0.0,
        path: str = "best",
        precision: int = -1,
    ) -> Answer | None: ...
    def prove(
        self,
        on_roll: Counts,
        opponent: Counts,
        stakes: Stakes,
        seconds: float = 0.0,
        memory_bytes: int = 0,
        n_threads: int = 1,
        exactness: float = 0.0,
    ) -> Proof: ...
    def side(self, counts: Counts) -> tuple[float, float, int, Floats]: ...

def ask_map(
    on_roll: Counts,
    opponent: Counts,
    stakes: Sequence[Stakes],
    cubes: npt.NDArray[np.intc],
    memory_bytes: int,
    n_threads: int,
) -> list[CubeValues]: ...
def views(planes: Floats) -> tuple[list[State], tuple[list[int], list[int]]]: ...
