"""One description of what is known about a pair: of both sides, of the pair, of the plays of a roll.

`bgrace solve`, `bgrace query` and everything else that shows an answer to somebody shows this.
"""

from bgrace.analysis.pair import PairAnalysis, describe

__all__ = ["PairAnalysis", "describe"]
