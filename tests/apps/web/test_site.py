"""Files of the site, served and written to a folder; the cached database; the command."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.command import check_error, run
from helpers.compilers import skip_without_zig
from helpers.paths import MATCHES, ROOT

import bgrace
import bgrace_apps.web.questions
from bgrace import embed
from bgrace._base.files import cache_folder
from bgrace.errors import ArgumentError, BuildError
from bgrace_apps.web import cached_database, site_files, write_site

pytest.importorskip("starlette", reason="needs bgrace[web]")
pytest.importorskip("uvicorn", reason="needs bgrace[web]")

from bgrace._base.language import WORDS
from bgrace_apps.web.app import HEADERS, listening

SITE = ROOT / "bgrace_apps" / "web" / "site"


def test_every_file_of_the_site_is_served_and_packed() -> None:
    files = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*") if path.is_file()}
    words = {f"words.{path.name}" for path in WORDS.glob("*.json")}
    engine = {path.name for path in embed.javascript_dir().glob("*.js")}
    assert files | words | engine == site_files().keys()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["bgrace_apps.web"]
    assert all(any(fnmatch(f"site/{name}", pattern) for pattern in patterns) for name in files)


def test_a_site_without_a_server_has_the_engine_and_works_offline(tmp_path: Path) -> None:
    skip_without_zig()
    written = {path.relative_to(tmp_path / "site").as_posix() for path in write_site(tmp_path / "site")}
    assert written == {*site_files(), "bgrace.wasm"}
    assert b'content="page"' in (tmp_path / "site" / "index.html").read_bytes()
    offline = (tmp_path / "site" / "offline.js").read_text(encoding="utf-8")
    kept = set(json.loads(offline.split("FILES = ")[1].split(";")[0]))
    assert kept == written - {"index.html", "offline.js"} | {"./"}  # all but itself
    assert "VERSION" not in offline
    # A file that is being read is replaced, not overwritten.
    (tmp_path / "site" / "app.js").write_text("old")
    with open(tmp_path / "site" / "app.js", encoding="utf-8") as served:
        write_site(tmp_path / "site")
        assert served.read() == "old"
    assert (tmp_path / "site" / "app.js").read_bytes() == site_files()["app.js"].content
    (tmp_path / "file").touch()
    with pytest.raises(ArgumentError, match="is a file"):
        write_site(tmp_path / "file")


def test_the_page_takes_nothing_from_other_hosts() -> None:
    policy = HEADERS["Content-Security-Policy"]
    page = site_files()["index.html"].content.decode()
    (held,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy == f"{held}; frame-ancestors 'none'"  # only a header may say the latter
    for name, file in site_files().items():
        if name not in ("races.json", "icon.png"):
            elsewhere = re.findall(r"https?://[\w.]+", file.content.decode())
            assert set(elsewhere) <= {"http://www.w3.org"}, name


def test_links_of_the_page_lead_to_files_of_the_site() -> None:
    files = site_files()
    leads = re.findall(r'(?:href|src)="(?!data:|#)(?:\./)?([^"]*)"', files["index.html"].content.decode())
    assert len(leads) > 5
    assert set(leads) - {""} <= files.keys()


def test_recorded_races_can_be_parsed_and_half_of_them_are_short() -> None:
    ids = json.loads(site_files()["races.json"].content)["ids"]
    boards = [bgrace.parse_board(each) for each in ids]
    assert len(set(ids)) == len(ids) == 480
    assert sum(max(board.on_roll.checkers, board.opponent.checkers) <= 8 for board in boards) == 240


def test_the_cached_database_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgrace_apps.web.questions, "CHECKERS", 2)
    said: list[str] = []
    for _ in range(2):
        with cached_database(tmp_path, say=said.append) as db:
            assert db.two_sided_checkers == 2
    assert len(said) == 1
    db.path.write_bytes(b"not a database")
    with cached_database(tmp_path, say=said.append) as db:
        assert db.two_sided_checkers == 2
    assert len(said) == 2


def test_a_database_that_cannot_be_cached_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message advises to give a file or another folder, not a smaller size, which nobody asked for."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(BuildError, match=r"has room for 0\): give a FILE of your own, or set XDG_CACHE_HOME"):
        cached_database(tmp_path)
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    check_error(run("web", "--no-browser"), 1, "Not a directory", "a FILE of your own, or set XDG_CACHE_HOME")

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "bgrace"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    with pytest.raises(BuildError, match="you have no home folder: set XDG_CACHE_HOME"):
        cached_database()


DAMAGED = ("http://[::1", "https://[x]/a", "http://::1]", "http://a\udcff")
"""Malformed addresses; the last has a byte that is not UTF-8, as it comes from a terminal."""


@pytest.mark.parametrize("url", DAMAGED)
def test_malformed_addresses_are_refused_in_one_line(tmp_path: Path, url: str) -> None:
    match = MATCHES / "5-103.mat"
    made = tmp_path / "made"
    for command in (
        ("web", "--static", made, "--table", url),
        ("web", "--no-browser", "--allow-origin", url),
        ("review", match, "--html", made, "--explorer", url),
        ("deck", match, "-o", made, "--explorer", url),
    ):
        check_error(run(*command), 2, "give")
        assert not made.exists()
    with pytest.raises(ArgumentError, match="is not the address of a table"):
        write_site(made, url)


def test_the_page_of_another_site_is_not_replaced(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<title>mine</title>", encoding="utf-8")
    check_error(run("web", "--static", tmp_path), 2, "is of another site, and stays")
    assert [*tmp_path.iterdir()] == [page]


def test_addresses_of_tables_are_written_into_the_page(tmp_path: Path) -> None:
    skip_without_zig()
    for url in ("http://[::1]:80/a.h5", "https://example.org/a.h5", "tables/a.h5"):
        write_site(tmp_path, url)
        assert f'"bgrace-table" content="{url}"' in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_port_that_is_taken_is_an_error(database_path: Path) -> None:
    with listening("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        result = run("web", database_path, "--no-browser", "--port", port)
    assert result.exit_code == 2
    assert f"port {port} cannot be listened on" in result.stderr
