"""Types of the kernels' arguments and results, for people and type checkers; the kernels themselves need none."""

from array import array
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from bgrace._kernels.lazy_numpy import np, npt

Floats: TypeAlias = "npt.NDArray[np.float64]"
Counts: TypeAlias = "npt.NDArray[np.int8]"
Integers: TypeAlias = "npt.NDArray[np.int64]"
Booleans: TypeAlias = "npt.NDArray[np.bool_]"
AnyCounts: TypeAlias = "npt.NDArray[np.int8] | npt.NDArray[np.int64] | npt.NDArray[np.integer]"

LevelProgress: TypeAlias = Callable[[int, int, int], None]
Way: TypeAlias = Literal["any", "few", "all pairs", "file", "turns", "estimate"]
Cube: TypeAlias = Literal["none", "centered", "mine", "theirs"]
Verdict: TypeAlias = Literal["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"]
ProofMethod: TypeAlias = Literal["none", "clocks", "confined", "exact"]
Explanation: TypeAlias = dict[str, Any]
FourValues: TypeAlias = tuple[float, float, float, float]
Interval: TypeAlias = tuple[float, float]
View: TypeAlias = tuple[int, float, float]
KernelPairs: TypeAlias = (
    "tuple[npt.NDArray[np.int32], Integers, npt.NDArray[np.int16], Integers, npt.NDArray[np.int16]]"
)
KernelFile: TypeAlias = "tuple[int, int, npt.NDArray[np.uint32], int, bool]"
HomeCounts: TypeAlias = tuple[int, int, int, int, int, int]
ContactFound: TypeAlias = tuple[int, str, bool, HomeCounts, int, int, int]
RiskNumbers: TypeAlias = tuple[int, float, float | None, float, float | None, float]
RiskPlay: TypeAlias = tuple[str, HomeCounts, int, RiskNumbers]
Decision: TypeAlias = tuple[float, float, float, bool, bool, Verdict, bool | None]
Decisions: TypeAlias = "tuple[Booleans, Booleans, npt.NDArray[np.str_], Booleans | None]"
SideFound: TypeAlias = tuple[float, float, int, "array[float]"]
CountValues: TypeAlias = "Floats | Integers | Booleans"
CulpritTerm: TypeAlias = Literal["wastage", "on_roll", "opponent", "limit", "both", "gammons", "chance"]
CulpritFound: TypeAlias = tuple[CulpritTerm, list[float | None]]
CountJudged: TypeAlias = tuple[str, str | None, dict[str, float | None], dict[str, float], dict[str, CulpritFound]]


class CubeValues(NamedTuple):
    """Values with the cube in a place, for the player on roll, in points or as chances to win the match.

    `value` is the better of rolling and doubling.  `double_take` is the value after a beaver if that is right.  It and
    `double_pass` are NaN if the player may not double.
    """

    no_double: float
    double_take: float
    double_pass: float
    value: float
    doubles: bool
    takes: bool
    beavers: bool
    verdict: Verdict


class ChancesFound(NamedTuple):
    """Chances of the player on roll.

    `win` is the chance if both sides play to win.  The others are those if both play for the most points without a
    cube: to win or lose at least a gammon or a backgammon, and to win (`cubeless_win`).
    """

    win: float
    gammon_win: float
    backgammon_win: float
    gammon_loss: float
    backgammon_loss: float
    cubeless_win: float


class AnswerInfo(NamedTuple):
    """How an answer came about: a bgr_answer_info without its size.

    `delta` and `least_gain` are of answers by turns: plays were considered if their mean number of rolls is within
    `delta` of the least, and of these, the plays that can gain more than `least_gain` of the chance to win now were
    compared.  bgr_answer_info explains `error`.  `boundary_checkers`: checkers a side of the pairs that were looked up;
    `from_file`: whether in a file.  `positions`: number that each side comes to.  `pairs`: number of pairs of equal
    turns solved.  `merged`: number of positions treated as another one, because there were too many.
    """

    way: int
    exact: int
    delta: float
    error: float
    boundary_checkers: int
    from_file: int
    positions: list[int]
    pairs: int
    merged: int
    least_gain: float


SomeCounts = TypeVar("SomeCounts", bound=tuple[int, ...])
SomePlay = TypeVar("SomePlay")
