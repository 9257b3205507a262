"""One word per idea and plain sentences: what a program can see of docs/words.md, in code, messages and pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import prose
import pytest
from helpers.paths import ROOT

PACKAGE = ROOT / "bgrace"
C_CODE = ROOT / "csrc"

ROOMS = sorted(path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
"""Packages, and modules beside them."""

BOUND = re.compile(r"(?:^|_)(?:MOST|LEAST|LARGEST|SMALLEST|GREATEST|LONGEST|SHORTEST)(?:_|$)")
VAGUE = {"found", "here", "made", "said", "there", "where", "worth"}
PHRASES = re.compile(
    r"(?<![Tt]here )\bis no (?!more\b|larger\b|longer\b|less\b|better\b)\w"
    r"|(?<![Tt]here )\b(?:are none\b|is none\b(?! of\b))"
    r"|\bas well off \w+ing \w+s\b"
    r"|\b(?:[Hh]e|[Hh]im|[Hh]imself|[Hh]is)\b"
)
DIALECT = re.compile(
    r"(?:^|[.;:(]\s+|\* )Who(?:ever)? (?![^.?]*\?)"  # a question may begin so
    r"|\bis what it\b|\bwhat of\b|\b(?:of|to|for) so many\b|\bat (?:most|least) so many\b|\bwith so many \w+s\b"
    r"|\bwithin so (?:many|long)\b|(?<!so )\bthat there (?:are|is)\b(?! no\b| is\b)|\bthan what\b|\bone a line\b"
    r"|\b[Tt]hat is none\b|\bnone of those that\b|\bMost checkers a side\b|\b[Ww]hoever\b|; who (?!wins)\w+s\b"
    r"|\bas ever\b"
)
"""Ways of speaking that readers stumble over."""

WHAT = re.compile(r"(?:^|(?<=[.:] )|(?<=\* ))What (?!if )[^.?]*[.:;,](?:\s|$)")
"""A sentence that begins with a subject clause, and is not a question."""

MAX_WORDS = 40
"""Words of a sentence of the pages."""


@cache
def tree_of(path: Path) -> ast.Module:
    """What a file says, read once for all checks."""
    return ast.parse(path.read_text(encoding="utf-8"))


def files(room: str) -> list[Path]:
    """The Python of a room, the stubs of its kernels included."""
    loose = PACKAGE / f"{room}.py"
    return (
        [loose]
        if loose.exists()
        else [path for path in sorted((PACKAGE / room).rglob("*.py*")) if path.suffix in (".py", ".pyi")]
    )


def arguments(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef, ast.arg]]:
    """Every argument of every function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            listed = node.args
            yield from ((node, each) for each in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs))


def numbers_called_cube(tree: ast.Module) -> Iterator[str]:
    for function, each in arguments(tree):
        kind = ast.unparse(each.annotation) if each.annotation else ""
        if each.arg == "cube" and re.search(r"\b(?:int|float)\b", kind):
            yield f"{function.name}: cube is a place, a number is cube_value"
        if each.arg == "cube_value" and "int" not in kind:
            yield f"{function.name}: cube_value is a whole number"


def equity_tables_not_called_met(tree: ast.Module) -> Iterator[str]:
    for function, each in arguments(tree):
        kind = ast.unparse(each.annotation) if each.annotation else ""
        if kind.startswith("MatchEquityTable") and each.arg not in ("met", "other"):
            yield f"{function.name}: {each.arg} is a match equity table, met"
        if re.match(r"Score\b", kind) and each.arg not in ("score", "match"):
            yield f"{function.name}: {each.arg} is a score"


def vague_arguments(tree: ast.Module) -> Iterator[str]:
    yield from (f"{function.name}: {each.arg}" for function, each in arguments(tree) if each.arg in VAGUE)


def bounds_by_another_name(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and BOUND.search(node.id):
            yield f"{node.id}: a bound is MAX_... or MIN_..."


def phrases(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for pattern in (PHRASES, DIALECT):
                yield from (f"line {node.lineno}: {match.group()!r}" for match in pattern.finditer(node.value))


def docstrings_that_begin_with_what(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from (f"line {node.lineno}: {match.group()!r}" for match in WHAT.finditer(joined(node.value.value)))


CHECKS = (
    numbers_called_cube,
    equity_tables_not_called_met,
    vague_arguments,
    bounds_by_another_name,
    phrases,
    docstrings_that_begin_with_what,
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("room", ROOMS)
def test_a_room_keeps_to_the_words(room: str, check: Callable[[ast.Module], Iterator[str]]) -> None:
    wrong = [f"{path.relative_to(ROOT)}: {problem}" for path in files(room) for problem in check(tree_of(path))]
    assert not wrong, "\n".join(wrong)


# ---------------------------------------------------------------------- C, pages and options

C_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
C_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
C_VAGUE = re.compile(rf"\b(?:{'|'.join(sorted(VAGUE))})\b")

PAGES = [path for path in prose.pages() if path.name != "words.md"]


def problems_of_c(text: str) -> Iterator[str]:
    """Yield the faults in the names, comments and strings of a C file."""
    code = C_COMMENT.sub("", text)
    for prose_of_c in (*C_COMMENT.findall(text), *C_STRING.findall(code)):
        yield from phrases_of_prose(prose_of_c)
    code = re.sub(r"^ *#include.*", "", C_STRING.sub("", code), flags=re.MULTILINE)
    yield from (f"{name}: a bound is MAX_... or MIN_..." for name in re.findall(r"\w+", code) if BOUND.search(name))
    yield from (f"{name}: a name that says nothing" for name in C_VAGUE.findall(code))


def joined(text: str) -> str:
    """Prose on one line, without the asterisks that begin the lines of a comment."""
    return re.sub(r"\s+(?:\* )?", " ", text)


def phrases_of_prose(text: str) -> Iterator[str]:
    text = joined(text)
    for pattern in (PHRASES, DIALECT):
        yield from (repr(match.group()) for match in pattern.finditer(text))


def c_files() -> list[Path]:
    return sorted(path for path in C_CODE.rglob("*") if path.suffix in {".c", ".h", ".inc"})


def test_c_keeps_to_the_words() -> None:
    wrong = []
    for path in c_files():
        name, text = path.relative_to(C_CODE).as_posix(), path.read_text(encoding="utf-8")
        wrong += [f"{name}: {problem}" for problem in problems_of_c(text)]
        wrong += [
            f"{name}: {match.group()!r}" for part in C_COMMENT.findall(text) for match in WHAT.finditer(joined(part))
        ]
    assert not wrong, "\n".join(wrong)


def test_pages_keep_to_the_words() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in PAGES
        for problem in phrases_of_prose(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_sentences_of_pages_are_short(page: Path) -> None:
    parts = list(prose.paragraphs(page.read_text(encoding="utf-8")))
    long = [
        f"line {part.line}: {sentence}"
        for part in parts
        for sentence in part.sentences()
        if prose.n_words(sentence) > MAX_WORDS or (not part.heading and WHAT.match(sentence))
    ]
    assert not long, "\n".join(long)


def test_help_and_scripts_keep_to_the_words() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {problem}"
        for folder in ("scripts", "examples")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for problem in phrases(tree_of(path))
    ]
    wrong += [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in sorted((PACKAGE / "web" / "site").iterdir())
        if path.suffix in {".js", ".html"}
        for problem in phrases_of_prose(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


def test_options_keep_to_the_words() -> None:
    """No bound is called --most-... or --largest-...."""
    options = {
        option for path in files("cli") for option in re.findall(r'"--([a-z][a-z-]*)', path.read_text(encoding="utf-8"))
    }
    assert "json" in options
    assert not [option for option in options if BOUND.search(option.upper().replace("-", "_"))]


def test_a_tie_is_named_in_one_place() -> None:
    """TIE and EXACT_TIE, of bgrace.cube.action: every other tolerance of decisions is imported from there."""
    named = {
        (path.relative_to(PACKAGE).as_posix(), node.id)
        for room in ROOMS
        for path in files(room)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.endswith("TIE")
    }
    assert named == {("cube/action.py", "TIE"), ("cube/action.py", "EXACT_TIE")}


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("def f(cube: int): ...", 1),
        ("def f(cube: str, cube_value: int = 1): ...", 0),
        ("def f(table: MatchEquityTable | None): ...", 1),
        ("def f(place: Score): ...", 1),
        ("def f(found: int): ...", 1),
        ("MOST_POINTS = 3", 1),
        ("MAX_POINTS = ALMOST_EVEN = 3", 0),
        ("x = '(1, 2) is no roll'", 1),
        ("x = 'there is no cube; it is no longer'", 0),
        ("x = 'rules=3 are none'", 1),
        ("x = 'who is as well off doubling doubles'", 1),
        ("x = 'if he takes'", 1),
        ("x = 'Who is doubled may take.'", 1),
        ("x = 'Who is doubled?'", 0),
        ("x = 'a table of so many points'", 1),
        ("x = 'all files that there are'", 1),
        ("x = 'give IDs, one a line'", 1),
        ("x = 'for whoever is on roll'", 1),
        ("'What a file holds.'", 1),
        ("'What does a file hold?'", 0),
    ],
)
def test_the_checks_see_what_they_are_for(text: str, n: int) -> None:
    assert sum(1 for check in CHECKS for _ in check(ast.parse(text))) == n


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("enum { MOST_PIPS = 3 };", 1),
        ("int found = 0;", 1),
        ("/* what he\n * wins */", 1),
        ('return "that is no file";', 1),
        ("enum { MAX_PIPS = 3 }; /* found there */", 0),
    ],
)
def test_the_checks_of_c_see_what_they_are_for(text: str, n: int) -> None:
    assert len(list(problems_of_c(text))) == n


def test_the_list_is_linked() -> None:
    assert "docs/words.md" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
