"""The core by itself: `pytest -p helpers.no_apps` lets nothing import bgrace_apps, and skips the tests that want to."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import FrameType, ModuleType

import pytest


class _NoApplications(MetaPathFinder):
    """Skip a test that imports the applications or runs a command of theirs; fail for the core, which never may."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname.partition(".")[0] != "bgrace_apps":
            return
        importer: FrameType | None = sys._getframe(1)
        while importer and importer.f_globals["__name__"].startswith("importlib"):
            importer = importer.f_back
        assert importer is not None, "a module of tests, or of the core"
        runs_command = importer.f_code.co_qualname == "LazyGroup.get_command"
        if importer.f_globals["__name__"].partition(".")[0] == "bgrace" and not runs_command:
            raise ModuleNotFoundError(f"{fullname} is no part of the core")
        pytest.skip("needs the applications", allow_module_level=True)


def pytest_configure() -> None:
    """Bar the applications, as a plugin; to import this module bars nothing."""
    sys.meta_path.insert(0, _NoApplications())
