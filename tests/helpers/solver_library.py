"""Call the solver of the shared library by ctypes, as programs in other languages do."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Stakes
from helpers.probe_library import check, counts_of, library

MAX_POINTS = 24
VERDICTS = ["no cube", "no double", "double/take", "double/beaver", "double/pass", "too good"]

library.bgr_solver_free.restype = None
library.bgr_answer_free.restype = None
library.bgr_proof_free.restype = None
library.bgr_answer_chances.restype = None

Option: TypeAlias = "float | tuple[int, int] | ctypes.c_void_p | ctypes._Pointer[ctypes.c_int] | ctypes._CFunctionType"
Doubles = ctypes.POINTER(ctypes.c_double)


class CStakes(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, ctypes.c_int) for name in ("match", "gammons", "jacoby", "beavers")),
        *((name, ctypes.c_int) for name in ("on_roll_needs", "opponent_needs", "crawford", "cube_value")),
        *((name, ctypes.c_int) for name in ("met_length", "post_length")),
        ("pre_crawford", Doubles),
        ("post_crawford", Doubles),
        ("met", ctypes.c_void_p),
        ("second_on_roll", ctypes.c_int),
    ]


class LongerStakes(ctypes.Structure):
    """Stakes of a later header, with one more member."""

    _fields_ = [("known", CStakes), ("later", ctypes.c_int64)]


Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double)
"""A function that is called with the finished part of the work, and stops the work by another result than 0."""


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("seconds", ctypes.c_double),
        ("memory_bytes", ctypes.c_int64),
        ("exactness", ctypes.c_double),
        ("parallel", ctypes.c_void_p),
        ("dice", ctypes.c_int * 2),
        ("rolls", ctypes.c_int),
        ("database", ctypes.c_void_p),
        ("least_gain", ctypes.c_double),
        ("progress", Progress),
        ("progress_context", ctypes.c_void_p),
        ("way", ctypes.c_int),
        ("cache", ctypes.c_void_p),
        ("needs", ctypes.c_void_p),
        ("stop", ctypes.POINTER(ctypes.c_int)),
    ]


CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "cubeless_win")


class Chances(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in CHANCES]


class Moved(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("value", ctypes.c_double), ("chances", Chances)]


class CubeValues(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_double) for name in ("no_double", "double_take", "double_pass", "value")),
        *((name, ctypes.c_int) for name in ("doubles", "takes", "beavers", "verdict")),
    ]


class MapCase(ctypes.Structure):
    _fields_ = [("stakes", CStakes), ("cube", ctypes.c_int), ("values", CubeValues)]


class Play(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_int8 * MAX_POINTS), ("value", ctypes.c_double), ("loss", ctypes.c_double)]


def stakes_of(stakes: Stakes) -> CStakes:
    """Fill in stakes as a program does; the result keeps its arrays alive."""
    made = CStakes(size=ctypes.sizeof(CStakes), gammons=stakes.rules.gammons)
    score = stakes.score
    if score is None:
        made.jacoby, made.beavers = stakes.rules.jacoby, stakes.rules.beavers
        return made
    table = stakes.met or MatchEquityTable.default()
    made.match, made.cube_value, made.crawford = 1, stakes.cube_value, score.crawford
    made.on_roll_needs, made.opponent_needs = score.on_roll_needs, score.opponent_needs
    made.met_length, made.post_length = table.pre_crawford.shape[0], table.post_crawford.shape[1]
    made.arrays = [np.ascontiguousarray(table.pre_crawford), np.ascontiguousarray(table.post_crawford)]
    made.pre_crawford, made.post_crawford = (array.ctypes.data_as(Doubles) for array in made.arrays)
    return made


def options_of(**options: Option) -> Options:
    return Options(**{"size": ctypes.sizeof(Options), **options})


def padded(on_roll: Sequence[int], opponent: Sequence[int]) -> tuple[Any, ...]:
    """Return the number of points, and the counts of both sides on them."""
    points = max(len(on_roll), len(opponent))
    return points, *(counts_of([*side, *[0] * (points - len(side))]) for side in (on_roll, opponent))


class Solver:
    """A `bgr_solver`."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()
        check(library.bgr_solver_new(ctypes.byref(self.handle)))

    def __del__(self) -> None:
        library.bgr_solver_free(self.handle)

    def solve(
        self,
        on_roll: Sequence[int],
        opponent: Sequence[int],
        stakes: Stakes | ctypes.Structure | None,
        **options: Option,
    ) -> Answer:
        answer, c_stakes = Answer(), stakes_of(stakes) if isinstance(stakes, Stakes) else stakes
        stakes_pointer = None if c_stakes is None else ctypes.byref(c_stakes)
        options_pointer = ctypes.byref(options_of(**options)) if options else None
        sides = padded(on_roll, opponent)
        check(library.bgr_ask(self.handle, *sides, stakes_pointer, options_pointer, ctypes.byref(answer.handle)))
        return answer

    def estimate(self, on_roll: Sequence[int], opponent: Sequence[int], stakes: Stakes) -> Answer:
        return self.solve(on_roll, opponent, stakes, way=5)  # BGR_ESTIMATE


class Answer:
    """A `bgr_answer`."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self) -> None:
        library.bgr_answer_free(self.handle)

    def chances(self) -> tuple[float, ...]:
        chances = Chances()
        library.bgr_answer_chances(self.handle, ctypes.byref(chances))
        return tuple(getattr(chances, name) for name in CHANCES)

    def cube(self, cube: int) -> tuple[float, float, float, float, bool, bool, bool, str]:
        values = CubeValues()
        check(library.bgr_answer_cube(self.handle, cube, ctypes.byref(values)))
        return (
            *(values.no_double, values.double_take, values.double_pass, values.value),
            *(bool(values.doubles), bool(values.takes), bool(values.beavers)),
            VERDICTS[values.verdict],
        )

    def move_chances(self, result: Sequence[int]) -> tuple[float, ...]:
        moved = Moved(size=ctypes.sizeof(Moved))
        check(library.bgr_answer_move(self.handle, len(result), counts_of(result), 0, ctypes.byref(moved)))
        return tuple(getattr(moved.chances, name) for name in CHANCES)

    def follow(self, on_roll: Sequence[int], opponent: Sequence[int], swapped: bool) -> Answer:
        followed, sides = Answer(), padded(on_roll, opponent)
        check(library.bgr_answer_follow(self.handle, *sides, swapped, ctypes.byref(followed.handle)))
        return followed

    def at_cube(self, stakes: Stakes) -> Answer:
        other = Answer()
        check(library.bgr_answer_at_cube(self.handle, ctypes.byref(stakes_of(stakes)), ctypes.byref(other.handle)))
        return other

    def plays(self, die1: int, die2: int, cube: int) -> list[tuple[tuple[int, ...], float, float]]:
        n, room = ctypes.c_int(), (Play * 200)()
        check(library.bgr_answer_plays(self.handle, die1, die2, cube, len(room), room, ctypes.byref(n)))
        return [(tuple(play.counts), play.value, play.loss) for play in room[: n.value]]


def decide(no_double: float, double_take: float, double_pass: float, beavers: bool = False) -> tuple[float, str]:
    """Return the value with the right to double, and the verdict."""
    decided = CubeValues()
    values = (ctypes.c_double(value) for value in (no_double, double_take, double_pass))
    check(library.bgr_decide_cube(*values, beavers, ctypes.byref(decided)))
    return decided.value, VERDICTS[decided.verdict]
