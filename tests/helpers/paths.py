"""Paths of the project's files, for the tests."""

from pathlib import Path
from typing import Final

import bgrace

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGE: Final = Path(bgrace.__file__).resolve().parent
"""Folder of the tested package, in the source tree or where it is installed."""
SMALL: Final = bgrace.example_file()
"""All positions of up to six checkers, pairs of up to three a side."""
GOLDEN: Final = ROOT / "tests" / "golden"
"""Check values, each file with its source."""
MATCHES: Final = ROOT / "data" / "matches"
RECORDED_RACES: Final = (ROOT / "data" / "recorded-races.txt").read_text(encoding="utf-8").split()
"""IDs of races from recorded matches."""
