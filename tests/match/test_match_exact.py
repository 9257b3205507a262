"""Bearoffs at a match score: against derived values, an independent slow twin, money, and each other."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from helpers import reference
from helpers.boards import scattered
from helpers.golden import Row, check_printed, rows
from helpers.known import known
from helpers.match_reference import MatchState, solver
from helpers.paths import GOLDEN

import bgrace
from bgrace.answers.score_maps import map_exactly_or_nearly
from bgrace.match import MatchEquityTable, Score, mwc_of, normalised_equity, score_map

TABLE = MatchEquityTable.load(GOLDEN / "match_table.csv")
OWNERS = {"centered": 0, "mine": 1, "theirs": -1}
"""The slow twin's numbers for the owner of the cube."""


@pytest.mark.parametrize("row", rows("match"), ids=str)
def test_values_are_the_derived_ones(row: Row) -> None:
    score = Score(row.integer("needs"), row.integer("opponent_needs"), row.text("crawford") == "1")
    stakes = bgrace.Stakes.at(score, TABLE, cube_value=row.integer("cube_value"))
    solution = bgrace.solve(row.position("on_roll"), row.position("opponent"), stakes, threads=1)
    action = solution.cube_action(row.text("cube"))
    check_printed(solution.equities.cubeless, row, "cubeless")
    check_printed(action.no_double, row, "nd")
    normalised = known(action.normalised)
    check_printed(normalised.no_double, row, "equity_nd")
    assert action.verdict == row.text("verdict")
    if "dt" in row:
        check_printed(action.double_take, row, "dt")
        check_printed(action.double_pass, row, "dp")
        check_printed(normalised.double_take, row, "equity_dt")
        assert normalised.double_pass == pytest.approx(1)
        assert action.reason is None
    else:
        assert action.double_take is None
        assert action.reason
    if "nd_exact" in row:
        numerator, denominator = row.text("nd_exact").split("/")
        assert action.no_double == pytest.approx(int(numerator) / int(denominator), abs=1e-14)


def test_values_are_those_of_the_slow_twin() -> None:
    source = random.Random(1977)
    places: list[tuple[Score, int, str]] = []
    while len(places) < 30:
        a, b, cube = source.randint(1, 5), source.randint(1, 5), source.choice([1, 1, 2, 4])
        where = "centered" if cube == 1 else source.choice(["mine", "theirs"])
        crawford = 1 in (a, b) and cube == 1 and source.random() < 0.3
        if cube == 1 or not (a == 1 and b == 1):
            places.append((Score(a, b, crawford), cube, where))
    exact = solver(TABLE.pre_crawford.tolist(), TABLE.post_crawford[0].tolist())
    for score, cube, where in places:
        x, y = (scattered(source, 6, source.randint(1, most)) for most in (3, 2))
        solution = bgrace.solve(x, y, stakes=bgrace.Stakes.at(score, TABLE, cube_value=cube), threads=1)
        action = solution.cube_action(where)
        nobody_doubles = score.crawford or score.kind == "double match point"
        state = MatchState(score.on_roll_needs, score.opponent_needs, cube, OWNERS[where], nobody_doubles)
        now, taken = exact(x, y, state)
        assert action.no_double == pytest.approx(now, abs=1e-9), (x, y, score, cube, where)
        if action.double_take is not None:
            assert action.double_take == pytest.approx(known(taken), abs=1e-9), (x, y, score, cube, where)
        elif taken is not None:  # the cube is dead: a double is legal and gains nothing
            passed = TABLE.after(score, cube)
            assert min(taken, passed) <= now + 1e-12


def test_values_with_gammons_are_those_of_the_slow_twin() -> None:
    # A gammon needs all fifteen checkers in both programs, so they stand on the ace point, where plays are few.
    exact = solver(TABLE.pre_crawford.tolist(), TABLE.post_crawford[0].tolist(), gammon_checkers=15)
    full = (15, 0, 0, 0, 0, 0)
    for x, y in (((0, 1, 0, 0, 1, 0), full), ((1, 1, 0, 1, 0, 0), full), (full, (1, 0, 1, 0, 0, 0)), (full, full)):
        for a, b, cube, where in ((3, 3, 1, "centered"), (5, 2, 2, "mine"), (2, 4, 1, "centered"), (4, 5, 2, "theirs")):
            solution = bgrace.solve(x, y, stakes=bgrace.Stakes.at(Score(a, b), TABLE, cube_value=cube), threads=1)
            now, _ = exact(x, y, MatchState(a, b, cube, OWNERS[where], False))
            assert solution.cube_action(where).no_double == pytest.approx(now, abs=1e-9)
    without = bgrace.solve("5x1", full, bgrace.Stakes.at(Score(3, 3), TABLE, gammons=False))
    assert without.cube_action("none").no_double == pytest.approx(TABLE.after(Score(3, 3), 1))


@pytest.mark.parametrize("pair", [((0, 0, 0, 0, 1, 1), (0, 0, 0, 1, 1, 0)), ((1, 1, 1, 1, 1, 1),) * 2])
def test_values_are_chances_to_win_where_only_winning_counts(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    money = bgrace.solve(*pair, threads=1)
    for score, cube, where in (
        (Score(1, 1), 1, "centered"),
        (Score(1, 1, crawford=True), 1, "centered"),
        (Score(4, 4), 4, "mine"),
        (Score(4, 3), 4, "theirs"),
        (Score(2, 2), 8, "mine"),
    ):
        solution = bgrace.solve(*pair, stakes=bgrace.Stakes.at(score, cube_value=cube), threads=1)
        action = solution.cube_action(where)
        assert action.no_double == pytest.approx(money.win_probability, abs=1e-9)
        assert action.no_double == pytest.approx(solution.equities.cubeless, abs=1e-9)
        assert solution.win_probability == pytest.approx(money.win_probability, abs=1e-12)
        assert action.verdict == "no cube"
        assert known(solution.equities.normalised).cubeless == pytest.approx(money.equities.cubeless, abs=1e-9)


def test_a_table_in_which_every_point_is_worth_the_same_is_money() -> None:
    needs = np.arange(1, 201)
    lead = needs[None, :] - needs[:, None]
    table = MatchEquityTable.from_arrays(0.5 + lead / 512, 0.5 - (needs - 1) / 512)
    for pair in (((0, 0, 0, 0, 1, 1), (0, 0, 0, 1, 1, 0)), ((0, 0, 0, 0, 0, 3),) * 2):
        money = bgrace.solve(*pair, threads=1)
        match = bgrace.solve(*pair, stakes=bgrace.Stakes.at(Score(190, 190), table), threads=1)
        normalised = known(match.cube_action().normalised)
        assert known(match.equities.normalised).centered == pytest.approx(money.equities.centered, abs=1e-9)
        assert normalised.no_double == pytest.approx(money.cube_action().no_double, abs=1e-9)
        assert normalised.double_take == pytest.approx(money.cube_action().double_take, abs=1e-9)
        assert match.cube_action().verdict == money.cube_action().verdict


def test_the_value_of_rolling_is_the_mean_of_the_best_plays() -> None:
    pair = ((0, 1, 1, 0, 0, 1), (1, 1, 0, 1, 0, 0))
    for score, cube in ((Score(3, 4), 1), (Score(4, 3), 2), (Score(1, 3), 1), (Score(3, 1, crawford=True), 1)):
        solution = bgrace.solve(*pair, stakes=bgrace.Stakes.at(score, TABLE, cube_value=cube), threads=1)
        for where in ("centered", "none") if cube == 1 else ("mine", "theirs", "none"):
            mean = 0.0
            for roll, weight in zip(reference.ROLLS, reference.WEIGHTS, strict=True):
                plays = solution.best_plays(roll, where)
                assert len(plays) == len(reference.plays(pair[0], roll))
                assert plays[0].loss == 0
                assert all(a.equity >= b.equity for a, b in itertools.pairwise(plays))
                for play in plays:
                    chance = known(play.mwc)
                    assert chance == pytest.approx(mwc_of(TABLE, score, cube, play.equity), abs=1e-12)
                    assert normalised_equity(TABLE, score, cube, chance) == pytest.approx(play.equity, abs=1e-12)
                mean += weight * (plays[0].mwc or 0) / 36
            assert mean == pytest.approx(solution.cube_action(where).no_double, abs=1e-12)
    assert set(plays[0].to_dict()) == {"play", "position", "equity", "loss", "mwc"}
    (off,) = bgrace.solve("1x1", "1x1", stakes=bgrace.Stakes.at(Score(4, 3), TABLE, cube_value=2)).best_plays("21")
    assert off.mwc == TABLE.after(Score(4, 3), 2)


def test_a_map_of_scores_says_the_same_as_single_solutions() -> None:
    """A map solves planes that several scores share only once."""
    for pair in (("5x1 6x1", "4x1 5x1"), ("2,1,0,1,0,0", "0,2,0,0,1,1"), ("5x1", "1x15")):
        scores = score_map(*pair, 5, met=TABLE, threads=2)
        for score, action in scores.actions.items():
            alone = bgrace.solve(*pair, stakes=bgrace.Stakes.at(score, TABLE), threads=1).cube_action()
            assert alone.verdict == action.verdict
            assert alone.no_double == pytest.approx(action.no_double, abs=1e-14)
            assert alone.double_take == (None if action.double_take is None else pytest.approx(action.double_take))


def test_a_score_map_has_every_score_and_reasons_without_a_cube() -> None:
    found = score_map("1,1,1,1", "1,1,1,1", 4, met=TABLE)
    assert len(found.actions) == 16 + 6
    assert found.action(3, 1, crawford=True).reason == "nobody may double in the Crawford game"
    assert found.action(1, 1, crawford=True).verdict == "no cube"
    told: dict[str, Any] = found.to_dict()
    assert len(told["scores"]) == 22
    owned = score_map("1,1,1,1", "1,1,1,1", 4, met=TABLE, cube_value=2)
    assert owned.cube == "mine"
    assert "already wins" in str(owned.action(2, 4).reason)


def test_a_map_does_not_depend_on_threads() -> None:
    one, two = (score_map("2,1,1", "1,1,1", 9, threads=n) for n in (1, 2))
    assert one.actions == two.actions


def test_a_table_in_which_winning_is_worth_nothing_has_no_normalised_equity() -> None:
    flat = MatchEquityTable.from_arrays(np.full((9, 9), 0.5), [0.5] * 9)
    action = bgrace.solve("5x1 6x1", "4x1", stakes=bgrace.Stakes.at(Score(9, 9), flat)).cube_action()
    assert known(action.normalised).no_double is None
    assert action.no_double == pytest.approx(0.5)
    assert bgrace.solve("5x1 6x1", "4x1", stakes=bgrace.Stakes.at(Score(9, 9), flat)).best_plays("21")


def test_a_large_race_is_mapped_score_by_score() -> None:
    pair, calls = ("6x3 5x2 4x2 1x3", "6x3 5x3 4x2 3x1"), []
    found = map_exactly_or_nearly(*pair, 2, progress=lambda done, total: calls.append((done, total)))
    (done, total) = calls[-1]
    assert done == total >= len(found.actions)
    assert found.errors.keys() == found.actions.keys()
    close = bgrace.solve(*pair, match=Score(2, 2)).cube_action()
    action = found.action(2, 2)
    assert action.double_margin == pytest.approx(close.double_margin, abs=found.errors[Score(2, 2)])
    assert map_exactly_or_nearly("1,1", "1,1", 3).errors == {}
