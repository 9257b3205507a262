"""Where a run's time goes: `pytest --processor-time N` prints the N files of tests/ that take most of the processor.

Threads count, and processes that a test waits for; what one process of a run makes for others counts where it was made.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

__all__ = ["pytest_addoption", "pytest_runtest_makereport", "pytest_runtest_setup", "pytest_terminal_summary"]

_START = pytest.StashKey[float]()
_NAME = "processor_time"


def _now() -> float:
    return sum(os.times()[:4])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--processor-time", type=int, metavar="N", help="print the N files that take most of the processor"
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_START] = _now()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    if call.when == "teardown":
        item.user_properties.append((_NAME, _now() - item.stash[_START]))
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    n_files = config.getoption("--processor-time")
    if not n_files:
        return
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "teardown":
                for name, spent in report.user_properties:  # doctests of other folders have none
                    if name == _NAME:
                        seconds[report.nodeid.split("::")[0]] += spent
    terminalreporter.section(f"processor time: {seconds.total():.1f} s in {len(seconds)} files")
    for name, spent in seconds.most_common(n_files):
        terminalreporter.write_line(f"{spent:7.1f} s  {name}")
