"""Extensions and how to compile them; everything else about the package stands in pyproject.toml.

The C code in csrc/ becomes one static library, and each Cython module links it.  The part of it that answers questions
becomes, beside that, what an engine takes along: bgrace/embed/ gets a source file of its own, a static and a shared
library, and files for pkg-config and CMake.  Environment variables choose a build:

BGRACE_CHECKED=1   bounds checks in Cython, assertions and -O1 -g in C: for hunting a crash
BGRACE_COVERAGE=1  counts which lines of C are run, for scripts/coverage.sh; with GCC
BGRACE_OPENMP=0    without OpenMP, on one thread (also what happens where the compiler has none)
BGRACE_CFLAGS      further compiler flags, such as -fsanitize=address
"""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CHECKED = os.environ.get("BGRACE_CHECKED") == "1"
COVERAGE = os.environ.get("BGRACE_COVERAGE") == "1"


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
    flags += ["-O1", "-g"] if CHECKED else ["-O1", "-g", "-DNDEBUG"] if COVERAGE else ["-O3", "-DNDEBUG"]
    if os.environ.get("BGRACE_OPENMP") != "0" and compiler_has_openmp():
        flags.append("-fopenmp")
        links.append("-fopenmp")
extra = shlex.split(os.environ.get("BGRACE_CFLAGS", ""))
if COVERAGE:
    extra += ["--coverage", "-fprofile-update=atomic"]  # counted right by several threads
flags += extra
links += extra

SOURCES = sorted(str(path) for path in Path("csrc").rglob("*.c"))
HEADERS = sorted(str(path) for kind in ("h", "inc") for path in Path("csrc").rglob(f"*.{kind}"))
KERNELS = [
    "cube",
    "exact",
    "gnubg",
    "layer",
    "one_sided",
    "plays",
    "positions",
    "probe",
    "progress",
    "race",
    "reach",
    "rollout",
    "threads",
    "turns",
    "two_sided",
]

LIBRARY = Path("csrc/library.txt").read_text(encoding="utf-8").split()
"""The C files of the library for engines; the first asks the system headers for what the others need too."""


PAGE = [*LIBRARY, *Path("csrc/wasm/sources.txt").read_text(encoding="utf-8").split()]
"""Those of the WebAssembly module."""


def amalgamation(sources: list[str]) -> str:
    """Write files as one, with the headers that they share inside; bgrace.h stays a file of its own."""
    seen: set[str] = set()

    def text_of(name: str) -> str:
        def included(match: re.Match[str]) -> str:
            header = match[1]
            if header.endswith(".inc"):  # written once, for several kinds of numbers
                return text_of(header)
            if header in seen:
                return ""
            seen.add(header)
            return match[0] if header == "bgrace.h" else text_of(header)

        return re.sub(r'^#include "(.+)"\n', included, Path("csrc", name).read_text(encoding="utf-8"), flags=re.M)

    head = (
        "/* bgrace: the C library in one file, made of those named below.  Put it and bgrace.h into a program.\n *\n"
        + "".join(f" * {line}".rstrip() + "\n" for line in Path("LICENSE").read_text(encoding="utf-8").splitlines())
        + " */"
    )
    # Headers have functions that others use; without OpenMP its pragmas mean nothing.  The same bits everywhere: no
    # compiler shall join a multiplication with an addition, nor calculate in the 80 bits of old.
    ignored = "".join(
        f'#pragma GCC diagnostic ignored "{name}"\n' for name in ("-Wunused-function", "-Wunknown-pragmas")
    )
    before = (
        f"#ifdef __GNUC__\n#pragma GCC diagnostic push\n{ignored}#endif\n"
        "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n"
        '#elif defined(__GNUC__)\n#pragma GCC optimize("fp-contract=off")\n'
        "#elif defined(_MSC_VER)\n#pragma fp_contract(off)\n#endif\n"
        "#if defined(__i386__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SSE2_MATH__)\n"
        '#pragma GCC target("sse2,fpmath=sse")\n#endif\n'
    )
    parts = [f"/* {name} */\n{text_of(name)}" for name in sources]
    return "\n".join([head, before, *parts, "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n"])


class BuildExt(build_ext):
    """Cython modules, and the library for engines."""

    def run(self) -> None:
        """Build both."""
        super().run()
        folder = Path("bgrace" if self.inplace else Path(self.build_lib, "bgrace"), "embed")
        library = folder / "lib"
        (library / "cmake" / "bgrace").mkdir(parents=True, exist_ok=True)
        (library / "pkgconfig").mkdir(exist_ok=True)
        (folder / "include").mkdir(exist_ok=True)
        (folder / "src").mkdir(exist_ok=True)
        self.copy_file("csrc/bgrace.h", str(folder / "include"))
        source = folder / "src" / "bgrace.c"
        source.write_text(amalgamation(LIBRARY), encoding="utf-8")
        version = self.distribution.get_version()
        cmake = library / "cmake" / "bgrace"
        self.copy_file("csrc/bgraceConfig.cmake", str(cmake))
        for target in (library / "pkgconfig" / "bgrace.pc", cmake / "bgraceConfigVersion.cmake"):
            template = Path("csrc", f"{target.name}.in").read_text(encoding="utf-8")
            target.write_text(template.replace("@PROJECT_VERSION@", version), encoding="utf-8")
        alone = ["-O2" if flag == "-O3" else flag for flag in flags if flag != "-fopenmp"]
        objects = self.compiler.compile(
            [str(source)], self.build_temp, include_dirs=[str(folder / "include")], extra_postargs=alone
        )
        self.compiler.create_static_lib(objects, "bgrace", str(library))
        self.build_wasm(folder)
        if sys.platform == "win32":
            return
        mac = sys.platform == "darwin"
        major = version.split(".")[0]
        name, numbered = (
            ("libbgrace.dylib", f"libbgrace.{major}.dylib") if mac else ("libbgrace.so", f"libbgrace.so.{major}")
        )
        kind = (
            ["-dynamiclib", f"-Wl,-install_name,@rpath/{numbered}"] if mac else ["-shared", f"-Wl,-soname,{numbered}"]
        )
        self.spawn([self.compiler.compiler_so[0], *kind, *objects, *extra, "-o", str(library / numbered), "-lm"])
        # Linkers look for the first name, programs for the second; and packages of Python hold no links.
        self.copy_file(str(library / numbered), str(library / name))

    def build_wasm(self, folder: Path) -> None:
        """Put the sources of the WebAssembly module beside the others; and compile it, where there is a compiler."""
        source, module = folder / "src" / "wasm", folder / "lib" / "bgrace.wasm"
        files = {Path("bgrace-page.c"): amalgamation(PAGE)}
        for path in (Path("csrc/bgrace.h"), *sorted(Path("csrc/wasm/include").glob("*.h"))):
            files[Path("include" if path.parent.name == "include" else "", path.name)] = path.read_text(
                encoding="utf-8"
            )
        (source / "include").mkdir(parents=True, exist_ok=True)
        changed = not module.exists()
        for name, text in files.items():
            target = source / name
            if not target.exists() or target.read_text(encoding="utf-8") != text:
                target.write_text(text, encoding="utf-8")
                changed = True
        if not changed:
            return
        module.unlink(missing_ok=True)
        spec = importlib.util.spec_from_file_location("compiler", "bgrace/embed/compiler.py")
        assert spec is not None
        assert spec.loader is not None
        compiler = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(compiler)
        if not compiler.has_compiler():
            print("bgrace: the engine for pages is left out; it is compiled when first asked for, if ziglang is there")
            return
        try:
            compiler.compile_module(source, module)
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"ziglang cannot compile the WebAssembly module:\n{error.stderr}") from error


setup(
    cmdclass={"build_ext": BuildExt},
    libraries=[
        (
            "bgrace_core",
            {"sources": SOURCES, "obj_deps": {"": HEADERS}, "include_dirs": ["csrc"], "cflags": flags},
        )
    ],
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
