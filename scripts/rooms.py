"""Say how the house is built: its rooms, what each imports, and whether imports go in circles.

    python scripts/rooms.py                                        # print the measures
    python scripts/rooms.py --svg docs/pictures/architecture.svg   # draw them

A room is a folder of bgrace/ or of csrc/, or a module of the package that stands alone, as bgrace/errors.py does.  An
arrow goes from a room to one that it imports (in csrc, includes).  Exit status 1 if there is a circle of rooms, or if a
module lies loose in the root.  scripts/measures.py says how large it is, and how that has changed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from options import read_options

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = ROOT / "bgrace"

FACE: Final = ("__init__", "__main__", "_face")
"""Modules that stand on top of every room: no room imports them."""

ALONE: Final = ("errors",)
"""Modules that are a room by themselves."""

_WRITTEN: Final = (".py", ".pyi", ".pyx", ".pxd")


@dataclass(frozen=True)
class House:
    """Rooms, and what is between them.

    Attributes
    ----------
    files, lines : dict
        By room: how many files it has, and how many lines they have together.
    arrows : dict
        By room: the rooms that it imports.
    loose : list of str
        Modules in the root that are neither the face nor rooms.
    """

    files: dict[str, int]
    lines: dict[str, int]
    arrows: dict[str, set[str]]
    loose: list[str]

    @property
    def n_arrows(self) -> int:
        """How many pairs of rooms there are of which one imports the other."""
        return sum(map(len, self.arrows.values()))

    @property
    def circles(self) -> list[list[str]]:
        """Groups of rooms in which each can be reached from each other."""
        reached = {room: _reached(self.arrows, room) for room in self.arrows}
        groups = {tuple(sorted(other for other in reached[room] if room in reached[other])) for room in reached}
        return sorted(list(group) for group in groups if group)

    @property
    def floors(self) -> dict[str, int]:
        """How far above the ground each room is: one more than the highest that it imports; without circles."""
        floors: dict[str, int] = {}

        def floor(room: str) -> int:
            if room not in floors:
                floors[room] = 1 + max((floor(below) for below in self.arrows[room]), default=-1)
            return floors[room]

        for room in self.arrows:
            floor(room)
        return floors

    @property
    def needed(self) -> dict[str, set[str]]:
        """The arrows without those that two others make together."""
        return {
            room: below - {far for near in below for far in _reached(self.arrows, near)}
            for room, below in self.arrows.items()
        }


def _reached(arrows: Mapping[str, set[str]], start: str) -> set[str]:
    """Rooms that one or more arrows lead to."""
    seen: set[str] = set()
    left = list(arrows[start])
    while left:
        room = left.pop()
        if room not in seen:
            seen.add(room)
            left += arrows[room]
    return seen


def imported(path: Path) -> Iterator[str]:
    """What a file imports of bgrace, wherever in it, by dotted names: ``cube.action`` for bgrace.cube.action."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".pyx", ".pxd"):
        pattern = r"^\s*(?:from bgrace(?:\.([\w.]+))? c?import ([\w, ]+)|c?import bgrace\.([\w.]+))"
        for module, names, whole in re.findall(pattern, text, re.M):
            yield from [whole or module] if whole or module else re.findall(r"\w+", names)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "bgrace":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bgrace."):
            yield str(node.module).removeprefix("bgrace.")
        elif isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("bgrace.") for alias in node.names if alias.name.startswith("bgrace."))


def room_of(path: Path, package: Path = PACKAGE) -> str:
    """The room of a file of the package: the folder below bgrace/, or the module if it lies in bgrace/ itself."""
    return path.relative_to(package).parts[0].removesuffix(".py")


def python_house(package: Path = PACKAGE) -> House:
    """Read the package."""
    files = [path for path in sorted(package.rglob("*")) if path.suffix in _WRITTEN]
    rooms = {room_of(path, package) for path in files if path.parent != package} | set(ALONE)
    loose = [path.name for path in files if path.parent == package and path.stem not in (*FACE, *ALONE)]
    homes = {path: room for path in files if (room := room_of(path, package)) in rooms}
    return _house(homes, lambda path: {name.split(".", maxsplit=1)[0] for name in imported(path)}, loose)


def c_house(csrc: Path = ROOT / "csrc") -> House:
    """Read csrc/, whose rooms are its folders; what lies in csrc/ itself is one more, named csrc."""
    files = [path for path in sorted(csrc.rglob("*")) if path.suffix in (".c", ".h", ".inc")]
    homes = {path: "csrc" if path.parent == csrc else path.relative_to(csrc).parts[0] for path in files}

    def included(path: Path) -> set[str]:
        names = re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(encoding="utf-8"), re.M)
        return {homes[csrc / name] for name in names if csrc / name in homes}

    return _house(homes, included, [])


def _house(homes: Mapping[Path, str], named: Callable[[Path], set[str]], loose: list[str]) -> House:
    """Of files, each with its room, and the rooms that each names."""
    arrows: dict[str, set[str]] = {room: set() for room in sorted(set(homes.values()))}
    count, lines = dict.fromkeys(arrows, 0), dict.fromkeys(arrows, 0)
    for path, room in homes.items():
        count[room] += 1
        lines[room] += len(path.read_text(encoding="utf-8").splitlines())
        arrows[room] |= named(path) & arrows.keys() - {room}
    return House(count, lines, arrows, loose)


def measures(name: str, house: House) -> str:
    """Write a house as a table, and its totals."""
    circles, floors = house.circles, {} if house.circles else house.floors
    rows = [("room", "floor", "files", "lines", "imports")]
    for room in sorted(house.arrows, key=lambda room: (floors.get(room, 0), room)):
        below = " ".join(sorted(house.arrows[room]))
        rows.append((room, str(floors.get(room, "-")), str(house.files[room]), str(house.lines[room]), below))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = [
        f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}  {row[4]}".rstrip()
        for row in rows
    ]
    return "\n".join(
        [
            f"{name}: {len(house.arrows)} rooms, {house.n_arrows} arrows, {sum(house.files.values())} files, "
            f"{sum(house.lines.values()):,} lines",
            *lines,
            f"circles: {'; '.join(' '.join(circle) for circle in circles) or 'none'}",
            f"loose in the root: {', '.join(house.loose) or 'nothing'}",
        ]
    )


_WIDTH, _HIGH, _WIDE, _STEP, _MARGIN = 1000, 34, 104, 84, 24


def picture(house: House) -> str:
    """Draw the rooms floor by floor, with the arrows that no others imply; SVG."""
    floors = house.floors
    top = max(floors.values())
    places: dict[str, tuple[float, float]] = {}
    for floor in range(top + 1):
        row = sorted(room for room in floors if floors[room] == floor)
        # Next to what they stand on, so that arrows are short.
        row.sort(key=lambda room: _mean(sorted(places[below][0] for below in house.needed[room]), _WIDTH / 2))
        for k, room in enumerate(row):
            places[room] = (_WIDTH * (k + 1) / (len(row) + 1), _MARGIN + _STEP * (top - floor) + _HIGH / 2)
    height = 2 * _MARGIN + _STEP * top + _HIGH
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="14">',
        "<title>The rooms of bgrace and what they import</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
    ]
    for room in sorted(places, key=lambda room: (floors[room], room)):
        x, y = places[room]
        for below in sorted(house.needed[room]):
            to_x, to_y = places[below]
            middle = (y + to_y) / 2
            lines.append(
                f'<path d="M{x:.0f},{y + _HIGH / 2:.0f} C{x:.0f},{middle:.0f} {to_x:.0f},{middle:.0f} '
                f'{to_x:.0f},{to_y - _HIGH / 2:.0f}" fill="none" stroke="#1b4f8a" stroke-opacity="0.5"/>'
            )
    for room in sorted(places, key=lambda room: (floors[room], room)):
        x, y = places[room]
        lines.append(
            f'<rect x="{x - _WIDE / 2:.0f}" y="{y - _HIGH / 2:.0f}" width="{_WIDE}" height="{_HIGH}" rx="5" '
            'fill="#eef3f9" stroke="#1b4f8a"/>'
        )
        lines.append(f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" fill="#12263a">{room}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def main() -> int:
    arguments = read_options(__doc__, svg=Path)
    houses = {"bgrace": python_house(), "csrc": c_house()}
    if arguments.svg:
        arguments.svg.write_text(picture(houses["bgrace"]), encoding="utf-8")
    else:
        print("\n\n".join(measures(name, house) for name, house in houses.items()))
    return int(any(house.circles or house.loose for house in houses.values()))


if __name__ == "__main__":
    sys.exit(main())
