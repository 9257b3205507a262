"""Files that commands are asked about."""

from pathlib import Path

import pytest

import bgrace


@pytest.fixture(scope="package")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All one-sided positions, pairs of up to 4 checkers a side."""
    path = tmp_path_factory.mktemp("cli") / "four.h5"
    bgrace.build(path, two_sided=4)
    return path


@pytest.fixture(scope="package")
def seven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pairs of up to 7 checkers a side."""
    path = tmp_path_factory.mktemp("cli") / "seven.h5"
    bgrace.build(path, checkers=7, two_sided=7)
    return path
