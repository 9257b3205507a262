"""Reviews on the page: a match is dropped on it, read, and its mistakes are played in the trainer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="needs bgrace[web]")
pytest.importorskip("uvicorn", reason="needs bgrace[web]")

from helpers.paths import ROOT
from helpers.web import View

from bgrace.answers.reasons import sentence
from bgrace_apps.review import MatchReview, review

if TYPE_CHECKING:
    from playwright.sync_api import Page

MATCH = ROOT / "data" / "matches" / "5-103.mat"

DROP = """([name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def told() -> MatchReview:
    return review(MATCH)


def dropped(page: Page, name: str, text: str) -> None:
    """Drop a file on the page, and wait until it has been read."""
    page.evaluate(DROP, [name, text])
    page.wait_for_selector("#review [data-part=state] :is(.hint, .bad):only-child")


def test_a_match_is_dropped_and_its_mistakes_are_played(view: View, told: MatchReview) -> None:
    page = view.open("", wait="#dice .roll")
    dropped(page, "5-103.mat", MATCH.read_text(encoding="utf-8"))
    table = [row.split("\t") for row in page.locator("#review .tally tr").all_inner_texts()]
    assert table[0][-2:] == list(told.match.players)
    assert table[1] == ["PR", *(f"{tally.pr:.2f}" for tally in told.tallies)]
    assert [heading.split("move ")[1] for heading in page.locator("#review .mistake h3").all_inner_texts()] == [
        str(each.move) for each in told.mistakes
    ]
    assert page.locator("#review .mistake .player.mine").first.inner_text().strip() == "North"
    assert page.locator("#review .mistake .choices .right th").all_inner_texts() == [
        each.best for each in told.mistakes
    ]
    reasons = page.locator("#review .mistake .reason").all_inner_texts()
    assert reasons == [sentence(each.reason) for each in told.mistakes]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.click("#review [data-train]:has-text('Train 2 mistakes of North')")
    for mistake in sorted(told.mistakes, key=lambda each: -each.loss):
        page.wait_for_selector("#trainer .question .again:has-text('Game 3')")
        page.locator(f'#trainer [data-choice]:text-is("{mistake.best}")').click()
        page.wait_for_selector("#trainer .judged.good")
        assert f"In the match: {mistake.done}" in page.inner_text("#trainer .judged")
        page.keyboard.press("Enter")
    page.wait_for_selector("#trainer .question:not(:has(.judged, .again)) .verdict-words")
    kept = page.evaluate("JSON.parse(localStorage.getItem('bgrace-trainer'))")
    assert [card["box"] for card in kept["cards"].values()] == [1, 1]


def test_a_review_that_was_written_is_opened(desktop: View, told: MatchReview, tmp_path: Path) -> None:
    page = desktop.open("#review", wait="#review .file")
    name = "<img src=x onerror=alert(1)>"
    hostile = json.loads(json.dumps(told.to_dict() | {"players": [name, "East"]}))
    for decision in hostile["games"][2]["decisions"]:
        decision["proved"] = decision["error_class"] is not None
    for lines in ([told.to_dict()], [hostile, told.to_dict()]):
        written = tmp_path / "told.jsonl"
        written.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        page.set_input_files("#review [data-part=file]", written)
        page.wait_for_function(f"() => document.querySelectorAll('#review .tally').length === {len(lines)}")
    assert page.locator("#review img").count() == 0
    assert page.locator("#review .method:has-text('Proved.')").count() == len(told.mistakes)
    assert name in page.inner_text("#review")
    page.locator("#review [data-explore]").first.click()
    page.wait_for_selector("#plays .play")
    assert told.mistakes[0].board.xgid() in page.input_value("#id")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not a match", "is not a match"),
        ('{"format": "bgrace review", "version": 1, "games": []}', "cannot be read"),
        ('{"format": "another"}', "is not a match"),
    ],
)
def test_files_that_are_no_matches(desktop: View, text: str, said: str) -> None:
    page = desktop.open("#review", wait="#review .file")
    page.evaluate(DROP, ["<b>.txt", text])
    page.wait_for_selector("#review .bad")
    desktop.said.clear()  # that the server refused it
    assert said in page.inner_text("#review .bad")
