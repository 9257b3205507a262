"""One answer: what users hold of a pair or of one side, and the protocol of whatever gives it."""

from bgrace.answers.position import PositionAnswer
from bgrace.answers.protocol import Gammons, KnownAnswers, PairAnswers, Values
from bgrace.answers.solution import Solution

__all__ = ["Gammons", "KnownAnswers", "PairAnswers", "PositionAnswer", "Solution", "Values"]
