"""The referee: samples and losses are those of its description, and its estimates are exact for single checkers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers import reference
from helpers.command import answer, shown
from helpers.once import Made
from helpers.paths import SMALL

import bgrace
from bgrace import counts, scm
from bgrace.board.spaces import PositionSpace
from bgrace.cube import race
from bgrace.errors import CoverageError
from bgrace.tables import solve_one_sided
from bgrace_apps.studies.race_windows import DECISIONS, Decision
from bgrace_apps.studies.referee import judge
from bgrace_apps.studies.referee.rules import LIMITS, RULES, Rule, Said, View
from bgrace_apps.studies.referee.sample import SEED, Races, matched_equities, played_pairs, played_races

Floats = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def races(db: bgrace.Database) -> Races:
    return played_races(db, 150)


# ---- the sample


def splitmix(seed: int) -> Iterator[int]:
    """Yield the words of the generator, from its description, in plain integers."""
    state, mask = seed, (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        yield z ^ z >> 31


def below(words: Iterator[int], limit: int) -> int:
    return (next(words) >> 32) * limit >> 32


def played_one_by_one(game: int, checkers: int) -> list[tuple[int, int]]:
    words = splitmix(SEED + game)
    points = [p for p, weight in zip(range(3, 11), (1, 2, 3, 4, 2, 2, 1, 1), strict=True) for _ in range(weight)]
    sides = []
    for _ in range(2):
        drawn = [points[below(words, 16)] for _ in range(checkers)]
        sides.append(tuple(drawn.count(point) for point in range(1, 11)))
    found = []
    for turn in count():
        found.append((reference.index(sides[turn % 2]), reference.index(sides[1 - turn % 2])))
        roll = sorted((below(words, 6) + 1, below(words, 6) + 1), reverse=True)
        sides[turn % 2] = reference.ExpectedRolls().best_child(sides[turn % 2], (roll[0], roll[1]))
        if not any(sides[turn % 2]):
            return found
    raise AssertionError


def test_games_are_played_as_described() -> None:
    table = solve_one_sided(PositionSpace(10, 2))
    on_roll, opponent, game = played_pairs(table, 10)
    expected = [(*pair, g) for g in range(10) for pair in played_one_by_one(g, 2)]
    assert list(zip(on_roll.tolist(), opponent.tolist(), game.tolist(), strict=True)) == expected


def test_values_of_the_sample_are_those_of_the_database(db: bgrace.Database, races: Races) -> None:
    own, other = races.positions("on_roll"), races.positions("opponent")
    assert len(races) == len(own) == len(other)
    assert np.array_equal(races.pips("on_roll"), own.astype(int) @ np.arange(1, 11))
    home = (own[:, 6:].sum(axis=1) + other[:, 6:].sum(axis=1)) == 0
    few = np.maximum(own.sum(axis=1), other.sum(axis=1)) <= db.two_sided_checkers
    assert np.array_equal(races.exact, home & few)
    assert 0.1 < races.exact.mean() < 0.9
    for row in np.flatnonzero(races.exact)[::97]:
        pair = own[row, :6], other[row, :6]
        assert races.win[row] == db.win_probability(*pair)
        assert races.no_double[row] == db.cube_action(*pair).no_double
        assert races.no_redouble[row] == db.cube_action(*pair, "mine").no_double
        assert races.double_take[row] == db.cube_action(*pair).double_take
        assert races.epc("on_roll")[row] == pytest.approx(db.epc(pair[0]), abs=1e-9)
    for row in np.flatnonzero(~races.exact & home)[::97]:
        chances = (db.roll_distribution(side[row, :6]) for side in (own, other))
        assert races.win[row] == pytest.approx(float(reference.one_sided_win(*chances)), abs=1e-9)


def test_a_database_may_have_points_outside_the_home_board(made: Made) -> None:
    with bgrace.open(made(10, 3, 3)) as db:
        races = played_races(db, 40)
        assert races.exact.all()
        assert (races.positions("on_roll")[:, 6:] > 0).any()
        row = int(np.argmax(races.pips("on_roll")))
        pair = races.positions("on_roll")[row], races.positions("opponent")[row]
        assert races.double_take[row] == db.cube_action(*pair).double_take


# ---- estimates


def test_estimates_of_single_checkers_are_exact() -> None:
    k, s = np.meshgrid(np.arange(4, 120, 7), np.arange(4, 140, 9), indexing="ij")
    win = scm.win_probability(k, s)
    some = (win > 0.01) & (win < 0.99)
    table = race.solve(300)
    exact = (table.no_double_centered, table.no_double_mine, table.double_take)
    for value, whole in zip(matched_equities(k[some], win[some]), exact, strict=True):
        np.testing.assert_allclose(value, whole[k[some], s[some]], atol=1e-9)


# ---- rules


COUNTS = {
    "kleinman_count": "kleinman",
    **{name: name for name in RULES if RULES[name].kind == "count" and name in counts.COUNTS and name != "nack57"},
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_sample_are_those_of_single_pairs(races: Races, name: str) -> None:
    said, count_ = RULES[name].say(View(races)), counts.COUNTS[COUNTS[name]]
    own, other = races.positions("on_roll"), races.positions("opponent")
    together = races.pips("on_roll") + races.pips("opponent")
    rows = np.flatnonzero(together > 4)[::41]
    for row in rows:
        one = count_(own[row], other[row])
        assert [said.margins[d][row] >= 0 for d in DECISIONS] == [getattr(one, d) for d in DECISIONS]
        if said.win is not None:
            assert said.win[row] == pytest.approx(one.win_probability, abs=1e-12)


def test_formulas_decide_by_the_limits(races: Races) -> None:
    assert [round(LIMITS[d], 4) for d in DECISIONS] == [0.6915, 0.7229, 0.7807]
    view = View(races)
    for name, rule in RULES.items():
        said = rule.say(view)
        assert {margin.shape for margin in said.margins.values()} == {(len(races),)}, name
        assert not any(np.isnan(margin).any() for margin in said.margins.values()), name
        if said.win is not None:
            assert ((said.win >= 0) & (said.win <= 1)).all(), name
        if rule.kind == "formula" and said.unit == "chance":
            assert said.win is not None
            assert np.array_equal(said.margins["double"] >= 0, said.win >= LIMITS["double"]), name
            assert np.array_equal(said.margins["redouble"] >= 0, said.win >= LIMITS["redouble"]), name
            assert np.array_equal(said.margins["take"] >= 0, said.win <= LIMITS["take"]), name


# ---- the scores


def test_scores_are_added_up_as_described(db: bgrace.Database, races: Races) -> None:
    """Every number of a rule, added up again pair by pair."""
    own, other = races.positions("on_roll"), races.positions("opponent")
    lost: dict[str, list[float]] = {name: [] for name in ("double", "redouble", "take", "play", "even play")}
    for row in np.flatnonzero((races.win >= 0.5) & (races.win <= 0.95)):
        said = counts.keith(own[row], other[row])
        doubled = min(races.double_take[row], 1.0)
        gain = {
            "double": doubled - races.no_double[row],
            "redouble": doubled - races.no_redouble[row],
            "take": 1 - races.double_take[row],
        }
        loss = {d: abs(gain[d]) if getattr(said, d) != (gain[d] > 0) and abs(gain[d]) > 2e-4 else 0 for d in DECISIONS}
        for d in DECISIONS:
            lost[d].append(loss[d])
        play = sum(loss[d] + (loss["take"] if getattr(said, d) else 0) for d in ("double", "redouble")) / 2
        lost["play"].append(play)
        if races.game[row] % 2 == 0:
            lost["even play"].append(play)
    found = judge(races, ["keith"])
    keith = found["keith"]
    assert found.judged_pairs == len(lost["play"])
    assert keith.cost == pytest.approx(1000 * np.mean(lost["play"]))
    assert keith.cost == pytest.approx((keith.centered_cost + keith.own_cost) / 2)
    assert (keith.behind, keith.behind_error) == (0, 0)
    for d in DECISIONS:
        mark = getattr(keith, d)
        assert mark.cost == pytest.approx(1000 * np.mean(lost[d]))
        assert mark.wrong == pytest.approx(np.mean(np.array(lost[d]) > 0))
        assert mark.worst == pytest.approx(1000 * max(lost[d]))
        assert counts.keith(*mark.worst_pair).advice
    assert sum(found.lengths.values()) == found.judged_pairs
    by_length = np.average(list(keith.cost_by_length.values()), weights=list(found.lengths.values()))
    assert keith.cost == pytest.approx(by_length)
    assert keith.best_cost < 1.2 * 1000 * np.mean(lost["even play"])


def test_a_perfect_rule_costs_nothing_and_limits_undo_shifts(races: Races, monkeypatch: pytest.MonkeyPatch) -> None:
    right: dict[Decision, Floats] = {name: races.gains[name] for name in DECISIONS}
    off: dict[Decision, Floats] = {
        "double": right["double"] - 0.1,
        "redouble": right["redouble"] + 0.2,
        "take": right["take"] - 0.3,
    }
    monkeypatch.setitem(RULES, "right", Rule("right", "yardstick", lambda _view: Said(right, races.win, "points")))
    monkeypatch.setitem(RULES, "off", Rule("off", "yardstick", lambda _view: Said(off, races.win - 0.1, "points")))
    found = judge(races, ["off", "right"], everywhere=True)
    assert [rule.name for rule in found.rules] == ["right", "off"]
    perfect, shifted = found.rules
    assert (perfect.cost, perfect.error, perfect.double.wrong, perfect.take.worst) == (0, 0, 0, 0)
    assert perfect.best_cost < 0.05
    assert shifted.cost > 1
    assert shifted.best_cost < 0.5
    # The best limits undo the shifts: a lower one, a higher one, and takes up to a greater lead.
    assert shifted.best_shift == pytest.approx({"double": -0.1, "redouble": 0.2, "take": 0.3}, abs=0.02)
    assert shifted.chance is not None
    assert shifted.chance.bias == pytest.approx(-0.1)
    assert shifted.chance.rms == pytest.approx(shifted.chance.mean)
    with pytest.raises(KeyError):
        found["keith"]


def test_rules_are_compared_pair_by_pair(races: Races) -> None:
    report = judge(races, ["keith", "kleinman", "trice62", "nack57", "win"])
    best = next(rule for rule in report.rules if rule.kind != "yardstick")
    assert (best.behind, best.behind_error) == (0, 0)
    for rule in report.rules:
        assert rule.behind == pytest.approx(rule.cost - best.cost)
        assert rule.behind_error <= rule.error + best.error
    assert report["win"].behind < 0
    # Two rules that say nearly the same differ by much less than either's own standard error.
    near = judge(races, ["nack57", "trice62"])
    assert max(rule.behind_error for rule in near.rules) < 0.1 * near["trice62"].error


def test_simple_claims_and_epcs_are_judged(races: Races) -> None:
    report = judge(races, ["keith"])
    x, y, win = races.pips("on_roll"), races.pips("opponent"), races.win
    for claim, extra, level in zip(report.claims, (4, 12), (0.8, 0.9), strict=True):
        says = y >= 1.1 * x + extra - 1e-9
        assert claim.level == level
        assert claim.claimed == pytest.approx(says.mean())
        assert claim.too_much == pytest.approx((win[says] < level).mean())
        assert claim.missed == pytest.approx((~says[win >= level]).mean())
    pips = report.epc[0]
    off = races.epc("on_roll") - x
    assert (pips.constant, pips.deviation) == pytest.approx((off.mean(), off.std()))


# ---- the command


def test_the_command_prints_rules_and_draws_them(tmp_path: Path) -> None:
    arguments = ["referee", str(SMALL), "--games", "60", "--rule", "keith", "--rule", "never"]
    text = shown(*arguments)
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("Note"))
    told = answer(*arguments)
    assert [rule["name"] for rule in told["rules"]] == ["keith", "never"]
    assert f"{told['rules'][0]['cost']:.2f}" in text
    assert shown(*arguments, "--rule", "keith") == text
    pytest.importorskip("matplotlib")
    picture = tmp_path / "referee.svg"
    shown("referee", SMALL, "--games", "60", "--rule", "never", "--plot", picture)
    assert "never double, always take" in picture.read_text(encoding="utf-8")


def test_pairs_in_question_are_solved_alike_in_any_process(db: bgrace.Database) -> None:
    races = played_races(db, 3, seconds=0.1, threads=2)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        elsewhere = played_races(db, 3, seconds=0.1, executor=executor)
    for name in ("win", "no_double", "no_redouble", "double_take", "error", "solved"):
        np.testing.assert_array_equal(getattr(elsewhere, name), getattr(races, name))
    estimated = played_races(db, 3)
    assert not estimated.solved.any()
    assert (races.exact | races.solved)[races.in_question].all()
    assert not (races.exact & races.solved).any()
    row = int(np.flatnonzero(races.solved)[0])
    pair = races.space.position(int(races.on_roll[row])), races.space.position(int(races.opponent[row]))
    solution = bgrace.solve(*pair, database=db, seconds=0.1)
    assert races.double_take[row] == solution.cube_action().double_take
    assert races.no_redouble[row] == solution.cube_action("mine").no_double
    assert (races.win[row], races.error[row]) == (solution.win_probability, solution.error)
    # Estimates are close to solutions: closer than any rule for the board could tell.
    apart = (races.double_take - estimated.double_take)[races.solved]
    assert 0 < np.abs(apart).max() < 0.1


def test_the_standard_error_is_that_of_independent_games(races: Races) -> None:
    keith = judge(races, ["keith"], everywhere=True)["keith"]
    # The same games again, counted as other games: the error is divided by the root of two.
    repeated = ("on_roll", "opponent", "win", "no_double", "no_redouble", "double_take", "exact", "solved", "error")
    arrays: dict[str, Any] = {name: np.tile(getattr(races, name), 2) for name in repeated}
    twice = replace(races, game=np.concatenate([races.game, races.game + 1000]), **arrays)
    again = judge(twice, ["keith"], everywhere=True)["keith"]
    assert again.cost == pytest.approx(keith.cost)
    assert again.error == pytest.approx(keith.error / 2**0.5)


def test_only_pairs_in_the_range_of_pips_are_judged(races: Races) -> None:
    report = judge(races, ["keith"], pips=(11, 20))
    assert list(report.lengths) == ["11-20"]
    assert report["keith"].cost == pytest.approx(judge(races, ["keith"])["keith"].cost_by_length["11-20"])


def test_a_database_without_pairs_is_refused(made: Made) -> None:
    with bgrace.open(made(6, 3, 0)) as one, pytest.raises(CoverageError, match="two-sided table"):
        played_races(one, 5)
