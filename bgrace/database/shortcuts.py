"""Shorter ways to the answers that are asked for most, in files for money; the longer ones are `bgrace.Solution`'s.

None stands for "not this way": where there is none, or something is wrong, which the longer way then says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.board.plays import Play, rank_plays, results_of
from bgrace.board.position import OnePosition, PositionArray, Positions
from bgrace.board.spaces import is_one
from bgrace.cube.action import Cube, CubeAction, check_cube, decide
from bgrace.database.sources import Source
from bgrace.database.stored import ProbeSource
from bgrace.match.stakes import NO_CUBE, SEEN_BY_OTHER
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.two_sided import Plane

_SEEN: Final[Mapping[Cube, int]] = {
    "none": Plane.CUBELESS.value,
    "centered": Plane.CENTERED.value,
    "mine": Plane.MINE.value,
    "theirs": Plane.THEIRS.value,
}
"""The plane of a place of the cube; plain numbers, for what is asked most."""
_SEEN_BY_OTHER: Final[Mapping[Cube, Plane]] = {cube: SEEN_BY_OTHER[plane] for cube, plane in _SEEN.items()}
"""The plane of a place of the cube, once the other player is on roll."""


def money_action(
    source: Source, on_roll: OnePosition | Positions, opponent: OnePosition | Positions, cube: Cube, jacoby: bool
) -> CubeAction | None:
    """The decision of `solution` by a shorter way, for a pair that the table has; None where it does not reach."""
    pair = _money_pair(source, on_roll, opponent)
    if pair is None:
        return None
    mine, theirs = pair
    values = source.values(mine, theirs, jacoby, False)
    if cube in NO_CUBE:
        return CubeAction(cube, values[_SEEN[cube]], None, None, None, None, "no cube", reason=NO_CUBE[cube])
    return decide(values[_SEEN[cube]], 2 * values[_SEEN["theirs"]], 1.0, cube)


def money_plays(
    source: Source,
    on_roll: OnePosition | Positions,
    opponent: OnePosition | Positions,
    dice: tuple[int, int],
    cube: str,
    jacoby: bool,
) -> list[Play] | None:
    """The plays of `solution` by a shorter way, for a pair that the table has; None where it does not reach."""
    pair = _money_pair(source, on_roll, opponent) if is_one(on_roll) and is_one(opponent) else None
    if pair is None:
        return None
    mine, theirs = pair
    place = check_cube(cube)
    start, other = source.space.position(mine), source.space.position(theirs)
    ends, results = results_of(source.space, mine, dice)
    gammon = source.gammons and other.checkers == GAMMON_CHECKERS and not (jacoby and place == "centered")
    seen = _SEEN_BY_OTHER[place]
    won = 2.0 if gammon else 1.0
    if isinstance(source, ProbeSource):
        values = source.worths(theirs, ends, seen, jacoby, won)
    else:
        values = [0.0 - source.values(theirs, end, jacoby, True)[seen] if end else won for end in ends]
    return rank_plays(start, dice, results, values)


def _money_pair(
    source: Source, on_roll: OnePosition | Positions, opponent: OnePosition | Positions
) -> tuple[int, int] | None:
    """Numbers of two positions whose equities for money the table has; None for others, and for arrays of them."""
    if not source.cubeful:
        return None
    mine, theirs = source.space.index(on_roll), source.space.index(opponent)
    if not (isinstance(mine, int) and isinstance(theirs, int)):
        return None
    return (mine, theirs) if mine and theirs and max(mine, theirs) < source.n_pairs else None


def wins_at_once(source: Source, on_roll: PositionArray, opponent: PositionArray) -> Floats | None:
    """Chances to win; None where they have to be found one after another, or are to be refused."""
    if not (isinstance(source, ProbeSource) and _are_plain(source, on_roll, opponent)):
        return None
    return source.wins_at_once(on_roll, opponent)


def values_at_once(
    source: Source,
    on_roll: PositionArray,
    opponent: PositionArray,
    planes: Sequence[int],
    jacoby: bool,
    *,
    for_decision: bool,
) -> Sequence[Floats] | None:
    """Equities in the planes asked for; None likewise."""
    if not (isinstance(source, ProbeSource) and _are_plain(source, on_roll, opponent)):
        return None
    return source.value_arrays_at_once(on_roll, opponent, planes, jacoby, not for_decision, for_decision)


def _are_plain(source: Source, on_roll: PositionArray, opponent: PositionArray) -> bool:
    """Whether the C library can take these arrays as they are."""
    return (
        on_roll.ndim == 2
        and on_roll.shape == opponent.shape
        and on_roll.shape[1] == source.space.points
        and on_roll.dtype == opponent.dtype
        and on_roll.dtype in (np.int8, np.int64)
        and on_roll.flags.c_contiguous
        and opponent.flags.c_contiguous
    )
