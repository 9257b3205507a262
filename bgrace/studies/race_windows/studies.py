"""The exact decisions of a database, gathered."""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.board.spaces import PositionSpace
from bgrace.cube import race
from bgrace.cube.action import EXACT_TIE, CubeActions
from bgrace.errors import CoverageError
from bgrace.studies.race_windows.advice import DECISIONS, Decision, equivalent_pips, table_gains
from bgrace.studies.race_windows.results import RULES, Rule, Study

__all__ = ["study"]

Positions: TypeAlias = npt.NDArray[np.int8]
"""Counts of many positions, shape (n, points)."""

CONTESTED: Final = (0.5, 0.9)
"""Least and greatest chance of the player on roll, without a cube, in pairs that count."""


class PairTables(Protocol):
    """What is asked of a database: see `bgrace.Database`."""

    @property
    def space(self) -> PositionSpace: ...

    two_sided_checkers: int

    def epc(self, pos: Positions) -> Floats: ...
    def win_probability(self, on_roll: Positions, opponent: Positions) -> Floats: ...
    def cube_action(self, on_roll: Positions, opponent: Positions, cube: str = ...) -> CubeActions: ...


def _shapes(positions: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """Whether positions are gapped and stacked, shape (n, 2)."""
    occupied = positions > 0
    higher = np.cumsum(occupied[:, ::-1], axis=1)[:, ::-1] > 0
    gapped = (~occupied & higher).sum(axis=1) >= 2
    return np.stack([gapped, positions.max(axis=1) >= 4], axis=1)


ROWS_AT_A_TIME: Final = 1 << 19
"""Pairs that are asked for at once: enough for numpy to be fast, few enough for memory."""


def study(db: PairTables, checkers: int | None = None) -> Study:
    """Ask a database for every contested pair of positions.

    Parameters
    ----------
    db : Database
        Open, with two-sided tables.
    checkers : int, optional
        Most checkers a side; as many as the two-sided table has, unless given.  Eight checkers (9 million pairs) take
        about 10 seconds and 150 MB.

    Returns
    -------
    Study

    Raises
    ------
    CoverageError
        If the table does not reach so far.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     windows = study(db, checkers=2).by_epc(least_pairs=1)
    >>> windows[0].label, windows[0].pairs > 0
    (9, True)
    """
    most = db.two_sided_checkers
    checkers = most if checkers is None else checkers
    if not 1 <= checkers <= most:
        raise CoverageError(f"checkers={checkers}: the two-sided table of this database has 1 to {most} a side")
    space = PositionSpace(db.space.points, checkers)
    positions = space.position(np.arange(len(space)))
    pips = positions.astype(np.int64) @ np.arange(1, space.points + 1)
    epc = np.asarray(db.epc(positions))
    k = np.concatenate(([0.0], equivalent_pips(epc[1:])))
    table = race.solve(int(max(k.max(), pips.max())) + 2)
    rows = max(1, ROWS_AT_A_TIME // len(space))
    parts = [
        _contested(db, positions, (pips, k), table, np.arange(start, min(start + rows, len(space))))
        for start in range(1, len(space), rows)
    ]
    on_roll, opponent = (np.concatenate([part[n] for part in parts]) for n in (0, 1))
    return Study(
        checkers,
        pips,
        epc,
        on_roll,
        opponent,
        {decision: np.concatenate([part[2][decision] for part in parts]) for decision in DECISIONS},
        {
            decision: {rule: np.concatenate([part[3][decision][rule] for part in parts]) for rule in RULES[:2]}
            for decision in DECISIONS
        },
        _shapes(positions),
    )


_Part = tuple[
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    dict[Decision, npt.NDArray[np.float32]],
    dict[Decision, dict[Rule, npt.NDArray[np.bool_]]],
]


def _contested(
    db: PairTables,
    positions: npt.NDArray[np.int8],
    lengths: tuple[npt.NDArray[np.int64], Floats],
    table: race.RaceTable,
    rows: npt.NDArray[np.int64],
) -> _Part:
    """Contested pairs of some players on roll and all opponents."""
    chances = db.win_probability(positions[rows, np.newaxis], positions[np.newaxis, 1:])
    row, column = np.nonzero((chances >= CONTESTED[0]) & (chances <= CONTESTED[1]))
    on_roll, opponent = rows[row], column + 1
    centered = db.cube_action(positions[on_roll], positions[opponent], cube="centered")
    mine = db.cube_action(positions[on_roll], positions[opponent], cube="mine")
    taken = centered.double_take
    assert taken is not None, "a centered cube can be turned"
    doubled = np.minimum(taken, 1)
    gains: dict[Decision, npt.NDArray[np.float32]] = {
        "double": (doubled - centered.no_double).astype(np.float32),
        "redouble": (doubled - mine.no_double).astype(np.float32),
        "take": (1 - taken).astype(np.float32),
    }
    pips, k = lengths
    by_epc = table_gains(table, k[on_roll], k[opponent])
    flags = {"double": table.double, "redouble": table.redouble, "take": table.take}
    advice: dict[Decision, dict[Rule, npt.NDArray[np.bool_]]] = {
        decision: {
            "pips": flags[decision][pips[on_roll], pips[opponent]],
            "epc": by_epc[decision] >= -EXACT_TIE,
        }
        for decision in DECISIONS
    }
    return on_roll.astype(np.int32), opponent.astype(np.int32), gains, advice
