"""What half and double of each number of csrc/turns/tuning.h do to answers by turns.

    python scripts/tuning.py [--races N] [--seconds S] [--judge S] [--only NAME,...] [--cc COMPILER]

The library for engines (bgrace/embed/src/bgrace.c, of the last build) is compiled once, with numbers that can be set.
With one of them at half or double it is asked the same recorded races for money within --seconds.  Printed are the root
mean square and the greatest difference to answers within --judge seconds, of rolling now with the cube in the middle,
in thousandths of a point; how many answers differ from those with the numbers as they are; and the processor time.
Numbers of the stated error change no values and are left out; sizes of arrays need a library of their own.
"""

from __future__ import annotations

import ctypes
import math
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from options import read_options
from random_races import Pair, recorded

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from helpers.probe_library import counts_of
from helpers.solver_library import CubeValues, Options, stakes_of

from bgrace.board import MAX_POINTS
from bgrace.match.stakes import Stakes

SOURCE = ROOT / "bgrace/embed/src/bgrace.c"
FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-DNDEBUG", "-w")
UNTRIED = "--- errors of answers"  # the section that values do not depend on
CENTERED = 1
TYPES: dict[str, Any] = {
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "int64_t": ctypes.c_int64,
    "int": ctypes.c_int,
}


def compiled(text: str, folder: Path, compiler: str) -> ctypes.CDLL:
    """The library made of one file."""
    source = folder / f"{len(list(folder.iterdir()))}.c"
    source.write_text(text, encoding="utf-8")
    made = source.with_suffix(".so")
    subprocess.run([compiler, *FLAGS, f"-I{ROOT / 'csrc'}", str(source), "-lm", "-o", str(made)], check=True)
    return ctypes.CDLL(str(made))


def ask(library: ctypes.CDLL, races: list[Pair], seconds: float) -> tuple[list[float], float]:
    """Rolling now with the cube in the middle, of each race, and the processor time of all."""
    solver, answer, values = ctypes.c_void_p(), ctypes.c_void_p(), CubeValues()
    stakes = stakes_of(Stakes.money())
    options = Options(size=ctypes.sizeof(Options), seconds=seconds)
    assert library.bgr_solver_new(ctypes.byref(solver)) == 0
    found, start = [], time.process_time()
    for mine, theirs in races:
        sides = (counts_of(side.resized(MAX_POINTS)) for side in (mine, theirs))
        asked = (ctypes.byref(each) for each in (stakes, options, answer))
        status = library.bgr_ask(solver, MAX_POINTS, *sides, *asked)
        assert status == 0, f"{mine} v {theirs}: status {status}"
        library.bgr_answer_cube(answer, CENTERED, ctypes.byref(values))
        library.bgr_answer_free(answer)
        found.append(values.no_double)
    spent = time.process_time() - start
    library.bgr_solver_free(solver)
    return found, spent


def open_numbers(text: str) -> tuple[str, dict[str, tuple[str, int]], list[str]]:
    """The source with numbers that can be set from outside, their types and lengths, and those that are sizes."""
    start = text.index("/* Every number of this room that was fitted or chosen by trying")
    end = text.index(UNTRIED, start)
    section, numbers, sizes = text[start:end], {}, []
    for match in re.finditer(r"^static const (double|float|int64_t) (tuned_\w.*?);", section, re.DOTALL | re.MULTILINE):
        for name, size in re.findall(r"(tuned_\w+)(?:\[([^]]*)\])? = ", match[2]):
            value = match[2].split(name)[1]
            numbers[name] = (match[1], value[: value.index("}")].count(",") + 1 if size else 1)
    section = re.sub(r"^static const (double|float|int64_t) tuned_", r"\1 tuned_", section, flags=re.MULTILINE)
    section = re.sub(r"^static const struct \{", "struct {", section, flags=re.MULTILINE)
    for match in re.finditer(r"^enum \{(.*?)\};", section, re.DOTALL | re.MULTILINE):
        plain = re.sub(r"/\*.*?\*/", "", match[1], flags=re.DOTALL)
        for name, value in re.findall(r"(TUNED_\w+) = (\d+)", plain):
            if re.search(rf"\[[^]]*\b{name}\b", text):
                sizes.append(name)
            else:
                numbers[name] = ("int", 1)
                section = re.sub(rf"\b{name} = {value},?", "", section)
                section += f" */\nint {name} = {value}; /*"
    section = re.sub(r"enum \{\s*(/\*.*?\*/\s*)*\};", "", section)
    return text[:start] + section + text[end:], numbers, sizes


def variants(library: ctypes.CDLL, numbers: dict[str, tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Each number, or list of them, and what is done to it until the next one is asked for."""
    for name, (kind, n) in numbers.items():
        place = (TYPES[kind] * n).in_dll(library, name)
        held = list(place)
        for word, factor in (("half", 0.5), ("double", 2.0)):
            for k, value in enumerate(held):
                place[k] = max(math.floor(value * factor), 1) if kind.startswith("int") else value * factor
            yield name, word
            place[:] = held


def differences(values: list[float], judged: list[float], now: list[float]) -> str:
    off = [abs(a - b) for a, b in zip(values, judged, strict=True)]
    changed = sum(a != b for a, b in zip(values, now, strict=True))
    square = math.sqrt(sum(x * x for x in off) / len(off))
    return f"{1e3 * square:.3f} (greatest {1e3 * max(off):.1f}), {changed} differ"


def main() -> None:
    chosen = read_options(__doc__, races=60, seconds=0.1, judge=4.0, only="", cc="cc")
    boards = recorded()
    boards = boards[:: len(boards) // chosen.races][: chosen.races]
    races = [(board.on_roll, board.opponent) for board in boards]
    only = set(chosen.only.split(",")) - {""}
    text, numbers, sizes = open_numbers(SOURCE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        library = compiled(text, Path(name), chosen.cc)
        judged, _ = ask(library, races, chosen.judge)
        now, spent = ask(library, races, chosen.seconds)
        print(f"as it is: {differences(now, judged, now)}, {spent:.1f} s", flush=True)

        def tell(name: str, word: str, library: ctypes.CDLL) -> None:
            try:
                values, spent = ask(library, races, chosen.seconds)
                print(f"{name} {word}: {differences(values, judged, now)}, {spent:.1f} s", flush=True)
            except AssertionError as error:
                print(f"{name} {word}: {error}", flush=True)

        for number, word in variants(library, numbers):
            if not only or number in only:
                tell(number, word, library)
        for number in sizes:
            for word, factor in (("half", 0.5), ("double", 2.0)):
                if not only or number in only:
                    size = int(re.search(rf"\b{number} = (\d+)", text)[1])  # type: ignore[index]
                    changed = text.replace(f"{number} = {size}", f"{number} = {int(size * factor)}")
                    tell(number, word, compiled(changed, Path(name), chosen.cc))


if __name__ == "__main__":
    main()
