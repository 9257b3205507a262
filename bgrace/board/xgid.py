"""XGIDs, the IDs of eXtreme Gammon."""

from __future__ import annotations

import re
from typing import Final

from bgrace.board.game_state import GameState, state_of_id
from bgrace.board.position import MAX_POINTS, Position, shown
from bgrace.errors import PositionError

_XGID_FIELD: Final = re.compile(r"-?[0-9]{1,9}")


_MAX_CUBE_LOG: Final = 10
"""The last field of every XGID written: the greatest cube, 1024, as eXtreme Gammon has it by default."""


def write_xgid(on_roll: Position, opponent: Position, state: GameState) -> str:
    """Write the XGID of a race; the player on roll is the bottom player.

    Examples
    --------
    >>> ace = Position((1, 0, 0, 0, 0, 0))
    >>> write_xgid(ace, ace, GameState(roll=(2, 1), cube="mine", cube_value=2, jacoby=True))
    'XGID=-A----------------------a-:1:1:1:21:0:0:1:0:10'
    """
    places = ["-"] * (MAX_POINTS + 2)
    for point, n in enumerate(on_roll, 1):
        if n:
            places[point] = chr(ord("A") + n - 1)
    for point, n in enumerate(opponent, 1):
        if n:
            places[MAX_POINTS + 1 - point] = chr(ord("a") + n - 1)
    dice = "D" if state.double_offered else "00" if state.roll is None else f"{state.roll[0]}{state.roll[1]}"
    rules = int(state.crawford) if state.match_length else int(bool(state.jacoby)) + 2 * int(bool(state.beavers))
    fields = (
        "".join(places),
        state.cube_value.bit_length() - 1,
        {"centered": 0, "mine": 1, "theirs": -1}[state.cube],
        1,
        dice,
        *state.score,
        rules,
        state.match_length,
        _MAX_CUBE_LOG,
    )
    return "XGID=" + ":".join(map(str, fields))


def sides_from_xgid(fields_text: str, text: str) -> tuple[list[int], list[int], GameState]:
    """Read an XGID: 24 points and the bar of the player on roll and of the opponent, and the rest of the game.

    `fields_text` is `text` without its prefix.

    Examples
    --------
    >>> sides_from_xgid("-A----------------------a-:1:1:1:21:0:0:1:0:10", "example")[2].cube
    'mine'
    """
    fields = fields_text.split(":")
    if len(fields) not in (9, 10):
        raise PositionError(
            f"{shown(text)} has {len(fields)} fields, not an XGID's ten: give them as in "
            "XGID=-EAHA----------------b----:0:0:1:00:0:0:0:0:10"
        )
    numbers = []
    for name, low, high, value in (
        ("cube", 0, 15, fields[1]),
        ("cube owner", -1, 1, fields[2]),
        ("turn", -1, 1, fields[3]),
        ("score", 0, 32767, fields[5]),
        ("score", 0, 32767, fields[6]),
        ("Crawford or Jacoby", 0, 3, fields[7]),
        ("match length", 0, 32767, fields[8]),
    ):
        if not _XGID_FIELD.fullmatch(value) or not low <= int(value) <= high:
            raise PositionError(f"{shown(value)} as {name} field of the XGID {shown(text)}: give {low} to {high}")
        numbers.append(int(value))
    cube_log, owner, turn, score_bottom, score_top, rules, match_length = numbers
    if not turn:
        raise PositionError(f"{shown(text)} says that it is nobody's turn: give 1 or -1 as fourth field")
    if match_length and rules > 1:
        raise PositionError(f"{rules} as Crawford field of the XGID {shown(text)}: give 0 or 1 for a match")

    dice = fields[4].upper()
    if dice in ("B", "R"):
        name = "beaver" if dice == "B" else "raccoon"
        raise PositionError(f'{shown(text)} asks for the answer to a {name}: give "D", the double, or "00" as its dice')
    if not re.fullmatch("D|[0-6][0-6]", dice):
        raise PositionError(f'{shown(fields[4])} as dice of the XGID {shown(text)}: give two dice, "00" or "D"')
    bottom, top = _sides_from_xgid(fields[0], text)
    state = state_of_id(
        f"the XGID {shown(text)}",
        dice=(0, 0) if dice == "D" else (int(dice[0]), int(dice[1])),
        cube_value=1 << cube_log,
        cube="centered" if not owner else "mine" if owner == turn else "theirs",
        double_offered=dice == "D",
        score=(score_bottom, score_top) if turn == 1 else (score_top, score_bottom),
        match_length=match_length,
        crawford=bool(rules & 1),
        jacoby=bool(rules & 1),
        beavers=bool(rules & 2),
    )
    return (bottom, top, state) if turn == 1 else (top, bottom, state)


def _sides_from_xgid(board: str, text: str) -> tuple[list[int], list[int]]:
    """Read the board of an XGID: counts on 24 points and the bar, of the bottom (upper case) and the top player.

    Examples
    --------
    >>> bottom, top = _sides_from_xgid("-EAHA----------------b----", "example")
    >>> bottom[:6], top[:6]
    ([5, 1, 8, 1, 0, 0], [0, 0, 0, 2, 0, 0])
    """
    if len(board) != 26:
        raise PositionError(
            f"{shown(text)} has a board of {len(board)} characters: give 26 in front of the first colon"
        )
    bottom, top = [0] * 25, [0] * 25
    for place, character in enumerate(board):
        # 0 is the top player's bar, 25 the bottom player's, and points are numbered as the bottom player counts.
        if "A" <= character <= "P" and place > 0:
            bottom[place - 1] = ord(character) - ord("A") + 1
        elif "a" <= character <= "p" and place < 25:
            top[24 - place] = ord(character) - ord("a") + 1
        elif character != "-":
            raise PositionError(
                f"{shown(character)} at place {place} of the XGID {shown(text)}: "
                "write A to O or a to o for 1 to 15 checkers of either side, - for none"
            )
    return bottom, top
