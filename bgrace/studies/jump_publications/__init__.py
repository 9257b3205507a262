"""Higgins' papers on the jump model done again, where the project has something better to use.

`first_version` is the model of March 2012, which its author replaced; `published_grid` the numerical scheme of April
2012, whose error falls slowly.  Both are there to be compared with `bgrace.cube.jump.linear` and
`bgrace.cube.jump.exact`.
"""

from bgrace.studies.jump_publications.first_version import (
    FirstVersion,
    FixedWindow,
    first_version,
    fixed_window,
    life_index_from_volatility,
    volatility_from_life_index,
)
from bgrace.studies.jump_publications.grid import PublishedGrid, published_grid

__all__ = [
    "FirstVersion",
    "FixedWindow",
    "PublishedGrid",
    "first_version",
    "fixed_window",
    "life_index_from_volatility",
    "published_grid",
    "volatility_from_life_index",
]
