import numpy as np
import numpy.typing as npt

MAX_PIPS: int

def win_probabilities(limit: int) -> npt.NDArray[np.float64]: ...
def equities(limit: int) -> npt.NDArray[np.float64]: ...
