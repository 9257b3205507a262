"""Write the types of the kernels beside them, for type checkers: kernel_types.py.  setup.py calls it at each build.

A .pyi has what its .pyx declares: C's numbers as int, float and bool, views as arrays of their numbers.  Where C does
not tell, the .pyx is annotated as Python is: what a function returns, and arguments and attributes that are objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HEAD: Final = """\
from collections.abc import Sequence
from typing import Final, Literal, TypeVar

import numpy as np
import numpy.typing as npt
from _typeshed import ReadableBuffer

from bgrace._kernels.kinds import *
"""

NUMBERS: Final = {"double": "float64", "float": "float32", "int": "intc", "unsigned char": "uint8"}

DEFINED: Final = re.compile(
    r"""^(?P<indent>\ *)(?:
    (?P<property>@property\n\ *)?def\ (?P<name>\w+)\((?P<arguments>.*?)\)(?:\ ->\ (?P<gives>[^\n]+?))?:\ *(?:\#[^\n]*)?$
    |(?:cdef\ )?class\ (?P<kind>\w+(?:\(\w+\))?):$
    |cdef\ readonly\ (?P<read>[\w.\ ]+?)\ (?P<field>\w+)(?:\ *\#\ type:\ (?P<as>[^\n]+))?$
    |(?P<constants>[A-Z][A-Z_]*(?:,\ [A-Z_]+)*)(?::\ (?P<of>[^\n=]+?))?\ =[ ]
    |from\ (?P<room>bgrace\._kernels\.\w+)\ cimport\ (?P<classes>[^\n]+)$)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


def python_type(declared: str) -> str:
    """The type that a Python caller gives or gets, of one that is declared in C."""
    words = declared.replace("const ", "").strip()
    view = re.fullmatch(r"([\w ]+?)\[[:, 1]+\]", words)
    if view:
        return f"npt.NDArray[np.{NUMBERS.get(view[1], view[1].removesuffix('_t'))}]"
    if words == "double":
        return "float"
    if words == "bint":
        return "bool"
    return "int" if re.fullmatch(r"u?int\d*(_t)?|unsigned", words) else words


def arguments(listed: str) -> Iterator[str]:
    """Arguments of a function of a .pyx as those of a .pyi."""
    one = ""
    for part in filter(str.strip, re.sub(r"#.*", "", listed).split(",")):
        one = f"{one},{part}" if one else part.strip()
        if any(one.count(opening) > one.count(closing) for opening, closing in ("[]", "()")):
            continue  # a comma within brackets
        found = re.fullmatch(r"(.*?)(\w+|\*)(?: not None)?(?:: ?([^=]+?))?(?:\s*=\s*(.+))?", one.strip(), re.DOTALL)
        if not found:
            raise SystemExit(f"{one!r} cannot be read as an argument")
        declared, name, annotated, default = found.groups()
        kind = annotated or python_type(declared)
        yield name + (f": {kind}" if kind else "") + (f" = {default}" if default else "")
        one = ""


def types_of(source: str) -> str:
    """The .pyi of a .pyx."""
    lines, rooms = [], []
    for found in DEFINED.finditer(source):
        indent, name = found["indent"], found["name"]
        if found["room"]:
            classes = [each for each in found["classes"].split(", ") if each.istitle() or each == "OpenFile"]
            rooms += [f"from {found['room']} import {', '.join(classes)}\n"] if classes else []
        elif found["kind"]:
            lines.append(f"{indent}class {found['kind']}:\n{indent}    ...\n")
        elif found["field"]:
            lines.append(f"{indent}{found['field']}: {found['as'] or python_type(found['read'])}\n")
        elif found["constants"]:
            lines += [f"{each}: {found['of'] or 'Final[int]'}\n" for each in found["constants"].split(", ")]
        elif name and not re.fullmatch(r"__(?:dealloc|reduce)__|_[a-z]\w*", name):
            if name == "__cinit__":
                if found["arguments"] == "self":
                    continue
                name = "__init__"
            if found["property"]:
                lines.append(f"{indent}@property\n")
            lines.append(f"{indent}def {name}({', '.join(arguments(found['arguments']))}) -> {found['gives']}: ...\n")
    return "".join([HEAD, *rooms, *lines])


def write_types(folder: Path = Path("bgrace/_kernels")) -> None:
    """Write them for all kernels."""
    for source in sorted(folder.glob("*.pyx")):
        source.with_suffix(".pyi").write_text(types_of(source.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write_types()
