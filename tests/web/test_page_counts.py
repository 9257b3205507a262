"""What counts say in a page without a server: the twin in JavaScript against the library."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="needs bgrace[web]")
pytest.importorskip("uvicorn", reason="needs bgrace[web]")

from helpers.paths import PACKAGE
from helpers.web import Client

import bgrace
from bgrace.analysis import judge_counts
from bgrace.counts import COUNTS, effective_pips
from bgrace.errors import PositionError
from bgrace.solving.alone import follow_alone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ASK = """async (asked) => {
    const { judgeCounts } = await import("/counts.js");
    return asked.map(([onRoll, opponent, truth]) => judgeCounts(onRoll, opponent, truth));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, server: Client) -> Page:
    page = browser.new_page()
    page.goto(server.address)
    return page


def check_same(mine: Any, theirs: Any) -> None:
    """The same JSON; numbers to the last digits."""
    if isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        for name, value in theirs.items():
            check_same(mine[name], value)
    elif isinstance(theirs, float):
        assert mine == pytest.approx(theirs, abs=1e-12)
    else:
        assert mine == theirs


def drawn(n: int) -> list[tuple[bgrace.Position, bgrace.Position]]:
    """Home positions of every kind, and some with checkers outside."""
    draw = Random(1)
    sides = []
    for _ in range(2 * n):
        points = draw.choice((2, 4, 6, 6, 9, 12))
        counts = [0] * points
        for _ in range(draw.randint(1, 15)):
            counts[
                min(draw.randrange(points), draw.randrange(points)) if draw.random() < 0.4 else draw.randrange(points)
            ] += 1
        sides.append(bgrace.parse_position(counts))
    return list(zip(sides[::2], sides[1::2], strict=True))


def counted(
    own: bgrace.Position, other: bgrace.Position, epc: tuple[float, float]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What the library says, and which counts do not reach the pair, and why."""
    found: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name, count in COUNTS.items():
        found[name] = None
        try:
            found[name] = (
                effective_pips(own, other, epc=epc) if name == "effective_pips" else count(own, other)
            ).to_dict()
        except PositionError as error:
            left_out[name] = str(error)
    return found, left_out


def test_counts_are_those_of_the_library(page: Page) -> None:
    pairs = drawn(400)
    action = {"cube": "centered", "no_double": 0.5, "double_take": 0.7, "double_pass": 1.0, "verdict": "double/take"}
    truth = {"winProbability": 0.5, "method": "solved", "error": 0, "stakes": "", "double": action, "redouble": action}
    truth |= {"points": None, "reasons": {}}
    epcs = [(own.pips + 7.25, other.pips + 8.5) for own, other in pairs]
    expected = [counted(own, other, epc) for (own, other), epc in zip(pairs, epcs, strict=True)]
    asked = [
        [list(own), list(other), truth | {"epc": list(epc)}] for (own, other), epc in zip(pairs, epcs, strict=True)
    ]
    assert {name for _, left_out in expected for name in left_out} == {"lamford", "nack57", "kleinman"}
    for told, (found, left_out) in zip(page.evaluate(ASK, asked), expected, strict=True):
        assert told["left_out"] == left_out
        for name, right in found.items():
            if right is not None:
                told["counts"][name].pop("loss")
                told["counts"][name].pop("culprits")
            check_same(told["counts"][name], right)


def test_they_are_judged_as_in_the_library(page: Page) -> None:
    ids = json.loads((PACKAGE / "web" / "site" / "races.json").read_text(encoding="utf-8"))["ids"]
    boards = [board for board in map(bgrace.parse_board, ids) if board.on_roll.checkers + board.opponent.checkers < 12][
        :20
    ]
    expected, asked = [], []
    at_score = [None, bgrace.match.Score(3, 5), bgrace.match.Score(2, 4)]
    for k, board in enumerate(boards):
        score, value = at_score[k % 3], 2 if k % 3 == 2 else 1
        solution = bgrace.solve(board.on_roll, board.opponent, match=score, cube_value=value)
        alone = (follow_alone(board.on_roll), follow_alone(board.opponent))
        judged = judge_counts(solution, (alone[0].epc, alone[1].epc))
        expected.append(judged.to_dict())
        truth = {
            "epc": [side.epc for side in alone],
            "winProbability": solution.win_probability,
            "method": solution.method,
            "error": solution.error,
            "stakes": str(solution.stakes),
            "double": None if judged.double is None else judged.double.to_dict(),
            "redouble": None if judged.redouble is None else judged.redouble.to_dict(),
            "points": judged.points,
            "reasons": {
                place: why.to_dict()
                for place in solution.stakes.cubes
                if place != "theirs" and (why := solution.reasons_at(place)) is not None
            },
        }
        asked.append([list(board.on_roll), list(board.opponent), truth])
    for found, right in zip(page.evaluate(ASK, asked), json.loads(json.dumps(expected)), strict=True):
        check_same(found, right)
