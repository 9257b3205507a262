"""Answers about a pair or one side, the protocol of their sources, and races solved on the spot."""

from bgrace.answers.bounds import Bounds, CubeBounds, Interval
from bgrace.answers.pair import PairAnalysis, describe
from bgrace.answers.position import PositionAnswer
from bgrace.answers.protocol import Gammons, KnownAnswers, PairAnswers, Values
from bgrace.answers.reasons import Phrase, PlayReason, Reason, Reasons, closeness
from bgrace.answers.solution import Solution
from bgrace.answers.solutions import Solutions

__all__ = [
    "Bounds",
    "CubeBounds",
    "Gammons",
    "Interval",
    "KnownAnswers",
    "PairAnalysis",
    "PairAnswers",
    "Phrase",
    "PlayReason",
    "PositionAnswer",
    "Reason",
    "Reasons",
    "Solution",
    "Solutions",
    "Values",
    "closeness",
    "describe",
]
