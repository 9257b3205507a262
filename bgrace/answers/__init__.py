"""Answers about a pair or one side, the protocol of their sources, and the solution of races on the spot."""

from bgrace.answers.pair import PairAnalysis, PositionAnswer, describe
from bgrace.answers.protocol import Bounds, CubeBounds, Gammons, Interval, KnownAnswers, PairAnswers, Values
from bgrace.answers.reasons import Phrase, PlayReason, Reason, Reasons, closeness
from bgrace.answers.solution import Solution, Solutions

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
