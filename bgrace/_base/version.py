"""The version of this package, where a program reads it without looking for what is installed."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.2.0"
"""Read by setuptools, too; csrc/bgrace.h has the same, and a test compares them."""
