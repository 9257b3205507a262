"""The explorer in Chromium, used by mouse, by touch and by keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from defusedxml.ElementTree import fromstring
from helpers import golden
from helpers.compilers import skip_without_zig
from helpers.known import known
from helpers.paths import MATCHES
from helpers.range_host import hosted
from helpers.web import SIZES, Client, View, card, drag, look_at, place_of, remember

import bgrace
from bgrace.contact import risk
from bgrace_apps.review import MatchReview, review_html
from bgrace_apps.web import write_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

RACE = "-ABAB--------------bbb----:0:0:1:00:0:0:0:0:10"
MINUS = "\N{MINUS SIGN}"
AT_SCORE = "-ABAB--------------bbb----:1:1:1:31:2:3:0:7:10"


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    """A page whose console may have messages."""
    with closing(browser.new_context()) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site that only a server of files serves."""
    skip_without_zig()
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    with hosted(folder / "bgrace.wasm", folder) as (_, address):
        yield address


def address_of(page: Page) -> str:
    """Return the XGID in the address of a page."""
    found: list[str] = re.findall(r"[?&]xgid=([^&#]+)", page.evaluate("location.search"))
    return found[0]


def give(page: Page, text: str) -> None:
    """Type text into the box of the ID."""
    page.fill("#id", text)
    page.press("#id", "Enter")


def settle(page: Page) -> None:
    """Wait for the answer about the board that is set up."""
    page.wait_for_function(
        "() => document.querySelector('#live').textContent && !document.querySelector('#verdict[aria-busy=true]')"
    )
    page.wait_for_load_state("networkidle")


def proved(page: Page) -> tuple[Any, bool]:
    """Return the value of the proved interval, as wide as that is, and whether the verdict is proved."""
    page.wait_for_selector("#verdict .proof:not(:empty)")
    said = page.inner_text("#verdict .proof").replace(MINUS, "-")
    told = re.fullmatch(r"Proved: (.[0-9.]+) to (.[0-9.]+)\. The verdict is (not )?proved\.", said)
    assert told is not None, said
    low, high = float(told[1]), float(told[2])
    return pytest.approx((low + high) / 2, abs=(high - low) / 2 + 1e-4), told[3] is None


# ---------------------------------------------------------------------- reading


def test_the_verdict_is_that_of_the_library(view: View, database: bgrace.Database) -> None:
    page = view.open(f"?xgid={RACE}")
    board = bgrace.parse_board(RACE)
    action = database.cube_action(board.on_roll, board.opponent)
    words = {"no double": "No double", "double/take": "Double, take", "double/pass": "Double, pass"}
    assert page.locator("#verdict .verdict-words").inner_text().startswith(words[action.verdict])
    shown = page.locator("#verdict .choices td.num").all_inner_texts()
    assert shown[0] == f"{action.no_double:+.3f}".replace("-", MINUS)
    assert f"{100 * database.win_probability(board.on_roll, board.opponent):.2f} %" in page.inner_text("#chances")
    assert page.locator("#dice .roll").count() == 36
    assert proved(page) == (database.equities(board.on_roll, board.opponent).centered, True)


def test_a_roll_shows_its_plays_and_a_play_turns_the_board(desktop: View, database: bgrace.Database) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.click('#dice .roll[data-roll="31"] >> nth=0')
    page.wait_for_selector("#plays .play")
    assert address_of(page).split(":")[4] == "31"
    board = bgrace.parse_board(RACE)
    best = database.best_plays(board.on_roll, board.opponent, "31")
    assert page.locator("#plays .play").all_inner_texts() == [play.play for play in best]
    page.locator("#plays .play").nth(1).hover()
    n_arrows = len(best[1].play.split())
    page.wait_for_function(f"() => document.querySelectorAll('#board .moves .arrow').length === {n_arrows}")
    page.locator("#plays .play").nth(1).click()
    settle(page)
    after = bgrace.parse_board(address_of(page))
    assert (after.on_roll, after.opponent) == (board.opponent, best[1].position)
    assert after.roll is None


def test_stakes_are_set_by_hand_and_kept_in_the_address(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.check("input[name=jacoby]")
    settle(page)
    assert address_of(page).split(":")[7] == "1"
    page.click("#stakes label:has(input[value=match])")
    settle(page)
    page.fill("input[name=mine]", "3")
    page.press("input[name=mine]", "Tab")
    settle(page)
    assert "you need 3, the opponent 5" in page.inner_text("#verdict")
    page.select_option("select[name=value]", "2")
    settle(page)
    state = bgrace.parse_board(address_of(page)).state
    assert (state.away, state.cube_value, state.cube) == ((3, 5), 2, "mine")
    page.uncheck("input[name=gammons]")
    settle(page)
    assert "gammons do not count" in page.inner_text("#verdict")
    assert "gammons=false" in page.url
    page.reload()
    page.wait_for_selector("#dice .roll")
    assert "gammons do not count" in page.inner_text("#verdict")


def test_scores_and_counts_are_solved_when_they_are_in_sight(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    look_at(page, "#map-card", '#map .score[data-score="7,7"][data-kind]')
    page.wait_for_selector("#counts .counts")
    assert page.locator("#map .score[data-kind]").count() == 49
    page.click('#map .score[data-score="3,4"]')
    settle(page)
    assert bgrace.parse_board(address_of(page)).state.away == (3, 4)
    page.wait_for_selector("#dice .unit")  # at a score, cells and legend have chances
    assert page.inner_text("#dice .legend").count("%") == 3
    page.wait_for_selector("#counts .hint:has-text('At this score')")


# ---------------------------------------------------------------------- setting up


def test_checkers_are_set_by_mouse(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.mouse.click(*place_of(page, 6))
    assert address_of(page)[6] == "A"
    page.mouse.click(*place_of(page, 6), button="right")
    assert address_of(page)[6] == "-"
    drag(page, *(place_of(page, point) for point in (4, 5, 6)))
    assert address_of(page)[:8] == "-ABAA-A-"
    drag(page, place_of(page, 6), place_of(page, 0))
    assert address_of(page)[:8] == "-ABAA---"
    page.mouse.click(*place_of(page, 19), button="right")
    assert address_of(page)[19] == "a"


@pytest.mark.parametrize("view", ["phone"], indirect=True)
def test_checkers_are_set_by_touch(view: View) -> None:
    page = view.open(f"?xgid={RACE}")
    page.touchscreen.tap(*place_of(page, 5))
    assert address_of(page)[5] == "A"
    touches = page.context.new_cdp_session(page)

    def touch(kind: str, at: tuple[float, float] | None) -> None:
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", place_of(page, 5))
    page.wait_for_function("() => !location.search.includes('-ABABA')")  # a long touch removes a checker
    touch("touchEnd", None)
    assert address_of(page)[:7] == "-ABAB--"
    start, *way = (place_of(page, point) for point in (4, 5, 6, 6))
    touch("touchStart", start)
    for at in way:
        touch("touchMove", at)
    touch("touchEnd", None)
    page.wait_for_function("() => location.search.includes('-ABAA-A')")


def test_checkers_are_set_by_keys(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.locator('#board .hit[data-point="6"]').focus()
    page.keyboard.press("ArrowUp")
    assert address_of(page)[6] == "A"
    page.keyboard.press("3")
    assert address_of(page)[6] == "C"
    page.keyboard.press("ArrowRight")  # to the five point
    page.keyboard.press("Enter")
    assert address_of(page)[5:7] == "AC"
    page.keyboard.press("Delete")
    assert address_of(page)[5:7] == "-C"
    page.keyboard.press("PageUp")  # across the board
    page.keyboard.press("+")
    assert address_of(page)[20] == "c"
    focused = page.evaluate("document.activeElement.getAttribute('aria-valuetext')")
    assert focused == "3 checkers, the opponent's"
    page.keyboard.press("Control+z")
    page.wait_for_function("() => location.search.includes('-ABAB--')")


def test_every_control_is_reached_by_the_tab_key(desktop: View) -> None:
    page = desktop.open(f"?xgid={AT_SCORE}", wait="#plays .play")
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        name = page.evaluate(
            """() => {
                const at = document.activeElement;
                if (at === document.body) return null;
                return at.id || at.name || at.getAttribute("class") || at.tagName;
            }"""
        )
        if name is None:
            break
        reached.add(name)
    assert {name for name in reached if name.startswith("hit")}, "a point of the board"
    names = {"cube-place", "die", "swap", "clear", "random", "brush", "id", "roll", "play", "kind", "mine", "place"}
    assert names <= reached


def test_the_focus_stays_on_a_control_or_goes_to_a_useful_one(desktop: View) -> None:
    """The board itself has no focus, and the focus never falls to the page when its element goes."""
    focused = "(selector) => document.activeElement.matches(selector)"

    def press(selector: str, then: str, key: str = "Enter") -> None:
        page.locator(selector).first.focus()
        page.keyboard.press(key)
        settle(page)
        page.wait_for_function(focused, arg=then)

    page = desktop.open(f"?xgid={RACE.replace(':00:', ':31:')}", wait="#plays .play")
    press("#theme", "#board .hit", "Tab")
    press("#board .die", "#board .die")
    press("#undo", "#redo")
    for button, key in (("[data-copy=text]", "Enter"), ("[data-copy=link]", "Escape")):
        press("#copy summary", "#copy[open] summary")
        press(button, "#copy:not([open]) summary", key)
    press("#copy summary", "#copy[open] summary")
    press("#copies button:last-child", "#dice .roll", "Tab")
    assert page.locator("#copy[open]").count() == 0
    press("#dice .before", "#dice .roll")
    press("#dice .roll", "#dice .roll[aria-pressed=true]")
    press("#plays .play", "#verdict")
    page.fill("#id", RACE)
    press("#id", "#verdict")
    look_at(page, "#map-card", "#map .map-end:not(:has(progress))")
    press('#map [data-score="3,4"]', '#map [data-score="3,4"][aria-current]')
    page.evaluate("localStorage.setItem('bgrace-trainer', JSON.stringify({ settings: { kinds: ['play'] } }))")
    for name, place in (("explorer", "#verdict"), ("trainer", ".question"), ("review", "#review section")):
        page.click(f"#to-{name}")
        page.wait_for_selector(place)
        press("#skip", place)
        assert page.locator(f"#{name}").is_visible()
    page.click("#to-trainer")
    page.wait_for_selector("#trainer .die")
    assert page.locator("#trainer :is(.die, .cube-place)[tabindex]").count() == 0  # which cannot be pressed there
    press("#trainer [data-choice]", "#trainer [data-next]")
    press("#trainer [data-next]", ".question")


def test_undo_and_the_history_of_the_browser(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    give(page, RACE)  # the same race, so there is nothing to undo
    assert page.is_disabled("#undo")
    page.click("#swap")
    swapped = address_of(page)
    page.wait_for_timeout(750)  # edits in quick succession are undone together
    give(page, swapped)  # no edit: the same race
    page.click("#clear")
    assert "An empty board" in page.inner_text("#verdict")
    page.click("#undo")
    assert address_of(page) == swapped
    page.click("#redo")
    assert "An empty board" in page.inner_text("#verdict")
    page.go_back()
    page.wait_for_selector("#verdict .choices")
    assert address_of(page) == swapped
    page.click("#undo")
    assert address_of(page) == RACE
    page.go_back()
    page.wait_for_url(f"**{swapped}")
    page.click("#redo")
    assert "An empty board" in page.inner_text("#verdict")


def test_redo_goes_forward_where_undo_leads_to_the_same_race(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.click("#swap")
    page.wait_for_timeout(750)  # edits in quick succession are undone together
    page.click("#swap")
    page.click("#undo")
    page.click("#redo")
    assert address_of(page) == RACE
    assert page.is_enabled("#undo")
    assert page.is_disabled("#redo")


def test_the_cube_and_the_dice_can_be_pressed(desktop: View) -> None:
    page = desktop.open(f"?xgid={AT_SCORE}", wait="#plays .play")
    page.click("#board .die >> nth=1")
    assert address_of(page).split(":")[4] == "32"
    page.click("#board .cube-place")
    assert address_of(page).split(":")[1:3] == ["1", "-1"]
    settle(page)
    assert page.locator("#verdict .verdict-words").inner_text() == "Roll"


def test_pasted_text_is_read_or_refused(desktop: View) -> None:
    """Two lines are read, too, and scripts are shown as text."""
    page = desktop.open(f"?xgid={RACE}&gammons=0")
    assert "gammons do not count" in page.inner_text("#verdict")
    pasted = {row.text("text"): row.text("xgid") for row in golden.rows("pasted_texts")}
    for text, expected in pasted.items():
        give(page, text)
        page.wait_for_function("text => document.getElementById('id').value === text", arg=expected)
        assert f"XGID={address_of(page)}" == expected, text
        assert bgrace.parse_board(expected) == bgrace.parse_board(f"XGID={address_of(page)}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('6x2 5x1\\n5x3')")
    page.focus("#id")
    page.keyboard.press("Control+v")
    page.wait_for_function("expected => document.getElementById('id').value === expected", arg=pasted["6x2 5x1 / 5x3"])
    for text in ("<img src=x onerror=alert(1)>", "http://localhost/?xgid=%E0%A4%A"):
        page.evaluate("document.getElementById('note').textContent = ''")
        give(page, text)
        page.wait_for_selector("#note.bad:has-text('cannot be read as a position')")
    assert page.locator("img").count() == 0


ODD = [
    "", "%00", "<script>alert(1)</script>", "A" * 4000, "%E2%82%AC", "-P------------------------:0:0:1:00:0:0:0:0:10",
    RACE.replace(":10", ":10:99"), "A-------------------------:0:0:1:00:0:0:0:0:10",
]  # fmt: skip


def test_damaged_addresses_are_named_and_the_board_still_works(desktop: View) -> None:
    over = "-A------------------------:0:0:1:00:0:0:0:0:10"
    for xgid, said in [*((odd, "This XGID is damaged") for odd in ODD), (over, "no checker left")]:
        page = desktop.open(f"?xgid={xgid}", wait="#verdict .state")
        assert said in page.inner_text("#verdict"), xgid
        if xgid == RACE.replace(":10", ":10:99"):
            assert "11 fields, not an XGID's ten" in page.inner_text("#verdict")
            assert page.input_value("#id") == xgid
        page.mouse.click(*place_of(page, 3))
        page.mouse.click(*place_of(page, 22))
        page.wait_for_selector("#verdict .choices")


ODD_CUBES = [
    (":2:0:1:00:0:0:0:7:10", "cube 4, in the middle", "cube 4, yours", "yours"),
    (":0:1:1:00:0:0:0:7:10", "cube 1, yours", "cube 1, in the middle", "middle"),
    (":1:-1:1:00:6:0:1:7:10", "Crawford game, cube 2, the opponent's", "cube 2, the opponent's", "theirs"),
]
"""Impossible cubes in IDs, in words; the cubes that they are taken for; and the columns of their equities."""


def check_odd_cubes(view: View) -> None:
    board = RACE.partition(":")[0]
    for state, said, taken, column in ODD_CUBES:
        page = view.open(f"?xgid={board}{state}")
        assert page.inner_text("#verdict .stakes-words").endswith(taken)
        assert f"“{said}”, which cannot be in this game" in page.inner_text("#verdict .stakes-words + .method")
        assert page.inner_text("#equities th.here") == column
    page = view.open(f"?xgid={board}:2:0:1:00:0:0:0:0:10")  # possible for money
    assert "cannot be" not in page.inner_text("#verdict")


def test_an_impossible_cube_is_shown_with_the_one_it_is_taken_for(desktop: View) -> None:
    check_odd_cubes(desktop)


def test_special_games_of_a_match_are_named(desktop: View) -> None:
    board = RACE.partition(":")[0]
    games = {"4:4:0": "double match point", "4:3:0": "after the Crawford game", "4:3:1": "Crawford game"}
    for state, said in games.items():
        page = desktop.open(f"?xgid={board}:0:0:1:00:{state}:5:10")
        assert f", {said}, cube 1" in page.inner_text("#verdict .stakes-words")


def test_the_risk_of_a_bearoff_against_men_behind_is_shown(desktop: View) -> None:
    page = desktop.open("?xgid=a-BBB------------------gg-:0:0:1:62:0:0:0:0:10", wait="#plays .play")
    found = risk("XGID=a-BBB------------------gg-:0:0:1:62:0:0:0:0:10")
    never = f"Safe: {100 * known(found.never_hit_on_roll):.1f} % at least"
    assert page.inner_text("#verdict .verdict-words") == never
    plays = found.plays("62")
    rows = [row.split("\t")[1:] for row in page.locator("#plays tbody tr").all_inner_texts()]
    assert [row[0] for row in rows] == [play.play for play in plays]
    assert [row[2] for row in rows] == [f"{100 * play.least:.1f} %" for play in plays]
    assert page.locator("#dice .roll").count() == 36
    assert page.locator("#board .contact rect").first.is_hidden()
    assert page.locator("#chances-card, #map-card, #counts-card").first.is_hidden()
    page.locator("#plays .play").first.click()
    page.locator("#dice-card").wait_for(state="hidden")
    assert "the opponent bears off" in page.inner_text("#verdict-body").lower()
    assert page.input_value("#id").split(":")[0].endswith("A")  # on the bar


def test_plays_by_risk_are_not_dimmed_like_those_of_the_race_before(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}", wait="#dice .roll")
    page.evaluate("document.querySelector('#plays').classList.add('old')")  # as while another board is solved
    page.fill("#id", "XGID=a-BBB------------------gg-:0:0:1:62:0:0:0:0:10")
    page.press("#id", "Enter")
    page.wait_for_selector("#plays:not(.old) .play")


def test_hits_the_bar_and_contact_are_shown(desktop: View) -> None:
    page = desktop.open("?xgid=-C-aCBD-------------c--d--:0:0:1:32:0:0:0:0:10", wait="#plays .play")
    page.locator("#plays .play", has_text="6/3*/1").click()
    page.wait_for_function("() => document.querySelector('#id').value.split(':')[0].endsWith('A')")
    page.click("#swap")
    page.wait_for_selector("#dice .roll")
    assert page.input_value("#id").startswith("XGID=aD--CBC-")
    page = desktop.open("?xgid=--BBB------------------gg-:0:0:1:00:0:0:0:0:10", wait="#dice .roll")
    page.locator('#board .hit[data-point="27"]').click(position={"x": 8, "y": 60})
    page.wait_for_selector("#verdict details")
    assert page.input_value("#id").startswith("XGID=a-BBB")
    assert page.locator('#board .hit[data-point="27"]').get_attribute("aria-valuenow") == "1"
    page.locator('#board .hit[data-point="27"]').click(button="right", position={"x": 8, "y": 60})
    page.wait_for_selector("#chances-card:not([hidden])")
    page = desktop.open("?xgid=----------A-----a---------:0:0:1:00:0:0:0:0:10")
    assert page.locator("#board .contact rect").count() == 0
    give(page, "XGID=---------a-----A----------:0:0:1:00:0:0:0:0:10")
    page.wait_for_selector("#verdict .state[data-state=contact]")
    assert page.locator("#board .contact rect").count() == 2


def test_ids_links_json_and_text_are_copied(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    board = bgrace.parse_board(RACE)

    def copied(what: str) -> str:
        page.evaluate("document.getElementById('note').textContent = ''")  # remove the note of the last copy
        page.click("#copy summary")
        page.click(f"[data-copy={what}]")
        page.wait_for_function("() => document.getElementById('note').textContent")
        text: str = page.evaluate("navigator.clipboard.readText()")
        return text

    assert copied("xgid") == f"XGID={RACE}"
    assert copied("link") == page.url
    assert copied("position") == board.position_id()
    assert json.loads(copied("json"))["xgid"] == board.xgid()
    assert str(board.on_roll) in copied("text")


def test_a_picture_of_the_board_has_its_own_style(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.click("#copy summary")
    with page.expect_download() as saved:
        page.click("[data-copy=svg]")
    drawn = fromstring(Path(saved.value.path()).read_text())
    shapes = [each for each in drawn.iter() if each.get("class", "").split(" ")[0] in ("checker", "face", "a")]
    assert len(shapes) > 12
    assert all(each.get("fill", "").startswith(("rgb(", "url(#bg-")) for each in shapes)


# ---------------------------------------------------------------------- trouble


def test_a_server_that_is_gone_is_reported_once_and_asked_again(window: Page, server: Client) -> None:
    window.clock.install()
    View(window, server.address).open(f"?xgid={RACE}")
    window.evaluate(
        """() => {
            window.told = 0;
            const live = document.getElementById("live");
            new MutationObserver(() => (window.told += 1)).observe(live, { childList: true });
        }"""
    )
    window.context.set_offline(True)
    window.click("#random")
    window.wait_for_selector("#note.bad:has-text('No connection')")
    with window.expect_event("requestfailed"):
        window.click("#swap")
    window.wait_for_selector("#verdict .state[data-state=offline]")
    with window.expect_event("requestfailed"):
        window.clock.fast_forward(3000)
    window.wait_for_timeout(100)
    assert window.evaluate("window.told") == 1
    for name in ("trainer", "review"):
        window.click(f"#to-{name}")
        window.wait_for_selector(f"#{name} .state[data-state=offline]")
    window.context.set_offline(False)
    window.clock.fast_forward(3000)
    window.wait_for_selector("#review .file")
    window.click("#to-trainer")
    window.wait_for_selector("#trainer .question .verdict-words")
    window.click("#to-explorer")
    window.wait_for_selector("#verdict .choices")


def test_answers_to_the_race_before_are_dimmed_and_cannot_be_used(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE.replace(':00:', ':31:')}", wait="#plays .play")
    look_at(page, "#map-card", "#map .map-end:not(:has(progress))")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.route("**/api/solve", lambda route: None)  # never answer
    page.locator("#board .die >> nth=1").click()
    rolled = address_of(page)
    assert page.locator("#dice.old").count() == 1
    assert page.locator("#map.old").count() == 0  # it does not depend on the dice
    page.evaluate("document.querySelector('#plays .play').click()")
    page.wait_for_selector("body.waiting #plays", state="hidden")
    assert address_of(page) == rolled
    for what, said in (("json", "No answer"), ("text", "Copied")):
        page.click("#copy summary")
        page.click(f"[data-copy={what}]")
        page.wait_for_selector(f"#note:has-text('{said}')")
    assert "%" not in page.evaluate("navigator.clipboard.readText()")
    page.click("#swap")
    page.wait_for_selector("#map.old")


def test_a_busy_server_is_asked_again(window: Page, server: Client) -> None:
    window.clock.install()
    window.route("**/api/solve", lambda route: route.fulfill(status=503))
    View(window, server.address).open(f"?xgid={RACE}", wait="#verdict .state[data-state=busy]")
    window.unroute("**/api/solve")
    window.clock.fast_forward(3000)
    window.wait_for_selector("#verdict .choices")


def test_a_newer_question_takes_the_place_of_an_older_one(desktop: View) -> None:
    page = desktop.open(f"?xgid={RACE}")
    page.locator('#board .hit[data-point="6"]').focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    settle(page)
    told = page.inner_text("#chances")
    page.goto(desktop.address + f"?xgid={RACE}")
    settle(page)
    assert page.inner_text("#chances") == told


LONG = "--BBCD-BA-A---------bcdcb-:0:0:1:00:0:0:0:0:10"


def hold_closer(page: Page) -> None:
    """Answer the first question about a long race, and never the second, which asks for a closer answer."""

    def sent(route: Route) -> None:
        if json.loads(route.request.post_data or "{}").get("seconds", 0) < 1:
            route.continue_()

    page.route("**/api/solve", sent)


def test_a_computation_can_be_stopped(desktop: View) -> None:
    page = desktop.page
    hold_closer(page)
    desktop.open(f"?xgid={LONG}", wait="#verdict [data-stop]")
    page.wait_for_selector("#verdict .refining")
    told = page.inner_text("#verdict .choices")
    page.click("#verdict [data-stop]")
    page.wait_for_selector("#verdict[aria-busy=false]")
    assert page.locator("#verdict progress").count() == 0
    assert page.inner_text("#verdict .choices") == told


def test_a_map_can_be_stopped_and_says_that_it_is_exact(desktop: View) -> None:
    page = desktop.open(f"?xgid={LONG}", wait="#verdict .choices")
    look_at(page, "#map-card", "#map [data-stop]")
    page.click("#map [data-stop]")
    page.wait_for_selector("#map [data-again]")
    page.goto(desktop.address + f"?xgid={RACE}")
    look_at(page, "#map-card", "#map .map-end:not(:has(progress))")
    assert page.inner_text("#map .map-end") == "Exact at every score."


# ---------------------------------------------------------------------- without a server


def test_the_site_answers_by_itself(
    whole_browser: Browser, site: str, tmp_path: Path, database: bgrace.Database, five: MatchReview
) -> None:
    context = whole_browser.new_context()
    page = context.new_page()
    view = View(page, site)
    view.open(f"?xgid={RACE}")
    board = bgrace.parse_board(RACE)
    chance = database.win_probability(board.on_roll, board.opponent)
    assert f"{100 * chance:.2f} %" in page.inner_text("#chances")
    assert proved(page) == (database.equities(board.on_roll, board.opponent).centered, True)
    look_at(page, "#counts-card", "#counts .counts")
    keith = bgrace.counts.keith(board.on_roll, board.opponent)
    assert page.locator("#counts tr:has(th:text-is('Keith')) td.num").nth(0).inner_text() == str(keith.on_roll)
    page.wait_for_selector("#map .map-end .method")
    assert page.inner_text("#map .map-end") == "Exact at every score."
    check_odd_cubes(view)
    page.goto(site + "#review")
    told = tmp_path / "5-103.html"
    told.write_text(review_html([five]), encoding="utf-8")
    page.set_input_files("#review [data-part=file]", told)
    page.wait_for_selector("#review article .mistake")
    page.set_input_files("#review [data-part=file]", MATCHES / "5-103.mat")
    page.wait_for_selector("#review .bad:has-text('is not a review')")
    page.goto(site + f"?xgid={RACE}")
    hinders = context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in hinders] == ["in-incognito"]  # only because this window is
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page.reload()
    page.wait_for_selector("#dice .roll")
    page.goto(site + "index.html#trainer")
    page.wait_for_selector("#trainer .question .verdict-words")
    context.close()
    assert view.said == []


ASK_IN_WORKER = """async ([onRoll, opponent]) => {
    const { RemoteEngine } = await import("./remote.js");
    const engine = await RemoteEngine.start("bgrace.wasm");
    const heard = [];
    const ask = () => engine.solve({ onRoll, opponent, budget: { seconds: 0.02 } },
                                   { onVerdict: (early) => heard.push(early) });
    const stopped = ask().catch((error) => error.name);
    const first = await ask();        // takes the place of the other, on a new worker
    const cut = ask().catch((error) => error.name);
    const second = await ask();       // both sides are known by now
    engine.close();
    return { early: heard.at(-1), first, second, stopped: [await stopped, await cut] };
}"""


def test_a_worker_sends_the_verdict_first(window: Page, site: str) -> None:
    window.goto(site)
    told = window.evaluate(ASK_IN_WORKER, [[0, 2, 2, 0, 1, 3, 2, 1], [1, 2, 2, 2, 1, 2, 1]])
    assert told["stopped"] == ["AbortError", "AbortError"]
    assert told["first"] == told["second"]
    assert told["first"].keys() - told["early"].keys() == {"on_roll", "opponent", "plays"}
    assert told["early"].items() <= told["first"].items()


READ_RANGES = """async (race) => {
    const [{ Engine }, { RangeFile }] = await Promise.all([import("./engine.js"), import("./ranges.js")]);
    const engine = await Engine.load(await (await fetch("bgrace.wasm")).arrayBuffer());
    try {
        const file = await RangeFile.open("all.h5", { seconds: 0.7 }), database = engine.open(file);
        const ask = () => engine.solve({ ...race, database, budget: { seconds: 1e-6 } });
        return { answer: await engine.reading(file, ask), requests: file.requests };
    } catch (error) {
        return { code: error.code, message: error.message };
    }
}"""
QUICKLY = "async () => { (await import('./answers.js')).answers.quick = 1e-6; }"  # too little time to solve anything


def ask_quickly(page: Page, wait: str) -> None:
    page.evaluate(QUICKLY)
    give(page, RACE)
    page.wait_for_selector(f"#verdict .method:{wait}")


def test_the_site_reads_its_table(window: Page, tmp_path: Path, database: bgrace.Database, packed_path: Path) -> None:
    skip_without_zig()
    page, board = window, bgrace.parse_board(RACE)
    write_site(tmp_path, table="all.h5")
    with hosted(packed_path, tmp_path) as (host, address):
        page.goto(address)
        ask_quickly(page, "text-is('Exact, from the file')")
        assert f"{100 * database.win_probability(board.on_roll, board.opponent):.2f} %" in page.inner_text("#chances")
        assert host.n_requests == 3
        page.click("#swap")  # the next question to the same file
        settle(page)
        assert host.n_requests <= 5

        race = {"onRoll": board.on_roll, "opponent": board.opponent, "dice": (3, 1)}
        refused = dict.fromkeys(("truncated", "changed", "tagged", "whole", "stalling"), "READ")
        for mode, code in {"good": None, "single": None, "lying": "DAMAGED", **refused}.items():
            host.mode, host.n_requests, host.other = mode, 0, host.data + b"x"
            told = page.evaluate(READ_RANGES, race)
            assert told.get("code") == code, (mode, told)
            if code is None:
                assert told["answer"]["method"] == "two-sided"
                assert told["answer"]["cube_action"] == database.cube_action(board.on_roll, board.opponent).to_dict()
                best = database.best_plays(board.on_roll, board.opponent, "31")
                assert [play["equity"] for play in told["answer"]["plays"]] == [play.equity for play in best]
        host.mode = "whole"
        page.reload()
        ask_quickly(page, "has-text('does not answer range requests')")
        assert "Exact, solved on the spot" in page.inner_text("#verdict")


def test_the_site_reads_a_table_from_another_host(window: Page, tmp_path: Path, packed_path: Path) -> None:
    """One host allows it, answers one range at a time, and does not know OPTIONS; the other does not allow it."""
    skip_without_zig()
    with hosted(packed_path, tmp_path) as (host, address):
        write_site(tmp_path, table=address.replace("127.0.0.1", "localhost") + "all.h5")
        for allowed, said in ((True, "Exact, from the file"), (False, "cannot be reached")):
            host.allowed = allowed
            page = window.context.new_page()
            page.goto(address)
            ask_quickly(page, f"has-text('{said}')")
        give(page, RACE.replace("ABAB", "AABB"))  # before the table is tried again
        page.wait_for_url("**AABB**")
        page.wait_for_selector(f"#verdict:not([aria-busy='true']) .method:has-text('{said}')")


# ---------------------------------------------------------------------- accessibility

LOOKS: list[tuple[str, Literal["light", "dark"], dict[str, Any]]] = [
    ("desktop", "dark", {"runOnly": ["color-contrast"]}),
    ("desktop", "light", {}),
    ("phone", "light", {"rules": {"color-contrast": {"enabled": False}}}),
]
CARD = "-ABBAB--------------bcb---:0:0:1:63:0:0:0:0:10"
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


def test_axe_finds_nothing(browser: Browser, server: Client) -> None:
    """All rules on a light desktop, contrast on a dark one, and all but contrast on a phone."""
    if not AXE.exists():
        pytest.skip(
            "needs axe-core, which no fresh clone has: sh scripts/test.sh types, or npm ci --prefix tests/apps/web"
        )
    context = browser.new_context(reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    hold_closer(page)
    for query, wait in (
        (f"?xgid={AT_SCORE}", "#plays .play"),
        (f"?xgid={RACE}", "#dice .roll"),
        ("?xgid=", "#verdict .state"),
        (f"?xgid={LONG}", "#verdict [data-stop]"),
        ("#trainer", "#trainer .question button"),
        ("#trainer", "#trainer .judged"),
        ("#review", "#review .mistake"),
    ):
        page.goto(server.address + query)
        if wait == "#trainer .judged":
            remember(page, cards=card("play", f"XGID={CARD}"))
            page.reload()
            page.locator("#trainer [data-choice]").first.click()
        if wait == "#review .mistake":
            page.set_input_files("#review [data-part=file]", MATCHES / "5-103.mat")
        page.wait_for_selector(wait)
        if wait == "#dice .roll":
            look_at(page, "#counts-card", "#counts .counts")
            page.wait_for_selector('#map .score[data-score="7,7"][data-kind]')
        page.evaluate(AXE.read_text(encoding="utf-8"))
        for size, scheme, told in LOOKS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
            # Only violations: reports about all other rules take half of the time.
            found = page.evaluate("told => axe.run({resultTypes: ['violations'], ...told})", told)["violations"]
            assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []
    context.close()


def test_choices_are_visible_in_forced_colours_and_lists_are_whole_in_print(desktop: View) -> None:
    page = desktop.open(f"?xgid={AT_SCORE}", wait="#plays .play")
    colour = "(selector) => getComputedStyle(document.querySelector(selector)).backgroundColor"
    page.emulate_media(forced_colors="active")
    for chosen, other in (
        (".top a[aria-current]", ".top a:not([aria-current])"),
        (":checked + span", ".segments span"),
    ):
        assert page.evaluate(colour, chosen) != page.evaluate(colour, other)
    page.emulate_media(forced_colors="none", media="print")
    assert page.locator(".plays-box").evaluate("box => getComputedStyle(box).maxHeight") == "none"


def test_values_are_kept_within_bounds_and_approximate_ones_are_not_called_exact(desktop: View) -> None:
    page = desktop.open("", wait="#dice .roll")
    words = "async (error) => (await import('/panels.js')).methodWords({ method: 'two-sided', error })"
    assert page.evaluate(words, 0) == "Exact, from the file"
    for error, said in ((0.00001, "0.0001"), (0.0091, "0.0091"), (0.00912, "0.0092")):
        assert page.evaluate(words, error) == f"From the file, to within {said} points"
    clip = "async (given) => (await import('/panels.js')).withinBounds(...given)"
    action = {"no_double": 0.5, "double_take": 0.7}
    answer = {"win_probability": 0.7, "cube_action": action}
    bounds = {"win": [0.71, 0.72], "no_double": [0.4, 0.6], "double_take": [0.5, 0.6]}
    kept = {"win_probability": 0.71, "cube_action": {"no_double": 0.5, "double_take": 0.6}}
    assert page.evaluate(clip, [answer, bounds]) == kept
    assert page.evaluate(clip, [kept, bounds]) == kept
