"""Ask 2,000 frozen questions, and name every answer that differs by a bit from the frozen one.

\b
    python scripts/frozen_answers.py            # ask the Python library
    python scripts/frozen_answers.py --page     # ask the engine of the page, and time its estimates
    python scripts/frozen_answers.py --make     # freeze the present answers, after a change that was meant

Each line of tests/golden/answers.csv has a question and a digest of what ``bgrace solve --json`` answers.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
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
"""Fields that the digest leaves out, because they are younger than the frozen answers."""


def digest(answer: dict[str, Any]) -> str:
    """Hash an answer, each number to its last bit, to twelve hexadecimal digits."""
    frozen = {key: value for key, value in answer.items() if key not in NOT_FROZEN}
    text = json.dumps(_as_floats(frozen), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _as_floats(value: Any) -> Any:
    """Turn numbers into floats, the only kind in JavaScript; leave out the reasons of plays, which are younger."""
    if isinstance(value, dict):
        return {key: _as_floats(item) for key, item in value.items() if key != "reason" or "play" not in value}
    if isinstance(value, (list, tuple)):
        return [_as_floats(item) for item in value]
    return float(value) + 0.0 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def read_questions(every: int = 1) -> Iterator[tuple[dict[str, str], Question]]:
    """Read every n-th frozen row, with its question."""
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


@click.command(help=__doc__)
@click.option("--make", is_flag=True)
@click.option("--page", is_flag=True)
def main(make: bool, page: bool) -> None:
    rows, questions = zip(*read_questions(), strict=True)
    if page:
        asked = [for_page(question) for question in questions]
        *answers, _, microseconds = ask([*asked, *2 * [{"time": asked}]])  # once to warm up
        print(f"an estimate of the page takes {microseconds:.0f} microseconds")
    else:
        with ThreadPoolExecutor() as pool:
            answers = list(pool.map(answer_json, questions))
    if make:
        with FROZEN.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            for row, answer in zip(rows, answers, strict=True):
                new = {"method": answer["method"], "win": f"{answer['win_probability']:.9f}", "digest": digest(answer)}
                writer.writerow({**row, **new})
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
