"""The rooms of the house: imports go one way, up the table of CONTRIBUTING.md, and never in a circle."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import rooms
from helpers.paths import ROOT
from rooms import PACKAGE


@cache
def house() -> rooms.House:
    """The rooms as they are, read once for all tests."""
    return rooms.python_house()


def rows() -> dict[str, int]:
    """Rows of the table by what they hold: ``counts`` for bgrace/counts/, ``errors`` for bgrace/errors.py."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `bgrace/")]
    return {
        re.sub(r"^bgrace/|/$|\.py$", "", name): number
        for number, cell in enumerate(table)
        for name in re.findall(r"`(.+?)`", cell)
    }


def test_the_table_names_every_room() -> None:
    assert set(rows()) == set(house().arrows)


def test_imports_go_up_the_table() -> None:
    known = rows()
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        importer = rooms.room_of(path)
        if importer in rooms.FACE:
            continue  # on top of everything
        for name in rooms.imported(path):
            room = name.split(".", maxsplit=1)[0]
            if known.get(room, -1) > known[importer]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports bgrace.{name}")
    assert not wrong


@pytest.mark.parametrize("read", [house, rooms.c_house])
def test_no_circles_and_nothing_loose(read: Callable[[], rooms.House]) -> None:
    found = read()
    assert found.circles == []
    assert found.loose == []


def test_a_circle_and_a_loose_module_would_be_found(tmp_path: Path) -> None:
    for name, text in {
        "one/a.py": "def late():\n    from bgrace.two import b\n",
        "two/b.py": "import bgrace.three.c\n",
        "three/c.pyx": "from bgrace.one cimport a\n",
        "four/d.py": "from bgrace import one, errors\n",
        "errors.py": "",
        "loose.py": "",
        "__init__.py": "from bgrace import four\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = rooms.python_house(tmp_path)
    assert found.circles == [["one", "three", "two"]]
    assert found.loose == ["loose.py"]
    assert found.arrows["four"] == {"one", "errors"}
    assert found.n_arrows == 5


def test_the_picture_shows_the_house_as_it_is() -> None:
    drawn = (ROOT / "docs" / "pictures" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == rooms.picture(house()), "run: python scripts/rooms.py --svg docs/pictures/architecture.svg"


def test_the_kernels_do_not_know_what_stands_on_them() -> None:
    for path in (PACKAGE / "_kernels").glob("*.pyx"):
        assert {name.split(".")[0] for name in rooms.imported(path)} <= {"_kernels", "errors"}, path
