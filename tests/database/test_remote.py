"""A packed file on a web host, and hosts that are not as they should be."""

import gc
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command import run
from helpers.range_host import Host, hosted
from helpers.stakes import by_rule

import bgrace
from bgrace.database.store import remote
from bgrace.database.verify import verify
from bgrace.errors import ArgumentError, FormatError

PLANES = ("cubeless", "centered", "mine", "theirs")
MINE, THEIRS = (1, 0, 4), (2, 2, 11)


@pytest.fixture
def host(packed_with_gammons: Path) -> Iterator[tuple[type[Host], str]]:
    with hosted(packed_with_gammons) as (kind, address):
        yield kind, f"{address}{Host.table}"


@pytest.mark.parametrize("mode", ["good", "moved"])
def test_the_same_bits_as_in_the_file(host: tuple[type[Host], str], packed_with_gammons: Path, mode: str) -> None:
    host[0].mode = mode
    with bgrace.open(packed_with_gammons) as local, bgrace.open(host[1]) as db:
        opening, one = host[0].n_requests, (tuple(local.space.position(600)), tuple(local.space.position(700)))
        assert opening == 1 + (mode == "moved")
        assert db.equities(*one) == local.equities(*one)
        assert host[0].n_requests <= opening + 12
        pick = np.random.default_rng(1).integers(1, len(local.space), (2, 150))
        mine, theirs = (np.array([tuple(local.space.position(int(k))) for k in row]) for row in pick)
        for plane in PLANES:
            for jacoby in (False, True):
                found, known = (getattr(d.equities(mine, theirs, stakes=by_rule(jacoby)), plane) for d in (db, local))
                assert np.array_equal(found, known)
        assert np.array_equal(db.win_probability(mine, theirs), local.win_probability(mine, theirs))
        assert db.best_plays(MINE, THEIRS, "31") == local.best_plays(MINE, THEIRS, "31")
        assert db.alone(MINE).to_dict() == local.alone(MINE).to_dict()
        assert {**db.info(), "path": ""} == {**local.info(), "path": ""}


@pytest.mark.parametrize(
    ("mode", "error", "told"),
    [
        ("lying", FormatError, "damaged|fails a checksum"),
        ("truncated", FormatError, "fewer bytes than it says|other bytes than it was asked for"),
        ("changed", FormatError, "was changed since|fails a checksum"),
        ("tagged", FormatError, "was changed since it was opened"),
        ("whole", FormatError, "does not answer range requests"),
        ("stalling", TimeoutError, "sent too little for 0.3 seconds"),
        ("not yet", OSError, "without response"),
        ("too large", FormatError, "does not say which"),
        ("rude", FileNotFoundError, r"the host answers 404 \?\[31mx{75}: '"),
        ("to nowhere", FormatError, r"is moved to http://\["),
        ("to no port", ArgumentError, "9x/ is not the address of a file"),
        ("to no name", ArgumentError, r"a\.\.b/ is not the address of a file"),
        ("round and round", FormatError, "is moved again and again"),
    ],
)
def test_other_hosts_are_refused(
    host: tuple[type[Host], str], mode: str, error: type[Exception], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host[0].mode = mode
    host[0].other = host[0].data + b"x"
    if error is TimeoutError:
        monkeypatch.setattr(remote, "_SLOWEST", 1e9)
        monkeypatch.setattr(remote.RemoteFile.__init__, "__defaults__", (0.3,))

    def ask(**options: Any) -> None:
        with bgrace.open(host[1]) as db:
            db.equities(MINE, THEIRS, **options)

    with pytest.raises(error, match=told):
        ask()


def test_what_cannot_be_read_from_a_host(host: tuple[type[Host], str], with_gammons: Path) -> None:
    with pytest.raises(ArgumentError, match="is on the web"):
        bgrace.open(host[1], access="load")
    host[0].data = with_gammons.read_bytes()
    with pytest.raises(FormatError, match=r"cannot be read from a web host.*get a copy"):
        bgrace.open(host[1])


def test_the_command_takes_an_address(host: tuple[type[Host], str]) -> None:
    done = run("query", host[1], "1,0,4", "2,2,11")
    assert done.exit_code == 0, done.output
    assert "Double" in done.output or "double" in done.output
    host[0].mode = "whole"
    done = run("query", host[1], "1,0,4", "2,2,11")
    assert done.exit_code == 1
    assert host[1] in done.output
    for address, told in (("http://[", "is not the address"), ("http://127.0.0.1:1/x.h5", "x.h5: Connection refused")):
        done = run("query", address, "6x1")
        assert done.exit_code in (1, 2), done.output
        assert told in done.output
    done = run("pack", host[1], "x.h5")
    assert "is on the web, where this cannot be done: give the path of a copy" in done.output


@pytest.mark.parametrize("mode", ["good", "moved", "whole", "truncated"])
def test_every_connection_is_closed(host: tuple[type[Host], str], mode: str) -> None:
    host[0].mode = mode
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with suppress(FormatError), bgrace.open(host[1]) as db:
            db.equities(MINE, THEIRS)
        gc.collect()
    assert [str(each.message) for each in warned if each.category is ResourceWarning] == []


def test_pages_are_verified(packed_with_gammons: Path, tmp_path: Path) -> None:
    data, path = bytearray(packed_with_gammons.read_bytes()), tmp_path / "x.h5"
    with bgrace.open(packed_with_gammons) as db:
        pages = next(entry for entry in db.stored.entries if entry.name == "packed/pages")
    assert all(check.passed for check in verify(packed_with_gammons, samples=2).checks)
    data[pages.offset] ^= 1
    path.write_bytes(data)
    assert [check.name for check in verify(path, samples=2).failures] == ["checksums"]
