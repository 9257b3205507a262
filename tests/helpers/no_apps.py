"""The core by itself: `pytest -p helpers.no_apps` lets nothing import bgrace_apps, and leaves out tests of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

OF_APPLICATIONS = ("bgrace_apps", "helpers.web", "helpers.browser", "helpers.xg_file", "from attack ", "from measure ")
"""What a module of tests imports that needs the applications, too."""


class _NoApplications(MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname.partition(".")[0] == "bgrace_apps":
            raise ModuleNotFoundError(f"{fullname} is no part of the core")


def pytest_configure() -> None:
    """Bar the applications, as a plugin; to import this module bars nothing."""
    sys.meta_path.insert(0, _NoApplications())


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a module of tests that names an application."""
    if collection_path.name.startswith("test_") and collection_path.suffix == ".py":
        text = collection_path.read_text(encoding="utf-8")
        return any(name in text for name in OF_APPLICATIONS) or None
    return None
