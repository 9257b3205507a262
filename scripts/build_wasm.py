"""Compile the C library to a WebAssembly module: build_wasm.py [FOLDER].

The module goes to bgrace/embed/lib/bgrace.wasm, as ``python setup.py build_ext --inplace`` puts it there, or into a
folder; and its size and SHA-256 are printed.
"""

import hashlib
import sys
from pathlib import Path

from bgrace.embed import library_dir, wasm_sources
from bgrace.embed.compiler import compile_module


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else library_dir()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "bgrace.wasm"
    compile_module(wasm_sources(), target)
    data = target.read_bytes()
    print(f"{target}: {len(data):,} bytes, {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
