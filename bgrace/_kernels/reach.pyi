from typing import final

import numpy as np
import numpy.typing as npt

@final
class Home:
    def __init__(self) -> None: ...

@final
class Reach:
    def __init__(
        self,
        home: Home,
        counts: npt.NDArray[np.int8],
        *,
        delta: float = 0,
        max_turns: int = 0,
        first_checker: bool = False,
        last_straggler: bool = False,
        max_layer: int = 0,
        max_nodes: int = 0,
    ) -> None: ...
    @property
    def delta(self) -> float: ...
    @property
    def n_layers(self) -> int: ...
    @property
    def n_results(self) -> int: ...
    @property
    def n_merged(self) -> int: ...
    @property
    def merge_error(self) -> float: ...
    @property
    def counts(self) -> npt.NDArray[np.int8]: ...
    @property
    def home_index(self) -> npt.NDArray[np.int32]: ...
    @property
    def checkers(self) -> npt.NDArray[np.uint8]: ...
    @property
    def mean(self) -> npt.NDArray[np.float64]: ...
    @property
    def variance(self) -> npt.NDArray[np.float64]: ...
    def chances_off(self) -> npt.NDArray[np.float64]: ...
    def off_error(self) -> npt.NDArray[np.float64]: ...
    def layer(
        self, turn: int
    ) -> tuple[
        npt.NDArray[np.int32],
        npt.NDArray[np.float64],
        bool,
        npt.NDArray[np.int64] | None,
        npt.NDArray[np.int32] | None,
        npt.NDArray[np.float32] | None,
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.float32],
    ]: ...

def sizes(
    home: Home,
    counts: npt.NDArray[np.int8],
    *,
    delta: float = 0.0,
    max_turns: int = 0,
    first_checker: bool = False,
    last_straggler: bool = False,
    max_nodes: int = 0,
) -> tuple[npt.NDArray[np.int64], int]: ...
