"""Rollouts: dice, strategies and games against printed values, exact tables and a slow twin."""

from __future__ import annotations

import json
from itertools import islice
from math import isfinite, sqrt

import numpy as np
import pytest
from helpers import boards, golden
from helpers import rollout_reference as twin
from helpers.command import answer, run
from helpers.reference import dice_orders
from hypothesis import given, settings
from hypothesis import strategies as st

import bgrace._kernels.rollout as kernel
from bgrace import rollout
from bgrace.board import Position, parse_position
from bgrace.board.dice import ROLLS
from bgrace.board.spaces import space_of
from bgrace.rollout import adjusted, initial_positions, tables_of
from bgrace.tables import solve_one_sided

VARIANTS = {
    "base": initial_positions.base,
    "extra crossover": initial_positions.extra_crossovers,
    "two extra crossovers": lambda pips: initial_positions.extra_crossovers(pips, 2),
    "gap": initial_positions.gap,
}


def test_initial_positions_are_those_of_the_list() -> None:
    rows = golden.rows("initial_positions")
    assert [row.integer("pips") for row in rows] == list(initial_positions.PIPS)
    for row in rows:
        assert initial_positions.base(row.integer("pips")) == row.position("position")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_initial_position_has_its_pips_and_fifteen_checkers(variant: str) -> None:
    for pips in initial_positions.PIPS if variant == "base" else initial_positions.VARIANT_PIPS:
        position = VARIANTS[variant](pips)
        assert (position.pips, position.checkers) == (pips, 15)


@pytest.mark.parametrize("row", golden.rows("bear_in_plays"), ids=str)
def test_plays_of_the_strategy_are_the_printed_ones(row: golden.Row) -> None:
    opponent = Position([int(str(25 - j) in row.text("blocked").split()) for j in range(1, 25)])
    result = rollout.play(row.text("position"), row.text("roll"), opponent=opponent)
    assert result.resized(24) == parse_position(row.text("result"), 24)


@pytest.mark.parametrize("row", [row for row in golden.rows("bear_in_rolls") if row.integer("pips") <= 120], ids=str)
def test_means_and_variances_are_the_printed_ones(row: golden.Row) -> None:
    chances = rollout.roll_distribution(VARIANTS[row.text("variant")](row.integer("pips")))
    rolls = np.arange(len(chances))
    mean = float(chances @ rolls)
    golden.check_printed(mean, row, "mean")
    golden.check_printed(float(chances @ (rolls - mean) ** 2), row, "variance")


# ---------------------------------------------------------------------- dice


@pytest.mark.parametrize("row", golden.rows("philox"), ids=str)
def test_words_of_the_generator_are_the_published_ones(row: golden.Row) -> None:
    counter, key, words = (tuple(int(word, 16) for word in row.text(name).split()) for name in row.cells)
    assert kernel.philox(counter, key) == twin.philox(counter, key) == words


@given(seed=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40), side=st.integers(0, 1))
@settings(max_examples=50)
def test_throws_are_those_of_the_twin(seed: int, number: int, side: int) -> None:
    thrown = [(int(n) // 6 + 1, int(n) % 6 + 1) for n in kernel.throws(seed, number, side, 3)]
    assert thrown == list(islice(twin.dice(seed, number, side), 36))


# ---------------------------------------------------------------------- strategies against the twin


def races(checkers: int = 5, points: int = 24) -> st.SearchStrategy[twin.Counts]:
    """Draw 1 to `checkers` checkers on the lowest points of a whole board."""
    return boards.counts(points, checkers).filter(any).map(lambda counts: counts + (24 - points) * (0,))


@given(counts=races(), roll=st.sampled_from(ROLLS), blocked=st.sets(st.integers(1, 24), max_size=8))
@settings(max_examples=400)
def test_plays_are_those_of_the_twin(counts: twin.Counts, roll: tuple[int, int], blocked: set[int]) -> None:
    free = tuple(0 if j in blocked else n for j, n in enumerate(counts, start=1))
    if not any(free):
        return
    opponent = Position([int(25 - j in blocked) for j in range(1, 25)])
    assert rollout.play(free, roll, opponent=opponent) == twin.play(free, roll, blocked)


@given(counts=races(checkers=3, points=10), roll=st.sampled_from(ROLLS))
@settings(max_examples=100)
def test_plays_with_a_larger_table_are_those_of_the_twin(counts: twin.Counts, roll: tuple[int, int]) -> None:
    assert rollout.play(counts, roll, points=8) == twin.play(counts, roll, set(), points=8)
    dice = dice_orders(roll)[0]
    assert rollout.play(counts, roll, "epc") == twin.best_of_dice(counts, dice, max(6, Position(counts).highest))


@pytest.mark.parametrize(
    ("texts", "checkers", "points"),
    [
        (("6x2 5x1", "2x5 1x1"), 15, 6),
        (("8x1 7x1 1x1", "14x2"), 15, 6),  # one side reaches the table in the middle of a block of throws
        (("24x3", "24x2 19x1"), 15, 6),  # more than two blocks
        (("10x1 9x1", "10x2"), 9, 10),  # a table of 92,378 positions, whose numbers need more than 16 bits
    ],
)
def test_many_games_at_once_are_those_of_the_twin(texts: tuple[str, str], checkers: int, points: int) -> None:
    tables = tables_of(space_of(points, checkers), 1)
    sides, first, n = [parse_position(text, 24) for text in texts], 2**33 + 7, 70
    games = [twin.game(sides, 7, number, False, points) for number in range(first, first + n)]
    models = [[_single_checker(30, 7, number, side) for side in range(2)] for number in range(first, first + n)]
    rolls, moments = kernel.rollout([(tables, side, 30) for side in sides], False, 7, first, n, 1)
    for side in range(2):
        assert rolls[side].tolist() == np.bincount([game[side] for game in games], minlength=256).tolist()
    for half in range(2):
        chosen = [k for k in range(n) if (first + k) % 2 == half]
        pairs = [(games[k], models[k]) for k in chosen]
        for of, values in enumerate(
            (
                [(y[0], c[0]) for y, c in pairs],
                [(y[1], c[1]) for y, c in pairs],
                [(y[0] <= y[1], c[0] <= c[1]) for y, c in pairs],
            )
        ):
            y, c = np.array(values, dtype=np.int64).T
            expected = [len(chosen), y.sum(), (y * y).sum(), c.sum(), (c * c).sum(), (y * c).sum()]
            assert moments[of, half].tolist() == expected


def _single_checker(pips: int, seed: int, number: int, side: int) -> int:
    rolls = 0
    for a, b in twin.dice(seed, number, side):
        if pips <= 0:
            break
        pips -= 4 * a if a == b else a + b
        rolls += 1
    return rolls


def test_games_are_the_same_alone_and_together() -> None:
    # More games than are played side by side; the first has an even or an odd number.
    for texts in (("4x3 5x5 6x7", "6x15"), ("14x1 13x1 10x1 6x1", "14x2 9x1 8x1 3x1")):
        sides = [(tables_of(space_of(6, 15), 1), parse_position(text, 24), 50) for text in texts]
        for first in (2**40 + 4, 2**40 + 5):
            rolls, moments = kernel.rollout(sides, True, 7, first, 600, 2)
            alone = [kernel.rollout(sides, True, 7, number, 1, 1) for number in range(first, first + 600)]
            assert np.array_equal(rolls, sum(part[0] for part in alone))
            assert np.array_equal(moments, sum(part[1] for part in alone))


# ---------------------------------------------------------------------- results against exact ones


def test_fifty_races_agree_with_the_one_sided_answer() -> None:
    random = np.random.default_rng(2007)
    table = solve_one_sided(space_of(6, 15))
    cases = 0
    while cases < 50:
        x, y = (int(i) for i in random.integers(1, len(table.space), 2))
        later = np.cumsum(table.roll_distribution[y, ::-1])[::-1]
        exact = float(table.roll_distribution[x] @ later)
        if not 0.02 < exact < 0.98:  # beyond this, too few of 50,000 games are lost or won for the normal law
            continue
        cases += 1
        found = rollout.two_player(table.space.position(x), table.space.position(y), 50_000, cases)
        assert abs(found.win_probability - exact) <= 4 * found.standard_error
        assert abs(found.adjusted_win_probability - exact) <= 4 * found.adjusted_standard_error


@pytest.mark.parametrize("text", ["6x15", "4x3 5x5 6x7", "1x5 2x1 3x8 4x1", "1x7", "6x1"])
def test_one_player_agrees_with_the_table(text: str) -> None:
    table = solve_one_sided(space_of(6, 15))
    index = table.space.index(text)
    for policy in rollout.POLICIES:
        found = rollout.one_player(text, 100_000, 11, policy)
        assert abs(found.mean - table.mean_rolls[index]) <= 4 * found.standard_error
        assert abs(found.adjusted_mean - table.mean_rolls[index]) <= 4 * found.adjusted_standard_error + 1e-12
        assert abs(found.variance - table.variance_rolls[index]) <= 4 * found.variance_standard_error
        chances = table.roll_distribution[index][: len(found.counts)]
        errors = np.sqrt(chances * (1 - chances) / found.games)
        assert np.all(np.abs(np.array(found.distribution) - chances) <= 5 * errors + 2 / found.games)


# ---------------------------------------------------------------------- threads, pieces and errors


def test_any_number_of_threads_and_any_pieces_give_the_same() -> None:
    pair = "2x1 3x2 4x3 5x4 6x5", initial_positions.base(100)
    first = rollout.two_player(*pair, 40_001, 3, threads=1)
    for threads in (2, 3):
        assert rollout.two_player(*pair, 40_001, 3, threads=threads) == first
    parts: list[rollout.TwoPlayerRollout] = []
    assert rollout.two_player(*pair, 40_001, 3, progress=parts.append) == first == parts[-1]
    assert [part.games for part in parts] == [16_384, 32_768, 40_001]
    assert rollout.two_player(*pair, 40_001, 4) != first


def test_the_adjusted_mean_and_its_error_are_those_computed_by_hand() -> None:
    # Four games, sixteen times: y = 3, 5, 4, 6 and c = 1, 2, 2, 4; the first and the third have even numbers.
    half = [[2, 7, 25, 3, 5, 11], [2, 11, 61, 6, 20, 34]]
    mean, error = adjusted(16 * np.array(half, dtype=np.int64), 2.0)
    factors = (0.5, 1.0)  # the factor of odd games is used for even ones, and vice versa
    rest = [3 - factors[0] * (1 - 2), 4 - factors[0] * (2 - 2), 5 - factors[1] * (2 - 2), 6 - factors[1] * (4 - 2)]
    assert mean == pytest.approx(sum(rest) / 4)
    spreads = [float(np.var(rest[:2] * 16, ddof=1)), float(np.var(rest[2:] * 16, ddof=1))]
    assert error == pytest.approx(sqrt(32 * spreads[0] + 32 * spreads[1]) / 64)


@pytest.mark.parametrize("games", [2, 3, 10, 63])
def test_the_adjusted_error_of_a_few_games_is_infinite(games: int) -> None:
    alone = rollout.one_player("4x3 5x5 6x7", games, 1)
    assert alone.adjusted_standard_error == float("inf")
    assert isfinite(alone.standard_error)
    pair = rollout.two_player("4x3 5x5 6x7", "6x15", games, 1)
    assert pair.adjusted_standard_error == float("inf")
    parsed = json.loads(json.dumps(pair.to_dict(), allow_nan=False))
    assert parsed["adjusted_standard_error"] is None
    assert parsed["on_roll"]["adjusted_standard_error"] is None


# ---------------------------------------------------------------------- results


def test_statistics_follow_from_the_counted_rolls() -> None:
    found = rollout.one_player("5x1 6x1", 5_000, 2)
    rolls = np.repeat(np.arange(len(found.counts)), found.counts)
    assert found.mean == pytest.approx(rolls.mean())
    assert found.variance == pytest.approx(rolls.var(ddof=1))
    assert found.standard_error == pytest.approx(rolls.std(ddof=1) / sqrt(5_000))
    assert sum(found.distribution) == pytest.approx(1)
    pair = rollout.two_player("5x1 6x1", "5x1 6x1", 5_000, 2)
    assert pair.win_probability == pair.wins / 5_000
    assert pair.variance == pytest.approx(pair.win_probability * (1 - pair.win_probability))
    assert pair.standard_error == pytest.approx(sqrt(pair.variance / 5_000))
    assert json.loads(json.dumps(pair.to_dict()))["win_probability"] == pair.win_probability
    told = pair.on_roll.to_dict()
    assert told["roll_distribution"] == list(pair.on_roll.distribution)
    assert [told[f"{name}_rolls"] for name in ("mean", "adjusted_mean", "variance")] == [
        pair.on_roll.mean,
        pair.on_roll.adjusted_mean,
        pair.on_roll.variance,
    ]


# ---------------------------------------------------------------------- the command


def test_the_command_prints_the_result_as_json() -> None:
    expected_pair = rollout.two_player("6x15", "5x14", 20_000, 1, opponent_policy="epc")
    told = answer("rollout", "6x15", "5x14", "--games", "20000", "--opponent-policy", "epc")
    assert told == json.loads(json.dumps(expected_pair.to_dict()))
    assert answer("rollout", "6x15", "--error", "0.01")["games"] == rollout.BLOCK


def test_the_command_prints_no_infinite_error() -> None:
    for few in (("6x15",), ("6x15", "5x14")):
        printed = run("rollout", *few, "--games", "2").stdout
        assert "inf" not in printed
        assert "±" in printed


def test_ctrl_c_prints_the_games_that_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    real = kernel.rollout

    def interrupted(sides: object, blocking: bool, seed: int, first: int, n: int, threads: int) -> object:
        if first >= 2 * rollout.BLOCK:
            raise KeyboardInterrupt
        return real(sides, blocking, seed, first, n, threads)  # type: ignore[arg-type]

    monkeypatch.setattr(kernel, "rollout", interrupted)
    result = run("rollout", "6x15", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["games"] == 2 * rollout.BLOCK
    assert "stopped after 32,768 of 1,000,000 games" in result.stderr
    assert "stopped after" in run("rollout", "6x15").stdout
    monkeypatch.setattr(kernel, "rollout", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    result = run("rollout", "6x15")
    assert (result.exit_code, result.stdout) == (1, "")
