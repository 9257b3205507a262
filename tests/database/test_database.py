"""Questions to a database, about scalars, arrays and text, that the file covers or does not cover."""

from __future__ import annotations

import pickle
import random
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from helpers import reference
from helpers.known import known
from helpers.once import Made
from helpers.reference import CENTERED, CUBELESS, MINE, THEIRS, FloatArray
from helpers.stakes import by_rule

import bgrace
from bgrace import ClosedError, CoverageError, Database, FormatError, Position, PositionCoverageError, PositionError
from bgrace.board.plays import legal_plays
from bgrace.cube.action import CUBES, Cube, CubeAction, Equities
from bgrace.database.store.format import Directory
from bgrace.database.store.reader import Access
from bgrace.tables import OneSidedTable, solve_one_sided

TRIANGLE = (0, 0, 0, 3, 5, 7)
COVERED = (1, 1, 1, 1, 1, 1)
BEYOND = (2, 1, 1, 1, 1, 1)
"""One checker more than the two-sided table of `database` holds."""

ENCODING = 4e-5
"""Greatest error of an equity of six checkers a side in 16 bits."""

PLANES = {"cubeless": CUBELESS, "mine": MINE, "centered": CENTERED, "theirs": THEIRS}


@pytest.fixture(scope="module")
def one_sided(database: Database) -> OneSidedTable:
    return solve_one_sided(database.space)


@pytest.fixture(scope="module")
def no_pairs(made: Made) -> Iterator[Database]:
    """A database of six checkers without a two-sided table."""
    with bgrace.open(made(6, 6, 0)) as db:
        yield db


def check_planes(found: Equities[FloatArray], exact: FloatArray, greatest: float) -> None:
    """Check that every plane is near the slow twin's, whose equities do not yet include the right to double."""
    doubled = reference.with_double(exact)
    for name, plane in PLANES.items():
        np.testing.assert_allclose(getattr(found, name), doubled[..., plane], rtol=0, atol=greatest)


def spread(n: int, checkers: int = 15, seed: int = 1) -> list[Position]:
    """Draw n positions of 1 to `checkers` checkers."""
    dice = random.Random(seed)
    space = bgrace.PositionSpace(6, checkers)
    return [space.position(dice.randrange(1, len(space))) for _ in range(n)]


# ---------------------------------------------------------------------- one position

ONE_POSITION = ["epc", "mean_rolls", "variance_rolls", "roll_distribution", "first_checker_distribution"]


def test_values_of_every_position_are_the_solver_s(database: Database, one_sided: OneSidedTable) -> None:
    everything = database.space.position(np.arange(len(database.space)))
    for name in ("epc", "mean_rolls", "variance_rolls", "roll_distribution"):
        np.testing.assert_array_equal(getattr(database, name)(everything), getattr(one_sided, name))
    first = database.first_checker_distribution(everything)
    np.testing.assert_array_equal(first[-15504:], one_sided.first_checker_distribution)
    assert (first[:-15504, 0] == 1).all()
    assert not first[:-15504, 1:].any()


@pytest.mark.parametrize("name", ONE_POSITION)
def test_arrays_give_the_same_as_scalars(database: Database, name: str) -> None:
    ask = getattr(database, name)
    spots = spread(60)
    answers = ask(np.array(spots))
    assert answers.dtype == np.float64
    for spot, answer in zip(spots, answers, strict=True):
        np.testing.assert_array_equal(ask(spot), answer)
    grid = ask(np.array(spots).reshape(3, 4, 5, 6))
    np.testing.assert_array_equal(grid.reshape(answers.shape), answers)
    assert len(ask(np.zeros((0, 6), int))) == 0


@pytest.mark.parametrize("name", ["epc", "mean_rolls", "variance_rolls"])
def test_scalars_are_floats(database: Database, name: str) -> None:
    ask = getattr(database, name)
    for pos in (TRIANGLE, list(TRIANGLE), np.array(TRIANGLE), "4x3 5x5 6x7", "0,0,0,3,5,7", Position(TRIANGLE)):
        assert type(ask(pos)) is float
        assert ask(pos) == ask(TRIANGLE)
    assert ask("off") == 0


def test_distributions_are_the_callers_own(database: Database) -> None:
    chances = database.roll_distribution(TRIANGLE)
    chances[:] = 0
    assert database.roll_distribution(TRIANGLE).sum() == pytest.approx(1)
    first = database.first_checker_distribution(TRIANGLE)
    first[:] = 0
    assert database.first_checker_distribution(TRIANGLE).sum() == pytest.approx(1)


# ---------------------------------------------------------------------- pairs of the two-sided table


def test_equities_are_those_of_the_twin(database: Database, six_a_side: FloatArray) -> None:
    """All 851,929 pairs in which both sides play, by broadcasting a column of positions against a row of them."""
    spots = database.space.position(np.arange(1, 924))
    found = database.equities(spots[:, np.newaxis], spots[np.newaxis])
    # Twice the value of a taken double has twice its error.
    check_planes(found, six_a_side[1:, 1:], 2 * ENCODING)
    wins = database.win_probability(spots[:, np.newaxis], spots[np.newaxis])
    assert np.abs(wins - (1 + six_a_side[1:, 1:, CUBELESS]) / 2).max() <= 3e-5


def test_equities_actions_and_chances_agree(database: Database) -> None:
    """For 500 random pairs of the two-sided table in which both sides play."""
    numbers = np.random.default_rng(0).integers(1, 924, size=(2, 500))
    pairs = database.space.position(numbers[0]), database.space.position(numbers[1])
    equities = database.equities(*pairs)
    assert equities.method == "two-sided"
    for cube in ("centered", "mine"):
        action = database.cube_action(*pairs, cube)
        np.testing.assert_array_equal(action.equity, getattr(equities, cube))
        np.testing.assert_array_equal(action.double_take, 2 * equities.theirs)
        np.testing.assert_array_equal(action.double_pass, 1)
        taken = known(action.double_take)
        np.testing.assert_array_equal(action.double, np.minimum(taken, 1) >= action.no_double - 1e-9)
        np.testing.assert_array_equal(action.take, taken <= 1 + 1e-9)
        assert set(action.verdict.tolist()) == {"no double", "double/take", "double/pass"}
    for cube, name in (("theirs", "theirs"), ("none", "cubeless")):
        action = database.cube_action(*pairs, cube)
        np.testing.assert_array_equal(action.no_double, getattr(equities, name))
        assert action.double is None
        assert (action.verdict == "no cube").all()
    np.testing.assert_array_equal(database.win_probability(*pairs), (1 + equities.cubeless) / 2)


def test_arrays_are_answered_alike_whatever_their_type_and_layout(with_gammons: tuple[Database, Database]) -> None:
    """1,350 pairs: contiguous arrays of one shape are answered by their counts, others by their numbers."""
    db = with_gammons[0]
    spots = db.space.position(np.arange(len(db.space)))
    on_roll, opponent = np.tile(spots[1:], (10, 1)), np.repeat(spots[-10:], len(spots) - 1, axis=0)
    question: Callable[..., Any]
    for jacoby in (False, True):
        for question in (db.equities, partial(db.cube_action, cube="mine"), partial(db.cube_action, cube="none")):
            expected = question(on_roll.tolist(), opponent.tolist(), stakes=by_rule(jacoby))
            assert question(on_roll, opponent, stakes=by_rule(jacoby)) == expected
            assert question(on_roll.astype(np.int64), opponent.astype(np.int64), stakes=by_rule(jacoby)) == expected
            assert question(on_roll.astype(np.int16), opponent, stakes=by_rule(jacoby)) == expected
            assert question(np.asfortranarray(on_roll), opponent, stakes=by_rule(jacoby)) == expected
    np.testing.assert_array_equal(
        db.win_probability(on_roll, opponent), db.win_probability(on_roll.tolist(), opponent.tolist())
    )
    assert db.equities(spots[:1], spots[5:6]).cubeless.tolist() == [1]  # a finished side has won


@pytest.mark.parametrize("name", ["equities", "cube_action", "win_probability"])
@pytest.mark.parametrize("place", [0, 700, 999])
def test_a_wrong_pair_of_an_array_is_named_by_its_place(database: Database, name: str, place: int) -> None:
    question = getattr(database, name)
    good = np.tile(np.array(COVERED, dtype=np.int8), (1000, 1))
    for row in [(16, 0, 0, 0, 0, 0), (-1, 0, 0, 0, 0, 0), (5, 5, 5, 5, 5, 5), (0, 0, 0, 0, 127, 0)]:
        bad = good.copy()
        bad[place] = row
        with pytest.raises(PositionError, match=rf"position {place} of 1000: \({row[0]}, "):
            question(good, bad)
    both = good.copy()
    both[place] = 0
    with pytest.raises(PositionError, match=r"at most one side|no checker left"):
        question(both, both)
    if name != "win_probability":
        beyond = good.copy()
        beyond[place] = BEYOND
        with pytest.raises(CoverageError, match="7 checkers"):
            question(beyond, good)


def test_sides_broadcast(database: Database) -> None:
    several, one = spread(4, 6), COVERED
    rows = database.equities(several, one)
    assert rows.mine.shape == (4,)
    assert rows.mine.tolist() == [database.equities(pos, one).mine for pos in several]
    columns = database.equities(one, several)
    assert columns.theirs.tolist() == [database.equities(one, pos).theirs for pos in several]
    table = np.array(several)
    assert database.method(table[:, np.newaxis], table[:3]).shape == (4, 3)


@pytest.mark.parametrize("cube", CUBES)
def test_best_plays_are_those_of_the_twin(database: Database, six_a_side: FloatArray, cube: Cube) -> None:
    """A play is worth minus the opponent's value after it, where my cube is theirs."""
    plane = {"none": CUBELESS, "centered": CENTERED, "mine": THEIRS, "theirs": MINE}[cube]
    exact = -reference.with_double(six_a_side)[..., plane]
    for x, y in zip(spread(25, 6, seed=2), spread(25, 6, seed=3), strict=True):
        for roll in ((2, 1), (6, 3), (4, 4)):
            plays = database.best_plays(x, y, roll, cube)
            assert sorted(play.position for play in plays) == sorted(legal_plays(x, roll))
            assert [play.loss for play in plays] == sorted(play.loss for play in plays)
            assert plays[0].loss == 0
            for play in plays:
                over = not play.position.checkers
                worth = 1.0 if over else exact[reference.index(y), reference.index(play.position)]
                assert play.equity == pytest.approx(worth, abs=2 * ENCODING)
                assert play.loss == plays[0].equity - play.equity


def test_equal_plays_come_in_order_of_their_index(database: Database) -> None:
    plays = database.best_plays("1,1,1,1", "1x2", "21")
    for one, other in pairwise(plays):
        assert (one.loss, reference.index(one.position)) < (other.loss, reference.index(other.position))


@pytest.mark.parametrize("jacoby", [False, True])
@pytest.mark.parametrize("cube", ["none", "centered", "mine", "theirs"])
def test_best_plays_of_a_database_are_those_of_its_solution(database: Database, cube: Cube, jacoby: bool) -> None:
    sides = [(0, 0, 0, 0, 0, 6), (1, 1, 1, 1, 1, 1), (6, 0, 0, 0, 0, 0), (0, 2, 0, 1, 0, 1), (1, 0, 0, 0, 0, 0)]
    for x, y in product(sides, sides):
        solution = database.solution(x, y, bgrace.Stakes.money(bgrace.Rules(jacoby=jacoby)))
        for roll, plays in solution.all_plays(cube).items():
            assert database.best_plays(x, y, roll, cube, stakes=by_rule(jacoby)) == plays


# ---------------------------------------------------------------------- pairs beyond the table


def test_estimated_chances_follow_from_both_distributions(database: Database, one_sided: OneSidedTable) -> None:
    spots = [BEYOND, TRIANGLE, *spread(40)]
    for x in spots:
        for y in (BEYOND, TRIANGLE):
            chances = [one_sided.roll_distribution[reference.index(pos)] for pos in (x, y)]
            expected = float(reference.one_sided_win(chances[0], chances[1]))
            assert database.win_probability(x, y) == pytest.approx(expected, abs=1e-12)


def test_one_array_may_have_exact_values_and_estimates(database: Database) -> None:
    xs, ys = [COVERED, BEYOND, COVERED, TRIANGLE], [COVERED, COVERED, TRIANGLE, BEYOND]
    wins = database.win_probability(xs, ys)
    assert wins == pytest.approx([database.win_probability(x, y) for x, y in zip(xs, ys, strict=True)], abs=1e-15)
    methods = ["two-sided"] + ["one-sided"] * 3
    assert database.method(xs, ys).tolist() == list(map(database.method, xs, ys)) == methods


def test_a_file_without_a_two_sided_table_has_no_equities(no_pairs: Database) -> None:
    assert no_pairs.two_sided_checkers == 0
    with pytest.raises(CoverageError, match=r"has none: .*--two-sided 2"):
        no_pairs.equities("1x2", "1x1")
    with pytest.raises(CoverageError, match="has none"):
        no_pairs.best_plays("6x2", "1x1", "21")
    assert no_pairs.best_plays("1x2", "1x1", "21")[0].equity == 1  # a play that bears off needs no table
    assert no_pairs.win_probability("6x1", "1x1") == pytest.approx(0.75)


def test_plays_beyond_the_table_are_not_covered(database: Database) -> None:
    for cube in (None, "none"):
        with pytest.raises(CoverageError, match="7 checkers"):
            database.best_plays("6x1", BEYOND, "21", cube)


def test_a_pair_is_answered_if_and_only_if_it_is_covered(database: Database, no_pairs: Database) -> None:
    sides = [COVERED, BEYOND, TRIANGLE]
    found = database.covers(np.array(sides)[:, np.newaxis], np.array(sides))
    for (i, x), (j, y) in product(enumerate(sides), enumerate(sides)):
        assert database.covers(x, y) == found[i, j] == ((x, y) == (COVERED, COVERED))
        for ask in (database.equities, database.cube_action, database.solution):
            if database.covers(x, y):
                ask(x, y)
                continue
            with pytest.raises(CoverageError):
                ask(x, y)
        assert bgrace.solve(x, y, database=database, seconds=0.1).method != "one-sided"
    assert not database.covers("7x1", COVERED)
    assert not no_pairs.covers("1x1", "1x1")
    assert not database.covers("off", "off")
    assert database.covers([[0] * 6, COVERED], [[0] * 6]).tolist() == [False, True]


@pytest.mark.parametrize("beyond", ["6x15", "7x1", (0, 0, 0, 0, 0, 15), [(0, 0, 0, 0, 0, 15)]])
@pytest.mark.parametrize("name", ["equities", "cube_action", "win_probability", "epc", "roll_distribution"])
def test_more_points_or_checkers_are_not_covered(db: Database, name: str, beyond: Any) -> None:
    others = [] if name in {"epc", "roll_distribution"} else ["1x1"]
    with pytest.raises(PositionCoverageError, match=r"and a database that has|a database, for 15 checkers"):
        getattr(db, name)(beyond, *others)
    for ask in (db.alone, partial(db.solution, "1x1")):
        with pytest.raises(PositionCoverageError if isinstance(beyond, (str, tuple)) else PositionError):
            ask(beyond)


@pytest.mark.parametrize(
    "unreadable",
    [
        *([[each, 0, 0, 0, 0, 0]] for each in (-1, 0.5, 16, 2**63, None, "x")),
        [[1, 0, 0]],
        [[1, 0, 0, 0, 0, 0, 0]],
        [[1, 0], [1]],
        ["6x1", "5x1"],
        (1, -1, 0),
        "nothing",
        3,
        None,
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["covers", "method", "win_probability", "equities", "cube_action"])
def test_arguments_that_are_not_positions_are_refused(database: Database, unreadable: Any, name: str) -> None:
    ask = getattr(database, name)
    for pair in ((unreadable, COVERED), ([COVERED], unreadable)):
        with pytest.raises(PositionError):
            ask(*pair)
    with pytest.raises(bgrace.ArgumentError, match=r"on_roll of shape \(2,\), opponent of shape \(3,\)"):
        ask([COVERED] * 2, [COVERED] * 3)


def test_plays_that_lead_into_the_table_are_answered(database: Database) -> None:
    """Only the positions after the roll have to be covered."""
    plays = database.best_plays((7, 0, 0, 0, 0, 0), COVERED, "21")
    assert [play.position for play in plays] == [(5, 0, 0, 0, 0, 0)]
    assert plays[0].equity == -database.equities(COVERED, (5, 0, 0, 0, 0, 0)).centered


# ---------------------------------------------------------------------- finished games


def test_a_side_that_has_finished_has_won(database: Database) -> None:
    for other in (COVERED, TRIANGLE, "1x1"):
        assert database.win_probability("off", other) == 1
        assert database.win_probability(other, "off") == 0
    won, lost = database.equities("off", COVERED), database.equities(COVERED, "off")
    assert list(won.to_dict().values()) == [1] * 4
    assert list(lost.to_dict().values()) == [-1] * 4


# ---------------------------------------------------------------------- the file


def test_gammons_in_a_file_for_fifteen(with_gammons: tuple[Database, Database]) -> None:
    """Fifteen checkers on two points: the play that wins most often is not always the one that wins most points."""
    exact = reference.two_sided(15, 2, gammon_checkers=15)
    wins = (1 + reference.two_sided(15, 2)[..., CUBELESS]) / 2
    for db in with_gammons:
        spots = db.space.position(np.arange(1, len(db.space)))
        found = db.equities(spots[:, np.newaxis], spots)
        check_planes(found, exact[1:, 1:], 2e-4)
        assert list(db.equities("off", "1x15").to_dict().values()) == [2] * 4
        assert list(db.equities("2x15", "off").to_dict().values()) == [-2] * 4
        assert db.win_probability("off", "1x15") == 1
        # If a side has fifteen checkers, chances to win do not follow from equities: they have their own table.
        assert np.abs((1 + found.cubeless) / 2 - wins[1:, 1:]).max() > 0.4
        assert (db.method(spots[:, np.newaxis], spots) == "two-sided").all()
        errors = np.abs(db.win_probability(spots[:, np.newaxis], spots) - wins[1:, 1:])
        assert errors.max() <= 5e-5
        taken = known(db.cube_action(spots[:, np.newaxis], spots).double_take)
        np.testing.assert_allclose(taken, 2 * exact[1:, 1:, THEIRS], rtol=0, atol=3e-4)
        assert db.best_plays("1x1", "2x15", "21")[0].equity == 2
        action = db.cube_action("1x2", "2x15")
        assert (action.no_double, action.verdict) == (2, "too good")


@pytest.mark.parametrize(("points", "checkers", "two_sided"), [(2, 14, 14), (3, 8, 8), (4, 5, 5), (8, 4, 2)])
def test_errors_without_gammons_are_those_of_the_docs(made: Made, points: int, checkers: int, two_sided: int) -> None:
    exact = reference.two_sided(two_sided, points)[1:, 1:]
    with bgrace.open(made(points, checkers, two_sided)) as db:
        spots = db.space.position(np.arange(1, len(exact) + 1))
        assert db.covers(db.space.position(np.arange(len(db.space))), spots[-1]).sum() == len(exact) + 1
        pairs = (spots[:, np.newaxis], spots)
        taken = known(db.cube_action(*pairs).double_take)
        check_planes(db.equities(*pairs), exact, 1.5e-4)
        np.testing.assert_allclose(taken, 2 * exact[..., THEIRS], rtol=0, atol=1.5e-4)
        wins = (1 + exact[..., CUBELESS]) / 2
        np.testing.assert_allclose(db.win_probability(*pairs), wins, rtol=0, atol=3e-5)


def test_jacoby_rule_in_a_file_for_fifteen(with_gammons: tuple[Database, Database]) -> None:
    exact = reference.two_sided(15, 2, gammon_checkers=15, jacoby=True)
    for db in with_gammons:
        spots = db.space.position(np.arange(1, len(db.space)))
        found = db.equities(spots[:, np.newaxis], spots, stakes=by_rule(True))
        assert np.abs(found.centered - db.equities(spots[:, np.newaxis], spots).centered).max() >= 0.9
        check_planes(found, exact[1:, 1:], 2e-4)
        assert db.equities("off", "1x15", stakes=by_rule(True)).centered == 1
        assert db.equities("2x15", "off", stakes=by_rule(True)).centered == -1
        # Single questions have the same answers.
        for i, j in ((0, 120), (3, 134), (130, 2), (134, 119), (5, 7)):
            assert db.equities(spots[i], spots[j], stakes=by_rule(True)).centered == found.centered[i, j]
            assert db.win_probability(spots[i], spots[j]) == db.win_probability(spots[i : i + 1], spots[j])[0]
        # A centered cube makes a gammon worthless, so cash; once the cube is turned, play on for the gammon.
        for cube, verdict, best in (("centered", "double/pass", 1), ("mine", "too good", 2)):
            action = db.cube_action("1x2", "2x15", cube, stakes=by_rule(True))
            assert (action.no_double, action.verdict) == (best, verdict)
            assert db.best_plays("1x1", "2x15", "21", cube, stakes=by_rule(True))[0].equity == best
        assert db.best_plays("1x5", "2x15", "21", stakes=by_rule(True))[0].equity == pytest.approx(1, abs=1e-4)
        assert db.best_plays("1x3", "2x15", "21")[0].equity == pytest.approx(1.5, abs=0.5)


@pytest.fixture(scope="module")
def with_gammons(made: Made) -> Iterator[tuple[Database, Database]]:
    """Fifteen checkers on two points, mapped and as an archive: C answers for the first, numpy for the second."""
    with bgrace.open(made(2, 15, 15)) as db, bgrace.open(made(2, 15, 15, "archive")) as packed:
        yield db, packed


@pytest.mark.parametrize("jacoby", [False, True])
def test_pairs_alone_in_arrays_and_of_an_archive_agree(with_gammons: tuple[Database, Database], jacoby: bool) -> None:
    """All 18,225 pairs with the cube in every place; every third pair alone, too.  There are gammons and ties."""
    db, packed = with_gammons
    spots = db.space.position(np.arange(1, len(db.space)))
    single = [tuple(spot) for spot in spots.tolist()]
    third = single[::3]
    column, row = spots[:, np.newaxis], spots[np.newaxis]
    together = db.equities(column, row, stakes=by_rule(jacoby))
    assert together == packed.equities(column, row, stakes=by_rule(jacoby))
    wins = db.win_probability(column, row)
    np.testing.assert_array_equal(wins, packed.win_probability(column, row))
    for name in ("cubeless", "centered", "mine", "theirs"):
        ones = [[getattr(db.equities(x, y, stakes=by_rule(jacoby)), name) for y in single[:20]] for x in single]
        np.testing.assert_array_equal(getattr(together, name)[:, :20], ones)
    np.testing.assert_array_equal(wins[:, ::3], [[db.win_probability(x, y) for y in third] for x in single])
    said = set()
    for cube in CUBES:
        actions = db.cube_action(column, row, cube, stakes=by_rule(jacoby))
        assert actions == packed.cube_action(column, row, cube, stakes=by_rule(jacoby))
        ones = [[db.cube_action(x, y, cube, stakes=by_rule(jacoby)) for y in third] for x in single]
        for name in ("no_double", "double_take", "double_pass", "double", "take", "verdict"):
            values = getattr(actions, name)
            found = [[getattr(one, name) for one in line] for line in ones]
            if values is None:
                assert not any(value is not None for line in found for value in line)
            else:
                np.testing.assert_array_equal(values[:, ::3], found)
        assert all(type(one) is CubeAction and one.cube == cube and one.beaver is None for line in ones for one in line)
        said |= set(actions.verdict.ravel().tolist())
    assert said == {"no cube", "no double", "double/take", "double/pass", "too good"}


DAMAGED: list[tuple[tuple[int, int, int], str, bytes, list[str]]] = [
    ((2, 3, 3), "two_sided/equities", b"\xff\x7f", ["equities(ones, ones)", "cube_action(ones, ones)"]),
    ((2, 3, 3), "two_sided/equities", b"\xff\x7f", ["win_probability(ones, ones)"]),
    ((2, 3, 0), "one_sided/epc", struct.pack("<d", -2.0), ["epc(ones)"]),
    ((8, 2, 0), "one_sided/roll_chances", b"\0", ["roll_distribution('off')", "win_probability('off', '1x1')"]),
    ((8, 2, 0), "one_sided/roll_chances", b"\0", ["roll_distribution(np.eye(8, dtype=int))"]),
]


@pytest.mark.parametrize(("shape", "name", "filler", "questions"), DAMAGED)
def test_damaged_numbers_are_refused(
    made: Made, tmp_path: Path, shape: tuple[int, int, int], name: str, filler: bytes, questions: list[str]
) -> None:
    path, data = tmp_path / "damaged.h5", bytearray(made(*shape).read_bytes())
    table = next(entry for entry in Directory.unpack(bytes(data), "x").entries if entry.name == name)
    data[table.offset : table.offset + table.n_bytes] = filler * (table.n_bytes // len(filler))
    path.write_bytes(data)
    with bgrace.open(path) as db:
        for question in questions:
            with pytest.raises(FormatError, match="damaged"):
                eval(f"db.{question}", {"db": db, "np": np, "ones": np.ones((4, 2), int)})


def test_empty_arrays_have_empty_answers(database: Database) -> None:
    none, one = np.empty((0, 6), int), np.ones((1, 6), int)
    assert database.equities(none, one).mine.shape == (0,)
    assert database.cube_action(none, one).verdict.shape == (0,)
    assert database.win_probability(none, "off").shape == (0,)
    assert database.method(one, none).shape == (0,)


def test_a_closed_database_says_so(database_path: Path) -> None:
    with bgrace.open(database_path) as db:
        kept = db.roll_distribution(TRIANGLE)
    asked: list[Callable[[], Any]] = [
        *(partial(getattr(db, name), pos) for name in ONE_POSITION for pos in (TRIANGLE, [TRIANGLE, COVERED])),
        lambda: db.win_probability(COVERED, COVERED),
        lambda: db.win_probability(TRIANGLE, COVERED),
        lambda: db.equities(COVERED, COVERED),
        lambda: db.equities([COVERED], COVERED),
        lambda: db.cube_action(COVERED, COVERED),
        lambda: db.best_plays(COVERED, COVERED, "21"),
        lambda: db.best_plays(COVERED, None, "21"),
        db.info,
        lambda: db.stored,
    ]
    for ask in asked:
        with pytest.raises(ClosedError, match=r"plain-6-15-6\.h5 is closed: open it again"):
            ask()
    db.close()
    assert kept.sum() == pytest.approx(1)


def test_another_file_is_not_opened_for_a_pickled_database(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    bgrace.build(path, 6, 3, 2)
    with bgrace.open(path) as db:
        data = pickle.dumps(db)
    with pytest.raises(ClosedError):
        pickle.dumps(db)
    bgrace.build(path, 6, 3, 1, force=True)
    with pytest.raises(FormatError, match="another file than the one that was pickled"):
        pickle.loads(data)


@pytest.mark.parametrize("access", get_args(Access))
@pytest.mark.parametrize("compress", [False, True])
def test_a_database_is_pickled_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, access: Access, compress: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    bgrace.build("x.h5", 6, 2, 2, compress=compress)
    with bgrace.open("x.h5", access) as db:
        monkeypatch.chdir("/")
        assert pickle.loads(pickle.dumps(db)).epc("6x2") == db.epc("6x2")


def test_many_threads_may_ask_one_database(database: Database) -> None:
    spots = spread(200, 6, seed=5)
    expected = [
        (database.epc(x), database.equities(x, y), database.win_probability(x, y))
        for x, y in zip(spots, spots[::-1], strict=True)
    ]

    def ask(seed: int) -> bool:
        order = random.Random(seed).sample(range(len(spots)), len(spots))
        together = database.equities(np.array(spots), np.array(spots[::-1]))
        return all(
            (database.epc(spots[k]), database.equities(spots[k], spots[-1 - k])) == expected[k][:2]
            and database.win_probability(spots[k], spots[-1 - k]) == expected[k][2]
            and together.mine[k] == expected[k][1].mine
            for k in order
        )

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(16)))
