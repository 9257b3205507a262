"""The risk of being hit in a bearoff against men behind."""

import json
import random
from functools import cache

import pytest
from helpers import contact_reference as reference
from helpers import golden
from helpers.boards import full
from helpers.command import answer, run

from bgrace import contact
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.board.play_text import format_play
from bgrace.board.position import Position
from bgrace.board.spaces import PositionSpace
from bgrace.contact import Risk, risk, tables

SPACE = PositionSpace(6, 15)
PLACES = [(place, men) for men in (1, 2) for place in range(6)]


@cache
def twin(runs: bool) -> reference.Risks:
    """Return the slow twin, whose cache all tests share."""
    return reference.Risks(runs)


def known_positions(place: int, men: int) -> list[Position]:
    """Return positions that men on a place are behind: all of up to two checkers, and some of up to six."""
    generator = random.Random(10 * place + men)
    drawn = [generator.choices((1, 2, 3, 4, 5, 6), (2, 3, 1, 1, 1, 1), k=generator.randint(3, 6)) for _ in range(50)]
    many = {Position([points.count(point) for point in range(1, 7)]) for points in drawn if sum(points) <= 15}
    few = (SPACE.position(index) for index in range(1, len(PositionSpace(6, 2))))
    drawn_and_few = (*few, *sorted(many))
    return [at for at in drawn_and_few if at.highest > place and not (place and at[place - 1])]


@pytest.mark.parametrize(("place", "men"), PLACES)
def test_risks_are_the_twin_s(place: int, men: int) -> None:
    """The least risks, and the risks against a single man, who runs."""
    for position in known_positions(place, men):
        bearing_off = [point for point, n in enumerate(position, 1) for _ in range(n)]
        board = reference.side(bearing_off), reference.side([25 - place] * men)
        _, least, never_hit, least_on_roll, never_hit_on_roll, _ = tables().of(position, place, men)
        assert abs(twin(False).to_hit(board) - least) < 1e-12, position
        assert abs(twin(False).to_bear_off(board) - least_on_roll) < 1e-12, position
        if men == 1:
            assert never_hit == pytest.approx(1 - twin(True).to_hit(board), rel=0, abs=1e-12), position
            assert never_hit_on_roll == pytest.approx(1 - twin(True).to_bear_off(board), rel=0, abs=1e-12), position


@pytest.mark.parametrize("row", golden.rows("contact_risks"), ids=str)
def test_least_risks_are_the_printed_ones(row: golden.Row) -> None:
    golden.check_printed(risk(row.text("home"), row.text("behind")).least, row, "least")


def test_a_man_on_the_bar_hits_more_often_if_he_may_stay_there() -> None:
    found = risk("u3sDAED3AAAAAA")
    assert (found.position, found.behind, found.on_roll) == ((3, 4, 0, 0, 0, 0), "bar", True)
    assert 1 - found.least_on_roll == pytest.approx(0.832932, abs=5e-7)
    assert found.never_hit_on_roll == pytest.approx(0.996128, abs=5e-7)


@pytest.mark.parametrize(("place", "men"), PLACES)
def test_plays_are_the_twin_s_and_the_risk_is_the_mean_of_the_best_ones(place: int, men: int) -> None:
    generator = random.Random(place)
    behind = " ".join(["bar"] * men) if not place else f"{place}x{men}"
    for _ in range(15):
        points = [generator.choice([p for p in range(1, 7) if p != place]) for _ in range(generator.randint(1, 15))]
        position = Position([points.count(point) for point in range(1, 7)])
        if position.highest <= place:
            continue
        board, expected = (reference.side(points), reference.side([25 - place] * men)), 0.0
        found = risk(position, behind)
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
            played = tables().plays(position, place, men, *roll)
            by_rules = {
                (mine[1:7], 0 if theirs[reference.BAR] and any(mine[1:]) else place)
                for mine, theirs in reference.plays(board, roll)
            }
            assert {(counts, place_after) for _, counts, place_after, _ in played} == by_rules
            assert len({text for text, *_ in played}) == len(played) == len(by_rules)
            for text, counts, _, _ in played if place == 0 else ():
                assert text == format_play(position, counts, roll)
            expected += weight / 36 * min(play.least for play in found.plays(roll))
        assert found.least_on_roll == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("row", golden.rows("contact_plays"), ids=str)
def test_plays_are_written_in_notation(row: golden.Row) -> None:
    plays = risk(row.text("home"), row.text("behind")).plays(row.text("roll"))
    assert {found.play for found in plays} == set(row.text("plays").split(", "))


def test_plays_have_shots_risks_and_epcs_and_come_in_order_of_risk() -> None:
    safest, *others = risk("0,3,4,2,2,4", behind="1x2").plays("26")
    assert (safest.play, safest.position) == ("6/4 6/off", (0, 3, 4, 3, 2, 2))
    assert (safest.shots, safest.never_hit, safest.off, safest.pips) == (0, None, 1, 52)
    assert safest.epc == pytest.approx(62.5439, abs=5e-5)
    assert [safest.least, *(play.least for play in others)] == sorted(play.least for play in (safest, *others))
    ties = risk("1,0,0,1", behind="3x1").plays("21")
    assert [play.play for play in ties] == ["4/2 1/off", "4/3*/1", "4/1"]  # the smaller index first, the bar first
    assert len({(play.risk, play.least, play.epc) for play in ties}) == 1
    over = risk("0,1", "bar").plays("62")[0]
    assert (over.shots, over.least, over.never_hit, over.off, over.epc) == (0, 0, 1, 1, 0)


def test_the_first_play_against_one_man_has_the_greatest_chance_never_to_be_hit() -> None:
    """In hundreds of rolls the play with the least risk to be hit in the end has a smaller one."""
    n_rolls = misled = 0
    for index in range(1, len(SPACE), 139):
        position = SPACE.position(index)
        for place in range(position.highest):
            if place and position[place - 1]:
                continue
            for roll in ROLLS:
                plays = [numbers for *_, numbers in tables().plays(position, place, 1, *roll)]
                safe, at_last = [numbers[2] or 0.0 for numbers in plays], [numbers[1] for numbers in plays]
                assert safe[0] == max(safe)
                n_rolls += 1
                misled += safe[at_last.index(min(at_last))] < max(safe)
    assert n_rolls > 10_000
    assert misled > 500


@pytest.mark.parametrize("row", golden.rows("contact_shots"), ids=str)
def test_shots_are_the_derived_ones(row: golden.Row) -> None:
    assert risk(row.text("home"), row.text("behind")).shots == row.integer("shots")


def test_a_board_may_have_the_bearoff_on_either_side() -> None:
    """The player on roll or the opponent may bear off; a man who is past all checkers is not behind them."""
    mine, theirs = {2: 3, 3: 4, 4: 2, 5: 2}, {1: 3, 2: 3, 19: 1, 24: 2}
    known = risk("0,3,4,2,2", "1x2")
    own, other = risk(full(mine, theirs)), risk(full(theirs, mine))
    assert (own.on_roll, other.on_roll, known.on_roll) == (True, False, None)
    assert own.least == other.least == known.least
    rolled = risk("XGID=-bCDBBa----------------cc-:0:0:1:62:0:0:0:0:10")
    assert (rolled.roll, rolled.on_roll, rolled.least) == ((6, 2), True, known.least)


def test_an_answer_turns_into_json() -> None:
    found = risk("0,4,0,0,2,3", "3x1")
    told = json.loads(json.dumps(found.to_dict()))
    assert told["assumptions"] == list(contact.ASSUMPTIONS)
    assert {name for name in told if name != "assumptions"} == set(Risk.__slots__)
    play = found.plays("22")[0]
    assert json.loads(json.dumps(play.to_dict())) == {
        **{name: getattr(play, name) for name in type(play).__slots__},
        "position": list(play.position),
    }


# ---------------------------------------------------------------------- the command


def test_the_command_prints_risks_and_plays() -> None:
    assert "safe:" in run("risk", "2,2,2,3,3,3", "bar").stdout
    assert "(none)" in run("risk", "0,0,0,0,0,2", "1x2", "--roll", "55").stdout
    told = answer("risk", "0,3,4,2,2,4", "1x2", "--roll", "2-6")
    assert told["roll"] == [6, 2]
    assert [play["play"] for play in told["plays"]] == ["6/4 6/off", "6/off 2/off", "6/off 5/3", "6/off 4/2"]
    assert "plays" not in answer("risk", "u3sDAED3AAAAAA")


def test_the_command_lists_plays_of_the_roll_in_an_id_if_the_side_bears_off() -> None:
    xgid = "XGID=a-BBB------------------gg-:0:0:{}:62:0:0:0:0:10"
    assert len(answer("risk", xgid.format(1))["plays"]) == 3
    assert "plays" not in answer("risk", xgid.format(-1))
