"""The releases that scripts install: all that pyproject.toml asks for, within its bounds, each with its hashes."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

import pytest
from helpers.paths import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = SETTINGS["project"]["optional-dependencies"]
NEEDED = SETTINGS["project"]["dependencies"] + SETTINGS["build-system"]["requires"]


def locked(name: str) -> dict[str, str]:
    """Releases by project."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    found: dict[str, str] = {}
    for entry in entries:
        head = Requirement(entry.split("\\")[0].strip())
        (version,) = head.specifier
        assert version.operator == "=="
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry), head
        found[canonicalize_name(head.name)] = version.version
    return found


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("use.txt", NEEDED),
        (
            "quick.txt",
            [*NEEDED, *(one for one in EXTRAS["test"] if one.startswith(("defusedxml", "hypothesis", "pytest")))],
        ),
        ("develop.txt", [*NEEDED, *chain.from_iterable(EXTRAS.values())]),
    ],
)
def test_all_that_is_asked_for_is_locked(name: str, wanted: list[str]) -> None:
    releases = locked(name)
    for text in wanted:
        requirement = Requirement(text)
        version = releases[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{text}: {version} is locked; run scripts/lock.sh"


def test_locks_agree() -> None:
    assert locked("use.txt").items() <= locked("quick.txt").items() <= locked("develop.txt").items()


@pytest.mark.parametrize("name", ["use.txt", "quick.txt", "develop.txt"])
def test_no_lock_names_a_host(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    assert "find-links" not in text
