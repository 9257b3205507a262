"""The wall between Python and C: each module declares, checks, releases the GIL, calls, and raises."""

from importlib import import_module

try:
    import_module("bgrace._kernels._cython_bgrace")  # all of them need it
except ModuleNotFoundError:
    raise ImportError(
        f"bgrace is not compiled in {__path__[0]}: run `pip install .` in its directory and leave that, "
        "or `pip install --editable .` to work in it"
    ) from None
