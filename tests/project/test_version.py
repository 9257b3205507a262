"""All files have the same version."""

from __future__ import annotations

import re

import pytest
from helpers.paths import ROOT

import bgrace

NUMBER = r"(\d+\.\d+\.\d+)"


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("CITATION.cff", rf"^version: {NUMBER}$"),
        ("csrc/bgrace.h", rf'^#define BGR_VERSION "{NUMBER}"$'),
        ("packages/npm/package.json", rf'^  "version": "{NUMBER}",$'),
        ("packages/rust/Cargo.toml", rf'^version = "{NUMBER}"$'),
    ],
)
def test_every_file_has_the_version_of_the_package(name: str, pattern: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(pattern, text, re.MULTILINE) == [bgrace.__version__]


def test_the_changelog_begins_with_this_version_or_unreleased_changes() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    released = [heading for heading in headings if heading != "Unreleased"]
    cited = re.findall(r"^date-released: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] in ("Unreleased", released[0])
    assert [released[0]] == [f"{bgrace.__version__} ({day})" for day in cited]
