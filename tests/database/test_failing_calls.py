"""A call of the system, or for memory, that fails while a file is made; scripts/attack.py lets every one fail."""

from __future__ import annotations

import platform

import pytest
from helpers import failing_calls

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="puts functions in the place of glibc's")


@pytest.mark.parametrize(
    ("name", "stride", "first"),
    [
        ("build --compress", 60, 321),
        ("build --compress", 1000, 383),  # killed between the two writes that finish an archive
        ("build", 1000, 253),  # values that HDF5 writes as the dataset goes
        ("small file", 1, 1),
        ("pack", 360, 20),
    ],
)
def test_the_old_file_or_the_new_one_is_there(name: str, stride: int, first: int) -> None:
    """Among them a write that HDF5 puts off until a dataset goes, when nobody would be told that it failed."""
    ((_, n, failed),) = failing_calls.attack(stride, name, first)
    assert failed == []
    assert n > 3
