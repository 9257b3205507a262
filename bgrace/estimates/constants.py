"""What the rolls of a race come to, in means and variances."""

from typing import Final

__all__ = [
    "MEAN_OFFSET",
    "MEAN_SLOPE",
    "RACE_MEAN_OFFSET",
    "RACE_MEAN_SLOPE",
    "RACE_VARIANCE_OFFSET",
    "RACE_VARIANCE_SLOPE",
    "VARIANCE_OFFSET",
    "VARIANCE_PIPS",
    "VARIANCE_SLOPE",
]

VARIANCE_PIPS: Final[float] = 665 / 36
"""Variance of the pips of one roll; the standard deviation is 4.29793."""

MEAN_SLOPE: Final[float] = 6 / 49
"""Rolls that a pip takes in a long race: mean_rolls(x) is about MEAN_SLOPE * x + MEAN_OFFSET."""

MEAN_OFFSET: Final[float] = 198 / 343
"""Rolls beyond x / (49/6): what the last roll overshoots.  Off by less than 1.2e-5 from 80 pips on."""

VARIANCE_SLOPE: Final[float] = 570 / 16807
"""Variance that a pip adds in a long race: variance_rolls(x) is about VARIANCE_SLOPE * x + VARIANCE_OFFSET."""

VARIANCE_OFFSET: Final[float] = -3270 / 117649
"""Offset of the variance.  Off by less than 1.3e-4 from 80 pips on."""

RACE_MEAN_SLOPE: Final[float] = 0.122688
"""Rolls that a pip takes in races played on the board, fitted by RBM (17)."""

RACE_MEAN_OFFSET: Final[float] = 0.90544
"""Rolls beyond that in races played on the board, fitted by RBM (17); the single checker has `MEAN_OFFSET`."""

RACE_VARIANCE_SLOPE: Final[float] = 0.0330249
"""Variance that a pip adds in races played on the board, fitted by RBM (18)."""

RACE_VARIANCE_OFFSET: Final[float] = -0.408285
"""Offset of the variance of races played on the board, fitted by RBM (18)."""
