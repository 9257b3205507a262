"""One word per idea: what a program can see of docs/words.md, held in every room of the package."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from helpers.paths import ROOT

PACKAGE = ROOT / "bgrace"

ROOMS = sorted(path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
"""Packages, and modules beside them."""

BOUND = re.compile(r"(?:^|_)(?:MOST|LEAST|LARGEST|SMALLEST|GREATEST|LONGEST|SHORTEST)(?:_|$)")
VAGUE = {"found", "here", "made", "said", "there", "where", "worth"}
PHRASES = re.compile(
    r"(?<!there )\bis no (?!more\b|larger\b|longer\b|less\b|better\b)\w"
    r"|(?<!there )\bare none\b"
    r"|\bas well off \w+ing \w+s\b"
    r"|\b(?:[Hh]e|[Hh]im|[Hh]imself|[Hh]is)\b"
)


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
            yield from (f"line {node.lineno}: {match.group()!r}" for match in PHRASES.finditer(node.value))


CHECKS = (numbers_called_cube, equity_tables_not_called_met, vague_arguments, bounds_by_another_name, phrases)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("room", ROOMS)
def test_a_room_keeps_to_the_words(room: str, check: Callable[[ast.Module], Iterator[str]]) -> None:
    wrong = [f"{path.relative_to(ROOT)}: {problem}" for path in files(room) for problem in check(tree_of(path))]
    assert not wrong, "\n".join(wrong)


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
    ],
)
def test_the_checks_see_what_they_are_for(text: str, n: int) -> None:
    assert sum(1 for check in CHECKS for _ in check(ast.parse(text))) == n


def test_the_list_is_linked() -> None:
    assert "docs/words.md" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
