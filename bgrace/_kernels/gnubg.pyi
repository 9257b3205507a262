import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space
from bgrace._kernels.progress import LevelProgress

WIDTH: int

def one_sided(
    space: Space,
    n_threads: int,
    last: npt.NDArray[np.uint16],
    first: npt.NDArray[np.uint16] | None,
    progress: LevelProgress | None = None,
) -> None: ...
