"""Recorded matches reviewed: every race decision found, solved at its own score, and judged.

`read` gives what a file says, `review` judges it.

>>> from bgrace_apps.review import review
>>> told = review("data/matches/5-103.mat")
>>> [(tally.name, tally.n_counted, tally.n_errors) for tally in told.tallies]
[('North', 3, 2), ('East', 6, 0)]
"""

from bgrace_apps.review.html import review_html
from bgrace_apps.review.judging import CLASSES, Choice, Decision, EngineOpinion, GameReview, RiskNote
from bgrace_apps.review.reading import read, read_bytes
from bgrace_apps.review.records import Match, Problem, RecordedGame
from bgrace_apps.review.reviewing import (
    FileReview,
    MatchReview,
    Tally,
    find_matches,
    prove_mistakes,
    review,
    review_csv,
    review_in_parts,
    review_many,
)

__all__ = [
    "CLASSES",
    "Choice",
    "Decision",
    "EngineOpinion",
    "FileReview",
    "GameReview",
    "Match",
    "MatchReview",
    "Problem",
    "RecordedGame",
    "RiskNote",
    "Tally",
    "find_matches",
    "prove_mistakes",
    "read",
    "read_bytes",
    "review",
    "review_csv",
    "review_html",
    "review_in_parts",
    "review_many",
]
