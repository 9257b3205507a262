"""Say how large the house is, how its rooms hang together, and how far a question goes through its files.

    python scripts/measures.py                     # as it is
    python scripts/measures.py --since v0.1 main   # beside these revisions; only what runs is of now alone
    python scripts/measures.py --rooms             # lines of code by room as well

Lines of code are lines without blanks, comments and docstrings.  A private header is any but bgrace.h.  The way of a
command is that of a reader who follows it: each function of the package is entered once, when it is first called; a
stay lasts while those entered lie in one file, and a return is a stay in a file that was left before.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any

from options import read_options
from rooms import ROOT, House, c_house, python_house

PARTS = ("package", "csrc", "site", "scripts", "tests")

PAGE_WORDS = {
    "cube states": r"\b(plane|state|class)e?sOf\b|\bplacesOf\b|\bturnedView\b|\bcubeStates?\b",
    "take points": r"\btakePoints?\b|\bpayoff\b|\bMIN_SCALE\b",
    "choice of method": r"method\b\s*[!=]==|\w\.method\)|\bprecision\b|\b(MOST|LEAST|LARGEST)_\w+",
}
"""What the page's JavaScript says where it decides for itself what C decides for others, or asks what C decided."""

WAYS = {
    "bgrace solve ID": ("solve", "VQUAgG0BAAAAAA", "--json"),
    "bgrace build": ("build", "measured.h5", "--checkers", "3", "--two-sided", "3"),
}

_C_LIKE = re.compile(
    r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?P<comment>//[^\n]*|/\*.*?\*/)""", re.DOTALL
)


def _python_lines(text: str) -> int:
    """Count by tokens, without strings that are statements."""
    docstrings = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    nothing = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    written = text.splitlines()
    return len(
        {
            line
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in nothing
            for line in range(token.start[0], token.end[0] + 1)
            if line not in docstrings and written[line - 1].strip()
        }
    )


def lines_of_code(path: Path) -> int:
    """Lines of a file without blanks, comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        return _python_lines(text)
    if path.suffix in (".c", ".h", ".inc", ".js", ".mjs", ".css"):
        text = _C_LIKE.sub(lambda found: "" if found["comment"] else found[0], text)
    elif path.suffix == ".html":
        text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    else:
        text = re.sub(r'^\s*"""(?:.*?)"""\s*$', "", text, flags=re.DOTALL | re.MULTILINE)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    return sum(1 for line in text.splitlines() if line.strip())


_WRITTEN = {".py", ".pyi", ".pyx", ".pxd", ".c", ".h", ".inc", ".js", ".mjs", ".css", ".html", ".sh"}


def written(root: Path) -> Iterator[tuple[str, Path]]:
    """The files that are written by hand, each with the part that it belongs to."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    names = listed or [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    for path in map(Path, names):
        if path.suffix in _WRITTEN and (root / path).exists():
            top = path.parts[0]
            part = "site" if path.is_relative_to("bgrace/web/site") else {"bgrace": "package"}.get(top, top)
            if part in PARTS:
                yield part, path


def measured(root: Path) -> dict[str, int]:
    """What can be read off the files, by name."""
    found: Counter[str] = Counter()
    by_room: Counter[str] = Counter()
    for part, path in written(root):
        n = lines_of_code(root / path)
        found[f"lines of code: {part}"] += n
        if part in ("package", "csrc"):
            by_room[f"lines of code: {path.parts[0]}/{path.parts[1] if len(path.parts) > 2 else '(loose)'}"] += n
    result = {name: found[name] for name in (f"lines of code: {part}" for part in PARTS)}
    result["lines of code: all"] = sum(result.values())
    result |= dict(sorted(by_room.items()))
    house: House = python_house(root / "bgrace")
    result["bgrace: rooms"] = len(house.arrows)
    result["bgrace: floors"] = 0 if house.circles else max(house.floors.values()) + 1
    result["bgrace: arrows"] = house.n_arrows
    result["bgrace: circles of rooms"] = len(house.circles)
    result["csrc: circles of rooms"] = len(c_house(root / "csrc").circles)
    for room in sorted(path for path in (root / "csrc").iterdir() if path.is_dir()):
        result[f"csrc/{room.name}: files"] = sum(path.suffix in (".c", ".h", ".inc") for path in room.rglob("*"))
        result[f"csrc/{room.name}: private headers"] = sum(path.suffix == ".h" for path in room.rglob("*"))
    page = [line for path in (root / "bgrace/web/site").glob("*.js") for line in path.read_text("utf-8").splitlines()]
    for what, pattern in PAGE_WORDS.items():
        result[f"page, lines about {what}"] = sum(bool(re.search(pattern, line)) for line in page)
    return result


def way(arguments: Iterable[str]) -> dict[str, int]:
    """Run a command, and follow it through the files of the package."""
    from bgrace.cli import main as command  # noqa: PLC0415

    entered: dict[Any, None] = {}
    importing = 0

    def follow(frame: FrameType, event: str, _: object) -> None:
        nonlocal importing
        if event not in ("call", "return"):
            return
        if frame.f_code.co_name == "<module>":
            importing += 1 if event == "call" else -1
        elif event == "call" and not importing and frame.f_code.co_filename.startswith(str(ROOT / "bgrace")):
            entered[frame.f_code] = None

    sys.argv = ["bgrace", *arguments]
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        sys.setprofile(follow)
        try:
            command()
        except SystemExit as end:
            if end.code:
                raise
        finally:
            sys.setprofile(None)
    files = [code.co_filename for code in entered]
    stays = sum(here != before for here, before in zip(files, ["", *files], strict=False))
    return {"files": len(set(files)), "stays": stays, "returns": stays - len(set(files))}


def ways() -> dict[str, int]:
    """Follow each of WAYS in a process of its own, so that nothing is remembered from the one before."""
    result: dict[str, int] = {}
    for name, arguments in WAYS.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            result |= {f"{name}: {what}": n for what, n in pool.submit(way, arguments).result().items()}
    return result


def at(revision: str) -> dict[str, int]:
    """The measures of a revision."""
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
        return measured(Path(folder))


def main() -> None:
    arguments = read_options(__doc__, since=[], rooms=False)
    columns = {**{str(revision): at(str(revision)) for revision in arguments.since}, "now": measured(ROOT) | ways()}
    names = dict.fromkeys(name for column in columns.values() for name in column)
    rows = [("", *columns)]
    for name in names:
        if arguments.rooms or not name.startswith(("lines of code: bgrace/", "lines of code: csrc/")):
            rows.append((name, *(f"{column[name]:,}" if name in column else "" for column in columns.values())))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join((f"{row[0]:{widths[0]}}", *map("{:>{}}".format, row[1:], widths[1:]))))


if __name__ == "__main__":
    main()
