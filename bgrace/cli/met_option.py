"""The ``--met`` of the commands about matches: what scores are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

import bgrace.match
from bgrace.cli.options import Decorator
from bgrace.match.met import MatchEquityTable

met_option: Final[Decorator] = click.option(
    "--met", metavar="FILE", help="Match equity table: a file, or zadeh.  [default: Kazaross XG2]"
)
"""The option itself."""


def read_met(name: str | None) -> MatchEquityTable:
    """The table of a ``--met``: ``default``, ``zadeh``, or a file."""
    if name in (None, "default"):
        return MatchEquityTable.default()
    if name == "zadeh":
        return MatchEquityTable.from_model(bgrace.match.ZadehModel.equal())  # loaded here, which takes a while
    return MatchEquityTable.load(Path(str(name)))


def met_files(name: str | None) -> list[Path]:
    """The file of a ``--met``, if it names one."""
    return [] if name in (None, "default", "zadeh") else [Path(str(name))]
