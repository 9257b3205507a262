"""What several test modules need, made once in a run; no test changes it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

# Read when numpy is loaded.  A run has a process for each processor already, and threads of BLAS wait by spinning: with
# them what is small takes twice the time of the processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from helpers import reference
from helpers.browser import *  # noqa: F403 - fixtures, for pytest to find here
from helpers.not_covered import *  # noqa: F403 - a hook, likewise
from helpers.once import folder_of_run, made_once
from helpers.paths import MATCHES, SMALL
from hypothesis import settings

import bgrace

if TYPE_CHECKING:
    from bgrace_apps.review import MatchReview

# The same examples every time, and no clock: a slow machine is not a failure.
settings.register_profile("bgrace", deadline=None, derandomize=True, database=None)
settings.load_profile("bgrace")


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is made once, by `made_once`, and read by all processes of the run."""
    return folder_of_run(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def six_a_side(once: Path) -> reference.FloatArray:
    """The slow twin's values of all pairs of at most six checkers, without gammons: [on roll, opponent, plane]."""
    path = made_once(once, "six.npy", lambda path: np.save(path, reference.two_sided(6)))
    values: reference.FloatArray = np.load(path)
    return values


@pytest.fixture(scope="session")
def six_with_gammons(once: Path) -> reference.FloatArray:
    """The same where a loser who still has all six checkers loses double."""
    path = made_once(once, "toy.npy", lambda path: np.save(path, reference.two_sided(6, gammon_checkers=6)))
    values: reference.FloatArray = np.load(path)
    return values


@pytest.fixture(scope="session")
def database_path(once: Path) -> Path:
    """A file of all 54,264 positions and the pairs of at most six checkers a side."""
    return made_once(once, "six.h5", lambda path: bgrace.build(path, two_sided=6))


@pytest.fixture(scope="session")
def database(database_path: Path) -> Iterator[bgrace.Database]:
    """The same, open."""
    with bgrace.open(database_path) as db:
        yield db


@pytest.fixture(scope="session")
def packed_path(database_path: Path, once: Path) -> Path:
    """The same, packed."""
    return made_once(once, "six-packed.h5", lambda path: bgrace.pack(database_path, path))


@pytest.fixture(scope="session")
def db() -> Iterator[bgrace.Database]:
    """The small database that the project comes with, open."""
    with bgrace.open(SMALL) as small:
        yield small


@pytest.fixture(scope="session")
def tiny(once: Path) -> Path:
    """A file of 462 positions of up to five checkers, 28 of them two-sided: most of it is metadata and gaps."""
    return made_once(once, "tiny.h5", lambda path: bgrace.build(path, 6, 5, 2))


@pytest.fixture(scope="session")
def with_gammons(once: Path) -> Path:
    """A file of three points and all fifteen checkers."""
    return made_once(once, "three.h5", lambda path: bgrace.build(path, points=3, checkers=15, two_sided=15))


@pytest.fixture(scope="session")
def packed_with_gammons(with_gammons: Path, once: Path) -> Path:
    """The same, packed."""
    return made_once(once, "three-packed.h5", lambda path: bgrace.pack(with_gammons, path))


@pytest.fixture(scope="session")
def five() -> MatchReview:
    """The review of a match whose one race is exact throughout."""
    from bgrace_apps.review import review

    return review(MATCHES / "5-103.mat")


@pytest.fixture(scope="module")
def fixed_time() -> Iterator[None]:
    """Files are made at one and the same time, so that the same tables have the same bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1735689600")
        yield


@pytest.fixture(scope="session")
def file(once: Path) -> Path:
    """What commands are asked about: all one-sided positions, pairs of up to 4 checkers a side."""
    return made_once(once, "four.h5", lambda path: bgrace.build(path, two_sided=4))


@pytest.fixture(scope="session")
def seven(once: Path) -> Path:
    """What commands are asked about: all pairs of up to 7 checkers a side."""
    return made_once(once, "seven.h5", lambda path: bgrace.build(path, checkers=7, two_sided=7))
