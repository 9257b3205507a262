"""Statistics of tables: a table with others is another one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from bgrace._base.arrays import JSON
from bgrace.board.spaces import PositionSpace
from bgrace.database.store import StoredTables
from bgrace.tables.two_sided import Plane

_PAIRS: Final = 1 << 22
"""At a time."""

_BINS: Final = 20
"""Of cubeless equities for each point."""

_VERDICTS: Final = ("no double", "double/take", "double/pass", "too good")


def table_statistics(stored: StoredTables) -> dict[str, JSON]:
    """Of a file for money with exact pairs on up to six points.

    Returns
    -------
    dict
        ``longest_race`` and ``greatest_wastage``: a position, and its most rolls or wasted pips.  ``pairs``.
        ``closest_cube``: the first pair, by rank, at which doubling and rolling differ least, though they do, and by
        how many steps of the table.  ``verdicts``: how many pairs have each, with the cube in the middle.
        ``cubeless``: how many pairs have an equity in each twentieth of a point, from that of -2 to that of +2.
    """
    tables, directory = stored.tables, stored.directory
    space = PositionSpace(directory.points, directory.checkers)
    chances = tables["one_sided/roll_distribution"][:] > 0
    rolls = chances.shape[1] - 1 - np.argmax(chances[:, ::-1], axis=1)
    wastage = tables["one_sided/epc"][:] - np.array([space.position(k).pips for k in range(len(space))])
    order, pairs = tables["two_sided/order"][:], tables["two_sided/equities"]
    scale = stored.entry("two_sided/equities").scale
    verdicts, bins = np.zeros(4, np.int64), np.zeros(4 * _BINS + 1, np.int64)
    closest = (np.iinfo(np.int32).max, 0, 0)
    n_rows = max(1, _PAIRS // len(order))
    for start in range(0, len(order), n_rows):
        values = np.asarray(pairs[start : start + n_rows]).astype(np.int32)
        no_double, taken = values[..., Plane.CENTERED], 2 * values[..., Plane.THEIRS]
        doubled = np.minimum(taken, round(scale))
        if start == 0:
            no_double[0, 0] = 3 * round(scale)  # both are off: no decision
        doubles, passes, good = doubled > no_double, taken > round(scale), no_double > round(scale)
        decided = np.where(doubles, 1 + passes, 3 * good)
        verdicts += np.bincount(decided.ravel(), minlength=4)
        place = np.floor(values[..., Plane.CUBELESS] * (_BINS / scale)).astype(np.int64) + 2 * _BINS
        bins += np.bincount(place.ravel(), minlength=bins.size)
        apart = np.abs(doubled - no_double)
        apart[apart == 0] = closest[0]
        row, column = divmod(int(np.argmin(apart)), len(order))
        if apart[row, column] < closest[0]:
            closest = (int(apart[row, column]), start + row, column)
        stored.let_go()
    verdicts[3] -= 1
    bins[2 * _BINS] -= 1
    longest, wasted = int(np.argmax(rolls)), int(np.argmax(wastage))
    sides: list[JSON] = [str(space.position(int(order[rank]))) for rank in closest[1:]]
    return {
        "longest_race": {"position": str(space.position(longest)), "rolls": int(rolls[longest])},
        "greatest_wastage": {"position": str(space.position(wasted)), "pips": round(float(wastage[wasted]), 6)},
        "pairs": len(order) ** 2 - 1,
        "closest_cube": {"on_roll": sides[0], "opponent": sides[1], "steps": closest[0]},
        "verdicts": dict(zip(_VERDICTS, verdicts.tolist(), strict=True)),
        "cubeless": bins.tolist(),
    }


@cache
def published_release() -> dict[str, dict[str, dict[str, JSON]]]:
    """Sums and sizes of ``files``, and ``statistics`` of tables by key: `scripts/make_release.py` writes them."""
    told: dict[str, dict[str, dict[str, JSON]]] = json.loads(
        Path(__file__).with_name("release.json").read_text(encoding="utf-8")
    )
    return told
