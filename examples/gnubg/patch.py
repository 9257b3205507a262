"""Put calls of bgrace into functions of GNU Backgammon's source.

    python patch.py SOURCE

SOURCE is the folder of the program's source, which `apt-get source gnubg` makes for example.  Each call becomes the
first statement of a function.  Nothing else changes, and a second run changes nothing.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

BEFORE = '#include "backgammon.h"\n'
INCLUDE = '#include "bgrace_gnubg.h"\n'
CALLS = {
    "eval.c": {
        "EvaluatePositionFull": "if (bgrace_evaluate({1}, {2}, {3}, {4})) return 0;",
        "EvaluatePositionCubeful4": "if (bgrace_evaluate_cubes({1}, {2}, {3}, {4}, {5}, {6}, {7}, {9})) return 0;",
        "FindnSaveBestMoves": "bgrace_begin_plays({3}, {6}, {7});",
    },
    "rollout.c": {"BasicCubefulRollout": "BGRACE_ROLLOUT;"},
    "matchequity.c": {"InitMatchEquity": "bgrace_forget();", "invertMET": "bgrace_forget();"},
}


def patch(text: str, name: str, call: str) -> str:
    """Put a call at the head of a function; numbers in it stand for arguments of the function."""
    unknown = SystemExit(f"{name} is not what it was: a version of GNU Backgammon that this script does not know")
    found = re.search(rf"^{name}\s*\(([^;{{}}]*)\)\s*\{{", text, re.M)
    if not found:
        raise unknown
    words = [re.findall(r"\w+", re.sub(r"\[.*?\]|/\*.*?\*/", "", one)) for one in split(found[1])]
    try:
        statement = call.format(*(each[-1] for each in words))
    except IndexError:
        raise unknown from None
    if text[found.end() :].lstrip().startswith(statement):
        return text
    return f"{text[: found.end()]}\n    {statement}{text[found.end() :]}"


def split(arguments: str) -> list[str]:
    """List the arguments of a function."""
    return [one for one in arguments.split(",") if one.strip()]


def main() -> None:
    """Patch the files of a folder."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    patched = {}
    for file, calls in CALLS.items():
        path = Path(sys.argv[1], file)
        try:
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise SystemExit(f"{path} cannot be read ({error.strerror}): give the folder of the source") from None
        for name, call in calls.items():
            text = patch(text, name, call)
        if INCLUDE not in text:
            text = text.replace(BEFORE, BEFORE + INCLUDE, 1)
        if INCLUDE not in text:
            raise SystemExit(f"{path} does not include backgammon.h: a version that this script does not know")
        patched[path] = text
    for path, text in patched.items():  # only after all have been patched
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


if __name__ == "__main__":
    main()
