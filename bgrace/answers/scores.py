"""The cube action of a race of any size at every score of a match."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bgrace._base.limits import Limits, how_many
from bgrace.answers import Solution
from bgrace.answers.question import Question
from bgrace.board import PositionLike, parse_position
from bgrace.errors import MemoryLimitError
from bgrace.match.maps import ScoreMap, map_scores, score_map
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

_EXACT_MEMORY: Final = 1 << 25
"""Bytes up to which a map is solved exactly: some seconds."""

_SECONDS: Final = 0.1
"""For each score of a larger one, as on the page of the explorer."""


def map_any(
    on_roll: PositionLike,
    opponent: PositionLike,
    length: int,
    *,
    cube_value: int = 1,
    cube: str | None = None,
    met: MatchEquityTable | None = None,
    gammons: bool = True,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreMap:
    """Map a race exactly if that takes seconds, else nearly: each score solved turn by turn, its error in `errors`.

    Parameters
    ----------
    on_roll, opponent, length, cube_value, cube, met, gammons, threads
        As for `bgrace.match.score_map`.
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
    limits = Limits(_SECONDS, threads=1)

    def solved(score: Score) -> tuple[Score, Solution]:
        stakes = Stakes.at(score, table, cube_value, gammons=gammons)
        return score, Question(*given, stakes, limits=limits).solution()

    actions, errors = {}, {}
    with ThreadPoolExecutor(how_many(threads)) as pool:
        for done, (score, answer) in enumerate(pool.map(solved, scores), 1):
            actions[score] = answer.cube_action(place)
            errors[score] = answer.error
            if progress is not None:
                progress(done, len(scores))
    return ScoreMap(*given, length, cube_value, place, table, actions, errors)
