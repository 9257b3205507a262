"""GNU Backgammon's bearoff files: read, written, converted, made byte for byte, damaged, and beside ours."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from helpers import golden, reference
from helpers.command import answer, call, check_error, run, shown
from helpers.files import unreadable
from helpers.once import Made
from helpers.paths import ROOT
from helpers.reference import FloatArray

import bgrace
from bgrace import Database, PositionSpace
from bgrace.board.dice import MEAN_PIPS
from bgrace.errors import ArgumentError, BuildError, FormatError
from bgrace.interop import gnubg
from bgrace.interop.gnubg.reader import BearoffFile
from bgrace.tables import solve_one_sided

MAKEBEAROFF = Path("/usr/games/makebearoff")
"""Where Debian's package puts GNU Backgammon's generator."""
UNIT = 1 / 32767.5
PART = 1 / 65535
SUMS = golden.rows("gnubg_sums")
QUICK = [row for row in SUMS if row.integer("points") <= 7 and row.integer("checkers") in {*range(1, 9), 15}]

with_makebearoff = pytest.mark.skipif(
    not MAKEBEAROFF.exists(), reason="needs GNU Backgammon's Debian package: apt-get install gnubg"
)


def makebearoff(path: Path, *options: str) -> Path:
    call(MAKEBEAROFF, *options, "-f", path)
    return path


def every(space: PositionSpace) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    positions: np.ndarray[tuple[int, ...], np.dtype[np.int8]] = space.position(np.arange(len(space)))
    return positions


def md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bearoff files")


@pytest.fixture(scope="module")
def one_sided(folder: Path) -> Path:
    """All of the bearoff, one-sided, as GNU Backgammon's generator makes it: its checksum is a test of its own."""
    gnubg.generate(folder / "gnubg_os0.bd", "one-sided")
    return folder / "gnubg_os0.bd"


@pytest.fixture(scope="module")
def two_sided(folder: Path) -> Path:
    """Six a side, likewise."""
    gnubg.generate(folder / "gnubg_ts0.bd", "two-sided", checkers=6)
    return folder / "gnubg_ts0.bd"


# ---------------------------------------------------------------------- byte for byte


@pytest.mark.parametrize(
    "row", QUICK, ids=lambda row: f"{row.text('kind')} {row.text('points')}x{row.text('checkers')}"
)
def test_the_published_checksums_are_met(row: golden.Row, tmp_path: Path) -> None:
    """The others by scripts/check_gnubg.py sums."""
    path = tmp_path / "file.bd"
    kind: gnubg.Kind = "one-sided" if row.text("kind") == "one-sided" else "two-sided"
    header = gnubg.generate(path, kind, row.integer("points"), row.integer("checkers"))
    assert (header.kind, header.points, header.checkers) == (kind, row.integer("points"), row.integer("checkers"))
    assert md5(path) == row.text("md5")


@with_makebearoff
@pytest.mark.parametrize("points", [1, 2, 4])
@pytest.mark.parametrize(("compressed", "gammons"), [(False, True), (True, False), (False, False)])
def test_other_one_sided_files_are_makebearoff_s(points: int, compressed: bool, gammons: bool, tmp_path: Path) -> None:
    options = ["-o", str(points), *["--no-compress"] * (not compressed), *["--no-gammon"] * (not gammons)]
    gnubg.generate(tmp_path / "ours.bd", "one-sided", points, compressed=compressed, gammons=gammons)
    assert md5(tmp_path / "ours.bd") == md5(makebearoff(tmp_path / "theirs.bd", *options))


@with_makebearoff
@pytest.mark.parametrize(("points", "checkers"), [(1, 11), (3, 4), (7, 2)])
def test_two_sided_files_on_other_points_are_makebearoff_s(points: int, checkers: int, tmp_path: Path) -> None:
    gnubg.generate(tmp_path / "ours.bd", "two-sided", points, checkers)
    assert md5(tmp_path / "ours.bd") == md5(makebearoff(tmp_path / "theirs.bd", "-t", f"{points}x{checkers}"))


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_memory_change_nothing(threads: int, one_sided: Path, two_sided: Path, tmp_path: Path) -> None:
    gnubg.generate(tmp_path / "os.bd", "one-sided", threads=threads)
    assert md5(tmp_path / "os.bd") == md5(one_sided)
    gnubg.generate(tmp_path / "ts.bd", "two-sided", checkers=6, threads=threads, memory_bytes=206 << 20)
    assert md5(tmp_path / "ts.bd") == md5(two_sided)


# ---------------------------------------------------------------------- reading


def test_rows_are_read_as_they_are(one_sided: Path) -> None:
    """All 54,264 positions, against the tests' own reader."""
    last, first = reference.read_gnubg_one_sided(one_sided)
    file, fewer = BearoffFile(one_sided), len(last) - len(first)
    np.testing.assert_array_equal(file.chances(np.arange(len(last))), last)
    np.testing.assert_array_equal(file.chances(np.arange(fewer, len(last)), first_checker=True), first)


def test_pairs_are_read_as_they_are(two_sided: Path) -> None:
    """All 853,776 entries."""
    stored, file = reference.read_gnubg_two_sided(two_sided) * UNIT - 1, BearoffFile(two_sided)
    for index in range(924):
        np.testing.assert_allclose(file.pair_values(index), stored[index], rtol=0, atol=1e-12)


# ---------------------------------------------------------------------- beside our own tables


def test_every_pair_is_within_four_of_their_units(database: Database, two_sided: Path, six_a_side: FloatArray) -> None:
    """All 853,776 entries, four values each.

    Their arithmetic cuts toward zero and drifts, so that the exact values themselves are up to 4.2 units from theirs;
    ours, before they are cut to units, up to 4.54.
    """
    stored, entry = reference.read_gnubg_two_sided(two_sided), database.stored.entry("two_sided/equities")
    places = np.argsort(database.stored.tables["two_sided/order"])
    ours = (database.stored.tables["two_sided/equities"][...][np.ix_(places, places)] / entry.scale)[1:, 1:]
    theirs = stored[1:, 1:].astype(np.float64) * UNIT - 1
    in_their_units = np.trunc(ours * 32767.5 - 0.5).astype(np.int64) + 32768  # signed, and cut toward zero
    assert np.abs(in_their_units - stored[1:, 1:]).max() <= 4
    assert np.abs(np.rint((six_a_side + 1) / UNIT) - stored).max() <= 4
    assert 4 * UNIT < np.abs(six_a_side[1:, 1:] - theirs).max() <= 4.21 * UNIT
    assert np.abs(ours - theirs).max() <= 4.55 * UNIT


def test_every_mean_and_chance_is_near_theirs(database: Database, one_sided: Path) -> None:
    last, first = reference.read_gnubg_one_sided(one_sided)
    spots = every(database.space)
    differences = reference.distribution_means(last) - database.mean_rolls(spots)
    assert differences.shape == (54264,)
    # Exact to what is known of their rounding: theirs run from -0.000197 to +0.000173.
    assert differences.min() == pytest.approx(-0.000197, abs=1e-6)
    assert differences.max() == pytest.approx(0.000173, abs=1e-6)
    for theirs, ours, error in (
        (last, database.roll_distribution(spots), 3e-3),
        (first[-15504:], database.first_checker_distribution(spots[-15504:]), 3e-5),
    ):
        assert np.abs(theirs[:, : ours.shape[1]] - ours).max() <= error
        assert not theirs[:, ours.shape[1] :].any()
    assert (first[:-15504, 0] == 1).all()


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"OS-02-15-1-0-1", "needs distributions"),
        (b"TS-02-01-0", "no cubeful equities"),
        (b"TS-25-01-1", "on 25 points, of .* make or fetch it again"),
    ],
)
def test_files_that_lack_what_a_database_needs_are_refused(head: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "file.bd").write_bytes(b"gnubg-" + head.ljust(33, b"x") + b"\n")
    with pytest.raises((ArgumentError, FormatError), match=reason):
        gnubg.convert([tmp_path / "file.bd"], tmp_path / "x.h5")


# ---------------------------------------------------------------------- writing


def test_exported_equities_are_ours(database: Database, tmp_path: Path) -> None:
    """To half a unit, all pairs of up to five checkers out of a table of six."""
    path = tmp_path / "gnubg_ts.bd"
    assert gnubg.export(database, path, "two-sided", checkers=5).pack() == path.read_bytes()[:40]
    stored = database.stored
    table = stored.tables["two_sided/equities"][...] / stored.entry("two_sided/equities").scale
    rank = np.argsort(stored.tables["two_sided/order"])[: len(PositionSpace(6, 5))]
    file = BearoffFile(path)
    for index in range(len(rank)):
        difference = file.pair_values(index) - table[rank[index]][rank]
        assert np.abs(difference).max() <= UNIT / 2 + 1e-12
    written = reference.read_gnubg_two_sided(path)
    assert (written[0] == 65535).all()
    assert (written[1:, 0] == 0).all()


@pytest.mark.parametrize(("compressed", "gammons"), [(True, True), (False, True), (True, False), (False, False)])
def test_exported_chances_are_ours(database: Database, compressed: bool, gammons: bool, tmp_path: Path) -> None:
    path = tmp_path / "gnubg_os.bd"
    gnubg.export(database, path, "one-sided", compressed=compressed, gammons=gammons)
    last, first = reference.read_gnubg_one_sided(path)
    spots = every(database.space)
    tables = [(last, database.roll_distribution(spots))]
    if gammons:
        tables.append((first, database.first_checker_distribution(spots)))
    for written, ours in tables:
        parts = np.rint(written / PART)
        assert (parts.sum(axis=1) == 65535).all()
        assert np.abs(written[:, : ours.shape[1]] - ours).max() <= 2 * PART
        assert not written[:, : ours.shape[1]][ours == 0].any()
        means = reference.distribution_means(written) - reference.distribution_means(ours)
        assert np.abs(means).max() <= 0.55 * PART


def test_what_gnu_backgammon_would_misread_is_refused(made: Made, tmp_path: Path) -> None:
    target = tmp_path / "x.bd"
    with bgrace.open(made(2, 15, 15)) as db:
        with pytest.raises(ArgumentError, match="gammons matter"):
            gnubg.export(db, target, "two-sided")
        gnubg.export(db, target, "two-sided", checkers=14)
    assert [path.name for path in tmp_path.iterdir()] == ["x.bd"]


# ---------------------------------------------------------------------- converting


def test_what_a_file_is_made_from_is_never_replaced(made: Made, one_sided: Path, tmp_path: Path) -> None:
    database = tmp_path / "bearoff.h5"
    database.write_bytes(made(2, 15, 15).read_bytes())
    bearoff = tmp_path / "gnubg_os.bd"
    bearoff.write_bytes(one_sided.read_bytes())
    for result in (
        run("export", database, database, "--table", "one-sided", "--force"),
        run("export", "--exact", database, database, "--table", "one-sided", "--force"),
        run("export", "--exact", database, "--table", "one-sided", "--points", "2", "--force"),
        run("import", bearoff, bearoff, "--force"),
        run("import", one_sided, bearoff, "--force"),  # OUT.h5 was forgotten
    ):
        assert result.exit_code == 1, result.output
        assert "stays" in result.stderr
        assert "another name" in result.stderr
        assert database.read_bytes() == made(2, 15, 15).read_bytes()
        assert bearoff.read_bytes() == one_sided.read_bytes()
    with bgrace.open(database) as db, pytest.raises(BuildError, match="is the source of the new file"):
        gnubg.export(db, database, "one-sided", force=True)
    link = tmp_path / "link.bd"
    link.symlink_to(database)
    with bgrace.open(database) as db, pytest.raises(BuildError, match="is the source of the new file"):
        gnubg.export(db, link, "one-sided", force=True)


def test_both_tables_become_a_database(one_sided: Path, two_sided: Path, tmp_path: Path) -> None:
    target = tmp_path / "theirs.h5"
    gnubg.convert([two_sided, one_sided], target)
    last, first = reference.read_gnubg_one_sided(one_sided)
    equities = reference.read_gnubg_two_sided(two_sided) * UNIT - 1
    with bgrace.open(target) as db:
        spots = every(db.space)
        means = reference.distribution_means(last)
        np.testing.assert_allclose(db.mean_rolls(spots), means, rtol=0, atol=1e-12)
        np.testing.assert_allclose(db.epc(spots), means * MEAN_PIPS, rtol=0, atol=1e-11)
        squares = last @ np.arange(32) ** 2 - (last @ np.arange(32)) ** 2
        np.testing.assert_allclose(db.variance_rolls(spots), squares, rtol=0, atol=1e-9)
        assert db.epc("6x15") == pytest.approx(100.173861903, abs=0.0016)
        rows = db.roll_distribution(spots)
        np.testing.assert_array_equal(rows, last[:, : rows.shape[1]])
        assert not last[:, rows.shape[1] :].any()
        rows = db.first_checker_distribution(spots[len(last) - len(first) :])
        np.testing.assert_array_equal(rows, first[:, : rows.shape[1]])
        pairs = every(PositionSpace(6, 6))[1:]
        theirs = equities[1:, 1:]
        ours = db.equities(pairs[:, np.newaxis], pairs)
        for k, found in ((0, ours.cubeless), (3, ours.theirs)):
            assert np.abs(found - theirs[..., k]).max() <= 1 / 32760 + 1e-12
        mine = np.maximum(theirs[..., 1], np.minimum(2 * theirs[..., 3], 1))
        assert np.abs(ours.mine - mine).max() <= 1 / 32760 + 1e-12
        assert "GNU Backgammon's gnubg_os0.bd and gnubg_ts0.bd" in str(db.stored.attributes["generator"])


def test_what_to_do_with_such_a_file_is_said(two_sided: Path) -> None:
    unreadable("bgrace import makes a database", two_sided)


@pytest.mark.parametrize("points", [2, 7])
def test_a_file_without_the_first_checker_answers_all_the_same(points: int, tmp_path: Path) -> None:
    bearoff, imported = tmp_path / "gnubg_os.bd", tmp_path / "imported.h5"
    gnubg.generate(bearoff, "one-sided", points, gammons=False)
    gnubg.convert([bearoff], imported)
    for opponent in ([], ["2x15"]):
        result = run("query", imported, "2x15", *opponent)
        assert result.exit_code == 0, result.stderr
        assert "EPC " in result.stdout
        assert "first off" not in result.stdout
    verified = run("verify", imported)
    assert [line.split()[:2] for line in verified.stdout.splitlines()[:2]] == [["ok", "tables"], ["ok", "checksums"]]
    assert "its values are GNU Backgammon's, which are rounded more" in verified.stderr
    shown("export", imported, bearoff, "--no-gammons", "--force")
    check_error(run("export", imported, bearoff, "--force"), 1, "lacks the first checker's rolls", "--no-gammons")


def test_there_and_back(two_sided: Path, tmp_path: Path) -> None:
    """What was rounded to 1/32760 is within a unit when it comes back."""
    gnubg.convert(two_sided, tmp_path / "theirs.h5")
    with bgrace.open(tmp_path / "theirs.h5") as db:
        gnubg.export(db, tmp_path / "again.bd", "two-sided")
        table = solve_one_sided(PositionSpace(6, 6))  # a two-sided file has no such table: ours stands in
        np.testing.assert_array_equal(db.epc(every(db.space)), table.epc)
    first, second = (reference.read_gnubg_two_sided(path).astype(int) for path in (two_sided, tmp_path / "again.bd"))
    assert np.abs(first - second).max() <= 1
    bgrace.pack(tmp_path / "theirs.h5", tmp_path / "packed.h5")
    bgrace.unpack(tmp_path / "packed.h5", tmp_path / "unpacked.h5")
    assert (tmp_path / "theirs.h5").read_bytes() == (tmp_path / "unpacked.h5").read_bytes()


def test_chances_on_more_points_stay_to_the_last_bit(tmp_path: Path) -> None:
    """Seven points: packed in 16 bits in both files."""
    gnubg.generate(tmp_path / "seven.bd", "one-sided", points=7)
    gnubg.convert(str(tmp_path / "seven.bd"), tmp_path / "seven.h5")
    with bgrace.open(tmp_path / "seven.h5") as db:
        gnubg.export(db, tmp_path / "again.bd", "one-sided")
    assert md5(tmp_path / "again.bd") == md5(tmp_path / "seven.bd")


def test_files_that_do_not_go_together(one_sided: Path, two_sided: Path, tmp_path: Path) -> None:
    gnubg.generate(tmp_path / "five.bd", "two-sided", 5, 2)
    with pytest.raises(BuildError, match="use force"):
        gnubg.generate(tmp_path / "five.bd", "two-sided", 5, 2)
    for sources, reason in (
        ([one_sided, one_sided], "are both one-sided"),
        ([one_sided, tmp_path / "five.bd"], "for the same points"),
        ([], "no file to convert"),
    ):
        with pytest.raises(ArgumentError, match=reason):
            gnubg.convert(sources, tmp_path / "x.h5")
    with pytest.raises(FormatError):
        gnubg.convert([bgrace.example_file()], tmp_path / "x.h5")
    (tmp_path / "old.h5").touch()
    with pytest.raises(BuildError, match="use force"):
        gnubg.convert([two_sided], tmp_path / "old.h5")


# ---------------------------------------------------------------------- damaged files


@pytest.fixture(scope="module")
def small(folder: Path) -> dict[str, bytes]:
    """One of each kind that we write, small enough to be damaged everywhere."""
    path = folder / "small.bd"
    gnubg.generate(path, "two-sided", 3, 2)
    files = {"two-sided": path.read_bytes()}
    for compressed, gammons in product((True, False), repeat=2):
        gnubg.generate(path, "one-sided", 2, compressed=compressed, gammons=gammons, force=True)
        files[f"one-sided {compressed} {gammons}"] = path.read_bytes()
    return files


def test_every_shortened_or_lengthened_file_is_refused(small: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "file.bd"
    for data in small.values():
        shorter = [data[:k] for k in (0, 1, 5, 20, 39, 40, 41, len(data) // 2, len(data) - 2, len(data) - 1)]
        for damaged in (*shorter, data + b"x", data + b"xx", data + data):
            path.write_bytes(damaged)
            with pytest.raises(FormatError, match=r"file\.bd"):
                BearoffFile(path)


def test_values_after_the_game_are_those_of_its_end(small: dict[str, bytes], tmp_path: Path) -> None:
    header = small["two-sided"][:40]
    for body in (b"\xff", b"\0"):
        (tmp_path / "damaged.bd").write_bytes(header + body * (len(small["two-sided"]) - len(header)))
        with pytest.raises(FormatError, match="is damaged: a player"):
            BearoffFile(tmp_path / "damaged.bd")


@pytest.mark.parametrize("place", [43, 44, 45])
def test_rows_that_would_lie_elsewhere_are_refused(small: dict[str, bytes], place: int, tmp_path: Path) -> None:
    data = bytearray(small["one-sided True True"])
    data[place : place + 1] = b"\xff"
    (tmp_path / "damaged.bd").write_bytes(data)
    with pytest.raises(FormatError, match="is damaged: position 0 would not begin where"):
        gnubg.convert([tmp_path / "damaged.bd"], tmp_path / "x.h5")


def test_every_flipped_bit_of_an_index_is_found(small: dict[str, bytes], tmp_path: Path) -> None:
    """Where values begin, how many there are, and which roll the first one is of."""
    entry, n, fewer = 8, 136, 120
    for bit in np.random.default_rng(1).choice(8 * entry * n, 100, replace=False).tolist():
        position, place = divmod(bit // 8, entry)
        if position < fewer and place == entry - 1:
            continue  # with fewer than 15 checkers nobody asks for the first one
        data = bytearray(small["one-sided True True"])
        data[40 + bit // 8] ^= 1 << bit % 8
        (tmp_path / "damaged.bd").write_bytes(data)
        with pytest.raises(FormatError, match="is damaged"):
            gnubg.convert([tmp_path / "damaged.bd"], tmp_path / "x.h5")


# ---------------------------------------------------------------------- the command line


def test_export_and_import_on_the_command_line(database_path: Path, two_sided: Path, tmp_path: Path) -> None:
    exported, imported = tmp_path / "gnubg_ts.bd", tmp_path / "back.h5"
    made = answer("export", database_path, exported, "--exact")
    assert made.items() >= {"table": "two-sided", "checkers": 6, "positions": 924, "exact": True}.items()
    assert md5(exported) == md5(two_sided)
    read = answer("import", exported, imported)
    assert read.items() >= {"points": 6, "two_sided_checkers": 6, "pairs": 853776}.items()
    verified = run("verify", imported)
    assert verified.exit_code == 1
    assert "pairs: " in verified.stderr
    assert "its values are GNU Backgammon's" in verified.stderr
    small = run("export", imported, tmp_path / "small.bd", "--table", "two-sided", "--checkers", "2")
    assert (small.exit_code, small.stdout[: len(str(tmp_path))]) == (0, str(tmp_path))


# ---------------------------------------------------------------------- the program itself


def may_make_namespaces() -> bool:
    try:
        command = ["unshare", "--mount", "--map-root-user", "true"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(
    not (Path("/usr/games/gnubg").exists() and Path("/usr/share/gnubg").exists() and may_make_namespaces()),
    reason="needs GNU Backgammon's Debian packages, and unshare to show it our files",
)
def test_gnu_backgammon_evaluates_as_we_do() -> None:
    """With an exported file for seven checkers, which no file of its own covers.  More by the script."""
    script = ROOT / "scripts" / "check_gnubg.py"
    here = os.environ | {"PYTHONPATH": str(ROOT)}
    result = json.loads(call(sys.executable, script, "files", "--checkers", "7", "--positions", "60", env=here))
    assert result["pairs"] == 60
    assert max(result["units"]) < 0.6
    assert max(result["parts"]) < 2
