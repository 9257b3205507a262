"""The command line: only this package reads arguments, prints and exits.

The module of a command is imported only when it runs; `COMMANDS` lists them.  Results go to standard output, progress
and notes to standard error.  The exit status is 0, or 2 for wrong usage, or 1 for a failure; the latter two come with
one line on standard error.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from typing import Any, Final

import click

from bgrace._base.interrupts import heed_again, heed_no_more
from bgrace._base.version import VERSION
from bgrace.errors import NO_MEMORY, WRONG_QUESTIONS, BgraceError, shortened

__all__ = ["COMMANDS", "GROUPS", "cli", "main"]

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "build": ("bgrace.cli.build:build", "Make a database file."),
    "info": ("bgrace.cli.info:info", "Show the contents of a database file and how it was made."),
    "pack": ("bgrace.cli.build:pack_command", "Pack a database file: smaller, nothing lost."),
    "unpack": ("bgrace.cli.build:unpack_command", "Unpack a packed database file or an archive."),
    "verify": ("bgrace.cli.info:verify", "Check a database file: checksums, and values against their successors."),
    "import": ("bgrace.cli.export:import_command", "Make a database file from GNU Backgammon's bearoff files."),
    "export": ("bgrace.cli.export:export", "Make a bearoff file that GNU Backgammon reads."),
    "query": ("bgrace.cli.solve:query", "Ask a database about a position or a race."),
    "solve": ("bgrace.cli.solve:solve_command", "Answer any race: who wins, double, take, best plays."),
    "prove": ("bgrace.cli.solve:prove_command", "Prove bounds for a race, in a file that anybody can check."),
    "risk": ("bgrace.cli.board:risk_command", "Show the risk of being hit when you bear off against men behind."),
    "review": ("bgrace_apps.cli.review:review_command", "Judge every race decision of recorded matches."),
    "deck": ("bgrace_apps.cli.review:deck_command", "Make Anki cards of the mistakes in recorded matches."),
    "board": ("bgrace.cli.board:board_command", "Draw a board as text or SVG, and print its IDs."),
    "match": ("bgrace.cli.match:match", "Match scores: take points, equity tables, a map of all scores."),
    "counts": ("bgrace.cli.counts:counts_command", "Compare the counts that players use, and show what they cost."),
    "referee": ("bgrace_apps.cli.referee:referee", "Measure what it costs to go by a count or a formula."),
    "web": ("bgrace_apps.cli.web:web_command", "Open the explorer and the trainer in the browser."),
    "mcp": ("bgrace_apps.cli.web:mcp_command", "Answer language models, over the Model Context Protocol."),
    "rollout": ("bgrace.cli.rollout:rollout", "Play a race out with random dice, many times."),
    "windows": ("bgrace_apps.cli.windows:windows", "Show the doubling table: when to double, redouble and take."),
    "plot": ("bgrace_apps.cli.plot:plot", "Draw pictures of the cube models and of races."),
    "report": ("bgrace_apps.cli.report:report", "Print published facts about the bearoff, computed anew."),
}
"""Place of each command, as ``"module:attribute"``, and one line of help, by its name."""

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Races": ("solve", "prove", "counts", "risk", "board", "rollout"),
    "Matches and practice": ("review", "deck", "web", "mcp", "match"),
    "Databases": ("build", "query", "info", "verify", "pack", "unpack", "import", "export"),
    "Rules and papers": ("windows", "referee", "plot", "report"),
}
"""The commands in the order of the help page, under its headings."""

_MULTIPLY: Final = {"pack", "--pack"}
"""Arguments of commands with matrices that are large enough for several threads."""

_LIMITS: Final = {errno.EMFILE: "-n 1024", errno.ENFILE: "-n 1024", errno.ENOMEM: "-v unlimited"}


_BARE_XGID: Final = re.compile("-[-A-Za-z]{25}:")
_EMPTY: Final = re.compile(r"(--(?!caption=)[\w-]+=)?")


class LazyGroup(click.Group):
    """A group that imports a command when it runs, and turns expected errors into one line and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the words begin with."""
        if not _MULTIPLY & set(args):
            # NumPy starts a thread per processor for matrices; their start-up costs more than a short command.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            from difflib import get_close_matches  # noqa: PLC0415 - most commands are spelt correctly

            if near := get_close_matches(args[0], COMMANDS, 1):
                raise click.UsageError(f"No such command {args[0]!r}: did you mean {near[0]!r}?", ctx)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if no command has that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; an XGID without its prefix begins with a dash like options, so it gets the prefix."""
        # Only a caption may be empty: an empty path would be the working folder.
        empty = (_EMPTY.fullmatch(each) and before != "--caption" for before, each in pairwise(["", *args]))
        if any(empty) and not ctx.resilient_parsing:
            raise click.UsageError("an argument is empty, perhaps a shell variable that is not set: give a value", ctx)
        return super().parse_args(ctx, [f"XGID={each}" if _BARE_XGID.match(each) else each for each in args])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by subject, without importing any."""
        width = max(map(len, COMMANDS))
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), COMMANDS[name][1]) for name in names])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C becomes an error like others, and messages name options instead of arguments."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise click.Abort from error
        except BgraceError as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if command is not None and len(error.args) == 1 and isinstance(error.args[0], str):
                error.args = (_with_options(error.args[0], command),)
            raise
        finally:
            heed_no_more()

    def main(self, *args: Any, **options: Any) -> Any:
        """Run, and exit with 0, 1 or 2; without `standalone_mode`, return and raise like click."""
        if not options.get("standalone_mode", True):
            return super().main(*args, **options)
        if sys.stdout is None:  # as it is for a process that was started with a closed one
            sys.exit(_print_error("standard output is closed: give it a file, a pipe or /dev/null", 1))
        _escape_unprintable()
        try:
            status = super().main(*args, **options | {"standalone_mode": False})
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader of our output has had enough of it, as `head` does: nothing to complain about.
            status = 1
        except click.UsageError as error:
            status = _print_error(_line_of_usage(error), 2)
        except click.ClickException as error:
            status = _print_error(error.format_message(), error.exit_code)
        except click.Abort:
            status = _print_error("stopped", 1)
        except BgraceError as error:
            status = _print_error(str(error), 2 if isinstance(error, WRONG_QUESTIONS) else 1)
        except OSError as error:
            status = _print_error(_line_of_os_error(error), 1)
        except MemoryError:
            status = _print_error(NO_MEMORY, 1)
        _flush_or_discard_output()
        sys.exit(status if isinstance(status, int) else 0)


def _with_options(message: str, command: click.Command) -> str:
    """Replace arguments in a message by options: ``seconds=0``, as in Python, by ``--seconds 0``."""
    commands = [command, *getattr(command, "commands", {}).values()]
    options = {each.name: each for one in commands for each in one.params if isinstance(each, click.Option)}

    def written(match: re.Match[str]) -> str:
        option, has_value = options.get(match[1]), bool(match[2])
        if option is None or (has_value and option.is_flag):
            return match[0]
        return max(option.opts, key=len) + (" " + match[2] if has_value else "")

    return re.sub(r"(?<![\w'\"=?&./-])([a-z][a-z_]*)=([^\s,;:)]?)", written, message)


def _print_error(line: str, status: int) -> int:
    with suppress(OSError):
        click.echo("bgrace: " + " ".join(shortened(line).split()), err=True)
    return status


def _line_of_usage(error: click.UsageError) -> str:
    names = {parameter.name for parameter in error.ctx.command.params} if error.ctx else set()
    if isinstance(error, click.NoSuchOption) and "roll" in names and error.option_name == "--dice":
        error = click.UsageError("No such option '--dice'. Did you mean '--roll'?", error.ctx)  # click says --cube
    line = error.format_message().rstrip(".")
    line = line.replace("a valid integer range", "a whole number").replace("a valid float range", "a number")
    if "pos" in names and isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--"):
        line += "; a position begins with no dash"
    if "pos" in names and "extra argument" in line:
        dice = ", and give dice with --roll" if "roll" in names else ""
        line += f"; put quotes around each position{dice}"
    return f"{line} ({error.ctx.command_path} --help says more)" if error.ctx else line


def _line_of_os_error(error: OSError) -> str:
    named = "" if error.filename is None else f"{error.filename}: "
    if limit := _LIMITS.get(error.errno or 0):
        return f"{named}{error.strerror}; raise the limit, as with ulimit {limit}"
    if not named and isinstance(error, FileNotFoundError):  # the folder of relative names is missing
        return "the working folder has been removed: change to one that is there"
    if not named:
        return f"the output cannot be written: {error.strerror or error}"
    if isinstance(error, FileNotFoundError) and "://" not in str(error.filename):
        makes = f"; bgrace build {error.filename} would make it" if str(error.filename).endswith(".h5") else ""
        return f"{named}no such file{makes or '; give one that is there'}"
    return f"{named}{error.strerror or 'it cannot be opened'}; give a file that can be read"


def _escape_unprintable() -> None:
    """Print characters that a stream's encoding lacks, such as in file names, as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _flush_or_discard_output() -> None:
    """Flush the output; if that fails, discard it, since Python would report the error again while it exits."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    name="bgrace",
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(VERSION, message="bgrace %(version)s", help="Print the version.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Answer backgammon races: double, take, the best play, and how sure that is.

    \b
      bgrace solve "8x1 6x4 5x3 4x3 3x2" "9x1 8x1 6x4 5x4 4x2 3x1"
      bgrace solve XGID=-BBBA--------------aaaaaa-:1:1:1:31:2:3:0:7:10
      bgrace build bearoff.h5
      bgrace query bearoff.h5 "2,2,2,1,0,0" "1,1,1,1,1,1" --roll 31

    Results go to standard output, progress to standard error.  The exit status is 0, 2 for wrong usage, or 1 for a
    failure.  "bgrace COMMAND --help" explains a command.
    """  # noqa: D301  (\b is click's mark for a paragraph that it does not wrap)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
    # The command has been imported.
    heed_again()
    if not gc.isenabled():
        gc.freeze()  # loaded modules stay until the process ends, so they need not be searched
        gc.enable()


def main() -> None:
    """Run the ``bgrace`` command of this process."""
    cli(prog_name="bgrace")
