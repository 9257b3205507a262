"""The HTTP interface: it answers as the library does, and refuses clearly."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from importlib import import_module
from typing import Any

import pytest
from helpers.command import start
from helpers.golden import Row, rows
from helpers.paths import MATCHES, SMALL
from helpers.web import Client, serving
from hypothesis import given
from hypothesis import strategies as st

import bgrace
from bgrace.answers.pair import describe
from bgrace.contact import risk
from bgrace.errors import BgraceError, DependencyError
from bgrace.match import Score
from bgrace_apps.review import read_bytes, review, review_html
from bgrace_apps.web import Answers, WebQuestion, app, read_question, site_files
from bgrace_apps.web.app import HEADERS, MAX_FILE
from bgrace_apps.web.questions import FIELDS

MINE, THEIRS = "5x1 6x1", "4x1 5x1"


@pytest.mark.parametrize(
    "fields",
    [
        {"on_roll": MINE, "opponent": THEIRS},
        {"on_roll": MINE, "opponent": [0, 0, 0, 1, 1], "roll": [2, 1], "cube": "mine"},
        {"on_roll": MINE, "opponent": THEIRS, "rolls": True, "jacoby": True},
        {"on_roll": MINE, "opponent": THEIRS, "match": "3,5", "roll": "21"},
        {"on_roll": MINE, "opponent": THEIRS, "match": [2, 2], "cube_value": 2, "met": "zadeh"},
        {"xgid": "XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10"},
        {"on_roll": "7x1 6x1", "opponent": THEIRS},
        {"on_roll": "5x1", "opponent": "6x15", "beavers": True},
        {"on_roll": "7x1 6x1", "opponent": THEIRS, "prove": True, "seconds": 0.1},
    ],
)
def test_questions_are_answered(server: Client, fields: dict[str, object]) -> None:
    reply = server.ask("solve", **fields)
    assert reply.status == 200, reply.body
    assert 0 <= reply.json["win_probability"] <= 1
    assert reply.json["cube_action"]["verdict"]
    if fields.get("prove"):
        low, high = reply.json["bounds"]["win"]
        assert low <= reply.json["win_probability"] <= high


def test_an_answer_is_that_of_the_library(server: Client, database: bgrace.Database) -> None:
    told = server.ask("solve", on_roll=MINE, opponent=THEIRS, roll="21", cube="mine").json
    known = describe(database.solution(MINE, THEIRS), database.alone(MINE), database.alone(THEIRS), "21", cube="mine")
    assert told == json.loads(json.dumps(known.to_dict()))


def test_a_question_in_the_address_is_answered_like_one_in_the_body(server: Client) -> None:
    asked = server.get("/api/solve?on_roll=5x1+6x1&opponent=4x1%205x1&match=3,5&rolls=true")
    assert asked.json == server.ask("solve", on_roll=MINE, opponent=THEIRS, match="3,5", rolls=True).json


def test_an_id_is_answered_under_its_own_stakes(server: Client) -> None:
    xgid = "XGID=-----AA-------------aa----:1:-1:1:00:2:4:0:5:10"
    told = server.ask("solve", xgid=xgid).json
    assert (told["match"]["on_roll_needs"], told["match"]["cube_value"]) == (3, 2)
    assert told["cube_action"]["cube"] == "theirs"
    assert told["xgid"] == xgid
    money = server.ask("solve", xgid=xgid, money=True).json
    assert "match" not in money
    assert money["cube_action"]["cube"] == "theirs"


@pytest.mark.parametrize(
    ("cube", "doubt"),
    [
        ("2:0", "a cube of 4 in the middle, in a match: taken to be that of the player on roll"),
        ("0:1", "a cube of 1 on a side, in a match: taken to be in the middle"),
    ],
)
def test_an_impossible_cube_of_an_id_is_noted(server: Client, cube: str, doubt: str) -> None:
    xgid = f"XGID=-----AA-------------aa----:{cube}:1:00:0:0:0:3:10"
    notes = [f"the ID has {doubt}"]
    assert [server.ask(what, xgid=xgid).json["notes"] for what in ("solve", "counts")] == [notes, notes]
    scores = server.ask("map", xgid=xgid, length=1).body.splitlines()
    assert [json.loads(score)["notes"] for score in scores] == [notes]
    assert "notes" not in server.ask("solve", xgid=xgid, money=True).json
    assert "notes" not in server.ask("solve", xgid=xgid.replace(cube, "0:0")).json


def test_counts_have_names(server: Client) -> None:
    reply = server.ask("counts", on_roll="1x2 3x2 5x1", opponent="2x2 4x2 6x1")
    assert reply.status == 200, reply.body
    assert reply.json["names"].keys() >= reply.json["counts"].keys()


def test_a_map_comes_line_by_line(server: Client) -> None:
    reply = server.ask("map", on_roll=MINE, opponent=THEIRS, length=3)
    assert reply.headers["content-type"] == "application/x-ndjson"
    scores = [json.loads(line) for line in reply.body.splitlines()]
    assert len(scores) == 9 + 4  # with one side 1-away, in the Crawford game and after it
    known = bgrace.solve(MINE, THEIRS, match=Score(3, 2)).cube_action().to_dict()
    (told,) = [each for each in scores if (each["on_roll_needs"], each["opponent_needs"]) == (3, 2)]
    assert told["cube_action"] == json.loads(json.dumps(known))


MATCH = (MATCHES / "5-103.mat").read_bytes()
AS_FILE, AS_JSON = {"Content-Type": "application/octet-stream"}, {"Content-Type": "application/json"}


def test_a_match_is_reviewed_as_the_library_does(server: Client) -> None:
    reply = server.request("POST", "/api/review?name=5-103.mat&language=fr", MATCH, AS_FILE)
    *parts, last = [json.loads(line) for line in reply.body.splitlines()]
    assert parts[-1]["done"] == parts[-1]["of"] > 0
    (match,) = read_bytes(MATCH, "5-103.mat")
    known = review(match)
    assert last["review"] == json.loads(json.dumps(known.to_dict()))
    assert last["html"] == review_html([known], explorer="", worst=100, language="fr")


@pytest.mark.parametrize(
    ("file", "kind", "status"),
    [
        (b"", AS_FILE, 422),
        (b"\x00\x01" * 50, AS_FILE, 422),
        (b" " * (MAX_FILE + 1), AS_FILE, 413),
        (MATCH, {"Content-Type": "text/plain"}, 415),
        (b"<script>alert(1)</script>", AS_FILE, 422),
    ],
)
def test_files_that_are_not_matches_are_refused(server: Client, file: bytes, kind: dict[str, str], status: int) -> None:
    reply = server.request("POST", "/api/review?name=%3Cb%3E", file, kind)
    assert reply.status == status, reply.body
    assert reply.json.keys() == {"error", "message"}


# ---------------------------------------------------------------------- refusals

PAIR = {"on_roll": MINE, "opponent": THEIRS}


@pytest.mark.parametrize("row", rows("refused_web_questions"), ids=lambda row: row.text("fields")[:60])
def test_wrong_questions_are_refused_with_a_reason(server: Client, row: Row) -> None:
    reply = server.ask(row.text("what"), **eval(row.text("fields"), globals()))
    assert reply.status == 400
    assert row.text("message") in reply.json["message"]
    assert len(reply.json["message"]) < 1000


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4), st.data()
)
def test_any_field_is_read_or_refused(value: object, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FIELDS)))
    question = None
    with suppress(BgraceError):  # no other exception is allowed
        question = read_question({"on_roll": MINE, "opponent": THEIRS, name: value})
    assert question is None or question.race.stakes


@pytest.mark.parametrize("row", rows("refused_requests"), ids=str)
def test_wrong_requests_are_refused_with_a_status(server: Client, row: Row) -> None:
    body, headers = (eval(row.text(name), globals()) for name in ("body", "headers"))
    reply = server.request(row.text("method"), row.text("path"), body, headers)
    assert reply.status == row.integer("status")
    assert reply.json.keys() == {"error", "message"}
    assert (reply.status == 405) == ("allow" in reply.headers)
    for name, value in HEADERS.items():
        assert reply.headers[name.lower()] == value


def test_links_on_other_sites_lead_to_the_page(server: Client) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert server.get("/?on_roll=6x1", **link).status == 200
    assert server.get("/api/about", **{"Sec-Fetch-Site": "same-origin"}).json["two_sided_checkers"] == 6


def test_a_body_of_unknown_length_is_bounded_and_nonsense_refused(server: Client) -> None:
    head = (
        b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    body = (b"1000\r\n" + b" " * 0x1000 + b"\r\n") * 8
    for sent, status in ((head + body, b"413"), (b"\x16\x03\x01 hello\r\n\r\n", b"400")):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
            connection.sendall(sent)
            assert connection.recv(100).startswith(b"HTTP/1.1 " + status)


def test_many_silent_connections_do_not_delay_an_answer(server: Client) -> None:
    connections = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    assert server.ask("solve", on_roll=MINE, opponent=THEIRS).status == 200
    for connection in connections:
        connection.close()


# ---------------------------------------------------------------------- files


def test_only_the_files_of_the_site_are_served(server: Client) -> None:
    for name, file in site_files().items():
        reply = server.get(f"/{name}")
        assert reply.status == 200
        assert reply.body == file.content
        assert reply.headers["content-type"] == file.media_type
        assert server.request("HEAD", f"/{name}").body == b""
    assert server.get("/").body == site_files()["index.html"].content


def test_a_file_that_has_not_changed_is_not_sent_again(server: Client) -> None:
    first = server.get("/app.js")
    again = server.get("/app.js", **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


def test_files_are_compressed_for_clients_that_accept_gzip(server: Client) -> None:
    takes = ("gzip", "br;q=0, GZIP ;q=0.5", "gzip; q=0.001, *;q=0")
    for accepted in (*takes, "", "br, zstd", "gzip;q=0", "br, gzip ; Q=0.000, deflate"):
        packed = "content-encoding" in server.get("/app.js", **{"Accept-Encoding": accepted}).headers
        assert packed == (accepted in takes), accepted


# ---------------------------------------------------------------------- waiting


class Slow(Answers):
    """Answers that wait for an event."""

    def __init__(self, database: bgrace.Database) -> None:
        super().__init__(database)
        self.go_on = threading.Event()
        self.begun: list[WebQuestion] = []

    def solve(self, question: WebQuestion) -> dict[str, Any]:
        self.begun.append(question)
        self.go_on.wait(30)
        return super().solve(question)


@pytest.fixture
def slow(database: bgrace.Database) -> Iterator[tuple[Client, Slow]]:
    answers = Slow(database)
    with serving(answers, threads=1) as client:
        yield client, answers
        answers.go_on.set()


def test_a_question_that_takes_too_long_is_refused(slow: tuple[Client, Slow], monkeypatch: pytest.MonkeyPatch) -> None:
    client, answers = slow
    monkeypatch.setattr(app, "_SECONDS", 0.2)
    for _ in range(2):  # the second question waits for the first
        reply = client.ask("solve", on_roll=[1], opponent=[1])
        assert (reply.status, reply.json["error"]) == (503, "busy")
        assert reply.headers["retry-after"]
    monkeypatch.undo()
    answers.go_on.set()
    assert client.ask("solve", on_roll=[2], opponent=[1]).status == 200
    assert len(answers.begun) == 2  # the first question and the last


def test_an_answer_is_kept(slow: tuple[Client, Slow]) -> None:
    client, answers = slow
    answers.go_on.set()
    told = [client.ask("solve", on_roll=[k], opponent=[1]).body for k in (1, 2, 1)]
    assert told[0] == told[2] != told[1]
    assert len(answers.begun) == 2


def heard(client: Client) -> None:
    """Wait until the server has handled what was sent before: it accepts connections in order."""
    for _ in range(5):
        assert client.get("/").status == 200


def test_a_question_that_nobody_waits_for_is_not_answered(slow: tuple[Client, Slow]) -> None:
    client, answers = slow
    first = threading.Thread(target=client.ask, args=("solve",), kwargs={"on_roll": [1], "opponent": [1]})
    first.start()
    while not answers.begun:
        threading.Event().wait(0.01)
    with socket.create_connection(("127.0.0.1", client.port)) as connection:
        connection.sendall(b"GET /api/solve?on_roll=2&opponent=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard(client)
    heard(client)
    answers.go_on.set()
    first.join()
    assert client.ask("solve", on_roll=[3], opponent=[1]).status == 200
    assert [question.race.on_roll[0] for question in answers.begun] == [1, 3]


@pytest.mark.parametrize("what", ["solve", "map"])
def test_work_that_nobody_waits_for_is_stopped(database: bgrace.Database, what: str) -> None:
    """The only thread is free long before the work would be done, and it answers the next question."""
    long = "--BBCD-BA-A---------bcdcb-:0:0:1:00:0:0:0:0:10"
    with serving(Answers(database), threads=1) as client:
        with socket.create_connection(("127.0.0.1", client.port)) as connection:
            connection.sendall(f"GET /api/{what}?xgid={long}&seconds=9 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.3)
        before = time.monotonic()
        assert client.ask("solve", xgid=long, seconds=0.3).status == 200
        assert time.monotonic() - before < 4


def test_silent_connections_are_closed(database: bgrace.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "_SILENT", 0.5)
    head = b"GET /app.js HTTP/1.1\r\nHost: localhost\r\n"
    heads = [b"", head[:7], head, head + b"\r\n" + head, 1000 * (head + b"\r\n")]
    size = len(site_files()["app.js"].content)
    with serving(Answers(database)) as client, ExitStack() as stack:
        each = [stack.enter_context(socket.create_connection(("127.0.0.1", client.port), 2)) for _ in heads]
        for connection, sent in zip(each, heads, strict=True):
            connection.sendall(sent)
        time.sleep(2)  # the clients read nothing
        taken = [0] * len(heads)
        for k, connection in enumerate(each):
            with suppress(ConnectionError):
                while part := connection.recv(1 << 20):
                    taken[k] += len(part)
        assert taken[:3] == [0, 0, 0]
        assert size < taken[3] < 2 * size
        assert taken[4] < 1000 * size


def test_unforeseen_failures_are_not_sent(database: bgrace.Database, capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(Answers):
        def solve(self, question: WebQuestion) -> dict[str, Any]:
            raise RuntimeError("secret")

        def at_score(self, question: WebQuestion, score: Score) -> dict[str, Any]:
            if score.opponent_needs > 1:
                raise RuntimeError("secret")
            return super().at_score(question, score)

    with serving(Broken(database)) as client:
        with pytest.raises(http.client.IncompleteRead):
            client.ask("map", on_roll=[1], opponent=[1])
        assert capsys.readouterr().err.count("RuntimeError: secret") == 1
        reply = client.ask("solve", on_roll=[1], opponent=[1])
        assert reply.status == 500
        assert reply.headers.items() >= {name.lower(): value for name, value in HEADERS.items()}.items()
        assert b"secret" not in reply.body
        assert capsys.readouterr().err.count("RuntimeError: secret") == 1
        assert reply.json["error"] == "failure"
        assert client.get("/api/about").status == 200


LONG_MATCH = (MATCHES / "6-203.mat").read_bytes()
SLOW = json.dumps({"on_roll": "11x8 12x7", "opponent": "11x8 12x7", "seconds": 10, "length": 15}).encode()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("key", "what", "body"),
    [(signal.SIGINT, "solve", SLOW), (signal.SIGTERM, "map", SLOW), (signal.SIGTERM, "review", LONG_MATCH)],
)
def test_a_signal_ends_a_server_that_is_computing(key: signal.Signals, what: str, body: bytes) -> None:
    kind = AS_FILE if what == "review" else AS_JSON
    with start("web", SMALL, "--no-browser", "--port", "0") as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
        with (
            socket.create_connection(("127.0.0.1", port)) as deaf,
            closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection,
        ):
            deaf.sendall(1000 * b"GET /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
            connection.request("POST", f"/api/{what}", body, kind)
            if what == "review":
                assert connection.getresponse().readline()
            else:
                time.sleep(0.3)
            process.send_signal(key)
            begun = time.monotonic()
            assert process.communicate(timeout=30) == ("", "")
            assert time.monotonic() - begun < 1
        assert process.returncode == 0


def test_public_servers_answer_under_any_name(database: bgrace.Database) -> None:
    with serving(Answers(database), public=True) as client:
        assert client.get("/", Host="races.example").status == 200
        assert client.get("/", Host="races.example", Origin="https://races.example").status == 200
        assert client.get("/", Host="races.example", Origin="https://evil.example").status == 403


def test_the_risk_of_a_bearoff_against_men_behind(server: Client) -> None:
    board = "XGID=a-BBB------------------gg-:0:0:1:00:0:0:0:0:10"
    known = risk(board)
    for roll, all_rolls in ((None, False), ([6, 2], False), (None, True)):
        reply = server.ask("risk", xgid=board, roll=roll, rolls=all_rolls)
        assert reply.status == 200, reply.body
        assert reply.json == known.to_dict(roll, all_rolls=all_rolls)
    of_the_board = server.ask("risk", xgid=board.replace(":00:", ":62:")).json
    assert [play["play"] for play in of_the_board["plays"]] == [play.play for play in known.plays("62")]
    other_side = server.ask("risk", xgid=board.replace(":1:00:", ":-1:31:"), rolls=True).json
    assert not other_side["on_roll"]
    assert not other_side.keys() & {"plays", "rolls"}


def test_pages_that_are_allowed_may_ask(database: bgrace.Database) -> None:
    origin = "https://example.org"
    asked = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
    preflight = {**asked, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    with serving(Answers(database), origins=["https://Example.ORG"]) as client:
        assert client.get("/api/about", **asked).headers["access-control-allow-origin"] == origin
        assert client.request("OPTIONS", "/api/solve", b"", preflight).status == 200
        assert client.get("/api/about", Origin="https://example.com").status == 403


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [("app", "starlette.datastructures", "web"), ("mcp_server", "anyio", "mcp"), ("mcp_server", "mcp_types", "mcp")],
)
def test_missing_extras_are_named(monkeypatch: pytest.MonkeyPatch, module: str, missing: str, extra: str) -> None:
    monkeypatch.delitem(sys.modules, f"bgrace_apps.web.{module}", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(DependencyError, match=rf'pip install "bgrace\[{extra}\]"'):
        import_module(f"bgrace_apps.web.{module}")
