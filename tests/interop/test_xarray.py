"""Database files as xarray opens them, by name and value, beside what `bgrace.open` answers."""

from __future__ import annotations

import pickle
from pathlib import Path

import h5py
import numpy as np
import pytest

import bgrace
from bgrace.errors import ArgumentError, ClosedError, FormatError

pytest.importorskip("xarray", reason="needs bgrace[xarray]")

import xarray as xr

from bgrace.interop.xarray_backend import BgraceBackend

SMALL = bgrace.example_file()


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("xarray")
    plain = folder / "plain.h5"
    bgrace.build(plain, two_sided=4)
    bgrace.pack(plain, folder / "packed.h5")
    return folder


def test_it_is_found_by_itself() -> None:
    assert "bgrace" in xr.backends.list_engines()
    with xr.open_dataset(SMALL, group="one_sided") as tables:
        assert tables.epc.units == "pips"
        assert "Expected pip count" in tables.epc.long_name


def test_every_pair_is_labelled_and_in_points(packed: Path) -> None:
    with (
        xr.open_dataset(packed / "plain.h5", group="two_sided") as pairs,
        bgrace.open(packed / "plain.h5") as db,
    ):
        assert pairs.equities.dims == ("on_roll", "opponent", "plane")
        mine = np.array([[int(count) for count in label.split(",")] for label in pairs.on_roll.values])
        theirs = np.array([[int(count) for count in label.split(",")] for label in pairs.opponent.values])
        assert len(mine) == 210
        both = mine[1:, None], theirs[None, 1:]  # a game is over for an empty side
        found = db.equities(*both)
        rolled = pairs.equities[1:, 1:]
        for plane in ("cubeless", "theirs"):
            np.testing.assert_allclose(rolled.sel(plane=plane), getattr(found, plane), atol=1e-12)
        for plane in ("mine", "centered"):  # without doubling
            np.testing.assert_allclose(rolled.sel(plane=plane), db.cube_action(*both, cube=plane).no_double, atol=1e-12)


def test_only_what_is_asked_for_is_read_whatever_the_index(packed: Path) -> None:
    with xr.open_dataset(packed / "plain.h5", group="two_sided") as pairs:
        values = pairs.equities.values
        assert np.array_equal(
            pairs.equities.isel(on_roll=[7, 3, 3], opponent=slice(200, 2, -9)), values[[7, 3, 3], 200:2:-9]
        )
        assert np.array_equal(pairs.equities.isel(plane=-1, opponent=5), values[:, 5, -1])
        assert np.array_equal(pairs.order.isel(on_roll=slice(3, 9)), pairs.order.values[3:9])


def test_a_packed_file_has_the_same_pairs(packed: Path) -> None:
    with (
        xr.open_dataset(packed / "plain.h5", group="two_sided") as plain,
        xr.open_dataset(packed / "packed.h5", group="two_sided") as other,
    ):
        part = {"on_roll": slice(20, 60), "opponent": slice(100, 110)}
        xr.testing.assert_identical(plain.equities.isel(part).load(), other.equities.isel(part).load())


def test_stored_integers_with_their_scale(packed: Path) -> None:
    with (
        xr.open_dataset(packed / "plain.h5", group="two_sided", mask_and_scale=False) as raw,
        xr.open_dataset(packed / "plain.h5", group="two_sided") as scaled,
        h5py.File(packed / "plain.h5") as file,
    ):
        assert np.array_equal(raw.equities.values, file["two_sided/equities"][:])
        np.testing.assert_allclose(raw.equities.values * raw.equities.scale_factor, scaled.equities.values, atol=1e-15)
        assert "scale_factor" not in scaled.equities.attrs


def test_a_small_file_with_gammons(tmp_path: Path) -> None:
    bgrace.build(tmp_path / "full.h5", points=2, two_sided=15)
    bgrace.pack_approximate(tmp_path / "full.h5", tmp_path / "small.h5", 0.002, 0.02)
    with (
        xr.open_dataset(tmp_path / "full.h5", group="two_sided") as full,
        xr.open_dataset(tmp_path / "small.h5", group="two_sided") as small,
    ):
        assert small.plane.values.tolist() == ["cubeless", "mine", "centered", "theirs", "win"]
        apart = small.equities.sel(plane=full.plane) - full.equities
        assert float(abs(apart[1:, 1:]).max()) <= small.attrs["equity_error"] + 1e-12
        chance = (1 + small.equities.sel(plane="win", on_roll="5,0", opponent="4,1")) / 2
        with xr.open_dataset(tmp_path / "full.h5", group="gammon") as listed:
            assert listed.winning.dims == ("winning_row", "single_plane")
            assert listed.single_plane.values.tolist() == ["cubeless", "centered"]
        with bgrace.open(tmp_path / "full.h5") as db:
            assert float(chance) == pytest.approx(db.win_probability("5,0", "4,1"), abs=0.002)


def test_datasets_are_closed_and_pickled_by_name(packed: Path) -> None:
    for name in ("plain.h5", "packed.h5"):
        pairs = xr.open_dataset(packed / name, group="two_sided")
        copy = pickle.loads(pickle.dumps(pairs))
        assert len(pickle.dumps(pairs)) < 50_000
        corner = pairs.equities[5, 7].load().values
        pairs.close()
        assert np.array_equal(copy.equities[5, 7], corner)
        with pytest.raises(ClosedError, match="closed"):
            pairs.order.load()
    moved = packed / "moved.h5"
    moved.write_bytes((packed / "plain.h5").read_bytes())
    pairs = xr.open_dataset(moved, group="two_sided")
    data = pickle.dumps(pairs)
    bgrace.build(moved, two_sided=3, force=True)
    with pytest.raises(FormatError, match="another file"):
        pickle.loads(data)


def test_leaving_tables_out_and_no_group() -> None:
    with xr.open_dataset(SMALL, group="one_sided", drop_variables="roll_distribution") as tables:
        assert sorted(map(str, tables.data_vars)) == ["epc", "mean_rolls", "variance_rolls"]
        assert "rolls" not in tables.dims
    with xr.open_dataset(SMALL) as nothing:
        assert not nothing.data_vars
        assert nothing.attrs["two_sided_checkers"] == 3


def test_all_groups_are_a_tree() -> None:
    if not hasattr(xr, "open_datatree"):
        pytest.skip("this xarray has no trees")
    with xr.open_datatree(SMALL) as tree, xr.open_dataset(SMALL, group="two_sided") as pairs:
        assert sorted(map(str, tree.children)) == ["one_sided", "two_sided"]
        assert tree.attrs["two_sided_checkers"] == 3
        xr.testing.assert_identical(tree["two_sided/equities"].load(), pairs.equities.load())
        assert float(tree["one_sided"].to_dataset().epc.sel(position="0,0,0,0,0,1")) == pytest.approx(10.2083, abs=1e-4)


def test_bad_questions(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="one_sided, two_sided"):
        xr.open_dataset(SMALL, group="gammon")
    damaged = tmp_path / "damaged.h5"
    damaged.write_bytes(SMALL.read_bytes()[:-1])
    with pytest.raises(FormatError, match="damaged"):
        xr.open_dataset(damaged, group="one_sided")
    with bgrace.open(SMALL) as db:
        offset = next(entry.offset for entry in db.stored.entries if entry.name == "two_sided/order")
    wrong = bytearray(SMALL.read_bytes())
    wrong[offset + 4] += 1
    damaged.write_bytes(wrong)
    with pytest.raises(FormatError, match="order"):
        xr.open_dataset(damaged, group="two_sided")
    assert not BgraceBackend().guess_can_open(tmp_path / "missing.h5")
    assert not BgraceBackend().guess_can_open(__file__)
    assert not BgraceBackend().guess_can_open(7)
