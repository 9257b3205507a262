"""Texts in a language, from the files that the page reads too: `say` fills one, `spoken` chooses the language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from bgrace.errors import ArgumentError

LANGUAGE: Final = "en"
"""Language of texts, unless another one is spoken."""

WORDS: Final = Path(__file__).with_name("words")
"""Where the language files are, one a language, named by its two letters."""

Words: TypeAlias = Mapping[str, Any]
"""A language file: how numbers are written, and texts by key."""

_SPOKEN: Final = ContextVar("language", default=LANGUAGE)
_VALUE: Final = re.compile(r"\{(\w+)(?::([^}]+))?\}")


@cache
def languages() -> list[str]:
    """The languages that have a file."""
    return sorted(file.stem for file in WORDS.glob("*.json"))


def spoken_language() -> str:
    """The two letters of the language that is spoken."""
    return _SPOKEN.get()


@cache
def _read(language: str) -> Words:
    """A language laid over English, which has every text."""
    read: Words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return read if language == LANGUAGE else _laid_over(read, _read(LANGUAGE))


def _laid_over(texts: Words, under: Words) -> Words:
    both = {**under, **texts}
    for key in texts.keys() & under.keys():
        if isinstance(texts[key], dict):
            both[key] = _laid_over(texts[key], under[key])
    return both


def words(language: str | None = None) -> Words:
    """The words of a language, of the spoken one unless it is named; in English where that language lacks one.

    Parameters
    ----------
    language : str, optional
        Two letters, such as ``"de"``.

    Raises
    ------
    ArgumentError
        If there is no such file.
    """
    if language is None:
        return _read(_SPOKEN.get())  # which `spoken` has checked
    if language not in languages():
        raise ArgumentError(f"language={language!r:.80} is unknown: use one of {', '.join(languages())}")
    return _read(language)


def speak(language: str) -> Token[str]:
    """Speak a language from now on, in this thread, until the token is taken back; ArgumentError as for `words`."""
    words(language)
    return _SPOKEN.set(language)


@contextmanager
def spoken(language: str | None) -> Iterator[None]:
    """Speak a language until the block ends, in this thread; the present one if it is None.

    Raises
    ------
    ArgumentError
        As for `words`.
    """
    token = speak(spoken_language() if language is None else language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def decimal(value: float, digits: int, sign: str = "") -> str:
    """A number as the language writes it; ``sign="+"`` shows that it is positive, and 0 has no minus."""
    point: str = words()["decimal_point"]
    return f"{value:{sign}z.{digits}f}".replace(".", point)


def percent(share: float, digits: int = 1, sign: str = "") -> str:
    """A share of 1 in percent."""
    pattern: str = words()["per_cent"]
    return pattern.format(decimal(100 * share, digits, sign))


def _shown(values: Mapping[str, float | str], place: re.Match[str]) -> str:
    """Write a value as its place in a text says."""
    value, how = values[place[1]], place[2]
    if not how or isinstance(value, str):
        return str(value)
    texts = words()
    if how in texts["counted"]:
        of = round(value)
        counted: str = texts["counted"][how][of not in texts["singular"]]
        return counted.format(of)
    return percent(value, len(how)) if how.startswith("%") else decimal(value, int(how[1:]))


def fill(text: str, values: Mapping[str, float | str]) -> str:
    """Put values into a text: ``{name}`` as it is, ``{name:pips}`` counted, ``{name:.1}`` with digits, ``{name:%}``.

    Numbers are written as in the language that is spoken.

    Examples
    --------
    >>> fill("{n:pips}, {chance:%} in {place}", {"n": 1, "chance": 0.25, "place": "Rome"})
    '1 pip, 25.0 % in Rome'
    """
    return _VALUE.sub(partial(_shown, values), text)


def say(path: str, /, **values: float | str) -> str:
    """The text of a path of keys, with its values.

    Examples
    --------
    >>> with spoken("de"):
    ...     say("page.review.where", game=1, move=2)
    'Spiel 1, Zug 2'
    """
    text: Any = words()
    for key in path.split("."):
        text = text[key]
    return fill(text, values)
