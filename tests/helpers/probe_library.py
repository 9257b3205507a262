"""Call the probe of the shared library by ctypes, as programs in other languages do."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bgrace import embed

MAP, LOAD, READ = range(3)
STATUSES = ["OK", *re.findall(r"^ +BGR_ERR_(\w+) = \d+,", embed.sources()[0].read_text(encoding="utf-8"), re.MULTILINE)]
"""Names of all statuses, in order."""
MAX_WIDTH = 256

library = ctypes.CDLL(str(embed.library_dir() / ("libbgrace.dylib" if sys.platform == "darwin" else "libbgrace.so")))
library.bgr_strerror.restype = ctypes.c_char_p
library.bgr_close.restype = None


class ProbeError(Exception):
    """Raised for a status other than OK; `args[0]` is its name."""


EQUITIES = ("cubeless", "centered", "mine", "theirs", "centered_roll", "mine_roll", "jacoby", "jacoby_roll")
SMALL_ERRORS = ("win_error", "mean_win_error", "equity_error", "mean_equity_error")
NUMBERS = ("points", "checkers", "two_sided_checkers", "gammons", "n_rolls", "in_memory")


class Equities(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in EQUITIES]


class Info(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, ctypes.c_int) for name in NUMBERS),
        ("file_size", ctypes.c_uint64),
        ("equities", ctypes.c_int),
        ("approximate", ctypes.c_int),
        *((name, ctypes.c_double) for name in SMALL_ERRORS),
        ("changed", ctypes.c_int),
    ]


def counts_of(position: Sequence[int]) -> ctypes.Array[ctypes.c_int8]:
    return (ctypes.c_int8 * len(position))(*position)


def check(status: int) -> None:
    if status:
        raise ProbeError(STATUSES[status])


def refused(status: str, ask: Callable[..., object], *arguments: Any, **options: Any) -> None:
    """Check that a call is refused with this status."""
    with pytest.raises(ProbeError, match=f"^{status}$"):
        ask(*arguments, **options)


class Probe:
    """An open database; `paths` is one path, several, or the bytes of a file."""

    def __init__(self, paths: Path | Sequence[Path] | bytes, access: int = MAP) -> None:
        self.handle = ctypes.c_void_p()
        self.failed = ctypes.c_int(-2)
        if isinstance(paths, bytes):
            self._bytes = ctypes.create_string_buffer(paths, len(paths))
            check(library.bgr_open_memory(self._bytes, ctypes.c_size_t(len(paths)), ctypes.byref(self.handle)))
        elif isinstance(paths, Path):
            check(library.bgr_open(str(paths).encode(), access, ctypes.byref(self.handle)))
        else:
            names = (ctypes.c_char_p * max(1, len(paths)))(*(str(path).encode() for path in paths))
            opened = ctypes.byref(self.handle), ctypes.byref(self.failed)
            check(library.bgr_open_all(names, len(paths), access, *opened))

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        library.bgr_close(self.handle)

    def verify(self) -> None:
        check(library.bgr_verify(self.handle))

    def info(self, file: int = 0) -> Info:
        info = Info(size=ctypes.sizeof(Info))
        check(library.bgr_file_info(self.handle, file, ctypes.byref(info)))
        return info

    def epc(self, position: Sequence[int]) -> float:
        value = ctypes.c_double()
        check(library.bgr_probe_epc(*self._arguments(position), ctypes.byref(value)))
        return value.value

    def distribution(self, position: Sequence[int], width: int = MAX_WIDTH) -> list[float]:
        row = (ctypes.c_double * max(width, 1))()
        check(library.bgr_probe_roll_distribution(*self._arguments(position), width, ctypes.byref(row)))
        return list(row)

    def win_probability(self, on_roll: Sequence[int], opponent: Sequence[int]) -> tuple[float, str]:
        value, method = ctypes.c_double(), ctypes.c_int(-1)
        arguments = self._arguments(on_roll, opponent)
        check(library.bgr_probe_win_probability(*arguments, ctypes.byref(value), ctypes.byref(method)))
        return value.value, ("two-sided", "one-sided")[method.value]

    def equities(self, on_roll: Sequence[int], opponent: Sequence[int]) -> tuple[float, ...]:
        result = Equities()
        check(library.bgr_probe_equities(*self._arguments(on_roll, opponent), ctypes.byref(result)))
        return tuple(getattr(result, name) for name in EQUITIES)

    def _arguments(self, *sides: Sequence[int]) -> tuple[Any, ...]:
        """Return the first arguments of every question: the database, the number of points, and counts."""
        return self.handle, len(sides[0]), *map(counts_of, sides)
