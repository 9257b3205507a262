from typing import Final

import numpy as np
import numpy.typing as npt

BLOCK_SIDE: Final[int]
MAX_BLOCK_BYTES: Final[int]
MAX_FACTORS: Final[int]
MAX_SHIFT: Final[int]

class Factors:
    n_blocks: int
    def __init__(
        self, on_roll: npt.NDArray[np.int16], opponent: npt.NDArray[np.int16], planes: npt.NDArray[np.int32]
    ) -> None: ...
    def pack(
        self,
        values: npt.NDArray[np.int16],
        row: int,
        n_threads: int,
        size: npt.NDArray[np.int32],
        crc: npt.NDArray[np.uint32],
        codes: npt.NDArray[np.uint8],
        path: str = "best",
    ) -> int: ...
    def miss(
        self,
        plane: int,
        values: npt.NDArray[np.int16],
        row: int,
        most: int,
        n_threads: int,
        missed: npt.NDArray[np.uint16],
        path: str = "best",
    ) -> None: ...
    def unpack(
        self,
        codes: npt.NDArray[np.uint8],
        start: npt.NDArray[np.int64],
        crc: npt.NDArray[np.uint32],
        row: int,
        n_threads: int,
        values: npt.NDArray[np.int16],
        path: str = "best",
    ) -> tuple[int, int]: ...

def leading_vectors(
    matrix: npt.NDArray[np.float64], count: int, n_threads: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def solve_rows(gram: npt.NDArray[np.float64], rows: npt.NDArray[np.float64], n_threads: int) -> None: ...
