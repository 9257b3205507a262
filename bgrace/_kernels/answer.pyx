"""Answers to any race at any stakes: solved with all pairs of its positions if there are few enough, else by turns."""

from array import array

from libc.math cimport isnan
from libc.stdint cimport int8_t, int64_t
from libc.string cimport memset

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels.kinds import AnswerInfo, ChancesFound
from bgrace._kernels.stakes import CUBE_ORDER, VERDICTS

from bgrace._kernels.cbgrace cimport *
from bgrace._kernels.positions cimport check
from bgrace._kernels.probe cimport Probe
from bgrace._kernels.progress cimport Work, report
from bgrace._kernels.stakes cimport Place, Stakes, check_planes, cube_values, new_place

WAYS: Final[tuple[Way, ...]] = ("any", "few", "all pairs", "file", "turns", "estimate")
"""Ways to solve a race, in the order of bgr_way."""

PROOF_METHODS: Final[tuple[ProofMethod, ...]] = ("none", "clocks", "confined", "exact")


cdef int heed_signals(void *context, double done) noexcept nogil:
    return report(context, 0, 0, 0)


cdef void begin_options(bgr_solve_options *options, int64_t memory_bytes, Work work) noexcept:
    """Fill in default options, with the threads of `work` and a progress function that checks for signals."""
    memset(options, 0, sizeof(options[0]))
    options.size, options.memory_bytes, options.cache = sizeof(options[0]), memory_bytes, CACHE
    options.parallel, options.progress, options.progress_context = work.c.parallel, heed_signals, work.c.context


cdef class Solver:
    """Solves races; it keeps one player's home board, once that is needed, and tables of small pairs.

    Any number of threads may use it at once, except for `prepare`.
    """

    cdef bgr_solver *c

    def __cinit__(self):
        with nogil:
            status = bgr_solver_begin(&self.c)
        check(status, "the home board")

    def __dealloc__(self):
        bgr_solver_free(self.c)

    def prepare(self, Stakes stakes not None, int checkers) -> None:
        """Solve all pairs of home positions of up to `checkers` checkers a side."""
        with nogil:
            status = bgr_solver_prepare(self.c, &stakes.c, checkers)
        check(status, f"all pairs of {checkers} checkers")

    def ask(
        self,
        const int8_t[::1] on_roll,  # IN
        const int8_t[::1] opponent,  # IN
        Stakes stakes not None,
        str way: Way = "any",
        double seconds=0,
        int64_t memory_bytes=0,
        double exactness=0,
        int n_threads=1,
        tuple dice: tuple[int, int] = (0, 0),
        bint rolls=False,
        Probe boundary: Probe | None = None,
        double least_gain=0,
    ) -> Answer | None:
        """Solve a race of two positions, 24 counts each.

        way: one of `WAYS`; for "few", the result is None if there are too many pairs.  exactness: the delta of
        `AnswerInfo`, -1 for a delta of 0; 0 derives it from seconds and memory, as 0 does for least_gain.  dice: a
        roll whose results the answer shall all have; rolls: whether it shall have those of every roll.  boundary: a
        file to look up pairs in.  MemoryNeededError if `way` is "all pairs" and they take more than memory_bytes.
        """
        cdef Answer answer = Answer()
        cdef bgr_solve_options options
        cdef bgr_needs needs
        cdef Work work = Work(None, n_threads)
        check_counts(on_roll, opponent)
        begin_options(&options, memory_bytes, work)
        memset(&needs, 0, sizeof(needs))
        options.seconds, options.exactness = seconds, exactness
        options.dice[0], options.dice[1] = dice
        options.rolls = rolls
        options.least_gain = least_gain
        options.way = <bgr_way>(<int>WAYS.index(way))
        options.needs = &needs
        if boundary is not None:
            options.database = boundary.db
        with nogil:
            status = bgr_ask(self.c, BGR_MAX_POINTS, &on_roll[0], &opponent[0], &stakes.c, &options, &answer.c)
        if status == BGR_ERR_COVERAGE and way == "few":
            return None
        if way == "all pairs" and status in (BGR_ERR_MEMORY, BGR_ERR_SIZE):
            raise memory_error(&needs)
        work.check_status(status, f"{list(on_roll)} against {list(opponent)}, {seconds=}, {memory_bytes=}")
        return answer

    def prove(
        self,
        const int8_t[::1] on_roll,  # IN
        const int8_t[::1] opponent,  # IN
        Stakes stakes not None,
        double seconds=0,
        int64_t memory_bytes=0,
        int n_threads=1,
        double exactness=0,
        str place: Cube | None = None,
    ) -> Proof:
        """Prove bounds for a race of two positions, 24 counts each; options as in `ask`.

        place: where the cube is, if the proof shall stop as soon as the verdict is proved.
        """
        cdef Proof proof = Proof()
        cdef int cube = -1 if place is None else cube_of(place)
        cdef bgr_solve_options options
        cdef Work work = Work(None, n_threads)
        check_counts(on_roll, opponent)
        begin_options(&options, memory_bytes, work)
        options.seconds, options.exactness = seconds, exactness
        with nogil:
            if cube < 0:
                status = bgr_prove(BGR_MAX_POINTS, &on_roll[0], &opponent[0], &stakes.c, &options, &proof.c)
            else:
                status = bgr_prove_verdict(
                    BGR_MAX_POINTS, &on_roll[0], &opponent[0], &stakes.c, &options, <bgr_cube>cube, &proof.c
                )
        work.check_status(status, f"{list(on_roll)} against {list(opponent)}, {seconds=}, {memory_bytes=}")
        return proof

    def reasons(self, Answer answer not None, str place: Cube) -> Explanation | None:
        """Reasons of the cube decision of an answer; None if the player on roll may not double."""
        cdef bgr_reasons reasons
        cdef bgr_cube cube = cube_of(place)
        reasons.size = sizeof(reasons)
        with nogil:
            status = bgr_answer_reasons(self.c, CACHE, answer.c, cube, &reasons)
        check(status, f"cube {place}")
        return reasons_dict(&reasons)

    def reasons_of(
        self,
        Stakes stakes not None,
        Place place not None,
        bint owned,
        const double[::1] row not None,  # IN
        chances: tuple[float, float, float, float, float, float],
        const int8_t[::1] on_roll not None,  # IN
        const int8_t[::1] opponent not None,  # IN
        side_on_roll: SideFound,
        side_opponent: SideFound,
        int market_losers=-1,
    ) -> Explanation | None:
        """`reasons` from values of any source: a row of planes, and chances as `Answer.chances` has them, or NaN."""
        cdef bgr_side[2] sides
        cdef bgr_planes planes
        cdef bgr_reasons_question q
        cdef bgr_reasons reasons
        cdef bgr_chances given
        check_counts(on_roll, opponent)
        check_planes(place, row.shape[0])
        memset(sides, 0, sizeof(sides))
        read_side(side_on_roll, &sides[0])
        read_side(side_opponent, &sides[1])
        read_chances(chances, &given)
        stakes.planes_with(row.shape[0], &planes)
        memset(&q, 0, sizeof(q))
        q.chart, q.planes, q.place = bgr_solver_chart(self.c), &planes, &place.c
        q.beavers, q.owned, q.row, q.chances = stakes.c.beavers, owned, &row[0], &given
        q.counts[0], q.counts[1] = &on_roll[0], &opponent[0]
        q.side[0], q.side[1] = &sides[0], &sides[1]
        q.market_losers = market_losers
        check(bgr_reasons_of(&q, &reasons), "reasons")
        return reasons_dict(&reasons)

    def play_reason(
        self,
        const int8_t[::1] opponent not None,  # IN
        const int8_t[::1] better not None,  # IN
        const int8_t[::1] other not None,  # IN
        chances: Sequence[ChancesFound] = (),
    ) -> Explanation:
        """Compare a play with a better one; chances: after the better and the other play, if they are known."""
        cdef bgr_play_reason r
        cdef bgr_chances given[2]
        cdef bint known = len(chances) == 2
        check_counts(opponent, better)
        check_counts(opponent, other)
        for k in range(2 if known else 0):
            read_chances(chances[k], &given[k])
        with nogil:
            status = bgr_play_reason_of(
                self.c, CACHE, &opponent[0], &better[0], &other[0], given if known else NULL, &r
            )
        check(status, f"{list(better)} and {list(other)}")
        return {
            "checkers": tuple(r.checkers),
            "pips": tuple(r.pips),
            "epc": tuple(r.epc),
            "misses": None if min(r.misses) < 0 else tuple(r.misses),
            "win": both_of(r.chances[0].win, r.chances[1].win),
            "gammon_win": both_of(r.chances[0].win_gammon, r.chances[1].win_gammon),
            "gammon_loss": both_of(r.chances[0].lose_gammon, r.chances[1].lose_gammon),
            "phrases": phrases_list(r.phrase, r.n_phrases),
        }

    def side(self, const int8_t[::1] counts) -> SideFound:  # IN
        """One side by itself, 24 counts: mean and variance of rolls, number of positions solved, and chances.

        The number is 0 if the position was solved by turns; the chances are those of exactly 0, 1, ... rolls.
        """
        cdef bgr_side side
        cdef Work work = Work()
        cdef bgr_resources resources = bgr_resources(CACHE, work.c)
        check_counts(counts, counts)
        side.size = sizeof(side)
        with nogil:
            status = bgr_find_side(self.c, &resources, BGR_MAX_POINTS, &counts[0], &side)
        work.check_status(status, f"{list(counts)}")
        return (
            side.mean_rolls,
            side.variance_rolls,
            side.positions,
            array("d", (<char *>side.distribution)[:(side.n_rolls + 1) * sizeof(double)]),
        )


cdef bgr_cube cube_of(str place) except? BGR_CUBE_NONE:
    return <bgr_cube>(<int>CUBE_ORDER.index(place))


cdef chances_of(const bgr_chances *chances):
    return ChancesFound(*dict(chances[0]).values())


cdef int read_chances(from_, bgr_chances *chances) except -1:
    (chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon,
     chances.cubeless_win) = from_
    return 0


cdef int read_side(tuple given, bgr_side *side) except -1:
    """Read a side from the result of `Solver.side`, or from its mean and its chances alone."""
    cdef const double[::1] chances = given[len(given) - 1]
    cdef Py_ssize_t k
    if not 0 < chances.shape[0] <= BGR_MAX_WIDTH:
        raise ValueError(f"{chances.shape[0]} chances: a side has 1 to {BGR_MAX_WIDTH}")
    side.mean_rolls = given[0]
    side.n_rolls = <int>chances.shape[0] - 1
    for k in range(chances.shape[0]):
        side.distribution[k] = chances[k]
    return 0


cdef str text_of(const char *text):
    return None if text == NULL else (<bytes>text).decode()


cdef list phrases_list(const bgr_phrase *phrase, int n):
    return [
        (text_of(phrase[k].key), {text_of(phrase[k].name[i]): phrase[k].value[i] for i in range(phrase[k].n)})
        for k in range(n)
    ]


cdef tuple both_of(double mine, double theirs):
    return None if isnan(mine) or isnan(theirs) else (mine, theirs)


cdef dict reason_dict(bgr_reason *r):
    return {
        "margin": r.margin,
        "terms": {text_of(bgr_term_name(k)): r.term[k] for k in range(<int>BGR_N_TERMS)},
        "of_chance": r.of_chance,
        "chance": r.chance,
        "needed": None if isnan(r.needed) else r.needed,
        "pips": None if isnan(r.pips) else r.pips,
        "decides": text_of(bgr_term_name(r.decides)),
        "phrases": phrases_list(r.phrase, r.n_phrases),
    }


cdef dict reasons_dict(bgr_reasons *r):
    return None if not r.may_double else {
        "pips": tuple(r.pips),
        "epc": tuple(r.epc),
        "waste": tuple(r.waste),
        "usual_waste": tuple(r.usual_waste),
        "market_losers": None if r.market_losers < 0 else r.market_losers,
        "double": reason_dict(&r.twice),
        "take": reason_dict(&r.take),
    }


cdef class Proof:
    """The bounds that `Solver.prove` found."""

    cdef bgr_proof *c

    def __dealloc__(self):
        bgr_proof_free(self.c)

    def info(self) -> tuple[ProofMethod, float, tuple[int, int], tuple[int, int], float]:
        """Method, one of `PROOF_METHODS`; delta of shortlists; positions of either side, and those kept; seconds."""
        cdef bgr_proof_info info
        info.size = sizeof(info)
        check(bgr_proof_describe(self.c, &info), "the proof")
        return PROOF_METHODS[info.method], info.delta, tuple(info.positions), tuple(info.kept), info.seconds

    def chances(self) -> tuple[Interval, Interval, Interval]:
        """Bounds of the chances to win, to win a gammon, and to lose one."""
        cdef bgr_chance_bounds chances
        check(bgr_proof_chances(self.c, &chances), "the bounds")
        return interval_of(chances.win), interval_of(chances.win_gammon), interval_of(chances.lose_gammon)

    def cube(self, str place: Cube) -> tuple[Interval, Interval, Interval, Verdict, bool]:
        """Bounds of no double, of double/take and of the value; the verdict, and whether it is proved."""
        cdef bgr_cube_bounds bounds
        check(bgr_proof_cube(self.c, cube_of(place), &bounds), f"place {place} of the cube")
        return (
            interval_of(bounds.no_double),
            interval_of(bounds.double_take),
            interval_of(bounds.value),
            VERDICTS[bounds.verdict],
            bool(bounds.proved),
        )

    def keep_pairs(self) -> None:
        """Keep only bounds that follow from the shortlists: a certificate has no place for those of the clocks."""
        bgr_proof_keep_pairs(self.c)

    def shortlist(self, int side) -> Counts:
        """The positions that a side's plays are confined to: (n, 24)."""
        cdef const int8_t *counts
        cdef int64_t n
        check(bgr_proof_shortlist(self.c, side, &counts, &n), f"side {side}")
        return np.array(<const int8_t[:n, :BGR_MAX_POINTS]>counts)


cdef tuple interval_of(bgr_interval interval):
    return interval.low, interval.high


class MemoryNeededError(Exception):
    """All pairs take more memory than is allowed: positions of both sides, bytes, planes.

    The positions are 0 if there are too many to list.
    """


cdef memory_error(const bgr_needs *needs):
    return MemoryNeededError(needs.positions[0], needs.positions[1], needs.bytes, needs.n_planes)


cdef bgr_cache *CACHE = NULL  # results that all answers share while the program runs
check(bgr_cache_new(&CACHE), "the cache of answers")


def ask_map(
    const int8_t[::1] on_roll,  # IN
    const int8_t[::1] opponent,  # IN
    list cases not None: Sequence[tuple[Stakes, Cube]],
    int64_t memory_bytes,
    int n_threads,
) -> list[CubeValues]:
    """The values of `Answer.cube` of one pair for many cases, each with its `Stakes` and place of the cube.

    MemoryNeededError if they take more than memory_bytes.
    """
    cdef int n = len(cases), k
    cdef bgr_solve_options options
    cdef bgr_needs needs
    cdef Work work = Work(None, n_threads)
    if not n:
        return []
    check_counts(on_roll, opponent)
    cdef char[::1] room = bytearray(n * sizeof(bgr_map_case))
    cdef bgr_map_case *asked = <bgr_map_case *>&room[0]
    for k in range(n):
        asked[k].stakes = (<Stakes?>cases[k][0]).c
        asked[k].cube = cube_of(cases[k][1])
    begin_options(&options, memory_bytes, work)
    memset(&needs, 0, sizeof(needs))
    options.needs = &needs
    with nogil:
        status = bgr_ask_map(BGR_MAX_POINTS, &on_roll[0], &opponent[0], asked, n, &options)
    if status in (BGR_ERR_MEMORY, BGR_ERR_SIZE):
        raise memory_error(&needs)
    work.check_status(status, f"{n} scores")
    return [cube_values(&asked[k].values) for k in range(n)]


cdef int check_counts(const int8_t[::1] on_roll, const int8_t[::1] opponent) except -1:
    if on_roll.shape[0] != BGR_MAX_POINTS or opponent.shape[0] != BGR_MAX_POINTS:
        raise ValueError(f"positions have {BGR_MAX_POINTS} counts")
    return 0


cdef class Answer:
    """A race solved at its stakes; made by `Solver.ask`."""

    cdef bgr_answer *c

    def __dealloc__(self):
        bgr_answer_free(self.c)

    @property
    def way(self) -> Way:
        """How the race was solved: "all pairs", "file", "turns" or "estimate"."""
        return WAYS[self.info().way]

    def follow(self, const int8_t[::1] on_roll, const int8_t[::1] opponent, bint swapped) -> Answer:  # IN
        """The answer for another pair that the race comes to; swapped: whether the opponent is on roll there.

        CoverageError unless the race was solved with all pairs, and comes to this one.
        """
        cdef Answer followed = Answer()
        check_counts(on_roll, opponent)
        check(
            bgr_answer_follow(self.c, BGR_MAX_POINTS, &on_roll[0], &opponent[0], swapped, &followed.c),
            f"{list(on_roll)} against {list(opponent)}: the race does not come to it",
        )
        return followed

    def info(self) -> AnswerInfo:
        """How the answer came about."""
        cdef bgr_answer_info info
        info.size = sizeof(info)
        check(bgr_answer_describe(self.c, &info), "the answer")
        return AnswerInfo(info.way, info.exact, info.delta, info.error, info.boundary_checkers, info.from_database,
                          info.positions, info.pairs, info.merged, info.least_gain)

    def bound(self, Proof proof not None, str place: Cube) -> None:
        """Move values and chances into proven bounds; lower the error to the bounds with the cube in a place."""
        check(bgr_answer_bound(self.c, proof.c, cube_of(place)), f"place {place} of the cube")

    def chances(self) -> ChancesFound:
        """Chances to win, to win a gammon and a backgammon, to lose them, and to win in cubeless play for points."""
        cdef bgr_chances chances
        bgr_answer_chances(self.c, &chances)
        return chances_of(&chances)

    def move_chances(self, const int8_t[::1] counts not None) -> ChancesFound:  # IN
        """`chances` after a move to 24 counts; by turns, only for moves that were compared."""
        cdef bgr_chances chances
        check_counts(counts, counts)
        check(bgr_chances_after(self.c, &counts[0], &chances), f"{list(counts)}")
        return chances_of(&chances)

    def cube(self, str place: Cube) -> CubeValues:
        """No double, double/take, double/pass, value, whether to double, take and beaver, and the verdict."""
        cdef bgr_cube_values v
        check(bgr_answer_cube(self.c, cube_of(place), &v), f"cube {place}")
        return cube_values(&v)

    def cubes(self) -> dict[Cube, Place]:
        """A `Place` for each place where the cube can be."""
        cdef const bgr_planes *planes = bgr_answer_planes(self.c)
        return {
            CUBE_ORDER[k]: new_place(&planes.place[k])
            for k in range(<int>BGR_N_CUBES)
            if planes.place[k].now.plane >= 0
        }

    def now(self) -> array[float]:
        """The value of rolling now, (planes,)."""
        cdef size_t size = bgr_answer_planes(self.c).n * sizeof(double)
        return array("d", (<const char *>bgr_answer_now(self.c))[:size])

    def after(self, const int8_t[:, ::1] results) -> memoryview[float]:  # IN
        """The value of rolling to the opponent after a move to each result, (n, planes)."""
        cdef int n = bgr_answer_planes(self.c).n
        if results.shape[1] != BGR_MAX_POINTS:
            raise ValueError(f"positions have {BGR_MAX_POINTS} counts")
        found = array("d", bytes(results.shape[0] * n * sizeof(double)))
        cdef double[::1] out = found  # OUT
        if results.shape[0]:
            status = bgr_answer_after(self.c, &results[0, 0], results.shape[0], &out[0])
            if status:
                check(status, f"{np.asarray(results).tolist()} after the first roll")
        return memoryview(found).cast("B").cast("d", (results.shape[0], n))
