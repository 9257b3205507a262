"""Where what can be made again is kept for a user."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Folder of this user, as the system has it; it need not be there yet.

    Examples
    --------
    >>> cache_folder().parts.count("bgrace")
    1
    """
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "bgrace"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "bgrace"
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else home / ".cache") / "bgrace"
