"""Write the interfaces of the kernels: declarations of C for Cython, and types for Python.  setup.py calls this.

bgrace/_kernels/cbgrace.pxd gets every constant, type and function of the headers of csrc that a .pyx names, and
whatever those need in turn.  A .pyi gets the types of its .pyx: numbers of C as int, float and bool, views as
arrays.  Where C has no type, the .pyx is annotated like Python: results of functions, and arguments and attributes
that are objects.

The WebAssembly module begins with the functions of the headers that its scripts call, and with a table of the
structures that they read.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# ---------------------------------------------------------------------- declarations, from headers

PXD_HEAD: Final = """\
# Written by scripts/kernel_interfaces.py.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, intptr_t, uint8_t, uint16_t, uint32_t, uint64_t
"""

NAME: Final = re.compile(r"\b(?:bgr|BGR)_\w+")
STATEMENT: Final = re.compile(
    r"#define (?P<macro>BGR_\w+) (?P<value>[^\n]+)"
    r"|typedef (?P<kind>enum|struct)(?: \w+)? \{(?P<members>(?:[^{}]|\{[^{}]*\})*)\} (?P<type>bgr_\w+);"
    r"|typedef struct (?P<opaque>bgr_\w+) (?P=opaque);"
    r"|typedef (?P<pointer>[\w *]+(?:\(\*(?P<called>bgr_\w+)\)| (?P<named>bgr_\w+)\[)[^;{}]*);"
    r"|enum(?: \w+)? \{(?P<constants>[^{}]*)\};"
    r"|(?P<function>[\w *]+?\b(?P<name>bgr_\w+)\([^;{}]*\))(?=;| *\n? *\{)"
)


def statements(text: str) -> dict[str, tuple[str, str]]:
    """Read a header: by name the declaration in Cython, and its text in C."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found: dict[str, tuple[str, str]] = {}
    for part in STATEMENT.finditer(text):
        text_of_part = part[0]
        if part["macro"]:
            kind = re.match(r"\(\((bgr_\w+)\)", part["value"])
            name, lines = part["macro"], [f"{kind[1]} {part['macro']}"] if kind else ["enum:", f"    {part['macro']}"]
        elif part["kind"] == "enum" or part["constants"]:
            names = [each.split()[0] for each in (part["members"] or part["constants"]).split(",") if each.strip()]
            name = part["type"] or names[0]
            # Cython before 3.3 takes no constant of a named enum for the length of an array.
            lines = [f"ctypedef int {name}"] if part["type"] else []
            lines += ["enum:", *(f"    {each}" for each in names)]
            found |= {each: ("", name) for each in names if each != name}
        elif part["kind"]:
            name = part["type"]
            members = [each for each in part["members"].split(";") if each.strip()]
            known = [] if "{" in part["members"] else [in_cython(" ".join(each.split())) for each in members]
            lines = [f"ctypedef struct {name}:", *(f"    {each}" for each in known or ["pass"])]
        else:
            name = part["opaque"] or part["called"] or part["named"] or part["name"]
            one = part["function"] or f"ctypedef {part['pointer']}"
            lines = [in_cython(" ".join(one.replace("static inline ", "").split()))]
            if part["opaque"]:
                lines = [f"ctypedef struct {name}"]
        found.setdefault(name, ("\n".join(f"    {line}" for line in lines), text_of_part))
    return found


def in_cython(declared: str) -> str:
    """Turn a declaration of C into Cython, without (void) and keywords of Python; functions run without the GIL."""
    declared = re.sub(r"\b(struct|enum) (?=bgr_)", "", declared.replace("(void)", "()"))
    for word in filter(keyword.iskeyword, re.findall(r"\w+", declared)):
        declared = re.sub(rf"\b{word}\b", f"{word}_" if "(" in declared else f'{word}_ "{word}"', declared)
    if "(*" in declared:
        declared = re.sub(r"(\(\*\w+\)\([^()]*\))", r"\1 noexcept nogil", declared)
        if declared.count("(*") > 1:
            declared += " noexcept nogil"
    return declared


def declarations(csrc: Path, sources: str) -> str:
    """Write the .pxd for kernels with these sources."""
    headers = sorted(csrc.rglob("*.h"))
    ordered: dict[Path, None] = {}

    def include(header: Path) -> None:
        for name in re.findall(r'^#include "([^"]+)"', header.read_text(encoding="utf-8"), re.MULTILINE):
            if (csrc / name) not in ordered:
                include(csrc / name)
        ordered[header] = None

    for header in headers:
        if "wasm" not in header.parts:
            include(header)
    known = {header: statements(header.read_text(encoding="utf-8")) for header in ordered}
    texts = {name: text for header in reversed(ordered) for name, (_, text) in known[header].items()}
    needed: set[str] = set()
    wanted = set(NAME.findall(sources))
    while wanted:
        name = wanted.pop()
        if name in texts and name not in needed:
            needed.add(name)
            wanted |= set(NAME.findall(texts[name]))
    text, written = PXD_HEAD, set[str]()
    for header, declared in known.items():
        lines = [each for name, (each, _) in declared.items() if each and name in needed - written]
        written |= declared.keys()
        if lines:
            text += f'\ncdef extern from "{header.relative_to(csrc).as_posix()}" nogil:\n' + "\n".join(lines) + "\n"
    return text


def write_declarations(folder: Path = Path("bgrace/_kernels"), csrc: Path = Path("csrc")) -> None:
    """Write the .pxd if it has changed; a new one has everything compiled again."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.pyx")))
    sources += "\n".join(p.read_text(encoding="utf-8") for p in sorted(folder.glob("*.pxd")) if p.stem != "cbgrace")
    target, text = folder / "cbgrace.pxd", declarations(csrc, sources)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


# ---------------------------------------------------------------------- types, from kernels

PYI_HEAD: Final = """\
from array import array
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
    """Return the Python type of a type of C."""
    words = declared.replace("const ", "").strip()
    view = re.fullmatch(r"([\w ]+?)\[[:, 1]+\]", words)
    if view:
        kind = f"npt.NDArray[np.{NUMBERS.get(view[1], view[1].removesuffix('_t'))}]"
        if not declared.startswith("const ") or view[1] not in ("double", "int8_t"):
            return kind
        number = "float" if view[1] == "double" else "int"  # a view that is only read takes other arrays, too
        return f"{kind} | array[{number}] | memoryview[{number}]"
    if words == "double":
        return "float"
    if words == "bint":
        return "bool"
    return "int" if re.fullmatch(r"u?int\d*(_t)?|unsigned", words) else words


def arguments(listed: str) -> Iterator[str]:
    """Write the arguments of a function of a .pyx as those of a .pyi."""
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
    """Write the .pyi of a .pyx."""
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
    return "".join([PYI_HEAD, *rooms, *lines])


def write_types(folder: Path = Path("bgrace/_kernels")) -> None:
    """Write the .pyi of every kernel."""
    for source in sorted(folder.glob("*.pyx")):
        source.with_suffix(".pyi").write_text(types_of(source.read_text(encoding="utf-8")), encoding="utf-8")


# ---------------------------------------------------------------------- structures, for pages

KINDS: Final = {"double": "d", "int": "i", "int64_t": "l", "uint64_t": "l", "size_t": "i", "int8_t": "b", "char": "c"}
"""Letters that tell memory.js how to read a member; "o" is for a structure, "s" for a pointer to text."""

PAGE_HEAD: Final = """\
#include "bgrace.h"
#include "bgrace_contact.h"
#include "bgrace_prove.h"
#include "bgrace_why.h"
#include <stddef.h>
"""


def page_interface(headers: list[Path], scripts: str) -> str:
    """Write the beginning of bgrace-page.c: exports of the functions that pages call, and a table of structures.

    The scripts of bgrace/embed/js name structures in quotation marks.  A line without a letter begins one; each other
    line has the letter, the first byte, the bytes and the name of a member.
    """
    text = "".join(re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL) for header in headers)
    structures = dict(re.findall(r"typedef struct (bgr_\w+) \{(.*?)\} \1;", text, re.DOTALL))
    lines = [PAGE_HEAD]
    for name in sorted({*re.findall(r"\bcalls\.(bgr_\w+)", scripts)}):
        lines.append(f'__typeof__({name}) {name} __attribute__((export_name("{name}")));\n')
    lines.append("typedef struct { const char *of; int kind, at, size; const char *name; } page_member;\n")
    lines.append("static const page_member page_members[] = {\n")
    wanted = sorted({*re.findall(r'"(bgr_\w+)"', scripts)})
    for name in wanted:
        lines.append(f'{{"{name}", 0, 0, sizeof({name}), 0}},\n')
        for kind, listed in re.findall(r"^ *(?:const )?(\w+) ([^;()]+);", structures[name], re.MULTILINE):
            for member in listed.split(","):
                label = re.findall(r"\w+", member.partition("[")[0])[-1]
                letter = KINDS.get(kind, "o" if kind in structures else "i")
                if "*" in member:
                    letter = "s" if kind == "char" else "i"
                of = kind if letter == "o" else ""
                if of and of not in wanted:
                    wanted.append(of)
                place = f"offsetof({name}, {label}), sizeof((({name} *)0)->{label})"
                lines.append(f'{{"{of}", \'{letter}\', {place}, "{label}"}},\n')
    lines.append("{0, 0, 0, 0, 0}};\n")
    lines.append(
        '__attribute__((export_name("page_members"))) const void *page_members_of(void) { return page_members; }\n'
    )
    return "".join(lines)
