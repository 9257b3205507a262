"""Types of what the kernels take and give, for people and type checkers; the kernels themselves need none of them."""

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
    """The values of the cube in a place, for the player on roll, in points or as a chance to win the match.

    `value` is that of the better of rolling and doubling; `double_take` has a beaver in it where that is right, and is
    not a number, as `double_pass`, where the player may not double.
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

    To win, both sides playing to win; to win or to lose at least so much, both sides playing for the most points
    without a cube, and to win if they do.
    """

    win: float
    gammon_win: float
    backgammon_win: float
    gammon_loss: float
    backgammon_loss: float
    cubeless_win: float


class AnswerInfo(NamedTuple):
    """How an answer came about: a bgr_answer_info without its size.

    `delta`, `least_gain`: of answers by turns: plays were looked at whose mean number of rolls is within this of the
    least; of these, those that can gain more than this were compared, in chance to win now.  `error`: bgr_answer_info
    explains it.  `boundary_checkers`, `from_file`: checkers a side of the pairs that were looked up, and whether in a
    file.  `positions`: that the sides come to; `pairs` of equal turns that were solved; `merged`: positions that shared
    the place of another, because there were too many.
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
