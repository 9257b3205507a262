"""IDs of boards: GNU Backgammon's position and match IDs, XGIDs of eXtreme Gammon, OGIDs of OpenGammon.

Points of an OGID are White's: 1 to 24 upwards, 0 White's bar, 25 Black's; Black moves down.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Final

from bgrace.board.game_state import MAX_MATCH_LENGTH, GameState, state_of_id
from bgrace.board.position import MAX_CHECKERS, MAX_POINTS, Position, shown
from bgrace.errors import PositionError

# ------------------------------------------------------------------ GNU Backgammon

BASE64: Final = "[A-Za-z0-9+/]"
POSITION_ID: Final = re.compile(f"{BASE64}{{14}}(?:==)?")


def position_id(on_roll: Position, opponent: Position) -> str:
    """Write the position ID of a race.

    Examples
    --------
    >>> position_id(Position((5, 1, 8, 1)), Position((0, 0, 0, 2)))
    'GAAA+PoXAAAAAA'
    """
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
    # Splitting at the zeros leaves the runs of ones: 50 counts, then an empty rest.
    runs = [len(run) for run in f"{max(key, 0):080b}"[::-1].split("0")]
    n_checkers = sum(runs)
    if n_checkers > 2 * MAX_CHECKERS:
        raise PositionError(
            f"{shown(identifier)} has {n_checkers} checkers: a GNU position ID has at most {MAX_CHECKERS} a side"
        )
    if key < 0 or any(runs[50:]):
        raise PositionError(
            f"{shown(identifier)} is not a GNU position ID: all bits after the last point must be 0; "
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
"""The state of a game in progress."""


def write_match_id(state: GameState) -> str:
    """Write a match ID; the player on roll is player 1, in GNU Backgammon the one at the bottom of the board.

    An unknown rule is written as not in force; a match ID has no place for beavers.

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
        (11, int(not state.double_offered)),  # the player who decides
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
    """Read a match ID.

    Examples
    --------
    >>> state = read_match_id("QoklATAAKAAE")
    >>> state.roll, state.cube_value, state.cube, state.score, state.match_length
    ((3, 1), 4, 'theirs', (5, 3), 9)
    """
    key = decoded(match_id)

    def field(start: int, length: int) -> int:
        return key >> start & (1 << length) - 1

    # Players are numbered 0 and 1.  Bit 6 is the player on roll, even while a double or a resignation is offered.
    player, owner = field(6, 1), field(4, 2)
    scores, length = (field(36, 15), field(51, 15)), field(21, 15)
    wrong = "gives the cube to a third player: check its first characters" if owner == 2 else ""
    if field(7, 1) and max(scores) < length - 1:
        at = f"{scores[0]} to {scores[1]} in a match to {length}"
        wrong = f"marks the Crawford game at {at}, where nobody is one point short of winning: check its score"
    wrong = "offers a resignation: give the ID of the position before that" if field(13, 2) else wrong
    if wrong:
        raise PositionError(f"{shown(match_id)} as GNU match ID {wrong}")
    return state_of_id(
        shown(match_id),
        dice=(field(15, 3), field(18, 3)),
        cube_value=1 << field(0, 4),
        cube="centered" if owner == 3 else "mine" if owner == player else "theirs",
        double_offered=bool(field(12, 1)),
        score=(scores[player], scores[1 - player]),
        match_length=length,
        crawford=bool(field(7, 1)),
        jacoby=not field(66, 1),
    )


# ------------------------------------------------------------------ eXtreme Gammon

_XGID_FIELD: Final = re.compile(r"-?[0-9]{1,9}")


_MAX_CUBE_LOG: Final = 10
"""The last field of every XGID that is written: the greatest cube, 1024, eXtreme Gammon's default."""


def write_xgid(on_roll: Sequence[int], opponent: Sequence[int], state: GameState) -> str:
    """Write the XGID of two sides; a 25th count is the bar, and the player on roll is the bottom player.

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


# ------------------------------------------------------------------ OpenGammon, also in OGXM files

_PLACES: Final = "0123456789abcdefghijklmnop"
_OFF: Final = "q"
_BAR: Final = MAX_POINTS + 1

_SHAPE: Final = re.compile(r"[^:]*:[^:]*:[A-Za-z?][0-9]{1,9}[A-Za-z](?::|\Z)")
"""The third field, the cube, has a form that no other ID has."""

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
        "W" if state.double_offered else "B",  # the player who acted last
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
    # The named player has acted, so it is the other one's turn; but a double is seen by the player who offers it.
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
