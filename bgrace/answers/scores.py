"""The cube action of a race of any size at every score of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Final

from bgrace._base.limits import PAIR_MEMORY, Limits, how_many
from bgrace._base.processes import thread_pool
from bgrace.answers import Solution
from bgrace.answers.question import Question
from bgrace.board import PositionLike, parse_position
from bgrace.errors import MemoryLimitError
from bgrace.match.maps import ScoreMap, map_scores, score_map, solve_scores
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

_EXACT_MEMORY: Final = 1 << 25
"""Bytes up to which a map is solved exactly: some seconds."""

_FIRST_SECONDS: Final = 0.05
"""For each score of a larger one at first."""

_CLOSER_SECONDS: Final = 1.0
"""For each score that is too close to call then, unless it is said."""

_PATIENCE: Final = 10.0
"""Seconds after which no other score is looked at again, unless it is said how long each may take."""


def map_any(
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

    Scores that are too close to call then are solved again, with more time, those nearest `near` first; at last
    with all pairs of positions, if these take less than 2 GB.

    Parameters
    ----------
    on_roll, opponent, length, cube_value, cube, met, gammons, threads
        As for `bgrace.match.score_map`.
    seconds : float, optional
        For each score that is too close to call at first.  Unless given, 1, and none is begun after 10 in all.
    near : Score, optional
        The scores of a match that is about to begin, unless given.
    progress : callable, optional
        Called with how many scores are solved, and of how many.

    Raises
    ------
    ArgumentError, PositionError
        As for `bgrace.match.score_map`.
    """
    given = (parse_position(on_roll), parse_position(opponent))
    try:
        return score_map(
            *given,
            length,
            cube_value=cube_value,
            cube=cube,
            met=met,
            gammons=gammons,
            memory_bytes=_EXACT_MEMORY,
            threads=threads,
        )
    except MemoryLimitError:
        table, length, place, scores = map_scores(length, cube_value, cube, met)
    from_here = near or Score(length, length)

    def distance(score: Score) -> int:
        return abs(score.on_roll_needs - from_here.on_roll_needs) + abs(score.opponent_needs - from_here.opponent_needs)

    def stakes_at(score: Score) -> Stakes:
        return Stakes.at(score, table, cube_value, gammons=gammons)

    def solved(score: Score, limits: Limits) -> Solution:
        return Question(*given, stakes_at(score), limits=limits).solution()

    found = ScoreMap(*given, length, cube_value, place, table, {}, {})
    n_threads = how_many(threads)
    first = Limits(_FIRST_SECONDS, threads=1)
    closer = Limits(_CLOSER_SECONDS if seconds is None else seconds, threads=1)
    with thread_pool(n_threads) as pool:

        def solve_all(some: Sequence[Score], limits: Limits, done: int, total: int) -> None:
            answers = zip(some, pool.map(partial(solved, limits=limits), some), strict=True)
            for k, (score, answer) in enumerate(answers, done + 1):
                found.actions[score], found.errors[score] = answer.cube_action(place), answer.error
                if progress is not None:
                    progress(k, total)

        solve_all(scores, first, 0, len(scores))
        unsure = sorted(filter(found.is_unsure, scores), key=distance)
        began = monotonic()
        for k in range(0, len(unsure), n_threads):
            if seconds is None and monotonic() - began > _PATIENCE:
                break
            solve_all(unsure[k : k + n_threads], closer, len(scores) + k, len(scores) + len(unsure))
    for score in filter(found.is_unsure, unsure):  # with all pairs, where they do not take much memory
        if seconds is None and monotonic() - began > _PATIENCE:
            break
        try:
            (action,) = solve_scores(*given, [stakes_at(score)], place, PAIR_MEMORY, threads)
        except MemoryLimitError:
            break
        found.actions[score] = action
        del found.errors[score]
    return found
