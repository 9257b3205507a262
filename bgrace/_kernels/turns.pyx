"""Any race at any stakes, both sides carried forward turn by turn."""

from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.string cimport memset

import numpy as np

from bgrace._kernels.two_sided import PATHS

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.cdatabase cimport BGR_READ, bgr_db, bgr_file, bgr_open_file
from bgrace._kernels.positions cimport check
from bgrace._kernels.probe cimport OpenFile
from bgrace._kernels.progress cimport Reporter, report

CUBES = ("none", "centered", "mine", "theirs")
VERDICTS = ("no cube", "no double", "double/take", "double/beaver", "double/pass", "too good")

ctypedef void (*body_t)(void *argument, int64_t k, int worker) noexcept nogil
ctypedef void (*run_t)(void *context, int64_t n, body_t body, void *argument) noexcept nogil

cdef extern from "bgrace.h" nogil:
    ctypedef enum bgr_cube:
        BGR_N_CUBES

    ctypedef struct bgr_stakes:
        size_t size
        int match, gammons, jacoby, beavers
        int on_roll_needs, opponent_needs, crawford, cube_value
        int met_length, post_length
        const double *pre_crawford
        const double *post_crawford

    ctypedef struct bgr_solver
    ctypedef struct bgr_answer

    ctypedef struct bgr_parallel:
        run_t run
        void *context
        int n_workers

    ctypedef struct bgr_solve_options:
        size_t size
        double seconds
        int64_t memory_bytes
        double exactness
        const bgr_parallel *parallel
        int dice[2]
        int rolls
        const bgr_db *database
        double least_gain
        int (*progress)(void *context, double done) noexcept nogil
        void *progress_context

    ctypedef struct bgr_chances:
        double win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, cubeless_win

    ctypedef struct bgr_cube_values:
        double no_double, double_take, double_pass, value
        int doubles, takes, beavers
        int verdict

    ctypedef struct bgr_answer_info:
        int method
        double delta, error
        int boundary_checkers
        int from_database
        int64_t positions[2]
        int64_t pairs, merged
        double least_gain

    ctypedef struct bgr_ranked_play:
        int8_t counts[c.BGR_MAX_POINTS]
        double value, loss

    c.bgr_status bgr_open_memory(const void *bytes, size_t size, bgr_db **db) noexcept
    void bgr_close(bgr_db *db) noexcept
    c.bgr_status bgr_solver_new(bgr_solver **solver) noexcept
    void bgr_solver_free(bgr_solver *solver) noexcept
    c.bgr_status bgr_solver_prepare(bgr_solver *solver, const bgr_stakes *stakes, int checkers) noexcept
    void bgr_answer_free(bgr_answer *answer) noexcept
    void bgr_answer_chances(const bgr_answer *answer, bgr_chances *chances) noexcept
    c.bgr_status bgr_answer_cube(const bgr_answer *answer, bgr_cube cube, bgr_cube_values *values) noexcept
    void bgr_answer_describe(const bgr_answer *answer, bgr_answer_info *info) noexcept
    c.bgr_status bgr_answer_plays(const bgr_answer *answer, int die1, int die2, bgr_cube cube, int most,
                                  bgr_ranked_play *plays, int *n) noexcept

cdef extern from "turns/answer.h" nogil:
    ctypedef struct bgr_plane:
        double win[3][2]
        int turned[2]
        double factor[2]
        double beaver[2]
        double offset[2]
        double passed[2]

    ctypedef struct bgr_view:
        int plane
        double middle, scale

    ctypedef struct bgr_place:
        bgr_view now
        bgr_view turned[2]

    ctypedef struct bgr_planes:
        int n
        bgr_plane plane[1]
        bgr_place place[1]

    c.bgr_status bgr_planes_of_stakes(const bgr_stakes *stakes, int gammons, int backgammons,
                                      bgr_planes *planes) noexcept
    const bgr_planes *bgr_answer_planes(const bgr_answer *answer) noexcept
    const double *bgr_answer_now(const bgr_answer *answer) noexcept
    c.bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values) noexcept
    c.bgr_status bgr_solve_on_path(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                                   const bgr_stakes *stakes, const bgr_solve_options *options, c.bgr_path path,
                                   int precision, bgr_answer **answer) noexcept

cdef extern from "rollout/games.h" nogil:
    ctypedef struct bgr_games
    ctypedef enum bgr_game_start:
        pass
    ctypedef struct bgr_game_result:
        double outcome, luck
        int exactly

    c.bgr_status bgr_games_new(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                               const bgr_stakes *stakes, const bgr_solve_options *options, bgr_cube cube,
                               bgr_games **games, bgr_answer **answer) noexcept
    void bgr_games_free(bgr_games *games) noexcept
    c.bgr_status bgr_games_play(bgr_games *games, bgr_game_start start, uint64_t seed, int64_t first, int64_t n,
                                const bgr_parallel *parallel, bgr_game_result *results) noexcept


cdef extern from "base/threads.h" nogil:
    ctypedef struct bgr_team
    ctypedef int (*bgr_piece)(void *of, int64_t first, int64_t past, int worker) noexcept nogil

    bgr_team *bgr_team_new(int n_threads) noexcept
    void bgr_team_free(bgr_team *team) noexcept
    int bgr_team_run(bgr_team *team, int64_t n, int64_t size, bgr_piece body, void *of) noexcept


cdef struct Loop:
    body_t body
    void *argument


cdef int run_piece(void *of, int64_t first, int64_t past, int worker) noexcept nogil:
    cdef Loop *loop = <Loop *>of
    cdef int64_t k
    for k in range(first, past):
        loop.body(loop.argument, k, worker)
    return 0


cdef void run_parallel(void *context, int64_t n, body_t body, void *argument) noexcept nogil:
    cdef Loop loop
    loop.body, loop.argument = body, argument
    bgr_team_run(<bgr_team *>context, n, 1, run_piece, &loop)


cdef int heed_signals(void *context, double done) noexcept nogil:
    return report(context, 0, 0, 0)


cdef class Stakes:
    """What a game is played for; a match if there is a table: its chances before and after the Crawford game."""

    cdef bgr_stakes c
    cdef double[:, ::1] pre
    cdef double[:, ::1] post

    def __cinit__(
        self,
        bint gammons=True,
        bint jacoby=False,
        bint beavers=False,
        int on_roll_needs=0,
        int opponent_needs=0,
        bint crawford=False,
        int cube_value=1,
        pre_crawford=None,
        post_crawford=None,
    ):
        memset(&self.c, 0, sizeof(self.c))
        self.c.size = sizeof(self.c)
        self.c.gammons, self.c.jacoby, self.c.beavers = gammons, jacoby, beavers
        self.c.on_roll_needs, self.c.opponent_needs = on_roll_needs, opponent_needs
        self.c.crawford, self.c.cube_value = crawford, cube_value
        if pre_crawford is None:
            return
        self.pre = np.array(pre_crawford, dtype=np.float64, order="C")
        self.post = np.array(post_crawford, dtype=np.float64, order="C")
        if self.pre.shape[0] != self.pre.shape[1] or self.post.shape[0] != 2 or not self.pre.size or not self.post.size:
            raise ValueError("a match equity table has shapes (n, n) and (2, m)")
        self.c.match = 1
        self.c.met_length, self.c.post_length = self.pre.shape[0], self.post.shape[1]
        self.c.pre_crawford, self.c.post_crawford = &self.pre[0, 0], &self.post[0, 0]

    def planes(self, bint gammons=True, bint backgammons=False):
        """The planes of these stakes and where the places stand in them: see `Answer.planes` and `Answer.places`."""
        cdef bgr_planes *planes
        cdef char[::1] room = bytearray(sizeof(bgr_planes))
        planes = <bgr_planes *>&room[0]
        check(bgr_planes_of_stakes(&self.c, gammons, backgammons, planes), "stakes")
        return planes_of(planes), places_of(planes)


cdef class Boundary:
    """A database file, in memory or read from an OpenFile, for pairs to be looked up in; `name` is for messages."""

    cdef bgr_db *c
    cdef const unsigned char[::1] view  # keeps the bytes where they are

    def __cinit__(self, file_or_bytes, str name):
        cdef bgr_file file
        if isinstance(file_or_bytes, OpenFile):
            (<OpenFile>file_or_bytes).again(&file)
            check(bgr_open_file(&file, BGR_READ, &self.c), name)
            return
        self.view = file_or_bytes
        if not self.view.shape[0]:
            raise ValueError(f"{name}: empty")
        check(bgr_open_memory(&self.view[0], self.view.shape[0], &self.c), name)

    def __dealloc__(self):
        bgr_close(self.c)


cdef class Solver:
    """One player's home board, solved, and tables of small pairs; for any number of threads, but in `prepare`."""

    cdef bgr_solver *c

    def __cinit__(self):
        cdef c.bgr_status status
        with nogil:
            status = bgr_solver_new(&self.c)
        check(status, "the home board")

    def __dealloc__(self):
        bgr_solver_free(self.c)

    def prepare(self, Stakes stakes not None, int checkers):
        """Solve all pairs of up to so many checkers a side at home."""
        cdef c.bgr_status status
        with nogil:
            status = bgr_solver_prepare(self.c, &stakes.c, checkers)
        check(status, f"all pairs of {checkers} checkers")

    def solve(
        self,
        const int8_t[::1] on_roll,  # IN
        const int8_t[::1] opponent,  # IN
        Stakes stakes not None,
        double seconds=0,
        int64_t memory_bytes=0,
        double exactness=0,
        int n_threads=1,
        tuple dice=(0, 0),
        bint rolls=False,
        Boundary boundary=None,
        str path="best",
        int precision=-1,
        double least_gain=0,
    ):
        """Solve a pair of positions, 24 counts each; precision: -1 as it is chosen, 0 float64, 1 float32.

        exactness: 0 leaves delta to seconds and memory, else delta, negative for 0; least_gain: 0 leaves it to them.
        dice: a roll all of whose results the answer shall have; rolls: those of all rolls.
        """
        cdef Answer answer = Answer()
        cdef bgr_solve_options options
        cdef bgr_parallel parallel
        cdef Reporter reporter = Reporter()
        cdef c.bgr_path on_path = PATHS[path]
        cdef c.bgr_status status
        if on_roll.shape[0] != c.BGR_MAX_POINTS or opponent.shape[0] != c.BGR_MAX_POINTS:
            raise ValueError(f"positions have {c.BGR_MAX_POINTS} counts")
        memset(&options, 0, sizeof(options))
        options.size = sizeof(options)
        options.seconds, options.memory_bytes, options.exactness = seconds, memory_bytes, exactness
        options.dice[0], options.dice[1] = dice
        options.rolls = rolls
        options.least_gain = least_gain
        if boundary is not None:
            options.database = boundary.c
        options.progress, options.progress_context = heed_signals, <void *>reporter
        parallel.n_workers = n_threads
        with nogil:
            parallel.run, parallel.context = run_parallel, bgr_team_new(n_threads)
            if parallel.context != NULL:
                options.parallel = &parallel
            status = bgr_solve_on_path(
                self.c, &on_roll[0], &opponent[0], &stakes.c, &options, on_path, precision, &answer.c
            )
            bgr_team_free(<bgr_team *>parallel.context)
        if reporter.raised is not None:
            raise reporter.raised
        check(status, f"{list(on_roll)} against {list(opponent)}, seconds={seconds}, memory_bytes={memory_bytes}")
        return answer


cdef class Answer:
    """A race solved at its stakes; made by `Solver.solve`."""

    cdef bgr_answer *c

    def __dealloc__(self):
        bgr_answer_free(self.c)

    def info(self):
        """Whether exact, delta, error, checkers of a boundary, if of a file, positions, pairs, merged, least gain."""
        cdef bgr_answer_info info
        bgr_answer_describe(self.c, &info)
        return (
            info.method == 0,
            info.delta,
            info.error,
            info.boundary_checkers,
            bool(info.from_database),
            (info.positions[0], info.positions[1]),
            info.pairs,
            info.merged,
            info.least_gain,
        )

    def chances(self):
        """Chances to win, to win a gammon and a backgammon, to lose them, and to win in cubeless play for points."""
        cdef bgr_chances chances
        bgr_answer_chances(self.c, &chances)
        return (
            chances.win,
            chances.win_gammon,
            chances.win_backgammon,
            chances.lose_gammon,
            chances.lose_backgammon,
            chances.cubeless_win,
        )

    def cube(self, int place):
        """No double, double/take, double/pass, value, whether to double, take and beaver, and the verdict."""
        cdef bgr_cube_values v
        check(bgr_answer_cube(self.c, <bgr_cube>place, &v), f"cube {place}")
        return (
            v.no_double, v.double_take, v.double_pass, v.value,
            bool(v.doubles), bool(v.takes), bool(v.beavers), VERDICTS[v.verdict],
        )

    def planes(self):
        """(planes, 2, 8): win singly, gammon, backgammon, turned, factor, beaver, offset, passed, of either side."""
        return planes_of(bgr_answer_planes(self.c))

    def places(self):
        """(4, 3, 3): for none, centered, mine, theirs: plane, middle, scale now, after my double, after the other's."""
        return places_of(bgr_answer_planes(self.c))

    def now(self):
        """What rolling now is worth, (planes,)."""
        cdef int n = bgr_answer_planes(self.c).n
        return np.array(<const double[:n]>bgr_answer_now(self.c))

    def after(self, const int8_t[:, ::1] results):  # IN
        """What rolling is worth to the opponent after a move to each result, (n, planes)."""
        cdef int n = bgr_answer_planes(self.c).n
        if results.shape[1] != c.BGR_MAX_POINTS:
            raise ValueError(f"positions have {c.BGR_MAX_POINTS} counts")
        found = np.empty((results.shape[0], n))
        cdef double[:, ::1] out = found  # OUT
        if results.shape[0]:
            check(
                bgr_answer_after(self.c, &results[0, 0], results.shape[0], &out[0, 0]),
                f"{np.asarray(results).tolist()} after the first roll",
            )
        return found

    def plays(self, int die1, int die2, int place):
        """Every result of a roll, best first: counts (n, 24), values (n,), losses (n,)."""
        cdef int n = 0
        check(bgr_answer_plays(self.c, die1, die2, <bgr_cube>place, 0, NULL, &n), f"{die1}, {die2}, cube {place}")
        cdef bgr_ranked_play[::1] room = np.empty(n, dtype=_PLAY)
        check(bgr_answer_plays(self.c, die1, die2, <bgr_cube>place, n, &room[0], &n), f"{die1}, {die2}, cube {place}")
        found = np.asarray(room)
        return found["counts"], found["value"], found["loss"]


cdef class Games:
    """A race solved, its values kept, and games played by them; for one caller at a time."""

    cdef bgr_games *c
    cdef Solver solver
    cdef Stakes stakes
    cdef readonly Answer answer
    """What the solution says."""

    def __cinit__(
        self,
        Solver solver not None,
        const int8_t[::1] on_roll,  # IN
        const int8_t[::1] opponent,  # IN
        Stakes stakes not None,
        int place,
        double seconds=0.0,
        int64_t memory_bytes=0,
        double exactness=0.0,
        int n_threads=1,
        double least_gain=0.0,
    ):
        """See `Solver.solve`; place: of the cube."""
        cdef bgr_solve_options options
        cdef bgr_parallel parallel
        cdef Reporter reporter = Reporter()
        cdef c.bgr_status status
        if on_roll.shape[0] != c.BGR_MAX_POINTS or opponent.shape[0] != c.BGR_MAX_POINTS:
            raise ValueError(f"positions have {c.BGR_MAX_POINTS} counts")
        self.solver, self.stakes, self.answer = solver, stakes, Answer()
        memset(&options, 0, sizeof(options))
        options.size = sizeof(options)
        options.seconds, options.memory_bytes, options.exactness = seconds, memory_bytes, exactness
        options.least_gain = least_gain
        options.progress, options.progress_context = heed_signals, <void *>reporter
        parallel.n_workers = n_threads
        with nogil:
            parallel.run, parallel.context = run_parallel, bgr_team_new(n_threads)
            if parallel.context != NULL:
                options.parallel = &parallel
            status = bgr_games_new(solver.c, &on_roll[0], &opponent[0], &stakes.c, &options, <bgr_cube>place, &self.c,
                                   &self.answer.c)
            bgr_team_free(<bgr_team *>parallel.context)
        if reporter.raised is not None:
            raise reporter.raised
        check(status, f"{list(on_roll)} against {list(opponent)}, seconds={seconds}, memory_bytes={memory_bytes}")

    def __dealloc__(self):
        bgr_games_free(self.c)

    def play(self, int start, uint64_t seed, int64_t first, int64_t n, int n_threads=1):
        """Outcomes and luck of games first .. first + n - 1, (n,) each, and which of them ended at an exact pair.

        start: 0 with the cube where it is, 1 after a double that is taken, 2 after a beaver.
        """
        cdef bgr_parallel parallel
        cdef c.bgr_status status
        results = np.zeros(n, dtype=_GAME)
        cdef bgr_game_result[::1] out = results  # OUT
        if not n:
            return results["outcome"], results["luck"], results["exactly"]
        parallel.n_workers = n_threads
        with nogil:
            parallel.run, parallel.context = run_parallel, bgr_team_new(n_threads)
            status = bgr_games_play(self.c, <bgr_game_start>start, seed, first, n,
                                    &parallel if parallel.context != NULL else NULL, &out[0])
            bgr_team_free(<bgr_team *>parallel.context)
        check(status, f"{n} games")
        return results["outcome"], results["luck"], results["exactly"]


_GAME = np.dtype([("outcome", np.float64), ("luck", np.float64), ("exactly", np.intc)], align=True)
_PLAY = np.dtype([("counts", np.int8, (24,)), ("value", np.float64), ("loss", np.float64)])


cdef planes_of(const bgr_planes *planes):
    made = np.empty((planes.n, 2, 8))
    cdef double[:, :, ::1] out = made
    cdef int k, side, loss
    for k in range(planes.n):
        for side in range(2):
            for loss in range(3):
                out[k, side, loss] = planes.plane[k].win[loss][side]
            out[k, side, 3] = planes.plane[k].turned[side]
            out[k, side, 4] = planes.plane[k].factor[side]
            out[k, side, 5] = planes.plane[k].beaver[side]
            out[k, side, 6] = planes.plane[k].offset[side]
            out[k, side, 7] = planes.plane[k].passed[side]
    return made


cdef places_of(const bgr_planes *planes):
    made = np.empty((BGR_N_CUBES, 3, 3))
    cdef int k, side
    for k in range(<int>BGR_N_CUBES):
        made[k, 0] = planes.place[k].now.plane, planes.place[k].now.middle, planes.place[k].now.scale
        for side in range(2):
            made[k, 1 + side] = (
                planes.place[k].turned[side].plane,
                planes.place[k].turned[side].middle,
                planes.place[k].turned[side].scale,
            )
    return made
