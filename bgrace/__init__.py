"""Build, store and query backgammon bearoff and race databases.

>>> import bgrace
>>> space = bgrace.PositionSpace(points=6, checkers=15)
>>> len(space), space.index((5, 1, 8, 1, 0, 0))
(54264, 41258)

Beside these names there is a module for each subject, such as `bgrace.scm` or `bgrace.counts`, which needs no import of
its own.  All are loaded when they are first used, so that Ctrl-C ends the command even before numpy is loaded.
"""

TYPE_CHECKING = False  # not from typing, which takes a while to import

_SUBJECTS = (
    "answers",
    "board",
    "contact",
    "counts",
    "cube",
    "embed",
    "errors",
    "interop",
    "match",
    "rollout",
    "scm",
)

if TYPE_CHECKING:
    from bgrace import answers as answers
    from bgrace import board as board
    from bgrace import contact as contact
    from bgrace import counts as counts
    from bgrace import cube as cube
    from bgrace import embed as embed
    from bgrace import errors as errors
    from bgrace import interop as interop
    from bgrace import match as match
    from bgrace import rollout as rollout
    from bgrace import scm as scm
    from bgrace._face import *
    from bgrace._face import __all__ as __all__
    from bgrace.errors import *

    __version__: str
else:

    def __getattr__(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415  (every command waits for the imports of this module)

        if name in _SUBJECTS:
            return import_module(f"bgrace.{name}")
        if name == "__version__":
            value = import_module("bgrace._base.version").VERSION
        elif name == "__all__" or (not name.startswith("_") and name in import_module("bgrace._face").__all__):
            value = getattr(import_module("bgrace._face"), name)
        else:
            raise AttributeError(f"module 'bgrace' has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted([*__getattr__("__all__"), *_SUBJECTS, "__version__"])
