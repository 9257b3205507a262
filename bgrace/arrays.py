"""Arrays by their types, and how results leave them: as plain numbers where they can, and as JSON would have them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Booleans", "Floats", "Integers", "plain", "scalar"]

Booleans: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


def scalar(value: Any) -> Any:
    """Make a Python number, or word, of an array without axes; give back anything else as it is.

    Examples
    --------
    >>> import numpy as np
    >>> scalar(np.float64(0.5)), scalar(np.array([0.5])), scalar(None)
    (0.5, array([0.5]), None)
    """
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value


def plain(value: Any) -> Any:
    """Turn a result into what JSON knows: arrays and sequences into lists, dataclasses and mappings into dicts.

    Examples
    --------
    >>> import numpy as np
    >>> plain({6: (np.float64(0.5), np.array([1, 2])), "none": None})
    {'6': [0.5, [1, 2]], 'none': None}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value
