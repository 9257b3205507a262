"""Write the C library as one file: ``python csrc/one_file.py bgrace.c``, with nothing but Python itself.

A name that two files have for themselves gets the name of its file before it, so that names need to be unique within
their files only.  Names that files have for each other become static; those of the four headers stay.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent

PUBLIC = ("bgrace.h", "bgrace_why.h", "bgrace_prove.h", "bgrace_contact.h")
"""The headers of programs."""

LIBRARY = (HERE / "library.txt").read_text(encoding="utf-8").split()
"""The C files of the library for engines; the first asks the system headers for what the others need too."""

# Headers have functions that others use.  The same bits everywhere: no compiler shall join a multiplication with an
# addition, nor calculate in the 80 bits of old.
BEFORE = """\
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \\
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "bgrace.c must be compiled without -ffast-math, which changes its answers: add -fno-fast-math"
#endif
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
#if defined(__i386__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SSE2_MATH__)
#pragma GCC target("sse2,fpmath=sse")
#endif
"""

AFTER = "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n"

INCLUDE = re.compile(r'^#include "(.+)"\n', re.MULTILINE)
OUTER = re.compile(r"^(?:extern +)?((?:const +)?\w+ (?:\w+ )*\**(bgr_\w+)(?:\(|\[| = |;|, ))", re.MULTILINE)
ENUM = re.compile(r"^(?:typedef )?enum(?: \w+)? \{(.*?)\}", re.MULTILINE | re.DOTALL)
COMMENT = r"/\*.*?\*/"
TEXT = rf"""{COMMENT}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
OWN = (
    re.compile(r"^static [^;={(\[]*?\b([a-z]\w*)(?=\(|\[| =|;)", re.MULTILINE),
    re.compile(r"^typedef [^{;]*?(\w+);", re.MULTILINE),
    re.compile(r"^(?:typedef [^;{}]*\{[^{}]*)?\} (\w+);", re.MULTILINE),
    re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+) \{", re.MULTILINE),
)
BODY = r"\b(?:struct|union)(?: \w+)? \{[^{}]*\}"
MACRO = re.compile(r"^ *# *define (\w+)", re.MULTILINE)


def own_names(text: str) -> set[str]:
    """Names that a file has for itself: static ones, types, and constants."""
    names = {name for pattern in OWN for name in pattern.findall(text)}
    for body in ENUM.findall(text):
        constants = re.sub(COMMENT, "", body, flags=re.DOTALL).split(",")
        names |= {constant.split()[0] for constant in constants if constant.split()}
    return names


def renamed(text: str, names: list[str], prefix: str) -> str:
    """Put a prefix before names, but for members of structs and words in texts."""
    word = rf"(?<!\.)(?<!->)\b({'|'.join(names)})\b"

    def replaced(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        if found[2]:
            return re.sub(rf"{word}(?! *[;,:\[])", rf"{prefix}_\1", found[2])
        return f"{prefix}_{found[3]}"

    return re.sub(rf"({TEXT})|({BODY})|{word}", replaced, text, flags=re.DOTALL)


def told_apart(texts: dict[str, str]) -> dict[str, str]:
    """Put a file's name before what another file calls the same, and end macros with the file that defines them."""
    own = {file: own_names(text) for file, text in texts.items()}
    macros = {file: set(MACRO.findall(text)) for file, text in texts.items()}
    n_owners = Counter(name for names in own.values() for name in names)
    n_definers = Counter(name for names in macros.values() for name in names)
    apart = {}
    for file, text in texts.items():
        twice = sorted(name for name in own[file] if n_owners[name] > 1)
        apart[file] = renamed(text, twice, re.sub(r"\W", "_", file.removesuffix(".c"))) if twice else text
        ends = sorted(name for name in macros[file] if n_definers[name] > 1 and f"#undef {name}\n" not in text)
        apart[file] += "".join(f"#undef {name}\n" for name in ends)
    return apart


def one_file(sources: list[str], folder: Path = HERE) -> str:
    """Write files as one, with the headers that they share inside; those of programs stay files of their own."""
    headers = [(folder / name).read_text(encoding="utf-8") for name in PUBLIC]
    exported = {name for text in headers for name in re.findall(r"\b(bgr_\w+)\(", text)}
    seen: set[str] = set()

    def with_parts(name: str) -> str:  # those that are written once, for several kinds of numbers
        text = (folder / name).read_text(encoding="utf-8").replace("#pragma once\n", "")
        return INCLUDE.sub(lambda found: with_parts(found[1]) if found[1].endswith(".inc") else found[0], text)

    def with_headers(text: str) -> str:
        def included(found: re.Match[str]) -> str:
            if found[1] in seen:
                return ""
            seen.add(found[1])
            return found[0] if found[1] in PUBLIC else with_headers(with_parts(found[1]))

        return INCLUDE.sub(included, text)

    def static(found: re.Match[str]) -> str:
        told = found[1].startswith(("static ", "typedef ", "struct ", "enum ", "union ", "return "))
        return found[0] if told or found[2] in exported else f"static {found[1]}"

    def within(text: str) -> str:
        kernels = "    const bgr_kernels bgr_##path"  # what a macro defines
        return OUTER.sub(static, text.replace(kernels, kernels.replace("const", "static const")))

    apart = told_apart({source: with_parts(source) for source in sources})
    parts = [f"/* {source} */\n{within(with_headers(text))}" for source, text in apart.items()]
    licence = re.findall(r"MIT License.*?(?= \*/)", headers[0], re.DOTALL)[0]
    about = "bgrace: the C library in one file, made of those below.  Put it and the headers bgrace*.h into a program."
    return "\n".join([f"/* {about}\n *\n * {licence} */", BEFORE, *parts, AFTER])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(one_file(LIBRARY), encoding="utf-8")
