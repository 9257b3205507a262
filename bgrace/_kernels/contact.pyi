from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space

N_PLACES: int

def risk_of_one(space: Space, runs: bool) -> npt.NDArray[np.float64]: ...
def risk_of_two(space: Space, place: int) -> npt.NDArray[np.float64]: ...
def shots(counts: Sequence[int], place: int, men: int) -> int: ...
