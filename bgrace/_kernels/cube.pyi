from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Verdict: TypeAlias = Literal["no double", "double/take", "double/beaver", "double/pass", "too good", "no cube"]
VERDICTS: Final[tuple[str, ...]]

def decide(
    no_double: float, double_take: float, double_pass: float, tie: float, beavers: bool
) -> tuple[float, float, float, bool, bool, Verdict, bool | None]: ...
def decide_batch(
    no_double: npt.NDArray[np.float64],
    double_take: npt.NDArray[np.float64],
    double_pass: npt.NDArray[np.float64],
    tie: float,
    beavers: bool,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.str_], npt.NDArray[np.bool_] | None]: ...
