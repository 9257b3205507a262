"""The types that a build writes beside the kernels have the names that were compiled, and their arguments."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path

import kernel_interfaces
import pytest
from helpers.paths import ROOT

KERNELS = sorted((ROOT / "bgrace" / "_kernels").glob("*.pyx"))


@pytest.mark.parametrize("source", KERNELS, ids=lambda source: source.stem)
def test_types_are_those_of_the_compiled_kernel(source: Path) -> None:
    module = import_module(f"bgrace._kernels.{source.stem}")
    written = kernel_interfaces.types_of(source.read_text(encoding="utf-8"))
    assert source.with_suffix(".pyi").read_text(encoding="utf-8") == written
    for node in ast.parse(written).body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args.args + node.args.kwonlyargs
            assert [each.arg for each in arguments] == list(inspect.signature(getattr(module, node.name)).parameters)
        elif isinstance(node, ast.ClassDef):
            methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            compiled = vars(getattr(module, node.name))
            assert methods <= compiled.keys() | {"__init__"}
            assert {name for name in compiled if not name.startswith("_")} <= methods | {
                ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)
            }
