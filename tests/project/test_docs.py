"""Everything on the command line is documented, and commands print what the documents show."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

import click
import pytest
from helpers.command import run
from helpers.paths import MATCHES, ROOT

import bgrace
from bgrace import embed
from bgrace.cli import cli
from bgrace.cli.output import bytes_text
from bgrace.database.building import packed_plan
from bgrace.embed.compiler import has_compiler

REFERENCE = [ROOT / "docs" / "commands" / f"{name}.md" for name in ("databases", "races", "matches", "rules")]
TUTORIAL = ROOT / "docs" / "first-race.md"
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

_FENCED = re.compile(r"^```(?:console|sh|shell|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A bgrace command in a document, and the output that follows it there."""

    document: Path
    arguments: tuple[str, ...]
    output: str

    def __str__(self) -> str:
        return f"{self.document.name}: bgrace {shlex.join(self.arguments)}"


def examples(document: Path) -> Iterator[Example]:
    for block in _FENCED.findall(document.read_text(encoding="utf-8")):
        command: tuple[str, ...] | None = None
        lines: list[str] = []
        for line in [*block.splitlines(), "$"]:
            words = re.match(r"\$(?: |$)|(?:\S*/)?(?:bgrace|python) ", line)
            if not words:
                lines.append(line)
                continue
            if command is not None:
                yield Example(document, command, "".join(f"{text}\n" for text in lines))
            tokens = shlex.split(line.removeprefix("$").strip(), comments=True)
            # Only the command of bgrace, without the rest of a pipeline.
            end = next((k for k, token in enumerate(tokens) if token in ("|", ">", "&&", ";")), len(tokens))
            is_ours = bool(tokens) and Path(tokens[0]).name == "bgrace" and end > 1
            command, lines = tuple(tokens[1:end]) if is_ours else None, []


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def section(text: str, path: tuple[str, ...]) -> str:
    """Return the text under the heading of a command, up to the next heading of its level."""
    heading = re.search(rf"^(#+) bgrace {re.escape(' '.join(path))}$", text, re.MULTILINE)
    assert heading, f"docs/commands/ has no heading 'bgrace {' '.join(path)}'"
    rest = text[heading.end() :]
    end = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


@pytest.fixture(scope="module")
def reference() -> str:
    return "\n# \n".join(page.read_text(encoding="utf-8") for page in REFERENCE)


@pytest.mark.parametrize("path", [pytest.param(path, id=" ".join(path)) for path, _ in commands(cli)])
def test_every_command_and_argument_is_documented_and_every_option_has_help(
    path: tuple[str, ...], reference: str
) -> None:
    """The site prints the help of options below the section of a command."""
    command = dict(commands(cli))[path]
    text = section(reference, path)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.opts
        else:
            assert re.search(rf"\b{parameter.make_metavar(click.Context(command)).strip('[].')}\b", text)


def test_every_documented_command_and_option_exists(reference: str) -> None:
    headings = re.findall(r"^#+ bgrace (.+)$", reference, re.MULTILINE)
    assert sorted(headings) == sorted(" ".join(path) for path, _ in commands(cli))
    parameters = [parameter for _, each in commands(cli) for parameter in each.params]
    known = {opt for parameter in parameters for opt in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
    assert set(re.findall(r"`(--[a-z-]+)[` ]", reference)) <= known


@pytest.mark.parametrize("pages", [REFERENCE, [TUTORIAL]], ids=["reference", "tutorial"])
def test_examples_print_what_their_page_shows(
    pages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copyfile(MATCHES / "5-103.mat", tmp_path / "match.mat")
    checker = doctest.OutputChecker()
    has_module = has_compiler() or (embed.library_dir() / "bgrace.wasm").is_file()
    for example in (example for page in pages for example in examples(page)):
        if example.arguments[:2] == ("web", "--static") and not has_module:
            continue
        result = run(*example.arguments)
        printed = result.stderr if result.exit_code else result.stdout
        assert checker.check_output(example.output, printed, doctest.ELLIPSIS), f"{example} printed\n{printed}"


def in_bytes(size: str) -> float:
    number, unit = size.split()
    return float(number) * {"MB": 1e6, "GB": 1e9}[unit]


def test_documented_sizes_of_files_are_those_that_a_build_announces() -> None:
    published = json.loads((ROOT / "scripts" / "release.json").read_text(encoding="utf-8"))
    text = (ROOT / "docs" / "small-tables.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\S+ [MG]B) \| (\S+ [MG]B) \|$", text, re.MULTILINE)
    assert len(rows) == 5
    for checkers, plain, packed in rows:
        plan = bgrace.plan_build(two_sided=int(checkers), memory_bytes=1 << 36)
        assert in_bytes(plain) == pytest.approx(plan.file_bytes, rel=0.002)
        assert in_bytes(packed) == pytest.approx(packed_plan(plan).file_bytes, rel=0.09)
        if known := published.get(f"packed-{checkers}.h5"):
            assert in_bytes(packed) == pytest.approx(known["bytes"], rel=0.002)
    assert bytes_text(published["approximate-15.h5"]["bytes"]) in text
    text = (ROOT / "docs" / "how-to" / "build-a-database.md").read_text(encoding="utf-8")
    rows = re.findall(r"`bgrace build \S+ ?(.*)` \| (\d+ [MG]B) \|", text)
    assert len(rows) == 4
    for arguments, size in rows:
        words = arguments.split()
        given = dict(zip(words[::2], words[1::2], strict=True))
        points, two_sided = int(given.get("--points", 6)), given.get("--two-sided")
        plan = bgrace.plan_build(points, two_sided=two_sided and int(two_sided), memory_bytes=1 << 36)
        assert in_bytes(size) == pytest.approx(plan.file_bytes, rel=0.03)
