"""The wall between Python and C: each module declares, checks, releases the GIL, calls, and raises."""

import os
from importlib import import_module

# A thread that waits by spinning takes the processor from the one that it waits for, if other work is running too:
# one-sided tables then take twenty times as long.  OpenMP reads this once, when the first kernel is loaded; who has
# set it keeps it, and nobody else sees it.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ["OMP_WAIT_POLICY"] = "passive"
    import_module("bgrace._kernels.two_sided")
    del os.environ["OMP_WAIT_POLICY"]
