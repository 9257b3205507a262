"""NumPy for the modules that answer questions, loaded at its first use: loading takes longer than most answers."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:

    class _Unloaded(ModuleType):
        def __getattr__(self, name):
            module = import_module(self.__name__)
            self.__dict__.update(vars(module))
            self.__class__ = ModuleType  # so that names are found as fast as in any module
            return getattr(module, name)

    np, npt = _Unloaded("numpy"), _Unloaded("numpy.typing")

__all__ = ["np", "npt"]
