"""The version of this package, readable without a search of the installed packages."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.2.0"
"""Also read by setuptools.  csrc/bgrace.h has the same version, and a test compares them."""
