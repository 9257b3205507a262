"""Count the race decisions of matches that GNU Backgammon saved: a second replay, which shares nothing with bgrace.

    python scripts/sgf_races.py MATCH.sgf...

For each file: plays of a roll in a race, doubles, answers to doubles, and turns in a race on which a double would have
been legal and of use but was not made.  Written for the files that the program writes of whole games from the start.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

_START = {"a": 2, "l": 5, "q": 3, "s": 5}
"""Black's checkers; White's are on the mirrored points."""


def count(text: str) -> Counter[str]:
    """Count the decisions of all games of a file, by kind."""
    found: Counter[str] = Counter()
    for game in re.split(r"\(;FF\[4\]GM\[6\]", text)[1:]:
        found += _count_game(game)
    return found


def _number(game: str, name: str) -> int:
    told = re.search(rf"\[{name}:(\d+)\]", game)
    return int(told[1]) if told else 0


def _count_game(game: str) -> Counter[str]:
    length = _number(game, "length")
    needs = {"W": length - _number(game, "ws"), "B": length - _number(game, "bs")}
    crawford = "CrawfordGame" in game.split("\n", 1)[0]
    # A dictionary a side: checkers by letter.  White moves towards a, Black towards x; both enter from y, leave to z.
    black = dict(_START)
    white = {chr(ord("a") + ord("x") - ord(letter)): n for letter, n in _START.items()}
    sides = {"W": white, "B": black}
    cube, owner = 1, ""
    found: Counter[str] = Counter()
    doubled = ""
    for colour, what in re.findall(r"^;([WB])\[([^\]]*)\]", game, re.MULTILINE):
        race = _is_race(white, black)
        if what == "double":
            found["double"] += race
            doubled = colour
        elif what in ("take", "drop"):
            found["answer"] += race
            if what == "take":
                cube, owner = 2 * cube, colour
        else:
            may = owner in ("", colour) and not crawford and (not length or needs[colour] > cube)
            found["no double"] += race and may and doubled != colour
            found["play"] += race
            doubled = ""
            _move(sides[colour], sides["B" if colour == "W" else "W"], what[2:])
    return found


def _is_race(white: dict[str, int], black: dict[str, int]) -> bool:
    """No checker of White's is behind one of Black's: White's farthest letter stands before Black's first."""
    at_white, at_black = ([place for place, n in side.items() if n and place != "z"] for side in (white, black))
    if not at_white or not at_black or "y" in at_white or "y" in at_black:
        return False
    return max(at_white) < min(at_black)


def _move(mine: dict[str, int], theirs: dict[str, int], letters: str) -> None:
    for start, end in zip(letters[::2], letters[1::2], strict=True):
        mine[start] -= 1
        mine[end] = mine.get(end, 0) + 1
        if end != "z" and theirs.get(end):
            theirs[end] -= 1
            theirs["y"] = theirs.get("y", 0) + 1


if __name__ == "__main__":
    for name in sys.argv[1:]:
        counted = count(Path(name).read_text(encoding="utf-8"))
        print(f"{name}: " + ", ".join(f"{kind} {n}" for kind, n in sorted(counted.items())))
