"""Over-the-board counts: players' methods of judging a race, and their advice about the cube.

Every count has the same contract, so its docstring has only its own facts:

* It takes `on_roll` and `opponent`, positions without contact between them: checker counts, ace point first, or text;
  or arrays of int of shape (..., points), which broadcast against each other.
* It returns a `Count`: both adjusted counts, the win probability if the method gives one, and whether to double,
  redouble and take.  Fields are scalars for one pair, arrays for many.
* It raises PositionError if a side is not a position or has no checker left.
* It is for money play without gammons; nobody is too good to double.  Limits are compared in whole numbers, as by the
  authors, so that a count of 55 is never 55.000000000000007.

`COUNTS` has all counts by name.  They give advice; exact answers come from `bgrace.solve` and from databases.

Left out, because no public text defines them well enough: the counts of Keeler and Gillogly and of Lamford and
Gasquoine (whose formula for win probabilities is here), Kleinman's full count, Matussek's, Chabot's and Benjamin's
formulas, Nack 58, the Stick variant of Keith's count, and Lamford's rules for three checkers or fewer.

Each function names its source.  If retellings differ, a parameter chooses one.
"""

from collections.abc import Callable
from typing import Final

from bgrace._kernels.counts import NAMES
from bgrace.board import OnePosition
from bgrace.counts import count, effective, judged
from bgrace.counts.count import *
from bgrace.counts.effective import *
from bgrace.counts.judged import *

__all__ = ["COUNTS"]
__all__ += count.__all__
__all__ += effective.__all__
__all__ += judged.__all__

COUNTS: Final[dict[str, Callable[[OnePosition, OnePosition], CountOfPair]]] = {name: globals()[name] for name in NAMES}
"""Every count by name: by percentages, by chances, adjusted, by points of last take, by expected pips."""
