"""Includes of C go one way."""

from __future__ import annotations

import graphlib
import re
from pathlib import Path

from helpers.paths import ROOT

C_CODE = ROOT / "csrc"


def c_files() -> list[Path]:
    """Every C file and header in a room."""
    return sorted(path for path in C_CODE.glob("*/*") if path.suffix in {".c", ".h", ".inc"})


def included(path: Path) -> set[str]:
    """What of csrc/ a file includes, as it is written: from csrc/ on."""
    return set(re.findall(r'^#include "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE))


def test_no_circle_between_c_files() -> None:
    """A header and the file of its name are one; what it declares is defined there, or where it is included first."""
    needed: dict[str, set[str]] = {}
    for path in c_files():
        one = str(path.relative_to(C_CODE).with_suffix(""))
        needed.setdefault(one, set()).update(name.rsplit(".", maxsplit=1)[0] for name in included(path))
        needed[one].discard(one)
    graphlib.TopologicalSorter(needed).prepare()  # CycleError names the circle
    for header in C_CODE.glob("*/*.h"):
        declared = set(
            re.findall(r"^[a-z][\w ]*[ *](bgr_\w+)\([^{}]*?\);", header.read_text(encoding="utf-8"), re.MULTILINE)
        )
        own = f'#include "{header.relative_to(C_CODE)}"'
        texts = {path.stem: path.read_text(encoding="utf-8") for path in header.parent.glob("*.c")}
        first = {name: re.findall(r"^#include .*", text, re.MULTILINE)[:1] for name, text in texts.items()}
        text = "\n".join(text for name, text in texts.items() if name == header.stem or first[name] == [own])
        defined = set(re.findall(r"^[a-z][\w ]*[ *](bgr_\w+)\([^{};]*\)\s*\{", text, re.MULTILINE))
        defined |= set(re.findall(r"^DEFINE_\w+\((bgr_\w+)", text, re.MULTILINE))
        assert declared <= defined, f"{own}: {declared - defined} are not defined where that comes first"
