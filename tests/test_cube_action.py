"""Equality and hash of cube decisions and equities, of single pairs and of arrays."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from bgrace.cube.action import Equities, decide


def test_single_pairs() -> None:
    first, same, other = decide(0.5, 0.9), decide(0.5, 0.9), decide(0.5, 0.8)
    assert first == same
    assert first != other
    assert len({first, same, other}) == 2
    assert first != "double/take"
    equities = Equities(0.1, 0.2, 0.3, 0.0, "solved")
    assert equities == dataclasses.replace(equities)
    assert equities != dataclasses.replace(equities, method="two-sided")
    assert hash(equities) == hash(dataclasses.replace(equities))


def test_arrays() -> None:
    first, same, other = (decide(np.array([0.5, last]), 0.9) for last in (0.6, 0.6, 0.7))
    assert first == same
    assert first != other
    assert decide(np.array([0.5]), 0.9) != decide(0.5, 0.9)
    with pytest.raises(TypeError, match="of arrays cannot be hashed"):
        hash(first)
