"""Janowski's cube model: between a dead cube and a live one.

With a *dead* cube nobody ever turns it again and the equity is cubeless.  With a *live* one the chance of winning moves
continuously, so that a double always comes exactly where the opponent may just take.  Real games lie between, and the
cube-life index x says where: 0 is dead, 1 is live, 0.6 to 0.7 is customary.

Two forms of the model are in use.  The *line* form draws one straight line through the market window; it means nothing
beyond the take and cash points.  The *blend* form is (1 - x) dead + x live in every cube state; it is what programs
evaluate, and holds everywhere.  They differ for a centered cube, hence in the initial double, and in the too-good
point.

R. Janowski, "Take-Points in Money Games" (1993), with W and L the mean points of a win and of a loss at a cube of 1,
and D = W + L + x/2. Equities are for the player on roll, before the dice and after they have decided not to double, per
unit of the present cube.
"""

from bgrace.cube.janowski.one_index import (
    Form,
    JanowskiModel,
    dead,
    decision_points,
    equities,
    jacoby_initial_double,
    live,
    model,
    race_life_index,
)
from bgrace.cube.janowski.two_indexes import RefinedModel, refined
from bgrace.cube.model import win_loss_values

__all__ = [
    "Form",
    "JanowskiModel",
    "RefinedModel",
    "dead",
    "decision_points",
    "equities",
    "jacoby_initial_double",
    "live",
    "model",
    "race_life_index",
    "refined",
    "win_loss_values",
]
