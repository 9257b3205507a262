"""Rollouts: races played out with random dice.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", sections 3.1 to 3.3.  Two ways to
play:

``"hi"``
    The paper's: checkers are borne in by strategies H and I, and once all are home every roll is played to the least
    expected pip count (EPC).  What the paper leaves open about H and I is settled in ``csrc/rollout/rollout.c`` and
    ``docs/rollouts.md``.  With `points` beyond 6 the table takes over earlier: as soon as all checkers are within it.
``"epc"``
    Least EPC from the first roll on, by a table of as many points as the position needs.

A game's dice depend on the seed, the number of the game, the side and the turn, and on nothing else: results are the
same for any number of threads, and two rollouts of one seed have the same dice, so that what differs between their
positions or policies stands out.  All sums are of whole numbers.

Beside the plain estimates stand adjusted ones, whose error is smaller.  Along with each side a single checker runs on
the same dice, and what becomes of the two checkers is known exactly (`bgrace.scm`); by how much they fared better than
they should says how lucky the dice were.  The factor for the games of even number comes from those of odd number, and
the other way round, so that the adjustment has mean 0.
"""

from bgrace.rollout import games, plays
from bgrace.rollout.games import *
from bgrace.rollout.plays import *

__all__ = games.__all__ + plays.__all__
