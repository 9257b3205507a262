"""Random races solved by turns have an answer at any budget, roll, stakes and memory."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_races import AT_SCORES, KINDS, at_score

from bgrace.answers.reasons import solver
from bgrace.board.position import counts_of
from bgrace.match.stakes import Stakes


@settings(max_examples=50, deadline=None, database=None)
@given(
    kind=st.sampled_from(sorted(KINDS)),
    seed=st.integers(0, 1 << 40),
    stakes=st.just(Stakes.money()) | st.integers(0, len(AT_SCORES) - 1).map(at_score),
    roll=st.just((0, 0)) | st.tuples(st.integers(1, 6), st.integers(1, 6)),
    seconds=st.floats(0.001, 0.02),
    memory=st.sampled_from((1 << 22, 1 << 26, 1 << 30)),
)
def test_random_races_have_finite_answers(
    kind: str, seed: int, stakes: Stakes, roll: tuple[int, int], seconds: float, memory: int
) -> None:
    mine, theirs = KINDS[kind](np.random.default_rng(seed))
    dice = (max(roll), min(roll))
    answer = solver().ask(counts_of(mine), counts_of(theirs), stakes.kernel, "turns", seconds, memory, 0.0, 1, dice)
    assert answer is not None
    assert np.isfinite(answer.now()).all()
    assert 0 <= answer.chances().win <= 1
    assert np.isfinite(answer.info().error)
