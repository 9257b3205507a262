"""Draw boards as text and as SVG.

`scene` has the contents of a drawing, its geometry and its words, and draws text; `svg` draws SVG.  Both take only
counts and the state of a game: positions, boards and plays draw themselves with them, and `bgrace.board.draw` has the
functions that users call.  Both are loaded at the first drawing.
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
"""The point where a checker starts, and the point, or `OFF`, where it ends."""
