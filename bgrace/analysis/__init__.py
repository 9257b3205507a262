"""Everything known about a pair, described: both sides, the pair itself, the plays of a roll, the counts.

`bgrace solve`, `bgrace query` and everything else that shows an answer shows this.
"""

from bgrace.analysis.counts import COUNT_NAMES, CountAnalysis, Culprit, closeness, judge_counts
from bgrace.analysis.pair import PairAnalysis, describe

__all__ = ["COUNT_NAMES", "CountAnalysis", "Culprit", "PairAnalysis", "closeness", "describe", "judge_counts"]
