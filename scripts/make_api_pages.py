"""Write docs/api/: every public name of every subject, with its arguments and one line.

    python scripts/make_api_pages.py

The text is that of the docstrings; `help(name)` has all of it.  tests/project/test_api_pages.py holds the pages to it.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, get_args, get_origin

from bgrace import errors

ROOT: Final = Path(__file__).resolve().parent.parent
API: Final = ROOT / "docs" / "api"

PAGES: Final[dict[str, tuple[str, ...]]] = {
    "bgrace": ("bgrace", "bgrace.errors"),
    "answers": ("bgrace.answers",),
    "scm": ("bgrace.scm",),
    "counts": ("bgrace.counts",),
    "cube": (
        "bgrace.cube.action",
        "bgrace.cube.race",
        "bgrace.cube.endgame",
        "bgrace.cube.model",
        "bgrace.cube.janowski",
        "bgrace.cube.jump",
        "bgrace.cube.jump.estimates",
        "bgrace.cube.continuous",
    ),
    "match": ("bgrace.match", "bgrace.match.zadeh"),
    "rollout": ("bgrace.rollout",),
    "analysis": ("bgrace.analysis",),
    "verify": ("bgrace.verify",),
    "web": ("bgrace.web",),
    "review": ("bgrace.review",),
    "interop": ("bgrace.interop.gnubg",),
    "embed": ("bgrace.embed",),
    "studies": (
        "bgrace.studies.bearoff_facts",
        "bgrace.studies.initial_positions",
        "bgrace.studies.jump_publications",
        "bgrace.studies.played_races",
        "bgrace.studies.race_windows",
        "bgrace.studies.referee",
    ),
    "plot": (
        "bgrace.plot.canvas",
        "bgrace.plot.board_races",
        "bgrace.plot.continuous",
        "bgrace.plot.endgame",
        "bgrace.plot.jump",
        "bgrace.plot.match",
        "bgrace.plot.race",
        "bgrace.plot.referee",
    ),
}
"""The modules of each page."""


def public_names(module: ModuleType) -> list[str]:
    """What a module offers; the errors have a section of their own."""
    names = [name for name in set(module.__all__) if module.__name__ != "bgrace" or name not in errors.__all__]
    return sorted(names, key=lambda name: (name.lower(), name))


def summary(text: str | None) -> str:
    """Return the first paragraph of a docstring, in one line, fit for a cell of a table."""
    paragraph = " ".join((text or "").strip().split("\n\n", maxsplit=1)[0].split())
    return re.sub(r"(?<!\.)[.:]$", "", paragraph).replace("|", "\\|")


@cache
def assigned(folder: Path) -> dict[str, str]:
    """Docstrings of what modules below a folder assign: the text that stands below the assignment."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, after in pairwise(body):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
            if targets and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found.update({t.id: str(after.value.value) for t in targets if isinstance(t, ast.Name)})
    return found


def line_of(module: ModuleType, name: str) -> str:
    """One line about a public name; an empty one if there is nothing to quote."""
    value = getattr(module, name)
    if inspect.isclass(value):
        fields = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
        listed = ", ".join(f"`{field}`" for field in fields if not field.startswith("_"))
        return summary(inspect.getdoc(value)) + (f". Fields: {listed}" if listed else "")
    if inspect.isroutine(value):
        return summary(inspect.getdoc(value))
    if get_origin(value) is Literal:
        return f"One of {', '.join(repr(word) for word in get_args(value))}"
    home = Path(str(module.__file__)).parent
    return summary(assigned(home).get(name) or assigned(ROOT / "bgrace").get(name))


def arguments(value: object) -> str:
    """Write the arguments of a function, without types; defaults that are long to write become an ellipsis."""
    try:
        parameters = list(inspect.signature(value).parameters.values())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    words: list[str] = []
    for k, parameter in enumerate(parameters):
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in words and not any(w.startswith("*") for w in words):
            words.append("*")
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        star = "**" if parameter.kind is parameter.VAR_KEYWORD else star
        default = "" if parameter.default is parameter.empty else repr(parameter.default)
        words.append(f"{star}{parameter.name}" + (f"={default if len(default) < 16 else '...'}" if default else ""))
        last_positional = parameter.kind is parameter.POSITIONAL_ONLY and (
            k + 1 == len(parameters) or parameters[k + 1].kind is not parameter.POSITIONAL_ONLY
        )
        if last_positional:
            words.append("/")
    return f"({', '.join(words)})"


def members(value: type) -> Iterator[tuple[str, str]]:
    """Public methods and properties of a class that are written in bgrace, each with one line."""
    for name in sorted(dir(value)):
        owner = next((base for base in value.__mro__ if name in vars(base)), object)
        if name.startswith("_") or not owner.__module__.startswith("bgrace"):
            continue
        raw = vars(owner)[name]
        member = raw.__func__ if isinstance(raw, (classmethod, staticmethod)) else raw
        if inspect.isfunction(member):
            yield f".{name}{arguments(member)}", summary(member.__doc__)
        elif isinstance(member, property):
            yield f".{name}", summary(member.__doc__)


def section(module_name: str) -> str:
    """Write what a page says of a module."""
    module = import_module(module_name)
    about = (inspect.getdoc(module) or "").split("\n\n")[0]
    lines = [f"## {module_name}", "", about, "", "| name | |", "|:---|:---|"]
    for name in public_names(module):
        value = getattr(module, name)
        call = arguments(value) if inspect.isroutine(value) else ""
        lines.append(f"| `{name}{call}` | {line_of(module, name)} |")
        if inspect.isclass(value) and not issubclass(value, BaseException):
            lines += [f"| `{name}{text}` | {line} |" for text, line in members(value)]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Text of every page, by file name."""
    made = {f"{name}.md": "\n\n".join([f"# {name}", *map(section, modules)]) + "\n" for name, modules in PAGES.items()}
    index = [
        "# The Python interface",
        "",
        "Every public name, with its arguments and one line; `help(name)` says the rest.  The pages are made of the",
        "docstrings by `python scripts/make_api_pages.py`.",
        "",
        "| page | modules |",
        "|:---|:---|",
        *(
            f"| [{name}]({name}.md) | {', '.join(f'`{module}`' for module in modules)} |"
            for name, modules in PAGES.items()
        ),
    ]
    return {"README.md": "\n".join(index) + "\n", **made}


def main() -> None:
    API.mkdir(exist_ok=True)
    made = pages()
    for old in API.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (API / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
