"""Zadeh's model of match play: winning chances at a score, and the points at which to double and take.

Norman Zadeh, "On doubling in tournament backgammon", Management Science 23(9), 1977, 986-993, called NZ here.  A game
is a continuous walk of p, player 1's chance to win it without a cube, corrected for the jumps of the dice, for gammons
and for a difference in skill.  Players are 1 and 2; x1 and x2 are the points that they still need; K is the value of
the cube before a double.  docs/match-mathematics.md has all formulas, and tells where the printed ones are wrong.
"""

from bgrace.match.zadeh.checks import MAX_POINTS
from bgrace.match.zadeh.model import PRINTED_SKILL, Cell, Points, ZadehModel
from bgrace.match.zadeh.skill import skill_from_expectation

__all__ = ["MAX_POINTS", "PRINTED_SKILL", "Cell", "Points", "ZadehModel", "skill_from_expectation"]
