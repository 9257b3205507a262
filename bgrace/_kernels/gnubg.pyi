from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space

WIDTH: int

def one_sided(
    space: Space,
    n_threads: int,
    last: npt.NDArray[np.uint16],
    first: npt.NDArray[np.uint16] | None,
    progress: Callable[[int, int, int], None] | None = None,
) -> None: ...
