"""bgr_prove: proofs of the C library, by ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TypeAlias

import pytest
from helpers.probe_library import check, library, refused
from helpers.solver_library import Answer, Option, Progress, Solver, options_of, padded, stakes_of

from bgrace.match import Score
from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Rules, Stakes

Sides: TypeAlias = "tuple[Sequence[int], Sequence[int]]"

GAMMON: Sides = (0, 0, 0, 0, 0, 0, 1), (13, 2, 0, 0, 0, 0, 0)
BY_TURNS, CENTERED = 4, 1


class Proof:
    """A `bgr_proof`."""

    def __init__(self, sides: Sides, stakes: Stakes, **options: Option) -> None:
        self.handle = ctypes.c_void_p()
        pointers = ctypes.byref(stakes_of(stakes)), ctypes.byref(options_of(**options))
        check(library.bgr_prove(*padded(*sides), *pointers, ctypes.byref(self.handle)))

    def __del__(self) -> None:
        library.bgr_proof_free(self.handle)

    def bound(self, answer: Answer) -> None:
        check(library.bgr_answer_bound(answer.handle, self.handle, CENTERED))


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def at_score(mine: int, theirs: int, met: MatchEquityTable | None = None) -> Stakes:
    return Stakes(score=Score(mine, theirs), met=met)


def other_end() -> MatchEquityTable:
    """Return the usual table, except for the scores that a cube of 4 leads to from 5-away/5-away."""
    usual = MatchEquityTable.default()
    before = usual.pre_crawford.copy()
    before[0, 4], before[4, 0] = 0.9, 0.1
    return MatchEquityTable("", "", before, usual.post_crawford)


@pytest.mark.parametrize(
    ("stakes", "other"),
    [
        (Stakes.money(), Stakes.money(Rules(gammons=False))),
        (Stakes.money(), Stakes.money(Rules(jacoby=True))),
        (Stakes.money(), Stakes.money(Rules(beavers=True))),
        (Stakes.money(), at_score(5, 5)),
        (at_score(5, 5), at_score(5, 4)),
        (at_score(5, 5), at_score(5, 5, other_end())),
    ],
)
def test_a_proof_at_other_stakes_bounds_nothing(solver: Solver, stakes: Stakes, other: Stakes) -> None:
    for way in (0, BY_TURNS):
        answer = solver.solve(*GAMMON, stakes, way=way)
        before = answer.cube(CENTERED)
        refused("STAKES", Proof(GAMMON, other).bound, answer)
        assert answer.cube(CENTERED) == before
        Proof(GAMMON, stakes).bound(answer)
        assert answer.cube(CENTERED)[:4] == pytest.approx(before[:4], abs=1e-5)


def test_a_proof_of_a_later_pair_bounds_the_followed_answer(solver: Solver) -> None:
    """The other side is on roll there, and sees the match equity table from its side."""
    usual = MatchEquityTable.default()
    answer = solver.solve((1, 2, 0), (0, 1, 2), at_score(5, 4, usual)).follow((0, 1, 2), (1, 0, 0), swapped=True)
    Proof(((0, 1, 2), (1, 0, 0)), at_score(4, 5, usual)).bound(answer)
    refused("STAKES", Proof(((0, 1, 2), (1, 0, 0)), at_score(5, 4, usual)).bound, answer)


FAR: Sides = (0, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 3), (5, 5, 0, 5, *[0] * 16)


def test_a_proof_by_clocks_reports_progress_and_can_be_stopped() -> None:
    """Also while it lists positions."""
    heard = [0.0]

    def listen(_context: int | None, done: float) -> int:
        heard.append(done)
        return len(heard) > most

    most = 1 << 30
    Proof(FAR, Stakes.money(), seconds=0.1, progress=Progress(listen))
    n_calls = len(heard)
    assert n_calls > 50
    assert heard == sorted(heard)
    assert heard[-1] <= 1
    for most in (2, n_calls // 2, n_calls - 1):
        heard = [0.0]
        refused("STOPPED", Proof, FAR, Stakes.money(), seconds=0.1, progress=Progress(listen))
        assert len(heard) == most + 1
