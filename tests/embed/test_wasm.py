"""The library as WebAssembly: the module of pages, and bgrace.c compiled for wasm32-wasi."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_page_engine import node
from helpers.command import call
from helpers.compilers import skip_without_zig
from helpers.paths import SMALL

import bgrace
from bgrace import embed
from bgrace.errors import BuildError, DependencyError

skip_without_zig()

PROGRAM = r"""
#include "bgrace.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static unsigned char file[1 << 20];
    const int8_t on_roll[6] = {0, 1, 0, 1, 0, 1}, opponent[6] = {1, 0, 0, 0, 0, 2};
    const bgr_stakes money = {.size = sizeof money};
    bgr_db *db;
    bgr_solver *solver;
    bgr_answer *answer;
    bgr_chances chances;
    double win;
    if (bgr_open("bearoff.h5", BGR_MAP, &db) != BGR_ERR_OPEN)
        return 1;
    if (bgr_open_memory(file, fread(file, 1, sizeof file, stdin), &db) != BGR_OK || bgr_verify(db) != BGR_OK)
        return 2;
    if (bgr_probe_win_probability(db, 6, on_roll, opponent, &win, NULL) != BGR_OK)
        return 3;
    if (bgr_solver_new(&solver) != BGR_OK || bgr_ask(solver, 6, on_roll, opponent, &money, NULL, &answer) != BGR_OK)
        return 4;
    bgr_answer_chances(answer, &chances);
    printf("%.17g %.17g\n", win, chances.win);
    return 0;
}
"""

RUNNER = """
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";
const wasi = new WASI({ version: "preview1", returnOnExit: true });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
process.exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
"""


@pytest.mark.platforms
@pytest.mark.skipif(node() is None, reason="needs node")
def test_two_files_are_enough_for_wasi(tmp_path: Path) -> None:
    for source in embed.sources():
        shutil.copy(source, tmp_path)
    (tmp_path / "x.c").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "run.mjs").write_text(RUNNER, encoding="utf-8")
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "wasm32-wasi", "-mcpu=generic+simd128", "-std=c11", "-O1"]
    warnings = ["-Wall", "-Wextra", "-Werror"]
    call(*zig, *warnings, "x.c", "bgrace.c", "-o", "x.wasm", cwd=tmp_path)
    command = node()
    assert command is not None
    # Node.js 20 crashes in one of seven runs of WASI if several threads collect its memory.
    flags = ["--no-warnings", "--single-threaded"]
    with SMALL.open("rb") as file:
        printed = call(*command, *flags, "run.mjs", "x.wasm", cwd=tmp_path, stdin=file)
    pair = ((0, 1, 0, 1, 0, 1), (1, 0, 0, 0, 0, 2))
    with bgrace.open(SMALL) as db:
        expected = [db.win_probability(*pair), bgrace.solve(*pair).win_probability]
    assert [float(word) for word in printed.split()] == expected


def test_the_module_imports_nothing_of_a_system() -> None:
    assert b"wasi_snapshot_preview1" not in embed.wasm_module().read_bytes()


def test_a_missing_module_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "library_dir", lambda: tmp_path)  # without a module
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made: list[Path] = []

    def compile_module(folder: Path, target: Path) -> None:
        assert (folder / "bgrace-page.c").is_file()
        target.write_bytes(b"module")
        made.append(target)

    monkeypatch.setattr(embed, "compile_module", compile_module)
    assert embed.wasm_module() == embed.wasm_module() == made[0]
    assert len(made) == 1
    assert made[0].is_relative_to(tmp_path / "cache" / "bgrace") or sys.platform != "linux"


def test_a_module_that_cannot_be_compiled_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "library_dir", lambda: tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with monkeypatch.context() as patch:
        patch.setattr(embed, "has_compiler", lambda: False)
        with pytest.raises(DependencyError, match=r'pip install "bgrace\[wasm\]"'):
            embed.wasm_module()

    def fails(folder: Path, target: Path) -> None:
        raise subprocess.CalledProcessError(1, "zig", stderr="no such instruction")

    monkeypatch.setattr(embed, "compile_module", fails)
    with pytest.raises(BuildError, match="no such instruction"):
        embed.wasm_module()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    if sys.platform == "linux":
        with pytest.raises(BuildError, match="cannot be written"):
            embed.wasm_module()
