"""Extensions and how to compile them; everything else about the package stands in pyproject.toml.

The C code in csrc/ becomes one static library, and each Cython module links it.  Environment variables choose a build:

BGRACE_CHECKED=1   bounds checks in Cython, assertions and -O1 -g in C: for hunting a crash
BGRACE_OPENMP=0    without OpenMP, on one thread (also what happens where the compiler has none)
BGRACE_CFLAGS      further compiler flags, such as -fsanitize=address
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("BGRACE_CHECKED") == "1"


def compiler_has_openmp() -> bool:
    """Whether the C compiler compiles and links a program that uses OpenMP."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "try.c")
        source.write_text("#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n")
        try:
            command = [*compiler, "-fopenmp", str(source), "-o", str(Path(folder, "try"))]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


# No contraction to fused multiply-adds: every machine must round alike, so that a database has the same bytes.
flags = ["/O2"] if sys.platform == "win32" else ["-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-fPIC"]
links: list[str] = []
if sys.platform != "win32":
    flags += ["-O1", "-g"] if CHECKED else ["-O3", "-DNDEBUG"]
    if os.environ.get("BGRACE_OPENMP") != "0" and compiler_has_openmp():
        flags.append("-fopenmp")
        links.append("-fopenmp")
extra = shlex.split(os.environ.get("BGRACE_CFLAGS", ""))
flags += extra
links += extra

SOURCES = sorted(str(path) for path in Path("csrc").glob("*.c"))
HEADERS = sorted(str(path) for path in Path("csrc").glob("*.h"))
KERNELS = [
    "exact",
    "gnubg",
    "layer",
    "one_sided",
    "plays",
    "positions",
    "probe",
    "progress",
    "race",
    "rollout",
    "threads",
    "two_sided",
]

setup(
    libraries=[("bgrace_core", {"sources": SOURCES, "obj_deps": {"": HEADERS}, "cflags": flags})],
    ext_modules=cythonize(
        [
            Extension(
                f"bgrace._kernels.{name}",
                [f"bgrace/_kernels/{name}.pyx"],
                include_dirs=["csrc", np.get_include()],
                depends=[*HEADERS, *SOURCES],
                define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
                extra_compile_args=[flag for flag in flags if flag != "-std=c11"],
                extra_link_args=links,
            )
            for name in KERNELS
        ],
        compiler_directives={
            "language_level": "3",
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "cdivision": True,
            "embedsignature": True,
        },
    ),
)
