"""Recorded matches reviewed: every race decision found, solved at its own score, and judged.

`read` gives what a file says, `review` judges it.

>>> from bgrace.review import review
>>> told = review("tests/review/matches/5-103.mat")
>>> [(tally.name, tally.n_counted, tally.n_errors) for tally in told.tallies]
[('North', 3, 2), ('East', 6, 0)]
"""

from bgrace.review.html import review_html
from bgrace.review.judging import CLASSES, Choice, Decision, EngineOpinion, GameReview
from bgrace.review.listing import review_csv
from bgrace.review.many import FileReview, find_matches, review_many
from bgrace.review.proving import prove_mistakes
from bgrace.review.reading import read, read_bytes
from bgrace.review.records import Match, Problem, RecordedGame
from bgrace.review.reviewing import MatchReview, Tally, review, review_in_parts
from bgrace.review.risks import RiskNote

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
