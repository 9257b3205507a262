"""Explorer and trainer in the browser: the one place that speaks HTTP.

It computes nothing: questions are read, answered by the classes that answer everywhere, and written as JSON.  The page
itself is in ``site/``: plain ES modules, no build step, nothing from another host.  Needs Starlette and uvicorn,
``pip install "bgrace[web]"``; `write_site` alone needs neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgrace._base.lazy import names_of_modules
from bgrace_apps.web.questions import (
    Answers,
    RiskQuestion,
    WebQuestion,
    cached_database,
    read_question,
    read_risk_question,
)
from bgrace_apps.web.site_files import site_files, write_site

if TYPE_CHECKING:
    from bgrace_apps.web.app import create_app, serve
else:
    # These need Starlette, which comes with an extra; without it their names raise an error that says so.
    __getattr__, _ = names_of_modules(__name__, app=("create_app", "serve"))

__all__ = [
    "Answers",
    "RiskQuestion",
    "WebQuestion",
    "cached_database",
    "create_app",
    "read_question",
    "read_risk_question",
    "serve",
    "site_files",
    "write_site",
]
