"""GNU Backgammon position IDs."""

from __future__ import annotations

import base64
import re
from typing import Final

from bgrace.board.position import MAX_CHECKERS, MAX_POINTS, Position, check_no_contact, shown
from bgrace.errors import PositionError

BASE64: Final = "[A-Za-z0-9+/]"
POSITION_ID: Final = re.compile(f"{BASE64}{{14}}(?:==)?")


def position_id(on_roll: Position, opponent: Position) -> str:
    """Write the position ID of a race.

    Examples
    --------
    >>> position_id(Position((5, 1, 8, 1)), Position((0, 0, 0, 2)))
    'GAAA+PoXAAAAAA'
    """
    check_no_contact(on_roll, opponent)
    # 24 points and the bar of each side: a 1 for every checker, a 0 to end every point.
    bits = "".join("1" * n + "0" for side in (opponent, on_roll) for n in (*side.resized(MAX_POINTS), 0)).ljust(80, "0")
    key = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(key).decode("ascii")[:14]


def sides_from_position_id(identifier: str) -> tuple[list[int], list[int]]:
    """Read a position ID: counts on 24 points and the bar, of the player on roll and of the opponent.

    Examples
    --------
    >>> on_roll, opponent = sides_from_position_id("GAAA+PoXAAAAAA")
    >>> on_roll[:6], opponent[:6]
    ([5, 1, 8, 1, 0, 0], [0, 0, 0, 2, 0, 0])
    """
    key = decoded(identifier)
    # Splitting at the zeros leaves the runs of ones: 50 counts, and then nothing.
    runs = [len(run) for run in f"{max(key, 0):080b}"[::-1].split("0")]
    n_checkers = sum(runs)
    if n_checkers > 2 * MAX_CHECKERS:
        raise PositionError(
            f"{shown(identifier)} has {n_checkers} checkers: a GNU position ID has at most {MAX_CHECKERS} a side"
        )
    if key < 0 or any(runs[50:]):
        raise PositionError(
            f"{shown(identifier)} is not a GNU position ID: it goes on after the last point, where all bits are 0; "
            "check its last characters"
        )
    return runs[25:50], runs[:25]


def decoded(identifier: str) -> int:
    """Bits of an unpadded base64 ID as a number, first bit lowest; -1 if bits are set beyond the last whole byte.

    Examples
    --------
    >>> decoded("AQAA"), decoded("AB")
    (1, -1)
    """
    raw = base64.b64decode(identifier + "=" * (-len(identifier) % 4))
    if base64.b64encode(raw).decode("ascii").rstrip("=") != identifier:
        return -1
    return int.from_bytes(raw, "little")
