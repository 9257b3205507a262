"""Write the packages for npm and crates.io into a folder, as they are published.

    python scripts/make_packages.py FOLDER [--tsc TSC]

FOLDER/rust is a workspace of two crates with the one C file of the library inside (`cargo package --workspace`), and
FOLDER/npm a package with the WebAssembly module and the page's engine (`npm pack`).  The TypeScript compiler makes the
types of the npm package from the JSDoc: that of tests/apps/web, or TSC; without one there is no npm package.  Older
files are replaced.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import click

from bgrace import embed

ROOT = Path(__file__).resolve().parents[1]
TSC = ROOT / "tests/apps/web/node_modules/.bin/tsc"
TYPES = ("--allowJs", "--declaration", "--emitDeclarationOnly", "--target", "es2022", "--module", "nodenext", "--lib")


def make_rust(folder: Path) -> None:
    """Write the workspace, without files that a build has left in the tree."""
    left = shutil.ignore_patterns("target", "Cargo.lock")
    shutil.copytree(ROOT / "packages/rust", folder, ignore=left, dirs_exist_ok=True)
    code = folder / "bgrace-sys/c"
    code.mkdir(exist_ok=True)
    subprocess.run([sys.executable, ROOT / "csrc/one_file.py", code / "bgrace.c"], check=True)
    for header in (ROOT / "csrc").glob("bgrace*.h"):
        shutil.copy(header, code)


def make_npm(folder: Path, tsc: Path) -> None:
    """Write the package, with types."""
    shutil.copytree(ROOT / "packages/npm", folder, dirs_exist_ok=True)
    for source in (*embed.javascript_dir().glob("*.js"), ROOT / "LICENSE"):
        shutil.copy(source, folder)
    shutil.copy(embed.wasm_module(), folder / "bgrace.wasm")  # a module from the cache has another name
    types = [*TYPES, "es2023,dom", "--strict", "--skipLibCheck", "--outDir", "."]
    subprocess.run([tsc, *types, "browser.js", "node.js"], cwd=folder, check=True)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--tsc", type=click.Path(path_type=Path), default=TSC)
def main(folder: Path, tsc: Path) -> None:
    make_rust(folder / "rust")
    if not tsc.exists():
        made = f"{folder / 'rust'} is complete, but there is no npm package"
        raise click.ClickException(f"{made}: {tsc} does not exist; run npm ci in tests/apps/web, or give --tsc")
    make_npm(folder / "npm", tsc.resolve())


if __name__ == "__main__":
    main()
