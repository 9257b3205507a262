"""Approximate files: chances and equities are off by at most the error that the file states."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from helpers import command
from helpers.files import rewritten, unreadable, with_bytes
from helpers.golden import Row, rows
from helpers.once import Made
from helpers.stakes import by_rule

import bgrace
from bgrace._kernels.probe import Probe
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import Cube
from bgrace.database.packing.approximate import ApproximateReport, pack_approximate
from bgrace.database.store.reader import Access, read_tables
from bgrace.database.verify import verify
from bgrace.errors import ArgumentError, BuildError, CoverageError

pytestmark = pytest.mark.usefixtures("fixed_time")

Files = tuple[Path, Path, ApproximateReport, Path, ApproximateReport]
LIMITS = {"win": 0.002, "equity": 0.01}


@pytest.fixture(scope="module", params=[(6, 4, 4), (2, 15, 15), (1, 2, 2)], ids=["home", "gammons", "tiny"])
def files(request: pytest.FixtureRequest, made: Made, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A plain file; an approximate one with chances to win and its report; one with equities and its report."""
    folder, plain = tmp_path_factory.mktemp("small"), made(*request.param)
    wins, equities = folder / "wins.h5", folder / "equities.h5"
    of_wins = pack_approximate(plain, wins, LIMITS["win"])
    return plain, wins, of_wins, equities, pack_approximate(plain, equities, LIMITS["win"], LIMITS["equity"], 0.0003)


def pairs_of(space: PositionSpace) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int8]], ...]:
    """Return all pairs in which at least one side plays, or many of them."""
    n = len(space)
    step = max(1, n // 260)
    mine, theirs = np.meshgrid(np.arange(0, n, step), np.arange(1, n, step), indexing="ij")
    return tuple(np.array(space.position(side.reshape(-1))) for side in (mine, theirs))


@pytest.mark.parametrize("access", ["map", "load", "read"])
def test_no_chance_is_off_by_more_than_the_stated_error(files: Files, access: Access) -> None:
    plain, wins, of_wins, equities, of_equities = files
    for path, report in ((wins, of_wins), (equities, of_equities)):
        with bgrace.open(plain) as db, bgrace.open(path, access) as small:
            pairs = pairs_of(db.space)
            exact, found = db.win_probability(*pairs), small.win_probability(*pairs)
            stated = small.info()["win_error"]
            assert isinstance(stated, float)
            assert np.abs(found - exact).max() <= stated + 1e-12
            assert stated <= LIMITS["win"]
            assert found[-1] == small.win_probability(pairs[0][-1], pairs[1][-1])
            assert small.epc(pairs[1][3]) == db.epc(pairs[1][3])
            assert np.array_equal(small.roll_distribution(pairs[1]), db.roll_distribution(pairs[1]))
        assert report.file_bytes == path.stat().st_size


def test_the_report_has_the_greatest_and_the_mean_error_of_all_pairs(files: Files) -> None:
    plain, _, of_wins, equities, of_equities = files
    n = read_tables(plain).directory.n_pairs
    on_roll, opponent = np.divmod(np.arange(1, n * n), n)  # without the pair in which both sides have finished
    exact, found = (
        Probe(path.read_bytes(), path.name).values_batch(on_roll, opponent, range(4), False, False)
        for path in (plain, equities)
    )
    for one, ours, theirs in zip(of_equities.planes, exact, found, strict=False):
        missed = np.abs(ours - theirs)
        assert one.exceptions <= np.count_nonzero(missed == 0) + 1
        assert missed.max() == pytest.approx(one.greatest, abs=1e-12)
        assert missed.mean() == pytest.approx(one.mean, abs=one.greatest / n**2)
    assert max(one.greatest * (1 + (one.plane == "theirs")) for one in of_equities.planes[:4]) <= LIMITS["equity"]
    assert len(of_equities.planes) == (5 if read_tables(plain).directory.gammons else 4)
    assert [one.plane for one in of_wins.planes] == ["win"]


@pytest.mark.parametrize("cube", ["none", "centered", "mine", "theirs"])
def test_no_equity_is_off_by_more_than_the_stated_error(files: Files, cube: Cube) -> None:
    plain, _, _, equities, _ = files
    with bgrace.open(plain) as db, bgrace.open(equities) as small:
        pairs = pairs_of(db.space)
        exact, found = db.equities(*pairs), small.equities(*pairs)
        name = {"none": "cubeless"}.get(cube, cube)
        stated = small.info()["equity_error"]
        assert isinstance(stated, float)
        assert np.abs(getattr(found, name) - getattr(exact, name)).max() <= stated + 1e-12
        assert stated <= LIMITS["equity"]
        one = db.space.position(1), db.space.position(len(db.space) - 1)
        answer = small.solution(*one)
        assert answer.error == small.error == pytest.approx(stated)
        assert db.solution(*one).error == db.error == 0
        assert small.best_plays(*one, "21", cube=cube)


def test_values_that_an_approximate_file_lacks_are_not_covered(files: Files) -> None:
    plain, wins, _, equities, _ = files
    with bgrace.open(wins) as small:
        pair = small.space.position(1), small.space.position(len(small.space) - 1)
        with pytest.raises(CoverageError, match="win probabilities only"):
            small.equities(*pair)
    with bgrace.open(equities) as small:
        if read_tables(plain).directory.gammons:
            with pytest.raises(CoverageError, match="Jacoby"):
                small.equities(*pair, stakes=by_rule(True))
        else:
            assert small.equities(*pair, stakes=by_rule(True)) == small.equities(*pair)


@pytest.mark.parametrize("full", [False, True])
def test_verification_passes(files: Files, full: bool) -> None:
    for path in (files[1], files[3]):
        report = verify(path, full)
        assert report.passed, str(report)


@pytest.mark.parametrize("full", [False, True])
def test_verification_finds_errors_larger_than_the_stated_ones(files: Files, tmp_path: Path, full: bool) -> None:
    _, wins, of_wins, equities, of_equities = files
    assert verify(rewritten(tmp_path / "same.h5", equities), full).passed
    none = {"win_error": 0.0, "mean_win_error": 0.0}, {"equity_error": 0.0, "mean_equity_error": 0.0}
    for path, report, errors in (
        (wins, of_wins, none[0] | none[1]),
        (equities, of_equities, none[0]),
        (equities, of_equities, none[1]),
    ):
        planes = report.planes[-1:] if errors is none[0] and len(report.planes) > 4 else report.planes
        if max(one.greatest for one in planes) > 0.001:
            found = verify(rewritten(tmp_path / "x.h5", path, **errors), full)
            assert [check.name for check in found.failures] == ["pairs"]
            (tmp_path / "x.h5").unlink()


def test_the_command_prints_how_much_it_verified(home: tuple[Path, Path], tmp_path: Path) -> None:
    assert "300 values of a kind" in command.run("verify", home[1]).output
    assert "every value" in command.run("verify", home[1], "--full").output
    wrong = rewritten(tmp_path / "x.h5", home[1], win_error=0.00001, mean_win_error=0.000001)
    result = command.run("verify", wrong, columns=200)
    assert result.exit_code == 1
    assert "its successors make it" in result.stdout
    assert "from its source (bgrace pack)" in result.stderr


# ---------------------------------------------------------------------- wrong arguments and damage


@pytest.fixture(scope="module")
def home(made: Made, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A plain file, and an approximate one with exceptions."""
    plain, small = made(6, 4, 4), tmp_path_factory.mktemp("home") / "small.h5"
    assert pack_approximate(plain, small, 0.0005).planes[0].exceptions > 3
    return plain, small


def test_tables_do_not_depend_on_the_source_or_threads(home: tuple[Path, Path], made: Made, tmp_path: Path) -> None:
    pack_approximate(made(6, 4, 4, "packed"), tmp_path / "small.h5", 0.0005, threads=3)
    assert (tmp_path / "small.h5").stat().st_size == home[1].stat().st_size
    one, other = (read_tables(path) for path in (home[1], tmp_path / "small.h5"))
    assert [entry.crc32 for entry in one.entries] == [entry.crc32 for entry in other.entries]


def test_wrong_arguments_are_refused(home: tuple[Path, Path], made: Made, tmp_path: Path) -> None:
    plain, small = home
    target = tmp_path / "x.h5"
    for errors in ((0.0,), (0.6,), (float("nan"),), (0.1, 0.0), (0.1, 3.0), (0.1, 0.1, -1.0), (0.1, None, 0.1)):
        with pytest.raises(ArgumentError, match="error"):
            pack_approximate(plain, target, *errors)
    with pytest.raises(ArgumentError, match="is approximate"):
        bgrace.pack(small, target)
    with pytest.raises(ArgumentError, match="is approximate"):
        pack_approximate(small, target, 0.1)
    with pytest.raises(BuildError, match="already"):
        pack_approximate(plain, small, 0.1)
    with pytest.raises(BuildError, match="is the source of the new file"):
        pack_approximate(plain, plain, 0.1, force=True)
    with pytest.raises(ArgumentError, match="7 points"):
        pack_approximate(made(7, 2, 2), target, 0.1)
    assert not target.exists()


@pytest.mark.parametrize("row", rows("damaged_small_tables"), ids=repr)
def test_impossible_tables_are_refused(home: tuple[Path, Path], tmp_path: Path, row: Row) -> None:
    path, value = tmp_path / "x.h5", struct.pack(row.text("form"), row.integer("value"))
    path.write_bytes(with_bytes(home[1].read_bytes(), row.text("table"), row.integer("place"), value))
    unreadable("damaged", path)


def test_the_command_writes_the_same_file_and_its_errors(home: tuple[Path, Path], tmp_path: Path) -> None:
    facts = command.answer("pack", "--error", "0.0005", home[0], tmp_path / "x.h5")
    assert (tmp_path / "x.h5").read_bytes() == home[1].read_bytes()
    assert facts["planes"][0]["greatest_error"] <= 0.0005
    assert command.answer("info", tmp_path / "x.h5")["approximate"] is True
    assert "chances to win off by" in command.run("info", tmp_path / "x.h5").output
    line = command.run("pack", "--error", "0.01", "--equity-error", "0.02", home[0], tmp_path / "y.h5").output
    assert "theirs" in line


def test_answers_are_not_called_exact(home: tuple[Path, Path], tmp_path: Path) -> None:
    report = pack_approximate(home[0], tmp_path / "x.h5", 0.002, 0.01)
    pair = "0,0,0,0,1,3", "0,0,0,1,1,2"
    error = command.answer("query", tmp_path / "x.h5", *pair)["error"]
    assert error >= max(one.greatest for one in report.planes)
    text = command.run("query", tmp_path / "x.h5", *pair).output
    assert "Exact" not in text
    said = float(text.split("From the file, to within ")[1].split(" points.")[0])
    assert error <= said < error + 0.0001
    assert "Exact, from the file." in command.run("query", home[0], *pair).output


@pytest.mark.parametrize("errors", [(0.002,), (0.002, 0.01)])
def test_only_one_sided_tables_are_exported(tmp_path: Path, errors: tuple[float, ...]) -> None:
    plain, small, target = (tmp_path / name for name in ("plain.h5", "small.h5", "gnubg_ts.bd"))
    bgrace.build(plain, 2, 15, 5)
    pack_approximate(plain, small, *errors)
    advice = "is approximate", "give the file that it was made of"
    command.check_error(command.run("export", small, target), 2, *advice)
    assert not target.exists()
    for path in (plain, small):  # one-sided tables are exact in both
        assert command.run("export", path, path.with_suffix(".bd"), "--table", "one-sided").exit_code == 0
    assert plain.with_suffix(".bd").read_bytes() == small.with_suffix(".bd").read_bytes()


def test_a_mean_error_that_is_too_small_is_refused(home: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "x.h5"
    asked = "pack", "--error", "0.01", "--equity-error", "0.01", home[0], target, "--mean-equity-error"
    refused = command.run(*asked, "0.00001")
    assert refused.exit_code == 2
    told = refused.stderr[refused.stderr.index("bgrace: ") :]  # progress may come before it
    command.check_one_line(told, "--mean-equity-error 1e-05 cannot be had", "give that, or less for the error")
    assert list(tmp_path.iterdir()) == []
    can_be_had = float(refused.stderr.split("--equity-error 0.01: ")[1].split(" can")[0])
    facts = command.answer(*asked, str(can_be_had))
    assert max(plane["mean_error"] for plane in facts["planes"]) <= can_be_had < 0.001


def test_an_approximate_file_is_not_unpacked(home: tuple[Path, Path], tmp_path: Path) -> None:
    refused = command.run("unpack", home[1], tmp_path / "x.h5")
    command.check_error(refused, 2, "is approximate", "give the file that it was made of")
    assert list(tmp_path.iterdir()) == []
