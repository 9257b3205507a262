from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space

MAX_ROLLS: int

def philox(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]: ...
def throws(seed: int, game: int, side: int, n_blocks: int) -> npt.NDArray[np.uint8]: ...

class Policy:
    mean_rolls: npt.NDArray[np.float64]
    def __init__(self, space: Space, n_threads: int) -> None: ...

def plays(
    policy: Policy, wide: Space, counts: npt.NDArray[np.int8], blocked: npt.NDArray[np.uint32], n_threads: int
) -> npt.NDArray[np.int64]: ...
def rollout(
    sides: Sequence[tuple[Policy, Sequence[int], int]],
    blocking: bool,
    seed: int,
    first: int,
    n_games: int,
    n_threads: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
