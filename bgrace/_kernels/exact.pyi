from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._kernels.progress import LevelProgress
from bgrace._kernels.two_sided import Graph

State: TypeAlias = tuple[float, float, int, int, float, float, float]

def solve(
    a: Graph,
    b: Graph | None,
    states_a: list[State],
    states_b: list[State] | None,
    table_a: npt.NDArray[np.float64],
    table_b: npt.NDArray[np.float64] | None = None,
    gammon_checkers: int = 0,
    total: float = 0.0,
    path: str = "best",
    n_threads: int = 1,
    progress: LevelProgress | None = None,
) -> None: ...
