"""What half and double of each number of csrc/turns/tuning.h do to answers by turns.

    python scripts/tuning.py [--races N] [--seconds S] [--judge S] [--only NAME,...] [--cc COMPILER]

The C library is compiled anew for each, in a folder of its own, with one number changed, and asked the same recorded
races for money within --seconds.  Printed are the root mean square and the greatest difference to answers within
--judge seconds, of rolling now with the cube in the middle, in thousandths of a point, and the processor time of all.
Numbers of the stated error change no values and are left out.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from bgrace.board import MAX_POINTS, Position, parse_board

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ("-std=c11", "-O2", "-fPIC", "-ffp-contract=off", "-DNDEBUG")
UNTRIED = "what answers are wrong by"  # the section that values do not depend on
CENTERED = 1


class Stakes(ctypes.Structure):
    """bgr_stakes, as far as money needs it."""

    _fields_ = (
        ("size", ctypes.c_size_t),
        ("match", ctypes.c_int),
        ("gammons", ctypes.c_int),
        ("rest", ctypes.c_char * 120),
    )


class Options(ctypes.Structure):
    """bgr_solve_options."""

    _fields_ = (("size", ctypes.c_size_t), ("seconds", ctypes.c_double), ("rest", ctypes.c_char * 40))


class Values(ctypes.Structure):
    """bgr_cube_values."""

    _fields_ = (("no_double", ctypes.c_double), ("rest", ctypes.c_char * 64))


class Library:
    """The C library, compiled in a folder from sources that may be changed there."""

    def __init__(self, folder: Path, compiler: str) -> None:
        self._folder, self._compiler = folder, compiler
        shutil.copytree(ROOT / "csrc", folder / "csrc")
        self.header = folder / "csrc/turns/tuning.h"
        self.text = self.header.read_text(encoding="utf-8")
        self._sources = (folder / "csrc/library.txt").read_text(encoding="utf-8").split()
        self._n = 0
        for source in self._sources:
            self._compile(source)

    def _compile(self, source: str) -> None:
        path = self._folder / "csrc" / source
        subprocess.run(
            [self._compiler, *FLAGS, f"-I{self._folder / 'csrc'}", "-c", str(path), "-o", str(path.with_suffix(".o"))],
            check=True,
        )

    def with_text(self, text: str) -> ctypes.CDLL:
        """The library with other numbers."""
        self.header.write_text(text, encoding="utf-8")
        for source in self._sources:
            if source.startswith("turns/") and source != "turns/estimate.c":
                self._compile(source)
        self._n += 1
        made = self._folder / f"library{self._n}.so"
        objects = [str((self._folder / "csrc" / source).with_suffix(".o")) for source in self._sources]
        subprocess.run([self._compiler, "-shared", *objects, "-lm", "-o", str(made)], check=True)
        return ctypes.CDLL(str(made))


def counts(side: Position) -> ctypes.Array[ctypes.c_int8]:
    listed = list(side)
    return (ctypes.c_int8 * MAX_POINTS)(*listed, *[0] * (MAX_POINTS - len(listed)))


def ask(library: ctypes.CDLL, races: list[tuple[Position, Position]], seconds: float) -> tuple[list[float], float]:
    """Rolling now with the cube in the middle, of each race, and the processor time of all."""
    solver, answer, values = ctypes.c_void_p(), ctypes.c_void_p(), Values()
    stakes = Stakes(size=ctypes.sizeof(Stakes), gammons=1)
    options = Options(size=ctypes.sizeof(Options), seconds=seconds)
    assert library.bgr_solver_new(ctypes.byref(solver)) == 0
    found, start = [], time.process_time()
    for mine, theirs in races:
        status = library.bgr_solve(
            solver,
            MAX_POINTS,
            counts(mine),
            counts(theirs),
            ctypes.byref(stakes),
            ctypes.byref(options),
            ctypes.byref(answer),
        )
        assert status == 0, f"{mine} v {theirs}: status {status}"
        library.bgr_answer_cube(answer, CENTERED, ctypes.byref(values))
        library.bgr_answer_free(answer)
        found.append(values.no_double)
    spent = time.process_time() - start
    library.bgr_solver_free(solver)
    return found, spent


NUMBER = re.compile(r"(?P<name>tuned_\w+|TUNED_\w+)(?P<size>\[[^]]*\])? = (?P<value>\{.*?\};|[^,;}\n]+)", re.DOTALL)


def times(value: str, factor: float, whole: bool) -> str:
    """A number, or each number of a list, multiplied; whole ones stay whole."""

    def one(match: re.Match[str]) -> str:
        text = match.group(0)
        product = float(text.rstrip("F")) * factor
        return str(max(math.floor(product), 1)) if whole else f"{product:.9g}"

    return re.sub(r"(?<![\w.])\d+(?:\.\d*)?(?:[eE][-+]?\d+)?F?(?!\w)", one, value)


def changed(text: str, match: re.Match[str], factor: float) -> str:
    return (
        text[: match.start("value")]
        + times(match.group("value"), factor, match.group("name").isupper())
        + text[match.end("value") :]
    )


def differences(values: list[float], judged: list[float]) -> str:
    off = [abs(a - b) for a, b in zip(values, judged, strict=True)]
    return f"{1e3 * math.sqrt(sum(x * x for x in off) / len(off)):.3f} (greatest {1e3 * max(off):.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--judge", type=float, default=8.0)
    parser.add_argument("--only", default="", help="names, instead of all")
    parser.add_argument("--cc", default="cc")
    chosen = parser.parse_args()
    ids = (ROOT / "data/recorded-races.txt").read_text(encoding="ascii").split()
    boards = [parse_board(text) for text in ids[:: len(ids) // chosen.races][: chosen.races]]
    races = [(board.on_roll, board.opponent) for board in boards]
    only = set(chosen.only.split(",")) - {""}
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder), chosen.cc)
        now = library.with_text(library.text)
        judged, _ = ask(now, races, chosen.judge)
        values, spent = ask(now, races, chosen.seconds)
        print(f"as it is: {differences(values, judged)}, {spent:.1f} s", flush=True)
        for match in NUMBER.finditer(library.text[: library.text.index(UNTRIED)]):
            name = match.group("name")
            if only and name not in only:
                continue
            for word, factor in (("half", 0.5), ("double", 2.0)):
                try:
                    values, spent = ask(library.with_text(changed(library.text, match, factor)), races, chosen.seconds)
                    print(f"{name} {word}: {differences(values, judged)}, {spent:.1f} s", flush=True)
                except (AssertionError, subprocess.CalledProcessError) as error:
                    print(f"{name} {word}: {error}", flush=True)


if __name__ == "__main__":
    main()
