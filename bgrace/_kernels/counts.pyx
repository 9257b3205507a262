"""Players' counts: their advice for pairs, and their mistakes; `bgrace.counts` names the source of each count."""

from libc.math cimport isnan
from libc.stdint cimport int8_t, int64_t

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels.cbgrace cimport *
from bgrace.errors import PositionError

NAMES: Final[tuple[str, ...]] = tuple([bgr_count_name(k).decode() for k in range(BGR_N_COUNTS)])
"""Names of the counts."""

FIELDS: Final[tuple[str, ...]] = (
    "counted", "on_roll", "opponent", "double_from", "redouble_from", "take_to", "double", "redouble", "take",
    "win_probability", "ratio",
)
_KINDS = ["f8"] * 6 + ["?"] * 3 + ["f8"] * 2
_DECISIONS = FIELDS[6:9]
assert len(FIELDS) == BGR_N_COUNT_FIELDS and len(_DECISIONS) == BGR_N_DECISIONS


def count(
    str name not None,
    const int8_t[:, ::1] on_roll,  # IN n x BGR_MAX_POINTS
    const int8_t[:, ::1] opponent,  # IN as long
    const double[:, ::1] epc,  # IN 2 x n
    double from_30=0,
    double round_down=0,
    double strict_take=0,
    double deuces=2,
    double allowance=0.0,
) -> dict[str, CountValues]:
    """The fields of a count, each an array; PositionError, with the least number out of range, if it does not apply."""
    cdef int which = NAMES.index(name), number, least = 0, k, missed = 0
    cdef Py_ssize_t n = on_roll.shape[0], i
    cdef bgr_count_options options
    options.from_30, options.round_down, options.strict_take = <int>from_30, <int>round_down, <int>strict_take
    options.deuces, options.allowance = <int>deuces, allowance
    values = np.empty((n, BGR_N_COUNT_FIELDS))
    cdef double[:, ::1] out = values  # OUT
    cdef double both[2]
    with nogil:
        for i in range(n):
            both[0], both[1] = epc[0, i], epc[1, i]
            if bgr_count_pair(which, &options, &on_roll[i, 0], &opponent[i, 0], both, <bgr_count *>&out[i, 0],
                              &number) != BGR_OK:
                least = min(least, number) if missed else number
                missed = 1
    if missed:
        raise PositionError(bgr_count_problem(which).decode().format(least))
    return {
        FIELDS[k]: values[:, k].astype("i8" if bgr_count_whole(which) >> k & 1 else _KINDS[k])
        for k in range(BGR_N_COUNT_FIELDS)
        if bgr_count_fields(which) >> k & 1
    }


cdef object plain(int which, int field, double value):
    """A field as a Python value; None for NaN."""
    if isnan(value):
        return None
    if 6 <= field < 9:
        return value == 1
    if bgr_count_whole(which) >> field & 1:
        return int(value)
    return value


def closeness(double error) -> float:
    """Greatest difference at which two choices count as equal."""
    return bgr_closeness(error)


def judge(
    const int8_t[::1] on_roll,  # IN BGR_MAX_POINTS
    const int8_t[::1] opponent,  # IN BGR_MAX_POINTS
    const double[::1] truth,  # IN of a bgr_count_truth
) -> list[CountJudged]:
    """Each count's name, why it does not apply to the pair, its fields, and its losses and culprits by decision."""
    cdef bgr_judged_count judged[BGR_N_COUNTS]
    cdef bgr_culprit culprit
    cdef int k, i, n
    if truth.shape[0] * sizeof(double) != sizeof(bgr_count_truth):
        raise ValueError(f"{truth.shape[0]} numbers are not a bgr_count_truth")
    bgr_judge_counts(&on_roll[0], &opponent[0], <const bgr_count_truth *>&truth[0], judged)
    results = []
    for k in range(BGR_N_COUNTS):
        if not judged[k].reached:
            problem = bgr_count_problem(k).decode().format(int(judged[k].number))
            results.append((NAMES[k], problem, {}, {}, {}))
            continue
        fields = {FIELDS[i]: plain(k, i, (<double *>&judged[k].count)[i]) for i in range(BGR_N_COUNT_FIELDS)}
        losses = {_DECISIONS[i]: judged[k].loss[i] for i in range(BGR_N_DECISIONS) if not isnan(judged[k].loss[i])}
        culprits = {}
        for i in range(BGR_N_DECISIONS):
            culprit = judged[k].culprit[i]
            if culprit.term != BGR_CULPRIT_NONE:
                culprits[_DECISIONS[i]] = (
                    bgr_culprit_name(<int>culprit.term).decode(),
                    [None if isnan((<double *>&culprit)[n]) else (<double *>&culprit)[n] for n in range(1, 9)],
                )
        results.append((NAMES[k], None, fields, losses, culprits))
    return results


def trice62_take_point(const int64_t[::1] pips) -> Integers:  # IN
    """Greatest lead against which Trice's rule 62 takes."""
    return np.array([bgr_trice62_take_point(pips[i]) for i in range(pips.shape[0])], dtype=np.int64)


def nack57_take_point(const int64_t[::1] pips) -> Integers:  # IN 55 or more each
    """Greatest lead against which Nack 57 takes."""
    return np.array([bgr_nack57_take_point(pips[i]) for i in range(pips.shape[0])], dtype=np.int64)


# ---- expected pips by hand

ROLLS, ALMOST_ROLLS, STACK, LOW_WASTAGE, FLAT = range(BGR_SHAPE_ROLLS, BGR_SHAPE_FLAT + 1)


def shape_epc(int shape, double pips, int checkers, int stragglers=0) -> float:
    """Expected pips by the rule for a shape; for a stack, `pips` are those of its stragglers."""
    return bgr_shape_epc(<bgr_shape>shape, pips, checkers, stragglers)


def almost_rolls_limit(int checkers) -> float:
    """Greatest number of pips per checker for the rule of almost rolls."""
    return bgr_almost_rolls_limit(checkers)


def is_pippish(const int8_t[::1] counts) -> bool:  # IN BGR_MAX_POINTS
    """Whether a position wastes little."""
    return bool(bgr_is_pippish(&counts[0]))


def epc_by_hand(const int8_t[::1] counts) -> tuple[float, str]:  # IN BGR_MAX_POINTS
    """Expected pips, and the shape whose rule gives them."""
    cdef bgr_shape shape
    epc = bgr_epc_by_hand(&counts[0], &shape)
    return epc, bgr_shape_name(shape).decode()
