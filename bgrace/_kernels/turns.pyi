from typing import Final

import numpy as np
import numpy.typing as npt
from _typeshed import ReadableBuffer

from bgrace._kernels.probe import OpenFile

CUBES: Final[tuple[str, ...]]
VERDICTS: Final[tuple[str, ...]]

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
        pre_crawford: npt.NDArray[np.float64] | None = None,
        post_crawford: npt.NDArray[np.float64] | None = None,
    ) -> None: ...
    def planes(
        self, gammons: bool = True, backgammons: bool = False
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...

class Answer:
    def info(self) -> tuple[bool, float, float, int, bool, tuple[int, int], int, int, float]: ...
    def chances(self) -> tuple[float, float, float, float, float, float]: ...
    def cube(self, place: int) -> tuple[float, float, float, float, bool, bool, bool, str]: ...
    def planes(self) -> npt.NDArray[np.float64]: ...
    def places(self) -> npt.NDArray[np.float64]: ...
    def now(self) -> npt.NDArray[np.float64]: ...
    def after(self, results: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]: ...
    def plays(
        self, die1: int, die2: int, place: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...

class Games:
    answer: Final[Answer]
    def __init__(
        self,
        solver: Solver,
        on_roll: npt.NDArray[np.int8],
        opponent: npt.NDArray[np.int8],
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
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.intc]]: ...

class Boundary:
    def __init__(self, file_or_bytes: ReadableBuffer | npt.NDArray[np.uint8] | OpenFile, name: str) -> None: ...

class Solver:
    def prepare(self, stakes: Stakes, checkers: int) -> None: ...
    def solve(
        self,
        on_roll: npt.NDArray[np.int8],
        opponent: npt.NDArray[np.int8],
        stakes: Stakes,
        seconds: float = 0.0,
        memory_bytes: int = 0,
        exactness: float = 0.0,
        n_threads: int = 1,
        dice: tuple[int, int] = (0, 0),
        rolls: bool = False,
        boundary: Boundary | None = None,
        path: str = "best",
        precision: int = -1,
        least_gain: float = 0.0,
    ) -> Answer: ...
