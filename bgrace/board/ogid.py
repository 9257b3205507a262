"""OGIDs, the IDs of OpenGammon, which OGXM files have as well.

Their points are White's: 1 to 24 upwards, 0 White's bar, 25 Black's; Black moves down.
"""

from __future__ import annotations

import re
from typing import Final

from bgrace.board.game_state import MAX_MATCH_LENGTH, GameState, state_of_id
from bgrace.board.position import MAX_CHECKERS, MAX_POINTS, Position, shown
from bgrace.errors import PositionError

_PLACES: Final = "0123456789abcdefghijklmnop"
_OFF: Final = "q"
_BAR: Final = MAX_POINTS + 1

_SHAPE: Final = re.compile(r"[^:]*:[^:]*:[A-Za-z?][0-9]{1,9}[A-Za-z](?::|\Z)")
"""The third field, the cube, is like that of no other ID."""

_LEFT_OUT: Final = ("", "", "", "", "B", "IW", "0", "0", "0", "0", str(MAX_CHECKERS))


def write_ogid(on_roll: Position, opponent: Position, state: GameState) -> str:
    """Write the OGID of a race; the player on roll is White.

    Examples
    --------
    >>> ace = Position((1, 0, 0, 0, 0, 0))
    >>> write_ogid(ace, ace, GameState(roll=(2, 1), cube="mine", cube_value=2, match_length=3))
    'o:1:W1N:12:B:R:0:0:3:0'
    """
    fields = (
        "".join(reversed([_PLACES[_BAR - point] * n for point, n in enumerate(on_roll, 1)])),
        "".join([_PLACES[point] * n for point, n in enumerate(opponent, 1)]),
        {"centered": "N", "mine": "W", "theirs": "B"}[state.cube]
        + str(state.cube_value.bit_length() - 1)
        + ("O" if state.double_offered else "N"),
        "" if state.roll is None else f"{state.roll[1]}{state.roll[0]}",
        "W" if state.double_offered else "B",  # the last to act
        "D" if state.double_offered else "C" if state.roll is None else "R",
        *state.score,
        f"{state.match_length}{'C' * state.crawford}",
        0,
    )
    return ":".join(map(str, fields))


def is_ogid(text: str) -> bool:
    """Whether a text without blanks is meant as an OGID.

    Examples
    --------
    >>> is_ogid("o:1:N0N"), is_ogid("ogid=o"), is_ogid("-A----------------------a-:0:0:1:00:0:0:0:0:10")
    (True, True, False)
    """
    return text[:5].upper() == "OGID=" or bool(_SHAPE.match(text))


def sides_from_ogid(text: str) -> tuple[list[int], list[int], GameState]:
    """Read an OGID: 24 points and the bar of the player on roll and of the opponent, and the rest of the game.

    Fields after the third may be missing.  A dead cube counts as centered.

    Examples
    --------
    >>> on_roll, opponent, state = sides_from_ogid("OGID=o:1:W1N:12:B:R:0:0:3:0")
    >>> on_roll[0], opponent[0], state.cube, state.roll
    (1, 1, 'mine', (2, 1))
    """
    fields = (text[5:] if text[:5].upper() == "OGID=" else text).split(":")
    if not 3 <= len(fields) <= len(_LEFT_OUT):
        raise PositionError(
            f"{shown(text)} has {len(fields)} fields, not an OGID's ten: give them as in "
            "OGID=kkllmmnnoo:1122334455:N0N:34:B:R:0:0:7:0"
        )
    fields += _LEFT_OUT[len(fields) :]
    for name, pattern, give, value in (
        ("cube", "[NWBD?](?:[0-9]|1[0-5])[NOTP]", "owner N, W, B or D, 0 to 15 and action N, O, T or P", fields[2]),
        ("dice", "(?:[1-6]{2})?", "two dice, or nothing", fields[3]),
        ("player", "[WB]", "W or B", fields[4]),
        ("game state", "[A-Z]{0,2}", "two letters at most", fields[5]),
        ("score", "[0-9]{0,5}", f"0 to {MAX_MATCH_LENGTH}", fields[6]),
        ("score", "[0-9]{0,5}", f"0 to {MAX_MATCH_LENGTH}", fields[7]),
        (
            "match length",
            "(?:[0-9]{1,5}(?:[CL]|G[0-9]{0,9})?)?",
            f"0 to {MAX_MATCH_LENGTH}, and C in the Crawford game",
            fields[8],
        ),
        ("number of checkers", f"(?:{MAX_CHECKERS})?", str(MAX_CHECKERS), fields[10]),
    ):
        if not re.fullmatch(pattern, value, re.ASCII):
            raise PositionError(f"{shown(value)} as {name} field of the OGID {shown(text)}: give {give}")
    _, _, cube, dice, actor, game, *_ = fields
    owner, action = cube[0], cube[-1]
    numbers = [int(value.rstrip("CL").partition("G")[0] or 0) for value in fields[6:9]]
    if max(numbers) > MAX_MATCH_LENGTH:
        raise PositionError(
            f"{max(numbers)} in the OGID {shown(text)}: give scores and lengths up to {MAX_MATCH_LENGTH}"
        )
    # The player named has acted, so that it is the other one's turn; but a double is seen by the player who offers it.
    double = game == "D" or action == "O"
    white = (actor == "W") == double or (game == "IW" and not dice)
    score_white, score_black, match_length = numbers
    state = state_of_id(
        f"the OGID {shown(text)}",
        dice=(0, 0) if double or not dice else (int(dice[0]), int(dice[1])),
        cube_value=1 << int(cube[1:-1]),
        cube="centered" if owner not in "WB" else "mine" if (owner == "W") == white else "theirs",
        double_offered=double,
        score=(score_white, score_black) if white else (score_black, score_white),
        match_length=match_length,
        crawford=fields[8].endswith("C"),
        jacoby=None,
        beavers=None,
    )
    sides = ogid_checkers(fields[0], fields[1])
    return (*(sides if white else sides[::-1]), state)


def ogid_checkers(white: str, black: str) -> tuple[list[int], list[int]]:
    """Read the first two fields: counts on 24 points and the bar of White and of Black, each from their own ace point.

    Examples
    --------
    >>> white, black = ogid_checkers("0mmo", "12")
    >>> white[:3], white[24], black[:3]
    ([1, 0, 2], 1, [1, 1, 0])
    """
    sides = [0] * _BAR, [0] * _BAR
    for side, letters in zip(sides, (white, black), strict=True):
        for letter in letters.replace(_OFF, ""):
            place = _PLACES.find(letter)
            point = _BAR - place if side is sides[0] else place
            if place < 0 or not point:
                raise PositionError(
                    f"{shown(letter)} in {shown(letters)}, checkers of an OGID: write 1 to 9 and a to o for the "
                    "points, 0 for White's bar, p for Black's, q for checkers off"
                )
            side[point - 1] += 1
    return sides
