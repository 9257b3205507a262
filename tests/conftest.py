"""What several test modules need, made once in a session."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import reference
from helpers.browser import *  # noqa: F403 - fixtures, for pytest to find here
from helpers.paths import SMALL
from hypothesis import settings

import bgrace

# The same examples every time, and no clock: a slow machine is not a failure.
settings.register_profile("bgrace", deadline=None, derandomize=True, database=None)
settings.load_profile("bgrace")

MAKEBEAROFF = Path("/usr/games/makebearoff")
"""Where Debian's package puts GNU Backgammon's generator."""


@pytest.fixture(scope="session")
def six_a_side() -> reference.FloatArray:
    """The slow twin's values of all pairs of at most six checkers, without gammons: [on roll, opponent, plane]."""
    return reference.two_sided(6)


@pytest.fixture(scope="session")
def database_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of all 54,264 positions and the pairs of at most six checkers a side."""
    path = tmp_path_factory.mktemp("database") / "six.h5"
    bgrace.build(path, two_sided=6)
    return path


@pytest.fixture(scope="session")
def database(database_path: Path) -> Iterator[bgrace.Database]:
    """The same, open."""
    with bgrace.open(database_path) as db:
        yield db


@pytest.fixture(scope="session")
def db() -> Iterator[bgrace.Database]:
    """The small database that the project comes with, open."""
    with bgrace.open(SMALL) as small:
        yield small


@pytest.fixture(scope="session")
def with_gammons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of three points and all fifteen checkers."""
    path = tmp_path_factory.mktemp("gammons") / "three.h5"
    bgrace.build(path, points=3, checkers=15, two_sided=15)
    return path


@pytest.fixture(scope="module")
def fixed_time() -> Iterator[None]:
    """Files are made at one and the same time, so that the same tables have the same bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1735689600")
        yield


@pytest.fixture(scope="session")
def gnubg_two_sided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """GNU Backgammon's own table of the pairs of at most six checkers a side: a quarter of a minute."""
    path = tmp_path_factory.mktemp("gnubg") / "gnubg_ts0.bd"
    subprocess.run([MAKEBEAROFF, "-t", "6x6", "-f", path], check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What commands are asked about: all one-sided positions, pairs of up to 4 checkers a side."""
    path = tmp_path_factory.mktemp("cli") / "four.h5"
    bgrace.build(path, two_sided=4)
    return path


@pytest.fixture(scope="session")
def seven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What commands are asked about: all pairs of up to 7 checkers a side."""
    path = tmp_path_factory.mktemp("cli") / "seven.h5"
    bgrace.build(path, checkers=7, two_sided=7)
    return path
