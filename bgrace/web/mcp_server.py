"""The same questions for language models, over the Model Context Protocol: JSON in and out, as the page has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import anyio

from bgrace._base.arrays import JSON
from bgrace._base.version import VERSION
from bgrace.errors import ArgumentError, BgraceError, DependencyError
from bgrace.web.answering import Answers
from bgrace.web.openapi import arguments
from bgrace.web.questions import FIELDS, RISK_FIELDS, Asked, read_question, read_risk_question

try:
    import mcp_types as types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
except ImportError as error:
    raise DependencyError("bgrace mcp needs the MCP SDK: pip install bgrace[mcp]") from error

_HOW: Final = (
    "Exact answers to backgammon races. Give an XGID, or the checkers of both sides. Values are for the player on "
    "roll, before the dice: points per unit of the cube for money, match winning chances at a score. Quote `method` "
    "and `error` with each number: an error of 0 means exact. Do not calculate equities yourself."
)

_FOR_ONE: Final = tuple(name for name in FIELDS if name != "length")
_FOR_MAP: Final = tuple(
    name for name in FIELDS if name not in ("roll", "rolls", "match", "crawford", "money", "jacoby")
)


@dataclass(frozen=True, slots=True)
class _Tool:
    """A tool that a model may call: its fields, and the function that answers."""

    what: str
    fields: tuple[str, ...]
    answer: Callable[[Asked], dict[str, JSON]]


def _make_server(answers: Answers) -> Server[Any]:
    """Make the server: a question that cannot be answered comes back with the message of `bgrace.errors`."""
    tools = {
        "solve": _Tool(
            "Solve a race: chances, equities by the place of the cube, the cube action, and the best plays of a roll.",
            _FOR_ONE,
            lambda asked: answers.solve(read_question(asked)),
        ),
        "counts": _Tool(
            "Compare the counts that players use (Keith, Isight, Thorp, ...) with the right cube action.",
            _FOR_ONE,
            lambda asked: answers.counts(read_question(asked)),
        ),
        "score_map": _Tool(
            "Find the right cube action at every score of a match. Takes `seconds` for each score at most.",
            _FOR_MAP,
            lambda asked: _map(answers, asked),
        ),
        "risk": _Tool(
            "Find the risk of being hit in a bearoff against checkers on the bar or in the home board.",
            RISK_FIELDS,
            lambda asked: answers.risk(read_risk_question(asked)),
        ),
    }
    one_at_a_time = anyio.CapacityLimiter(1)

    async def listed(_: object, __: object) -> types.ListToolsResult:
        hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=tool.what, input_schema=arguments(tool.fields), annotations=hints)
                for name, tool in tools.items()
            ]
        )

    async def called(_: object, call: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if call.name not in tools:
                raise ArgumentError(f"{call.name!r} is not a tool: use {', '.join(tools)}")
            answer = await anyio.to_thread.run_sync(
                tools[call.name].answer, call.arguments or {}, limiter=one_at_a_time
            )
        except BgraceError as error:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(error))], is_error=True)
        text = json.dumps(answer, separators=(",", ":"))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=answer)

    return Server("bgrace", version=VERSION, instructions=_HOW, on_list_tools=listed, on_call_tool=called)


def _map(answers: Answers, asked: Asked) -> dict[str, JSON]:
    """The verdict at every score of a map."""
    question = read_question(asked)
    return {"scores": [answers.at_score(question, score) for score in answers.scores(question)]}


def run(answers: Answers) -> None:
    """Serve over standard input and output until the input ends.

    It offers the tools ``solve``, ``counts``, ``score_map`` and ``risk``.  A question that cannot be answered comes
    back as an error with the message of `bgrace.errors`.

    Parameters
    ----------
    answers : Answers
        What answers questions.

    Raises
    ------
    DependencyError
        On import, if the MCP SDK is not installed.
    """

    async def serve() -> None:
        server = _make_server(answers)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)
