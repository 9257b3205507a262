import numpy as np
import numpy.typing as npt

from bgrace._kernels.positions import Space

def means(
    space: Space, stop: int, n_threads: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32], npt.NDArray[np.uint8]]: ...
def distributions(
    space: Space, stop: int, n_threads: int, best: npt.NDArray[np.int32], longest: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
