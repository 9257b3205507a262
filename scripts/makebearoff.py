"""What the benchmarks beside GNU Backgammon's makebearoff share."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path


def parse_arguments(description: str | None, repeats: int) -> argparse.Namespace:
    """Read the command line; `makebearoff` of the result is where the program is."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--repeats", type=int, default=repeats, help="how often everything is run; %(default)s unless given"
    )
    parser.add_argument("--quick", action="store_true", help="leave out 8 points and 6x7, which take minutes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error(f"--repeats {arguments.repeats}: give 1 or more")
    arguments.makebearoff = shutil.which("makebearoff") or shutil.which("makebearoff", path="/usr/games")
    if arguments.makebearoff is None:
        raise SystemExit("makebearoff is not installed: apt-get install gnubg (Debian, Ubuntu)")
    return arguments


def process(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a program to its end, in silence."""
    subprocess.run([str(word) for word in command], check=True, capture_output=True, env=environment)


def cell(times: dict[str, float]) -> str:
    """Median and extremes, as a table has them."""
    return f"{times['median']:.3f} s ({times['least']:.3f} to {times['greatest']:.3f})"
