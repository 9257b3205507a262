"""``bgrace web`` and ``bgrace mcp``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from bgrace._base.interrupts import stop_quietly
from bgrace.cli.options import check_option, refuse, web_address
from bgrace.cli.output import eprint
from bgrace.database.database import open as open_database
from bgrace_apps.web.questions import Answers, cached_database
from bgrace_apps.web.site_files import write_site


def _origins(_: click.Context, __: click.Parameter, urls: tuple[str, ...]) -> tuple[str, ...]:
    for url in urls:
        # Browsers leave out the port that goes with the scheme.
        if not re.fullmatch(r"(?ai)(?!http:.*:80$|https:.*:443$)https?://[\w.:\[\]-]+", url):
            raise click.BadParameter(f"{url} is not the origin of a page: give scheme and host, as https://example.org")
    return urls


@contextmanager
def _answers(file: Path | None, verify: bool = False) -> Iterator[Answers]:
    with cached_database(say=eprint) if file is None else open_database(file, verify=verify) as database:
        yield Answers(database)
    os._exit(0)  # at once, even if a question is still being computed


@click.command(name="web")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 for any.  [default: 8642, or the next free]"
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Whether to open the page.")
@click.option("--public", is_flag=True, help="Answer other machines too: anybody who reaches this one may ask.")
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="URL",
    type=web_address,
    callback=_origins,
    help="Answer scripts of pages at URL too, such as https://example.org; may be given several times.",
)
@click.option(
    "--static",
    "static_folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the site to a folder for any web server; its pages answer by themselves, offline too.",
)
@click.option(
    "--table",
    metavar="URL",
    help="With --static: a packed file, on a web host or beside the page, in which pages look bearoffs up.",
)
@check_option
def web_command(
    *,
    file: Path | None,
    port: int | None,
    browser: bool,
    public: bool,
    origins: tuple[str, ...],
    static_folder: Path | None,
    table: str | None,
    checked: bool,
) -> None:
    """Open the explorer and the trainer in the browser.

    Set up a race on the board and see the verdict on the cube, chances, equities, the best play of every roll, the
    action at every score, and the advice of counts.  FILE answers as far as it reaches; without one, a database of
    8 checkers a side is made and kept in your cache folder.  Other races are solved on the spot.  Needs Starlette
    and uvicorn: pip install "bgrace[web]".

    \b
    Examples:
      bgrace web
      bgrace web bearoff.h5 --port 8000 --no-browser
      bgrace web --static site
      bgrace web --static site --table https://example.org/all.h5
    """  # noqa: D301
    if static_folder is not None:
        given = {"FILE": file is not None, "--port": port is not None, "--public": public, "--check": checked}
        given["--allow-origin"] = bool(origins)
        refuse(given, "{} is for a server, and --static writes a site without one: leave {} out")
        written = write_site(static_folder, table)
        click.echo(f"{static_folder}: {len(written)} files, {sum(path.stat().st_size for path in written):,} bytes")
        return
    if table is not None:
        raise click.UsageError("--table is for a site without a server: give --static DIR, or leave --table out")
    if checked and file is None:
        raise click.UsageError("--check is for FILE: name one, or leave --check out")
    from bgrace_apps.web.app import serve  # noqa: PLC0415 - needs what is installed with bgrace[web] only

    with _answers(file, checked) as answers:
        if public:
            eprint("warning: every machine that reaches this one can ask questions, and keep its processors busy")
        serve(answers, port=port, public=public, origins=origins, browser=browser, say=click.echo)


@click.command(name="mcp")
@click.argument("file", required=False, type=click.Path(path_type=Path))
def mcp_command(*, file: Path | None) -> None:
    """Answer language models, over the Model Context Protocol.

    A program that talks to a language model starts this command, and the model asks it: for the answer to a race, the
    advice of counts, the action at every score, or the risk of being hit.  It serves standard input and output until
    they end.  FILE answers as far as it reaches, as for bgrace web.  Needs the MCP SDK: pip install "bgrace[mcp]".

    \b
    Examples:
      bgrace mcp
      bgrace mcp bearoff.h5
    """  # noqa: D301
    if sys.stdin is None:  # as it is for a process that was started with a closed one
        raise click.UsageError("standard input is closed, and questions come through it: start this from a client")
    from bgrace_apps.web.mcp_server import run  # noqa: PLC0415 - needs what is installed with bgrace[mcp] only

    with _answers(file) as answers:
        stop_quietly()  # nothing is being written, and a thread that reads cannot be interrupted
        try:
            run(answers)
        except* BrokenPipeError:  # the client has gone, and did not wait for its answers
            pass
        except* OSError as failed:
            eprint(f"bgrace: the client cannot be answered: {failed.exceptions[0]}")
            os._exit(1)
