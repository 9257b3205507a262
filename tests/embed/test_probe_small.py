"""Approximate files in the C library: their errors, their missing tables, and the choice among several files."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.files import unreadable, with_bytes
from helpers.once import Made
from helpers.probe_library import SMALL_ERRORS, Probe, ProbeError, refused

import bgrace
from bgrace.database.packing.approximate import pack_approximate
from bgrace.database.store.format import USER_BLOCK, Directory


@pytest.fixture(scope="module")
def files(made: Made, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Make plain files, and approximate ones of them with and without equities."""
    folder = tmp_path_factory.mktemp("small")
    paths: dict[str, Path] = {}
    for name, shape in {"home": (6, 4, 4), "gammons": (2, 15, 15)}.items():
        paths[name] = made(*shape)
        paths |= {f"{name}-{kind}": folder / f"{name}-{kind}.h5" for kind in ("wins", "equities")}
        pack_approximate(paths[name], paths[f"{name}-wins"], 0.002)
        pack_approximate(paths[name], paths[f"{name}-equities"], 0.002, 0.005)
    return paths


@pytest.mark.parametrize("name", ["home-wins", "gammons-equities"])
def test_info_has_the_errors_of_the_file(files: dict[str, Path], name: str) -> None:
    with Probe(files[name]) as probe, bgrace.open(files[name]) as db:
        info, facts = probe.info(), db.info()
        assert [getattr(info, error) for error in SMALL_ERRORS] == [facts[error] for error in SMALL_ERRORS]
        assert 0 < info.mean_win_error < info.win_error <= 0.002
        assert (info.approximate, info.equities) == (1, int(name != "home-wins"))
    with Probe(files["home"]) as plain:
        info = plain.info()
        assert (info.approximate, info.equities, info.win_error, info.equity_error) == (0, 1, 0, 0)


def test_an_approximate_file_lacks_other_tables(files: dict[str, Path]) -> None:
    pair = (0, 1, 0, 0, 0, 2), (1, 1, 0, 0, 1, 0)
    with Probe(files["home-wins"]) as probe:
        refused("COVERAGE", probe.equities, *pair)
        refused("COVERAGE", probe.epc, pair[0])
        refused("COVERAGE", probe.distribution, pair[0])
        refused("COVERAGE", probe.win_probability, (0, 0, 0, 0, 0, 5), (1,) + (0,) * 5)
    full, few = (10, 5), (1, 0)
    with Probe(files["gammons-equities"]) as probe:
        *_, jacoby, jacoby_roll = probe.equities(full, full)
        assert math.isnan(jacoby)
        assert math.isnan(jacoby_roll)
        assert not any(map(math.isnan, probe.equities(few, few)))


def test_an_exact_file_answers_before_an_approximate_one(files: dict[str, Path]) -> None:
    pair = (0, 1, 0, 0, 0, 1), (1, 0, 0, 0, 1, 0)
    with Probe(files["home"]) as plain, Probe([files["home-equities"], files["home"]]) as both:
        assert both.equities(*pair) == plain.equities(*pair)
        assert both.epc(pair[0]) == plain.epc(pair[0])


def test_a_file_of_chances_is_asked_for_chances_alone(files: dict[str, Path], tmp_path: Path) -> None:
    pair = (0, 1, 0, 0, 0, 1), (1, 0, 0, 0, 1, 0)
    close, far = tmp_path / "close.h5", files["home-equities"]
    pack_approximate(files["home"], close, 0.0005)
    for paths in ([close, far], [far, close]):
        with Probe(paths) as both, Probe(close) as chances, Probe(far) as equities:
            assert chances.info().win_error < equities.info().win_error
            assert both.equities(*pair) == equities.equities(*pair)
            assert both.win_probability(*pair) == chances.win_probability(*pair)


def test_a_damaged_table_is_noticed_by_a_question(files: dict[str, Path]) -> None:
    """Opening does not check the starts of rows."""
    data = with_bytes(files["home-equities"].read_bytes(), "small/starts", 0, b"\xff" * 4000)
    with Probe(data) as probe:
        refused("DAMAGED", probe.equities, (0, 1, 0, 0, 0, 2), (1, 1, 0, 0, 1, 0))


@pytest.mark.parametrize("errors", [(-1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3, 0.1), (math.nan, 0.0, 0.0, 0.0)])
def test_impossible_errors_are_refused_as_damage(
    files: dict[str, Path], tmp_path: Path, errors: tuple[float, float, float, float]
) -> None:
    path = tmp_path / "forged.h5"
    data = files["home-equities"].read_bytes()
    directory = Directory.unpack(data[:USER_BLOCK], "x")
    path.write_bytes(replace(directory, errors=errors).pack() + data[USER_BLOCK:])
    with pytest.raises(ProbeError, match="DAMAGED"), Probe(path):
        pass
    unreadable("errors of", path)
