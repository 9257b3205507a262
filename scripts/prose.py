"""Measure how the documents read: words, sentences, and screens of every page.

    python scripts/prose.py             # one line for each page, longest first, and the totals
    python scripts/prose.py --long 40   # every sentence of more than 40 words, with its page and line

Sentences are those of paragraphs and lists; headings, tables, code and what scripts print between ``<!-- table`` and
``<!-- end -->`` are not sentences.  A screen is 35 lines; a line is 13 words of prose, or a row of a table or of code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from options import read_options

ROOT: Final = Path(__file__).resolve().parent.parent
WORDS_A_LINE: Final = 13
LINES_A_SCREEN: Final = 35
MAX_SCREENS: Final = 3

_FENCE = re.compile(r"^\s*(```|~~~)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)]|:|\[\^\w+\]:)\s+|^#+ |^!!! |^\?\?\? |^>\s?")
_SKIPPED = re.compile(r"^\s*(?:\||<|!\[|:::|=== )")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|etc|Fig|Figs|Eq|Dr|[A-Z])|\bp)\.$")
_END = re.compile(r"(?<=[.!?])[\"'”)*_]*\s+(?=[\"'“(*_`\[]*(?:[A-Z0-9`]|bgrace))")


@dataclass(frozen=True)
class Paragraph:
    """Prose without markup, and the line of the file where it begins."""

    line: int
    text: str
    heading: bool = False

    def sentences(self) -> list[str]:
        """Split at full stops, question marks and exclamation marks; an abbreviation does not end a sentence."""
        parts: list[str] = []
        for part in _END.split(self.text):
            if parts and _ABBREVIATION.search(parts[-1]):
                parts[-1] += f" {part}"
            else:
                parts.append(part)
        return [part for part in parts if n_words(part)]


def n_words(text: str) -> int:
    """Count what contains a letter or a digit."""
    return sum(1 for word in text.split() if re.search(r"\w", word))


def paragraphs(markdown: str) -> Iterator[Paragraph]:
    """Yield the prose of a page: paragraphs, list items and headings."""
    lines = markdown.splitlines()
    fenced = generated = False
    words: list[str] = []
    begun = 0
    heading = False
    front = bool(lines) and lines[0] == "---"
    for number, line in enumerate([*lines, ""], 1):
        if front:
            front = number == 1 or line != "---"
            continue
        starts_code = bool(_FENCE.match(line))
        indented = line.startswith("    ") and not words
        if line.startswith(("<!-- table", "<!-- end")):
            generated = line.startswith("<!-- table")
        ends = starts_code or fenced or generated or indented or not line.strip() or bool(_SKIPPED.match(line))
        if words and (ends or _ITEM.match(line)):
            yield Paragraph(begun, _plain(" ".join(words)), heading)
            words = []
        if starts_code:
            fenced = not fenced
        if ends:
            continue
        if not words:
            begun, heading = number, line.startswith("#")
        words.append(_ITEM.sub("", line).strip())


def rows(markdown: str) -> int:
    """Count the lines of tables and of code."""
    fenced = False
    n = 0
    for line in markdown.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced or line.lstrip().startswith("|") or line.startswith("    "):
            n += 1
    return n


def pages() -> list[Path]:
    """Every document that readers of the project meet."""
    return [
        *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
    ]


def _plain(text: str) -> str:
    """Take the markup out of a line: a piece of code counts as one word, a link as its text."""
    text = re.sub(r"`+[^`]*`+", "`code`", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]*>", "", text)
    return text.replace("**", "").replace("*", "")


@dataclass(frozen=True)
class Measures:
    """The size of a page."""

    name: str
    words: int
    prose: int
    sentences: int
    over: int
    screens: float


def measured(path: Path, longest: int) -> Measures:
    """Measure one page; `longest` is the number of words that a sentence may have."""
    text = path.read_text(encoding="utf-8")
    lengths = [n_words(each) for part in paragraphs(text) if not part.heading for each in part.sentences()]
    height = sum(lengths) / WORDS_A_LINE + rows(text)
    return Measures(
        path.relative_to(ROOT).as_posix(),
        len(text.split()),
        sum(lengths),
        len(lengths),
        sum(length > longest for length in lengths),
        height / LINES_A_SCREEN,
    )


def main() -> None:
    options = read_options(__doc__, long=int)
    longest = options.long or 40
    if options.long:
        for path in pages():
            for part in paragraphs(path.read_text(encoding="utf-8")):
                for sentence in part.sentences():
                    if n_words(sentence) > longest:
                        print(f"{path.relative_to(ROOT)}:{part.line}: {n_words(sentence)}: {sentence}")
        return
    every = sorted((measured(path, longest) for path in pages()), key=lambda each: -each.words)
    print(f"{'page':<36}{'words':>7}{'prose':>7}{'a sentence':>12}{'> 40':>6}{'screens':>9}")
    for each in every:
        mean = each.prose / max(each.sentences, 1)
        print(f"{each.name:<36}{each.words:>7}{each.prose:>7}{mean:>12.1f}{each.over:>6}{each.screens:>9.1f}")
    docs = [each for each in every if each.name.startswith("docs/")]
    for title, chosen in (("docs/", docs), ("all", every)):
        n, prose = sum(each.sentences for each in chosen), sum(each.prose for each in chosen)
        print(
            f"{title}: {sum(each.words for each in chosen)} words, {prose} of them in {n} sentences of {prose / n:.1f};"
            f" {sum(each.over for each in chosen)} sentences of more than {longest};"
            f" {sum(each.screens > MAX_SCREENS for each in chosen)} of {len(chosen)} pages longer than {MAX_SCREENS}"
            " screens"
        )


if __name__ == "__main__":
    main()
