"""Test the core by itself: under `pytest -p helpers.no_apps` tests that import bgrace_apps are skipped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import FrameType, ModuleType

import pytest


class _NoApplications(MetaPathFinder):
    """Skip a test that imports the applications or runs one of their commands; fail if the core imports them."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname.partition(".")[0] != "bgrace_apps":
            return
        importer: FrameType | None = sys._getframe(1)
        while importer and importer.f_globals["__name__"].startswith("importlib"):
            importer = importer.f_back
        assert importer is not None, "a module of tests, or of the core"
        runs_command = importer.f_code.co_qualname == "LazyGroup.get_command"
        if importer.f_globals["__name__"].partition(".")[0] == "bgrace" and not runs_command:
            raise ModuleNotFoundError(f"{fullname} is not part of the core")
        pytest.skip("needs the applications", allow_module_level=True)


def pytest_configure() -> None:
    """Block the imports when pytest loads this plugin; importing this module alone blocks nothing."""
    sys.meta_path.insert(0, _NoApplications())
