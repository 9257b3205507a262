"""Questions and answers of the interface for programs, as OpenAPI 3.1 has it.

Tests hold every answer against these schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final, get_args

from bgrace._base.arrays import JSON
from bgrace._kernels.kinds import CulpritTerm
from bgrace.cube.action import CUBES
from bgrace.web.questions import FIELDS, MAX_LENGTH, MAX_SECONDS, METS, RISK_FIELDS

_Schema = dict[str, JSON]


def _object(required: _Schema, optional: _Schema | None = None) -> _Schema:
    names: list[JSON] = [*required]
    return {
        "type": "object",
        "required": names,
        "properties": {**required, **(optional or {})},
        "additionalProperties": False,
    }


def _ref(name: str) -> _Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _array(items: _Schema, **limits: int) -> _Schema:
    return {"type": "array", "items": items, **limits}


def _told(schema: _Schema, what: str) -> _Schema:
    return {**schema, "description": what} if what else schema


_TEXT: Final[_Schema] = {"type": "string"}
_FLAG: Final[_Schema] = {"type": "boolean"}
_CUBE: Final[_Schema] = {"enum": list(CUBES)}
_DIE: Final[_Schema] = {"type": "integer", "minimum": 1, "maximum": 6}

_TYPES: Final[dict[str, _Schema]] = {
    "text": _TEXT,
    "flag": _FLAG,
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "loss": {"type": "number", "minimum": 0},
    "chance": {"type": "number", "minimum": -1e-4, "maximum": 1.0001},
    "count": {"type": "integer", "minimum": 0},
    "positive": {"type": "integer", "minimum": 1},
    "shots": {"type": "integer", "minimum": 0, "maximum": 36},
    "anything": {"type": "object"},
    "cube": _CUBE,
    "verdict": {"enum": ["no double", "double/take", "double/beaver", "double/pass", "too good", "no cube"]},
    "method": {"enum": ["solved", "two-sided", "turns", "estimate", "one-sided"]},
    "proof": {"enum": ["exact", "confined", "clocks"]},
    "term": {"enum": [*get_args(CulpritTerm)]},
}

_OBJECTS: Final = """
Side: One side by itself; roll_distribution is the chance of being off in exactly 0, 1, ... rolls.
    position: Position
    index, pips: count
    epc, mean_rolls, variance_rolls: number
    roll_distribution: [chance]
Equities: By the place of the cube; centered and mine include the right to double. null: cannot be.
    cubeless, centered, mine, theirs: number?
normalised:
    no_double, double_take, double_pass: number?
CubeAction: Points per unit of the cube; at a score chances to win the match, with points in normalised.
    cube: cube
    no_double: number
    double_take, double_pass: number?
    double, take: flag?
    verdict: verdict
    or cube_value: positive
    or beaver: flag
    or reason: text?
    or normalised: normalised
Play:
    play: text
    position: Position
    equity: number
    loss: loss
    or mwc: chance
    or reason: PlayReason
RollPlays:
    roll: Roll
    plays: [Play]
Score:
    on_roll_needs, opponent_needs, cube_value: positive
    crawford: flag
    table: text
PlayReason: What a play lacks beside the best one; pairs are after the best one and after this one.
    checkers, pips, epc: [number]
    misses, win, gammon_win, gammon_loss: [number]?
    phrases: [Phrase]
    or text: text
Reason: Why one decision is right; terms add up to margin, by how many points yes beats no. docs/why-a-take.md.
    margin, of_chance: number
    terms: {number}
    chance: chance
    needed, pips: number?
    decides: text?
    phrases: [Phrase]
    or text: text
reasons:
    pips, epc, waste, usual_waste: [number]
    market_losers: integer?
    double, take: Reason
Bounds: Proved: each is no less than the first number, no more than the second. docs/proofs.md.
    method: proof
    seconds: number
    win, gammon_win, gammon_loss, no_double, value: [number 2]
    double_take: [number 2]?
    verdict: verdict
    proved: flag
Solution: All values are for the player on roll, before the dice. error is 0 where they are exact.
    on_roll, opponent: Side
    win_probability: chance
    method: method
    error: loss
    stakes, xgid, ogid: text
    equities: Equities?
    cube_action: CubeAction?
    gammon_win, gammon_loss, backgammon_win, backgammon_loss: number?
    reasons: reasons?
    plays: [Play]?
    or match: Score
    or match_chances: Equities?
    or bounds: Bounds
    or rolls: [RollPlays 21]
Culprit:
    term: term
    on_roll, true_on_roll, opponent, true_opponent, limit, true_limit, chance, true_chance: number?
Count: A count of the race; loss is what going by it costs, by decision, and culprits the part of it that is wrong.
    name: text
    counted, on_roll, opponent: number
    double_from, redouble_from, take_to, win_probability, ratio: number?
    double, redouble, take: flag?
    loss: {number}
    culprits: {Culprit}
pips:
    position: Position
    pips: count
points:
    take: number?
    or double, redouble: number?
truth:
    stakes, method: text
    win_probability: chance
    error: number
    double, redouble: CubeAction?
    points: points?
Counts:
    on_roll, opponent: pips
    truth: truth
    counts: {Count?}
    left_out, names: {text}
ActionAtScore: One line of a map.
    on_roll_needs, opponent_needs: count
    crawford: flag
    cube_action: CubeAction
    method: text
    error: number
RiskPlay: A play of the side that bears off, and the risk after it; a hit is marked with an asterisk.
    play: text
    position: Position
    shots: shots
    least: chance
    never_hit: number?
    off, pips: count
    epc: number
roll_risks:
    roll: Roll
    plays: [RiskPlay]
Risk: Of the side that bears off, position; only if on_roll are there plays. never_hit is null for two men behind.
    position: Position
    behind: text
    shots: shots
    least, least_on_roll: chance
    never_hit, never_hit_on_roll: number?
    on_roll: flag
    roll: Roll?
    assumptions: [text]
    or plays: [RiskPlay]
    or rolls: [roll_risks 21]
progress: How many pieces of work are done, of how many.
    done, of: count
reviewed: A match, as docs/review-json.md has it.
    review: anything
About:
    file: text
    points, checkers, two_sided_checkers: count
Error: The class in bgrace.errors, or what HTTP calls it; one line that names the value, the limit and what works.
    error, message: text
"""
"""Objects and what they say: below each its members with their types, "or" before those that may be missing.

Small letters name a type of `_TYPES`, or an object that stands where it is used; "?" is for null, [] for a list, with
its length, and {} for values by name.
"""


def _typed(word: str) -> _Schema:
    if word.endswith("?"):
        schema = _typed(word[:-1])
        if set(schema) == {"type"} and isinstance(schema["type"], str):
            return {"type": [schema["type"], "null"]}
        return {"anyOf": [schema, {"type": "null"}]}
    if word.startswith("["):
        items, _, n = word[1:-1].partition(" ")
        return _array(_typed(items), **({"minItems": int(n), "maxItems": int(n)} if n else {}))
    if word.startswith("{"):
        return {"type": "object", "additionalProperties": _typed(word[1:-1])}
    return _ref(word) if word[0].isupper() else _TYPES[word] if word in _TYPES else _object_of(word)


def _object_of(name: str) -> _Schema:
    head, *lines = _OBJECTS.partition(f"\n{name}:")[2].splitlines()
    required: _Schema = {}
    optional: _Schema = {}
    for line in takewhile(lambda line: line.startswith(" "), lines):
        names, _, word = line.strip().partition(": ")
        (optional if names.startswith("or ") else required).update(
            dict.fromkeys(names.removeprefix("or ").split(", "), _typed(word))
        )
    return _told(_object(required, optional), head.strip())


_SCHEMAS: Final[dict[str, _Schema]] = {
    "Position": _told(_array(_TYPES["count"], maxItems=24), "Checkers on each point, ace point first."),
    "Roll": _told(_array(_DIE, minItems=2, maxItems=2), "Larger die first."),
    "Phrase": {
        "type": "object",
        "required": ["key"],
        "properties": {"key": _TEXT},
        "additionalProperties": _TYPES["number"],
    },
    "ReviewLine": {"oneOf": [_object_of("progress"), _object_of("reviewed"), _ref("Error")]},
    **{name: _object_of(name) for name in re.findall(r"^([A-Z]\w+):", _OBJECTS, re.MULTILINE)},
}

_POSITION: Final[_Schema] = {
    "anyOf": [_TEXT, _ref("Position")],
    "description": 'Checker counts, ace point first, or text such as "6x2 5x1".',
}
_FIELDS: Final[dict[str, _Schema]] = {
    "xgid": _told(_TEXT, "An XGID, or another ID of both sides; or else on_roll and opponent."),
    "on_roll": _POSITION,
    "opponent": _POSITION,
    "roll": {"anyOf": [_TEXT, _ref("Roll")], "description": "List the plays of this roll, such as 31."},
    "rolls": _told(_FLAG, "List the plays of all 21 rolls."),
    "cube": _told(_CUBE, "Where the cube is, seen by the player on roll."),
    "cube_value": _told({"type": "integer", "minimum": 1, "maximum": 1 << 15}, "Before this roll: 1, 2, 4, ..."),
    "match": {
        "anyOf": [_TEXT, _array({"type": "integer", "minimum": 1, "maximum": 99}, minItems=2, maxItems=2)],
        "description": "Points that the player on roll and the opponent need, such as 3,5.",
    },
    "crawford": _told(_FLAG, "This is the Crawford game."),
    "met": _told({"enum": list(METS)}, "The match equity table."),
    "money": _told(_FLAG, "Money, whatever the ID says."),
    "jacoby": _told(_FLAG, "Money: gammons count once as long as the cube is centered."),
    "beavers": _told(_FLAG, "Money: a doubled player may redouble at once and keep the cube."),
    "gammons": _told(_FLAG, "Whether gammons and backgammons count; true unless given."),
    "prove": _told(_FLAG, "Prove bounds for every value, too, within as many seconds."),
    "seconds": _told(
        {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_SECONDS},
        "About how long to compute.",
    ),
    "length": _told({"type": "integer", "minimum": 1, "maximum": MAX_LENGTH}, "For a map: of the match."),
}
assert _FIELDS.keys() == FIELDS.keys(), "what is read and what is described are the same fields"


def arguments(fields: Iterable[str]) -> dict[str, JSON]:
    """Describe some fields of a question by themselves, as JSON Schema.

    Examples
    --------
    >>> arguments(("rolls",))["properties"]
    {'rolls': {'type': 'boolean', 'description': 'List the plays of all 21 rolls.'}}
    """
    shared: _Schema = {name: _SCHEMAS[name] for name in ("Position", "Roll")}
    return {**_object({}, {name: _FIELDS[name] for name in fields}), "components": {"schemas": shared}}


def _answers(name: str, media_type: str = "application/json") -> _Schema:
    def body(schema: str, what: str, media_type: str = "application/json") -> _Schema:
        return {"description": what, "content": {media_type: {"schema": _ref(schema)}}}

    return {
        "200": body(name, "The answer.", media_type),
        "400": body("Error", "Not a question, or not a race."),
        "403": body("Error", "From a page of another host."),
        "413": body("Error", "Too large."),
        "422": body("Error", "A question that this server has no answer to."),
        "429": body("Error", "Too many questions are waiting."),
    }


def _path(
    summary: str,
    name: str,
    media_type: str = "application/json",
    fields: Iterable[str] = FIELDS,
    question: str = "Question",
) -> _Schema:
    parameters: list[JSON] = [
        {"name": field, "in": "query", "required": False, "schema": _FIELDS[field]} for field in fields
    ]
    return {
        "get": {"summary": summary, "parameters": parameters, "responses": _answers(name, media_type)},
        "post": {
            "summary": summary,
            "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(question)}}},
            "responses": _answers(name, media_type),
        },
    }


def description() -> dict[str, JSON]:
    """Describe the interface.

    Returns
    -------
    dict
        An OpenAPI 3.1 document.
    """
    question = _told(_object({}, dict(_FIELDS)), "A race, what is played for, and what is wanted of it.")
    about_risk = _told(
        _object({"xgid": _FIELDS["xgid"]}, {name: _FIELDS[name] for name in RISK_FIELDS if name != "xgid"}),
        "A bearoff against men behind.",
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bgrace",
            "version": "1",
            "summary": "Backgammon races: who wins, double or not, take or pass, and what to play.",
        },
        "paths": {
            "/api/solve": _path("Everything known about a pair", "Solution"),
            "/api/counts": _path("What players' counts say, beside what is right", "Counts"),
            "/api/map": _path(
                "The right action at every score of a match, one JSON object a line as they are solved",
                "ActionAtScore",
                "application/x-ndjson",
            ),
            "/api/risk": _path(
                "The risk of being hit when bearing off against men behind",
                "Risk",
                fields=RISK_FIELDS,
                question="RiskQuestion",
            ),
            "/api/review": {
                "post": {
                    "summary": "Matches reviewed: one JSON object a line, how far it is and the review of each",
                    "parameters": [
                        {"name": "name", "in": "query", "required": False, "schema": _told(_TEXT, "Of the file.")}
                    ],
                    "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
                    "responses": _answers("ReviewLine", "application/x-ndjson"),
                }
            },
            "/api/about": {
                "get": {
                    "summary": "What file answers",
                    "responses": {
                        "200": {
                            "description": "The file.",
                            "content": {"application/json": {"schema": _ref("About")}},
                        }
                    },
                }
            },
        },
        "components": {"schemas": {**_SCHEMAS, "Question": question, "RiskQuestion": about_risk}},
    }
