"""The stakes of a game, the places of the cube with the planes of their values, and cube decisions.

A single decision and an array of decisions use the same few lines of C.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels.kinds import CubeValues

from bgrace._kernels.cbgrace cimport *
from bgrace._kernels.positions cimport check

# Places of the cube in the order of C's numbers; `bgrace.cube.action.CUBES` has that of the documentation.
CUBE_ORDER: Final[tuple[Cube, ...]] = ("none", "centered", "mine", "theirs")
VERDICTS: Final[tuple[Verdict, ...]] = (
    "no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"
)


cdef class Place:
    """A place of the cube: how its value follows from planes now, after the player's double, and after the opponent's.

    Each of the three is a plane, a middle and a scale: the value for the player on roll is middle + scale * plane.
    The second or third is None if that side may not double.
    """

    def __cinit__(
        self, tuple now not None: View, tuple doubled: View | None = None, tuple redoubled: View | None = None
    ) -> None:
        cdef bgr_scaled_plane scaled
        views = [(-1, 0.0, 0.0) if of is None else of for of in (now, doubled, redoubled)]
        self.c.now.plane, self.c.now.middle, self.c.now.scale = views[0]
        for k in range(2):
            scaled.plane, scaled.middle, scaled.scale = views[1 + k]
            self.c.turned[k] = scaled

    @property
    def plane(self) -> int:
        """Number of the plane of the value now."""
        return self.c.now.plane

    def views(self) -> list[View | None]:
        """The arguments that make this place."""
        cdef bgr_scaled_plane scaled
        return [
            (scaled.plane, scaled.middle, scaled.scale) if scaled.plane >= 0 else None
            for scaled in (self.c.now, self.c.turned[0], self.c.turned[1])
        ]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.views() == (<Place>other).views()

    def __reduce__(self):
        return Place, tuple(self.views())


cdef class Stakes:
    """The stakes of a game; a match if match equity tables before and after the Crawford game are given."""

    def __cinit__(
        self,
        bint gammons=True,
        bint jacoby=False,
        bint beavers=False,
        int on_roll_needs=0,
        int opponent_needs=0,
        bint crawford=False,
        int cube_value=1,
        pre_crawford: Floats | None = None,
        post_crawford: Floats | None = None,
    ) -> None:
        memset(&self.c, 0, sizeof(self.c))
        self.c.size = sizeof(self.c)
        self.c.gammons, self.c.jacoby, self.c.beavers = gammons, jacoby, beavers
        if pre_crawford is None:
            return
        self.c.on_roll_needs, self.c.opponent_needs = on_roll_needs, opponent_needs
        self.c.crawford, self.c.cube_value = crawford, cube_value
        self.pre = np.array(pre_crawford, dtype=np.float64, order="C")
        self.post = np.array(post_crawford, dtype=np.float64, order="C")
        if self.pre.shape[0] != self.pre.shape[1] or self.post.shape[0] != 2 or not self.pre.size or not self.post.size:
            raise ValueError("a match equity table has shapes (n, n) and (2, m)")
        self.c.match = 1
        self.c.met_length, self.c.post_length = self.pre.shape[0], self.post.shape[1]
        self.c.pre_crawford, self.c.post_crawford = &self.pre[0, 0], &self.post[0, 0]

    cdef const bgr_planes *planes(self) except NULL:
        """The values of winning and losing, and the planes."""
        if self.known is None:
            room = bytearray(sizeof(bgr_planes))
            check(bgr_planes_of_stakes(&self.c, BGR_LOST_BACKGAMMON, <bgr_planes *><char *>room), "stakes")
            self.known = room
        return <bgr_planes *><char *>self.known

    def cube(self, Place place not None, const double[::1] row not None, bint beavers) -> CubeValues:  # IN
        """The decision of the player on roll with the cube in a place, as `Answer.cube`; row: values of rolling now."""
        cdef bgr_cube_values v
        check_planes(place, row.shape[0])
        bgr_cube_of_row(self.planes(), beavers, &place.c, &row[0], &v)
        return cube_values(&v)

    def worth(self, Place place not None, const double[:, ::1] rows not None) -> list[float]:  # IN
        """Values of having moved, (n,); rows: values of rolling then to the opponent, (n, planes)."""
        cdef const bgr_planes *planes = self.planes()
        cdef Py_ssize_t k
        check_planes(place, rows.shape[1])
        return [bgr_worth_of_row(planes, &place.c, &rows[k, 0]) for k in range(rows.shape[0])]

    def loses_market(self, Place place not None, const double[:, ::1] rows not None) -> list[bool]:  # IN
        """Whether a double before the roll should have been passed, (n,); rows as in `worth`."""
        cdef bgr_planes planes
        cdef Py_ssize_t k
        check_planes(place, rows.shape[1])
        self.planes_with(rows.shape[1], &planes)
        return [bool(bgr_market_is_lost(&planes, &place.c, &rows[k, 0])) for k in range(rows.shape[0])]

    cdef int planes_with(self, Py_ssize_t n_planes, bgr_planes *planes) except -1:
        """The planes of rows for money; rows of four, as files have them, lack the plane of the chance to win."""
        cdef int side
        if self.c.match:
            raise ValueError("at a score only an answer has reasons")
        check(bgr_planes_of_stakes(&self.c, BGR_LOST_BACKGAMMON, planes), "stakes")
        if n_planes == 4:
            for k in range(4):
                planes.plane[k] = planes.plane[k + 1]
                for side in range(2):
                    planes.plane[k].turned[side] -= planes.plane[k].turned[side] >= 0
            planes.n = 4
        return 0

cdef cube_values(const bgr_cube_values *v):
    return CubeValues(
        v.no_double, v.double_take, v.double_pass, v.value,
        bool(v.doubles), bool(v.takes), bool(v.beavers), VERDICTS[v.verdict],
    )


cdef new_place(const bgr_place *place):
    cdef Place found = Place((0, 0.0, 0.0))
    found.c = place[0]
    return found


cdef int check_planes(Place place, Py_ssize_t n) except -1:
    cdef int last = max(place.c.now.plane, place.c.turned[0].plane, place.c.turned[1].plane)
    if n <= last:
        raise ValueError(f"{n} planes: this place uses {last + 1}")
    return 0


def decide(double no_double, double double_take, double double_pass, double tie, bint beavers) -> Decision:
    """One decision: the three equities, the second after a beaver if that is right, then double, take, verdict, beaver.

    The last is None unless `beavers` are allowed.
    """
    cdef bgr_cube_values decision = bgr_decide(no_double, double_take, double_pass, tie, beavers)
    return (
        decision.no_double,
        decision.double_take,
        decision.double_pass,
        bool(decision.doubles),
        bool(decision.takes),
        VERDICTS[<int>decision.verdict],
        bool(decision.beavers) if beavers else None,
    )


def decide_batch(
    const double[:] no_double,  # IN
    const double[:] double_take,  # IN, as long
    const double[:] double_pass,  # IN, as long
    double tie,
    bint beavers,
) -> Decisions:
    """An array for each of double, take, verdict and beaver, with the decisions of `decide`."""
    cdef Py_ssize_t n = no_double.shape[0], i
    if double_take.shape[0] != n or double_pass.shape[0] != n:
        raise ValueError(f"{n}, {double_take.shape[0]} and {double_pass.shape[0]} equities: give as many of each")
    double, take, beaver = (np.empty(n, dtype=np.bool_) for _ in range(3))
    cdef uint8_t[::1] doubles = double.view(np.uint8), takes = take.view(np.uint8)  # OUT
    cdef uint8_t[::1] beavered = beaver.view(np.uint8)  # OUT
    known = np.array(VERDICTS)
    verdict = np.empty(n, dtype=known.dtype)
    cdef size_t size = verdict.itemsize, word
    cdef const uint8_t[:, ::1] words = known.view(np.uint8).reshape(-1, size)
    cdef uint8_t[:, ::1] verdicts = verdict.view(np.uint8).reshape(n, size)  # OUT
    cdef bgr_cube_values decision
    with nogil:
        for i in range(n):
            decision = bgr_decide(no_double[i], double_take[i], double_pass[i], tie, beavers)
            doubles[i] = decision.doubles
            takes[i] = decision.takes
            beavered[i] = decision.beavers
            word = decision.verdict
            memcpy(&verdicts[i, 0], &words[word, 0], size)  # quicker than numpy's take
    return double, take, verdict, beaver if beavers else None
