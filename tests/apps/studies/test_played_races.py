"""Played races: lines, chances and tables from the games, and the figures of the paper."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from helpers import golden
from helpers.command import run
from helpers.paths import ROOT

from bgrace import rollout, scm
from bgrace.errors import ArgumentError
from bgrace.tables.one_sided import one_sided_win
from bgrace_apps.studies import played_races as board_races
from bgrace_apps.studies.played_races import LEADS, PAIRS, PIPS, PRINTED, SHAPES, BoardRaces, Played, play

PAGE = (ROOT / "docs" / "played-races.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def races() -> BoardRaces:
    return play(games=400)


def test_games_are_those_of_the_rollout(races: BoardRaces) -> None:
    base = races.alone["base"]
    number = 70 - 50
    again = rollout.one_player("2x1 3x2 4x3 5x4 6x5", 400, races.seed + number)
    assert (base.mean[number], base.mean_error[number]) == (again.adjusted_mean, again.adjusted_standard_error)
    assert (base.variance[number], base.variance_error[number]) == (again.variance, again.variance_standard_error)
    assert base.rows(70)[: len(again.distribution)].tolist() == list(again.distribution)
    assert base.distribution.sum(axis=1) == pytest.approx(1)
    assert {shape: (each.pips[0], each.pips[-1]) for shape, each in races.alone.items()} == {
        shape: (50 if shape == "base" else 60, 160) for shape in SHAPES
    }


def test_means_and_variances_are_near_the_exact_ones(races: BoardRaces) -> None:
    compared = 0
    for row in golden.rows("bear_in_rolls"):
        each = races.alone[row.text("variant")]
        k = row.integer("pips") - int(each.pips[0])
        assert abs(each.mean[k] - row.number("mean")) < 4 * each.mean_error[k], row
        assert abs(each.variance[k] - row.number("variance")) < 5 * each.variance_error[k], row
        compared += 1
    assert compared > 20


def test_players_apart_and_together(races: BoardRaces) -> None:
    assert set(races.chances) == set(PAIRS)
    for (own, other), found in races.chances.items():
        played = ~np.isnan(found.win)
        assert np.array_equal(played, ~np.isnan(found.apart))
        # A pair is missing only where a variant would have fewer than 60 pips.
        x, y = np.broadcast_arrays(np.array(PIPS)[:, np.newaxis], np.array(PIPS)[:, np.newaxis] + np.array(LEADS))
        there = ((own == "base") | (x >= 60)) & ((other == "base") | (y >= 60))
        assert np.array_equal(played, there)
        # Two errors, neither greater than that of the games as they are.
        error = np.sqrt(2 * found.win * (1 - found.win) / races.games)
        assert np.abs((found.win - found.apart)[played] / error[played]).max() < 4


def test_chances_from_distributions() -> None:
    k, s = 60, np.arange(50, 91)
    distributions = [scm.roll_distribution(pips) for pips in (k, s)]
    width = max(each.shape[-1] for each in distributions)
    own, other = (np.pad(each, [(0, 0)] * (each.ndim - 1) + [(0, width - each.shape[-1])]) for each in distributions)
    np.testing.assert_allclose(one_sided_win(own, other), scm.win_probability(k, s), atol=1e-12)


def test_lines_are_least_squares() -> None:
    pips = np.arange(50, 161)
    mean, squares = (0.9 + 0.12 * pips).astype(np.float64), (pips**2).astype(np.float64)
    nothing, distribution = np.zeros(len(pips)), np.full((len(pips), 3), 1 / 3)
    played = Played(pips, 1000, mean, nothing, squares, nothing, distribution)
    fit = played.fit("mean", 60)
    assert fit.at(100) == pytest.approx(12.9)
    assert (fit.intercept, fit.slope, fit.correlation) == pytest.approx((0.9, 0.12, 1.0))
    assert fit.at(np.array([100])).tolist() == pytest.approx([12.9])
    x = np.arange(100, 121)
    slope = ((x - x.mean()) * x**2).sum() / ((x - x.mean()) ** 2).sum()
    assert played.fit("variance", 100, 120).slope == pytest.approx(slope)
    assert np.isnan(played.rows([49, 161])).all()
    assert played.rows([50, 160]).sum() == pytest.approx(2)
    with pytest.raises(ArgumentError, match="two pip counts"):
        played.fit("mean", 160)


def test_printed_lines_and_table() -> None:
    assert PRINTED["mean"].at(100) == pytest.approx(0.90544 + 12.2688)
    rows = board_races.table_1()[1:]
    printed = golden.rows("estimates_table")
    assert [chance for chance, _ in rows] == [row.text("probability") for row in printed]
    assert [ratio for _, ratio in rows] == [row.text("ratio") for row in printed]


def test_tables(races: BoardRaces) -> None:
    fits = races.fits()
    assert fits[1][1:] == ["0.90544", "0.122688", "0.999959", "-0.40829", "0.033025", "0.998989"]
    base = races.alone["base"].fit("mean", 60, 160)
    assert fits[2][1:4] == [f"{base.intercept:.5f}", f"{base.slope:.6f}", f"{base.correlation:.6f}"]
    worst = {row[0]: float(row[1]) for row in races.formulas()[1:]}
    y = np.array(PIPS)[:, np.newaxis] + np.array(LEADS)
    off = np.asarray(scm.improved(np.broadcast_to(np.array(PIPS)[:, np.newaxis], y.shape), y)) - races.base.win
    assert abs(worst["improved (13)"]) == pytest.approx(np.abs(off).max(), abs=1e-4)
    for x, rule_80, played_80, single_80, *_ in races.simple_rules()[1:]:
        assert int(rule_80) == round(1.1 * int(x) + 4)
        assert scm.win_probability(int(x), int(single_80)) >= 0.8 > scm.win_probability(int(x), int(single_80) - 1)
        assert abs(int(played_80) - int(rule_80)) <= 4
    for table in (fits, races.means(), races.formulas(), races.simple_rules(), races.gaps(), races.interference()):
        assert len({len(row) for row in table}) == 1
        assert board_races.markdown(table) in races.to_markdown()


def test_page_has_the_tables(races: BoardRaces) -> None:
    tables = dict(re.findall(r"<!-- table: (.*?) -->\n\n(.*?)\n\n<!-- end -->", PAGE, re.DOTALL))
    first = [line.split(" | ")[0].strip("| ") for line in tables["played fits"].splitlines()]
    assert first[:1] + first[2:] == [row[0] for row in races.fits()]


def test_games_must_be_a_number() -> None:
    for games in (1, True, 2.5):
        with pytest.raises(ArgumentError, match="whole number of at least 2"):
            play(games)  # type: ignore[arg-type]


def test_figures_into_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arguments = ["plot", "race-figures", str(tmp_path / "new"), "--games", "20", "--seed", "3"]
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr
    names = {path.name for path in (tmp_path / "new").iterdir()}
    figures = {f"figure-{n:02}.png" for n in (2, 3, 10, 11, 12, 13, 14)}
    assert names == figures | {"table-1.csv", "positions.csv", "played-races.md"}
    assert all((tmp_path / "new" / name).stat().st_size > 10_000 for name in figures)
    with (tmp_path / "new" / "positions.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 111 + 3 * 101
    races = play(20, 3)
    assert float(rows[0]["mean"]) == pytest.approx(races.alone["base"].mean[0], abs=1e-6)
    assert (tmp_path / "new" / "played-races.md").read_text(encoding="utf-8") == races.to_markdown()


def test_dots_of_the_figures(races: BoardRaces) -> None:
    pytest.importorskip("matplotlib")
    from bgrace_apps.plot import board_races as pictures

    (panel,) = pictures.figure_12(races).axes
    dots = [line for line in panel.lines if line.get_marker() == "."]
    assert len(dots) == len(PIPS)
    np.testing.assert_array_equal(dots[0].get_ydata(), races.base.win[0])
    left, _ = pictures.figure_10(races).axes
    np.testing.assert_array_equal(left.lines[0].get_ydata(), races.alone["base"].mean)
