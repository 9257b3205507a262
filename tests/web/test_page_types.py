"""The page's JavaScript has the types that its comments say, in the eyes of the TypeScript compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILER = HERE / "node_modules" / ".bin" / "tsc"


@pytest.mark.types
def test_the_modules_of_the_page_have_the_types_that_they_say() -> None:
    if not COMPILER.exists():
        pytest.skip("needs TypeScript: npm ci --prefix tests/web")
    checked = subprocess.run([COMPILER, "--project", HERE], capture_output=True, text=True, check=False)
    assert checked.stdout == ""
    assert checked.returncode == 0
