"""Compare the trainer's judgement of answers with the library: the loss of every answer, and the right number.

The page draws questions of each kind as the trainer does, half for money and half at the scores of the recorded races,
and judges every possible answer.  Python solves the same races without the file that answers the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import bgrace
from bgrace.answers.alone import follow_alone
from helpers.known import known

if TYPE_CHECKING:
    from playwright.sync_api import Page

KINDS: Final = ("double", "take", "play", "win", "epc")
FILE_ERROR: Final = 0.25
"""Allowance in thousandths, for two 16-bit values of the file and for the shown digits."""

DRAW: Final = """async ([kind, n, checkers, seed]) => {
    const [trainer, races] = await Promise.all([import("/trainer.js"), import("/race.js")]);
    const { ids } = await (await fetch("/races.json")).json();
    let state = seed;
    Math.random = () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const drawn = [];
    while (drawn.length < n) {
        const race = races.parseRace(ids[Math.floor(Math.random() * ids.length)]);
        if (Math.max(races.checkers(race.mine), races.checkers(race.theirs)) > checkers) continue;
        const stakes = drawn.length % 2 ? "scores" : "money";
        const question = await trainer.questionAbout(trainer.staked(race, stakes), kind);
        if (!question) continue;
        const given = { double: [0, 1], take: [0, 1], win: [37], epc: [21] }[kind] ?? question.plays.map((_, k) => k);
        drawn.push({
            xgid: races.formatXgid(question.race),
            error: question.answer.error,
            names: given.map((k) => question.plays?.[k].play ?? String(k)),
            judged: given.map((each) => trainer.lossOf(question, each)),
        });
    }
    return drawn;
}"""


def right(kind: str, xgid: str, names: list[str]) -> tuple[list[float], str | None, float]:
    """Return the loss of each answer in thousandths, the right number as text if there is one, and the error."""
    board = bgrace.parse_board(xgid)
    if kind == "epc":
        epc = follow_alone(board.on_roll).epc
        return [1000 * abs(21 - epc)], f"{epc:.2f}", 0.0
    solution = bgrace.solve(board)
    if kind == "win":
        chance = solution.win_probability
        return [abs(370 - 1000 * chance)], f"{100 * chance:.2f} %", solution.error
    if kind == "play":
        lost = {play.play: 1000 * play.loss for play in solution.best_plays(known(board.roll), board.cube)}
        return [lost[name] for name in names], None, solution.error
    action = solution.cube_action(board.cube)
    margin = known(action.double_margin if kind == "double" else action.take_margin)
    # The answers about a double are no and yes; about the reply to one, take and pass.
    gain = 1000 * (margin if kind == "double" else -margin)
    return [max(0.0, gain), max(0.0, -gain)], None, solution.error


def differences(page: Page, kind: str, n: int, checkers: int, seed: int) -> Iterator[tuple[str, float]]:
    """Draw questions on a page, and yield by how many thousandths the losses there differ beyond the allowance."""
    drawn: list[dict[str, Any]] = page.evaluate(DRAW, [kind, n, checkers, seed])
    for question in drawn:
        losses, number, error = right(kind, question["xgid"], question["names"])
        allowed = FILE_ERROR + 1000 * (error + question["error"])
        for loss, (judged, truth) in zip(losses, question["judged"], strict=True):
            apart = abs(judged - loss)
            if number is not None:
                apart = max(apart, 1000 * abs(float(truth.split()[0]) - float(number.split()[0])) / 100)
            yield question["xgid"], max(0.0, apart - allowed)
