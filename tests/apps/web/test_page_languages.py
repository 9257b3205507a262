"""Languages of the page, reports and reasons: placeholders match, marks are right, and nothing is cut on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from helpers.web import Client, card, remember, watched

from bgrace._base.language import WORDS, words
from bgrace_apps.review import MatchReview, review_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(WORDS.glob("*.json"))}
OTHERS = sorted(FILES.keys() - {"en"})
AT_SCORE = "?xgid=-ABAB--------------bbb----:1:1:1:31:2:3:0:7:10"
MONEY = "?xgid=-ABAB--------------bbb----:0:0:1:00:0:0:0:0:10"
AT_RISK = "?xgid=a-BBB------------------gg-:0:0:1:00:0:0:0:0:10"
VIEWS = {
    MONEY: "#dice .roll",
    AT_RISK: "#dice .roll",
    AT_SCORE: "#plays .play",
    "#trainer": "#trainer .question :is([data-choice], .guess)",
    "#review": "#review-head",
}

TROUBLE = """() => {
    const found = [];
    for (const e of document.querySelectorAll("body *")) {
        const box = e.getBoundingClientRect();
        const aside = e.closest(".hidden, svg, .scroll, .wide, .plays-box, noscript, .skip, .roll .best");
        if (!box.width || !box.height || aside) continue;
        const text = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const cut = text && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline";
        if (cut || box.right > innerWidth + 1 || box.left < -1) found.push(e.textContent.slice(0, 60));
    }
    return [found, document.documentElement.lang, document.documentElement.scrollWidth <= innerWidth];
}"""


TOGETHER = """() => [...document.querySelectorAll("tr")].flatMap((row) => {
    const boxes = [...row.cells].filter((cell) => cell.textContent && !cell.children.length).map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return text.getBoundingClientRect();
    });
    return boxes.some((box, k) => k && box.width && box.left < boxes[k - 1].right + 2) ? [row.textContent] : [];
})"""
"""Rows of tables in which two words touch."""


def leaves(texts: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of each text and the text."""
    if isinstance(texts, str):
        yield path, texts
    elif isinstance(texts, dict | list):
        for key, value in texts.items() if isinstance(texts, dict) else enumerate(texts):
            yield from leaves(value, f"{path}/{key}")


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)[:}]", text))


@pytest.mark.parametrize("language", OTHERS)
def test_texts_have_the_placeholders_of_english(language: str) -> None:
    """A text may be missing; the English one is shown then."""
    english, texts = dict(leaves(FILES["en"])), dict(leaves(FILES[language]))
    own = {path for path in texts if path.startswith("/counted/")}  # forms of counted nouns that English does not need
    assert texts.keys() - own <= english.keys()
    for path in texts.keys() & english.keys():
        assert placeholders(texts[path]) == placeholders(english[path]), path
        assert texts[path].strip() or not english[path].strip(), path
    counted = words(language)["counted"]
    hows = {how for text in texts.values() for how in re.findall(r"\{\w+:([a-z]\w*)\}", text)}
    assert hows <= counted.keys()
    assert FILES[language]["draft"]


ODD_MARKS = {
    "fr": re.compile(r" [:;?!»%]|« "),
    "es": re.compile(r"^\{\w+:%|\b[Cc]on \{\w+:%"),
    "ja": re.compile("\uff1a"),
}
"""In French a blank that allows a line break, in Spanish percents without an article, in Japanese a wide colon."""


@pytest.mark.parametrize("language", ODD_MARKS)
def test_marks_are_those_of_the_language(language: str) -> None:
    odd = ODD_MARKS[language]
    assert {path: text for path, text in leaves(FILES[language]) if odd.search(text)} == {}


@pytest.mark.parametrize("address", VIEWS)
def test_nothing_is_cut_on_a_phone(browser: Browser, server: Client, address: str) -> None:
    with watched(browser, server.address, "phone") as view:
        page = view.open()
        # This question is answered at once; a random one may be about a long race.
        remember(page, cards=card("double", f"XGID={AT_SCORE[6:]}"))
        view.open(address, wait=VIEWS[address])
        for language, texts in FILES.items():
            page.select_option("#language", language)
            page.wait_for_selector(f"html[lang={language}] {VIEWS[address]}")
            assert page.evaluate(TROUBLE) == [[], language, True]
            for width in (1024, 900, 600, 320, 360) if "?" in address else ():
                page.set_viewport_size({"width": width, "height": 740})
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (language, width)
                assert page.evaluate(TOGETHER) == [], (language, width)
            assert page.inner_text("#draft") == texts["page"]["footer"]["draft"]
        page.reload()
        page.wait_for_selector(f"html[lang={language}] {VIEWS[address]}")  # the choice is kept


@pytest.mark.parametrize("language", FILES)
def test_nothing_of_a_report_is_cut_on_a_phone(
    browser: Browser, server: Client, five: MatchReview, language: str
) -> None:
    with watched(browser, server.address, "phone") as view:
        view.page.set_content(review_html([five], language=language))
        assert view.page.evaluate(TROUBLE) == [[], language, True]
        singular, point = view.page.evaluate(
            f"""() => [[0, 1, 2, 3, 21].filter((n) => new Intl.PluralRules("{language}").select(n) === "one"),
                new Intl.NumberFormat("{language}").format(1.5)[1]]"""
        )
        assert [singular, point] == [FILES[language][name] for name in ("singular", "decimal_point")]


def test_the_page_speaks_the_language_of_the_browser(browser: Browser, server: Client) -> None:
    context = browser.new_context(locale="de-AT")
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_selector("html[lang=de] #verdict .verdict-words")
    listed = page.evaluate("(async () => (await import('/texts.js')).LANGUAGES)()")
    assert listed == {name: texts["language"] for name, texts in FILES.items()}
    context.close()
