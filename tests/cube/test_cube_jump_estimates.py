"""Jump volatility of positions and of games."""

import math
from typing import Any

import numpy as np
import pytest

import bgrace
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.cube import jump
from bgrace.cube.jump.estimates import Game, outcome_volatility

PIPS = np.array([(a + b) * (2 if a == b else 1) for a, b in ROLLS])
GAMES = [
    Game((0.50, 0.45, 0.30, 0.60, 0.55, 0.40, 0.70, 0.25, 0.85, 0.10), True),
    Game((0.50, 0.55, 0.72, 0.30, 0.66, 0.45, 0.30, 0.78, 0.20, 0.90), False),
]


def moments(of: Any) -> tuple[float, float, float]:
    """Return mean, standard deviation and mean absolute jump."""
    return of.mean, of.standard_deviation, of.mean_absolute_jump


def test_volatilities_of_model_matrices_are_the_derived_ones() -> None:
    outcomes = 0.5 + 0.02 * (PIPS[:, None] - PIPS[None, :])
    local = outcome_volatility(outcomes)
    assert moments(local) == pytest.approx((0.5, 0.121564, 0.083827), abs=5e-7)
    assert outcome_volatility(outcomes, 0.55).mean_absolute_jump == pytest.approx(0.096312, abs=5e-7)
    outcomes = np.where(PIPS[:, None] >= 8, 1.0, np.where(PIPS[None, :] >= 10, 0.0, 0.6))
    local = outcome_volatility(outcomes)
    assert moments(local) == pytest.approx((0.718519, 0.322073, 0.265844), abs=5e-7)


def test_measures_of_volatility_are_converted() -> None:
    local = jump.LocalVolatility(0.5, 0.1, 0.07)
    assert local.volatility() == 0.07
    assert local.volatility("standard_deviation") == pytest.approx(0.0797885, abs=5e-8)
    assert local.volatility("standard_deviation", "double-exponential") == pytest.approx(0.0707107, abs=5e-8)
    assert jump.to_standard_deviation(jump.from_standard_deviation(0.1)) == pytest.approx(0.1)


def slow_local(db: bgrace.Database, mine: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[float, float, float]:
    """Return mean, standard deviation and mean absolute jump, added up play by play."""
    outcomes = []
    for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
        plays = sorted(bgrace.legal_plays(mine, roll), key=db.space.index)
        after = [1.0 if not any(play) else 1 - db.win_probability(theirs, play) for play in plays]
        best = plays[after.index(max(after))]
        for reply, their_weight in zip(ROLLS, WEIGHTS, strict=True):
            if not any(best):
                chance = 1.0
            else:
                answers = bgrace.legal_plays(theirs, reply)
                chance = min(0.0 if not any(answer) else db.win_probability(best, answer) for answer in answers)
            outcomes.append((weight * their_weight / 36**2, chance))
    mean = sum(w * c for w, c in outcomes)
    deviation = math.sqrt(sum(w * (c - mean) ** 2 for w, c in outcomes))
    return mean, deviation, sum(w * abs(c - mean) for w, c in outcomes)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ((0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)),
        ((1, 0, 2, 0, 0, 1), (2, 0, 0, 1, 1, 0)),
        ((0, 1, 0, 0, 2, 1), (1, 1, 1, 1, 0, 0)),
    ],
)
def test_volatility_adds_up_play_by_play(db: bgrace.Database, mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    local = jump.local_volatility(db, mine, theirs)
    expected = slow_local(db, mine, theirs)
    assert moments(local) == pytest.approx(expected, abs=1e-12)
    # The chance to win is a martingale: its mean after the round is its value before, if both are exact.
    tolerance = 1e-4 if db.method(mine, theirs) == "two-sided" else 1e-3
    assert local.mean == pytest.approx(db.win_probability(mine, theirs), abs=tolerance)


def test_local_volatility_takes_arrays_and_text(db: bgrace.Database) -> None:
    many = jump.local_volatility(db, [[0, 0, 1, 0, 0, 1], [1, 0, 0, 0, 0, 1]], (0, 2, 0, 0, 0, 0))
    assert many.mean_absolute_jump.shape == (2,)
    one = jump.local_volatility(db, "0,0,1,0,0,1", (0, 2, 0, 0, 0, 0), center="start")
    assert one.mean_absolute_jump == pytest.approx(many.mean_absolute_jump[0], abs=1e-4)


def test_jumps_of_recorded_games_are_the_derived_ones() -> None:
    jumps = jump.conditional_jumps(GAMES)
    assert sorted(jumps) == pytest.approx([-0.20, -0.10, 0.12, 0.15])
    found = jump.jump_statistics(jumps)
    assert found.n == 4
    assert moments(found) == pytest.approx((-0.0075, 0.147203, 0.142500), abs=5e-7)
    found = jump.jump_statistics(jump.window_jumps(GAMES))
    assert found.n == 9
    assert moments(found) == pytest.approx((-0.022222, 0.189489, 0.171111), abs=5e-7)
    assert jump.jump_statistics([]).n == 0


def test_games_without_turns_have_no_jumps() -> None:
    assert jump.conditional_jumps([Game((0.9,), True)]).size == 0
    assert jump.window_jumps([]).size == 0


def test_buckets_are_fitted_by_a_ramp() -> None:
    buckets = jump.bucket_jumps(GAMES)
    assert buckets.counts.sum() == 20
    assert buckets.centers[0] == pytest.approx(0.025)
    shape = jump.ramp(0.1)(buckets.centers)
    exact = jump.Buckets(buckets.edges, np.full(20, 5), shape, 0.8 * shape)
    assert exact.fit().level == pytest.approx(0.1)
    assert exact.fit(measure="mean_absolute_jump").level == pytest.approx(0.08)


def test_played_races_are_won_as_often_as_expected_and_have_fair_jumps(db: bgrace.Database) -> None:
    start = ((0, 0, 1, 1, 1, 1), (0, 0, 1, 1, 1, 1))
    games = jump.play_races(db, [start], 200, seed=3)
    assert games == jump.play_races(db, [start], 200, seed=3)
    assert games != jump.play_races(db, [start], 200, seed=4)
    won = np.mean([game.starter_won for game in games])
    chance = games[0].chances[0]
    assert won == pytest.approx(chance, abs=4 * math.sqrt(chance * (1 - chance) / 200))
    jumps = np.concatenate([later - own for game in games for own, later in game.sides()])
    assert jumps.mean() == pytest.approx(0, abs=4 * jumps.std() / math.sqrt(len(jumps)))
