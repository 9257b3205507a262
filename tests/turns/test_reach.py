"""One side carried forward turn by turn: against the rules, and against exact means."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from bgrace._kernels.reach import Home, Reach, sizes
from helpers import reach_reference as slow
from helpers import reference
from helpers.reference import Counts

import bgrace
from bgrace import errors
from bgrace.solving.alone import solve_alone

HOME = Home()
POINTS = 24
START = "24x2 13x5 8x3 6x5"


class Layer(NamedTuple):
    """What the kernel says of a layer."""

    node: npt.NDArray[np.int32]
    chance: npt.NDArray[np.float64]
    choices: bool
    start: npt.NDArray[np.int64] | None
    result: npt.NDArray[np.int32] | None
    ways: npt.NDArray[np.float32] | None
    n_within: npt.NDArray[np.int32]
    parts: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float32]


def counts_of(text: str) -> npt.NDArray[np.int8]:
    return np.array(bgrace.parse_position(text).resized(POINTS), np.int8)


def layers_of(reach: Reach) -> list[Layer]:
    return [Layer(*reach.layer(t)) for t in range(reach.n_layers)]


def short(counts: npt.NDArray[np.int8], points: int) -> Counts:
    assert not counts[points:].any()
    return tuple(int(k) for k in counts[:points])


def check_layers(reach: Reach) -> None:
    """What csrc/turns/reach.h promises of every layer."""
    layers = layers_of(reach)
    counts, home_index = reach.counts, reach.home_index
    assert len(layers[0].node) == 1
    assert layers[0].chance.tolist() == [1]
    for here, after in itertools.pairwise(layers):
        assert here.start is not None
        assert here.result is not None
        assert not counts[after.node[0]].any()
        assert (np.diff(after.node) > 0).all()
        assert after.chance.sum() == pytest.approx(1, abs=1e-6)
        at_home = home_index[after.node]
        n_home = after.n_within[15]
        assert (np.diff(at_home[:n_home]) > 0).all()
        assert (at_home[n_home:] == -1).all()
        n_checkers = reach.checkers[after.node[:n_home]]
        assert [int((n_checkers <= n).sum()) for n in range(16)] == after.n_within.tolist()
        assert here.result.min() >= 0
        n_after, n_rows_after = len(after.node), len(after.node) + len(after.parts)
        assert here.result.max() < n_rows_after
        assert ((after.parts > 0) & (after.parts < n_after)).all()
        assert (after.shares >= 0).all()
        assert after.shares.sum(axis=1) == pytest.approx(1, abs=1e-6)
        n_rows = len(here.node) * (21 if here.choices else 1)
        assert len(here.start) == n_rows + 1
        assert (np.diff(here.start) > 0).all()
        chance = np.zeros(n_rows_after)
        for i in range(n_rows):
            row = here.result[here.start[i] : here.start[i + 1]]
            assert len(set(row.tolist())) == len(row)
            if here.ways is None:
                chance[row[0]] += (
                    here.chance[i // 21] * (1 if KERNEL_ROLLS[i % 21][0] == KERNEL_ROLLS[i % 21][1] else 2) / 36
                )
            else:
                ways = here.ways[here.start[i] : here.start[i + 1]]
                assert (np.diff(row) > 0).all()
                assert ways.sum(dtype=np.float64) == pytest.approx(36, abs=1e-4)
                chance[row] += here.chance[i] * ways / 36
        for blend, parts, shares in zip(chance[n_after:], after.parts, after.shares, strict=True):
            np.add.at(chance, parts, blend * shares)
        np.testing.assert_allclose(chance[:n_after], after.chance, rtol=0, atol=1e-6)
    last = layers[-1]
    assert last.start is None
    assert last.result is None
    assert last.ways is None


# The two orders of rolls: of bgr_roll, and of the slow twin.
KERNEL_ROLLS = [(b, a) for a in range(1, 7) for b in range(1, a + 1)]


@pytest.mark.parametrize("delta", [0, 0.05, math.inf])
@pytest.mark.parametrize(
    ("position", "points"),
    [
        ((1,), 6),
        ((0, 0, 0, 0, 0, 2), 6),
        ((2, 2, 2), 6),
        ((1, 1, 1, 1, 1, 1), 6),
        ((0, 0, 0, 0, 0, 1, 1, 1), 8),
        ((0, 2, 0, 0, 0, 0, 0, 0, 1, 1), 10),
        ((1, 0, 1) + (0,) * 20 + (1,), 24),
        ((0,) * 16 + (2,), 17),
    ],
)
def test_layers_are_those_of_the_rules(position: Counts, points: int, delta: float) -> None:
    full = position + (0,) * (points - len(position))
    reach = Reach(HOME, np.array(full + (0,) * (POINTS - points), np.int8), delta=delta)
    check_layers(reach)
    found = [{short(reach.counts[i], points) for i in layer.node} for layer in layers_of(reach)]
    assert found == slow.layers(full, delta)
    for i, counts in enumerate(reach.counts):
        assert reach.mean[i] == pytest.approx(slow.mean(short(counts, points)), abs=1e-9)
    for layer, after in itertools.pairwise(layers_of(reach)):
        assert layer.start is not None
        assert layer.result is not None
        for i, node in enumerate(layer.node):
            here = short(reach.counts[node], points)
            for k, roll in enumerate(KERNEL_ROLLS):
                wanted = slow.kept(here, roll, delta)
                if layer.choices:
                    row = layer.result[layer.start[21 * i + k] : layer.start[21 * i + k + 1]]
                    results = [short(reach.counts[after.node[r]], points) for r in row]
                    assert results[0] == wanted[0]
                    assert set(results) == set(wanted)
                else:
                    row = layer.result[layer.start[i] : layer.start[i + 1]]
                    results = [short(reach.counts[after.node[r]], points) for r in row]
                    assert len(wanted) == 1
                    assert wanted[0] in results


@pytest.mark.parametrize(
    ("position", "loss"),
    [("6x5 5x4 4x3 3x2 1x1", 1e-9), ("9x1 7x1 6x4 5x3 4x3 3x3", 0.001), ("10x1 8x2 6x5 5x5", 0.001)],
)
def test_the_rule_loses_next_to_nothing(position: str, loss: float) -> None:
    exact = solve_alone(position)
    reach = Reach(HOME, counts_of(position))
    root = reach.layer(0)[0][0]
    assert exact.mean_rolls - 1e-8 <= reach.mean[root] <= exact.mean_rolls + loss
    chances = np.diff(reach.chances_off(), prepend=0)
    assert chances @ np.arange(len(chances)) == pytest.approx(reach.mean[root], abs=1e-9)
    assert chances @ (np.arange(len(chances)) - reach.mean[root]) ** 2 == pytest.approx(reach.variance[root], abs=1e-8)
    if loss < 1e-6:
        np.testing.assert_allclose(chances, exact.roll_distribution, rtol=0, atol=1e-12)


def test_the_horizon_ends_the_layers() -> None:
    text = "22x1 6x7 5x7"
    reach = Reach(HOME, counts_of(text), delta=math.inf, max_turns=2)
    check_layers(reach)
    full = tuple(int(k) for k in counts_of(text))
    assert reach.n_layers == 3
    found = [{tuple(map(int, reach.counts[i])) for i in layer.node} for layer in layers_of(reach)]
    every = [{full}]
    for _ in range(2):
        every.append(
            {(0,) * POINTS} | {r for here in every[-1] for roll in reference.ROLLS for r in reference.plays(here, roll)}
        )
    assert found == every


def test_the_first_checker_off_is_among_the_choices() -> None:
    position: Counts = (0, 0, 9, 0, 6, 0)
    reach = Reach(HOME, np.array(position + (0,) * 18, np.int8), first_checker=True)
    check_layers(reach)
    layer, after = layers_of(reach)[:2]
    assert layer.choices
    assert layer.start is not None
    assert layer.result is not None
    for k, roll in enumerate(KERNEL_ROLLS):
        results = {
            short(reach.counts[after.node[r]], 6) for r in layer.result[layer.start[k] : layer.start[k + 1]].tolist()
        }
        every = reference.plays(position, roll)
        best = min(slow.mean_first(r) for r in every)
        assert any(slow.mean_first(r) < best + 1e-9 for r in results)
        assert len(results) <= 2


def test_a_straggler_may_come_out_at_once() -> None:
    """With 6-5 to play both stragglers leave in one of the choices; of 1-1 there are two choices at most."""
    reach = Reach(HOME, counts_of("24x1 19x1 6x7 5x6"), last_straggler=True, max_turns=2)
    check_layers(reach)
    layer, after = layers_of(reach)[:2]
    assert layer.start is not None
    assert layer.result is not None
    row = layer.result[layer.start[19] : layer.start[20]]  # 6-5
    left = [int(reach.counts[after.node[r]][18:].sum()) for r in row]
    assert min(left) == 0
    ones = layer.result[layer.start[0] : layer.start[1]]
    assert len(ones) <= 2


@pytest.mark.parametrize("most", [2, 40, 300])
def test_merging_keeps_the_mean(most: int) -> None:
    counts = counts_of("9x1 8x2 7x1 6x4 5x3 4x3 3x1")
    plain, merged = Reach(HOME, counts), Reach(HOME, counts, max_layer=most)
    check_layers(merged)
    layers = layers_of(merged)
    assert merged.n_merged == sum(len(layer.parts) for layer in layers) > 0
    assert max(len(layer.node) for layer in layers) <= most + 40  # the ends of each stratum stay
    mean = {tuple(c): m for c, m in zip(plain.counts.tolist(), plain.mean.tolist(), strict=True)}
    for i, c in enumerate(merged.counts.tolist()):
        assert mean[tuple(c)] == merged.mean[i]
    chances = np.diff(merged.chances_off(), prepend=0)
    by_layers = chances @ np.arange(len(chances))
    assert by_layers == pytest.approx(plain.mean[plain.layer(0)[0][0]], abs=1e-5 if most > 2 else 1)


@pytest.mark.parametrize(("most", "close"), [(40, 0.02), (300, 1e-3), (1000, 1e-4)])
def test_what_merging_does_to_the_rolls_is_known(most: int, close: float) -> None:
    counts = counts_of("9x1 8x2 7x1 6x4 5x3 4x3 3x1")
    plain, merged = Reach(HOME, counts), Reach(HOME, counts, max_layer=most)
    expected = merged.chances_off()[: plain.n_layers] - plain.chances_off()
    assert merged.off_error()[: plain.n_layers] == pytest.approx(expected, abs=1e-6)
    assert 0 < np.abs(expected).max() < close
    assert merged.merge_error > 0


def test_merged_layers_keep_the_mean_of_every_row() -> None:
    merged = Reach(HOME, counts_of("9x1 8x2 7x1 6x4 5x3 4x3 3x1"), max_layer=200)
    layers = layers_of(merged)
    mean = merged.mean
    for here, after in itertools.pairwise(layers):
        assert here.ways is not None
        assert here.start is not None
        assert here.result is not None
        means = np.concatenate([mean[after.node], (mean[after.node][after.parts] * after.shares).sum(axis=1)])
        for i, node in enumerate(here.node):
            part = slice(here.start[i], here.start[i + 1])
            if mean[node]:
                assert 1 + here.ways[part] @ means[here.result[part]] / 36 == pytest.approx(mean[node], abs=1e-6)


def test_plays_are_compared_where_positions_are_merged() -> None:
    merged = Reach(HOME, counts_of("9x1 8x2 7x1 6x4 5x3 4x3 3x1"), delta=0.05, max_layer=200)
    check_layers(merged)
    assert any(layer.choices and len(layer.parts) for layer in layers_of(merged))


@pytest.mark.parametrize("text", [START, "24x15", "24x5 23x5 22x5"])
def test_the_longest_races_are_answered(text: str) -> None:
    reach = Reach(HOME, counts_of(text), max_layer=60, max_nodes=5_000)
    check_layers(reach)
    chances = np.diff(reach.chances_off(), prepend=0)
    mean = chances @ np.arange(len(chances))
    pips = sum((j + 1) * k for j, k in enumerate(counts_of(text).tolist()))
    assert pips / (49 / 6) < mean < pips / (49 / 6) + 2
    assert reach.mean[reach.layer(0)[0][0]] == pytest.approx(mean, abs=0.01)
    assert reach.delta == 0


@pytest.mark.parametrize("text", ["13x2 8x2 6x3 5x1 4x1", "16x1 9x1 8x2 6x2 4x1 2x1", "9x1 8x2 7x1 6x4 5x3 4x3 3x1"])
def test_estimates_and_merging_leave_chances_about_as_they_are(text: str) -> None:
    reach = Reach(HOME, counts_of(text), max_layer=100, max_nodes=200)
    assert reach.n_merged > 0
    off = reach.chances_off()
    exact = np.cumsum(solve_alone(text).roll_distribution)
    n = min(len(off), len(exact))
    assert off[:n] == pytest.approx(exact[:n], abs=0.003)
    assert (1 - off).sum() == pytest.approx((1 - exact).sum(), abs=0.01)


@pytest.mark.parametrize("delta", [0, 0.02])
def test_sizes_are_those_of_the_layers(delta: float) -> None:
    counts = counts_of("8x2 6x3 4x2 2x2")
    reach = Reach(HOME, counts, delta=delta, first_checker=True)
    positions, n_results = sizes(HOME, counts, delta=delta, first_checker=True)
    assert positions.tolist() == [len(layer.node) for layer in layers_of(reach)]
    assert n_results == reach.n_results


@pytest.mark.parametrize("bad", [[-1, 2], [16], [8, 8], [0], [127, 127]])
def test_what_is_not_a_position(bad: list[int]) -> None:
    counts = np.array(bad + [0] * (POINTS - len(bad)), np.int8)
    with pytest.raises(errors.PositionError):
        Reach(HOME, counts)
    with pytest.raises(errors.PositionError):
        sizes(HOME, counts)


@pytest.mark.parametrize(
    "options",
    [{"delta": -0.1}, {"delta": math.nan}, {"max_layer": 1}, {"max_nodes": -1}, {"max_turns": -1}, {"max_turns": 1000}],
)
def test_options_out_of_range(options: dict[str, float]) -> None:
    with pytest.raises(errors.ArgumentError):
        Reach(HOME, counts_of("6x2"), **options)  # type: ignore[arg-type]


def test_all_legal_results_of_too_many_nodes() -> None:
    with pytest.raises(errors.ArgumentError):
        Reach(HOME, counts_of(START), delta=math.inf, max_nodes=1000)
