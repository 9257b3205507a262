"""Hold what a review reads of matches against what other files, and another program, say of the same matches.

    python scripts/check_readers.py FOLDER

FOLDER, or folders in it, have the same matches in several formats, under the same name but for its end, such as
match.mat, match.xg and match.bgf; the samples in the source distribution of gammonview are such a folder.  Printed are,
for each match, the race decisions found in each file, and whether they are those of the first: the same positions,
scores, cubes, rolls and plays.  Of an .xg file every play in a race is also held against xgparse (``pip install
xgparse``), which shares no code with the reader that bgrace uses.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from bgrace.review import Match, read
from bgrace.review.replay import RaceDecision, replay

SUFFIXES: Final = (".mat", ".txt", ".xg", ".xgp", ".bgf", ".sgf", ".ogxm")

_Play: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""What both sides have before it, the player first; the roll, larger die first; what is left."""


def race(match: Match) -> tuple[list[tuple[int, RaceDecision]], list[str]]:
    """Race decisions of a match, with the number of the game, and what is wrong with it."""
    games = list(replay(match))
    problems = [str(one) for one in match.problems] + [str(one) for game in games for one in game.problems]
    return [(game.number, one) for game in games for one in game.decisions], problems


def shown(decisions: list[tuple[int, RaceDecision]], turned: bool) -> list[tuple[object, ...]]:
    """What must be the same in all files; `turned` if the other player is named first."""
    return [(number, one.kind, one.player ^ turned, one.board, one.done, one.result) for number, one in decisions]


def ours(decisions: list[tuple[int, RaceDecision]]) -> list[_Play]:
    """Plays as both readers tell them."""
    return [
        (_full(one.board.on_roll), _full(one.board.opponent), one.board.roll, _full(one.result))
        for _, one in decisions
        if one.kind == "play" and one.board.roll is not None and one.result is not None
    ]


def _full(side: tuple[int, ...]) -> tuple[int, ...]:
    return (*side, *([0] * (24 - len(side))))


def theirs(path: Path) -> Iterator[_Play]:
    """Plays in races of an .xg file, as xgparse reads it."""
    xgparse: Any = importlib.import_module("xgparse.convertxg")
    for entry in xgparse.convert_xg_to_py_dataclasses(str(path)):
        if type(entry).__name__ != "MoveEntry" or not entry.played:
            continue
        # Their own checkers count up, the other's are negative: before a play the first player's, after it the mover's.
        after, before = entry.position_end, entry.position_i
        if entry.active_p != 1:
            before = tuple(-n for n in reversed(before))
        mine, other = [max(n, 0) for n in before[1:25]], [max(-n, 0) for n in before[24:0:-1]]
        highest = [max((k for k, n in enumerate(side, 1) if n), default=0) for side in (mine, other)]
        if any(before[k] for k in (0, 25)) or sum(highest) > 24 or not all(highest):
            continue
        left = [max(n, 0) for n in after[1:25]]
        yield tuple(mine), tuple(other), (max(entry.dice), min(entry.dice)), tuple(left)


def compared(decisions: list[tuple[int, RaceDecision]], path: Path) -> str:
    """How many plays both readers find."""
    try:
        other = list(theirs(path))
    except Exception as error:  # whatever it is, the other program cannot read the file
        return f"; xgparse fails ({error})"
    mine = ours(decisions)
    return f"; xgparse: {sum(one in other for one in mine)} of {len(mine)} plays the same, of its own {len(other)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    files: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*"), key=lambda one: SUFFIXES.index(one.suffix) if one.suffix in SUFFIXES else 99):
        if path.suffix in SUFFIXES:
            files.setdefault(path.stem, []).append(path)
    has_second = importlib.util.find_spec("xgparse") is not None
    for name, paths in sorted(files.items()):
        first: list[tuple[object, ...]] = []
        players = next(iter(read(paths[0]))).players
        for k, path in enumerate(paths):
            match = next(iter(read(path)))
            decisions, problems = race(match)
            listed = shown(decisions, turned=match.players == players[::-1] != players)
            same = "" if k == 0 else ", same as above" if listed == first else ", DIFFERENT"
            first = first or listed
            second = compared(decisions, path) if path.suffix == ".xg" and has_second else ""
            print(f"{name + path.suffix:28} {len(decisions):4} decisions{same}{second}", flush=True)
            for problem in problems:
                print(f"{'':28}      {problem}")


if __name__ == "__main__":
    main()
