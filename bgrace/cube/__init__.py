"""The doubling cube: the arithmetic of a decision, and models that give the equities for it.

Its modules are loaded when they are first used, like those of `bgrace`.
"""

from typing import TYPE_CHECKING

from bgrace._base.lazy import names_of_modules

if TYPE_CHECKING:
    from bgrace.cube import action as action
    from bgrace.cube import continuous as continuous
    from bgrace.cube import endgame as endgame
    from bgrace.cube import janowski as janowski
    from bgrace.cube import jump as jump
    from bgrace.cube import model as model
    from bgrace.cube import race as race
else:
    __getattr__, __dir__ = names_of_modules(
        __name__, action=(), continuous=(), endgame=(), janowski=(), jump=(), model=(), race=()
    )
