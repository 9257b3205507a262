"""What it costs to follow a rule."""

from bgrace.studies.referee.score.judging import LENGTHS, MIN_LOSS, WASTAGES, judge
from bgrace.studies.referee.score.results import ChanceError, Claim, EpcError, Judged, Losses, Report

__all__ = ["LENGTHS", "MIN_LOSS", "WASTAGES", "ChanceError", "Claim", "EpcError", "Judged", "Losses", "Report", "judge"]
