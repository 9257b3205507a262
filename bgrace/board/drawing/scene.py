"""The contents of a drawing, the geometry that text and SVG share, and boards drawn as text.

The player on roll sits at the bottom, and points have that player's numbers.  A board has twelve columns, six on either
side of the bar; points 1 to 12 are in the lower half, 13 to 24 in the upper, and the trays of checkers borne off lie
beside the home boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final, Literal

from bgrace._base.language import fill, say
from bgrace.board.drawing import OFF, Move
from bgrace.board.game_state import GameState

ALL_POINTS: Final = 24
ALL_CHECKERS: Final = 15
COLUMNS: Final = 12
_MAX_NAME: Final = 21

Direction = Literal["right", "left"]
"""Where the player on roll bears off: to the right, as GNU Backgammon and eXtreme Gammon draw it, or to the left."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The contents of a drawing: each side from its own ace point, the game, the dice, and moves of the player on roll.

    A member that is None is not drawn; the roll of the state never is.  Moves are in an order in which they can be
    played.  The names are those of the player on roll and of the opponent.
    """

    on_roll: Sequence[int]
    opponent: Sequence[int] | None = None
    state: GameState | None = None
    roll: tuple[int, int] | None = None
    moves: tuple[Move, ...] = ()
    names: tuple[str, str] | None = None

    @property
    def lower_half_only(self) -> bool:
        """Whether points 1 to 12 are enough: for one side alone with no checker beyond.

        Examples
        --------
        >>> Scene((1,)).lower_half_only, Scene((1,), (1,)).lower_half_only
        (True, False)
        """
        return self.opponent is None and not any(self.on_roll[COLUMNS:])

    def point(self, point: int) -> tuple[int, bool]:
        """Find how many checkers stand on a point, and whether they are those of the player on roll.

        Examples
        --------
        >>> Scene((0, 2), (3,)).point(2), Scene((0, 2), (3,)).point(24)
        ((2, True), (3, False))
        """
        mine = self.on_roll[point - 1] if point <= len(self.on_roll) else 0
        mirrored = ALL_POINTS - point
        if mine or self.opponent is None or mirrored >= len(self.opponent):
            return mine, True
        return self.opponent[mirrored], False


def flights(scene: Scene) -> list[tuple[int, int, int, int]]:
    """Follow the moves of a scene in order; of equal moves, the uppermost checker ends uppermost.

    Returns
    -------
    list of (int, int, int, int)
        Point and slot where each starts, point (or `OFF`) and slot where it ends.  A checker's slot is its place in the
        stack, 0 for the one at the edge of the board.

    Examples
    --------
    >>> flights(Scene((0, 1, 0, 0, 0, 2), moves=((6, 2), (2, 0))))
    [(6, 1, 2, 1), (2, 1, 0, 12)]
    >>> [(start_slot, end_slot) for _, start_slot, _, end_slot in flights(Scene((0, 0, 3), moves=((3, 1), (3, 1))))]
    [(2, 1), (1, 0)]
    """
    counts = [ALL_CHECKERS - sum(scene.on_roll), *scene.on_roll]
    arrows = []
    for (start, end), equal in groupby(scene.moves):
        number = len(list(equal))
        for k in range(number):
            arrows.append((start, counts[start] - 1 - k, end, counts[end] + number - 1 - k))
        counts[start] -= number
        counts[end] += number
    return arrows


def column_of(point: int, direction: Direction) -> int:
    """Find the column of a point, 0 for the leftmost.

    Examples
    --------
    >>> column_of(1, "right"), column_of(24, "right"), column_of(12, "right"), column_of(1, "left")
    (11, 11, 0, 0)
    """
    from_home = point - 1 if point <= COLUMNS else ALL_POINTS - point
    return from_home if direction == "left" else COLUMNS - 1 - from_home


def points_of_row(upper: bool, direction: Direction) -> list[int]:
    """List the points of a half of the board, from left to right.

    Examples
    --------
    >>> points_of_row(False, "left")[:3], points_of_row(True, "right")[:3]
    ([1, 2, 3], [13, 14, 15])
    """
    points = range(COLUMNS + 1, ALL_POINTS + 1) if upper else range(1, COLUMNS + 1)
    return sorted(points, key=lambda point: column_of(point, direction))


def clipped(name: str) -> str:
    """Cut a name to the room beside a board.

    Examples
    --------
    >>> clipped("North"), clipped("A name that is longer than the board is")
    ('North', 'A name that is longe…')
    """
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"


def pips_words(side: Sequence[int]) -> str:
    """Write the pip count of a side.

    Examples
    --------
    >>> pips_words((1,)), pips_words((1, 2))
    ('1 pip', '5 pips')
    """
    pips = sum(point * n for point, n in enumerate(side, 1))
    return fill("{n:pips}", {"n": pips})


def side_words(side: Sequence[int]) -> str:
    """Write the pip count of a side, and how many checkers it has borne off.

    Examples
    --------
    >>> side_words((1,) * 15), side_words((0, 1))
    ('120 pips', '2 pips, 14 off')
    """
    n_off = ALL_CHECKERS - sum(side)
    off = [say("drawn.off", n=n_off)] if n_off else []
    return say("phrases.comma").join([pips_words(side), *off])


def score_words(state: GameState, side: int) -> str:
    """Write the score of a side, 0 for the player on roll; empty for money if no points are won yet.

    Examples
    --------
    >>> score_words(GameState(score=(4, 2), match_length=7), 0), score_words(GameState(score=(0, 3)), 1)
    ('3-away, 4 of 7', '3 points won')
    """
    points = state.score[side]
    if state.away is not None:
        return say("drawn.away", away=state.away[side], points=points, length=state.match_length)
    if not any(state.score):
        return ""
    return say("drawn.won", points=points)


def stakes_words(state: GameState) -> str:
    """Write the match length, or the rules of money; empty if they are unknown.

    Examples
    --------
    >>> stakes_words(GameState(jacoby=True, beavers=True)), stakes_words(GameState(match_length=5))
    ('money, Jacoby, beavers', 'match to 5')
    >>> stakes_words(GameState(score=(4, 0), match_length=5, crawford=True)), stakes_words(GameState())
    ('match to 5, Crawford game', '')
    """
    if state.match_length:
        crawford = [say("drawn.crawford")] if state.crawford else []
        return say("phrases.comma").join([say("drawn.match", length=state.match_length), *crawford])
    if state.jacoby is None and state.beavers is None:
        return ""
    rules = [name for name in ("jacoby", "beavers") if getattr(state, name)]
    return say("phrases.comma").join(say(f"drawn.{name}") for name in ("money", *rules))


def figure_html(drawing: str, *lines: str, as_code: bool = False) -> str:
    """Put lines of text below a drawing; `as_code` is for text to copy, such as IDs.

    Examples
    --------
    >>> figure_html("<svg/>", "a < b")
    '<figure class="bgrace"><svg/><figcaption>a &lt; b</figcaption></figure>'
    >>> figure_html("", "XGID=--", as_code=True)
    '<figure class="bgrace"><figcaption><code>XGID=--</code></figcaption></figure>'
    """
    words = [escape(line) for line in lines if line]
    below = "<br>".join(f"<code>{line}</code>" for line in words) if as_code else "<br>".join(words)
    caption = f"<figcaption>{below}</figcaption>" if below else ""
    return f'<figure class="bgrace">{drawing}{caption}</figure>'


_ROWS: Final = 5
"""Checkers that stand on top of each other; a higher stack ends in its number."""

_WIDTH: Final = 51
"""Columns of the board; the text beside it begins two columns further on."""

_WALLS: Final[dict[Direction, tuple[int, ...]]] = {"right": (0, 20, 24, 44, 50), "left": (0, 6, 26, 30, 50)}
"""Columns of the vertical lines: the frame, the bar, and the tray on the side where checkers are borne off."""

_TRAYS: Final[dict[Direction, int]] = {"right": 46, "left": 2}
"""First column of the checkers in the trays, three in a row."""

_CHECKERS: Final = "OX"
"""Letters of the opponent and of the player on roll."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """Characters to draw lines with; corners and heads go from left to right.

    An arrow above or below the board begins with the first of two characters if it goes left, else with the second.
    """

    across: str
    down: str
    top: str
    bottom: str
    heads: str
    above: str
    below: str


_DRAWN: Final = _Lines("─", "│", "┌┬┐", "└┴┘", "◄►", "┐┌", "┘└")
_ASCII: Final = _Lines("-", "|", "+++", "+++", "<>", "..", "'`")


class _Canvas:
    """Lines of text of 80 characters, drawn on character by character.

    Examples
    --------
    >>> canvas = _Canvas(2)
    >>> canvas.write(1, 2, "abc")
    >>> canvas.lines()
    ['', '  abc']
    """

    def __init__(self, height: int) -> None:
        self._rows = [[" "] * 80 for _ in range(height)]

    def write(self, row: int, column: int, text: str) -> None:
        """Put text on a row."""
        self._rows[row][column : column + len(text)] = text

    def lines(self) -> list[str]:
        """The rows, without blanks at their ends."""
        return ["".join(row).rstrip() for row in self._rows]


def scene_text(scene: Scene, direction: Direction = "right", *, ascii_only: bool = False) -> str:
    """Draw a scene as text, as described for `bgrace.board.draw.board_text`.

    Examples
    --------
    >>> print(scene_text(Scene((0, 7, 1, 0, 0, 1), moves=((6, 3),)), ascii_only=True))
    +-------------------+---+-------------------+-----+
    |                   |   |              7    |     |
    |                   |   |              X    |     |
    |                   |   |              X    |     |
    |                   |   |              X    | XXX |
    |                   |   |  X        X  X    | XXX |  X  23 pips, 6 off
    +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+-----+
                               `-------->                6/3
    """
    lines = _ASCII if ascii_only else _DRAWN
    above, below = _arrows(scene, direction, lines)
    return "\n".join([*above, *_board(scene, direction, lines), *below])


def _board(scene: Scene, direction: Direction, lines: _Lines) -> list[str]:
    """Draw the board, and write the known facts of the game beside it."""
    half_only = scene.lower_half_only
    last = _ROWS + 1 if half_only else 2 * _ROWS + 2
    canvas = _Canvas(last + 1)
    walls = _WALLS[direction]
    for row in range(last + 1):
        if row in (0, last):
            left, inside, right = tuple(lines.bottom if row else lines.top)
            canvas.write(row, 0, left + lines.across * (_WIDTH - 2) + right)
        else:
            left = inside = right = lines.down
            canvas.write(row, _WIDTH - 1, right)
        for column in walls[:-1]:
            canvas.write(row, column, inside if column else left)
    for upper in (False,) if half_only else (True, False):
        edge, step = (0, 1) if upper else (last, -1)
        for point in points_of_row(upper, direction):
            column = _column(point, direction)
            canvas.write(edge, column - 1, f"{point:{lines.across}>2}")
            n, mine = scene.point(point)
            for slot in range(min(n, _ROWS)):
                is_number = slot == _ROWS - 1 and n > _ROWS
                text = f"{n:>2}" if is_number else f" {_CHECKERS[mine]}"
                canvas.write(edge + step * (slot + 1), column - 1, text)
        side = scene.opponent if upper else scene.on_roll
        n_off = 0 if side is None else ALL_CHECKERS - sum(side)
        for row in range(_ROWS):
            canvas.write(
                edge + step * (row + 1), _TRAYS[direction], _CHECKERS[not upper] * min(max(n_off - 3 * row, 0), 3)
            )
    if not half_only:
        canvas.write(_ROWS + 1, walls[1 if direction == "right" else 2] + 1, "BAR")
    for row, line in _text_beside(scene, last):
        canvas.write(row, _WIDTH + 2, line)
    return canvas.lines()


def _column(point: int, direction: Direction) -> int:
    """Find the column of text for the checkers of a point; `OFF` is the middle of the tray.

    Examples
    --------
    >>> _column(12, "right"), _column(6, "right"), _column(1, "left"), _column(OFF, "left")
    (3, 27, 9, 3)
    """
    if point == OFF:
        return _TRAYS[direction] + 1
    column = column_of(point, direction)
    board = _WALLS[direction][direction == "left"]
    return board + 3 + 3 * column + (6 if column >= COLUMNS // 2 else 0)


def _text_beside(scene: Scene, last: int) -> list[tuple[int, str]]:
    """List the text beside the board by row: the opponent's at the top, that of the player on roll at the bottom.

    Examples
    --------
    >>> _text_beside(Scene((1,), (0, 1), roll=(3, 1)), 12)
    [(0, 'O  2 pips, 14 off'), (11, 'rolled 3-1'), (12, 'X  1 pip, 14 off')]
    """
    state = scene.state
    mine, theirs, middle = [f"{_CHECKERS[True]}  {side_words(scene.on_roll)}"], [], []
    if scene.opponent is not None:
        theirs = [f"{_CHECKERS[False]}  {side_words(scene.opponent)}"]
    if scene.names is not None and scene.opponent is not None:
        mine, theirs = ([*words, clipped(name)] for words, name in zip((mine, theirs), scene.names, strict=True))
    if state is not None:
        mine += [score_words(state, 0)]
        theirs += [score_words(state, 1)]
        cube = say(f"drawn.{'middle' if state.cube == 'centered' else 'cube'}", value=state.cube_value)
        if state.double_offered:
            middle = [say("drawn.doubles", value=2 * state.cube_value)]
        elif not state.crawford:
            {"mine": mine, "theirs": theirs, "centered": middle}[state.cube].append(cube)
        middle += [stakes_words(state)]
    if scene.roll is not None:
        mine += [say("drawn.rolled", roll="-".join(map(str, scene.roll)))]
    mine, theirs, middle = ([word for word in words if word] for words in (mine, theirs, middle))
    if scene.lower_half_only:
        return [(last - 1 - row, words) for row, words in enumerate(mine)]
    return [
        *enumerate(theirs),
        *enumerate(middle, _ROWS + 1),
        *((last - row, mine[row]) for row in range(len(mine) - 1, -1, -1)),
    ]


def _arrows(scene: Scene, direction: Direction, lines: _Lines) -> tuple[list[str], list[str]]:
    """Draw a line for each different move, above or below the board; a move from half to half has two lines."""
    above: list[str] = []
    below: list[str] = []
    bend = 0 if direction == "right" else _WIDTH - 1
    for (start, end), equal in groupby(scene.moves):
        number = len(list(equal))
        words = f"{start}/{end or 'off'}" + (f"({number})" if number > 1 else "")
        first, last = _column(start, direction), _column(end, direction)
        if start <= COLUMNS:
            below.append(_arrow(first, last, lines, lines.below, words))
        elif end > COLUMNS:
            above.append(_arrow(first, last, lines, lines.above, words))
        else:
            above.append(_arrow(first, bend, lines, lines.above, words, head=False))
            below.append(_arrow(bend, last, lines, lines.below, words, tail=False))
    return above, below


def _arrow(
    first: int, last: int, lines: _Lines, turns: str, words: str, *, head: bool = True, tail: bool = True
) -> str:
    """Draw a line from one column to another, with a head unless it goes on, and write the move beside the board.

    Examples
    --------
    >>> _arrow(3, 8, _ASCII, _ASCII.below, "6/5").split()
    ['`---->', '6/5']
    """
    canvas = _Canvas(1)
    canvas.write(0, min(first, last), lines.across * (abs(last - first) + 1))
    right = last > first
    if tail:
        canvas.write(0, first, turns[right])
    if head:
        canvas.write(0, last, lines.heads[right])
    canvas.write(0, _WIDTH + 2, words)
    return canvas.lines()[0]
