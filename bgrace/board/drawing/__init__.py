"""Boards drawn: as text, and as SVG.

`scene` says what is to be seen, where on a board it is, seen by the player on roll, and in which words, and draws it
as text; `svg` draws it as SVG.  Neither knows more than counts and the state of a game: positions, boards and plays
draw themselves with them, and `bgrace.board.draw` has the functions that users call.  Both are loaded when something
is first drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgrace._base.lazy import names_of_modules

if TYPE_CHECKING:
    from bgrace.board.drawing.scene import Scene as Scene
    from bgrace.board.drawing.scene import figure_html as figure_html
    from bgrace.board.drawing.scene import scene_text as scene_text
    from bgrace.board.drawing.svg import scene_svg as scene_svg
else:
    __getattr__, __dir__ = names_of_modules(__name__, scene=("Scene", "figure_html", "scene_text"), svg=("scene_svg",))

OFF: Final = 0
"""The target of a checker that is borne off."""

Move = tuple[int, int]
"""From point, to point or `OFF`."""
