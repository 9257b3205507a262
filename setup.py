"""Extensions and how to compile them; everything else about the package stands in pyproject.toml.

The C code in csrc/ becomes one static library, and each Cython module links it.  The part of it that answers questions
becomes, beside that, what an engine takes along: bgrace/embed/ gets a source file of its own, a static and a shared
library, and files for pkg-config and CMake.  Environment variables choose a build:

BGRACE_CHECKED=1   bounds checks in Cython, assertions and -O1 -g in C: for hunting a crash
BGRACE_COVERAGE=1  counts which lines of C are run, for scripts/coverage.sh; with GCC
BGRACE_CFLAGS      further compiler flags, such as -fsanitize=address
"""

import importlib.util
import multiprocessing
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_clib import build_clib
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

CHECKED = os.environ.get("BGRACE_CHECKED") == "1"
COVERAGE = os.environ.get("BGRACE_COVERAGE") == "1"
PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
WINDOWS = sys.platform == "win32"

if WINDOWS:
    optimised = glue_optimised = ["/O2"]
elif CHECKED:
    optimised = glue_optimised = ["-O1", "-g"]
elif COVERAGE:
    optimised = glue_optimised = ["-O2", "-g", "-DNDEBUG"]
else:
    # What Cython writes passes arguments on; to optimise it would take three times as long and gain nothing.
    # Python's own flags ask for warnings.  GCC's copies of functions for constant arguments take long, too, and gain
    # nothing, since what gains from constants is inlined.  Clang makes no such copies, and would warn of the option.
    optimised = ["-O3", "-fno-ipa-cp", "-Wno-ignored-optimization-argument", "-g0", "-DNDEBUG"]
    glue_optimised = ["-Og", "-g0", "-DNDEBUG", "-Wno-all"]
extra = shlex.split(os.environ.get("BGRACE_CFLAGS", ""))
if COVERAGE:
    extra += ["--coverage"]  # racing threads may lose counts, never coverage
# No contraction to fused multiply-adds: every machine must round alike, so that a database has the same bytes.
c_flags = ["/std:c11", "/fp:precise"] if WINDOWS else ["-std=c11", "-ffp-contract=off", "-fPIC"]
hidden = [] if WINDOWS else ["-fvisibility=hidden"]
threads = [] if WINDOWS else ["-pthread"]

SOURCES = sorted(str(path) for path in Path("csrc").rglob("*.c"))
HEADERS = sorted(str(path) for kind in ("h", "inc") for path in Path("csrc").rglob(f"*.{kind}"))
KERNELS = sorted(str(path) for path in Path("bgrace/_kernels").glob("*.pyx"))

SINGLE = {"plays", "positions", "probe", "stakes"}
"""Those that answer in a few microseconds and less, where what Cython writes counts."""
assert SINGLE.issubset(Path(path).stem for path in KERNELS), "a module has another name now"


def compile_at_once(compiler: Callable[..., list[str]], sources: list[str], **options: object) -> list[str]:
    """Compile as many files at a time as there are processors."""
    with ThreadPoolExecutor(PROCESSORS) as pool:
        return [name for names in pool.map(lambda one: compiler([one], **options), sources) for name in names]


def load(path: str) -> ModuleType:
    """A module of this tree, which need not be installed."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


one_file = load("csrc/one_file.py")
LIBRARY, PUBLIC = one_file.LIBRARY, [f"csrc/{name}" for name in one_file.PUBLIC]

PAGE = [*LIBRARY, *Path("csrc/wasm/sources.txt").read_text(encoding="utf-8").split()]
"""C files of the WebAssembly module."""


class BuildClib(build_clib):
    """The C code, as many files at a time as there are processors."""

    def build_libraries(self, libraries: list[tuple[str, dict[str, object]]]) -> None:
        """Build them."""
        self.compiler.compile = partial(compile_at_once, self.compiler.compile)
        for name, _ in libraries:  # or objects of files that are gone would stay in it
            Path(self.build_clib, self.compiler.library_filename(name)).unlink(missing_ok=True)
        super().build_libraries(libraries)


class BuildExt(build_ext):
    """Cython modules, and the library for engines."""

    def run(self) -> None:
        """Build both, and the C code first."""
        self.run_command("build_clib")
        self.parallel = self.parallel or PROCESSORS
        super().run()
        folder = Path("bgrace" if self.inplace else Path(self.build_lib, "bgrace"), "embed")
        for part in ("include", "src", "lib/cmake/bgrace", "lib/pkgconfig"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        self.build_library(folder, folder / "lib")
        build_wasm(folder)

    def build_library(self, folder: Path, library: Path) -> None:
        """Build the library for engines, and put it into the package with its header and its source."""
        version = self.distribution.get_version()
        for header in PUBLIC:
            self.copy_file(header, str(folder / "include"))
        self.copy_file("csrc/bgraceConfig.cmake", str(library / "cmake/bgrace"))
        Path(folder, "src/bgrace.c").write_text(one_file.one_file(LIBRARY), encoding="utf-8")
        for target in (library / "pkgconfig/bgrace.pc", library / "cmake/bgrace/bgraceConfigVersion.cmake"):
            template = Path("csrc", f"{target.name}.in").read_text(encoding="utf-8")
            target.write_text(template.replace("@PROJECT_VERSION@", version), encoding="utf-8")
        # Compiled already, but for files that ask for threads of ours, for what only Python's library has, and for
        # several widths, whose names a loader sees.
        sources = [f"csrc/{name}" for name in LIBRARY]
        asks = re.compile(r"\b(BGR_THREADS|BGR_EVERY_WIDTH)\b|\b(bgr_run|bgr_threads_begin)\(")
        other = [source for source in sources if asks.search(Path(source).read_text(encoding="utf-8"))]
        compiled = self.get_finalized_command("build_clib").build_temp
        objects = self.compiler.object_filenames([each for each in sources if each not in other], output_dir=compiled)
        objects += self.compiler.compile(
            other,
            output_dir=str(Path(self.build_temp, "embed")),
            include_dirs=["csrc"],
            extra_postargs=[*c_flags, *hidden, *optimised, *extra],
        )
        Path(library, self.compiler.library_filename("bgrace")).unlink(missing_ok=True)  # or it would keep old parts
        self.compiler.create_static_lib(objects, "bgrace", str(library))
        if WINDOWS:
            return
        major = version.split(".")[0]
        if sys.platform == "darwin":
            name, numbered = "libbgrace.dylib", f"libbgrace.{major}.dylib"
            kind = ["-dynamiclib", f"-Wl,-install_name,@rpath/{numbered}"]
        else:
            name, numbered = "libbgrace.so", f"libbgrace.so.{major}"
            kind = ["-shared", f"-Wl,-soname,{numbered}"]
        target = str(library / numbered)
        self.spawn([*self.compiler.compiler_so, *kind, *objects, *extra, "-o", target, "-lm"])
        # Linkers look for the first name, programs for the second; and packages of Python hold no links.
        self.copy_file(target, str(library / name))


class Sdist(sdist):
    """An archive of the source."""

    def run(self) -> None:
        """Make it; the module of pages in it, if any, is made of the sources beside it."""
        build_wasm(Path("bgrace/embed"))
        super().run()


def build_wasm(folder: Path) -> None:
    """Put the sources of the WebAssembly module beside the others; and compile it, where there is a compiler.

    A module that was made of other sources, or with other flags, is removed.
    """
    source, module = folder / "src" / "wasm", folder / "lib" / "bgrace.wasm"
    compiler = load("bgrace/embed/compiler.py")
    files = {Path(header).name: Path(header).read_text(encoding="utf-8") for header in PUBLIC}
    scripts = "".join(script.read_text(encoding="utf-8") for script in sorted(Path("bgrace/embed/js").glob("*.js")))
    page = interfaces.page_interface(list(map(Path, PUBLIC)), scripts) + one_file.one_file(PAGE)
    files["bgrace-page.c"] = f"/* Compiled with {' '.join(compiler.FLAGS)} */\n{page}"
    same = all(
        (source / name).exists() and (source / name).read_text(encoding="utf-8") == files[name] for name in files
    )
    if same and module.exists():
        return
    for part in (source, module.parent):
        part.mkdir(parents=True, exist_ok=True)
    module.unlink(missing_ok=True)  # first, or a stop in between would leave it beside sources of others
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    if not compiler.has_compiler():
        print("bgrace: the engine for pages is left out; it is compiled when first asked for, if ziglang is there")
        return
    try:
        compiler.compile_module(source, module)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"ziglang cannot compile the WebAssembly module:\n{error.stderr}") from error


def extension(source: str) -> Extension:
    """A Cython module."""
    flags = [*hidden, *glue_optimised, *threads, *extra]
    name = Path(source).stem
    return Extension(
        f"bgrace._kernels.{name}",
        [source],
        depends=[*HEADERS, *SOURCES],
        include_dirs=["csrc", np.get_include()],
        define_macros=[
            ("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION"),
            ("BGR_THREADS", None),
        ],
        extra_compile_args=["-O1" if name in SINGLE and flag == "-Og" else flag for flag in flags],
        extra_link_args=[*threads, *extra],
    )


interfaces = load("scripts/kernel_interfaces.py")
interfaces.write_declarations()
interfaces.write_types()

SHARED = "bgrace/_kernels/_cython_bgrace.c"
"""What the Cython modules have in common, such as views of arrays: compiled once instead of in each."""

setup(
    cmdclass={"build_clib": BuildClib, "build_ext": BuildExt, "sdist": Sdist},
    libraries=[
        (
            "bgrace_core",
            {
                "sources": SOURCES,
                "obj_deps": {"": HEADERS},
                "include_dirs": ["csrc"],
                "macros": [("BGR_THREADS", None)],
                "cflags": [*c_flags, *hidden, *optimised, *threads, *extra],
            },
        )
    ],
    ext_modules=cythonize(
        [extension(source) for source in (SHARED, *KERNELS)],
        shared_utility_qualified_name="bgrace._kernels._cython_bgrace",
        # Other ways to start processes would run this file in each.
        nthreads=PROCESSORS if multiprocessing.get_start_method() == "fork" else 0,
        compiler_directives={
            "language_level": "3",
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "cdivision": True,
            "embedsignature": True,
            "annotation_typing": False,  # annotations are for scripts/kernel_interfaces.py
            "warn.multiple_declarators": False,  # as C has them
        },
    ),
)
