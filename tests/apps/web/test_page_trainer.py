"""The drills of the trainer, played in Chromium and compared with the library."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from helpers import web
from helpers.golden import rows
from helpers.known import known
from helpers.paths import ROOT
from helpers.trainer import KINDS, differences
from helpers.web import View, drag, place_of, remember

import bgrace
from bgrace.answers.alone import follow_alone
from bgrace.counts import COUNTS

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

MINUS = "\N{MINUS SIGN}"
RACE = "XGID=-ABAB--------------bbb----:0:0:1:00:0:0:0:0:10"
PLAYED = "XGID=-ABBAB--------------bcb---:0:0:1:63:0:0:0:0:10"


def asked(view: View, kind: str, *, card: str | None = None, **settings: Any) -> Page:
    """Open the trainer with a question of one kind, from a card or drawn from short races."""
    page = view.page
    page.goto(view.address + "texts.js")  # a page that loads and asks nothing
    cards = {} if card is None else web.card(kind, card)
    remember(page, settings={"kinds": [kind], "from": 10, "to": 20} | settings, cards=cards)
    page.goto(view.address + "#trainer")
    page.wait_for_selector("#trainer .question :is([data-choice], .guess)")
    return page


def memory(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.getItem('bgrace-trainer'))")


def answered(page: Page, *numbers: float, verdict: int = 0) -> str:
    """Type numbers, choose the verdict of a count, and return the trainer's judgement."""
    fields = page.locator("#trainer .guess input:not([type=radio])")
    assert fields.count() == len(numbers)
    for k, number in enumerate(numbers):
        fields.nth(k).fill(f"{number:.4f}".replace(".", ","))
    if page.locator("#trainer .guess [name=verdict]").count():
        page.locator("#trainer .guess .segments label").nth(verdict).click()
    page.click("#trainer .guess button")
    page.wait_for_selector("#trainer .judged")
    return page.inner_text("#trainer .judged p")


NUMBERS: dict[str, Callable[[bgrace.Board], float]] = {
    "pips": lambda board: board.on_roll.pips,
    "epc": lambda board: follow_alone(board.on_roll).epc,
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_a_missed_number_is_asked_again_until_it_is_right(desktop: View, kind: str) -> None:
    page = asked(desktop, kind)
    answered(page, 99)
    (card,) = memory(page)["cards"].values()
    truth = NUMBERS[kind](bgrace.parse_board(card["xgid"]))
    shown = page.inner_text("#trainer .judged p").split(": ")[1]
    assert float(shown.split()[0]) == pytest.approx(truth, abs=0.0051)
    if kind == "epc":
        told = page.locator("#trainer .steps td.num").all_inner_texts()
        *steps, exact = [float(text.replace(MINUS, "-")) for text in told]
        assert exact == pytest.approx(truth, abs=0.0051)
        if bgrace.parse_board(card["xgid"]).on_roll.highest <= 6:  # by hand
            *steps, by_hand = steps
            assert sum(steps) == by_hand == pytest.approx(truth, abs=5)
        else:
            assert sum(steps) == pytest.approx(truth, abs=0.02)
        assert not page.locator("#trainer .explained .verdict-words").count()
    page = asked(desktop, kind, card=card["xgid"])
    answered(page, truth)
    assert page.locator("#trainer .judged.good").count()
    (card,) = memory(page)["cards"].values()
    assert card["box"] == 1


def test_counts_are_asked_with_their_verdict(view: View) -> None:
    kind = "grace"
    page = asked(view, kind)
    answered(page, 99, 99)
    assert page.inner_text("#trainer .judged h2") == "Not quite"
    (card,) = memory(page)["cards"].values()
    board = bgrace.parse_board(card["xgid"])
    said = COUNTS[kind](board.on_roll, board.opponent)
    doubles = said.redouble if board.cube == "mine" else said.double
    verdict = 0 if not doubles else 1 if said.take else 2
    page.wait_for_selector("#trainer .counts")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    needed, given = page.evaluate(
        "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('#trainer .scroll'))"
    )
    assert needed <= given
    page = asked(view, kind, card=card["xgid"])
    text = answered(page, said.on_roll, said.opponent, verdict=verdict)
    assert ["No double", "Double, take", "Double, pass"][verdict] in text
    assert page.inner_text("#trainer .judged h2") == "Right"


def test_a_take_is_asked_of_the_player_who_takes(desktop: View) -> None:
    """This player's counts, chances and equities come first."""
    page = asked(desktop, "take", card=RACE)
    assert page.inner_text("#trainer .question h2") == "Your opponent doubles to 2. Take?"
    board, solution = bgrace.parse_board(RACE), bgrace.solve(bgrace.parse_board(RACE))
    wins = 100 * (1 - solution.win_probability)
    assert page.locator('#trainer .hit[data-point="4"]').get_attribute("aria-valuenow") == str(board.opponent[3])
    page.click("#trainer [data-choice='0']")
    page.wait_for_selector("#trainer .counts")
    assert f"{wins:.2f} %" in page.locator("#trainer .chance-words b").first.inner_text()
    taken = known(solution.cube_action().double_take)
    shown = page.locator("#trainer .explained .choices td.num").first.inner_text()
    assert float(shown.replace(MINUS, "-")) == pytest.approx(-taken, abs=0.0006)
    assert page.locator("#trainer .reasons").inner_text().startswith("To take:")
    assert page.locator("#trainer .counts thead th").all_inner_texts() == ["count", "you", "opponent", "wins", "take"]
    keith = COUNTS["keith"](board.on_roll, board.opponent)
    row = page.locator("#trainer .counts tr", has_text="Keith").locator("td").all_inner_texts()
    assert [float(text) for text in row[:2]] == pytest.approx([keith.opponent, keith.on_roll], abs=0.06)
    truth = page.locator("#trainer .counts tr.right td").all_inner_texts()
    assert float(truth[2].split()[0]) == pytest.approx(wins, abs=0.06)


def test_a_right_answer_after_its_time_is_too_late(desktop: View) -> None:
    desktop.page.clock.install()
    page = asked(desktop, "pips", card=RACE, clock=30)
    pips = bgrace.parse_board(RACE).on_roll.pips
    page.clock.fast_forward(31_000)
    answered(page, pips)
    assert page.inner_text("#trainer .judged h2") == "Too late"
    assert memory(page)["history"][0]["right"] is False
    page.keyboard.press("Enter")
    page.wait_for_selector("#trainer .question .guess")
    assert page.locator("#trainer .clock").get_attribute("max") == "30000"


def test_questions_are_asked_at_the_chosen_score(desktop: View) -> None:
    page = asked(desktop, "double", stakes="chosen", mine=2, theirs=4)
    assert "you need 2, the opponent 4" in page.inner_text("#trainer [data-part=stakes]")
    page.fill("#trainer [name=mine]", "7")
    page.press("#trainer [name=mine]", "Tab")
    page.wait_for_selector("#trainer [data-part=stakes]:has-text('you need 7')")


def test_progress_is_kept_in_a_file(desktop: View, tmp_path: Path) -> None:
    page = asked(desktop, "pips")
    answered(page, 1)
    page.wait_for_selector("#trainer [data-kind-of=pips]")
    before = memory(page)
    with page.expect_download() as download:
        page.click("#trainer .keep")
    for _ in range(2):
        page.click("#trainer .forget")
    page.wait_for_selector("#trainer [data-part=history]:has-text('No answers yet.')")
    kept = tmp_path / "kept.json"
    kept.write_bytes(Path(download.value.path()).read_bytes())
    page.set_input_files("#trainer [data-part=file]", kept)
    page.wait_for_selector("#trainer [data-part=loaded]:has-text('Loaded: 1 answer.')")
    assert memory(page) == before
    for text, said in (("{", "neither"), (RACE, "Loaded: 1 question, asked first."), ("<b>", "neither")):
        kept.write_text(text, encoding="utf-8")
        page.set_input_files("#trainer [data-part=file]", kept)
        page.wait_for_selector(f"#trainer [data-part=loaded]:has-text('{said}')")
    page.wait_for_selector("#trainer .question .again")
    odd = {"at": 0, "kind": "pips", "loss": 1}
    hostile = {
        "settings": {"mine": '"><img src=x>', "stakes": "<img>", "kinds": ["pips", "constructor"], "clock": None},
        "history": [odd, odd | {"loss": "<img>"}, odd | {"seconds": "<img>"}, odd | {"kind": "constructor"}],
        "cards": {"a": {"xgid": f"{RACE} <img>", "kind": "pips", "box": "<img>", "due": 0}},
    }
    kept.write_text(json.dumps(hostile), encoding="utf-8")
    page.set_input_files("#trainer [data-part=file]", kept)
    page.wait_for_selector("#trainer [data-part=loaded]:has-text('Loaded: 1 answer.')")
    page.reload()
    page.wait_for_selector("#trainer .question form")
    assert page.locator("#trainer img").count() == 0
    assert page.input_value("#trainer [name=mine]") == "3"
    assert memory(page)["cards"] == {}
    kept.write_text('{"settings": {"kinds": [], "mine": 7, "to": 200, "hard": "close"}}', encoding="utf-8")
    page.set_input_files("#trainer [data-part=file]", kept)
    page.wait_for_function("() => document.querySelectorAll('#trainer [name=kinds]:checked').length === 7")
    page.wait_for_selector("#trainer .question .verdict-words")
    assert page.input_value("#trainer [name=mine]") == "7"
    assert page.is_checked("#trainer [name=hard][value=close]")
    field = "document.querySelector('#trainer [name=to]')"
    assert page.evaluate(f"{field}.scrollWidth <= {field}.clientWidth")


def test_two_tabs_lose_nothing(desktop: View) -> None:
    page = asked(desktop, "pips", card=RACE)
    with closing(page.context.new_page()) as other:
        other.goto(desktop.address + "#trainer")
        other.wait_for_selector("#trainer .question .guess")
        for tab, most in ((page, "21"), (other, "22"), (page, "23")):
            answered(tab, 1)
            tab.fill("#trainer [name=to]", most)
            tab.press("#trainer [name=to]", "Tab")
            tab.wait_for_selector("#trainer .question .guess")
            assert memory(tab)["settings"]["to"] == int(most)
    assert len(memory(page)["history"]) == 3


def test_positions_that_are_no_questions_are_dropped(desktop: View, tmp_path: Path) -> None:
    page = asked(desktop, "pips")
    given = tmp_path / "list.txt"
    for row in rows("unaskable_positions"):
        page.evaluate("document.querySelector('#trainer [data-part=loaded]').textContent = ''")
        given.write_text(row.text("xgid"), encoding="utf-8")
        page.set_input_files("#trainer [data-part=file]", given)
        page.wait_for_selector("#trainer [data-part=loaded]:not(:empty)")
        page.wait_for_function("() => !Object.keys(JSON.parse(localStorage['bgrace-trainer']).cards).length")
        page.wait_for_selector("#trainer .question :is([data-choice], .guess)")


def test_the_costliest_kind_of_mistake_and_a_streak_are_shown(desktop: View) -> None:
    page = asked(desktop, "double")
    late = {"at": 0, "kind": "double", "loss": 30, "right": False, "seconds": 9, "pips": 47, "yes": False}
    remember(page, history=[late, late, late, *2 * [late | {"right": True, "loss": 0}]])
    page.reload()
    page.wait_for_selector("#trainer .leak")
    told = "You double too late between 40 and 60 pips: 3 times, 90 thousandths."
    assert told in page.inner_text("#trainer .leak")
    row = page.locator("#trainer [data-kind-of=double]").inner_text().split("\t")
    assert row == ["Double or not", "5", "40 %", "18 ‰", "2", "9 s"]
    page.click("#trainer .leak button")
    settings = memory(page)["settings"]
    assert (settings["kinds"], settings["from"], settings["to"]) == (["double"], 40, 60)
    page.click("#trainer .lesson summary")
    assert "The Grace count." in page.inner_text("#trainer .lesson")
    page.click("#trainer .lesson button")
    assert memory(page)["settings"]["kinds"] == ["grace"]


def test_traps_are_races_on_which_keiths_count_is_wrong(desktop: View) -> None:
    traps = json.loads((ROOT / "bgrace_apps" / "web" / "site" / "races.json").read_text(encoding="utf-8"))["traps"]
    for kind, ids in traps.items():
        board = bgrace.parse_board(ids[0])
        action = bgrace.solve(board.on_roll, board.opponent).cube_action()
        said = COUNTS["keith"](board.on_roll, board.opponent)
        margin = known(action.double_margin if kind == "double" else action.take_margin)
        assert (margin > 0.01, margin < -0.01) == ((False, True) if getattr(said, kind) else (True, False))
    page = asked(desktop, "take", hard="traps", to=200)
    page.locator("#trainer [data-choice]").first.click()
    page.click("#trainer [data-explore]")
    page.wait_for_selector("#dice .roll")
    places, *asked_for = page.input_value("#id").removeprefix("XGID=").split(":")
    assert places in {one.split(":")[0] for one in traps["take"]}
    assert asked_for[:2] + asked_for[4:8] == ["0", "0", "0", "0", "0", "0"]  # for money, with the cube in the middle


def test_where_no_decision_is_close_another_is_asked_about(desktop: View) -> None:
    def widened(route: Route) -> None:
        response = route.fetch()
        answer = response.json()
        action = answer["cube_action"]
        for each in (action, action["normalised"] or action):  # only races with a cube to turn are asked about
            each["double_take"] = known(each["double_pass"]) - 0.3
        route.fulfill(response=response, json=answer)

    desktop.page.route("**/api/solve", widened)
    page = asked(desktop, "take", stakes="scores", hard="close")
    assert page.locator("#trainer [data-choice]").count() == 2


# ---------------------------------------------------------------------- decisions


def test_questions_are_judged_as_the_library_does(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE[5:]}")
    for kind in KINDS:
        found = list(differences(page, kind, 6, 5, seed=2))
        assert len(found) >= 6
        assert [one for one in found if one[1] > 0] == [], kind


def test_plays_against_men_behind_are_judged_by_their_risk(desktop: View) -> None:
    page = asked(desktop, "risk")
    kept: dict[str, Any] = {"history": []}
    while not any(answer["loss"] for answer in kept["history"]):
        names = page.locator("#trainer [data-choice]").all_inner_texts()
        choice = random.Random(len(kept["history"])).randrange(len(names))
        page.locator("#trainer [data-choice]").nth(choice).click()
        page.wait_for_selector("#trainer .judged")
        kept = memory(page)
        answer = kept["history"][-1]
        listed = page.locator("#trainer .plays tbody tr").all_inner_texts()
        rows = {cells[1]: cells for cells in (row.split("\t") for row in listed)}
        assert rows.keys() == set(names)
        one_man = len(next(iter(rows.values()))) == 7  # against one man there is a column of chances to be safe
        values = {name: float(cells[4 if one_man else 3].split()[0]) for name, cells in rows.items()}
        if one_man:
            values = {name: 100 - safe for name, safe in values.items()}
        more = values[names[choice]] - min(values.values())
        assert answer["loss"] / 10 == pytest.approx(more, abs=0.11)
        assert answer["right"] == (answer["loss"] <= 2)
        page.keyboard.press("Enter")
        page.wait_for_selector("#trainer [data-choice]")


@pytest.mark.parametrize("kind", ["double", "take", "play"])
def test_decisions_are_judged_by_their_cost(desktop: View, kind: str) -> None:
    page = asked(desktop, kind)
    page.locator("#trainer [data-choice]").first.click()
    page.wait_for_selector("#trainer .judged")
    head = page.locator("#trainer .judged .verdict-words").inner_text()
    assert head == "Right" or re.fullmatch(r"Costs \d+ thousandths", head)
    kept = memory(page)
    (answer,) = kept["history"]
    assert (answer["kind"], answer["right"]) == (kind, head == "Right")
    assert len(kept["cards"]) == (0 if answer["right"] else 1)  # a missed question comes again
    assert page.evaluate("document.activeElement.matches('[data-next]')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#trainer [data-choice]")


def test_a_play_is_made_on_the_board(view: View) -> None:
    page = asked(view, "play", card=PLAYED)
    press = page.mouse.click if view.size == "desktop" else page.touchscreen.tap
    press(*place_of(page, 5, "#trainer"))  # with the six
    assert page.locator("#trainer [data-done]").is_disabled()
    press(*place_of(page, 2, "#trainer"))  # the three cannot bear it off: there are checkers on higher points
    assert page.inner_text("#trainer [data-part=told]") == "No die takes that checker there."
    press(*place_of(page, 3, "#trainer"))
    assert page.inner_text("#trainer [data-part=told]") == "5/off 3/off"
    page.click("#trainer [data-back]")
    assert page.locator("#trainer [data-done]").is_disabled()
    page.locator('#trainer .hit[tabindex="0"]').focus()
    for key in ("Home", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter", "Backspace", "Enter"):
        page.keyboard.press(key)
    assert page.inner_text("#trainer [data-part=told]") == "5/off 4/1"
    assert page.locator("#trainer .chosen").inner_text() == "5/off 4/1"
    page.click("#trainer [data-done]")
    page.wait_for_selector("#trainer .judged.bad")
    assert page.locator("#trainer .arrow").count() == 2  # of the best play


def test_a_checker_is_dragged_with_both_dice(desktop: View) -> None:
    page = asked(desktop, "play", card=PLAYED)
    play = """async () => {
        const { Play } = await import("/moves.js");
        const counts = Array(24).fill(0);
        counts[12] = 2;
        counts[5] = 1;
        const told = [];
        const play = new Play(counts, [2, 4]);
        told.push(play.move(13, 5), play.move(13, 7), play.steps, play.isOver, play.counts[6], play.move(6));
        const doubles = new Play(counts, [3, 3]);
        told.push(doubles.move(13, 1), doubles.isOver, doubles.counts[0], new Play(counts, [6, 5]).move(6, 0));
        return told;
    }"""
    steps = [{"from": 13, "to": 9, "die": 4}, {"from": 9, "to": 7, "die": 2}]
    assert page.evaluate(play) == [False, True, steps, True, 1, False, True, True, 1, False]
    drag(page, place_of(page, 4, "#trainer"), place_of(page, 1, "#trainer"))
    page.mouse.click(*place_of(page, 5, "#trainer"))
    assert page.inner_text("#trainer [data-part=told]") == "5/off 4/1"


def test_guesses_of_chances_are_judged_by_their_distance(desktop: View) -> None:
    """A missed question comes again, and a day later once it is right."""
    page = asked(desktop, "win", card=RACE)
    page.wait_for_selector("#trainer .question .again")
    answered(page, 100 * bgrace.solve(bgrace.parse_board(RACE)).win_probability)
    assert page.inner_text("#trainer .judged .verdict-words").startswith("Off by")
    assert page.locator("#trainer .judged.good").count()
    (kept,) = memory(page)["cards"].values()
    assert kept["box"] == 1
    assert kept["due"] > page.evaluate("Date.now()") + 80_000_000


def test_explorer_and_trainer_keep_their_places(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE[5:]}")
    page.evaluate("localStorage.setItem('bgrace-trainer', '{')")  # an unreadable memory is dropped
    for _ in range(2):
        page.click("#to-trainer")
        page.click("#to-explorer")
        page.wait_for_selector("#verdict .choices")
    page.click("#to-trainer")
    page.wait_for_selector("#trainer .question .verdict-words")
    assert page.locator("#explorer").is_hidden()
    page.go_back()
    page.wait_for_selector("#verdict .choices")
    assert f"xgid={RACE[5:]}" in page.url
