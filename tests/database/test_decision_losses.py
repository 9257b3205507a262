"""What decisions by small files lose, as docs/small-tables.md has it, against what databases answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from decision_losses import Rolls, Tally, verdict_losses, worth_of_moving

import bgrace
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import CUBES
from bgrace.database.packing import pack_approximate
from bgrace.database.store import read_tables
from bgrace.tables.two_sided import Plane, two_sided_order

PAIRS = 40


@pytest.fixture(scope="module", params=[(6, 4, 4), (2, 15, 15)], ids=["home", "gammons"])
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A plain file and one that is off by so much that plays differ."""
    folder = tmp_path_factory.mktemp("losses")
    plain, small = folder / "plain.h5", folder / "small.h5"
    bgrace.build(plain, *request.param)
    pack_approximate(plain, small, 0.2, 0.4)
    return plain, small


def sample(path: Path) -> tuple[PositionSpace, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    directory = read_tables(path).directory
    space = PositionSpace(directory.points, directory.two_sided_checkers)
    return space, np.random.default_rng(2).integers(1, len(space), PAIRS)


def test_plays_lose_what_the_databases_answers_do(files: tuple[Path, Path]) -> None:
    space, ranks = sample(files[0])
    mine, theirs = np.split(ranks, 2)
    rolls = Rolls.of(space, mine)
    exact, found = (read_tables(path).tables["two_sided/equities"] for path in files)
    scale = read_tables(files[0]).entry("two_sided/equities").scale
    rows = np.repeat(theirs, rolls.lengths.sum(axis=1))
    worth = (
        worth_of_moving({plane: table[rows, rolls.ranks, plane] for plane in Plane}, scale) for table in (exact, found)
    )
    losses = rolls.losses(*worth)
    assert losses.shape == (len(CUBES), len(mine), len(ROLLS))

    wanted = np.empty_like(losses)
    order = two_sided_order(space)
    with bgrace.open(files[0]) as plain, bgrace.open(files[1]) as small:
        for at in np.ndindex(losses.shape):
            cube, pair = CUBES[at[0]], (space.position(order[side[at[1]]]) for side in (mine, theirs))
            own, other = pair
            chosen = small.best_plays(own, other, ROLLS[at[2]], cube)[0].position
            known = {play.position: play.loss for play in plain.best_plays(own, other, ROLLS[at[2]], cube)}
            wanted[at] = known[chosen]
    assert losses == pytest.approx(wanted, abs=1e-12)
    assert losses.max() > 1e-3  # or nothing is tested

    tally = Tally()
    tally.add(losses)
    total, chances = tally.losses(), np.array(WEIGHTS) / 36
    assert total.mean == pytest.approx((wanted @ chances).mean(axis=1), abs=1e-12)
    assert total.error == pytest.approx((wanted @ chances).std(axis=1, ddof=1) / len(mine) ** 0.5, abs=1e-12)
    assert total.worse == pytest.approx(((wanted > 1e-9) @ chances).mean(axis=1))
    assert total.greatest == pytest.approx(wanted.max(axis=(1, 2)), abs=1e-12)


def test_errors_are_those_of_opponents_and_positions() -> None:
    tally, losses = Tally(), np.arange(6.0).reshape(3, 1, 2, 1) * np.ones(len(ROLLS))
    for each in losses:
        tally.add(each)
    # Means of three opponents are 2 apart, of two positions 1.
    assert tally.losses().mean == pytest.approx([2.5])
    assert tally.losses().error == pytest.approx([(4 / 3 + 0.5 / 2) ** 0.5])


def test_exact_values_lose_nothing(files: tuple[Path, Path]) -> None:
    space, ranks = sample(files[0])
    table = read_tables(files[0]).tables["two_sided/equities"]
    rolls = Rolls.of(space, ranks)
    worth = worth_of_moving({plane: table[ranks[0], rolls.ranks, plane] for plane in Plane}, 1.0)
    assert not rolls.losses(worth, worth).any()
    # A game that is over is known, so nothing is lost by what a file has for it.
    assert not rolls.losses(worth, np.where(rolls.ranks == 0, -9, worth)).any()
    planes = {plane: np.array(table[..., plane]) for plane in Plane}
    assert verdict_losses(planes, planes, 1.0) == (0, 0, 0)


def test_verdicts_lose_what_the_databases_answers_do(files: tuple[Path, Path]) -> None:
    space, ranks = sample(files[0])
    ranks = np.unique(ranks)
    sides = np.meshgrid(ranks, ranks, indexing="ij")
    exact, found = (
        {plane: read_tables(path).tables["two_sided/equities"][(*sides, int(plane))] for plane in Plane}
        for path in files
    )
    losses = verdict_losses(exact, found, read_tables(files[0]).entry("two_sided/equities").scale)
    positions = [np.array(space.position(two_sided_order(space)[side])) for side in sides]
    with bgrace.open(files[0]) as plain, bgrace.open(files[1]) as small:
        for cube, loss in (("centered", losses[0]), ("mine", losses[1])):
            known, seen = (db.cube_action(positions[0], positions[1], cube=cube) for db in (plain, small))
            assert known.double_take is not None
            assert seen.double is not None
            turned = np.minimum(known.double_take, 1)
            # Doubled or not by what is seen; the other side answers well.
            chosen = np.where(seen.double, turned, known.no_double)
            wanted = np.maximum(turned, known.no_double) - chosen
            assert loss == pytest.approx(wanted.mean(), abs=1e-12)
