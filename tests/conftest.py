"""Fixtures that several test modules share, made once in a run; no test changes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

# numpy reads this when it is loaded.  A run already has a process for each processor, and the threads of BLAS, which
# spin while they wait, double the processor time of small operations.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from helpers import reference
from helpers.browser import *  # noqa: F403 - fixtures, for pytest to find here
from helpers.not_covered import *  # noqa: F403 - a hook, likewise
from helpers.once import Made, folder_of_run, made_once
from helpers.paths import MATCHES, SMALL
from hypothesis import settings

import bgrace

if TYPE_CHECKING:
    from bgrace_apps.review import MatchReview

# The same examples every time, and no clock: a slow machine is not a failure.
settings.register_profile("bgrace", deadline=None, derandomize=True, database=None)
settings.load_profile("bgrace")

FIXED_TIME = {"SOURCE_DATE_EPOCH": "1735689600"}


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the files of `made_once`, which all processes of the run read."""
    return folder_of_run(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def six_a_side(once: Path) -> reference.FloatArray:
    """The slow twin's values of all pairs of at most six checkers, without gammons: [on roll, opponent, plane]."""
    path = made_once(once, "six.npy", lambda path: np.save(path, reference.two_sided(6)))
    values: reference.FloatArray = np.load(path)
    return values


@pytest.fixture(scope="session")
def six_with_gammons(once: Path) -> reference.FloatArray:
    """The same, with a gammon if the loser still has all six checkers."""
    path = made_once(once, "toy.npy", lambda path: np.save(path, reference.two_sided(6, gammon_checkers=6)))
    values: reference.FloatArray = np.load(path)
    return values


@pytest.fixture(scope="session")
def made(once: Path) -> Made:
    """Files by points, checkers and checkers of pairs, each made once: plain, as an archive, or packed."""

    def make(points: int, checkers: int, two_sided: int, kind: str = "plain") -> Path:
        def write(path: Path) -> None:
            if kind == "packed":
                bgrace.pack(make(points, checkers, two_sided), path)
            else:
                bgrace.build(path, points, checkers, two_sided, compress=kind == "archive")

        with patch.dict(os.environ, FIXED_TIME):
            return made_once(once, f"{kind}-{points}-{checkers}-{two_sided}.h5", write)

    return make


@pytest.fixture(scope="session")
def database_path(made: Made) -> Path:
    """A file of all 54,264 positions and the pairs of at most six checkers a side."""
    return made(6, 15, 6)


@pytest.fixture(scope="session")
def database(database_path: Path) -> Iterator[bgrace.Database]:
    """The same, open."""
    with bgrace.open(database_path) as db:
        yield db


@pytest.fixture(scope="session")
def packed_path(made: Made) -> Path:
    """The same, packed."""
    return made(6, 15, 6, "packed")


@pytest.fixture(scope="session")
def db() -> Iterator[bgrace.Database]:
    """The small database that the project comes with, open."""
    with bgrace.open(SMALL) as small:
        yield small


@pytest.fixture(scope="session")
def tiny(made: Made) -> Path:
    """A file of 462 positions of up to five checkers, 28 of them two-sided: most of it is metadata and gaps."""
    return made(6, 5, 2)


@pytest.fixture(scope="session")
def with_gammons(made: Made) -> Path:
    """A file of three points and all fifteen checkers."""
    return made(3, 15, 15)


@pytest.fixture(scope="session")
def packed_with_gammons(made: Made) -> Path:
    """The same, packed."""
    return made(3, 15, 15, "packed")


@pytest.fixture(scope="session")
def five() -> MatchReview:
    """The review of a match whose only race is solved exactly."""
    from bgrace_apps.review import review

    return review(MATCHES / "5-103.mat")


@pytest.fixture(scope="session")
def seven() -> MatchReview:
    """The review of a match with long races, some of them solved twice; in one, another play looks better."""
    from bgrace_apps.review import review

    return review(MATCHES / "7-104.mat")


@pytest.fixture(scope="module")
def fixed_time() -> Iterator[None]:
    """Give all files of a test the same time, so that the same tables have the same bytes."""
    with patch.dict(os.environ, FIXED_TIME):
        yield


@pytest.fixture(scope="session")
def file(made: Made) -> Path:
    """The file of the tests of commands: all one-sided positions, pairs of up to 4 checkers a side."""
    return made(6, 15, 4)
