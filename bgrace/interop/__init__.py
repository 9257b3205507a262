"""Files of other programs; its module is loaded when it is first used, like those of `bgrace`."""

from typing import TYPE_CHECKING

from bgrace._base.lazy import names_of_modules

if TYPE_CHECKING:
    from bgrace.interop import gnubg as gnubg
else:
    __getattr__, __dir__ = names_of_modules(__name__, gnubg=())
