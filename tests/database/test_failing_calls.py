"""System calls and allocations that fail while a file is made.  scripts/attack.py tries all of them."""

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
        ("build", 1000, 253),  # values that HDF5 writes when it closes the dataset
        ("small file", 1, 1),
        ("pack", 360, 20),
    ],
)
def test_the_old_file_or_the_new_one_is_there(name: str, stride: int, first: int) -> None:
    """HDF5 delays one of these writes until it closes a dataset, and would not report its failure."""
    ((_, n, failed),) = failing_calls.attack(stride, name, first)
    assert failed == []
    assert n > 3
