"""How long an answer may take: never for ever, whoever is asked."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import bgrace
from bgrace.errors import ArgumentError
from bgrace_apps import review
from bgrace_apps.studies.referee import played_races

PAIR = bgrace.parse_position("6x1"), bgrace.parse_position("5x1")
MATCH = "data/matches/5-103.mat"

ASKED: dict[str, Callable[[bgrace.Database, float], object]] = {
    "solve": lambda _, seconds: bgrace.solve(*PAIR, seconds=seconds),
    "solve_many": lambda _, seconds: bgrace.solve_many([PAIR], seconds=seconds),
    "solve with a database": lambda db, seconds: bgrace.solve(*PAIR, database=db, seconds=seconds),
    "review": lambda _, seconds: review.review(MATCH, seconds=seconds),
    "review_many": lambda _, seconds: next(review.review_many([MATCH], seconds=seconds)),
    "played_races": lambda db, seconds: played_races(db, 2, seconds=seconds),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("seconds", [math.inf, math.nan, 1e300, -1.0])
def test_seconds_have_an_end(db: bgrace.Database, name: str, seconds: float) -> None:
    with pytest.raises(ArgumentError, match=r"seconds=.*1,000,000"):
        ASKED[name](db, seconds)


def test_the_most_is_allowed() -> None:
    assert bgrace.solve(*PAIR, seconds=1_000_000).method == "solved"
