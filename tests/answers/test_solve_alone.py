"""One side alone: against tables of whole spaces, and the slow twin."""

from __future__ import annotations

import os
import re
import signal
import time

import numpy as np
import pytest
from helpers import reference
from helpers.command import answer, run
from helpers.known import known
from helpers.once import Made

import bgrace
from bgrace import tables
from bgrace._kernels import answer as kernel
from bgrace.answers import PositionAnswer
from bgrace.answers.alone import follow_alone, solve_alone
from bgrace.board import parse_position
from bgrace.board.dice import ROLLS
from bgrace.board.position import counts_of
from bgrace.tables import OneSidedTable, one_sided_win, solve_one_sided

SPACE = bgrace.PositionSpace(9, 6)


@pytest.fixture(scope="module")
def table() -> OneSidedTable:
    """Every position of up to six checkers on nine points, in float64."""
    return solve_one_sided(SPACE)


def check_against_table(found: PositionAnswer, table: OneSidedTable, index: int) -> None:
    assert found.mean_rolls == pytest.approx(table.mean_rolls[index], abs=1e-12)
    assert found.epc == pytest.approx(table.epc[index], abs=1e-11)
    assert found.variance_rolls == pytest.approx(table.variance_rolls[index], abs=1e-11)
    row = table.roll_distribution[index]
    width = min(len(row), len(found.roll_distribution))
    np.testing.assert_allclose(found.roll_distribution[:width], row[:width], rtol=0, atol=1e-13)
    assert not row[width:].any()
    assert found.roll_distribution.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("index", np.random.default_rng(5).integers(0, len(SPACE), 40).tolist())
def test_values_are_those_of_the_whole_space(table: OneSidedTable, index: int) -> None:
    check_against_table(solve_alone(SPACE.position(index), threads=2), table, index)


def test_the_estimate_of_a_side_is_close() -> None:
    """Following a side merges positions of a turn: at most a hundredth of a roll too high, as bgrace.h states."""
    exact, followed = (ask("3x2 4x2 5x3 6x3 7x1 8x2 9x1 13x1") for ask in (solve_alone, follow_alone))
    assert followed.positions_solved == 0
    assert 0 < followed.mean_rolls - exact.mean_rolls < 0.01
    assert followed.sd_rolls == pytest.approx(exact.sd_rolls, abs=0.005)
    n_rolls = min(len(exact.roll_distribution), len(followed.roll_distribution))
    apart = np.cumsum(exact.roll_distribution[:n_rolls]) - np.cumsum(followed.roll_distribution[:n_rolls])
    assert np.abs(apart).max() < 0.002


def test_solved_positions_are_those_that_single_dice_reach() -> None:
    """Counted by brute force, up to the first checker off."""
    start = bgrace.parse_position("9x1 8x2 3x1", 9)
    seen, fresh = {start}, [start]
    while fresh:
        spot = fresh.pop()
        for die in range(1, 7):
            for after in reference.single_die(tuple(spot), die):
                if sum(after) == 4 and after not in seen:
                    seen.add(bgrace.Position(after))
                    fresh.append(bgrace.Position(after))
    assert solve_alone(start).positions_solved == len(seen)


def test_both_distributions_of_fifteen_checkers_are_those_of_the_whole_space() -> None:
    space = bgrace.PositionSpace(7, 15)
    exact = solve_one_sided(space)
    first = known(exact.first_checker_distribution)
    for text in ("7x15", "7x1 6x14", "7x4 5x6 2x5"):
        index, found = space.index(text), solve_alone(text)
        check_against_table(found, exact, index)
        waits, row = known(found.first_checker_distribution), first[index - len(space) + len(first)]
        width = min(len(row), len(waits))
        np.testing.assert_allclose(waits[:width], row[:width], rtol=0, atol=1e-13)


def test_values_at_home_and_of_a_finished_side_are_known() -> None:
    at_home = solve_alone("6x15")
    assert at_home.epc == pytest.approx(100.17386190, abs=5e-9)
    assert at_home.first_checker_distribution is not None
    assert solve_alone("5,1,8,1,0,0,0,0,0").mean_rolls == pytest.approx(7.2777535518, abs=5e-11)
    over = solve_alone("off")
    assert (over.epc, over.roll_distribution.tolist()) == (0, [1])


@pytest.mark.parametrize("text", ["1x1", "6x2 5x1", "1x3 4x4 6x3"])
def test_few_checkers_are_answered_alike_before_and_after_the_home_board_is_solved(text: str) -> None:
    counts, fresh, ready = counts_of(parse_position(text)), kernel.Solver(), kernel.Solver()
    ready.side(counts_of(parse_position("6x15")))
    (*sooner, chances), (*later, known) = fresh.side(counts), ready.side(counts)
    assert sooner == later
    assert chances.tobytes() == known.tobytes()


def test_a_single_checker_far_away_has_the_twin_s_mean() -> None:
    expected = reference.ExpectedRolls()
    spot = (0,) * 23 + (1,)
    assert solve_alone(spot).mean_rolls == pytest.approx(expected(spot), abs=1e-12)


def test_threads_make_no_difference() -> None:
    one, three = (solve_alone("10x3 8x2 4x2", threads=threads) for threads in (1, 3))
    assert one.mean_rolls == three.mean_rolls
    assert one.roll_distribution.tobytes() == three.roll_distribution.tobytes()


@pytest.mark.skipif(os.name == "nt", reason="needs timers of POSIX")
@pytest.mark.parametrize("side", ["24x15", "12x15"])
def test_a_signal_stops_a_far_side(side: str) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    start = time.thread_time()
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            follow_alone(side)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.thread_time() - start < 0.6


def test_plays_come_in_order_of_the_epc_they_leave(table: OneSidedTable) -> None:
    for text, roll in (("9x2 6x1 5x2", "61"), ("7x1 2x2", "66"), ("7x1 6x3", "21"), ("4x3 2x2", "53")):
        plays = known(solve_alone(text, roll).plays)
        assert {play.position for play in plays} == set(bgrace.legal_plays(bgrace.parse_position(text), roll))
        for play in plays:
            assert -play.equity == pytest.approx(table.epc[SPACE.index(play.position)], abs=1e-11)
        assert plays[0].loss == 0
        assert [play.loss for play in plays] == sorted(play.loss for play in plays)


def test_the_chance_to_win_follows_from_two_distributions() -> None:
    mine, theirs = np.array([0, 0.25, 0.5, 0.25]), np.array([[0, 0, 1, 0, 0], [0, 0.5, 0.5, 0, 0], [1, 0, 0, 0, 0]])
    assert one_sided_win(mine, theirs).tolist() == [0.75, 0.5, 0.0]
    assert one_sided_win(np.array([1.0]), theirs).tolist() == [1, 1, 1]
    assert theirs[0].tolist() == [0, 0, 1, 0, 0]  # arguments are left alone


@pytest.mark.parametrize(("points", "checkers"), [(6, 2), (6, 6), (8, 5), (12, 4)])
def test_the_stated_error_of_the_chance_to_win_holds_for_99_of_100_open_races(points: int, checkers: int) -> None:
    space = bgrace.PositionSpace(points, checkers)
    pairs, alone = (
        tables.solve_two_sided(space)[..., tables.Plane.CUBELESS] / tables.scale_for(space),
        solve_one_sided(space),
    )
    ranks = np.random.default_rng(1).integers(1, len(space), (20_000, 2))
    mine, theirs = tables.two_sided_order(space)[ranks].T
    exact = pairs[ranks[:, 0], ranks[:, 1]]
    estimate = 2 * one_sided_win(alone.roll_distribution[mine], alone.roll_distribution[theirs]) - 1
    variances = alone.variance_rolls[mine] + alone.variance_rolls[theirs]
    stated = np.array([tables.one_sided_error(variance) for variance in variances.tolist()])
    open_races = np.abs(exact) < 0.96
    assert np.mean(np.abs(estimate - exact)[open_races] <= stated[open_races]) > 0.99


# ---------------------------------------------------------------------- the command line


def test_one_position_on_the_command_line() -> None:
    told = answer("solve", "9x2 6x1 5x2", "--roll", "61")
    found = solve_alone("9x2 6x1 5x2", "61")
    assert told["epc"] == found.epc
    assert told["roll_distribution"] == found.roll_distribution.tolist()
    assert [play["play"] for play in told["plays"]] == [play.play for play in found.plays or ()]
    assert "EPC" in run("solve", "9x2 6x1 5x2").stdout


def test_one_sided_answers_about_a_pair_on_the_command_line(made: Made) -> None:
    sides = ["9x2 6x1 5x2", "8x3 4x2"]
    told = answer("solve", *sides, "--one-sided")
    assert told["method"] == "one-sided"
    assert told["equities"] is None
    with bgrace.open(made(9, 5, 0)) as db:
        assert told["win_probability"] == pytest.approx(db.win_probability(*sides), abs=5e-5)
    assert "one-sided" in run("solve", *sides, "--one-sided").stdout


def test_commands_list_the_plays_of_every_roll(made: Made) -> None:
    """On the spot and from a file, at home and outside."""
    for pos in ("2,0,1,0,1", "9x1 2x3"):
        told = answer("solve", pos, "--rolls")["rolls"]
        assert [tuple(each["roll"]) for each in told] == list(ROLLS)
        for each in told:
            assert each["plays"] == [play.to_dict() for play in solve_alone(pos, each["roll"]).plays or ()]
    asked = ("query", made(6, 4, 0), "2,0,1,0,1", "--rolls")
    assert len(answer(*asked)["rolls"]) == 21
    assert "6-6  5/off 3/off 1/off(2)   0.0000" in run(*asked).stdout


def test_rolls_that_save_the_gammon_are_counted() -> None:
    plays = {play.play: play.saving_rolls for play in solve_alone("8x1 6x7 5x7", "31").plays or ()}
    assert plays["8/5 6/5"] == 28  # with a 6 or a 5 (20), and 41, 42, 32, 33, 22
    assert plays["8/4"] == 34  # all but 21
    assert {play.saving_rolls for play in solve_alone("6x7 5x8", "65").plays or ()} == {None}
    assert "28/36" in run("solve", "8x1 6x7 5x7", "--roll", "31").stdout
    shown = run("solve", "6x5 5x4 4x3 3x2 1x1", "6x4 5x5 4x3 2x3", "--roll", "52", "--seconds", "0.01").stdout
    assert re.search(r" 6/4 5/off .* yes  ", shown)  # it bears a checker off
    assert re.search(r" 6/1 4/2 .* 36/36  ", shown)
