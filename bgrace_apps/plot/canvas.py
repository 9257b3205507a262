"""Figures to draw on, and files to save them in.

Lines differ in dash as well as in colour, and the colours in lightness, so that a picture survives a black and white
printer and a colour-blind reader.  Figures are made without pyplot: no windows, no global state, any thread.

Every function that draws takes `ax`: axes of the caller's to draw on, as many as the picture has panels (a sequence,
row by row, if there are several), or None for a figure of its own.  It returns the figure that the axes are in.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeAlias

import numpy as np

from bgrace._base.files import check_folder, checked_path, write_small_file
from bgrace.errors import ArgumentError, DependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "DASHES",
    "FORMATS",
    "Panels",
    "check_path",
    "figure",
    "load_matplotlib",
    "picture",
    "save",
    "set_heading",
]

Arguments = ParamSpec("Arguments")

Panels: TypeAlias = "Axes | Sequence[Axes]"
"""The caller's axes to draw on: one for a picture of one panel, else a sequence, row by row."""

COLOURS: Final = ("#1b4f8a", "#c1521a", "#2e7d4f", "#7a3b8f")
"""Colours of the first, second, ... line: dark blue, orange, green, purple."""

DASHES: Final = ("-", "--", "-.", ":")
"""Styles of the first, second, ... line."""

FORMATS: Final = (".pdf", ".png", ".svg")
"""File names that `save` knows, by their ending."""

_STYLE: Any = {  # matplotlib types its keys one by one
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "white",
    "font.size": 10,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "savefig.dpi": 150,
    "svg.hashsalt": "bgrace",  # the same picture, the same bytes
}


def load_matplotlib() -> Any:
    """Import matplotlib, an extra that only pictures need.

    Raises
    ------
    DependencyError
        If it is not installed, or does not start.
    """
    try:
        import matplotlib  # noqa: PLC0415
    except ImportError as error:
        raise DependencyError('pictures need matplotlib, which is not installed: pip install "bgrace[plot]"') from error
    except Exception as error:
        raise DependencyError(f"pictures need matplotlib, which does not start: {error}") from error
    return matplotlib


def picture(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Make a function draw in the style of this module.

    Parameters
    ----------
    draw : callable
        Returns a figure.

    Returns
    -------
    callable
        Does the same, and raises DependencyError if matplotlib is not installed.
    """

    @wraps(draw)
    def styled(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with load_matplotlib().rc_context(_STYLE):
            return draw(*args, **kwargs)

    return styled


def figure(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = (7.5, 4.8), ax: Panels | None = None
) -> tuple[Figure, list[Axes]]:
    """Make a figure, or take the axes that were given; for functions that are a `picture`.

    Parameters
    ----------
    rows, columns : int
        Of panels.
    size : tuple of float
        Width and height in inches, of a figure that is made.
    ax : Axes or sequence of Axes, optional
        What to draw on.

    Returns
    -------
    Figure, list of Axes
        The panels row by row.

    Raises
    ------
    ArgumentError
        If `ax` are not as many as there are panels.
    """
    from matplotlib.axes import Axes  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    if ax is not None:
        given = [ax] if isinstance(ax, Axes) else list(np.ravel(np.asarray(ax, dtype=object)))
        if len(given) != rows * columns or not all(isinstance(each, Axes) for each in given):
            raise ArgumentError(f"ax has {len(given)} axes: give {rows * columns} axes of matplotlib")
        return given[0].figure.figure, given
    drawn = Figure(figsize=size, layout="constrained")
    return drawn, list(drawn.subplots(rows, columns, squeeze=False).flat)


def set_heading(
    drawn: Figure, panels: Sequence[Axes], text: str, ax: Panels | None = None, fontsize: str = "large"
) -> None:
    """Write the title of a picture of several panels over the figure, unless the figure is the caller's.

    Parameters
    ----------
    drawn : Figure
    panels : sequence of Axes
    text : str
    ax : Axes or sequence of Axes, optional
        As the caller gave it: then the text stands over the first panel, with the panel's own title below it.
    fontsize : str
    """
    if ax is None:
        drawn.suptitle(text, fontsize=fontsize)
    else:
        panels[0].set_title("\n".join(filter(None, (text, panels[0].get_title()))), fontsize=fontsize)


def save(drawn: Figure, path: str | os.PathLike[str]) -> Path:
    """Write a figure in the format that the ending of the name says.

    Parameters
    ----------
    drawn : Figure
    path : path-like
        Ends in one of `FORMATS`.

    Returns
    -------
    Path

    Raises
    ------
    ArgumentError
        If the name ends otherwise.
    BuildError
        If the file cannot be written; the old file is unchanged then.
    """
    target = check_path(path)
    ending = target.suffix.lower()
    # Without a date the same picture gives the same bytes.
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending)
    sink = io.BytesIO()
    with load_matplotlib().rc_context(_STYLE):
        drawn.savefig(sink, format=ending[1:], metadata=metadata)
    return write_small_file(target, sink.getvalue())


def check_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture if its ending is known and its folder is there.

    Raises
    ------
    ArgumentError
        If its ending is not in `FORMATS`, or the path contains a NUL character.
    BuildError
        If there is no such folder.
    """
    target = checked_path(path)
    if target.suffix.lower() not in FORMATS:
        raise ArgumentError(f"{target} does not name a kind of picture: end it in {', '.join(FORMATS)}")
    check_folder(target)
    return target
