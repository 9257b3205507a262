"""Show the examples of docstrings on the pages about the Python interface: a griffe extension that mkdocs.yml names."""

from __future__ import annotations

import re

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!$).*)*", re.MULTILINE)
_SECTION = re.compile(r"^Examples\n-+$", re.MULTILINE)


class FencedExamples(griffe.Extension):
    """Turn examples in the text of a docstring, outside its section Examples, into code."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of a module, a class or a function."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Put fences around the examples before the section Examples."""
    section = _SECTION.search(text)
    end = section.start() if section else len(text)
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example.group()}\n```", text[:end]) + text[end:]
