"""Maps of the C library: one pair at many scores, as a program in another language asks for them."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from helpers.probe_library import check, counts_of, library, refused
from helpers.solver_library import (
    VERDICTS,
    CubeValues,
    LongerStakes,
    MapCase,
    Option,
    Options,
    Progress,
    Solver,
    stakes_of,
)

from bgrace.match import Score
from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Stakes

SIDES = (1, 1, 1, 0, 0, 0), (2, 1, 1, 0, 0, 0)
ALL_PAIRS, CENTERED = 2, 1


class LongerCase(ctypes.Structure):
    _fields_ = [("stakes", LongerStakes), ("cube", ctypes.c_int), ("values", CubeValues)]


def ask_cases(cases: ctypes.Array[MapCase] | ctypes.Array[LongerCase], **options: Option) -> None:
    counts = [counts_of(side) for side in SIDES]
    told = Options(**{"size": ctypes.sizeof(Options), **options})
    check(library.bgr_ask_map(len(SIDES[0]), *counts, cases, len(cases), ctypes.byref(told)))


def ask_map(asked: Sequence[Stakes], **options: Option) -> list[tuple[float, float, float, str]]:
    """No double, double/take, the value and the verdict at each of these stakes, the cube in the middle."""
    given = [stakes_of(stakes) for stakes in asked]  # hold their arrays
    cases = (MapCase * len(given))(*(MapCase(stakes, CENTERED) for stakes in given))
    ask_cases(cases, **options)
    values = [case.values for case in cases]
    return [(each.no_double, each.double_take, each.value, VERDICTS[each.verdict]) for each in values]


def tables(n: int) -> list[MatchEquityTable]:
    """Each a little steeper than the one before."""
    lead = np.subtract.outer(np.arange(8), np.arange(8))
    after = np.tile(0.5 * 0.8 ** np.arange(8), (2, 1))
    return [MatchEquityTable("", "", np.clip(0.5 - (0.06 + 0.0001 * k) * lead, 0.01, 0.99), after) for k in range(n)]


def test_a_score_with_many_tables_has_the_answer_of_each() -> None:
    """They have more planes than are solved together."""
    asked = [Stakes(score=Score(6, 7), met=met) for met in tables(50)]
    solver = Solver()
    for stakes, (*values, verdict) in zip(asked, ask_map(asked), strict=True):
        no_double, double_take, _, value, *_, alone = solver.solve(*SIDES, stakes, way=ALL_PAIRS).cube(CENTERED)
        assert values == pytest.approx([no_double, double_take, value], abs=1e-12)
        assert verdict == alone


Body = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int)
Run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, Body, ctypes.c_void_p)


class Parallel(ctypes.Structure):
    _fields_ = [("run", Run), ("context", ctypes.c_void_p), ("n_workers", ctypes.c_int)]


def take_turns(_context: int | None, n: int, body: Callable[..., None], argument: int | None) -> None:
    """Two workers, one after the other."""
    for k in range(n):
        body(argument, k, k % 2)


TWO_WORKERS = Parallel(Run(take_turns), None, 2)


@pytest.mark.parametrize("parallel", [None, TWO_WORKERS])
def test_a_map_tells_how_far_it_is_and_stops(parallel: Parallel | None) -> None:
    """Within each part of it, and where parts are solved side by side."""
    workers: dict[str, Option] = {} if parallel is None else {"parallel": ctypes.addressof(parallel)}
    asked = [Stakes(score=Score(6, 7), met=met) for met in tables(10)]
    stop, told = ctypes.c_int(), [0.0]

    def tell(_context: int | None, done: float) -> int:
        told.append(done)
        stop.value = done > 0.2 and len(told) > n_calls // 2
        return 0

    n_calls = 1 << 30
    ask_map(asked, progress=Progress(tell), stop=ctypes.pointer(stop), **workers)
    assert told == sorted(told)
    assert told[-1] <= 1
    assert len(told) > 20
    n_calls = len(told)
    told = [0.0]
    refused("STOPPED", ask_map, asked, progress=Progress(tell), stop=ctypes.pointer(stop), **workers)
    assert len(told) < n_calls


def test_a_map_that_stops_leaves_its_results_alone() -> None:
    given = [stakes_of(Stakes(score=Score(6, 7), met=met)) for met in tables(50)]
    cases = (MapCase * len(given))(*(MapCase(stakes, CENTERED) for stakes in given))
    refused("STOPPED", ask_cases, cases, progress=Progress(lambda _context, done: done > 0.7))
    assert [case.values.no_double for case in cases] == [0] * len(cases)


def test_a_map_of_money_is_refused() -> None:
    """A cube without limit comes back to where it was, and the map went round until the stack was full."""
    refused("STAKES", ask_map, [Stakes.money()])


def test_a_solver_is_prepared_for_any_number_of_stakes() -> None:
    solver = Solver()
    for met in tables(70):
        stakes = stakes_of(Stakes(score=Score(6, 7), met=met))
        check(library.bgr_solver_prepare(solver.handle, ctypes.byref(stakes), 2))


def test_cases_grow_as_stakes_do() -> None:
    """Their size says where the next one begins, and has to be the same in all."""
    asked = [Stakes(score=Score(6, 7), met=met) for met in tables(3)]
    given = [stakes_of(stakes) for stakes in asked]
    cases = (LongerCase * 3)(*(LongerCase(LongerStakes(stakes), CENTERED) for stakes in given))
    for case in cases:
        case.stakes.known.size = ctypes.sizeof(LongerStakes)
    ask_cases(cases)
    assert [case.values.value for case in cases] == [value for _, _, value, _ in ask_map(asked)]
    cases[2].stakes.known.size -= 8
    refused("ARGUMENT", ask_cases, cases)


def test_what_takes_too_much_memory_is_refused_before_it_is_listed() -> None:
    """Of 15 checkers on point 12 there are 17 million positions."""
    stack = counts_of((*[0] * 11, 15))
    case = MapCase(stakes_of(Stakes(score=Score(6, 7))), CENTERED)
    before = time.process_time()
    refused("MEMORY", check, library.bgr_ask_map(12, stack, stack, ctypes.byref(case), 1, None))
    refused("MEMORY", Solver().solve, (*[0] * 11, 15), (*[0] * 11, 15), Stakes.money(), way=ALL_PAIRS)
    assert time.process_time() - before < 1
