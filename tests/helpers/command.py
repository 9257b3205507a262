"""The command line as a test runs it: within this process, its text as wide as it is asked to be."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from bgrace.cli import cli


def run(*arguments: str | Path, columns: int = 80) -> Result:
    """Run a command of bgrace."""
    runner = CliRunner(env={"COLUMNS": str(columns), "NO_COLOR": "1"})
    return runner.invoke(cli, [str(argument) for argument in arguments])


def answer(*arguments: str | Path) -> dict[str, Any]:
    """What a command that succeeds prints with --json."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    parsed = json.loads(result.stdout)
    assert isinstance(parsed, dict)
    return parsed
