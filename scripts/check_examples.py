"""Ask the examples the same position IDs: check_examples.py [N [RECORDED]].

Compiles examples/ids.c and ids.cc and the crate with its ids.rs, where there are compilers, runs ids.js, where there is
node, and says if they print the same for 1,000 positions, unless told otherwise: RECORDED of them, or all, are recorded
races, and the others ends of races, which are answered in no time.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from check_page_engine import node
from make_packages import make_rust

import bgrace
from bgrace import embed
from bgrace.errors import DependencyError

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def position_ids(n: int) -> list[str]:
    """Position IDs of recorded races, all through the file."""
    ids = (ROOT / "data" / "recorded-races.txt").read_text(encoding="utf-8").split()
    return [one[:14] for one in ids[:: max(len(ids) // n, 1)][:n]]


def endings(n: int, seed: int = 1) -> list[str]:
    """Position IDs of pairs of up to four checkers a side, the same ones everywhere."""
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < n:
        sides = []
        for _ in range(2):
            counts = [0] * 6
            for _ in range(chance.randint(1, 4)):
                counts[chance.randrange(6)] += 1
            sides.append(tuple(counts))
        found.append(bgrace.gnubg_position_id(*sides))
    return found


def questions(n: int, n_recorded: int) -> list[str]:
    """So many position IDs of recorded races, and others up to n."""
    return position_ids(n_recorded) + endings(n - n_recorded)


def commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each language that can be had, with the command that runs its example."""
    static = embed.libs(static=True)
    compilers = {
        "c": ["cc", "-std=c11", "-O2", *embed.cflags(), str(EXAMPLES / "ids.c"), *static],
        "cc": ["c++", "-std=c++17", "-O2", *embed.cflags(), str(EXAMPLES / "ids.cc"), *static],
    }
    for name, command in compilers.items():
        if shutil.which(command[0]):
            subprocess.run([*command, "-o", str(folder / name)], check=True, capture_output=True, cwd=folder)
            yield name, [str(folder / name)]
    if shutil.which("cargo"):
        make_rust(folder / "rust")
        build = ["cargo", "build", "--offline", "--quiet", "--release", "--example", "ids"]
        subprocess.run(build, check=True, capture_output=True, cwd=folder / "rust")
        yield "rs", [str(folder / "rust/target/release/examples/ids")]
    if runner := node():
        with suppress(DependencyError):  # without a compiler of the WebAssembly module
            yield "js", [*runner, str(EXAMPLES / "ids.js"), str(embed.javascript_dir()), str(embed.wasm_module())]


def answers(command: list[str], ids: list[str]) -> list[str]:
    """What an example prints."""
    text = "".join(f"{one}\n" for one in ids)
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    ids = questions(n, int(sys.argv[2]) if len(sys.argv) > 2 else n)
    with tempfile.TemporaryDirectory() as folder:
        found = {name: answers(command, ids) for name, command in commands(Path(folder))}
    first = found["c"]
    for name, lines in found.items():
        print(f"ids.{name}: {len(lines)} answers, {sum(a != b for a, b in zip(first, lines, strict=True))} differ")
    sys.exit(any(lines != first for lines in found.values()))


if __name__ == "__main__":
    main()
