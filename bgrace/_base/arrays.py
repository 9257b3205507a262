"""Array type aliases, and conversion of results to Python numbers and JSON."""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, Final, Protocol, SupportsIndex, TypeAlias, TypeVar, overload

from bgrace._kernels.lazy_numpy import np, npt
from bgrace.errors import ArgumentError

Booleans: TypeAlias = "npt.NDArray[np.bool_]"
Floats: TypeAlias = "npt.NDArray[np.float64]"
Integers: TypeAlias = "npt.NDArray[np.int64]"
AnyIntegers: TypeAlias = "npt.NDArray[np.integer]"
"""Whole numbers of any width, signed or not."""
JSON: TypeAlias = "Mapping[str, JSON] | Sequence[JSON] | str | int | float | None"
"""A value of a JSON document; a bool is an int."""

Choice = TypeVar("Choice", bound=str)
Number = TypeVar("Number", int, float)

_MAX_SHOWN: Final = 100
"""Characters of a field that a summary shows as it is."""


def as_floats(value: npt.ArrayLike, problem: str) -> Floats:
    """Read numbers as float64; raise ArgumentError with the problem if they are not numbers.

    Examples
    --------
    >>> as_floats([1, 2], "x is not a number")
    array([1., 2.])
    >>> as_floats("many", "x='many' is not a number: give one")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: x='many' is not a number: give one
    """
    try:
        numbers = np.asarray(value)
        if numbers.dtype.kind in "biufO":
            return numbers.astype(np.float64, copy=False)
    except (OverflowError, TypeError, ValueError):
        pass
    raise ArgumentError(problem)


def as_number(value: npt.ArrayLike, problem: str, low: float = -math.inf, high: float = math.inf) -> float:
    """Read one number from `low` to `high` as a float; raise ArgumentError with the problem if it is not one, or NaN.

    True and False are not numbers.  A number above 0 is one from math.ulp(0.0), a finite one is one up to
    math.nextafter(math.inf, 0).

    Examples
    --------
    >>> as_number(2, "x is not a number")
    2.0
    >>> as_number(10**400, "x is not a number: give one")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: x is not a number: give one
    """
    if type(value) is not float and type(value) is not int:
        number = as_floats(value, problem)
        if isinstance(value, (bool, np.bool_)) or number.ndim:
            raise ArgumentError(problem)
        value = float(number)
    if low <= value <= high:  # so that NaN is refused
        with suppress(OverflowError):
            return float(value)
    raise ArgumentError(problem)


def as_integer(value: SupportsIndex, problem: str, low: float = -math.inf, high: float = math.inf) -> int:
    """Read one whole number from `low` to `high`; raise ArgumentError with the problem if it is not one.

    True and False are not numbers.

    Examples
    --------
    >>> as_integer(2.0, "x=2.0 is not a whole number: give one")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: x=2.0 is not a whole number: give one
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(problem) from None
    if isinstance(value, bool) or not low <= number <= high:
        raise ArgumentError(problem)
    return number


def as_choice(name: str, value: object, known: Collection[Choice]) -> Choice:
    """Return the word of `known` that `value` is, or raise ArgumentError.

    Examples
    --------
    >>> as_choice("scheme", "dark", ("auto", "light", "dark"))
    'dark'
    """
    if isinstance(value, str):
        for word in known:
            if value == word:
                return word
    raise ArgumentError(f"{name}={value!r:.80} is unknown: use one of {', '.join(known)}")


def check_flags(**flags: object) -> None:
    """Raise ArgumentError unless all are True or False; the message names the first that is not.

    Examples
    --------
    >>> check_flags(gammons=True, jacoby="no")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: jacoby='no' cannot be used: give True or False
    """
    for name, value in flags.items():
        if not isinstance(value, bool) and not isinstance(value, np.bool_):
            raise ArgumentError(f"{name}={value!r:.80} cannot be used: give True or False")


def check_open(database: object) -> None:
    """Raise ArgumentError unless the argument is an open database; the name of a file, say, is not.

    Examples
    --------
    >>> check_open("bearoff.h5")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: 'bearoff.h5' is not an open database: give bgrace.open(...)
    """
    if not hasattr(type(database), "boundary"):  # only databases have it
        raise ArgumentError(f"{database!r:.80} is not an open database: give bgrace.open(...)")


def broadcast(**arrays: npt.ArrayLike) -> tuple[npt.NDArray[Any], ...]:
    """Broadcast arrays; if their shapes do not fit, raise ArgumentError with their names.

    Examples
    --------
    >>> import numpy as np
    >>> [array.tolist() for array in broadcast(x=[1, 2], y=3)]
    [[1, 2], [3, 3]]
    >>> broadcast(x=np.zeros(2), y=np.zeros(3))
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: x of shape (2,), y of shape (3,): give shapes that broadcast
    """
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} of shape {np.shape(array)}" for name, array in arrays.items())
        raise ArgumentError(f"{shapes}: give shapes that broadcast") from None


def as_rows(numbers: array[Number], width: int) -> memoryview[Number]:
    """View numbers as rows of `width`: the two-dimensional array that the kernels read.

    Examples
    --------
    >>> as_rows(array("d", [1, 2, 3, 4]), 2).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    code: Any = numbers.typecode
    return memoryview(numbers).cast("B").cast(code, (len(numbers) // width, width))


def scalar(value: Any) -> Any:
    """Turn an array without axes into a Python number or string; return anything else as it is.

    Examples
    --------
    >>> import numpy as np
    >>> scalar(np.float64(0.5)), scalar(np.array([0.5])), scalar(None)
    (0.5, array([0.5]), None)
    """
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value


class Elementwise(Protocol):
    """A function of numbers, which broadcast: floats give a float, arrays a float64 array."""

    __name__: str

    @overload
    def __call__(self, *numbers: float, **options: Any) -> float: ...
    @overload
    def __call__(self, *numbers: npt.ArrayLike | None, **options: Any) -> Floats: ...


def elementwise(function: Callable[..., npt.ArrayLike]) -> Elementwise:
    """Make a function that returns arrays return a float if all its arguments are floats.

    Examples
    --------
    >>> half = elementwise(lambda x: np.asarray(x) / 2)
    >>> half(3), half([3, 4])
    (1.5, array([1.5, 2. ]))
    """

    @wraps(function)
    def answer(*numbers: Any, **options: Any) -> Any:
        return scalar(function(*numbers, **options))

    return answer


_PLAIN: Final = frozenset({bool, int, float, str, type(None)})
"""Types whose values JSON has as they are."""


def plain(value: Any) -> Any:
    """Turn a result into values of JSON: arrays and sequences into lists, dataclasses and mappings into dicts.

    Examples
    --------
    >>> import numpy as np
    >>> plain({6: (np.float64(0.5), np.array([1, 2])), "none": None})
    {'6': [0.5, [1, 2]], 'none': None}
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (tuple, list)):
        return list(value) if _PLAIN.issuperset(map(type, value)) else [plain(item) for item in value]
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return as_json(value)
    if isinstance(value, Mapping):
        return {str(key): item if type(item) in _PLAIN else plain(item) for key, item in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


def as_json(value: Any, *names: str) -> dict[str, Any]:
    """Attributes of a dataclass by name, as values of JSON: the named ones, or all fields."""
    return {
        name: item if type(item := getattr(value, name)) in _PLAIN else plain(item)
        for name in names or value.__dataclass_fields__
    }


class ToDict:
    """Gives a dataclass `to_dict`: its attributes by name, as values of JSON.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Pair(ToDict):
    ...     chances: Floats
    ...     name: str | None = None
    >>> Pair(np.array([0.5, 1])).to_dict()
    {'chances': [0.5, 1.0], 'name': None}
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, JSON]:
        """Attributes by name, as values of JSON."""
        return as_json(self)


class ShortRepr:
    """Gives a dataclass a short repr: long fields are shown as type and size.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> @dataclass(repr=False)
    ... class Result(ShortRepr):
    ...     mean: float
    ...     chances: npt.NDArray[np.float64]
    ...     names: tuple[str, ...]
    >>> Result(0.5, np.zeros((2, 30)), ("a", "b"))
    Result(mean=0.5, chances=<float64 array (2, 30)>, names=('a', 'b'))
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return summary(self)


def summary(result: Any) -> str:
    """Write a dataclass with long fields as type and size."""
    shown = [f"{field.name}={_summary(getattr(result, field.name))}" for field in fields(result) if field.repr]
    return f"{type(result).__name__}({', '.join(shown)})"


def _summary(value: object) -> str:
    if isinstance(value, np.ndarray) and value.size > _MAX_SHOWN:
        return f"<{value.dtype} array {value.shape}>"
    text = repr(value)
    if (len(text) <= _MAX_SHOWN and "\n" not in text) or isinstance(value, ShortRepr):
        return text
    if isinstance(value, np.ndarray):
        return f"<{value.dtype} array {value.shape}>"
    size = f" of {len(value)}" if isinstance(value, Sized) else ""
    return f"<{type(value).__name__}{size}>"
