"""Text, GNU Backgammon IDs and XGIDs to positions, and back.

A position is one side's checker counts, ace point first; `Board` is both sides of a race, seen by the player on roll.
Every point is counted from the home of the side whose checkers they are, so the two sides of a board look alike.
"""

from __future__ import annotations

import base64
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, SupportsIndex

from bgrace.dice import parse_roll
from bgrace.errors import ArgumentError, PositionError

__all__ = ["Board", "Position", "PositionLike", "gnubg_position_id", "parse_board", "parse_position"]

MAX_CHECKERS: Final = 15
MAX_POINTS: Final = 24
HOME_POINTS: Final = 6

PositionLike = str | Iterable[SupportsIndex]
"""What a position may be given as: text, a `Position`, or any sequence or one-dimensional array of counts."""

_BASE64 = "[A-Za-z0-9+/]"
_POSITION_ID = re.compile(f"{_BASE64}{{14}}(?:==)?")
_MATCH_ID = re.compile(f"{_BASE64}{{12}}")
_COUNT = re.compile(r"-?[0-9]{1,9}")
_POINT_X_COUNT = re.compile(r"([0-9]{1,9})[xX]([0-9]{1,9})")
_SEPARATOR = re.compile(r"\s*,\s*|\s+")
_XGID_FIELD = re.compile(r"-?[0-9]{1,9}")

_FORMATS: Final = 'counts as "5,1,8,1,0,0", point x count as "1x5 2x1 3x8 4x1", "off", a GNU position ID or an XGID'


def _shown(value: object) -> str:
    """Quote a value for an error message, however long or odd it is.

    Examples
    --------
    >>> _shown("5,1"), len(_shown("x" * 1000))
    ("'5,1'", 63)
    """
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python is willing to print
        text = f"<a very large {type(value).__name__}>"
    return text if len(text) <= 60 else text[:60] + "..."


def _checked_points(points: SupportsIndex) -> int:
    """Return the number of points as an int, or raise ArgumentError.

    Examples
    --------
    >>> _checked_points(6)
    6
    """
    try:
        number = operator.index(points)
    except TypeError:
        number = 0
    if not 1 <= number <= MAX_POINTS:
        raise ArgumentError(f"points={_shown(points)} is out of range: a position has 1 to {MAX_POINTS} points")
    return number


class Position(tuple[int, ...]):
    """Checker counts of one side, ace point first.

    An immutable tuple of counts that has been checked: 1 to 24 points, no count below 0, at most 15 checkers in all.
    It equals and hashes as the plain tuple; checkers that are not listed are off.  The number of points is part of
    the value: ``Position((1,)) != Position((1, 0))``.

    Parameters
    ----------
    counts : iterable of int
        Checkers on point 1, 2, ...: a sequence, or a one-dimensional integer array.  For text see `parse_position`.

    Raises
    ------
    PositionError
        If a count is not a whole number or below 0, if there are more than 15 checkers, or not 1 to 24 points.

    Notes
    -----
    ``Position.index(value)`` is the tuple's own method, not the number of the position.

    Examples
    --------
    >>> p = Position((5, 1, 8, 1, 0, 0))
    >>> p.pips, p.checkers, p.points
    (35, 15, 6)
    >>> p == (5, 1, 8, 1, 0, 0), str(p)
    (True, '1x5 2x1 3x8 4x1')
    """

    __slots__ = ()

    def __new__(cls, counts: Iterable[SupportsIndex]) -> Position:
        """Check the counts and make the position.

        Examples
        --------
        >>> Position([0, 2])
        Position((0, 2))
        """
        if type(counts) is cls:
            return counts
        if isinstance(counts, (str, bytes)):
            raise PositionError(
                f"{_shown(counts)} is text, and a Position takes counts such as (5, 1, 8, 1, 0, 0): "
                "read text with parse_position"
            )
        if getattr(counts, "ndim", 1) != 1:
            shape = getattr(counts, "shape", "unknown")
            raise PositionError(f"an array of shape {shape} is no single position: give one row, of shape (points,)")
        try:
            # One entry too many is enough to see that there are too many: the iterable may be endless.
            given = list(islice(counts, MAX_POINTS + 1))
        except TypeError:
            raise PositionError(
                f"{_shown(counts)} is no position: give a sequence of counts such as (5, 1, 8, 1, 0, 0)"
            ) from None
        if not 1 <= len(given) <= MAX_POINTS:
            number = "no points" if not given else f"more than {MAX_POINTS} points"
            raise PositionError(f"a position with {number}: give 1 to {MAX_POINTS} counts, ace point first")
        try:
            checked = [operator.index(n) for n in given]
        except TypeError:
            raise PositionError(f"{_shown(given)} has a count that is no whole number: give ints") from None
        for point, n in enumerate(checked, 1):
            if n < 0:
                raise PositionError(f"{_shown(n)} checkers on point {point}: a count is 0 to {MAX_CHECKERS}")
        if sum(checked) > MAX_CHECKERS:
            raise PositionError(f"{_shown(sum(checked))} checkers: give counts that add up to at most {MAX_CHECKERS}")
        return tuple.__new__(cls, checked)

    @property
    def pips(self) -> int:
        """Pip count: each checker counts the number of its point.

        Examples
        --------
        >>> Position((1, 0, 2)).pips
        7
        """
        return sum(point * n for point, n in enumerate(self, 1))

    @property
    def checkers(self) -> int:
        """Checkers left on the board.

        Examples
        --------
        >>> Position((1, 0, 2)).checkers
        3
        """
        return sum(self)

    @property
    def points(self) -> int:
        """Number of points, occupied or not.

        Examples
        --------
        >>> Position((1, 0, 2, 0)).points
        4
        """
        return len(self)

    @property
    def highest(self) -> int:
        """The highest occupied point, 0 if all checkers are off.

        Examples
        --------
        >>> Position((1, 0, 2, 0)).highest, Position((0,)).highest
        (3, 0)
        """
        return next((point for point in range(len(self), 0, -1) if self[point - 1]), 0)

    def resized(self, points: SupportsIndex) -> Position:
        """Give the same checkers on more or fewer points.

        Parameters
        ----------
        points : int
            1 to 24.

        Returns
        -------
        Position
            With exactly this many points.

        Raises
        ------
        PositionError
            If a checker stands beyond the new last point.
        ArgumentError
            If `points` is not 1 to 24.

        Examples
        --------
        >>> Position((1, 2)).resized(4), Position((1, 2, 0, 0)).resized(2)
        (Position((1, 2, 0, 0)), Position((1, 2)))
        """
        number = _checked_points(points)
        if number == len(self):
            return self
        if self.highest > number:
            raise PositionError(
                f"{self} has a checker on point {self.highest}, beyond the {number} points wanted: "
                f"use {self.highest} points or more, and a database that has them"
            )
        # The counts have been checked, and zeros change nothing.
        return tuple.__new__(type(self), (tuple(self) + (0,) * MAX_POINTS)[:number])

    def __str__(self) -> str:
        """Write the position as a player would: point x count, ace point first, "off" when no checker is left.

        `parse_position` reads it back; only the number of points is not in the text.

        Examples
        --------
        >>> str(Position((5, 1, 8, 1, 0, 0))), str(Position((0, 0)))
        ('1x5 2x1 3x8 4x1', 'off')
        """
        return " ".join(f"{point}x{n}" for point, n in enumerate(self, 1) if n) or "off"

    def __repr__(self) -> str:
        """Write the position as the expression that makes it.

        Examples
        --------
        >>> Position([1, 2])
        Position((1, 2))
        """
        return f"Position({tuple(self)!r})"


@dataclass(frozen=True)
class Board:
    """Both sides of a race, and what an ID tells of the game around it, for the player on roll.

    An ID without a match ID tells only where the checkers are; the other fields then have the defaults below.

    Attributes
    ----------
    on_roll, opponent : Position
        The two sides, each counted from its own ace point, with equally many points: 6 if both are home, or else as
        many as the checker farthest out needs.
    roll : tuple of two int, or None
        The dice, larger first; None before they are thrown.
    cube_value : int
        1, 2, 4, ...
    cube : {"centered", "mine", "theirs"}
        Who may double: both, the player on roll, the opponent.
    score : tuple of two int
        Points won so far in the match or session: player on roll, opponent.
    match_length : int
        Points the match goes to; 0 for money.
    crawford : bool
        Whether this is the Crawford game of a match.  As in GNU Backgammon the mark counts only where somebody is one
        point short of winning.
    jacoby : bool, or None
        Whether a money session uses the Jacoby rule; None for a match, or if the ID does not tell.

    Examples
    --------
    >>> board = Board(Position((0, 2)), Position((3, 0)), cube="mine", cube_value=2)
    >>> board.roll is None, board.away is None, board.gnubg_id
    (True, True, 'BwAAYAAAAAAAAA')
    """

    on_roll: Position
    opponent: Position
    roll: tuple[int, int] | None = None
    cube_value: int = 1
    cube: Literal["centered", "mine", "theirs"] = "centered"
    score: tuple[int, int] = (0, 0)
    match_length: int = 0
    crawford: bool = False
    jacoby: bool | None = None

    @property
    def away(self) -> tuple[int, int] | None:
        """Points still needed to win the match: player on roll, opponent; None for money.

        Examples
        --------
        >>> Board(Position((1,)), Position((1,)), score=(4, 2), match_length=7).away
        (3, 5)
        """
        if not self.match_length:
            return None
        return self.match_length - self.score[0], self.match_length - self.score[1]

    @property
    def gnubg_id(self) -> str:
        """GNU Backgammon position ID of the two sides.

        Raises
        ------
        PositionError
            If the sides have contact: see `gnubg_position_id`.

        Examples
        --------
        >>> parse_board("GAAA+PoXAAAAAA").gnubg_id
        'GAAA+PoXAAAAAA'
        """
        return gnubg_position_id(self.on_roll, self.opponent)


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
        - one side of a GNU position ID, of ``"positionID:matchID"`` or of an XGID: see `parse_board`;
        - a `Position`, another sequence of counts, or one row of an integer array.
    points : int, optional
        Number of points of the result.  By default counts have as many points as are listed; the other formats have
        6, or as many as the checker farthest out needs.
    side : {"on_roll", "opponent"}
        Which side of a board to take.  Without meaning where `text` is one side only.

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
    if side not in ("on_roll", "opponent"):
        raise ArgumentError(f'side={_shown(side)} is unknown: use "on_roll" or "opponent"')
    number = None if points is None else _checked_points(points)
    position = _position_from_text(text.strip(), side) if isinstance(text, str) else Position(text)
    return position if number is None else position.resized(number)


def _position_from_text(text: str, side: Literal["on_roll", "opponent"]) -> Position:
    """Read one side from stripped text, with the default number of points.

    Examples
    --------
    >>> _position_from_text("2x3", "on_roll")
    Position((0, 3, 0, 0, 0, 0))
    """
    if not text:
        raise PositionError(f'empty text is no position: write "off" for no checkers, or {_FORMATS}')
    if text.lower() == "off":
        return Position((0,) * HOME_POINTS)
    if ":" in text or _POSITION_ID.fullmatch(text):
        board = parse_board(text)
        chosen = board.on_roll if side == "on_roll" else board.opponent
        # The board has as many points as its wider side needs; on its own a side needs no more than its own checkers.
        return chosen.resized(max(HOME_POINTS, chosen.highest))
    bare = text[1:-1].strip() if text[0] + text[-1] in ("()", "[]") else text
    tokens = _SEPARATOR.split(bare)
    if len(tokens) > 1 and not tokens[-1]:
        tokens.pop()  # a trailing comma, as in the Python tuple (5,)
    if all(_COUNT.fullmatch(token) for token in tokens):
        return Position([int(token) for token in tokens])
    pairs = [_POINT_X_COUNT.fullmatch(token) for token in tokens]
    counts: dict[int, int] = {}
    for pair in pairs:
        if pair is None:
            raise PositionError(f"{_shown(text)} is no position: write {_FORMATS}")
        point, n = int(pair[1]), int(pair[2])
        if not 1 <= point <= MAX_POINTS:
            raise PositionError(f"{_shown(pair[0])} is on no point: write point x count, with points 1 to {MAX_POINTS}")
        if point in counts:
            raise PositionError(f"{_shown(text)} has point {point} twice: name every occupied point once")
        counts[point] = n
    highest = max((point for point, n in counts.items() if n), default=0)
    return Position([counts.get(point, 0) for point in range(1, max(HOME_POINTS, highest) + 1)])


def parse_board(text: str) -> Board:
    """Read both sides of a race, and the roll, cube and score if they are given.

    Parameters
    ----------
    text : str
        A GNU Backgammon position ID (14 characters), ``"positionID:matchID"`` (14 and 12 characters), or an XGID with
        or without ``"XGID="`` in front.  Of an XGID's ten fields the last, the greatest cube, is not used and may
        be missing.

    Returns
    -------
    Board
        Seen by the player on roll.  In an XGID that is the player whose turn it is; where a double has been offered
        (``D`` for the dice), the player who doubled, with the cube as it was before.

    Raises
    ------
    PositionError
        If the ID is malformed, if a side has more than 15 checkers or one on the bar, or if the sides still have
        contact: bgrace knows races only.

    Notes
    -----
    A position ID lists the opponent's points first and those of the player on roll second.  (The manual of GNU
    Backgammon says it the other way round; the program writes and reads them so.)  What the ID leaves over must be
    zero, so that every board has exactly one ID; GNU Backgammon does not look at those bits.

    Examples
    --------
    >>> board = parse_board("GAAA+PoXAAAAAA")
    >>> str(board.on_roll), str(board.opponent)
    ('1x5 2x1 3x8 4x1', '4x2')
    >>> board = parse_board("XGID=-BBBCC---------------bbc--:3:1:-1:65:4:2:1:7:10")
    >>> str(board.on_roll), board.roll, board.cube_value, board.cube, board.away
    ('2x3 3x2 4x2', (6, 5), 8, 'theirs', (5, 3))
    """
    if not isinstance(text, str):
        raise PositionError(f"{_shown(text)} is no text: give a GNU position ID or an XGID as str")
    bare = text.strip()
    if bare[:5].upper() == "XGID=":
        return _board_from_xgid(bare[5:], bare)
    first, colon, rest = bare.partition(":")
    if len(first) == 26 and colon:
        return _board_from_xgid(bare, bare)
    if not _POSITION_ID.fullmatch(first):
        raise PositionError(
            f"{_shown(text)} is no board: give a GNU position ID (14 characters of A-Z a-z 0-9 + /), "
            "positionID:matchID, or an XGID"
        )
    if colon and not _MATCH_ID.fullmatch(rest):
        raise PositionError(
            f"{_shown(rest)} is no GNU match ID: after the colon give its 12 characters of A-Z a-z 0-9 + /, "
            "or leave out the colon"
        )
    on_roll, opponent = _race(*_sides_from_position_id(first[:14]), text)
    return _board_with_match_id(on_roll, opponent, rest) if colon else Board(on_roll, opponent)


def gnubg_position_id(on_roll: PositionLike, opponent: PositionLike) -> str:
    """Write the GNU Backgammon position ID of a race.

    An ID always tells of both sides: there is none for one side alone, because checkers off the board leave no trace in
    it, and an empty board is as good a side as any other.

    Parameters
    ----------
    on_roll, opponent : position
        Anything that `parse_position` reads, each side counted from its own ace point.

    Returns
    -------
    str
        14 characters; `parse_board` reads it back.

    Raises
    ------
    PositionError
        If a side is no position, or if the sides have contact.

    Examples
    --------
    >>> gnubg_position_id("1x5 2x1 3x8 4x1", "4x2"), gnubg_position_id("off", "off")
    ('GAAA+PoXAAAAAA', 'AAAAAAAAAAAAAA')
    """
    mine, theirs = parse_position(on_roll), parse_position(opponent)
    _check_no_contact(mine, theirs, f"{mine} against {theirs}")
    # 24 points and the bar of each side: a 1 for every checker, a 0 to end every point.
    bits = "".join("1" * n + "0" for side in (theirs, mine) for n in (*side.resized(MAX_POINTS), 0)).ljust(80, "0")
    key = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(key).decode("ascii")[:14]


def _race(on_roll: Sequence[int], opponent: Sequence[int], text: str) -> tuple[Position, Position]:
    """Make two positions of two sides of 24 points and the bar, or tell why they are no race.

    Examples
    --------
    >>> _race([1] + [0] * 24, [0, 2] + [0] * 23, "example")
    (Position((1, 0, 0, 0, 0, 0)), Position((0, 2, 0, 0, 0, 0)))
    """
    for name, side in (("player on roll", on_roll), ("opponent", opponent)):
        if sum(side) > MAX_CHECKERS:
            raise PositionError(
                f"{_shown(text)} has {sum(side)} checkers for the {name}: a side has at most {MAX_CHECKERS}"
            )
        if side[MAX_POINTS]:
            raise PositionError(
                f"{_shown(text)} has {side[MAX_POINTS]} of the {name} on the bar: "
                "give a race, with no checker on the bar and no contact"
            )
    mine, theirs = Position(on_roll[:MAX_POINTS]), Position(opponent[:MAX_POINTS])
    _check_no_contact(mine, theirs, _shown(text))
    points = max(HOME_POINTS, mine.highest, theirs.highest)
    return mine.resized(points), theirs.resized(points)


def _check_no_contact(on_roll: Position, opponent: Position, shown: str) -> None:
    """Raise PositionError unless all checkers have passed each other.

    Examples
    --------
    >>> _check_no_contact(Position([0] * 11 + [15]), Position([0] * 11 + [15]), "midpoints")
    """
    mine, theirs = on_roll.highest, opponent.highest
    # My point p is the opponent's point 25 - p.
    if not mine or not theirs or mine + theirs < 25:
        return
    for point, n in enumerate(on_roll, 1):
        if n and 25 - point <= len(opponent) and opponent[24 - point]:
            raise PositionError(
                f"{shown}: both sides stand on point {point} of the player on roll: a point holds one side"
            )
    raise PositionError(
        f"{shown}: the sides still have contact, with checkers on point {mine} of the player on roll and {theirs} of "
        "the opponent: give a race, where these two add up to at most 24"
    )


def _decoded(identifier: str) -> int:
    """Bits of an unpadded base64 ID as a number, first bit lowest; -1 if bits are set beyond the last whole byte.

    Examples
    --------
    >>> _decoded("AQAA"), _decoded("AB")
    (1, -1)
    """
    raw = base64.b64decode(identifier + "=" * (-len(identifier) % 4))
    if base64.b64encode(raw).decode("ascii").rstrip("=") != identifier:
        return -1
    return int.from_bytes(raw, "little")


def _sides_from_position_id(identifier: str) -> tuple[list[int], list[int]]:
    """Read a position ID: counts on 24 points and the bar, of the player on roll and of the opponent.

    Examples
    --------
    >>> on_roll, opponent = _sides_from_position_id("GAAA+PoXAAAAAA")
    >>> on_roll[:6], opponent[:6]
    ([5, 1, 8, 1, 0, 0], [0, 0, 0, 2, 0, 0])
    """
    key = _decoded(identifier)
    # Splitting at the zeros leaves the runs of ones: 50 counts, and then nothing.
    runs = [len(run) for run in f"{max(key, 0):080b}"[::-1].split("0")]
    n_checkers = sum(runs)
    if n_checkers > 2 * MAX_CHECKERS:
        raise PositionError(
            f"{_shown(identifier)} has {n_checkers} checkers: a GNU position ID has at most {MAX_CHECKERS} a side"
        )
    if key < 0 or any(runs[50:]):
        raise PositionError(
            f"{_shown(identifier)} is no GNU position ID: it goes on after the last point, where all bits are 0; "
            "check its last characters"
        )
    return runs[25:50], runs[:25]


def _board_with_match_id(on_roll: Position, opponent: Position, match_id: str) -> Board:
    """Add to the two sides what a match ID tells.

    Examples
    --------
    >>> home = Position((1, 0, 0, 0, 0, 0))
    >>> board = _board_with_match_id(home, home, "QoklATAAKAAE")
    >>> board.roll, board.cube_value, board.cube, board.score, board.match_length
    ((3, 1), 4, 'theirs', (5, 3), 9)
    """
    key = _decoded(match_id)

    def field(start: int, length: int) -> int:
        return key >> start & (1 << length) - 1

    # Players are numbered 0 and 1.  Bit 6 is the player on roll, and stays so while a double or resignation is offered.
    player, owner = field(6, 1), field(4, 2)
    if owner == 2:
        raise PositionError(
            f"{_shown(match_id)} is no GNU match ID: it gives the cube to a third player; check its first characters"
        )
    scores = (field(36, 15), field(51, 15))
    return _board(
        _shown(match_id),
        (on_roll, opponent),
        dice=(field(15, 3), field(18, 3)),
        cube_value=1 << field(0, 4),
        cube="centered" if owner == 3 else "mine" if owner == player else "theirs",
        score=(scores[player], scores[1 - player]),
        match_length=field(21, 15),
        crawford=bool(field(7, 1)),
        jacoby=not field(66, 1),
    )


def _board_from_xgid(fields_text: str, text: str) -> Board:
    """Read an XGID; `fields_text` is `text` without its prefix.

    Examples
    --------
    >>> _board_from_xgid("-A----------------------a-:1:1:1:21:0:0:1:0:10", "example").cube
    'mine'
    """
    fields = fields_text.split(":")
    if len(fields) not in (9, 10):
        raise PositionError(
            f"{_shown(text)} has {len(fields)} fields, not an XGID's ten: give them as in "
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
            raise PositionError(f"{_shown(value)} as {name} field of the XGID {_shown(text)}: give {low} to {high}")
        numbers.append(int(value))
    cube_log, owner, turn, score_bottom, score_top, rules, match_length = numbers
    if not turn:
        raise PositionError(f"{_shown(text)} says that it is nobody's turn: give 1 or -1 as fourth field")
    if match_length and rules > 1:
        raise PositionError(f"{rules} as Crawford field of the XGID {_shown(text)}: give 0 or 1 for a match")

    dice = fields[4].upper()
    if not re.fullmatch("D|[0-6][0-6]", dice):
        raise PositionError(f'{_shown(fields[4])} as dice of the XGID {_shown(text)}: give two dice, "00" or "D"')
    bottom, top = _sides_from_xgid(fields[0], text)
    return _board(
        f"the XGID {_shown(text)}",
        _race(*((bottom, top) if turn == 1 else (top, bottom)), text),
        dice=(0, 0) if dice == "D" else (int(dice[0]), int(dice[1])),
        cube_value=1 << cube_log,
        cube="centered" if not owner else "mine" if owner == turn else "theirs",
        score=(score_bottom, score_top) if turn == 1 else (score_top, score_bottom),
        match_length=match_length,
        crawford=bool(rules & 1),
        jacoby=bool(rules & 1),
    )


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
            f"{_shown(text)} has a board of {len(board)} characters: give 26 in front of the first colon"
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
                f"{_shown(character)} at place {place} of the XGID {_shown(text)}: "
                "write A to O or a to o for 1 to 15 checkers of either side, - for none"
            )
    return bottom, top


def _board(
    shown: str,
    sides: tuple[Position, Position],
    *,
    dice: tuple[int, int],
    cube_value: int,
    cube: Literal["centered", "mine", "theirs"],
    score: tuple[int, int],
    match_length: int,
    crawford: bool,
    jacoby: bool,
) -> Board:
    """Check what an ID tells besides the checkers, and make the board.

    Examples
    --------
    >>> ace = Position((1, 0, 0, 0, 0, 0))
    >>> more = dict(cube_value=1, cube="centered", score=(4, 2), match_length=5, crawford=True, jacoby=True)
    >>> board = _board("example", (ace, ace), dice=(1, 3), **more)
    >>> board.roll, board.crawford, board.jacoby
    ((3, 1), True, None)
    """
    if dice != (0, 0) and not all(1 <= die <= 6 for die in dice):
        raise PositionError(f"{shown} has the dice {dice}: give 1 to 6, or twice 0 before the roll")
    if match_length and max(score) >= match_length:
        raise PositionError(
            f"{shown} has the score {score[0]} to {score[1]} in a match to {match_length}: "
            f"give scores below {match_length}"
        )
    return Board(
        *sides,
        roll=parse_roll(dice) if any(dice) else None,
        cube_value=cube_value,
        cube=cube,
        score=score,
        match_length=match_length,
        crawford=crawford and match_length > 1 and max(score) == match_length - 1,
        jacoby=None if match_length else jacoby,
    )
