"""The page's JavaScript has the types of its comments, as the TypeScript compiler checks them."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import ran

HERE = Path(__file__).parent
COMPILER = HERE / "node_modules" / ".bin" / "tsc"


@pytest.mark.types
def test_modules_of_the_page_have_the_types_of_their_comments() -> None:
    if not COMPILER.exists():
        pytest.skip("needs TypeScript: npm ci --prefix tests/apps/web")
    checked = ran([COMPILER, "--project", HERE])
    assert checked.stdout == ""
    assert checked.returncode == 0
