"""One description of what is known about a pair: of both sides, of the pair, of the plays of a roll, of its counts.

`bgrace solve`, `bgrace query` and everything else that shows an answer to somebody shows this.
"""

from bgrace.analysis.closeness import closeness
from bgrace.analysis.counts import COUNT_NAMES, CountAnalysis, judge_counts
from bgrace.analysis.pair import PairAnalysis, describe

__all__ = ["COUNT_NAMES", "CountAnalysis", "PairAnalysis", "closeness", "describe", "judge_counts"]
