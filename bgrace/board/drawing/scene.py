"""The contents of a drawing, and the geometry that text and SVG share.

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
from bgrace.board.game_state import GameState

ALL_POINTS: Final = 24
ALL_CHECKERS: Final = 15
COLUMNS: Final = 12
_MAX_NAME: Final = 21

OFF: Final = 0
"""The target of a checker that is borne off."""

Move = tuple[int, int]
"""From point, to point or `OFF`."""

Direction = Literal["right", "left"]
"""Where the player on roll bears off: to the right, as GNU Backgammon and eXtreme Gammon draw it, or to the left."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The contents of a drawing: each side from its own ace point, the game, the dice, and moves of the player on roll.

    A member that is None is not drawn, nor is the roll of the state.  Moves stand in an order in which they can be
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
        """Whether points 1 to 12 are enough: one side alone that has come so far.

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
    """Follow the moves of a scene, one after the other; of equal ones, the uppermost checker comes to lie uppermost.

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
    """A name that has room beside a board.

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
    return pips_words(side) + (f", {say('drawn.off', n=n_off)}" if n_off else "")


def roll_words(roll: tuple[int, int]) -> str:
    """Write a roll.

    Examples
    --------
    >>> roll_words((3, 1))
    '3-1'
    """
    return f"{roll[0]}-{roll[1]}"


def score_words(state: GameState, side: int) -> str:
    """Write the score of a side, 0 for the player on roll; empty if there is nothing to tell.

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
    """Write what is played for; empty if it is not known.

    Examples
    --------
    >>> stakes_words(GameState(jacoby=True, beavers=True)), stakes_words(GameState(match_length=5))
    ('money, Jacoby, beavers', 'match to 5')
    >>> stakes_words(GameState(score=(4, 0), match_length=5, crawford=True)), stakes_words(GameState())
    ('match to 5, Crawford game', '')
    """
    if state.match_length:
        return say("drawn.match", length=state.match_length) + (f", {say('drawn.crawford')}" if state.crawford else "")
    if state.jacoby is None and state.beavers is None:
        return ""
    rules = [name for name in ("jacoby", "beavers") if getattr(state, name)]
    return ", ".join(say(f"drawn.{name}") for name in ("money", *rules))


def figure_html(drawing: str, *lines: str, as_code: bool = False) -> str:
    """Put lines of text below a drawing; code, such as IDs, is there to be copied.

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
