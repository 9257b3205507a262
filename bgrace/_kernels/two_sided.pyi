from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space
from bgrace._kernels.progress import LevelProgress

KernelPairs: TypeAlias = tuple[
    npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int16], npt.NDArray[np.int64], npt.NDArray[np.int16]
]

KernelFile: TypeAlias = tuple[int, int, int, npt.NDArray[np.uint32], int, bool]

PATHS: dict[str, int]

def available_paths() -> list[str]: ...

class Graph:
    def __init__(self, space: Space, indices: npt.NDArray[np.int64], n_threads: int) -> None: ...
    def __len__(self) -> int: ...
    def compare(self, gammon_checkers: int, n_threads: int) -> None: ...
    def indices(self) -> npt.NDArray[np.int64]: ...

def solve(
    a: Graph,
    b: Graph | None,
    table_a: npt.NDArray[np.int16],
    table_b: npt.NDArray[np.int16] | None,
    scale: int,
    gammon_checkers: int = 0,
    single_planes: int = 0,
    gammon_pairs: KernelPairs | None = None,
    file: KernelFile | None = None,
    memory_bytes: int = 0,
    path: str = "best",
    gnubg: bool = False,
    n_threads: int = 1,
    progress: LevelProgress | None = None,
) -> None: ...
def table_crc32(row_crc32: npt.NDArray[np.uint32]) -> int: ...
def reachable(space: Space, index: int) -> npt.NDArray[np.int64]: ...
def count_reachable(counts: npt.NDArray[np.int8]) -> int: ...
