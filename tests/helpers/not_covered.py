"""Collect the reasons of skipped tests, for the table at the end of a run of scripts/test.sh."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["pytest_sessionfinish"]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Append the reason of each skipped test, or module of tests, to the file that BGRACE_NOT_COVERED names."""
    target = os.environ.get("BGRACE_NOT_COVERED")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not target or reporter is None or hasattr(session.config, "workerinput"):
        return
    # Every process of a run reports a skipped module.
    reasons = {report.nodeid: report.longrepr for report in reporter.stats.get("skipped", ())}
    with Path(target).open("a", encoding="utf-8") as file:
        for found in reasons.values():
            reason = found[2] if isinstance(found, tuple) else str(found)
            file.write(reason.removeprefix("Skipped: ") + "\n")
