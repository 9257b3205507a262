"""Reviews on the page: a match is dropped on it and reviewed, and its mistakes are played in the trainer."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.paths import MATCHES
from helpers.web import View

from bgrace_apps.review import MatchReview, review_html

if TYPE_CHECKING:
    from playwright.sync_api import Page

MATCH = MATCHES / "5-103.mat"

DROP = """([name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


def dropped(page: Page, name: str, text: str) -> None:
    """Drop a file on the page, and wait until it is read."""
    page.evaluate(DROP, [name, text])
    page.wait_for_selector("#review [data-part=state] :is(.hint, .bad):only-child")


def test_a_match_is_dropped_and_its_mistakes_are_played_and_explored(view: View, five: MatchReview) -> None:
    """The page shows what `bgrace review --html` writes, in its own style."""
    page = view.open("", wait="#dice .roll")
    dropped(page, "5-103.mat", MATCH.read_text(encoding="utf-8"))
    body = review_html([five], explorer="", worst=100).partition("<body>")[2]
    said = unescape(re.sub(r"<[^>]*>", "", body))
    shown = page.locator("#review [data-part=reports]").evaluate("host => host.shadowRoot.textContent")
    assert "".join(shown.split()).replace("Train2mistakesofNorth", "") == "".join(said.split())
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.click("#review button:has-text('Train 2 mistakes of North')")
    for mistake in sorted(five.mistakes, key=lambda each: -each.loss):
        page.wait_for_selector("#trainer .question .again:has-text('Game 3')")
        page.locator(f'#trainer [data-choice]:text-is("{mistake.best}")').click()
        page.wait_for_selector("#trainer .judged.good")
        assert f"In the match: {mistake.done}" in page.inner_text("#trainer .judged")
        page.keyboard.press("Enter")
    page.wait_for_selector("#trainer .question:not(:has(.judged, .again)) .verdict-words")
    kept = page.evaluate("JSON.parse(localStorage.getItem('bgrace-trainer'))")
    assert [card["box"] for card in kept["cards"].values()] == [1, 1]
    page.click("#to-review")
    page.locator("#review a.explore").first.click()
    page.wait_for_selector("#plays .play")
    assert five.mistakes[0].board.xgid() in page.input_value("#id")


def test_a_report_is_opened_without_running_its_scripts(desktop: View, five: MatchReview, tmp_path: Path) -> None:
    page = desktop.open("#review", wait="#review .file")
    written = tmp_path / "five.html"
    name = "<img src=x onerror=alert(1)>"
    hostile = replace(five, match=replace(five.match, players=(name, "East")))
    forged = review_html([five]).replace("<article", "<script>alert(1)</script><article onclick='alert(1)'")
    for text, n in ((forged, 1), (review_html([hostile, five], language="de"), 2)):
        written.write_text(text, encoding="utf-8")
        page.set_input_files("#review [data-part=file]", written)
        host = "document.querySelector('#review [data-part=reports]')"
        page.wait_for_function(f"() => {host}.shadowRoot.querySelectorAll('article').length === {n}")
        page.locator("#review article .mistake").first.click()
        assert page.locator("#review :is(img, script)").count() == 0
    desktop.said.clear()  # the browser refused to run the forged script, and says so
    assert name in page.inner_text("#review article h2 >> nth=0")
    link = page.locator("#review a[href^='#']").first
    link.press("Enter")
    assert page.locator("#review").is_visible()
    assert page.evaluate(f"{host}.shadowRoot.activeElement.id") == str(link.get_attribute("href"))[1:]


@pytest.mark.parametrize("text", ["not a match", "<!DOCTYPE html><p>another"])
def test_a_file_that_is_not_a_match_is_refused(desktop: View, text: str) -> None:
    page = desktop.open("#review", wait="#review .file")
    page.evaluate(DROP, ["<b>.txt", text])
    page.wait_for_selector("#review .bad")
    desktop.said.clear()  # the browser logs the refusal
    assert "is not a match" in page.inner_text("#review .bad")
