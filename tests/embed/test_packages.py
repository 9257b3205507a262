"""The packages for npm and crates.io work in an empty project; archives of the source have a fresh module."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import tarfile
from pathlib import Path
from shutil import which

import pytest
from click.testing import CliRunner
from helpers.command import call
from helpers.compilers import FOR_CARGO, skip_without_zig
from helpers.paths import ROOT
from make_packages import TSC, main, make_npm, make_rust

import bgrace
from bgrace import embed

pytestmark = pytest.mark.platforms

ASK = """\
import { loadEngine, startEngine } from "bgrace";
const question = { onRoll: [2, 2, 1, 1, 2, 1], opponent: [1, 1, 2, 1, 2, 2], budget: { seconds: 0.02 } };
const engine = await loadEngine();
const here = engine.solve(question).win_probability;
const remote = await startEngine();
const there = (await remote.solve(question)).win_probability;
const match = { onRollNeeds: 3, opponentNeeds: 5 }, few = { onRoll: [2, 1], opponent: [1, 1, 1], stakes: { match } };
const after = { onRoll: [1, 1, 1], opponent: [0, 1] };
await remote.solve(few);
const followed = await remote.follow(after);
const long = { onRoll: [0, 0, 0, 3, 4, 3, 5], opponent: [0, 0, 0, 5, 3, 4, 3] }, own = new AbortController();
const given = remote.solve(long, { signal: own.signal });
const asked = [given, ...[null, few].map((one) => remote.solve(one, { keep: true }))];
own.abort(new Error("mine"));
const told = (one) => one.then((found) => found.method, (error) => error.code ?? error.message);
const said = await Promise.all(asked.map(told));
remote.close();
const solved = engine.solve({ ...after, stakes: { match: { onRollNeeds: 5, opponentNeeds: 3 } } });
const off = followed.cube_action.no_double - solved.cube_action.no_double;
const same = Math.abs(off) < 1e-12 && followed.xgid === solved.xgid;
const before = engine.estimate(question).method;
const lost = engine.follow({ onRoll: [9], opponent: [9] });
const kept = engine.follow({ onRoll: [0, 1], opponent: [1] })?.method;
const { verdict, proved } = engine.prove(few);
const { method, error } = engine.solve({ ...question, estimate: true });
console.log(JSON.stringify([here, there, same, lost, verdict, proved, method, error > 0, said, before, kept]));
"""
TYPED = """\
import { loadEngine, RangeFile, type Turn, type Verdict } from "bgrace";
const engine = await loadEngine();
const turn: Turn = { onRoll: [1], opponent: [2], other: true };
const error: number | undefined = engine.follow(turn)?.error;
const file = await RangeFile.open("https://example.org/all.h5");
engine.reading(file, () => engine.open(file)).then((db) => db.info.points === error);
const verdict: Verdict = engine.solve({ onRoll: [2], opponent: [1] }).cube_action.verdict;
// @ts-expect-error: positions are numbers
engine.solve({ onRoll: "x", opponent: [verdict] });
"""
README_NAMES = "declare const onRoll: number[], opponent: number[], signal: AbortSignal;"
STRICT = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom")


@pytest.mark.skipif(not which("npm") or not TSC.exists(), reason="needs npm, and npm ci in tests/apps/web")
def test_the_npm_package_answers_in_an_empty_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_zig()
    cached = shutil.copy(embed.wasm_module(), tmp_path / "bgrace-0123456789abcdef.wasm")  # its name in the cache
    monkeypatch.setattr(embed, "wasm_module", lambda: cached)
    make_npm(tmp_path / "npm", TSC)
    call("npm", "pack", cwd=tmp_path / "npm")
    (packed,) = (tmp_path / "npm").glob("*.tgz")
    assert packed.stat().st_size < 400_000
    project = tmp_path / "project"
    project.mkdir()
    call("npm", "init", "-y", cwd=project)
    call("npm", "install", "--offline", "--no-audit", "--no-fund", packed, cwd=project)
    (project / "ask.mjs").write_text(ASK, encoding="utf-8")
    here, there, *others = json.loads(call("node", "ask.mjs", cwd=project))
    expected = bgrace.solve((2, 2, 1, 1, 2, 1), (1, 1, 2, 1, 2, 2), seconds=0.02, memory_bytes=1 << 29)
    assert here == there == expected.win_probability
    methods = [["mine", "POSITION", "solved"], "estimate", "solved"]
    assert others == [True, None, "double/pass", True, "estimate", True, *methods]
    examples = re.findall(r"```js\n(.*?)```", (ROOT / "packages/npm/README.md").read_text(encoding="utf-8"), re.DOTALL)
    (project / "ask.mts").write_text(TYPED, encoding="utf-8")
    (project / "readme.mts").write_text("\n".join([*examples, README_NAMES]), encoding="utf-8")
    call(TSC, *STRICT, "ask.mts", "readme.mts", cwd=project)


@pytest.mark.skipif(not which("cargo"), reason="needs cargo")
def test_the_crates_pass_their_tests_and_can_be_packaged(tmp_path: Path) -> None:
    for _ in range(2):  # the second time it replaces files
        make_rust(tmp_path / "rust")
    target = os.environ | FOR_CARGO | {"CARGO_TARGET_DIR": str(tmp_path / "target")}
    call("cargo", "test", "--offline", cwd=tmp_path / "rust", env=target)
    call("cargo", "package", "--offline", "--workspace", "--allow-dirty", cwd=tmp_path / "rust", env=target)
    with tarfile.open(next((tmp_path / "target/package").glob("bgrace-sys-*.crate"))) as crate:
        assert any(name.endswith("c/bgrace.c") for name in crate.getnames())


def test_a_missing_typescript_compiler_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(tmp_path), "--tsc", str(tmp_path / "tsc")])
    assert result.exit_code == 1
    assert "run npm ci in tests/apps/web, or give --tsc" in result.output


@pytest.mark.parametrize("changed", ["csrc/bgrace.h", "bgrace/embed/compiler.py", None])
def test_an_archive_has_no_module_of_changed_sources(
    changed: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("setuptools")
    for name in ("csrc", "scripts", "bgrace/_kernels", "bgrace/embed/compiler.py", "bgrace/embed/js", "setup.py"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    monkeypatch.setattr("Cython.Build.cythonize", lambda *_, **__: [])
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)  # without ziglang
    archive = runpy.run_path("setup.py")["build_wasm"]
    embedded, module = tmp_path / "bgrace/embed", tmp_path / "bgrace/embed/lib/bgrace.wasm"
    archive(embedded)
    module.write_bytes(b"module")
    archive(embedded)
    assert module.exists()
    if changed:
        source = Path(changed)
        source.write_text(source.read_text(encoding="utf-8").replace("-O2", "-O1") + "\n", encoding="utf-8")
        archive(embedded)
        assert not module.exists()
