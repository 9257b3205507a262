"""How good are the rules that players go by in a race?  Judged by exact equities.

`played_races` draws races and looks up what is exact about them; `judge` holds every rule of `RULES` to them, counts,
formulas and cube models, and says what each costs.
"""

from __future__ import annotations

from bgrace_apps.studies.referee.judging import (
    LENGTHS,
    ChanceError,
    Claim,
    EpcError,
    Judged,
    Losses,
    Report,
    judge,
)
from bgrace_apps.studies.referee.rules import LIMITS, RULES, Rule, Said, View, rule_of_count
from bgrace_apps.studies.referee.sample import (
    SEED,
    Draw,
    Races,
    matched_equities,
    played_pairs,
    played_races,
)

__all__ = [
    "LENGTHS",
    "LIMITS",
    "RULES",
    "SEED",
    "ChanceError",
    "Claim",
    "Draw",
    "EpcError",
    "Judged",
    "Losses",
    "Races",
    "Report",
    "Rule",
    "Said",
    "View",
    "judge",
    "matched_equities",
    "played_pairs",
    "played_races",
    "rule_of_count",
]
