"""GNU Backgammon position IDs."""

from __future__ import annotations

import base64
import re
from typing import Final

from bgrace.board.game_state import GameState, state_of_id
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


MATCH_ID: Final = re.compile(f"{BASE64}{{12}}")

_PLAYING: Final = 1
"""The state of a game that goes on."""


def write_match_id(state: GameState) -> str:
    """Write a match ID; the player on roll is player 1, as GNU Backgammon has the one at the bottom of its board.

    A rule that is not known is written as not in force; beavers have no place in a match ID.

    Examples
    --------
    >>> write_match_id(GameState(roll=(3, 1), cube_value=2, cube="theirs", jacoby=True))
    'QYkFAAAAAAAA'
    """
    dice = state.roll or (0, 0)
    fields = (
        (0, state.cube_value.bit_length() - 1),
        (4, {"centered": 3, "mine": 1, "theirs": 0}[state.cube]),
        (6, 1),
        (7, int(state.crawford)),
        (8, _PLAYING),
        (11, int(not state.double_offered)),  # whose decision it is
        (12, int(state.double_offered)),
        (15, dice[0]),
        (18, dice[1]),
        (21, state.match_length),
        (36, state.score[1]),
        (51, state.score[0]),
        (66, int(not state.jacoby)),
    )
    key = sum(value << start for start, value in fields)
    return base64.b64encode(key.to_bytes(9, "little")).decode("ascii")


def read_match_id(match_id: str) -> GameState:
    """Read what a match ID tells.

    Examples
    --------
    >>> state = read_match_id("QoklATAAKAAE")
    >>> state.roll, state.cube_value, state.cube, state.score, state.match_length
    ((3, 1), 4, 'theirs', (5, 3), 9)
    """
    key = decoded(match_id)

    def field(start: int, length: int) -> int:
        return key >> start & (1 << length) - 1

    # Players are numbered 0 and 1.  Bit 6 is the player on roll, and stays so while a double or resignation is offered.
    player, owner = field(6, 1), field(4, 2)
    if owner == 2:
        raise PositionError(
            f"{shown(match_id)} is not a GNU match ID: it gives the cube to a third player; check its first characters"
        )
    scores = (field(36, 15), field(51, 15))
    return state_of_id(
        shown(match_id),
        dice=(field(15, 3), field(18, 3)),
        cube_value=1 << field(0, 4),
        cube="centered" if owner == 3 else "mine" if owner == player else "theirs",
        double_offered=bool(field(12, 1)),
        score=(scores[player], scores[1 - player]),
        match_length=field(21, 15),
        crawford=bool(field(7, 1)),
        jacoby=not field(66, 1),
        beavers=None,
    )
