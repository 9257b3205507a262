"""The same questions for language models, over the Model Context Protocol: JSON in and out, as the page has it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias

from bgrace._base.arrays import JSON
from bgrace._base.version import VERSION
from bgrace.cube.action import CUBES
from bgrace.errors import ArgumentError, BgraceError, DependencyError
from bgrace_apps.web.questions import (
    MAX_LENGTH,
    MAX_SECONDS,
    METS,
    RISK_FIELDS,
    Answers,
    Asked,
    check_fields,
    read_question,
    read_risk_question,
)

try:
    import anyio
    import anyio.to_thread
    import mcp_types as types
    from mcp.server import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
except ImportError as error:
    raise DependencyError('bgrace mcp needs the MCP SDK: pip install "bgrace[mcp]"') from error

_Context: TypeAlias = ServerRequestContext[Any]
_HOW: Final = (
    "Exact answers to backgammon races. Give an XGID, or the checkers of both sides. Values are for the player on "
    "roll, before the dice: points per unit of the cube; at a score they are normalised, 1 for winning a single game, "
    "and `match_chances` and `mwc` are chances to win the match. Quote `method` and `error` with each number: an error "
    "of 0 means exact. Pass on `notes`. Do not calculate equities yourself."
)

_FLAG: Final[dict[str, JSON]] = {"type": "boolean"}
_SIDE: Final[dict[str, JSON]] = {"type": "string", "description": 'Checkers of a side, such as "6x2 5x1".'}

_FIELDS: Final[dict[str, dict[str, JSON]]] = {
    "xgid": {"type": "string", "description": "An XGID, or another ID of both sides; or else on_roll and opponent."},
    "on_roll": _SIDE,
    "opponent": _SIDE,
    "roll": {"type": "string", "description": "List the plays of this roll, such as 31."},
    "rolls": {**_FLAG, "description": "List the plays of all 21 rolls."},
    "cube": {"enum": list(CUBES), "description": "Where the cube is, seen by the player on roll."},
    "cube_value": {"type": "integer", "description": "Before this roll: 1, 2, 4, ..."},
    "match": {"type": "string", "description": "Points that the player on roll and the opponent need, such as 3,5."},
    "crawford": {**_FLAG, "description": "This is the Crawford game."},
    "met": {"enum": list(METS), "description": "The match equity table."},
    "money": {**_FLAG, "description": "Money, whatever the ID says."},
    "jacoby": {**_FLAG, "description": "Money: gammons count once as long as the cube is centered."},
    "beavers": {**_FLAG, "description": "Money: a doubled player may redouble at once and keep the cube."},
    "gammons": {**_FLAG, "description": "Whether gammons and backgammons count; true unless given."},
    "prove": {**_FLAG, "description": "Prove bounds for every value, too, within as many seconds."},
    "seconds": {"type": "number", "maximum": MAX_SECONDS, "description": "About how long to compute."},
    "length": {"type": "integer", "maximum": MAX_LENGTH, "description": "For a map: points of the match."},
}

_FOR_ONE: Final = tuple(name for name in _FIELDS if name != "length")
_FOR_MAP: Final = tuple(
    name for name in _FIELDS if name not in ("roll", "rolls", "match", "crawford", "money", "jacoby", "beavers")
)

_TOOLS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "solve": (
        "Solve a race: chances, equities by the place of the cube, the cube action, and the best plays of a roll.",
        _FOR_ONE,
    ),
    "counts": ("Compare the counts that players use (Keith, Isight, ...) with the right cube action.", _FOR_ONE),
    "score_map": (
        "Find the right cube action at every score of a match. Takes `seconds` in all, 10 unless given.",
        _FOR_MAP,
    ),
    "risk": ("Find the risk of being hit in a bearoff against checkers on the bar or in the home board.", RISK_FIELDS),
}
"""What each tool does, and the fields that it takes."""


def _make_server(answers: Answers) -> Server[Any]:
    """Make the server: a question that cannot be answered comes back with the message of `bgrace.errors`."""
    # A question that is given up, or whose client has gone, is not waited for; its thread goes on for `seconds`.
    compute = partial(anyio.to_thread.run_sync, limiter=anyio.CapacityLimiter(2), abandon_on_cancel=True)

    async def score_map(asked: Asked, context: _Context) -> dict[str, JSON]:
        whole = read_question({"seconds": MAX_SECONDS, **asked})
        scores = answers.scores(whole)
        question = read_question({**asked, "seconds": whole.race.limits.seconds / len(scores)})
        found: list[JSON] = []
        for score in scores:
            found.append(await compute(answers.at_score, question, score))
            await context.session.report_progress(len(found), len(scores))
        return {"scores": found}

    ask: dict[str, Callable[[Asked, _Context], Awaitable[dict[str, JSON]]]] = {
        "solve": lambda asked, _: compute(answers.solve, read_question(asked)),
        "counts": lambda asked, _: compute(answers.counts, read_question(asked)),
        "score_map": score_map,
        "risk": lambda asked, _: compute(answers.risk, read_risk_question(asked)),
    }

    async def listed(_: object, __: object) -> types.ListToolsResult:
        hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        tools = []
        for name, (what, fields) in _TOOLS.items():
            properties = {field: _FIELDS[field] for field in fields}
            schema = {"type": "object", "properties": properties, "additionalProperties": False}
            tools.append(types.Tool(name=name, description=what, input_schema=schema, annotations=hints))
        return types.ListToolsResult(tools=tools)

    async def called(context: _Context, call: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if call.name not in ask:
                raise ArgumentError(f"{call.name!r} is not a tool: use {', '.join(ask)}")
            asked = call.arguments or {}
            check_fields(asked, _TOOLS[call.name][1], call.name)
            answer = await ask[call.name](asked, context)
        except BgraceError as error:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(error))], is_error=True)
        text = json.dumps(answer, separators=(",", ":"))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=answer)

    return Server("bgrace", version=VERSION, instructions=_HOW, on_list_tools=listed, on_call_tool=called)


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
