"""Types of what the kernels take and give, for people and type checkers; the kernels themselves need none of them."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int8]
Integers: TypeAlias = npt.NDArray[np.int64]
Int32s: TypeAlias = npt.NDArray[np.int32]
Booleans: TypeAlias = npt.NDArray[np.bool_]
AnyCounts: TypeAlias = npt.NDArray[np.int8] | npt.NDArray[np.int64] | npt.NDArray[np.integer]

ReadMany: TypeAlias = Callable[[list[tuple[int, int]]], Sequence[bytes]]
LevelProgress: TypeAlias = Callable[[int, int, int], None]
Way: TypeAlias = Literal["any", "few", "float64", "int16", "turns", "estimate"]
Cube: TypeAlias = Literal["none", "centered", "mine", "theirs"]
Verdict: TypeAlias = Literal["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"]
ProofMethod: TypeAlias = Literal["none", "clocks", "confined", "exact"]
CubeValues: TypeAlias = tuple[float, float, float, float, bool, bool, bool, Verdict]
FourValues: TypeAlias = tuple[float, float, float, float]
Interval: TypeAlias = tuple[float, float]
View: TypeAlias = tuple[int, float, float]
State: TypeAlias = tuple[float, float, int, int, float, float, float]
KernelPairs: TypeAlias = tuple[Int32s, Integers, npt.NDArray[np.int16], Integers, npt.NDArray[np.int16]]
KernelFile: TypeAlias = tuple[int, int, int, npt.NDArray[np.uint32], int, bool]
HomeCounts: TypeAlias = tuple[int, int, int, int, int, int]
ContactFound: TypeAlias = tuple[int, str, bool, HomeCounts, int, int, int]
RiskNumbers: TypeAlias = tuple[int, float, float | None, float, float | None, float]
RiskPlay: TypeAlias = tuple[str, HomeCounts, int, RiskNumbers]
Decision: TypeAlias = tuple[float, float, float, bool, bool, Verdict, bool | None]
Decisions: TypeAlias = tuple[Booleans, Booleans, npt.NDArray[np.str_], Booleans | None]
GamesPlayed: TypeAlias = tuple[Floats, Floats, npt.NDArray[np.intc]]
ChancesFound: TypeAlias = tuple[float, float, float, float, float, float]
SideFound: TypeAlias = tuple[float, float, int, Floats]
CountValues: TypeAlias = Floats | Integers | Booleans
CulpritFound: TypeAlias = tuple[Literal["wastage", "limit", "both", "gammons"], float, float, float, float | None]
CountJudged: TypeAlias = tuple[str, str | None, dict[str, float | None], dict[str, float], dict[str, CulpritFound]]


class ReasonFound(TypedDict):
    """A bgr_reason; NaN where there is no number."""

    margin: float
    terms: dict[str, float]
    of_chance: float
    chance: float
    needed: float
    pips: float
    decides: str | None
    phrases: list[tuple[str, dict[str, float]]]


class ReasonsFound(TypedDict):
    """A bgr_reasons."""

    pips: tuple[int, int]
    epc: tuple[float, float]
    waste: tuple[float, float]
    usual_waste: tuple[float, float]
    unit: float
    market_losers: int
    may_double: bool
    double: ReasonFound
    take: ReasonFound


class PlayReasonFound(TypedDict):
    """A bgr_play_reason; pairs of the better play and the other one, NaN where there is no number."""

    checkers: tuple[int, int]
    pips: tuple[int, int]
    epc: tuple[float, float]
    misses: tuple[int, int]
    win: tuple[float, float]
    gammon_win: tuple[float, float]
    gammon_loss: tuple[float, float]
    phrases: list[tuple[str, dict[str, float]]]


SomeCounts = TypeVar("SomeCounts", bound=tuple[int, ...])
SomePlay = TypeVar("SomePlay")
