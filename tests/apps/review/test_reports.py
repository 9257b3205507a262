"""Pages, tables and cards made of reviews."""

from __future__ import annotations

import csv
import io
import re
import sqlite3
import zipfile
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from helpers.command import run
from helpers.matches import one
from helpers.paths import MATCHES, ROOT

import bgrace
from bgrace._base.language import languages, say, spoken
from bgrace_apps.review import MatchReview, review, review_csv, review_html
from bgrace_apps.review.deck import deck_bytes
from bgrace_apps.review.words import error_words, player_words, question_words, reason_words

MINUS = "\N{MINUS SIGN}"
RESIGNED = Path(__file__).parent / "cases" / "resign_00.mat"
HOSTILE = '<script>alert("1")</script>&amp;\x1b[2J'


@pytest.fixture(scope="module")
def hostile() -> MatchReview:
    text = (MATCHES / "5-103.mat").read_text(encoding="utf-8").replace("North", HOSTILE)
    return review(one(text, f"{HOSTILE}.mat"))


def test_a_cost_that_is_nearly_nothing_has_no_minus(hostile: MatchReview) -> None:
    games = [
        replace(game, decisions=tuple(replace(each, loss=1e-6) for each in game.decisions)) for game in hostile.games
    ]
    page = review_html([replace(hostile, games=tuple(games))])
    assert set(re.findall('<span class="cost">([^<]*)', page)) == {"0.00 %"}
    assert f'<span class="cost">{MINUS}' in review_html([hostile])


def test_an_error_is_never_written_as_nothing(hostile: MatchReview) -> None:
    for decision in (*hostile.decisions, *review(RESIGNED, seconds=0.05).decisions):
        assert re.search("[1-9]", error_words(replace(decision, error=1e-9)))


@pytest.mark.parametrize("language", languages())
def test_questions_name_a_beaver_where_it_is_allowed(language: str) -> None:
    for rules, is_allowed in enumerate((False, False, True, True)):
        told = review(one(f"XGID=--ABBBB------------cabbaa-:0:0:1:D:0:0:{rules}:0:10", "quiz.txt"))
        with spoken(language):
            for text in (question_words(told.decisions[0]), player_words(told.match, told.decisions[0])):
                assert (say("report.choices.beaver").lower() in text.lower()) == is_allowed


def test_numbers_below_zero_have_a_minus(tmp_path: Path) -> None:
    told = [
        review(one("XGID=--ABBBB------------cabbaa-:0:0:1:D:0:0:0:0:10", "quiz.txt")),
        review(RESIGNED, seconds=0.05),
    ]
    cards = "".join(text for _, fields in notes(deck_bytes(told), tmp_path) for text in fields[3:4])
    drawn = re.compile('<svg(?! class="chances").*?</svg>', re.DOTALL)
    shown = drawn.sub("", review_html(told).partition("<body>")[2] + cards)
    assert re.findall('[ >"(]-[0-9][^<"]*', shown) == []
    assert re.findall(f'[ >"(]{MINUS}[0-9]', shown)


class Elements(HTMLParser):
    """Names and attributes of elements; every end tag must close the element that is open."""

    VOID = ("meta", "br", "path", "circle", "rect", "line", "use")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_a_page_loads_nothing_and_runs_nothing(five: MatchReview) -> None:
    page = review_html([five])
    elements = Elements(page)
    assert not elements.open
    names = {name for name, _ in elements.found}
    assert not names & {"script", "link", "img", "iframe", "object"}
    assert "url(" not in page
    assert "@import" not in page
    for _, attributes in elements.found:
        assert not any(name.startswith("on") or name == "src" for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    linked = {str(attributes["href"])[1:] for _, attributes in elements.found if "href" in attributes}
    assert linked <= set(ids)
    assert review_html([five]) == page


def test_a_page_has_the_mistakes_and_the_right_plays(five: MatchReview) -> None:
    page = review_html([five], explorer="http://127.0.0.1:8000/")
    for mistake in five.mistakes:
        assert f"Played: {mistake.done}" in page
        assert f"Right: {mistake.best}" in page
        xgid = mistake.board.xgid().replace("=", "%3D").replace(":", "%3A")
        assert f'href="http://127.0.0.1:8000/?xgid={xgid}"' in page
    assert page.index(f"Played: {five.mistakes[0].done}") < page.index(f"Played: {five.mistakes[-1].done}")
    assert page.count("<section class=\"mistake") == len(five.mistakes)  # fmt: skip


def test_a_page_of_several_matches_adds_up_the_errors_of_players(five: MatchReview) -> None:
    other = review(MATCHES / "3-102.mat")
    page = review_html([five, other, five])
    links = [str(attributes["href"]) for _, attributes in Elements(page).found if "href" in attributes]
    assert links[:3] == ["#m1", "#m2", "#m3"]
    lost = 2 * sum(each.equity_loss or 0.0 for each in five.mistakes if each.player == 0)
    counted = 2 * five.tallies[0].n_counted + other.tallies[0].n_counted
    assert f"<tr><th>North</th><td>3</td><td>{counted}</td><td>4</td><td>{500 * lost / counted:.2f}</td></tr>" in page


def test_a_page_judges_the_program_of_the_file() -> None:
    page = review_html([review(MATCHES / "3-102.sgf")])
    assert "GNU Backgammon 1.07.001</h3><p>was right in all 6 of these decisions (0-ply, noise 0.03)" in page


def test_names_are_text_everywhere(hostile: MatchReview, tmp_path: Path) -> None:
    page = review_html([hostile])
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    path = tmp_path / "match.mat"
    path.write_text((MATCHES / "5-103.mat").read_text(encoding="utf-8").replace("North", HOSTILE), encoding="utf-8")
    assert "\x1b" not in run("review", path).output
    assert "\x1b" not in review_csv([hostile])
    assert b"<script" not in deck_bytes([hostile])


def test_csv_has_a_line_for_each_decision(five: MatchReview) -> None:
    rows = list(csv.DictReader(io.StringIO(review_csv([five]))))
    assert len(rows) == len(five.decisions)
    for row, decision in zip(rows, five.decisions, strict=True):
        assert float(row["loss"]) == pytest.approx(decision.loss, abs=1e-8)
        assert (row["done"], row["best"]) == (decision.done, decision.best)
        assert bgrace.parse_board(row["xgid"]).on_roll == decision.board.on_roll


def test_fields_of_json_and_csv_are_documented(five: MatchReview) -> None:
    fields = {*five.decisions[0].to_dict()}
    words = (ROOT / "docs" / "review-json.md").read_text(encoding="utf-8")
    before, _, of_csv = words.partition("`--csv`")
    assert fields <= {*re.findall(r"`(\w+)`", before)}
    assert {*re.findall(r"`(\w+)`", of_csv.partition(".")[0])} == fields - {*MatchReview.COLUMNS} - {"engine"}


def test_csv_is_not_a_formula() -> None:
    text = (MATCHES / "5-103.mat").read_text(encoding="utf-8").replace("North", "=1+1")
    assert ",'=1+1," in review_csv([review(one(text))])


def notes(deck: bytes, folder: Path) -> list[tuple[str, list[str]]]:
    """Return identities and fields of the cards of a deck."""
    with zipfile.ZipFile(io.BytesIO(deck)) as packed:
        path = Path(packed.extract("collection.anki2", folder))
    connection = sqlite3.connect(path)
    found = [(guid, fields.split("\x1f")) for guid, fields in connection.execute("select guid, flds from notes")]
    connection.close()
    return found


def test_a_deck_has_a_card_for_each_mistake(five: MatchReview, tmp_path: Path) -> None:
    deck = deck_bytes([five])
    assert deck == deck_bytes([five])
    cards = notes(deck, tmp_path)
    mistakes = [each for each in five.decisions if each.error_class and each.kind != "resign"]
    assert [fields[0] for _, fields in cards] == [each.board.xgid() for each in mistakes]
    for (_, fields), mistake in zip(cards, mistakes, strict=True):
        assert fields[2].startswith("<svg")
        assert mistake.best in fields[3]
        assert re.search(r"^\d-\d: how do you play it\?$", fields[1])


def test_pages_cards_and_json_have_reasons(five: MatchReview, tmp_path: Path) -> None:
    cards = {fields[0]: fields[3] for _, fields in notes(deck_bytes([five]), tmp_path)}
    page = review_html([five])
    for mistake in five.mistakes:
        (why,) = reason_words(mistake)
        assert escape(why) in cards[mistake.board.xgid()]
        assert escape(why) in page
        written: Any = mistake.to_dict()
        assert written["reason"]["text"][1:] in why


@pytest.mark.parametrize(("language", "wrong"), [("fr", r"\w[:;] "), ("ja", r"(?<=[^\x00-\xff])[.,;] ")])
def test_marks_are_those_of_the_language(language: str, wrong: str, five: MatchReview, tmp_path: Path) -> None:
    quiz = tmp_path / "quiz.txt"
    quiz.write_text("XGID=-ABBBA------------------h-:0:0:1:00:0:0:0:0:10\n", encoding="utf-8")
    told = [five, review(quiz)]
    cards = notes(deck_bytes(told, language=language), tmp_path)
    written = [review_html(told, language=language), *(text for _, fields in cards for text in fields[1:4])]
    no_words = '<style.*?</style>|<svg(?! class="chances").*?</svg>|<[^>]*>'
    shown = [re.sub(no_words, " ", text, flags=re.DOTALL) for text in written]
    for path in (MATCHES / "5-103.mat", quiz):
        lines = run("review", path, "--language", language).stdout.splitlines()
        shown += [line for line in lines if not {"─", "│"} & {*line}]  # no board
    assert [found for text in shown for found in re.findall(f".*{wrong}.*", text)] == []


def test_pages_cards_and_json_have_the_wrong_counts(tmp_path: Path) -> None:
    ids = [
        "XGID=-ABBBA------------------h-:0:0:1:00:0:0:0:0:10",
        "XGID=-B----------------------a-:1:1:1:D:10:5:0:13:10",
    ]
    told = review(one("\n".join(ids), "quiz.txt"))
    page, cards = review_html([told]), {fields[0]: fields[3] for _, fields in notes(deck_bytes([told]), tmp_path)}
    for decision, term, names in zip(
        told.decisions, ("wastage", "chance"), ("Keith, Ward, Grace", "Thorp, Grace"), strict=True
    ):
        culprit = decision.wrong_counts["isight"]
        assert culprit.term == term
        line = escape(reason_words(decision)[-1])
        asked = "take" if decision.kind == "answer" else "double"
        assert line == f"Counts that go wrong here: Isight ({culprit.said(asked)}), {names}."
        assert line in cards[decision.board.xgid()]
        assert line in page
        written: Any = decision.to_dict()
        assert written["wrong_counts"]["isight"]["term"] == term


def test_a_card_keeps_its_identity_in_other_decks(five: MatchReview, hostile: MatchReview, tmp_path: Path) -> None:
    mine, theirs = notes(deck_bytes([five]), tmp_path), notes(deck_bytes([five, hostile], name="Other"), tmp_path)
    assert [guid for guid, _ in mine] == [guid for guid, _ in theirs]


def test_positions_become_questions(tmp_path: Path) -> None:
    quiz = tmp_path / "quiz.txt"
    xgids = [
        "XGID=-BBBA--------------aaaaaa-:1:1:1:31:0:0:0:0:10",
        "XGID=--ABBBB------------cabbaa-:1:1:1:00:0:0:0:0:10",
        "XGID=--ABBBB------------cabbaa-:0:0:1:D:1:2:0:5:10",
    ]
    quiz.write_text("# a quiz\n" + "\n".join(xgids) + "\nnonsense\n", encoding="utf-8")
    told = review(quiz)
    best = [(each.kind, each.best) for each in told.decisions]
    assert best == [("play", "3/off 1/off"), ("cube", "double"), ("answer", "take")]
    assert [str(problem).partition(":")[0] for problem in told.problems] == ["line 5"]
    result = run("deck", quiz, "-o", tmp_path / "quiz.apkg")
    assert (result.exit_code, result.stdout.strip()) == (0, str(tmp_path / "quiz.apkg"))
    assert [fields[0] for _, fields in notes((tmp_path / "quiz.apkg").read_bytes(), tmp_path)] == xgids
    assert deck_bytes([told], player="Anna Lee") == deck_bytes([told])
    printed = run("review", quiz, "--html", tmp_path / "quiz.html")
    assert "Position 2" in printed.stdout
    assert (tmp_path / "quiz.html").read_text(encoding="utf-8").count("<figure>") == 3
