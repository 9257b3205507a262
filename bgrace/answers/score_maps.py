"""Maps of the scores of a match for races of any size: exact if that takes seconds, else nearly exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic
from typing import Final

from bgrace._base.limits import PAIR_MEMORY, Limits, checked_threads
from bgrace.answers import Solution
from bgrace.answers.question import Question
from bgrace.board import PositionLike
from bgrace.errors import MemoryLimitError
from bgrace.match.maps import ScoreMap, solve_scores, unsolved_map
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score

_EXACT_MEMORY: Final = 1 << 25
"""Memory of the largest maps that are solved exactly: they take some seconds."""

_FIRST_SECONDS: Final = 0.05
"""Seconds for each score of a larger map at first."""

_CLOSER_SECONDS: Final = 1.0
"""Default seconds for each score that is then too close to call."""

_PATIENCE: Final = 10.0
"""Seconds after which no further score is solved again, unless `seconds` is given."""


def map_exactly_or_nearly(
    on_roll: PositionLike,
    opponent: PositionLike,
    length: int,
    *,
    cube_value: int = 1,
    cube: str | None = None,
    met: MatchEquityTable | None = None,
    gammons: bool = True,
    seconds: float | None = None,
    near: Score | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreMap:
    """Map a race exactly if that takes seconds, else nearly: each score solved turn by turn, its error in `errors`.

    Scores that are then too close to call are solved again with more time, those nearest to `near` first; and in the
    end with all pairs of positions, if these take less than 2 GB.

    Parameters
    ----------
    on_roll, opponent, length, cube_value, cube, met, gammons, threads
        As for `bgrace.match.score_map`.
    seconds : float, optional
        Time for each score that is too close to call at first.  By default 1, and no score is begun after 10 in all.
    near : Score, optional
        By default the score at which a match begins.
    progress : callable, optional
        Called with the number of scores solved and their total number.

    Raises
    ------
    ArgumentError, PositionError
        As for `bgrace.match.score_map`.
    """
    found, stakes = unsolved_map(on_roll, opponent, length, cube_value, cube, met, gammons)
    with suppress(MemoryLimitError):
        solve_scores(found, stakes, _EXACT_MEMORY, threads)
        return found
    # Solve every score turn by turn, then those again that are too close to call.
    sides, scores, n_threads = (found.on_roll, found.opponent), list(stakes), checked_threads(threads)
    middle = near or Score(length, length)
    patience = _PATIENCE if seconds is None else inf
    first = Limits(_FIRST_SECONDS, threads=1)
    closer = Limits(_CLOSER_SECONDS if seconds is None else seconds, threads=1)

    def distance(score: Score) -> int:
        return abs(score.on_roll_needs - middle.on_roll_needs) + abs(score.opponent_needs - middle.opponent_needs)

    def solve_one(limits: Limits, score: Score) -> Solution:
        return Question(*sides, stakes[score], limits=limits).solution()

    from bgrace._base.processes import thread_pool  # noqa: PLC0415  (takes a while)

    with thread_pool(n_threads) as pool:

        def solve_all(some: Sequence[Score], limits: Limits, done: int, total: int) -> None:
            answers = pool.map(partial(solve_one, limits), some)
            for k, (score, answer) in enumerate(zip(some, answers, strict=True), done + 1):
                found.actions[score], found.errors[score] = answer.cube_action(found.cube), answer.error
                if progress is not None:
                    progress(k, total)

        solve_all(scores, first, 0, len(scores))
        unsure = sorted(filter(found.is_unsure, scores), key=distance)
        began = monotonic()
        for k in range(0, len(unsure), n_threads):
            if monotonic() - began > patience:
                return found
            solve_all(unsure[k : k + n_threads], closer, len(scores) + k, len(scores) + len(unsure))
    with suppress(MemoryLimitError):  # with all pairs, if they take little memory
        for score in filter(found.is_unsure, unsure):
            if monotonic() - began > patience:
                break
            solve_scores(found, {score: stakes[score]}, PAIR_MEMORY, threads)
            del found.errors[score]
    return found
