"""The README's commands run one after another in one shell."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from helpers.command import call
from helpers.paths import ROOT

STAND_INS = """
set -eu
sh() { [ "$*" = scripts/test.sh ] || (. "$1"); } # which runs this test
bgrace() {
    if [ "$1" = web ]; then # serves until timeout stops it, with status 124
        status=0
        timeout 2 bgrace "$@" || status=$?
        [ $status = 124 ]
    else
        case "$1" in solve | counts | query) set -- "$@" --seconds 0.1 ;; esac
        command bgrace "$@"
    fi
}
"""


def test_the_commands_of_the_readme_run_in_order(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("needs a POSIX shell")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    assert lines[:2] == ["sh scripts/try.sh", "sh scripts/test.sh"]
    for name in ("scripts", "data"):
        (tmp_path / name).symlink_to(ROOT / name)
    binaries = Path(sys.executable).parent
    (tmp_path / ".venv").symlink_to(binaries.parent)
    # try.sh uses this environment and installs nothing.
    environment = {**os.environ, "BGRACE_ENVIRONMENT": "active", "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"BROWSER": "true", "NO_COLOR": "1"}
    call("sh", "-c", STAND_INS + "\n".join(lines), "scripts/readme", cwd=tmp_path, env=environment)
    made = {path.name for path in tmp_path.iterdir()}
    assert made >= {"bearoff.h5", "match.html", "errors.apkg", "nine.h5", "gnubg_ts.bd"}
