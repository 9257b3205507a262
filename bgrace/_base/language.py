"""Texts in several languages, from files that the page reads too: `say` fills a text, `spoken` sets the language."""

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
"""Language of texts unless `speak` or `spoken` sets another one."""

WORDS: Final = Path(__file__).with_name("words")
"""Folder of the language files; each is named by the two letters of its language."""

Words: TypeAlias = Mapping[str, Any]
"""Contents of a language file: the form of numbers, and texts by key."""

_SPOKEN: Final = ContextVar("language", default=LANGUAGE)
_VALUE: Final = re.compile(r"\{(\w+)(?::([^}]+))?\}")


@cache
def languages() -> list[str]:
    """The languages that have a file."""
    return sorted(file.stem for file in WORDS.glob("*.json"))


def spoken_language() -> str:
    """The two letters of this thread's language."""
    return _SPOKEN.get()


@cache
def _read(language: str) -> Words:
    """Read the texts of a language, in English, which has all, where the language lacks one."""
    read: Words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return read if language == LANGUAGE else _merged(read, _read(LANGUAGE))


def _merged(texts: Words, under: Words) -> Words:
    both = {**under, **texts}
    for key in texts.keys() & under.keys():
        if isinstance(texts[key], dict):
            both[key] = _merged(texts[key], under[key])
    return both


def words(language: str | None = None) -> Words:
    """The texts of a language, by default this thread's; in English where the language lacks one.

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
        return _read(_SPOKEN.get())  # `speak` has checked it
    if language not in languages():
        raise ArgumentError(f"language={language!r:.80} is unknown: use one of {', '.join(languages())}")
    return _read(language)


def speak(language: str) -> Token[str]:
    """Set the language of this thread until the token is reset; ArgumentError as for `words`."""
    words(language)
    return _SPOKEN.set(language)


@contextmanager
def spoken(language: str | None) -> Iterator[None]:
    """Set the language of this thread until the block ends; None leaves it as it is.

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
    """Write a number as the language does; ``sign="+"`` marks positive ones, and 0 never has a minus."""
    point: str = words()["decimal_point"]
    return f"{value:{sign}z.{digits}f}".replace(".", point)


def percent(share: float, digits: int = 1, sign: str = "") -> str:
    """Write a share of 1 as a percentage."""
    pattern: str = words()["per_cent"]
    return pattern.format(decimal(100 * share, digits, sign))


def _format_value(values: Mapping[str, float | str], place: re.Match[str]) -> str:
    """Write a value in the format that its place in the text asks for."""
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

    Numbers are written as in this thread's language.

    Examples
    --------
    >>> fill("{n:pips}, {chance:%} in {place}", {"n": 1, "chance": 0.25, "place": "Rome"})
    '1 pip, 25.0 % in Rome'
    """
    return _VALUE.sub(partial(_format_value, values), text)


def say(path: str, /, **values: float | str) -> str:
    """The text under a path of keys, with values put in.

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
