"""The arguments and options that several commands have."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import click

from bgrace._base.files import check_folder, check_spared, reported
from bgrace._base.language import LANGUAGE, languages, spoken
from bgrace._base.limits import DEFAULT_SECONDS, MAX_SECONDS, MAX_THREADS, Limits, checked_seconds
from bgrace.errors import BuildError

F = TypeVar("F", bound=Callable[..., object] | click.Command)
_OfCommand: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]


class Decorator(Protocol):
    """A decorator that gives a command an argument or an option."""

    def __call__(self, command: F, /) -> F:
        """Return the command with the argument or option."""


_MAX_TEXT: Final = 1 << 20
"""Most characters of a text with one position."""


def position_text(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Read the text of a position from standard input if the argument is ``-``."""
    if value != "-":
        return value
    if sys.stdin is None:  # as it is for a process that was started with a closed one
        raise click.UsageError("-: standard input is closed: give a text through a pipe, or as an argument")
    with click.open_file("-", "rb") as raw:
        data: bytes = raw.read(4 * _MAX_TEXT + 1)
    is_utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = data.decode("utf-16" if is_utf16 else "utf-8-sig", errors="replace")
    if len(text) > _MAX_TEXT:
        raise click.UsageError(f"-: standard input has more than {_MAX_TEXT:,} characters: give one position")
    return text


def pair_arguments(*, required: bool = True) -> _OfCommand:
    """Give a command the arguments POS and OPP, the texts of two positions, of which OPP can be left out."""
    pos = click.argument("pos", required=required, callback=position_text)
    opp = click.argument("opp", required=False, callback=position_text)
    return lambda command: with_options(command, [pos, opp])


class NumbersCommand(click.Command):
    """A command whose arguments are numbers: a negative one is read as an argument, which the command refuses."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a word that begins with a minus and a digit is not an option."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if not re.match(r"-\d", error.option_name):
                raise
        ctx.ignore_unknown_options = True
        return super().parse_args(ctx, given)


language_option: Final[Decorator] = click.option(
    "--language",
    type=click.Choice(languages()),
    default=LANGUAGE,
    show_default=True,
    expose_value=False,
    callback=lambda context, _parameter, value: context.with_resource(spoken(value)),
    help="Language of answers, pages and cards.",
)
"""The ``--language`` of commands; it is set while the command runs."""


def web_address(url: str) -> str:
    """Return a web address if it can be one: the type of options with an address."""
    from urllib.parse import urlsplit  # noqa: PLC0415  (which takes a while, and few commands need it)

    try:
        url.encode()  # bytes of a terminal that are not text become letters that cannot be encoded
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname
    except ValueError:
        is_address = False
    if not is_address:
        raise click.BadParameter(f"{url:.80} is not an address: give one such as http://127.0.0.1:8642")
    return url


explorer_option: Final[Decorator] = click.option(
    "--explorer",
    type=web_address,
    metavar="URL",
    help="Address that positions of a page or card link to, such as http://127.0.0.1:8642.",
)


def refuse(given: Mapping[str, bool], why: str) -> None:
    """Raise UsageError for the first of these options that is given; each ``{}`` in `why` becomes its name."""
    for name in (name for name, is_given in given.items() if is_given):
        raise click.UsageError(why.format(name, name))


def bytes_value(value: str) -> int:
    """Turn a size such as 512M, 8G or 1.5GiB into bytes: the type of options with a size.

    K, M, G and T are powers of 1024.
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", value, re.IGNORECASE)
    if match is None:
        raise click.BadParameter(f"{value[:80]!r} is not a size: give a number with K, M, G or T, such as 8G")
    n_bytes = float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " ")
    if n_bytes >= 1 << 63:
        raise click.BadParameter(f"{value[:20]}... is more than any machine has: give a size such as 8G")
    return int(n_bytes)


all_option: Final[Decorator] = click.option(
    "--all", "everything", is_flag=True, help="Show the distribution of the rolls and all numbers of both sides, too."
)

json_option: Final[Decorator] = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
"""The ``--json`` of every command with a result."""


database_argument: Final[Decorator] = click.argument("file", type=click.Path(path_type=Path))
"""The ``FILE`` of every command that reads a database."""

check_option: Final[Decorator] = click.option(
    "--check", "checked", is_flag=True, help="Compare all tables of the database with their checksums first."
)
"""The ``--check`` of commands that read a database, for files that were copied or downloaded."""

roll_option: Final[Decorator] = click.option(
    "--roll", metavar="DICE", help="List the plays of a roll, such as 31 or 6-6, best first."
)
"""The ``--roll`` of commands that answer about positions."""

rolls_option: Final[Decorator] = click.option(
    "--rolls", "all_rolls", is_flag=True, help="Show the best play of each of the 21 rolls."
)
"""The ``--rolls`` of commands that answer about a pair."""


def seconds_option_of(default: float | None, help_text: str) -> Decorator:
    """Make a ``--seconds``; nan is in every range for click."""
    return click.option(
        "--seconds",
        type=click.FloatRange(0, MAX_SECONDS, min_open=True),
        callback=lambda _context, _parameter, value: None if value is None else checked_seconds(value),
        default=default,
        show_default=True,
        help=help_text,
    )


seconds_option: Final = seconds_option_of(DEFAULT_SECONDS, "Approximate computing time.")
"""The ``--seconds`` of commands that answer races."""


def cube_value_option_of(default: int | None, help_text: str) -> Decorator:
    """Make a ``--cube-value``."""
    return click.option("--cube-value", type=int, default=default, show_default=True, help=help_text)


cube_value_option: Final = cube_value_option_of(1, "Value of the cube before this roll.")
"""The ``--cube-value`` of a match."""


def memory_option_of(default: str | None, help_text: str) -> Decorator:
    """Make a ``--memory``."""
    return click.option(
        "--memory", "memory_bytes", type=bytes_value, metavar="SIZE", default=default, show_default=True, help=help_text
    )


memory_option: Final = memory_option_of("8G", "Maximum memory to use.")
"""The ``--memory`` of commands that solve pairs."""

threads_option: Final[Decorator] = click.option(
    "--threads", type=int, metavar="T", help="Threads to compute with.  [default: one per processor]"
)
"""The ``--threads`` of commands that compute."""


def with_options(command: Callable[..., None], options: Sequence[Decorator]) -> Callable[..., None]:
    """Give a command several options, which its help lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def options_as(argument: str, kind: Callable[..., object], options: Mapping[str, Decorator]) -> _OfCommand:
    """Give a command some options by name; it gets them as one argument of type `kind`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_one(**values: Any) -> None:
            command(**{argument: kind(**{name: values.pop(name) for name in options})}, **values)

        return with_options(with_one, list(options.values()))

    return decorate


_LIMITS: Final = {"seconds": seconds_option, "memory_bytes": memory_option, "threads": threads_option}


def limits_options(*names: str) -> _OfCommand:
    """Give a command options for some fields of `Limits`; it gets them as one argument `limits`."""
    return options_as("limits", Limits, {name: _LIMITS[name] for name in names})


def workers_option_of(help_text: str) -> Decorator:
    """Make a ``--workers``."""
    return click.option("--workers", type=click.IntRange(1, MAX_THREADS), metavar="N", help=help_text)


workers_option: Final = workers_option_of("Processes to compute with.  [default: one per processor]")
"""The ``--workers`` of commands that compute on processes."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be written.

    Attributes
    ----------
    option : str
        The option with its name.
    path : Path, or None
        None if the option was not given.
    endings : tuple of str
        Allowed endings of its name, in small letters; empty if all are.
    """

    option: str
    path: Path | None
    endings: tuple[str, ...] = ()


def check_targets(targets: Iterable[Target], sources: Iterable[Path] = ()) -> None:
    """Check, before any work, that no source, database or other target would be replaced.

    Devices and pipes can always be written to.
    """
    read = list(sources)
    named = [(target, target.path) for target in targets if target.path is not None]
    for target, path in named:
        if path.is_dir():
            raise click.UsageError(f"{target.option} {path} is a folder: name a file")
        is_device = path.exists() and not path.is_file()
        if target.endings and not is_device and path.suffix.lower() not in target.endings:
            raise click.UsageError(
                f"{target.option} {path} has another ending: end it in {' or '.join(target.endings)}"
            )
        check_folder(path)
        _check_spared(target.option, path, read)
    for (one, path), (other, again) in combinations(named, 2):
        if _same(path, again):
            raise click.UsageError(f"{one.option} and {other.option} name the same file, {again}: give them two names")


def _check_spared(option: str, path: Path, sources: list[Path]) -> None:
    from bgrace.database.store.format import FILE_HEADS  # noqa: PLC0415 - few commands write anything

    try:
        with reported(path):
            check_spared(path, sources, FILE_HEADS, "a bgrace database")
    except BuildError as error:
        raise click.UsageError(f"{option} {error}") from error


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of the same file, which need not exist; devices and pipes can be written to twice."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))
