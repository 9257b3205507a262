"""bgr_ask_map: one pair at many scores, by ctypes."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from helpers.probe_library import check, counts_of, library, refused
from helpers.solver_library import VERDICTS, CubeValues, LongerStakes, MapCase, Progress, Solver, options_of, stakes_of

from bgrace.match import Score
from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Stakes

SIDES = (1, 1, 1, 0, 0, 0), (2, 1, 1, 0, 0, 0)
ALL_PAIRS, CENTERED = 2, 1


class LongerCase(ctypes.Structure):
    _fields_ = [("stakes", LongerStakes), ("cube", ctypes.c_int), ("values", CubeValues)]


def ask_cases(cases: ctypes.Array[MapCase] | ctypes.Array[LongerCase], **options: Any) -> None:
    counts = [counts_of(side) for side in SIDES]
    check(library.bgr_ask_map(len(SIDES[0]), *counts, cases, len(cases), ctypes.byref(options_of(**options))))


def ask_map(asked: Sequence[Stakes], **options: Any) -> list[tuple[float, float, float, str]]:
    """Return no double, double/take, the value and the verdict at each of these stakes, with the cube in the middle."""
    c_stakes = [stakes_of(stakes) for stakes in asked]  # keeps their arrays alive
    cases = (MapCase * len(c_stakes))(*(MapCase(stakes, CENTERED) for stakes in c_stakes))
    ask_cases(cases, **options)
    values = [case.values for case in cases]
    return [(each.no_double, each.double_take, each.value, VERDICTS[each.verdict]) for each in values]


def tables(n: int) -> list[MatchEquityTable]:
    """Make tables, each a little steeper than the one before."""
    lead = np.subtract.outer(np.arange(8), np.arange(8))
    after = np.tile(0.5 * 0.8 ** np.arange(8), (2, 1))
    return [MatchEquityTable("", "", np.clip(0.5 - (0.06 + 0.0001 * k) * lead, 0.01, 0.99), after) for k in range(n)]


def test_a_map_of_many_tables_answers_as_one_by_one() -> None:
    """Together they have more planes than the solver takes at once."""
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
    """Run a loop on two workers, which take turns."""
    for k in range(n):
        body(argument, k, k % 2)


TWO_WORKERS = Parallel(Run(take_turns), None, 2)


@pytest.mark.parametrize("parallel", [None, TWO_WORKERS])
def test_a_map_reports_progress_and_can_be_stopped(parallel: Parallel | None) -> None:
    """Also within a part, and while several parts are solved at the same time."""
    workers: dict[str, Any] = {} if parallel is None else {"parallel": ctypes.addressof(parallel)}
    asked = [Stakes(score=Score(6, 7), met=met) for met in tables(10)]
    stop, heard = ctypes.c_int(), [0.0]

    def listen(_context: int | None, done: float) -> int:
        heard.append(done)
        stop.value = done > 0.2 and len(heard) > n_calls // 2
        return 0

    n_calls = 1 << 30
    ask_map(asked, progress=Progress(listen), stop=ctypes.pointer(stop), **workers)
    assert heard == sorted(heard)
    assert heard[-1] <= 1
    assert len(heard) > 20
    n_calls = len(heard)
    heard = [0.0]
    refused("STOPPED", ask_map, asked, progress=Progress(listen), stop=ctypes.pointer(stop), **workers)
    assert len(heard) < n_calls


def test_a_stopped_map_writes_no_results() -> None:
    c_stakes = [stakes_of(Stakes(score=Score(6, 7), met=met)) for met in tables(50)]
    cases = (MapCase * len(c_stakes))(*(MapCase(stakes, CENTERED) for stakes in c_stakes))
    refused("STOPPED", ask_cases, cases, progress=Progress(lambda _context, done: done > 0.7))
    assert [case.values.no_double for case in cases] == [0] * len(cases)


def test_a_map_of_money_is_refused() -> None:
    """The cube of a money game has no limit, and a map of one overflowed the stack."""
    refused("STAKES", ask_map, [Stakes.money()])


def test_a_solver_can_be_prepared_for_any_number_of_stakes() -> None:
    solver = Solver()
    for met in tables(70):
        stakes = stakes_of(Stakes(score=Score(6, 7), met=met))
        check(library.bgr_solver_prepare(solver.handle, ctypes.byref(stakes), 2))


def test_cases_may_have_the_stakes_of_a_later_header() -> None:
    """The size of stakes gives the place of the next case, and must be the same in all."""
    asked = [Stakes(score=Score(6, 7), met=met) for met in tables(3)]
    c_stakes = [stakes_of(stakes) for stakes in asked]
    cases = (LongerCase * 3)(*(LongerCase(LongerStakes(stakes), CENTERED) for stakes in c_stakes))
    for case in cases:
        case.stakes.known.size = ctypes.sizeof(LongerStakes)
    ask_cases(cases)
    assert [case.values.value for case in cases] == [value for _, _, value, _ in ask_map(asked)]
    cases[2].stakes.known.size -= 8
    refused("ARGUMENT", ask_cases, cases)


def test_too_many_positions_are_refused_before_they_are_listed() -> None:
    """15 checkers on point 12 can reach 17 million positions."""
    stack = counts_of((*[0] * 11, 15))
    case = MapCase(stakes_of(Stakes(score=Score(6, 7))), CENTERED)
    before = time.process_time()
    refused("MEMORY", check, library.bgr_ask_map(12, stack, stack, ctypes.byref(case), 1, None))
    refused("MEMORY", Solver().solve, (*[0] * 11, 15), (*[0] * 11, 15), Stakes.money(), way=ALL_PAIRS)
    assert time.process_time() - before < 1
