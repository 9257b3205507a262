"""Over-the-board counts against worked positions, and against a slow twin in exact fractions."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from helpers.command import answer, run
from helpers.golden import Row, check_printed, named_value, rows

from bgrace import counts, scm
from bgrace._kernels import counts as kernel
from bgrace.board.spaces import PositionSpace
from bgrace.counts.judged import COUNT_NAMES
from bgrace.errors import PositionError
from bgrace.tables import solve_one_sided

Pair = tuple[tuple[int, ...], tuple[int, ...]]

NAMES = [row.text("name") for row in rows("counts_positions")]


def pair(name: str) -> Pair:
    row = named_value("counts_positions", name)
    return row.position("on_roll"), row.position("opponent")


# ---- worked positions


@pytest.mark.parametrize("name", NAMES)
def test_pip_counts_and_epcs_are_the_printed_ones(name: str) -> None:
    row = named_value("counts_positions", name)
    count = counts.trice62(*pair(name))
    assert (count.on_roll, count.opponent) == (row.integer("pips"), row.integer("opponent_pips"))
    assert [sum(side) for side in pair(name)] == [row.integer("checkers"), row.integer("opponent_checkers")]
    epc = row.number("epc"), row.number("opponent_epc")
    if name == "E3":
        with pytest.raises(PositionError, match="outside home"):
            counts.effective_pips(*pair(name))
    else:
        exact = counts.effective_pips(*pair(name))
        assert (exact.on_roll, exact.opponent) == pytest.approx(epc, abs=1.1e-3)  # the print truncates some values
    assert counts.effective_pips(*pair(name), epc=epc).lead == pytest.approx(epc[1] - epc[0])


@pytest.mark.parametrize("row", rows("counts"), ids=str)
def test_adjusted_counts_are_the_printed_ones(row: Row) -> None:
    for column in row.cells:
        if column != "name":
            method, _, field = column.partition("_")
            check_printed(getattr(counts.COUNTS[method](*pair(row.text("name"))), field), row, column)


@pytest.mark.parametrize("row", rows("counts_verdicts"), ids=str)
def test_verdicts_of_counts_are_the_worked_ones(row: Row) -> None:
    count = counts.COUNTS[row.text("count")](*pair(row.text("name")))
    assert count.verdict() == row.text("centered")
    assert count.verdict("mine") == row.text("mine")
    assert count.verdict("theirs") == count.verdict("none") == "no cube"


def test_chances_are_the_printed_ones() -> None:
    # Bower's for a lead in per cent and for Thorp's count, then Lamford's, with three digits.
    assert counts.eight_nine_twelve(*pair("E1")).win_probability == pytest.approx(0.821, abs=5.1e-4)
    assert counts.thorp(*pair("E1")).win_probability == pytest.approx(0.714, abs=1e-12)
    for name, win in (("E1", 0.801), ("E3", 0.776), ("E5", 0.797)):
        assert counts.lamford(*pair(name)).win_probability == pytest.approx(win, abs=5.1e-4)
    assert scm.least_squares(100, 110) == pytest.approx(0.756, abs=5.1e-4)
    assert scm.least_squares(70, 70) == pytest.approx(0.602, abs=5.1e-4)


def test_keiths_own_example_is_counted_as_published() -> None:
    # 59 + 2 + 1 = 62, + 8 = 70, against 56 + 4 + 1 + 2 + 1 = 64: no double.  bkgm.com, rec.games.backgammon archive.
    count = counts.keith((2, 2, 1, 3, 4, 3), (3, 2, 5, 0, 1, 1, 1, 2))
    assert (count.counted, count.on_roll, count.opponent) == (62, 70, 64)
    assert count.verdict() == "no double"
    # A last checker on the ace point has three gaps.
    assert counts.keith("1", "1").counted == 4


# ---- thresholds


def test_take_points_of_three_rules_differ_where_they_are_known_to() -> None:
    pips = np.arange(57, 125)
    nack = counts.nack57_take_point(pips)
    zare = pips[counts.ten_percent_take_point(pips) != nack].tolist()
    assert zare == [60, 61, 79, 89, 110, 111, *range(120, 125)]
    trice = pips[counts.trice62_take_point(pips) != nack].tolist()
    assert trice == [61, 70, 79, 80, 89, 90, 100, 111, *range(121, 125)]


def test_thorps_count_has_options() -> None:
    at_30, at_31 = (0, 0, 4, 2), (1, 2, 1, 2, 1)  # 20 + 12 - 2 and 21 + 14 + 1 - 5
    assert counts.thorp(at_30, at_30).counted == counts.thorp(at_30, at_30).on_roll == 30
    assert counts.thorp(at_30, at_30, from_30=True).on_roll == 33
    assert counts.thorp(at_31, at_30).on_roll == 34.1
    assert counts.thorp(at_31, at_30, round_down=True).on_roll == 34
    at_32 = (0, 0, 2, 4)
    assert counts.thorp(at_30, at_32).lead == 2
    assert counts.thorp(at_30, at_32).take
    assert not counts.thorp(at_30, at_32, strict_take=True).take


def test_wards_count_has_versions() -> None:
    own, other = (0, 5, 0, 0, 0, 2), (0, 0, 0, 0, 4, 3)
    assert counts.ward(own, other).counted == counts.ward(own, other, version="storer").counted == 25
    assert counts.ward(own, other, version="glossary").counted == 22
    assert counts.ward(own, other, version="bgaddict").counted == 24
    assert counts.ward((15,), "6x1").counted == 15 + 26 + 28
    # A checker outside adds half a pip.  An extra home point takes one off the other side.
    outside = counts.ward("7x3", "6x3")
    assert (outside.counted, outside.opponent) == (22.5, 17)
    for pips, take_to in ((5, 2), (10, 4)):
        assert counts.ward((0,) * (pips - 1) + (10,), (0,) * (pips - 1) + (10,)).take_to == take_to
    assert counts.ward("10x6", "10x6").take_to == 2.4
    assert counts.ward("10x7 5x1", "10x7 5x1").take_to == 3


def test_woolseys_law_doubles_if_two_counts_disagree_on_the_take() -> None:
    both = pair("E5")
    assert counts.woolsey_doubles(counts.thorp(*both), counts.keith(*both)) is True
    assert counts.woolsey_doubles(counts.ward(*both), counts.keith(*both)) is False


# ---- the slow twin: the same rules, one pair at a time, in fractions


def slow(name: str, own: Sequence[int], other: Sequence[int]) -> tuple[Any, ...]:  # noqa: PLR0911 - one a rule
    """Return both counts, and whether to double, to redouble and to take."""
    a, b = ([*side, *[0] * 24][:24] for side in (own, other))
    p, q = (Fraction(sum(j * n for j, n in enumerate(side, 1))) for side in (a, b))
    d = q - p
    if name == "eight_nine_twelve":
        return p, q, d / p >= Fraction(8, 100), d / p >= Fraction(9, 100), d / p <= Fraction(12, 100)
    if name == "ten_percent":
        return p, q, d >= p / 10 - 2, d >= p / 10 - 1, d <= math.floor(p / 10) + 2
    if name == "trice62":
        last = math.ceil(p / 10) + 1 if p > 62 else math.floor((p - 5) / 7)
        return p, q, d >= last - 3, d >= last - 2, d <= last
    if name == "kleinman":
        k = (d + 4) ** 2 / (p + q - 4) * (1 if d + 4 >= 0 else -1)
        return p, q, k >= Fraction(1, 2), k >= Fraction(7, 10), k <= Fraction(12, 10)
    s, t = slow_count(name, a, b) + p, slow_count(name, b, a) + q
    if name == "thorp":
        left = s * Fraction(11, 10) if s > 30 else s
        return left, t, left <= t + 2, left <= t + 1, t <= left + 2
    if name == "ward":
        left, average = s * Fraction(11, 10), (p + q) / 2
        slack = min(max(2 + (average - 50) / 25, Fraction(2)), Fraction(4))
        return left, t, left <= t + 2, left <= t + 1, t <= left + slack
    if name == "keith":
        left = s + math.floor(s / 7)
        return left, t, left <= t + 4, left <= t + 3, left >= t + 2
    if name == "grace":
        left = s + (p / 5 if p <= 40 else p / 10 + 4)
        return left, t, t >= left - 6, t >= left - 5, t <= left - 2
    win = 80 - s / 3 + 2 * (t - s)
    return s + s / 6, t, win >= 68, win >= 70, win <= 76


def slow_count(name: str, a: Sequence[int], b: Sequence[int]) -> Fraction:
    """Return the pips that a count adds to side a."""

    def held(side: Sequence[int]) -> int:
        return sum(n > 0 for n in side[:6])

    def out(side: Sequence[int]) -> int:
        return sum(side[6:])

    def crossovers(side: Sequence[int]) -> int:
        return sum(side[6:12]) + 2 * sum(side[12:18]) + 3 * sum(side[18:])

    if name == "thorp":
        return Fraction(2 * sum(a) + a[0] - held(a))
    if name == "ward":
        low = 2 * max(a[0] - 2, 0) + max(a[1] - 2, 0)
        more = 2 * max(sum(a) - sum(b), 0) - max(held(a) - held(b), 0)
        return low + more + Fraction(max(out(a) - out(b), 0), 2)
    if name == "keith":
        gaps = sum(a[j] == 0 for j in (3, 4, 5))
        return Fraction(2 * max(a[0] - 1, 0) + max(a[1] - 1, 0) + max(a[2] - 3, 0) + gaps)
    if name == "grace":
        low = 2 * max(a[0] - 1, 0) + max(a[1] - 1, 0) + (a[3] == 0) + (a[4] == 0)
        rolls = 7 * math.ceil(Fraction(sum(a), 2)) + 1
        return Fraction(max(min(sum(a), 12) + low, rolls - sum(j * n for j, n in enumerate(a, 1))))
    gaps = sum(a[j] == 0 and b[j] > 0 for j in (3, 4, 5))
    low = 2 * max(a[0] - 2, 0) + max(a[1] - 2, 0) + max(a[2] - 3, 0)
    return Fraction(max(sum(a) - sum(b), 0) + low + gaps + max(crossovers(a) - crossovers(b), 0))


def random_pairs(points: int, number: int, seed: int) -> tuple[Any, Any]:
    """Draw pairs of positions with similar pip counts, so that decisions are close."""
    rng = np.random.default_rng(seed)
    checkers = rng.integers(2, 16, (2, number))
    sides = np.array([[rng.multinomial(n, np.full(points, 1 / points)) for n in row] for row in checkers])
    pips = sides @ np.arange(1, points + 1)
    order = np.argsort(pips, axis=1, kind="stable")
    return sides[0][order[0]], sides[1][order[1]]


WITHOUT_TWIN = ("lamford", "nack57", "effective_pips", "effective_by_hand")


@pytest.mark.parametrize("points", [3, 6, 13, 24])
@pytest.mark.parametrize("name", [name for name in counts.COUNTS if name not in WITHOUT_TWIN])
def test_counts_are_those_of_the_slow_twin(name: str, points: int) -> None:
    own, other = random_pairs(points, 150, points)
    if name == "kleinman":
        enough = (own + other) @ np.arange(1, points + 1) > 4
        own, other = own[enough], other[enough]
    count: Any = counts.COUNTS[name](own, other)
    fields = (count.on_roll, count.opponent, count.double, count.redouble, count.take)
    for k, (a, b) in enumerate(zip(own.tolist(), other.tolist(), strict=True)):
        expected = slow(name, a, b)
        assert [field[k] for field in fields[:2]] == pytest.approx([float(value) for value in expected[:2]], abs=1e-12)
        assert tuple(field[k] for field in fields[2:]) == expected[2:], (a, b)


# ---- arrays


@pytest.mark.parametrize("name", [name for name in counts.COUNTS if name not in ("lamford", "nack57")])
def test_arrays_are_many_scalars(name: str) -> None:
    own, other = random_pairs(6, 20, 5)
    own[:, 5] += own.sum(axis=1) < 3  # more than four pips
    method = counts.COUNTS[name]
    together: Any = method(own, other)
    assert np.shape(together.verdict()) == (20,)
    for k in range(20):
        for field, value in method(own[k], tuple(other[k])).to_dict().items():
            found = getattr(together, field)
            assert value == (found if field == "name" or found is None else found[k])
    one_against_many: Any = method(own[0], other.reshape(4, 5, 6))
    assert np.shape(one_against_many.take) == np.shape(one_against_many.verdict("mine")) == (4, 5)
    assert str(one_against_many) == f"{name} of (4, 5) pairs"
    json.dumps(one_against_many.to_dict())


def test_positions_may_be_text_or_longer_than_their_last_checker() -> None:
    assert counts.keith("1x1 2x1 3x2 4x2 5x2 6x2", [0, 1, 2, 2, 2, 3, 0, 0]) == counts.keith(*pair("E5"))


# ---- EPC by hand


@pytest.mark.parametrize("row", rows("counts_epc"), ids=str)
def test_epcs_by_hand_are_the_derived_ones(row: Row) -> None:
    position = row.position("position")
    estimate = counts.estimate_epc(position)
    assert estimate.to_dict() == {"epc": row.number("by_hand"), "shape": row.text("shape")}
    check_printed(counts.effective_pips(position, position).on_roll, row, "exact")


def test_rules_for_shapes_are_near_the_exact_epc() -> None:
    for n in range(1, 16):
        m = -(-n // 2)
        exact = 7 * m + 1 - (-1 / 6) ** m
        assert counts.effective_pips((n,), (n,)).on_roll == pytest.approx(exact, abs=1e-9)
        assert abs(counts.n_roll_epc(n) - exact) < (0.17 if n < 3 else 0.03)
    # Four checkers, of which one roll in 36 fails to bear off two.
    assert counts.n_roll_epc(4, missing=1) == pytest.approx(15.2)
    # The least EPC of 10 checkers on p pips, above 7 n + 1 = 36.
    space = PositionSpace(6, 10)
    table = solve_one_sided(space)
    positions = space.position(np.arange(len(space)))
    pips, checkers = positions @ np.arange(1, 7), positions.sum(axis=1)
    best = {(c, p): float(table.epc[(checkers == c) & (pips == p)].min()) for c in (9, 10) for p in range(c, 34)}
    for p, added in ((20, 1.11), (23, 1.90), (26, 3.08), (28, 3.94), (30, 4.93)):
        assert best[10, p] - 36 == pytest.approx(added, abs=5.1e-3)
    for p in range(10, 31):
        assert counts.almost_n_roll_epc(p, 10) == pytest.approx(best[10, p], abs=0.75)
    for p in range(9, 33):
        assert counts.almost_n_roll_epc(p, 9) == pytest.approx(best[9, p], abs=0.75)
    assert [counts.low_wastage_epc(20, n) - 20 for n in (15, 9, 8, 6, 4, 3)] == [7, 7, 6.5, 6, 5.5, 5]
    assert counts.stack_epc(9, (6, 6, 5)) == 3.5 * 9 + 17 - 8
    # Pipples are hundredths of a roll.
    full = solve_one_sided(PositionSpace(6, 15))
    assert round(100 * full.mean_rolls[full.space.index((0, 1, 2, 3, 4, 5))], 1) == 947.1
    assert round(100 * full.mean_rolls[full.space.index((1, 0, 0, 5, 0, 1))], 1) == 447.8


@pytest.mark.parametrize("row", rows("counts_shapes"), ids=str)
def test_shapes_that_are_recognised(row: Row) -> None:
    estimate = counts.estimate_epc(row.position("position"))
    assert estimate.shape == row.text("shape")
    assert counts.effective_by_hand(row.position("position"), "15").on_roll == estimate.epc


# ---- the command


def test_command_lists_every_count() -> None:
    result = run("counts", "2,2,2,3,3,3", "1,1,2,3,4,4", "--all", "--seconds", "0.3")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert list(COUNT_NAMES) == list(counts.COUNTS) == list(kernel.NAMES)
    for name in COUNT_NAMES.values():
        assert any(line.startswith(f"  {name}  ") for line in lines), name
    # To double, to redouble and to take is right; Thorp does not redouble, and the line ends with the cost.
    assert any(line.split()[:6] == ["right", "77.5", "%", "yes", "yes", "yes"] for line in lines)
    thorp = next(line.split() for line in lines if "Thorp" in line)
    assert (thorp[1], thorp[5:7], thorp[-1]) == ("91.30", ["yes", "no"], "yes")
    assert float(thorp[7]) < 0


def test_command_speaks_german() -> None:
    lines = run("counts", "1,4,1,2,0,1", "1,2,3,2,0,1", "--all", "--language", "de").stdout.splitlines()
    assert " am Wurf gegen " in lines[0]
    assert any(line.split()[:6] == ["richtig", "71,4", "%", "ja", "ja", "ja"] for line in lines)
    assert any(line.startswith("  Thorp, Redoppel: sie ") for line in lines)


def test_command_writes_zero_without_a_sign() -> None:
    """At this score the trailing player may double with any chance."""
    assert "double from 0.0 %" in run("counts", "6x1", "5x1", "--match", "5,1").stdout


@pytest.mark.parametrize("needs", ["2,1", "3,1", "6,1"])
def test_a_double_that_costs_nothing_is_right_by_every_count(needs: str) -> None:
    """After the Crawford game no double of the trailing player is too early, whatever chance a count gives."""
    race = "3x2 4x2 5x2 6x2", "3x2 4x2 5x2 6x1"
    answer = json.loads(run("counts", *race, "--match", needs, "--json").stdout)
    assert answer["truth"]["points"]["double"] == 0
    doubles = [said for said in answer["counts"].values() if said and said["win_probability"] is not None]
    assert len(doubles) > 3
    assert all(said["double"] and said["loss"]["double"] == 0 and "double" not in said["culprits"] for said in doubles)


def test_command_prints_counts_losses_and_truth_as_json() -> None:
    found = answer("counts", "2,2,2,3,3,3", "1,1,2,3,4,4", "--seconds", "0.1")
    assert found["on_roll"] == {"position": [2, 2, 2, 3, 3, 3], "pips": 57}
    for name, method in counts.COUNTS.items():
        said = found["counts"][name]
        losses = said["loss"]
        told = {key: value for key, value in said.items() if key not in {"loss", "culprits"}}
        assert told == method(*pair("E1")).to_dict()
        assert said["culprits"].keys() <= losses.keys()
        assert set(losses) == {name for name in ("double", "redouble", "take") if said[name] is not None}
    assert found["left_out"] == {}
    truth = found["truth"]
    assert truth["stakes"] == "money"
    assert truth["redouble"]["verdict"] == "double/take"
    cost = truth["redouble"]["double_take"] - truth["redouble"]["no_double"]
    assert found["counts"]["thorp"]["loss"] == {"double": 0.0, "redouble": cost, "take": 0.0}


@pytest.mark.parametrize("score", [[], ["--match", "5,3"]])
def test_advice_costs_nothing_if_the_decision_is_too_close_to_call(score: list[str]) -> None:
    found = answer("counts", "4x2 5x3 6x4 8x3 10x3", "5x4 6x5 8x3 13x3", "--seconds", "0.05", *score)
    error, losses = found["truth"]["error"], [each["loss"].values() for each in found["counts"].values() if each]
    assert error > 0.002
    assert all(loss == 0 or loss > error for of_count in losses for loss in of_count if loss is not None)


def test_command_leaves_out_counts_that_do_not_apply() -> None:
    found = answer("counts", "4x2 5x3 6x4 8x3 10x3", "2x1", "--seconds", "0.05")
    assert set(found["left_out"]) == {"lamford"}
    assert found["counts"]["lamford"] is None


def test_command_reads_an_id_of_both_sides() -> None:
    found = answer("counts", "VQUAgG0BAAAAAA")
    assert found["opponent"]["position"] == [1, 1, 1, 1, 1, 1]
    match = run("counts", "XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10").stdout
    assert "Match: you need 5, the opponent 5; cube 1, in the middle" in match
