"""A board as text, like GNU Backgammon's, at most 80 columns wide."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bgrace._base.language import say
from bgrace.board.drawing.scene import (
    ALL_CHECKERS,
    COLUMNS,
    OFF,
    Direction,
    Scene,
    clipped,
    column_of,
    points_of_row,
    roll_words,
    score_words,
    side_words,
    stakes_words,
)

_ROWS: Final = 5
"""Checkers that stand on top of each other; a higher stack ends in its number."""

_WIDTH: Final = 51
"""Columns of the board; the text beside it begins two columns further on."""

_WALLS: Final[dict[Direction, tuple[int, ...]]] = {"right": (0, 20, 24, 44, 50), "left": (0, 6, 26, 30, 50)}
"""Columns of the lines that go down: the frame, the bar, and the tray on the side where checkers are borne off."""

_TRAYS: Final[dict[Direction, int]] = {"right": 46, "left": 2}
"""First column of what lies in the trays: three checkers a row."""

_CHECKERS: Final = "OX"
"""Letters of the opponent and of the player on roll."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """Characters to draw lines with; corners and heads go from left to right.

    An arrow above or below the board begins with one of two characters, if it goes left and if it goes right.
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
    """Lines of text of equal width, drawn on character by character.

    Examples
    --------
    >>> canvas = _Canvas(2, 5)
    >>> canvas.write(1, 2, "abc")
    >>> canvas.lines()
    ['', '  abc']
    """

    def __init__(self, height: int, width: int) -> None:
        self._rows = [[" "] * width for _ in range(height)]

    def write(self, row: int, column: int, text: str) -> None:
        """Put text on a row."""
        self._rows[row][column : column + len(text)] = text

    def lines(self) -> list[str]:
        """The rows, without blanks at their ends."""
        return ["".join(row).rstrip() for row in self._rows]


def scene_text(scene: Scene, direction: Direction = "right", *, ascii_only: bool = False) -> str:
    """Draw a scene as text: `bgrace.board.draw.board_text` says how.

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
    """Draw the board, and write beside it what is known of the game."""
    half_only = scene.lower_half_only
    last = _ROWS + 1 if half_only else 2 * _ROWS + 2
    canvas = _Canvas(last + 1, 80)
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
    for row, line in _told(scene, last):
        canvas.write(row, _WIDTH + 2, line)
    return canvas.lines()


def _column(point: int, direction: Direction) -> int:
    """Find the column of text that the checkers of a point stand in; `OFF` is the middle of the tray.

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


def _told(scene: Scene, last: int) -> list[tuple[int, str]]:
    """List what is written beside the board, and on which row: opponent at the top, player on roll at the bottom.

    Examples
    --------
    >>> _told(Scene((1,), (0, 1), roll=(3, 1)), 12)
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
        mine += [say("drawn.rolled", roll=roll_words(scene.roll))]
    mine, theirs, middle = ([word for word in words if word] for words in (mine, theirs, middle))
    if scene.lower_half_only:
        return [(last - 1 - row, words) for row, words in enumerate(mine)]
    return [
        *enumerate(theirs),
        *enumerate(middle, _ROWS + 1),
        *((last - row, mine[row]) for row in range(len(mine) - 1, -1, -1)),
    ]


def _arrows(scene: Scene, direction: Direction, lines: _Lines) -> tuple[list[str], list[str]]:
    """Draw a line for each different move, above the board or below it; one that comes round the bend has both."""
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
    """Draw one line from a column to another, with a head unless it goes on, and the move beside the board.

    Examples
    --------
    >>> _arrow(3, 8, _ASCII, _ASCII.below, "6/5").split()
    ['`---->', '6/5']
    """
    canvas = _Canvas(1, 80)
    canvas.write(0, min(first, last), lines.across * (abs(last - first) + 1))
    right = last > first
    if tail:
        canvas.write(0, first, turns[right])
    if head:
        canvas.write(0, last, lines.heads[right])
    canvas.write(0, _WIDTH + 2, words)
    return canvas.lines()[0]
