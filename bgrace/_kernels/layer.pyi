import numpy as np
import numpy.typing as npt

from bgrace._kernels.progress import LevelProgress

CHANCE_SCALE: int

def slot_bytes() -> int: ...
def layer_bytes(points: int, checkers: int) -> int: ...

class Home:
    def __init__(self, checkers: int, stop: int, n_threads: int) -> None: ...
    def layer_size(self, most: npt.NDArray[np.int8]) -> int: ...

class Layer:
    size: int
    def __init__(
        self,
        home: Home,
        most: npt.NDArray[np.int8],
        distributions: bool,
        n_threads: int,
        progress: LevelProgress | None = None,
        path: str = "best",
    ) -> None: ...
    def mean(self, counts: npt.NDArray[np.int8]) -> float: ...
    def distribution(self) -> npt.NDArray[np.float64]: ...
    def width(self) -> int: ...
    def tables(
        self,
        first: int,
        mean_rolls: npt.NDArray[np.float64] | None,
        variance_rolls: npt.NDArray[np.float64] | None,
        first_roll: npt.NDArray[np.uint8],
        chances: npt.NDArray[np.uint16],
        n_threads: int,
    ) -> None: ...
