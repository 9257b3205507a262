"""2,000 answers that have to stay as they are, bit for bit: frozen_answers.py [--make] [--page] [EVERY].

tests/golden/answers.csv has a question a line with a digest of all that ``bgrace solve --json`` says about it.  With
--make they are written anew, as they have to be where answers are meant to change; else the answers of Python are held
against it, and with --page those of the engine in a page; EVERY n-th of them, all unless told otherwise.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Final

from check_page_engine import answer_json, ask, for_page

from bgrace._base.limits import Limits
from bgrace.answers.question import Question
from bgrace.board import Position
from bgrace.cube.action import CUBES
from bgrace.match import Score
from bgrace.match.stakes import Rules, Stakes

ROOT = Path(__file__).resolve().parent.parent
FROZEN: Final = ROOT / "tests" / "golden" / "answers.csv"
MEMORY_BYTES: Final = 1 << 27

NOT_FROZEN: Final = frozenset({"bounds", "ogid", "reasons"})
"""What the digest is not of: fields that came when answers had been frozen."""


def digest(answer: dict[str, Any]) -> str:
    """Twelve hexadecimal digits of everything in an answer, each number to its last bit."""
    told = {key: value for key, value in answer.items() if key not in NOT_FROZEN}
    text = json.dumps(_as_floats(told), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _as_floats(value: Any) -> Any:
    """JavaScript has one kind of number; answers were frozen before their plays had reasons."""
    if isinstance(value, dict):
        return {key: _as_floats(each) for key, each in value.items() if key != "reason" or "play" not in value}
    if isinstance(value, (list, tuple)):
        return [_as_floats(each) for each in value]
    return float(value) + 0.0 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def read_questions(every: int = 1) -> Iterator[tuple[dict[str, str], Question]]:
    """The frozen rows, each with its question."""
    with FROZEN.open(encoding="utf-8", newline="") as file:
        for row in islice(csv.DictReader(file), 0, None, every):
            yield row, _question(row)


def _question(row: dict[str, str]) -> Question:
    roll = row["roll"]
    return Question(
        Position(map(int, row["on_roll"].split())),
        Position(map(int, row["opponent"].split())),
        _stakes(row["stakes"]),
        next((place for place in CUBES if place == row["cube"]), None),
        (int(roll[0]), int(roll[1])) if roll not in ("", "all") else None,
        roll == "all",
        limits=Limits(float(row["seconds"]), MEMORY_BYTES),
    )


def _stakes(text: str) -> Stakes:
    words = text.split()
    cube_value = int(words.pop())
    gammons = "-gammons" not in words
    if words[0] == "money":
        return Stakes.money(Rules(gammons, "jacoby" in words, "beavers" in words), cube_value)
    score = Score(int(words[0]), int(words[1]), "crawford" in words)
    return Stakes.at(score, cube_value=cube_value, gammons=gammons)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("every", nargs="?", type=int, default=1)
    asked = parser.parse_args()
    rows, listed = zip(*read_questions(1 if asked.make else asked.every), strict=True)
    if asked.page:
        questions = [for_page(one) for one in listed]
        *answers, _, time = ask([*questions, *[{"time": "estimate", "questions": questions}] * 2])
        print(f"an estimate takes a page {time:.0f} microseconds")
    else:
        with ThreadPoolExecutor() as pool:
            answers = list(pool.map(answer_json, listed))
    if asked.make:
        with FROZEN.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            for row, answer in zip(rows, answers, strict=True):
                found = {"method": answer["method"], "win": f"{answer['win_probability']:.9f}"}
                writer.writerow({**row, **found, "digest": digest(answer)})
        return
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
