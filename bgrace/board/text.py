"""Read positions and boards from text of any kind."""

from __future__ import annotations

import re
from typing import Final, Literal, SupportsIndex, cast

from bgrace._base.arrays import as_choice
from bgrace.board import ids
from bgrace.board.board import Board
from bgrace.board.game_state import GameState
from bgrace.board.position import (
    HOME_POINTS,
    MAX_CHECKERS,
    MAX_POINTS,
    Position,
    PositionLike,
    checked,
    race,
    shown,
)
from bgrace.errors import PositionError

_COUNT = re.compile(r"-?[0-9]{1,9}")
_POINT_X_COUNT = re.compile(r"([0-9]{1,9})[xX]([0-9]{1,9})")
SEPARATOR = re.compile(r"\s*,\s*|\s+")

_PAIRS: Final = {f"{point}x{n}": (point, n) for point in range(1, HOME_POINTS + 1) for n in range(1, MAX_CHECKERS + 1)}
"""Point x count for home positions, as in ``"6x15"``."""

_COUNTS: Final = {str(n): n for n in range(MAX_CHECKERS + 1)}
"""Counts as text."""

# IDs in a text of another program: compiled at the first search.
_XGID_IN_TEXT: Final = r"(?i)(?<![-A-Za-z0-9])[-A-Za-z]{26}(?::-?[0-9]{1,9}){3}:(?:D|[0-9]{2})(?::-?[0-9]{1,9}){4,5}"
_OGID_IN_TEXT: Final = (
    r"(?<![0-9A-Za-z:])[0-9a-q]{0,15}:[0-9a-q]{0,15}:[NWBD?][0-9]{1,2}[NOTP](?:(?::[0-9A-Z]{0,9}){0,7}:[0-9A-Z]{1,9})?"
)
_GNU_IDS_IN_TEXT: Final = (
    rf"(?i)Position\s+ID\s*:\s*({ids.BASE64}{{14}})(?:==)?(?:\s+Match\s+ID\s*:\s*({ids.BASE64}{{12}}))?"
    rf"|(?<!{ids.BASE64})({ids.BASE64}{{14}}):({ids.BASE64}{{12}})(?!{ids.BASE64})"
)

_AROUND_AN_ID: Final = r"\s|://|^[^-+/:0-9A-Za-z]|[^-+/:=0-9A-Za-z]$"
"""What is in a text that is more than an ID: a blank, an address, or a sign at an end, such as a bracket."""

_FORMATS: Final = (
    'counts as "5,1,8,1,0,0", point x count as "1x5 2x1 3x8 4x1", "off", a GNU position ID, an XGID or an OGID'
)


def parse_position(
    text: PositionLike, points: SupportsIndex | None = None, *, side: Literal["on_roll", "opponent"] = "on_roll"
) -> Position:
    """Read one side's position.

    Parameters
    ----------
    text : str, or sequence of int
        One of

        - counts, ace point first: ``"5,1,8,1,0,0"``, with commas or blanks between them, in brackets or not;
        - occupied points as point x count: ``"1x5 2x1 3x8 4x1"``, in any order, with blanks or commas between them;
        - ``"off"``: no checker left;
        - one side of a GNU position ID, of ``"positionID:matchID"``, of an XGID or of an OGID: see `parse_board`;
        - a `Position`, another sequence of counts, or one row of an integer array.
    points : int, optional
        Number of points of the result.  By default counts have as many points as are listed; the other formats have
        6, or as many as the checker farthest out needs.
    side : {"on_roll", "opponent"}
        The side to take of a board.  Ignored if `text` is one side only.

    Returns
    -------
    Position
        Checked counts.

    Raises
    ------
    PositionError
        If `text` is none of these, has more than 15 checkers, or has checkers beyond `points`.
    ArgumentError
        If `points` is not 1 to 24, or `side` is unknown.

    Notes
    -----
    A run of 14 digits and letters is always taken as a GNU position ID.

    Examples
    --------
    >>> parse_position("5,1,8,1,0,0")
    Position((5, 1, 8, 1, 0, 0))
    >>> parse_position("1x5 2x1 3x8 4x1") == parse_position("[5 1 8 1 0 0]") == (5, 1, 8, 1, 0, 0)
    True
    >>> parse_position("off"), parse_position("8x1").points, parse_position((0, 2), points=3)
    (Position((0, 0, 0, 0, 0, 0)), 8, Position((0, 2, 0)))
    >>> parse_position("GAAA+PoXAAAAAA"), parse_position("GAAA+PoXAAAAAA", side="opponent")
    (Position((5, 1, 8, 1, 0, 0)), Position((0, 0, 0, 2, 0, 0)))
    """
    if points is None and type(text) is Position:
        return text
    if points is None and side == "on_roll" and type(text) is str:
        short = _comma_counts(text) if "," in text else _home_position(text)
        if short is not None:
            return short
    as_choice("side", side, ("on_roll", "opponent"))
    position = _position_from_text(text.strip(), side) if isinstance(text, str) else Position(text)
    return position if points is None else position.resized(points)


def read_text(text: str) -> Board | Position:
    """Read an ID as a board, any other text as the position of one side.

    Raises
    ------
    PositionError
        As for `parse_position` and `parse_board`.

    Examples
    --------
    >>> read_text("6x1"), type(read_text("GAAA+PoXAAAAAA")).__name__
    (Position((0, 0, 0, 0, 0, 1)), 'Board')
    """
    return parse_board(text) if has_both_sides(text) else parse_position(text)


def has_both_sides(side: object) -> bool:
    """Whether the argument for a side is text to be read as an ID."""
    # The regular expression comes last, because the other tests are fast.
    return isinstance(side, str) and (
        ":" in side or (len(side) >= 14 and bool(ids.POSITION_ID.fullmatch(side.strip())))
    )


def check_sides(*sides: object) -> None:
    """Raise PositionError if one of two sides is a board or an ID of both sides, half of which would be ignored.

    Examples
    --------
    >>> check_sides("GAAA+PoXAAAAAA", "6x1")
    Traceback (most recent call last):
        ...
    bgrace.errors.PositionError: 'GAAA+PoXAAAAAA' has both sides: give it alone, or the checkers of one side
    """
    for side in sides:
        if isinstance(side, Board) or has_both_sides(side):
            raise PositionError(f"{shown(side)} has both sides: give it alone, or the checkers of one side")


def parse_sides(on_roll: PositionLike | Board, opponent: PositionLike | Board) -> tuple[Position, Position]:
    """Read two sides; PositionError if one of them is a board or an ID of both sides.

    Examples
    --------
    >>> parse_sides("5,1", (0, 2))
    (Position((5, 1)), Position((0, 2)))
    """
    check_sides(on_roll, opponent)
    return parse_position(cast(PositionLike, on_roll)), parse_position(cast(PositionLike, opponent))


def _home_position(text: str) -> Position | None:
    """Read point x count by a fast path; None if the general path must read the text.

    Examples
    --------
    >>> _home_position("1x5 2x1 3x8 4x1"), _home_position("1x5 1x1"), _home_position("6x16")
    (Position((5, 1, 8, 1, 0, 0)), None, None)
    """
    counts = [0] * HOME_POINTS
    for token in text.split():
        pair = _PAIRS.get(token)
        if pair is None or counts[pair[0] - 1]:
            return None
        counts[pair[0] - 1] = pair[1]
    return checked(tuple(counts)) if 0 < sum(counts) <= MAX_CHECKERS else None


def _comma_counts(text: str) -> Position | None:
    """Read counts with commas only between them by a fast path; None as in `_home_position`.

    Examples
    --------
    >>> _comma_counts("5,1,8,1,0,0"), _comma_counts("5, 1"), _comma_counts("8,8"), _comma_counts("1x2,3x4")
    (Position((5, 1, 8, 1, 0, 0)), None, None, None)
    """
    counts = [_COUNTS.get(token, -1) for token in text.split(",")]
    if min(counts) < 0 or len(counts) > MAX_POINTS or sum(counts) > MAX_CHECKERS:
        return None
    return checked(tuple(counts))


def _position_from_text(text: str, side: Literal["on_roll", "opponent"]) -> Position:
    """Read one side from stripped text, with the default number of points.

    Examples
    --------
    >>> _position_from_text("2x3", "on_roll")
    Position((0, 3, 0, 0, 0, 0))
    """
    if not text:
        raise PositionError(f'empty text is not a position: write "off" for no checkers, or {_FORMATS}')
    if text.lower() == "off":
        return Position((0,) * HOME_POINTS)
    if has_both_sides(text):
        board = parse_board(text)
        chosen = board.on_roll if side == "on_roll" else board.opponent
        # The board has as many points as its wider side needs; a side by itself has only those of its own checkers.
        return chosen.resized(max(HOME_POINTS, chosen.highest))
    bare = text[1:-1].strip() if text[0] + text[-1] in ("()", "[]") else text
    tokens = SEPARATOR.split(bare)
    if len(tokens) > 1 and not tokens[-1]:
        tokens.pop()  # a trailing comma, as in the Python tuple (5,)
    if all(_COUNT.fullmatch(token) for token in tokens):
        return Position([int(token) for token in tokens])
    pairs = [_POINT_X_COUNT.fullmatch(token) for token in tokens]
    counts: dict[int, int] = {}
    for pair in pairs:
        if pair is None:
            raise PositionError(f"{shown(text)} is not a position: write {_FORMATS}")
        point, n = int(pair[1]), int(pair[2])
        if not 1 <= point <= MAX_POINTS:
            raise PositionError(f"{shown(pair[0])} is on no point: write point x count, with points 1 to {MAX_POINTS}")
        if point in counts:
            raise PositionError(f"{shown(text)} has point {point} twice: name every occupied point once")
        counts[point] = n
    highest = max((point for point, n in counts.items() if n), default=0)
    return Position([counts.get(point, 0) for point in range(1, max(HOME_POINTS, highest) + 1)])


def parse_board(text: str) -> Board:
    """Read both sides of a race, and the roll, cube and score if they are given.

    Parameters
    ----------
    text : str
        A GNU Backgammon position ID (14 characters), ``"positionID:matchID"`` (14 and 12 characters), or an XGID or
        an OGID with or without ``"XGID="`` or ``"OGID="`` in front; or a text that contains one of these (of several
        XGIDs, the first is read).  The last of an XGID's ten fields, the greatest cube, is not used and may be missing;
        so may the fields of an OGID after the third.

    Returns
    -------
    Board
        Seen by the player on roll.  In an XGID or OGID that is the player whose turn it is; but if a double is offered
        (``D`` for the dice or the game state), it is the player who doubled, with the cube as it was before and
        `double_offered` set.

    Raises
    ------
    PositionError
        If the ID is malformed, if a text has no ID, or has several different IDs other than XGIDs, if a side has more
        than 15 checkers or one on the bar, or if the sides still have contact: see `bgrace.contact` for men behind a
        bearoff.

    Notes
    -----
    A position ID lists the opponent's points first and those of the player on roll second.  (The manual of GNU
    Backgammon says the opposite, but the program writes and reads them in this order.)  The unused bits of the ID must
    be zero, so that every board has exactly one ID; GNU Backgammon ignores those bits.

    Examples
    --------
    >>> board = parse_board("GAAA+PoXAAAAAA")
    >>> str(board.on_roll), str(board.opponent)
    ('1x5 2x1 3x8 4x1', '4x2')
    >>> board = parse_board("XGID=-BBBCC---------------bbc--:3:1:-1:65:4:2:1:7:10")
    >>> str(board.on_roll), board.roll, board.cube_value, board.cube, board.away
    ('2x3 3x2 4x2', (6, 5), 8, 'theirs', (5, 3))
    """
    on_roll, opponent, state = sides_of_board(text)
    mine, theirs = race(on_roll, opponent, text)
    return Board(mine, theirs, **vars(state))


def sides_of_board(text: str) -> tuple[list[int], list[int], GameState]:
    """Read an ID of any board, with or without contact: 24 points and the bar of each side, and the state of the game.

    Examples
    --------
    >>> on_roll, opponent, state = sides_of_board("XGID=--bBBCC--------------bbc--:3:1:-1:65:4:2:1:7:10")
    >>> on_roll[22], opponent[:6], state.roll
    (2, [0, 0, 2, 2, 3, 3], (6, 5))
    """
    if not isinstance(text, str):
        raise PositionError(f"{shown(text)} is not text: give a GNU position ID, an XGID or an OGID as str")
    bare = text.strip()
    if ":" in bare and re.search(_AROUND_AN_ID, bare):
        bare = text = _identifier(bare)
    if bare[:5].upper() == "XGID=":
        return ids.sides_from_xgid(bare[5:], bare)
    if ids.is_ogid(bare):
        return ids.sides_from_ogid(bare)
    first, colon, rest = bare.partition(":")
    if len(first) == 26 and colon:
        return ids.sides_from_xgid(bare, bare)
    if not ids.POSITION_ID.fullmatch(first):
        raise PositionError(
            f"{shown(text)} is not a board: give a GNU position ID (14 characters of A-Z a-z 0-9 + /), "
            "positionID:matchID, an XGID or an OGID"
        )
    if colon and not ids.MATCH_ID.fullmatch(rest):
        raise PositionError(
            f"{shown(rest)} is not a GNU match ID: after the colon give its 12 characters of A-Z a-z 0-9 + /, "
            "or leave out the colon"
        )
    on_roll, opponent = ids.sides_from_position_id(first[:14])
    return on_roll, opponent, ids.read_match_id(rest) if colon else GameState()


def xgids_of(text: str) -> list[str]:
    """Find the different XGIDs of a text: the first is the position, and others are notes on it."""
    return list(dict.fromkeys(re.findall(_XGID_IN_TEXT, text)))


def _identifier(text: str) -> str:
    """Find the ID in a text of several words, in quotes or in a link; the same one may be there several times.

    Examples
    --------
    >>> _identifier("Position ID: GAAA+PoXAAAAAA  Match ID : cAkAAAAAAAAE")
    'GAAA+PoXAAAAAA:cAkAAAAAAAAE'
    """
    if "gammons=false" in text:
        raise PositionError(
            f"{shown(text)} has gammons=false, which no ID can say: give the ID, and that rule by itself"
        )
    # IDs of several kinds name the same position, and an XGID has most fields.
    xgids = xgids_of(text)
    if xgids:
        return xgids[0]
    known: list[str] = list(dict.fromkeys(re.findall(_OGID_IN_TEXT, text)))
    if not known:
        groups = (filter(None, names) for names in re.findall(_GNU_IDS_IN_TEXT, text))
        known = list(dict.fromkeys(":".join(names) for names in groups))
    if not known:
        raise PositionError(
            f"{shown(text)} has no ID of a position: give a text with an XGID, an OGID, or GNU Backgammon's IDs as "
            '"Position ID: ...  Match ID: ..."'
        )
    if len(known) > 1:
        raise PositionError(
            f"{shown(text)} has {len(known)} different positions, {known[0]} and {known[1]} first: give one of them"
        )
    return known[0]


def gnubg_position_id(on_roll: PositionLike, opponent: PositionLike) -> str:
    """Write the GNU Backgammon position ID of a race.

    An ID always has both sides.  There is none for one side alone: an ID does not list checkers that are off, so the
    other side would be one that has borne off all its checkers.

    Parameters
    ----------
    on_roll, opponent : position
        Anything that `parse_position` reads but IDs, each side counted from its own ace point.

    Returns
    -------
    str
        14 characters; `parse_board` reads it back.

    Raises
    ------
    PositionError
        If a side is not a position, or is an ID of both, or if the sides have contact.

    Examples
    --------
    >>> gnubg_position_id("1x5 2x1 3x8 4x1", "4x2"), gnubg_position_id("off", "off")
    ('GAAA+PoXAAAAAA', 'AAAAAAAAAAAAAA')
    """
    return Board(*parse_sides(on_roll, opponent)).position_id()
