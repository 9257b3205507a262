"""The doubling cube: the arithmetic of a decision, and the models that give equities to decide on.

Its modules are loaded when they are first used, like those of `bgrace`.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bgrace.cube import action as action
    from bgrace.cube import continuous as continuous
    from bgrace.cube import endgame as endgame
    from bgrace.cube import janowski as janowski
    from bgrace.cube import jump as jump
    from bgrace.cube import model as model
    from bgrace.cube import race as race
else:

    def __getattr__(name: str) -> ModuleType:
        if name not in ("action", "continuous", "endgame", "janowski", "jump", "model", "race"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")
