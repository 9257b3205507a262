import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space

def plays(space: Space, index: int, die1: int, die2: int) -> npt.NDArray[np.int64]: ...
def rolls() -> list[tuple[int, int, int]]: ...
