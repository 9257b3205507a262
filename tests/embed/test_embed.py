"""Engines use the C library as two files or a library, by pkg-config or CMake, from C, C++ or Rust, on any system."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
from helpers.boards import scattered
from helpers.command import call, complaint, ran
from helpers.compilers import skip_without_zig
from helpers.paths import ROOT

import bgrace
from bgrace import embed

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
UNOPTIMISED = ["-DCMAKE_BUILD_TYPE=Debug", *(["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else [])]
"""For CMake, because these tests try how the library is found, not how it answers."""
PROJECT = "cmake_minimum_required(VERSION 3.16)\nproject(engine C)\n"
PAIR = ("2,2,2,0,0,0", "0,1,1,1,1,1")


def needs(program: str, package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs {program}: the Debian package {package}")


def begin_project(folder: Path, library: str, example: str) -> None:
    """Write a project of CMake that links an example with each of both libraries."""
    (folder / "CMakeLists.txt").write_text(
        f"{PROJECT}{library}\nforeach(kind bgrace shared)\n"
        f'add_executable({example}-${{kind}} "{ROOT}/examples/{example}.c")\n'
        f"target_link_libraries({example}-${{kind}} bgrace::${{kind}})\nendforeach()\n"
    )


def in_any_folder(folder: Path) -> dict[str, str]:
    """Return an environment in which ccache knows a file in another folder again."""
    return os.environ | {"CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(folder)}


@cache
def flags(*options: str) -> list[str]:
    """Run ``python -m bgrace.embed`` and split its output."""
    return shlex.split(call(sys.executable, "-m", "bgrace.embed", *options, cwd=ROOT))


@pytest.fixture(scope="module")
def answers(database: bgrace.Database) -> str:
    """Write the output that an example engine must have for a pair."""
    equities = database.equities(*PAIR)
    values = (equities.cubeless, equities.centered, equities.mine, equities.theirs)
    return (
        f"expected pip count {database.epc(PAIR[0]):.6f}\n"
        f"win probability {database.win_probability(*PAIR):.6f} (exact)\n"
        f"equities {' '.join(f'{value:.6f}' for value in values)}\n"
        f"cube {database.cube_action(*PAIR).verdict}\n"
    )


# ---------------------------------------------------------------------- an engine in C


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the example in C as its comment says."""
    target = tmp_path_factory.mktemp("engine") / "engine"
    source = ROOT / "examples/engine.c"
    call("cc", "-std=c11", *STRICT, *flags("--cflags"), source, *flags("--libs", "--static"), "-o", target)
    return target


@pytest.mark.parametrize("roll", ["31", "66", "21", "44"])
def test_the_example_in_c_answers_as_python_does(
    engine: Path, answers: str, database: bgrace.Database, database_path: Path, roll: str
) -> None:
    *general, best = call(engine, database_path, *PAIR, roll).splitlines()
    assert "".join(f"{line}\n" for line in general) == answers
    match = re.fullmatch(r"best play leaves ([\d,]+) worth (\S+)", best)
    assert match
    plays = {play.position: play.equity for play in database.best_plays(*PAIR, roll)}
    left = tuple(int(count) for count in match[1].split(","))
    assert plays[bgrace.Position(left)] == max(plays.values()) == pytest.approx(float(match[2]), abs=1e-6)


def test_the_example_in_c_reports_errors(engine: Path, database_path: Path, tmp_path: Path) -> None:
    (tmp_path / "x.h5").write_text("nothing")
    for path, pair, text in (
        (tmp_path / "x.h5", PAIR, "x.h5: not a bgrace database"),
        (tmp_path / "y.h5", PAIR, "y.h5: cannot open the file"),
        (database_path, ("1,1,0,0,0,0,9", "1,0,0,0,0,0"), "1,1,0,0,0,0,9: a count is negative"),
        (database_path, ("1,1,0,0,0,0", "0,0,0,0,0,0"), "the game is over"),
        (database_path, ("0,0,0,0,0,0", "1,1,0,0,0,0"), "the game is over"),
    ):
        assert text in complaint(engine, path, *pair, "31")


@needs("rustc", "rustc")
def test_the_example_in_rust_answers_as_python_does(answers: str, database_path: Path, tmp_path: Path) -> None:
    target = tmp_path / "engine"
    call("rustc", "-L", *flags("--libdir"), "-l", "static=bgrace", ROOT / "examples/engine.rs", "-o", target)
    assert call(target, database_path, *PAIR) == answers
    assert "too many checkers" in complaint(target, database_path, "99,0,0,0,0,0", PAIR[1])


# ---------------------------------------------------------------------- ways to use the library


@pytest.mark.platforms
@pytest.mark.parametrize("installed", ["by the package", "by cmake"])
@needs("cmake", "cmake")
@needs("pkg-config", "pkgconf")
def test_pkg_config_and_cmake_find_it(answers: str, database_path: Path, tmp_path: Path, installed: str) -> None:
    library = embed.library_dir()
    if installed == "by cmake":
        shutil.copytree(ROOT / "csrc", tmp_path / "csrc")  # csrc needs no other folder
        call("cmake", "-S", tmp_path / "csrc", "-B", tmp_path / "library", *UNOPTIMISED)
        call("cmake", "--build", tmp_path / "library", env=in_any_folder(tmp_path))
        call("cmake", "--install", tmp_path / "library", "--prefix", tmp_path / "prefix")
        library = tmp_path / "prefix/lib"
        assert (tmp_path / "library/bgrace.c").read_bytes() == embed.sources()[-1].read_bytes()
    where = os.environ | {"PKG_CONFIG_PATH": str(library / "pkgconfig")}
    words = call("pkg-config", "--cflags", "--libs", "bgrace", env=where).split()
    call("cc", "-std=c11", ROOT / "examples/engine.c", *words, "-o", tmp_path / "engine")
    assert call(tmp_path / "engine", database_path, *PAIR, "31").startswith(answers)
    version = bgrace.__version__
    assert call("pkg-config", "--modversion", "bgrace", env=where).strip() == version

    folder = tmp_path / "project"
    folder.mkdir()
    begin_project(folder, f"find_package(bgrace {version.rpartition('.')[0]} REQUIRED)", "engine")
    call("cmake", "-S", folder, "-B", folder / "build", f"-Dbgrace_DIR={library / 'cmake/bgrace'}")
    call("cmake", "--build", folder / "build")
    for program in ("engine-bgrace", "engine-shared"):
        assert call(folder / "build" / program, database_path, *PAIR, "31").startswith(answers)


@pytest.mark.platforms
@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        *(("0.1", False), ("0.2.99", False), ("0.1...0.1.9", False)),
        *((f"0.1...<{bgrace.__version__}", False), (f"0.1...{bgrace.__version__}", True), ("0.1...99", True)),
    ],
)
@needs("cmake", "cmake")
def test_cmake_finds_versions_of_another_series_only_by_a_range(tmp_path: Path, wanted: str, found: bool) -> None:
    (tmp_path / "CMakeLists.txt").write_text(f"{PROJECT}find_package(bgrace {wanted} REQUIRED)\n")
    done = ran(["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-Dbgrace_DIR={embed.cmake_dir()}"])
    assert (done.returncode == 0) == found, done.stderr
    assert found or f"version: {bgrace.__version__}" in done.stderr


@pytest.mark.platforms
@needs("cmake", "cmake")
def test_a_project_of_cmake_can_include_the_library(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "csrc", tmp_path / "csrc")
    begin_project(tmp_path, "add_subdirectory(csrc)", "race")
    call("cmake", "-S", tmp_path, "-B", tmp_path / "build", *UNOPTIMISED)
    call("cmake", "--build", tmp_path / "build", env=in_any_folder(tmp_path))
    call("cc", "-std=c11", ROOT / "examples/race.c", *flags("--cflags"), *flags("--libs"), "-o", tmp_path / "race")
    race = ("0,2,2,1,1,1", "1,1,2,2,1,0,1", "31")
    for program in ("race-bgrace", "race-shared"):
        assert call(tmp_path / "build" / program, *race) == call(tmp_path / "race", *race)


def test_shells_can_use_paths_with_any_letters(tmp_path: Path) -> None:
    """Words with a blank need `eval`."""
    (tmp_path / "copies").mkdir()
    for name, copy in (
        ("größer", 'cp $("$0" -m bgrace.embed --sources) .'),
        ("a ö", 'eval cp $("$0" -m bgrace.embed --sources) .'),
    ):
        folder = tmp_path / name
        shutil.copytree(ROOT / "bgrace", folder / "bgrace", ignore=shutil.ignore_patterns("*.wasm"))
        script = f'test -d "$("$0" -m bgrace.embed --libdir)" && {copy} && ls && rm *'
        for locale in ("C", "C.UTF-8"):
            env = os.environ | {"PYTHONPATH": str(folder), "LC_ALL": locale}
            assert "bgrace.c\n" in call("sh", "-c", script, sys.executable, cwd=tmp_path / "copies", env=env)
    assert "No space left" in complaint("sh", "-c", '"$0" -m bgrace.embed --cflags >/dev/full', sys.executable)


def test_embed_without_an_option_prints_its_options() -> None:
    assert "--cflags" in complaint(sys.executable, "-m", "bgrace.embed", status=2, cwd=ROOT)


# ---------------------------------------------------------------------- languages and systems


@pytest.mark.parametrize(
    ("compiler", "standard"),
    [
        pytest.param("c++", "c++11", marks=needs("c++", "g++")),
        pytest.param("c++", "c++20", marks=needs("c++", "g++")),
        ("cc", "c11"),
        ("cc", "c2x"),
    ],
)
def test_headers_compile_without_warnings(tmp_path: Path, compiler: str, standard: str) -> None:
    source = tmp_path / ("x.cc" if "++" in standard else "x.c")
    source.write_text(
        "".join(f'#include "{path.name}"\n' * 2 for path in reversed(embed.sources()[:-1]))
        + "int main(void) { return bgr_strerror(BGR_OK)[0] == 0; }\n"
    )
    libraries = flags("--libs", "--static")
    call(compiler, f"-std={standard}", *STRICT, *flags("--cflags"), source, *libraries, "-o", tmp_path / "x")
    call(tmp_path / "x")


@pytest.mark.platforms
@pytest.mark.parametrize("target", ["x86_64-windows-gnu", "aarch64-macos", "riscv64-linux-musl"])
def test_the_library_compiles_for_other_systems(tmp_path: Path, target: str) -> None:
    skip_without_zig()
    header, *_, source = embed.sources()
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-std=c11", "-O0", *STRICT]
    command += ["-fno-sanitize=undefined"]  # which zig turns on, and which doubles the time
    call(*command, f"-I{header.parent}", "-c", source, "-o", tmp_path / "bgrace.o")
    assert (tmp_path / "bgrace.o").stat().st_size > 1000


# ---------------------------------------------------------------------- pages about it


def page_program(name: str, begins: str = "") -> tuple[str, str]:
    """Find the C program of a page, and the output that the page shows."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    program = re.search(r"^```c\n(#include.*?)^```$", page, re.MULTILINE | re.DOTALL)
    shown = re.search(rf"^```text\n({begins}.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert program
    assert shown
    return program[1], shown[1]


def compiled(text: str, folder: Path) -> Path:
    (folder / "engine.c").write_text(text, encoding="utf-8")
    libraries = flags("--libs", "--static")
    call("cc", "-std=c11", *STRICT, *flags("--cflags"), "engine.c", *libraries, "-o", "engine", cwd=folder)
    return folder / "engine"


@pytest.mark.parametrize(("name", "begins"), [("first-engine.md", ""), ("embedding.md", "win ")])
def test_the_program_of_a_page_prints_its_output(database_path: Path, tmp_path: Path, name: str, begins: str) -> None:
    program, shown = page_program(name, begins)
    shutil.copy(database_path, tmp_path / "bearoff.h5")
    assert call(compiled(program, tmp_path), cwd=tmp_path) == shown


def test_the_program_of_the_first_page_answers_many_races(tmp_path: Path) -> None:
    """Up to 15 checkers a side, on up to 24 points together."""
    text, n_read = re.subn(
        r"int main\(void\)\n\{\n.*?;\n",
        "#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int8_t on_roll[24] = {0}, opponent[24] = {0};\n"
        "    for (int k = 1; k < argc; k++)\n"
        "        (k > 24 ? opponent : on_roll)[(k - 1) % 24] = (int8_t)atoi(argv[k]);\n",
        page_program("first-engine.md")[0],
    )
    text = text.replace("6, on_roll", "24, on_roll").replace(".dice", ".seconds = 0.05, .dice")  # a short budget
    engine = compiled(text, tmp_path)
    rng = random.Random(7)
    assert n_read == 1
    for number in range(3):
        reach = rng.choice((6, 12, 18)) if number else 12
        counts: list[int] = []
        for highest in (reach, 24 - reach):
            counts += scattered(rng, highest, rng.randint(1, 15) if number else 15)
            counts += [0] * (24 - highest)
        printed = call(engine, *map(str, counts), cwd=tmp_path)
        assert re.search(r"^31: (\d+/(\d+|off)(\(2\))?( |$)?)+ ?is worth [+-]\d", printed, re.MULTILINE), printed
