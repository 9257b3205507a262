"""Files of other programs; its module is loaded when it is first used, like those of `bgrace`."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bgrace.interop import gnubg as gnubg
else:

    def __getattr__(name: str) -> ModuleType:
        if name != "gnubg":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")
