"""What it costs to follow a rule."""

from bgrace.studies.referee.score.judging import LENGTHS, TIE, WASTAGES, judge
from bgrace.studies.referee.score.results import ChanceError, Claim, EpcError, Judged, Losses, Report

__all__ = ["LENGTHS", "TIE", "WASTAGES", "ChanceError", "Claim", "EpcError", "Judged", "Losses", "Report", "judge"]
