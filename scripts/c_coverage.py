"""Print which lines of C a build with BGRACE_COVERAGE=1 has run: c_coverage.py FOLDER, where its objects are.

A file that is compiled more than once counts as run where any of its objects ran.  Code that Cython wrote is left out.
"""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from pathlib import Path

import click


def counts(folder: Path) -> dict[str, dict[int, int]]:
    """How often each line of each C file of ours was run."""
    files: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(path for path in folder.rglob("*.gcno") if "_kernels" not in path.parts):
        command = ["gcov", "--json-format", "--stdout", str(data)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for line in filter(None, printed.splitlines()):
            for file in json.loads(line)["files"]:
                name = str(file["file"])
                if name.startswith("csrc/") or name.endswith("embed/src/bgrace.c"):
                    for entry in file["lines"]:
                        files[name][entry["line_number"]] += entry["count"]
    return files


def ranges(numbers: list[int]) -> str:
    """Write rising line numbers: 1-3, 7."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][1] + 1:
            groups[-1][1] = number
        else:
            groups.append([number, number])
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in groups)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    files = counts(folder)
    print(f"{'C file':36}  lines   run  not run")
    for name, lines in sorted(files.items()):
        missed = sorted(number for number, count in lines.items() if not count)
        print(f"{name:36}  {len(lines):5}  {100 * (1 - len(missed) / len(lines)):3.0f}%  {ranges(missed)}".rstrip())
    own = {name: lines for name, lines in files.items() if name.startswith("csrc/")}
    total = sum(map(len, own.values()))
    run = sum(bool(count) for lines in own.values() for count in lines.values())
    print(f"{'csrc/ together':36}  {total:5}  {100 * run / max(1, total):.1f}%")


if __name__ == "__main__":
    main()
