"""2,000 answers that have to stay as they are, bit for bit: frozen_answers.py [--make] [--page] [EVERY].

tests/golden/answers.csv has a question a line with a digest of all that ``bgrace solve --json`` says about it.  With
--make the file is written anew, as it has to be where answers are meant to change; else the answers of Python are held
against it, and with --page those of the engine in a page; EVERY n-th of them, all unless told otherwise.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Final

from check_page_engine import Asked, ask

from bgrace.board import parse_board
from bgrace.cube.action import Cube
from bgrace.match import Score
from bgrace.match.stakes import Rules, Stakes

ROOT = Path(__file__).resolve().parent.parent
FROZEN: Final = ROOT / "tests" / "golden" / "answers.csv"
MEMORY_BYTES: Final = 1 << 27
COLUMNS: Final = ("kind", "on_roll", "opponent", "stakes", "cube", "roll", "seconds", "method", "win", "digest")

KEYS: Final = (
    "on_roll",
    "opponent",
    "win_probability",
    "method",
    "match",
    "match_chances",
    "equities",
    "cube_action",
    "plays",
    "stakes",
    "gammon_win",
    "gammon_loss",
    "backgammon_win",
    "backgammon_loss",
    "error",
    "xgid",
    "rolls",
)
"""What the digest is of: what answers may have beside this may come and go."""


def digest(answer: dict[str, Any]) -> str:
    """Twelve hexadecimal digits of everything in an answer, each number to its last bit."""
    told = {key: answer[key] for key in KEYS if key in answer}
    if told.get("plays"):
        told["plays"] = [{key: play[key] for key in play if key != "reason"} for play in told["plays"]]
    text = json.dumps(_as_floats(told), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _as_floats(value: Any) -> Any:
    """JavaScript has one kind of number; answers were frozen before their plays had reasons."""
    if isinstance(value, dict):
        return {key: _as_floats(each) for key, each in value.items() if key != "reason" or "play" not in value}
    if isinstance(value, (list, tuple)):
        return [_as_floats(each) for each in value]
    return float(value) + 0.0 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def read_questions(every: int = 1) -> Iterator[tuple[dict[str, str], Asked]]:
    """The frozen rows, each with its question."""
    with FROZEN.open(encoding="utf-8", newline="") as file:
        for row in islice(csv.DictReader(file), 0, None, every):
            yield row, _question(row)


def _question(row: dict[str, str]) -> Asked:
    roll = row["roll"]
    return Asked(
        tuple(map(int, row["on_roll"].split())),
        tuple(map(int, row["opponent"].split())),
        _stakes(row["stakes"]),
        next((place for place in ("none", "centered", "mine", "theirs") if place == row["cube"]), None),
        (int(roll[0]), int(roll[1])) if roll not in ("", "all") else None,
        roll == "all",
        None,
        float(row["seconds"]),
        MEMORY_BYTES,
    )


def _stakes(text: str) -> Stakes:
    words = text.split()
    cube_value = int(words.pop())
    gammons = "-gammons" not in words
    if words[0] == "money":
        return Stakes.money(Rules(gammons, "jacoby" in words, "beavers" in words), cube_value)
    score = Score(int(words[0]), int(words[1]), "crawford" in words)
    return Stakes.at(score, cube_value=cube_value, gammons=gammons)


# ---------------------------------------------------------------------- made anew


def _spread(chance: random.Random, points: int, checkers: int) -> str:
    counts = [0] * points
    for _ in range(checkers):
        counts[chance.randrange(points)] += 1
    return " ".join(map(str, counts))


def _sides(chance: random.Random, kind: str) -> tuple[str, str]:
    """Two sides of a kind."""
    if kind == "home":
        return tuple(_spread(chance, 6, chance.randint(1, 6)) for _ in range(2))  # type: ignore[return-value]
    if kind == "beyond":
        far = chance.randint(7, 14)
        return _spread(chance, far, chance.randint(1, 4)), _spread(chance, min(24 - far, 10), chance.randint(1, 4))
    if kind == "gammon":
        short, full = _spread(chance, 6, chance.randint(1, 4)), _spread(chance, 4, 15)
        return (short, full) if chance.random() < 0.5 else (full, short)
    counts = [0] * 22
    counts[0] = counts[2] = 1
    for _ in range(12):
        counts[chance.randrange(12)] += 1
    straggler = chance.randrange(12, 22)  # who may lose a backgammon
    counts[straggler] = 1
    return " ".join(map(str, counts[: straggler + 1])), _spread(chance, 2, chance.randint(1, 6))


def _stakes_text(chance: random.Random) -> str:
    gammons = "" if chance.random() < 0.85 else " -gammons"
    if chance.random() < 0.5:
        jacoby, beavers = (word if chance.random() < 0.3 else "" for word in (" jacoby", " beavers"))
        return f"money{gammons}{jacoby}{beavers} {chance.choice((1, 1, 2))}"
    mine, theirs = chance.randint(1, 9), chance.randint(1, 9)
    crawford = " crawford" if min(mine, theirs) == 1 and chance.random() < 0.5 else ""
    return f"{mine} {theirs}{crawford}{gammons} {1 if crawford else chance.choice((1, 1, 2, 4))}"


def _on_as_many_points(sides: tuple[str, str]) -> tuple[str, str]:
    """Both sides on six points, or as many as the checker farthest out needs, as those of an ID are."""
    each = [list(map(int, side.split())) for side in sides]
    points = max(6, *(point + 1 for counts in each for point, count in enumerate(counts) if count))
    mine, theirs = (" ".join(map(str, (counts + [0] * points)[:points])) for counts in each)
    return mine, theirs


def _of_board(text: str) -> tuple[str, str, str]:
    board = parse_board(text)
    stakes = Stakes.of(board)
    sides = (" ".join(map(str, side)) for side in (board.on_roll, board.opponent))
    if stakes.score is None:
        return (*sides, f"money{' jacoby' if stakes.rules.jacoby else ''} {stakes.cube_value}")  # type: ignore[return-value]
    score = stakes.score
    crawford = " crawford" if score.kind == "Crawford" else ""
    return (*sides, f"{score.on_roll_needs} {score.opponent_needs}{crawford} {stakes.cube_value}")  # type: ignore[return-value]


def _made(seed: int) -> Iterator[dict[str, str]]:
    chance = random.Random(seed)
    recorded = (ROOT / "data" / "recorded-races.txt").read_text(encoding="utf-8").split()
    kinds = ["home"] * 1000 + ["beyond"] * 350 + ["gammon"] * 250 + ["straggler"] * 40 + ["recorded"] * 360
    for kind in kinds:
        if kind == "recorded":
            on_roll, opponent, stakes = _of_board(chance.choice(recorded))
        else:
            (on_roll, opponent), stakes = _on_as_many_points(_sides(chance, kind)), _stakes_text(chance)
        cube: Cube | str = chance.choice(("", *_stakes(stakes).cubes))
        roll = chance.choice(("", "", "31", "66", "64", "all" if kind in ("home", "beyond") else "52"))
        if kind == "recorded" and chance.random() < 0.05:
            roll = "all"
        seconds = "0.05" if kind != "recorded" else chance.choice(("0.01", "0.01", "0.03"))
        asked = (kind, on_roll, opponent, stakes, cube, roll, seconds)
        yield dict(zip(COLUMNS, asked, strict=False))


def _answered(rows: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda row: _question(row).answer(), rows))


def make(seed: int = 1) -> None:
    """Write the file."""
    rows = list(_made(seed))
    with FROZEN.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row, answer in zip(rows, _answered(rows), strict=True):
            found = {"method": answer["method"], "win": f"{answer['win_probability']:.9f}", "digest": digest(answer)}
            writer.writerow({**row, **found})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("every", nargs="?", type=int, default=1)
    asked = parser.parse_args()
    if asked.make:
        make()
        return
    rows, listed = zip(*read_questions(asked.every), strict=True)
    answers = ask([one.for_page() for one in listed]) if asked.page else _answered(rows)
    changed = [
        f"{row['kind']}: {row['on_roll']} against {row['opponent']}, {row['stakes']}, roll {row['roll'] or 'none'}: "
        f"{answer.get('method')} {answer.get('win_probability')} instead of {row['method']} {row['win']}"
        for row, answer in zip(rows, answers, strict=True)
        if digest(answer) != row["digest"]
    ]
    print("\n".join(changed[:20]))
    print(f"{len(rows):,} answers, {len(changed):,} changed")
    sys.exit(bool(changed))


if __name__ == "__main__":
    main()
