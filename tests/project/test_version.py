"""The version stands in three files, and is the same in all."""

from __future__ import annotations

import re

from helpers.paths import ROOT

import bgrace


def test_the_citation_and_the_header_have_the_version_of_the_package() -> None:
    for name, pattern in (("CITATION.cff", r"^version: (.+)$"), ("csrc/bgrace.h", r'^#define BGR_VERSION "(.+)"$')):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(pattern, text, re.MULTILINE) == [bgrace.__version__], name
