"""Pictures, readable in print and on a screen.

They need matplotlib, an extra of its own: ``pip install "bgrace[plot]"``.  Nothing is imported before a picture is
asked for, so everything else works without it.  Every function that draws returns a matplotlib Figure, which
`bgrace_apps.plot.canvas.save` writes, takes axes of the caller's as `ax`, and raises DependencyError where matplotlib
is not installed.  Its modules are loaded when they are first used, like those of `bgrace`.
"""

from typing import TYPE_CHECKING

from bgrace._base.lazy import names_of_modules

if TYPE_CHECKING:
    from bgrace_apps.plot import board_races as board_races
    from bgrace_apps.plot import canvas as canvas
    from bgrace_apps.plot import jump as jump
    from bgrace_apps.plot import match as match
    from bgrace_apps.plot import race as race
    from bgrace_apps.plot import referee as referee
else:
    __getattr__, __dir__ = names_of_modules(__name__, board_races=(), canvas=(), jump=(), match=(), race=(), referee=())
