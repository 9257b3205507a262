"""Doubling windows of real positions: the study against the slow twin, and the rules that it compares."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import reference
from helpers.known import known

import bgrace
from bgrace import scm
from bgrace.cube import race
from bgrace_apps.studies import race_windows as rp


@pytest.fixture(scope="module")
def studied(db: bgrace.Database) -> rp.Study:
    return rp.study(db)


def test_gains_are_those_of_the_slow_twin(db: bgrace.Database) -> None:
    two = rp.study(db, checkers=2)
    assert two.on_roll.size > 100
    _, mine, centered, theirs = reference.two_sided(2)[two.on_roll, two.opponent].T
    better = np.minimum(2 * theirs, 1)
    gains = {"double": better - centered, "redouble": better - mine, "take": 1 - 2 * theirs}
    for decision in rp.DECISIONS:
        np.testing.assert_allclose(two.gains[decision], gains[decision], rtol=0, atol=2e-4)


def test_pairs_are_the_contested_ones(db: bgrace.Database, studied: rp.Study) -> None:
    space = bgrace.PositionSpace(points=6, checkers=3)
    everything = space.position(np.arange(1, len(space)))
    chances = db.win_probability(everything[:, np.newaxis], everything[np.newaxis])
    expected = np.argwhere((chances >= 0.5) & (chances <= 0.9)) + 1
    assert np.array_equal(np.stack([studied.on_roll, studied.opponent], axis=1), expected)


def test_advice_by_pips_is_the_table(studied: rp.Study) -> None:
    table = race.solve(30)
    k, s = studied.pips[studied.on_roll], studied.pips[studied.opponent]
    for decision in rp.DECISIONS:
        assert np.array_equal(studied.advice[decision]["pips"], getattr(table, decision)[k, s])


def test_groups_divide_the_pairs(studied: rp.Study) -> None:
    groups = studied.by_epc(1)
    assert sum(group.pairs for group in groups) == studied.on_roll.size
    labels = [group.label for group in groups]
    assert labels == sorted(labels, key=int)
    assert len(studied.by_epc(300)) < len(studied.by_epc(1))
    shapes = {group.label: group for group in studied.by_shape()}
    assert shapes["all"].pairs == studied.on_roll.size
    assert "stacked" not in shapes  # four checkers make a stack
    assert shapes["smooth"].pairs + shapes["gapped"].pairs == shapes["all"].pairs
    few = {group.label: group for group in studied.by_shape(most_pips=5)}
    assert few["all"].pairs == (studied.pips[studied.on_roll] <= 5).sum()


@pytest.mark.parametrize("decision", rp.DECISIONS)
def test_no_bound_is_better(studied: rp.Study, decision: rp.Decision) -> None:
    for group in studied.by_epc(50):
        chosen = np.flatnonzero(np.floor(studied.epc[studied.on_roll] + 1e-9) == group.label)
        lead = studied.epc[studied.opponent[chosen]] - studied.epc[studied.on_roll[chosen]]
        gain = studied.gains[decision][chosen].astype(np.float64)

        def loss(acts: np.ndarray, gain: np.ndarray = gain) -> float:
            return float(np.where(acts, np.maximum(-gain, 0), np.maximum(gain, 0)).mean())

        bounds = np.concatenate(([lead.min() - 1], np.unique(lead) + 1e-7))
        losses = [loss(lead <= bound if decision == "take" else lead > bound) for bound in bounds]
        accuracy = group.accuracy[decision]["lead"]
        assert accuracy.mean_loss == pytest.approx(min(losses), abs=1e-12)
        bound = getattr(group, decision)
        if not np.isnan(bound):
            acts = lead <= bound if decision == "take" else lead >= bound
            assert loss(acts) == pytest.approx(accuracy.mean_loss, abs=1e-12)


def test_accuracy_is_the_mean_the_worst_and_the_rate_of_losses(studied: rp.Study) -> None:
    (everything,) = (group for group in studied.by_shape() if group.label == "all")
    for decision in rp.DECISIONS:
        gain = studied.gains[decision].astype(np.float64)
        says = studied.advice[decision]["pips"]
        loss = np.where(says == (gain >= 0), 0, np.abs(gain))
        found = everything.accuracy[decision]["pips"]
        assert found.mean_loss == pytest.approx(loss.mean())
        assert found.worst_loss == pytest.approx(loss.max())
        assert found.wrong == pytest.approx((loss > rp.WORTH).mean())
        rules = everything.accuracy[decision]
        assert rules["epc"].mean_loss < rules["pips"].mean_loss


def test_leads_of_single_checkers_are_those_of_the_windows() -> None:
    table = race.solve(200)
    for k in (30, 60, 100):
        leads = rp.single_checker_lead(float(scm.mean_rolls(k)) * 49 / 6)
        window = table.windows(100)[k]
        # A pip of lead is a pip of EPC in a long race; whole pips round leads up and lags down.
        double, redouble, take = known(window.double), known(window.redouble), known(window.take)
        assert double - 1.05 < leads["double"] <= double + 0.05
        assert redouble - 1.05 < leads["redouble"] <= redouble + 0.05
        assert take - 0.05 <= leads["take"] < take + 1.05
    assert np.isnan(rp.single_checker_lead(49 / 6)["take"])  # nobody takes against a side that is sure to be off
