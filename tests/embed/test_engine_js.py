"""engine.js with the WebAssembly module answers as Python does, bit for bit."""

from __future__ import annotations

import json
import random
import re
import subprocess
from ast import literal_eval
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from check_page_engine import answer_json, ask, for_page, node
from helpers.boards import scattered
from helpers.command import call as run
from helpers.compilers import skip_without_zig
from helpers.golden import rows
from helpers.paths import RECORDED_RACES, ROOT, SMALL

import bgrace
from bgrace import embed
from bgrace._base.limits import Limits
from bgrace.answers.alone import follow_alone
from bgrace.answers.question import Question
from bgrace.board import GameState, parse_board, parse_position
from bgrace.board.dice import ROLLS
from bgrace.board.play_text import format_play
from bgrace.board.plays import legal_plays
from bgrace.board.text import sides_of_board
from bgrace.contact import risk
from bgrace.counts.judged import judge_counts
from bgrace.errors import PositionError
from bgrace.match import Score
from bgrace.match.stakes import Stakes

pytestmark = pytest.mark.skipif(node() is None, reason="needs node: the Debian package nodejs")
skip_without_zig()

BUDGET = {"seconds": 0.05, "memoryBytes": 1 << 27}


def plain(value: Any) -> Any:
    """Turn a value into plain JSON, with flags as texts, so that they differ from numbers."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, bool) else value


def call(name: str, *words: Any) -> dict[str, Any]:
    return {"call": name, "words": words}


def test_later_questions_about_a_race_do_not_depend_on_earlier_ones() -> None:
    board = parse_board("uwAAgPc7IQAAAA:UommACAAEAAE")
    stakes = Stakes.of(board)
    limits = Limits(0.02, 1 << 27)
    listed = [
        Question(board.on_roll, board.opponent, stakes, roll=roll, every_roll=all_rolls, limits=limits)
        for roll, all_rolls in [(None, False), ((3, 1), False), (None, True), ((6, 5), False), ((6, 5), True)]
    ]
    for one, reply in zip(listed, ask([for_page(one) for one in listed]), strict=True):
        assert plain(reply) == plain(answer_json(one)), one


def test_plays_beside_one_that_ends_the_game_have_reasons() -> None:
    limits = Limits(0.05, 1 << 27)
    listed = [
        Question(parse_position("1x1 5x1"), parse_position(opponent), stakes, roll=(6, 2), limits=limits)
        for opponent in ("1x1", "6x2", "1x15")
        for stakes in (Stakes.money(), Stakes.at(Score(3, 5)))
    ]
    for one, reply in zip(listed, ask([for_page(one) for one in listed]), strict=True):
        reason = answer_json(one)["plays"][1]["reason"]
        del reason["text"]  # the page writes its own
        assert plain(reply["plays"][1]["reason"]) == plain(reason), one


def test_memory_of_earlier_questions_is_used_again() -> None:
    program, site = node(), embed.javascript_dir().as_uri()
    assert program is not None
    script = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ Engine }} from "{site}/engine.js";
        const {{ _room: room }} = await Engine.load(readFileSync(process.argv[1]));
        for (const [n, megabytes] of [[6, 40], [1, 200], [40, 5]]) {{
          const taken = Array.from({{ length: n }}, () => room.take(megabytes * 2 ** 20));
          for (const at of taken) room.calls.page_free(at);
        }}
        console.log(room._memory.buffer.byteLength);"""
    done = subprocess.run(
        [*program, "--input-type=module", "--eval", script, str(embed.wasm_module())], capture_output=True, check=True
    )
    assert int(done.stdout) < 280 * 2**20  # 240 MB are in use at most


def test_bounds_are_those_of_python() -> None:
    asked = [("6x3 5x3 4x3", "6x2 5x4 3x3"), ("6x15", "1x4"), ("12x1 8x9 6x5", "12x2 8x5 6x5")]
    sides = [[list(parse_position(side)) for side in pair] for pair in asked]
    found = ask([call("prove", {"onRoll": mine, "opponent": theirs, "budget": BUDGET}) for mine, theirs in sides])
    for pair, reply in zip(asked, found, strict=True):
        bounds = bgrace.solve(*pair, prove=True, seconds=0.05, memory_bytes=1 << 27, threads=1).bounds
        assert bounds is not None
        assert plain(reply) == plain(bounds.to_dict("centered")), pair


def test_an_estimate_is_that_of_solve() -> None:
    question = {"onRoll": list(parse_position("6x3 5x3 8x3")), "opponent": list(parse_position("6x2 5x4 7x3"))}
    for stakes in ({}, {"match": {"onRollNeeds": 3, "opponentNeeds": 5}, "cubeValue": 2}):
        asked = {**question, "stakes": stakes}
        estimate, answer = ask([call("estimate", asked), {**asked, "estimate": True}])
        assert estimate == {name: answer[name] for name in estimate}
        assert {"win_probability", "equities", "cube_action", "error", "gammon_loss"} < estimate.keys()
        assert estimate["method"] == "estimate"


def test_one_side_alone_is_answered_as_by_python() -> None:
    sides = ["24x1 13x5 8x3 6x5", "6x15", "off", "1x1", "9x2 7x1"]
    found = ask([call("alone", list(parse_position(side))) for side in sides])
    for side, reply in zip(sides, found, strict=True):
        assert plain(reply) == plain(follow_alone(side).to_dict()), side


def as_on_the_page(on_roll: Sequence[int], opponent: Sequence[int], state: GameState) -> dict[str, Any]:
    """Write two sides and the state of a game with the names of JavaScript."""
    named = {re.sub("_(.)", lambda match: match[1].upper(), name): value for name, value in vars(state).items()}
    return {"onRoll": list(on_roll), "opponent": list(opponent), **named}


def test_counts_are_judged_as_by_python() -> None:
    ids = RECORDED_RACES[:24]
    expected: list[dict[str, Any]] = []
    asked = []
    for k, board in enumerate(map(parse_board, ids)):
        score = [None, Score(3, 5), Score(2, 4)][k % 3]
        sides = board.on_roll, board.opponent
        solution = bgrace.solve(*sides, bgrace.Stakes(score=score, cube_value=2 if k % 3 == 2 else 1), seconds=0.01)
        epc = follow_alone(sides[0]).epc, follow_alone(sides[1]).epc
        judged = judge_counts(solution, epc)
        expected.append(dict(judged.to_dict()))
        why = {place: solution.reasons_at(place) for place in solution.stakes.cubes if place != "theirs"}
        truth: dict[str, Any] = expected[-1]["truth"] | {"epc": epc}
        truth["winProbability"] = truth.pop("win_probability")
        truth["reasons"] = {place: reasons.to_dict() for place, reasons in why.items() if reasons}
        asked.append({"counts": [*map(list, sides), truth]})
    found = ask(asked)
    culprits = [each for reply in found for one in reply["counts"].values() if one for each in one["culprits"].values()]
    assert {"wastage", "limit", "chance"} <= {each["term"] for each in culprits}
    assert {"lamford", "nack57"} <= {name for reply in found for name in reply["left_out"]}
    for text, reply, right in zip(ids, found, expected, strict=True):
        kleinman = [(each["counts"]["kleinman"] or {}).pop("win_probability", None) for each in (reply, right)]
        assert kleinman[0] == pytest.approx(kleinman[1], abs=3e-16)  # erfc is the C library's
        assert plain(reply) == plain(right), text


def test_risks_against_men_behind_are_those_of_python() -> None:
    chance = random.Random(3)
    lines = (ROOT / "data/recorded-bearoffs.txt").read_text(encoding="utf-8").split()
    ids = [*chance.sample(lines, 40), "u3sDAED3AAAAAA"]
    boards = [sides_of_board(each) for each in ids]
    asked = [
        call("risk", {"onRoll": mine, "opponent": theirs, "dice": state.roll, "allRolls": k % 10 == 0})
        for k, (mine, theirs, state) in enumerate(boards)
    ]
    for k, (text, (_, _, state), reply) in enumerate(zip(ids, boards, ask(asked), strict=True)):
        expected = risk(text).to_dict(state.roll, all_rolls=k % 10 == 0)
        del expected["assumptions"]
        assert plain(reply) == plain(expected), text


@pytest.mark.parametrize(
    ("mine", "theirs", "code"),
    [
        ([1] + [0] * 24, [1] + [0] * 24, "ARGUMENT"),
        ([0, 1] + [0] * 23, [3] + [0] * 23 + [3], "COVERAGE"),
        ([0, 1] + [0] * 23, [16] + [0] * 23 + [1], "POSITION"),
    ],
)
def test_boards_without_a_risk_are_refused(mine: list[int], theirs: list[int], code: str) -> None:
    question = {"onRoll": mine, "opponent": theirs}
    reply, mistyped = ask([call("risk", question), call("risk", question | {"roll": [3, 1]})])
    assert reply["code"] == code
    assert reply["message"]
    assert mistyped["message"].startswith('"roll" is not a field of a question about men behind: use onRoll, opponent')


@pytest.mark.parametrize(
    ("before", "after"), [([[0.5, 0.7], [0.3]], 2 * [[0.5]]), ([[0.5, 0.7, 0.8]] * 2, 2 * [[0.5]]), ([[0.5]], [[0.5]])]
)
def test_match_equity_tables_of_another_shape_are_refused(before: list[list[float]], after: list[list[float]]) -> None:
    met = {"name": "odd", "preCrawford": before, "postCrawford": after}
    stakes = {"match": {"onRollNeeds": 1, "opponentNeeds": 1}}
    (reply,) = ask([{"onRoll": [1], "opponent": [1], "stakes": stakes, "met": met}])
    assert (reply["code"], "odd has rows of the wrong length" in reply["message"]) == ("STAKES", True)


def test_a_file_in_memory_is_used_until_it_is_closed() -> None:
    sides = [3, 3, 2, 1, 1, 1, 1, 1, 1], [5, 5, 0, 1, 0, 4]
    question = {"onRoll": sides[0], "opponent": sides[1], "budget": BUDGET, "database": True}
    info, reply, _, closed = ask([{"file": str(SMALL)}, question, call("close"), question])
    with bgrace.open(SMALL) as db:
        assert (info["points"], info["checkers"], info["two_sided_checkers"]) == (6, 6, 3)
        asked = [bgrace.solve(*sides, seconds=0.05, memory_bytes=1 << 27, database=given) for given in (db, None)]
    assert asked[0].win_probability == reply["win_probability"] != asked[1].win_probability
    assert closed["code"] == "OPEN"


def test_impossible_questions_are_refused() -> None:
    refused = rows("refused_questions")
    questions = [json.loads(row.text("question")) for row in refused]
    *reply, answered = ask([*questions, {"onRoll": [1], "opponent": [1]}])
    for one, row in zip(reply, refused, strict=True):
        assert (one["error"], one["code"]) == ("EngineError", row.text("code")), row
        assert row.text("message") in one["message"]
    assert answered["win_probability"] == 1


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    data = SMALL.read_bytes()
    (tmp_path / "cut.h5").write_bytes(data[: len(data) // 2])
    (tmp_path / "text.h5").write_text("nothing")
    cut, text = ask([{"file": str(tmp_path / "cut.h5")}, {"file": str(tmp_path / "text.h5")}])
    assert (cut["code"], text["code"]) == ("DAMAGED", "FORMAT")


# ---------------------------------------------------------------------- callbacks and workers


PROGRAM = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [site, path, packed] = process.argv.slice(2), module = await WebAssembly.compile(readFileSync(path));
const load = (name) => import(new URL(`${name}.js`, `${pathToFileURL(site)}/`));
const [{ Engine }, { RemoteEngine }, { RangeFile }] = await Promise.all(["engine", "remote", "ranges"].map(load));
"""

CALLBACKS = """
const race = { onRoll: [3, 3, 2, 2, 2, 3], opponent: [2, 2, 2, 2, 2, 2], budget: { seconds: 0.03 } };
const { instantiate } = WebAssembly, said = [];
let made;
WebAssembly.instantiate = async (...given) => (made = await instantiate(...given));
const engine = await Engine.load(module), few = { onRoll: [1, 1], opponent: [2] };
const asks = ["solve", "estimate", "prove", "follow"].map((name) => () => engine[name](few)), sizes = [];
for (let k = 0; k < 3; k++) {
    for (const call of [() => true, () => { throw new Error("mine"); }, ...asks]) {
        for (const listener of ["onProgress", "onVerdict"]) {
            try {
                engine.solve(race, { [listener]: (done) => done === 0 || call() });
                said.push("answered");
            } catch (error) {
                said.push(error.code ?? error.message);
            }
        }
    }
    sizes.push(made.exports.memory.buffer.byteLength);
}
console.log(JSON.stringify({ said, grown: sizes[2] - sizes[0], win: engine.solve(few).win_probability }));
"""

WORKERS = """
import { getEventListeners } from "node:events";
const workers = [];
class Stub { // answers at once, but never about races
    constructor() {
        this.heard = {};
        workers.push(this);
    }
    addEventListener(kind, listener) { this.heard[kind] = listener; }
    postMessage(message) {
        const { call, quiet } = structuredClone({ ...message, module: null });
        if (!quiet && call !== "solve") queueMicrotask(() => this.heard.message({ data: { value: call } }));
    }
    terminate() {}
}
const few = { onRoll: [1, 1], opponent: [2] }, { signal } = new AbortController(), keep = true;
const told = (one) => one.then((value) => value, ({ code, message }) => `${code} ${message}`);
const engine = await RemoteEngine.start(module, { worker: () => new Stub() });
const odd = await told(engine.solve({ ...few, state: () => {} }, { keep }));
const before = await told(engine.prove(few, { signal }));
const listening = getEventListeners(signal, "abort").length;
const asked = [0, 1, 2].map(() => told(engine.solve(few, { keep, signal })));
asked.push(told(engine.alone([1])));
for (const worker of workers.slice(0, 2)) worker.heard.error({ message: "died" });
const said = await Promise.all([...asked, told(engine.alone([1]))]);
const second = await RemoteEngine.start(module, { worker: () => new Stub() });
workers.at(-1).heard.error({ message: "died before it was asked" });
const waiting = told(second.solve(few));
workers.at(-2).heard.error({ message: "died" });
said.push(await waiting);
console.log(JSON.stringify({ odd, before, said, left: [listening, getEventListeners(signal, "abort").length] }));
"""


RANGES = """
const data = new Uint8Array(readFileSync(packed)), side = [1, 1, 2, 1, 1, 0];
const race = { onRoll: side, opponent: side, budget: { seconds: 1e-6 } };
let way = "sound", n = 0;
globalThis.fetch = async (url, { headers }) => {
    n++;
    const texts = headers.Range.match(/[0-9]+-[0-9]+/g), type = "multipart/byteranges; boundary=x";
    const part = (text) => `--x\\r\\nContent-Range: bytes ${text}/${data.length}\\r\\n\\r\\n##########\\r\\n`;
    if (texts.length > 1 && way === "lost") throw new TypeError("the connection was lost");
    if (texts.length > 1 && way === "many")
        return new Response(texts.map(part).join(""), { status: 206, headers: { "Content-Type": type } });
    const [[first, last], ...more] = texts.map((one) => one.split("-").map(Number));
    const body = data.slice(first, last + 1), status = more.length ? 200 : 206;
    if ([url, way].includes("flipped") && first > 0) body[0] ^= 1;
    const size = data.length + Number(way === "grown"), range = `bytes ${first}-${last}/${size}`;
    const sent = new Blob(way === "longer" ? [body, "x"] : [body.subarray(0, way === "shorter" ? 9 : body.length)]);
    return new Response(sent, { status, headers: { "Content-Range": range, ETag: way === "tagged" ? "new" : "old" } });
};
const told = (one) => one.then(({ method }) => method, ({ code, message }) => `${code} ${message}`);
const engine = await Engine.load(module), said = {};
const ask = (file, database) => told(engine.reading(file, () => engine.solve({ ...race, database })));
{
    const [sound, flipped] = await Promise.all(["sound", "flipped"].map((name) => RangeFile.open(name)));
    const [one, other] = [engine.open(sound), engine.open(flipped)];
    said.apart = [...await Promise.all([ask(sound, one), ask(sound, one)]), await ask(flipped, other)];
}
{
    const file = await RangeFile.open("all.h5"), database = engine.open(file), other = await RangeFile.open("all.h5");
    let worker, hear;
    globalThis.addEventListener = (kind, listener) => { worker = listener; }; // engine-worker.js in this thread
    globalThis.postMessage = (data) => hear({ data });
    await load("engine-worker");
    const remote = await RemoteEngine.start(module, { worker: () => ({
        addEventListener: (kind, listener) => { if (kind === "message") hear ??= listener; },
        postMessage: (data) => void worker({ data }), terminate() {} }) });
    await remote.open(other);
    const head = { offset: 0, bytes: new Uint8Array(100) };
    const read = async () => { throw new Error("another file was read"); };
    said.none = await told(remote.open({ size: 100, head, read }));
    said.again = [];
    for (way of ["flipped", "sound"])
        said.again.push(await ask(file, database), await told(remote.solve({ ...race, database: true })));
    await remote.open(await RangeFile.open("flipped"));
    const late = told(remote.solve({ ...race, database: true }));
    await remote.open(other);
    said.late = await late;
    n = 0;
    for (let k = 0; k < 3; k++) await Promise.all([0, 0].map(() => file.read([[k, 1 << 20]])));
    await file.read([[0, 1 << 20], [1, 1 << 20]]);
    said.asked = n;
    said.refused = {};
    for (way of ["grown", "tagged", "longer", "shorter"]) said.refused[way] = await told(file.read([[5, 10]]));
    way = "sound";
}
said.requests = {};
for (const ways of ["many lost many", "lost many", "one many"]) {
    const file = await RangeFile.open("all.h5"), each = said.requests[ways] = [];
    for (way of ways.split(" ")) {
        n = 0;
        await file.read([[100 * each.length, 10], [100 * each.length + 50, 10]]);
        each.push(n);
    }
}
console.log(JSON.stringify(said));
"""


def run_program(text: str, folder: Path, *files: Path) -> dict[str, Any]:
    (folder / "program.mjs").write_text(PROGRAM + text, encoding="utf-8")
    words = map(str, [folder / "program.mjs", embed.javascript_dir(), embed.wasm_module(), *files])
    reply: dict[str, Any] = json.loads(run(*(node() or []), "--no-warnings", *words))
    return reply


def test_an_exception_of_a_callback_stops_the_work_and_takes_no_memory(tmp_path: Path) -> None:
    result = run_program(CALLBACKS, tmp_path)
    assert result == {"said": 3 * (["STOPPED", "answered"] + ["mine"] * 2 + ["ARGUMENT"] * 8), "grown": 0, "win": 1}


def test_every_question_to_a_failed_worker_is_answered_with_an_error(tmp_path: Path) -> None:
    result = run_program(WORKERS, tmp_path)
    assert "could not be cloned" in result["odd"]
    *lost, closed, second = result["said"]
    assert lost == ["MEMORY died"] * 4
    assert closed.startswith("OPEN the engine has been closed, or has stopped")
    assert (result["before"], second, result["left"]) == ("prove", "MEMORY died", [0, 0])


def test_files_on_web_hosts_are_read_once_and_checked(tmp_path: Path, packed_path: Path) -> None:
    result = run_program(RANGES, tmp_path, packed_path)
    *sound, flipped = result["apart"]
    assert sound == ["two-sided"] * 2
    assert flipped.startswith("DAMAGED")
    assert result["none"].startswith("FORMAT")
    *damaged, here, there = result["again"]
    assert [each.split()[0] for each in damaged] == ["DAMAGED"] * 2
    assert here == there == result["late"] == "two-sided"
    assert result["asked"] == 2 * 3  # no cached range twice
    assert result["requests"] == {"many lost many": [1, 3, 1], "lost many": [3, 2], "one many": [3, 2]}
    changed, other = "was changed: open it again", "came with other bytes than the host says"
    refused = {"grown": changed, "tagged": changed, "longer": other, "shorter": other}
    assert result["refused"] == {way: f"READ all.h5 {why}" for way, why in refused.items()}


# ---------------------------------------------------------------------- formats.js


def test_ids_are_read_and_written_as_by_python() -> None:
    texts = [literal_eval(row.text("text")) for row in rows("texts_with_ids")]
    texts += random.Random(3).sample(RECORDED_RACES, 100)
    any_contact = [*texts, "0mno:114:D0N::W"]  # a checker is on the bar
    for text, reply in zip(any_contact, ask([call("parseBoard", text, True) for text in any_contact]), strict=True):
        assert plain(reply) == plain(as_on_the_page(*sides_of_board(text))), text
    boards = ask([call("parseBoard", text) for text in texts])
    written = ask([call(name, board) for board in boards for name in ("formatXgid", "formatPositionId", "formatOgid")])
    stakes = ask([call("stakesOf", board) for board in boards])
    for k, (text, reply) in enumerate(zip(texts, boards, strict=True)):
        board = parse_board(text)
        assert plain(reply) == plain(as_on_the_page(board.on_roll, board.opponent, board.state)), text
        assert written[3 * k : 3 * k + 3] == [board.xgid(), board.position_id(), board.ogid()], text
        question = Question(board.on_roll, board.opponent, Stakes.of(board))
        assert {"jacoby": False, "beavers": False, **stakes[k]} == for_page(question)["stakes"], text


def test_texts_without_a_board_are_refused() -> None:
    calls = [row.text("call") for row in rows("refused_calls")]
    texts = [
        literal_eval(each[len("parse_board(") : -1])
        for each in calls
        if each.startswith(("parse_board('", 'parse_board("'))
    ]
    assert len(texts) > 40
    for text, reply in zip(texts, ask([call("parseBoard", text) for text in texts]), strict=True):
        assert reply["error"] == "FormatError", text
        with pytest.raises(PositionError) as raised:
            parse_board(text)
        assert "".join(re.findall(" as .* field of the OGID", str(raised.value))) in reply["message"]


def test_texts_of_positions_and_plays_are_those_of_python() -> None:
    chance, texts = random.Random(5), rows("position_texts")
    for row, reply in zip(texts, ask([call("parsePosition", row.text("text")) for row in texts]), strict=True):
        assert (reply == list(row.position("position"))) if "position" in row else (reply["error"] == "FormatError"), (
            row
        )
    plays = []
    for _ in range(40):
        counts = scattered(chance, chance.choice((6, 6, 9, 14)), chance.randint(1, 15))
        roll = chance.choice(ROLLS)
        plays += [(counts, list(result), roll) for result in legal_plays(counts, roll)[:4]]
    written = ask([call("formatPlay", *play) for play in plays])
    assert written == [format_play(*play) for play in plays]
