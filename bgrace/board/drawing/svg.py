"""Draw a board as SVG: text stays text, no other file is needed, and the same board gives the same bytes.

Colours are CSS variables with fallbacks, so that a page can set its own; programs that do not know variables show the
fallbacks.  A screen that prefers dark colours gets them; print is always light.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import hypot
from typing import Final, Literal, get_args

from bgrace._base.arrays import as_choice
from bgrace._base.language import say
from bgrace.board.drawing import OFF
from bgrace.board.drawing.scene import (
    ALL_CHECKERS,
    ALL_POINTS,
    COLUMNS,
    Direction,
    Scene,
    clipped,
    column_of,
    flights,
    pips_words,
    points_of_row,
    score_words,
    side_words,
    stakes_words,
)

ColourScheme = Literal["auto", "light", "dark"]
"""Colours: as the reader's screen prefers, or always light or dark."""

_COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "paper": ("#ffffff", "#16191d"),
    "ink": ("#22262b", "#ebe8e1"),
    "muted": ("#6a6459", "#a39d91"),
    "line": ("#6f6250", "#8b8577"),
    "field": ("#f4efe5", "#33373c"),
    "tray": ("#e9e1d2", "#282c31"),
    "point-a": ("#dfd3bd", "#474b50"),
    "point-b": ("#bfae93", "#63645f"),
    "mine": ("#2c3138", "#101215"),
    "mine-edge": ("#15181c", "#b9b4a8"),
    "mine-ring": ("#59616d", "#4b5058"),
    "mine-ink": ("#ffffff", "#ffffff"),
    "theirs": ("#fffdf9", "#eee9df"),
    "theirs-edge": ("#4d4537", "#0b0c0e"),
    "theirs-ring": ("#d5cbb9", "#bdb5a5"),
    "theirs-ink": ("#22262b", "#16191d"),
    "accent": ("#c23b16", "#ff8552"),
    "halo": ("#ffffff", "#16191d"),
}
"""Colours by name: on a light screen or on paper, and on a dark screen."""

_PAINTS: Final[Mapping[str, Mapping[str, str]]] = {
    "paper": {"fill": "paper"},
    "field": {"fill": "field"},
    "tray": {"fill": "tray"},
    "frame": {"stroke": "line"},
    "a": {"fill": "point-a"},
    "b": {"fill": "point-b"},
    "mine": {"fill": "mine", "stroke": "mine-edge"},
    "theirs": {"fill": "theirs", "stroke": "theirs-edge"},
    "mine-ring": {"stroke": "mine-ring"},
    "theirs-ring": {"stroke": "theirs-ring"},
    "mine-ink": {"fill": "mine-ink"},
    "theirs-ink": {"fill": "theirs-ink"},
    "number": {"fill": "muted"},
    "note": {"fill": "muted"},
    "name": {"fill": "ink"},
    "landing": {"stroke": "accent"},
    "halo": {"stroke": "halo"},
    "arrow": {"stroke": "accent"},
    "head": {"fill": "accent"},
}
"""Colours of each class of elements."""

_FORMS: Final = (
    ("text", 'font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;font-size:13px'),
    (".frame,.mine-ring,.theirs-ring,.landing,.halo,.arrow", "fill:none"),
    (".frame", "stroke-width:1.5"),
    (".number", "font-size:11px;text-anchor:middle"),
    (".name,.caption,.value", "font-weight:600"),
    (".caption", "font-size:14px"),
    (".value", "font-size:16px;text-anchor:middle"),
    (".end", "text-anchor:end"),
    (".landing", "stroke-width:1.5;stroke-dasharray:3 2.5"),
    (".arrow", "stroke-width:2.6;stroke-linecap:round"),
    (".halo", "stroke-width:5.4;stroke-linecap:round;stroke-opacity:.75"),
)

_MARGIN: Final = 12.0
_TRAY: Final = 46.0
_POINT: Final = 38.0
_BAR: Final = 34.0
_HALF_WIDTH: Final = COLUMNS // 2 * _POINT
_INNER_WIDTH: Final = 2 * _TRAY + 2 * _HALF_WIDTH + _BAR
_RADIUS: Final = 17.0
_PITCH: Final = 35.0
_STACK: Final = 5
"""Largest stack whose checkers do not overlap; larger ones are pushed together into the same height."""
_HALF_HEIGHT: Final = _STACK * _PITCH + 8
_GAP: Final = 46.0
"""Distance of the halves: room for the dice."""
_TIP: Final = 160.0
_NUMBERS: Final = 19.0
_WORDS: Final = 30.0
_LINE: Final = 20.0
_LETTER: Final = 8.8
"""Width of a letter of the caption in the widest font that readers are likely to have."""
_SLICE: Final = 11.0
"""Height of a checker in the tray, seen from the side."""
_CUBE: Final = 34.0
_DIE: Final = 32.0
_PIPS: Final[Mapping[int, Sequence[tuple[int, int]]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def board_css(scheme: ColourScheme = "auto") -> str:
    """Write the style sheet of the drawings, for a page that has it once instead of in every drawing.

    Each colour is a variable, ``--bgrace-paper``, ``--bgrace-mine``, ..., with a fallback.

    Parameters
    ----------
    scheme : {"auto", "light", "dark"}
        The fallbacks.

    Raises
    ------
    ArgumentError
        If `scheme` is none of these.

    Examples
    --------
    >>> [rule for rule in board_css("light").splitlines() if ".landing{stroke:" in rule]
    ['.bgrace-board.light .landing{stroke:#c23b16;stroke:var(--bgrace-accent,#c23b16)}']
    """
    root = f".bgrace-board.{as_choice('scheme', scheme, get_args(ColourScheme))}"
    rules = [
        f"{','.join(f'{root} {each}' for each in selector.split(','))}{{{declared}}}" for selector, declared in _FORMS
    ]
    rules.insert(0, f"{root}{{max-width:100%;height:auto}}")
    rules += _colour_rules(root, dark=scheme == "dark")
    if scheme == "auto":
        rules += ["@media screen and (prefers-color-scheme:dark){", *_colour_rules(root, dark=True), "}"]
    return "\n".join(rules)


def _colour_rules(root: str, *, dark: bool) -> list[str]:
    """Write one rule for each class; programs that do not know variables use the plain colour in front."""

    def declared(what: str, key: str) -> str:
        colour = _COLOURS[key][dark]
        return f"{what}:{colour};{what}:var(--bgrace-{key},{colour})"

    return [
        f"{root} .{name}{{{';'.join(declared(what, key) for what, key in paint.items())}}}"
        for name, paint in _PAINTS.items()
    ]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The geometry of a drawing: its halves and boards, and their inner edges."""

    direction: Direction
    upper: bool
    outer: bool
    top: float
    bottom: float

    @property
    def left(self) -> float:
        """Left inner edge of the drawing, in the coordinates of the whole board."""
        return 0.0 if self.outer or self.direction == "left" else _TRAY + _HALF_WIDTH + _BAR

    @property
    def right(self) -> float:
        """Right inner edge of the drawing."""
        return _INNER_WIDTH if self.outer or self.direction == "right" else _TRAY + _HALF_WIDTH

    @property
    def tray(self) -> float:
        """Left edge of the tray where checkers are borne off."""
        return _INNER_WIDTH - _TRAY if self.direction == "right" else 0.0

    def x(self, point: int) -> float:
        """Horizontal middle of a point, or of the tray."""
        if point == OFF:
            return self.tray + _TRAY / 2
        column = column_of(point, self.direction)
        return _TRAY + (column + 0.5) * _POINT + (_BAR if column >= COLUMNS // 2 else 0)

    def y(self, upper: bool, distance: float) -> float:
        """Vertical coordinate of a place at a distance from the edge of a half."""
        return self.top + distance if upper else self.bottom - distance

    def checker(self, point: int, slot: int, n: int) -> tuple[float, float]:
        """Middle of a checker in a stack of `n`; slots beyond lie on top of the stack."""
        if point == OFF:
            return self.x(OFF), self.y(False, 4 + (slot + 0.5) * _SLICE)
        pitch = min(_PITCH, (_STACK - 1) * _PITCH / max(n - 1, 1))
        distance = 1 + _RADIUS + slot * pitch
        return self.x(point), self.y(point > COLUMNS, min(distance, 1 + _RADIUS + (_STACK - 0.5) * _PITCH))


def scene_svg(
    scene: Scene,
    direction: Direction = "right",
    *,
    scheme: ColourScheme = "auto",
    caption: str = "",
    with_style: bool = True,
) -> str:
    """Draw a scene as SVG.

    Examples
    --------
    >>> drawing = scene_svg(Scene((0, 2)))
    >>> drawing[:4], drawing.count('class="checker mine"'), drawing.count('class="off mine"')
    ('<svg', 2, 13)
    """
    as_choice("scheme", scheme, get_args(ColourScheme))
    wide = any(scene.on_roll[COLUMNS // 2 :]) or scene.opponent is not None or scene.state is not None
    upper = not scene.lower_half_only
    # Words above the board are those of the opponent.
    above = (_WORDS if scene.opponent is not None else 8.0) + (_NUMBERS if upper else 0.0)
    bottom = above + (2 * _HALF_HEIGHT + _GAP if upper else _HALF_HEIGHT + (_GAP if scene.roll else 6.0))
    layout = _Layout(direction, upper, wide, above, bottom)
    notes = _notes(scene, caption, layout.right - layout.left)
    height = bottom + _NUMBERS + _WORDS + _LINE * len(notes) + 2
    parts = [
        _board(layout),
        *(_stack(scene, layout, point) for point in range(1, ALL_POINTS + 1)),
        *_borne_off(scene, layout),
        *_cube(scene, layout),
        *_dice(scene, layout),
        *_play(scene, layout),
        *_words(scene, layout),
        *(
            _text(layout.left, bottom + _NUMBERS + _WORDS + _LINE * k + 6, words, kind)
            for k, (words, kind) in enumerate(notes)
        ),
    ]
    title, description = _title_and_description(scene)
    width = layout.right - layout.left + 2 * _MARGIN
    view = f"{_n(layout.left - _MARGIN)} 0 {_n(width)} {_n(height)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bgrace-board {scheme}" role="img"'
        f' viewBox="{view}" width="{_n(width)}" height="{_n(height)}">',
        f"<title>{_safe(title)}</title>",
        f"<desc>{_safe(description)}</desc>",
        *([f"<style>\n{board_css(scheme)}\n</style>"] if with_style else []),
        _rect(layout.left - _MARGIN, 0, width, height, "paper", 6),
        *(part for part in parts if part),
        "</svg>",
    ]
    return "\n".join(lines)


def _n(number: float) -> str:
    """Write a coordinate, to a tenth.

    Examples
    --------
    >>> _n(12.0), _n(3.14), _n(-0.01)
    ('12', '3.1', '0')
    """
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")


def _safe(text: str) -> str:
    r"""Escape text for XML; characters that XML cannot have become question marks.

    Examples
    --------
    >>> _safe("a < b & c\x00")
    'a &lt; b &amp; c?'
    """
    return escape("".join(c if c.isprintable() and not "\ud800" <= c <= "\udfff" else "?" for c in text), quote=False)


def _rect(x: float, y: float, width: float, height: float, kind: str, corner: float = 0) -> str:
    rounded = f' rx="{_n(corner)}"' if corner else ""
    return f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{rounded}/>'


def _circle(x: float, y: float, radius: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"/>'


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}">{_safe(words)}</text>' if words else ""


def _path(points: str, kind: str) -> str:
    return f'<path class="{kind}" d="{points}"/>'


def _board(layout: _Layout) -> str:
    """The board without checkers: field, trays, bar, points and their numbers."""
    height = layout.bottom - layout.top
    parts = [_rect(layout.left, layout.top, layout.right - layout.left, height, "tray", 3)]
    homes = (_TRAY, _TRAY + _HALF_WIDTH + _BAR)
    fields = homes if layout.outer else (homes[layout.direction == "right"],)
    parts += [_rect(x, layout.top, _HALF_WIDTH, height, "field") for x in fields]
    numbers = []
    for upper in (True, False) if layout.upper else (False,):
        for point in points_of_row(upper, layout.direction):
            if not layout.outer and point > COLUMNS // 2:
                continue
            x = layout.x(point)
            edge, tip = layout.y(upper, 0), layout.y(upper, _TIP)
            corners = f"M{_n(x - _POINT / 2)} {_n(edge)}h{_n(_POINT)}L{_n(x)} {_n(tip)}z"
            parts.append(_path(corners, "point " + "ab"[point % 2]))
            numbers.append(_text(x, layout.top - 6 if upper else layout.bottom + 14, str(point), "number"))
    parts += [_rect(x, layout.top, _HALF_WIDTH, height, "frame") for x in fields]
    parts.append(_rect(layout.left, layout.top, layout.right - layout.left, height, "frame", 3))
    return "\n".join(parts + numbers)


def _stack(scene: Scene, layout: _Layout, point: int) -> str:
    """The checkers of a point."""
    n, mine = scene.point(point)
    side = "mine" if mine else "theirs"
    parts = []
    for slot in range(n):
        x, y = layout.checker(point, slot, n)
        parts.append(_circle(x, y, _RADIUS, f"checker {side}"))
        # In stacks that are pushed together, only the topmost checker shows more than its edge.
        if n <= _STACK:
            parts.append(_circle(x, y, _RADIUS - 4.5, f"{side}-ring"))
        elif slot == n - 1:
            parts.append(_text(x, y + 5.5, str(n), f"value {side}-ink"))
    return "\n".join(parts)


def _borne_off(scene: Scene, layout: _Layout) -> Iterable[str]:
    """The checkers in the trays, seen from the side."""
    for side, upper, kind in ((scene.on_roll, False, "off mine"), (scene.opponent, True, "off theirs")):
        if side is None:
            continue
        for slot in range(ALL_CHECKERS - sum(side)):
            y = layout.y(upper, 4 + slot * _SLICE)
            yield _rect(layout.tray + 5, y if upper else y - _SLICE + 1, _TRAY - 10, _SLICE - 1, kind, 2)


def _cube(scene: Scene, layout: _Layout) -> Iterable[str]:
    """The doubling cube: beside the board, or on it if a double is offered; none in a Crawford game."""
    state = scene.state
    if state is None or state.crawford:
        return
    left_to_right = layout.direction == "right"
    x = _TRAY / 2 if left_to_right else _INNER_WIDTH - _TRAY / 2
    y = {
        "centered": (layout.top + layout.bottom) / 2,
        "mine": layout.bottom - _CUBE / 2 - 6,
        "theirs": layout.top + _CUBE / 2 + 6,
    }[state.cube]
    value = state.cube_value
    if state.double_offered:
        value *= 2
        x = _TRAY + _HALF_WIDTH / 2 + (0 if left_to_right else _HALF_WIDTH + _BAR)
        y = (layout.top + layout.bottom) / 2
    yield _rect(x - _CUBE / 2, y - _CUBE / 2, _CUBE, _CUBE, "cube theirs", 5)
    yield _text(x, y + 5.5, str(value), "value theirs-ink")


def _dice(scene: Scene, layout: _Layout) -> Iterable[str]:
    """The dice of the player on roll, on the side of the home boards."""
    if scene.roll is None:
        return
    home = _TRAY + (_HALF_WIDTH + _BAR if layout.direction == "right" else 0) + _HALF_WIDTH / 2
    y = (layout.top + layout.bottom) / 2 if layout.upper else layout.top + _GAP / 2
    for k, die in enumerate(scene.roll):
        x = home + (k - 0.5) * (_DIE + 10)
        yield _rect(x - _DIE / 2, y - _DIE / 2, _DIE, _DIE, "die mine", 6)
        for across, down in _PIPS[die]:
            yield _circle(x + across * 8, y + down * 8, 2.9, "pip mine-ink")


def _play(scene: Scene, layout: _Layout) -> Iterable[str]:
    """One curved arrow for each move, from the checker to its new place."""
    standing = {point: scene.point(point)[0] for point in range(1, ALL_POINTS + 1)}
    landings, arrows = [], []
    for start, start_slot, end, end_slot in flights(scene):
        x, y = layout.checker(start, start_slot, max(standing[start], start_slot + 1))
        to_x, to_y = layout.checker(end, end_slot, max(standing.get(end, 0), 1))
        if end != OFF:
            landings.append(_circle(to_x, to_y, _RADIUS - 1, "landing"))
        else:
            landings.append(_rect(layout.tray + 5, to_y - _SLICE / 2, _TRAY - 10, _SLICE - 1, "landing", 2))
        arrows += _arrow((x, y), (to_x, to_y), _bend(layout, start, end, (x, y), (to_x, to_y)))
    return [*landings, *arrows]


def _bend(
    layout: _Layout, start: int, end: int, tail: tuple[float, float], head: tuple[float, float]
) -> tuple[float, float]:
    """The point that an arrow bends to: the middle of the board, or the side for a move from one half to the other."""
    x, y = (tail[0] + head[0]) / 2, (tail[1] + head[1]) / 2
    if (start > COLUMNS) != (end > COLUMNS):
        outwards = -1 if layout.direction == "right" else 1
        return x - outwards * (30 + 0.1 * abs(tail[0] - head[0])), y
    lift = 26 + 0.22 * abs(tail[0] - head[0])
    return (x, max(tail[1], head[1]) + lift) if start > COLUMNS else (x, min(tail[1], head[1]) - lift)


def _arrow(tail: tuple[float, float], head: tuple[float, float], bend: tuple[float, float]) -> list[str]:
    """A curve with a head, on a halo that separates it from the checkers."""
    across, down = head[0] - bend[0], head[1] - bend[1]
    length = hypot(across, down) or 1.0
    across, down = across / length, down / length
    neck = head[0] - 9 * across, head[1] - 9 * down
    curve = f"M{_n(tail[0])} {_n(tail[1])}Q{_n(bend[0])} {_n(bend[1])} {_n(neck[0])} {_n(neck[1])}"
    wings = [(neck[0] + side * 5.5 * down, neck[1] - side * 5.5 * across) for side in (1, -1)]
    tip = head[0] + 3 * across, head[1] + 3 * down
    arrowhead = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in (tip, *wings)) + "z"
    return [
        _path(curve, "halo"),
        _path(curve, "arrow"),
        _path(arrowhead, "head"),
        _circle(tail[0], tail[1], 3.4, "head"),
    ]


def _words(scene: Scene, layout: _Layout) -> Iterable[str]:
    """The pips of both sides, above and below the board, and the score."""
    given = scene.names
    names = (say("drawn.on_roll"), say("drawn.opponent")) if given is None else tuple(clipped(name) for name in given)
    sides = ((scene.on_roll, "mine", names[0]), (scene.opponent, "theirs", names[1]))
    for number, (side, kind, name) in enumerate(sides):
        if side is None:
            continue
        y = layout.top - (_NUMBERS + 9) if number else layout.bottom + _NUMBERS + 19
        words = side_words(side)
        if scene.opponent is None:
            yield _text(layout.left, y, words, "name")
        else:
            # One text, so that the two parts do not overlap in any font.
            yield _circle(layout.left + 7, y - 4.5, 6, kind)
            yield (
                f'<text x="{_n(layout.left + 20)}" y="{_n(y)}"><tspan class="name">{_safe(name)}</tspan>'
                f'<tspan class="note" dx="10">{words}</tspan></text>'
            )
        if scene.state is not None:
            yield _text(layout.right, y, score_words(scene.state, number), "note end")


def _notes(scene: Scene, caption: str, width: float) -> list[tuple[str, str]]:
    """Lines below everything else, each with its class: the stakes and the caption."""
    notes = []
    stakes = stakes_words(scene.state) if scene.state is not None else ""
    if stakes:
        notes.append((stakes[0].upper() + stakes[1:], "note"))
    notes += [(line, "caption name") for line in textwrap.wrap(caption, int(width / _LETTER))]
    return notes


def _title_and_description(scene: Scene) -> tuple[str, str]:
    """Title and description, for readers who cannot see the picture.

    Examples
    --------
    >>> _title_and_description(Scene((0, 2), (3,), roll=(3, 1), moves=((2, 0), (2, 0))))[0]
    'A backgammon board: 4 pips on roll against 3 pips'
    >>> _title_and_description(Scene((0, 2), (3,), roll=(3, 1), moves=((2, 0), (2, 0))))[1]
    'On roll: 2x2, 13 off. Opponent: 1x3, 12 off. Rolled 3-1. Play: 2/off 2/off.'
    """
    mine = pips_words(scene.on_roll)
    title = say("drawn.title.one", mine=mine)
    lines = [f"{say('drawn.on_roll')}: {_places(scene.on_roll)}"]
    if scene.opponent is not None:
        title = say("drawn.title.two", mine=mine, theirs=pips_words(scene.opponent))
        lines.append(f"{say('drawn.opponent')}: {_places(scene.opponent)}")
    state = scene.state
    if state is not None:
        if state.double_offered:
            lines.append(say("drawn.doubled", value=2 * state.cube_value))
        elif not state.crawford:
            lines.append(say(f"drawn.cube_at.{state.cube}", value=state.cube_value))
        stakes = stakes_words(state)
        if stakes:
            lines.append(stakes[0].upper() + stakes[1:])
        if state.away is not None:
            lines.append(say("drawn.score", mine=state.away[0], theirs=state.away[1]))
    if scene.roll is not None:
        lines.append(say("drawn.thrown", roll="-".join(map(str, scene.roll))))
    if scene.moves:
        lines.append(say("drawn.play", moves=" ".join(f"{start}/{end or 'off'}" for start, end in scene.moves)))
    return title, ". ".join(lines) + "."


def _places(side: Sequence[int]) -> str:
    """Write the places of a side's checkers.

    Examples
    --------
    >>> _places((1,) * 15), _places((2, 0))
    ('15x1 14x1 13x1 12x1 11x1 10x1 9x1 8x1 7x1 6x1 5x1 4x1 3x1 2x1 1x1', '1x2, 13 off')
    """
    standing = [f"{point}x{side[point - 1]}" for point in range(len(side), 0, -1) if side[point - 1]]
    n_off = ALL_CHECKERS - sum(side)
    words = [" ".join(standing)] if standing else []
    return say("phrases.comma").join([*words, *([say("drawn.off", n=n_off)] if n_off else [])])
