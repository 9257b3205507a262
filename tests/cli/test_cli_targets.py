"""What commands without ``--force`` write replaces no input, no database, and nothing of another kind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from helpers.command import check_error, run
from helpers.paths import ROOT, SMALL

MATCH = ROOT / "tests" / "review" / "matches" / "5-103.mat"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a match, the same match under two names that would do for output, and databases."""
    monkeypatch.chdir(tmp_path)
    for name in ("match.mat", "match.html", "match.csv", "match.apkg"):
        shutil.copy(MATCH, name)
    for name in ("small.h5", "small.html", "small.csv", "small.apkg", "small.svg", "small.xml", "small.pdf"):
        shutil.copy(SMALL, name)
    run("match", "met", "--write", "table.csv")
    run("match", "met", "--write", "table.xml")
    shutil.copy("table.xml", "table.svg")
    Path("link.html").symlink_to("match.mat")
    Path("link.xml").symlink_to("table.xml")
    Path("drawn.svg").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (("review", "match.mat", "--html", "match.mat"), ("--html match.mat", "end it in .html or .htm")),
        (("review", "match.mat", "--csv", "match.mat"), ("--csv match.mat", "end it in .csv")),
        (("deck", "match.mat", "-o", "match.mat"), ("--output match.mat", "end it in .apkg")),
        (("review", "match.html", "--html", "match.html"), ("match.html is the source of the new file",)),
        (("review", "match.mat", "--html", "link.html"), ("link.html is the source of the new file",)),
        (("review", "match.csv", "--csv", "./match.csv"), ("match.csv is the source of the new file",)),
        (("review", "match.mat", "--results", "match.mat"), ("match.mat is the source of the new file",)),
        (
            ("review", "match.mat", "--met", "table.csv", "--csv", "table.csv"),
            ("table.csv is the source of the new file",),
        ),
        (("deck", "match.apkg", "-o", "match.apkg"), ("match.apkg is the source of the new file",)),
        (("review", "match.mat", "--html", "small.html"), ("small.html is a bgrace database",)),
        (("review", "match.mat", "--csv", "small.csv"), ("small.csv is a bgrace database",)),
        (("deck", "match.mat", "-o", "small.apkg"), ("small.apkg is a bgrace database",)),
        (("deck", "match.mat", "-o", "small.h5"), ("end it in .apkg",)),
        (("board", "6x1", "--svg", "small.svg"), ("--svg small.svg is a bgrace database",)),
        (("board", "6x1", "--svg", "small.h5"), ("--svg small.h5", "end it in .svg")),
        (("board", "6x1", "--svg", "-"), ("--svg -", "end it in .svg")),
        (("board", "6x1", "--svg", "drawn.svg"), ("drawn.svg is a folder",)),
        (("deck", "match.mat", "-o", "-"), ("--output -", "end it in .apkg")),
        (
            ("review", "match.mat", "--csv", "a.csv", "--results", "./a.csv"),
            ("--csv and --results name the same file",),
        ),
        (
            ("match", "met", "table.xml", "--write", "table.xml"),
            ("--write table.xml is the source of the new file",),
        ),
        (("match", "met", "table.csv", "--write", "./table.csv"), ("table.csv is the source of the new file",)),
        (("match", "met", "table.xml", "--write", "link.xml"), ("--write link.xml is the source of the new file",)),
        (("match", "met", "zadeh", "--write", "small.xml"), ("--write small.xml is a bgrace database",)),
        (("match", "map", "6x1", "6x1", "--plot", "small.svg"), ("--plot small.svg is a bgrace database",)),
        (
            ("match", "map", "6x1", "6x1", "--met", "table.svg", "--plot", "table.svg"),
            ("--plot table.svg is the source of the new file",),
        ),
        (("plot", "jump", "-o", "small.pdf"), ("--output small.pdf is a bgrace database",)),
        (("windows", "--plot", "small.pdf"), ("--plot small.pdf is a bgrace database",)),
        (
            ("windows", "--positions", "small.svg", "--plot", "small.svg"),
            ("--plot small.svg is the source of the new file",),
        ),
        (("referee", "small.svg", "--plot", "small.svg"), ("--plot small.svg is the source of the new file",)),
    ],
    ids=lambda value: " ".join(value) if value[0].isalpha() else "",
)
def test_refuses_before_any_work(folder: Path, arguments: tuple[str, ...], fragments: tuple[str, ...]) -> None:
    def contents() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

    before = contents()
    check_error(run(*arguments), 2, *fragments)
    assert contents() == before


def test_replaces_what_is_of_its_own_kind(folder: Path) -> None:
    for name in ("old.svg", "OLD.SVG"):
        Path(name).write_text("<svg/>", encoding="utf-8")
        assert run("board", "6x1", "--svg", name).exit_code == 0
        assert len(Path(name).read_bytes()) > 1000


def test_devices_have_no_ending() -> None:
    assert run("board", "6x1", "--svg", "/dev/null").exit_code == 0
