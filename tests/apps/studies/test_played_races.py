"""Played races: fitted lines, chances and tables from games, and the figures of the paper."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from helpers import golden
from helpers.command import shown

from bgrace import rollout, scm
from bgrace_apps.studies import played_races as board_races
from bgrace_apps.studies.played_races import LEADS, PIPS, PRINTED, SHAPES, BoardRaces, play


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


def test_the_line_and_table_1_are_the_printed_ones() -> None:
    assert PRINTED["mean"].at(100) == pytest.approx(0.90544 + 12.2688)
    rows = board_races.table_1()[1:]
    printed = golden.rows("estimates_table")
    assert [chance for chance, _ in rows] == [row.text("probability") for row in printed]
    assert [ratio for _, ratio in rows] == [row.text("ratio") for row in printed]


def test_tables_follow_from_the_games(races: BoardRaces) -> None:
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


def test_the_command_writes_figures_and_tables_into_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arguments = ["plot", "race-figures", str(tmp_path / "new"), "--games", "20", "--seed", "3"]
    shown(*arguments)
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
