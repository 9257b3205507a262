"""`bgrace mcp`, asked by the client of the protocol's SDK."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
import pytest
from helpers.command import check_one_line, complaint, start
from helpers.known import known
from helpers.paths import SMALL

from bgrace.answers.question import solve
from bgrace.errors import PositionError

pytestmark = pytest.mark.skipif(not find_spec("mcp"), reason="needs bgrace[mcp]")

CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
INITIALIZE = {"id": 1, "method": "initialize", "params": CLIENT}


def _ask(*questions: tuple[str, dict[str, object]], progress: Any = None) -> list[Any]:
    from mcp.client.session import ClientSession  # takes a second, in each process that collects this
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def session() -> list[Any]:
        server = StdioServerParameters(command=sys.executable, args=["-m", "bgrace", "mcp", str(SMALL)])
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()
            offered = {tool.name for tool in (await client.list_tools()).tools}
            assert offered == {"solve", "counts", "score_map", "risk"}
            return [await client.call_tool(name, asked, progress_callback=progress) for name, asked in questions]

    with ThreadPoolExecutor(1) as pool:  # Playwright keeps a loop of its own running in the thread of the tests
        return pool.submit(anyio.run, session).result()


@pytest.mark.parametrize("key", [None, signal.SIGTERM])
def test_the_server_ends_with_its_client(key: signal.Signals | None) -> None:
    """When the client closes its end, and on a signal; here it computes a map that takes seconds."""
    long = {"on_roll": "4x2 5x3 6x4 8x3 10x3", "opponent": "5x4 6x5 8x3 13x3", "length": 15}
    messages: list[dict[str, Any]] = [
        INITIALIZE,
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "score_map", "arguments": long}},
    ]
    with start("mcp", SMALL, stdin=subprocess.PIPE) as process:
        asked, told = known(process.stdin), known(process.stdout)
        for message in messages:
            asked.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        asked.flush()
        assert json.loads(told.readline())["id"] == 1
        time.sleep(0.5)
        if key is None:
            asked.close()
            told.close()
        else:
            process.send_signal(key)
        assert process.wait(timeout=5) == (key is not None)


def test_a_missing_client_is_an_error_of_one_line(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.write_text(json.dumps({"jsonrpc": "2.0", **INITIALIZE}) + "\n")
    for script, status, says in (
        ('exec "$@" <&-', 2, "standard input is closed"),
        (f'exec "$@" <{asked} >/dev/full', 1, "the client cannot be answered: [Errno 28]"),
    ):
        command = ["sh", "-c", script, "sh", sys.executable, "-m", "bgrace", "mcp", str(SMALL)]
        check_one_line(complaint(*command, status=status), says)


def test_a_map_takes_its_seconds_in_all_and_reports_each_score() -> None:
    told = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    race: dict[str, object] = {"on_roll": "4x2 5x3 6x4 8x3 10x3", "opponent": "5x4 6x5 8x3 13x3"}
    began = time.monotonic()
    (mapped,) = _ask(("score_map", {**race, "length": 15, "seconds": 0.5}), progress=listen)
    assert time.monotonic() - began < 60  # with the start of the server; half a second for each score would be minutes
    n_scores = len(mapped.structured_content["scores"])
    assert told == [(k, n_scores) for k in range(1, n_scores + 1)]


def test_tools_answer_as_the_library_does() -> None:
    sides: dict[str, object] = {"on_roll": "1,1,1,1,1,1", "opponent": "1,1,1,1,1,1"}
    with pytest.raises(PositionError) as raised:
        solve("1x1", "1x16")
    odd: dict[str, object] = {"xgid": "XGID=-----AA-------------aa----:2:0:1:00:0:0:0:3:10"}
    solved, noted, counted, mapped, wrong, other, unknown = _ask(
        ("solve", {**sides, "cube": "mine", "roll": "31"}),
        ("solve", odd),
        ("counts", sides),
        ("score_map", {"on_roll": "6x2", "opponent": "1x2", "length": 2}),
        ("solve", {"on_roll": "1x1", "opponent": "1x16"}),
        ("score_map", {"on_roll": "6x2", "opponent": "1x2", "match": "3,5"}),
        ("solve_all", {}),
    )
    truth = solve("1,1,1,1,1,1", "1,1,1,1,1,1")
    assert solved.structured_content["cube_action"] == truth.cube_action("mine").to_dict()
    assert solved.structured_content["plays"][0]["play"] == "3/off 1/off"
    assert "cube of 4 in the middle" in noted.structured_content["notes"][0]
    assert counted.structured_content["truth"]["error"] == 0
    assert len(mapped.structured_content["scores"]) == 6
    no_field = "'match' is not a field of score_map"
    for refused, part in ((wrong, str(raised.value)), (other, no_field), (unknown, "solve, counts")):
        assert refused.is_error
        assert refused.content[0].type == "text"
        assert part in refused.content[0].text
