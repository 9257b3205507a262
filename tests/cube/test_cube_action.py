"""Cube decisions, one by one and in arrays: the rule, and equality and hash of results."""

from __future__ import annotations

import dataclasses
import math
from itertools import product
from typing import Any, cast, get_args

import numpy as np
import pytest

from bgrace._kernels import stakes as kernel
from bgrace.cube.action import CUBES, TIE, Cube, CubeAction, CubeActions, Equities, Verdict, decide, with_double
from bgrace.cube.continuous import insolent
from bgrace.match import Score
from bgrace.tables import in_16_bits

# Equities around every threshold (no double, take, pass, beaver): just inside a tie, on its border, just outside.
LANDMARKS = [-2.0, -1.0, -0.25, 0.0, 0.5, 1.0, 1.25]
NEAR = [0.0, 0.5 * TIE, -0.5 * TIE, TIE, -TIE, 2 * TIE, -2 * TIE]
EQUITIES = [mark + step for mark in LANDMARKS for step in NEAR]
ODD = [math.inf, -math.inf, 1e300]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Score(3, 5).may_double(cast(int, np.int64(2))), bool),
        (in_16_bits(cast(int, np.int64(7))), bool),
        (insolent(cast(float, np.float32(0.1)), 4).mean, float),
        (with_double(1, 2), int),
    ],
)
def test_numpy_numbers_as_arguments_give_python_numbers(value: object, kind: type) -> None:
    assert type(value) is kind


def the_rule(roll: float, taken: float, passed: float, beavers: bool) -> tuple[bool, bool, bool, str]:
    """Return double, take, beaver and verdict by their definitions."""
    take = taken <= passed + TIE
    beaver = beavers and taken < -TIE
    answered = 2 * taken if beaver else taken
    lesser = min(answered, passed)
    double = lesser >= roll - TIE
    if double:
        verdict = "double/beaver" if beaver else "double/take" if take else "double/pass"
    else:
        verdict = "too good" if not take and roll > passed else "no double"
    return double, take, beaver, verdict


def values(action: CubeAction | CubeActions) -> list[Any]:
    return [getattr(action, field.name) for field in dataclasses.fields(action)]


@pytest.mark.parametrize("beavers", [False, True])
def test_decisions_around_every_threshold_follow_the_definitions(beavers: bool) -> None:
    cases = list(product([*EQUITIES, *ODD], [*EQUITIES, *ODD], [1.0, 0.7]))
    roll, taken, passed = (np.array(column) for column in zip(*cases, strict=True))
    together = decide(roll, taken, passed, beavers=beavers)
    assert [type(value) for value in values(together)[1:6]] == [np.ndarray] * 5
    assert (together.double.dtype, together.take.dtype, together.verdict.dtype) == (bool, bool, "<U13")
    assert (together.beaver is None) is not beavers
    for k, (one_roll, one_taken, one_passed) in enumerate(cases):
        double, take, beaver, verdict = the_rule(one_roll, one_taken, one_passed, beavers)
        single = decide(one_roll, one_taken, one_passed, beavers=beavers)
        assert (single.double, single.take, single.verdict) == (double, take, verdict)
        assert single.beaver == (beaver if beavers else None)
        assert (together.double[k], together.take[k], together.verdict[k]) == (double, take, verdict)
        if beavers:
            assert together.beaver[k] == beaver
        answered = 2 * one_taken if beaver else one_taken
        assert single.double_take == together.double_take[k] == answered
    for name, given in (("no_double", roll), ("double_pass", passed)):
        np.testing.assert_array_equal(getattr(together, name), given)
    left_out = {"no cube"} if beavers else {"no cube", "double/beaver"}
    assert set(together.verdict.tolist()) == set(get_args(Verdict)) - left_out


@pytest.mark.parametrize("given", [(1, 1, 1), (np.float64(0.5), np.array(0.9), 1), (np.float32(0.5), 1.5, np.int64(1))])
def test_scalars_of_every_kind_give_scalars(given: tuple[Any, ...]) -> None:
    action = decide(*given)
    roll, taken, passed = map(float, given)
    assert action == decide(roll, taken, passed)
    assert [type(value) for value in values(action)[:8]] == [str, *[float] * 3, bool, bool, str, type(None)]
    assert type(action.equity) is float
    assert type(decide(given[0], None).no_double) is float
    assert [type(decide(*given, beavers=True).beaver), type(decide(*given, beavers=True).equity)] == [bool, float]


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 4), (2, 0, 3), (2, 1, 3)])
def test_arrays_keep_their_shape(shape: tuple[int, ...]) -> None:
    roll = np.random.default_rng(0).uniform(-1, 1.5, shape)
    action = decide(roll, 2 * roll, beavers=True)
    for value in values(action)[1:]:
        assert value.shape == shape
    assert action.equity.shape == shape
    assert decide(roll, None, cube="none").verdict.shape == shape
    transposed = decide(roll.T, 2 * roll.T, beavers=True)
    np.testing.assert_array_equal(transposed.verdict, action.verdict.T)


def test_equities_broadcast() -> None:
    roll, taken, passed = np.array([[0.2], [0.6], [1.1]]), np.array([0.5, 1.2]), 1.0
    action = decide(roll, taken, passed)
    for i, j in np.ndindex(3, 2):
        single = decide(roll[i, 0], taken[j], passed)
        assert tuple(value[i, j] for value in values(action)[1:7]) == tuple(values(single)[1:7])
    assert decide([0.2, 0.6], 0.5) == decide(np.array([0.2, 0.6]), np.array([0.5, 0.5]))
    with pytest.raises(ValueError, match="as many"):
        kernel.decide_batch(np.ones(2), np.ones(3), np.ones(2), TIE, False)


@pytest.mark.parametrize("cube", ["theirs", "none"])
def test_without_a_cube_to_turn_there_is_no_decision(cube: Cube) -> None:
    assert decide(0.5, 0.9, cube=cube) == CubeAction(cube, 0.5, None, None, None, None, "no cube")
    several = decide(np.array([0.5, 1]), None, cube=cube)
    assert several.verdict.tolist() == ["no cube"] * 2
    assert set(CUBES) - {"centered", "mine"} == {"theirs", "none"}


def test_single_results_are_equal_and_hash_by_their_values() -> None:
    equities = Equities(0.1, 0.2, 0.3, 0.0, "solved")
    assert equities == dataclasses.replace(equities)
    assert equities != dataclasses.replace(equities, method="two-sided")
    assert hash(equities) == hash(dataclasses.replace(equities))


def test_results_of_arrays_are_equal_by_their_values_and_have_no_hash() -> None:
    first, same, other = (decide(np.array([0.5, last]), 0.9) for last in (0.6, 0.6, 0.7))
    assert first == same
    assert first != other
    assert decide(np.array([0.5]), 0.9) != decide(0.5, 0.9)
    with pytest.raises(TypeError, match="of arrays cannot be hashed"):
        hash(first)
