"""The types of the kernels, written by hand beside them, have the names and the arguments that were compiled."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from helpers.paths import ROOT

KERNELS = ROOT / "bgrace" / "_kernels"
STUBS = sorted(KERNELS.glob("*.pyi"))

Parameters = list[tuple[str, str | None]]
"""Names and defaults, as source; None where an argument has to be given.  What follows a "*" is given by name."""


def declared(stub: Path) -> dict[str, ast.stmt]:
    """What a stub declares, by name."""
    names: dict[str, ast.stmt] = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is None:
            names[node.target.id] = node
    return {name: node for name, node in names.items() if not name.startswith("_")}


def stub_parameters(function: ast.FunctionDef) -> Parameters:
    """Arguments of a function of a stub, without self."""
    assert not function.args.vararg
    listed = function.args.posonlyargs + function.args.args
    defaults = [None] * (len(listed) - len(function.args.defaults)) + function.args.defaults
    by_name = [(argument.arg, default) for argument, default in zip(listed, defaults, strict=True)]
    if function.args.kwonlyargs:
        by_name.append(("*", None))
        by_name += zip((each.arg for each in function.args.kwonlyargs), function.args.kw_defaults, strict=True)
    return [(name, repr(ast.literal_eval(d)) if d else None) for name, d in by_name if name != "self"]


def compiled_parameters(function: object) -> Parameters:
    """Arguments of a compiled function or method, without self."""
    parameters: Parameters = []
    for p in inspect.signature(function).parameters.values():  # type: ignore[arg-type]
        if p.kind is p.KEYWORD_ONLY and ("*", None) not in parameters:
            parameters.append(("*", None))
        if p.name != "self":
            parameters.append((p.name, None if p.default is p.empty else repr(p.default)))
    return parameters


def constructor_parameters(source: str, name: str) -> Parameters:
    """Arguments of a constructor, which a compiled class does not tell: from its .pyx."""
    body = source[source.index(f"cdef class {name}:") :].split("\ncdef class ", maxsplit=1)[0]
    found = re.search(r"def __init__\(\s*self,?\s*(.*?)\):\n", body, re.S)
    found = found if found and found[1] else re.search(r"def __cinit__\(\s*self,?\s*(.*?)\):\n", body, re.S)
    assert found
    text = re.sub(r"#.*|\[[^\]]*\]", "", found[1])
    parameters: Parameters = []
    for argument in filter(None, (part.strip() for part in text.split(","))):
        words, _, default = argument.partition("=")
        name = words.removesuffix(" not None").split()[-1]
        parameters.append((name, repr(ast.literal_eval(default)) if default else None))
    return parameters


def public(module: ModuleType, source: str) -> set[str]:
    """Public names that a kernel defines, in contrast to those that it imports."""
    imports = {word for line in re.findall(r"^.*\bc?import\b.*$", source, re.M) for word in re.findall(r"\w+", line)}
    return {name for name in vars(module) if not name.startswith("_")} - imports


def cases() -> Iterator[tuple[Path, str, ast.stmt]]:
    for stub in STUBS:
        for name, node in declared(stub).items():
            yield stub, name, node


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.stem)
def test_a_stub_has_the_names_of_its_kernel(stub: Path) -> None:
    module = import_module(f"bgrace._kernels.{stub.stem}")
    source = stub.with_suffix(".pyx").read_text(encoding="utf-8")
    types_only = set(re.findall(r"^(\w+): TypeAlias", stub.read_text(encoding="utf-8"), re.M))
    assert set(declared(stub)) - types_only == public(module, source)


def test_every_kernel_with_public_names_has_a_stub() -> None:
    for source in KERNELS.glob("*.pyx"):
        names = public(import_module(f"bgrace._kernels.{source.stem}"), source.read_text(encoding="utf-8"))
        assert source.with_suffix(".pyi") in STUBS or not names, source


@pytest.mark.parametrize(
    ("stub", "name", "node"), [pytest.param(*case, id=f"{case[0].stem}.{case[1]}") for case in cases()]
)
def test_arguments_are_those_that_were_compiled(stub: Path, name: str, node: ast.stmt) -> None:
    thing = getattr(import_module(f"bgrace._kernels.{stub.stem}"), name)
    if isinstance(node, ast.FunctionDef):
        assert stub_parameters(node) == compiled_parameters(thing)
    elif isinstance(node, ast.ClassDef):
        methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        fields = {ast.unparse(item.target) for item in node.body if isinstance(item, ast.AnnAssign)}
        compiled = {key for key in vars(thing) if not key.startswith("_")}
        assert {key for key in methods if not key.startswith("_")} | fields == compiled
        source = stub.with_suffix(".pyx").read_text(encoding="utf-8")
        if "__init__" in methods:
            assert stub_parameters(methods["__init__"]) == constructor_parameters(source, name)
        for key in compiled - fields:
            if "property" not in (ast.unparse(decorator) for decorator in methods[key].decorator_list):
                assert stub_parameters(methods[key]) == compiled_parameters(getattr(thing, key))
