"""Questions and answers of the interface for programs, as OpenAPI 3.1 has it.

Tests hold every answer against these schemas.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bgrace._base.arrays import JSON
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


def _or_null(schema: _Schema) -> _Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _array(items: _Schema, **limits: int) -> _Schema:
    return {"type": "array", "items": items, **limits}


def _told(schema: _Schema, what: str) -> _Schema:
    return {**schema, "description": what}


_NUMBER: Final[_Schema] = {"type": "number"}
_TEXT: Final[_Schema] = {"type": "string"}
_FLAG: Final[_Schema] = {"type": "boolean"}
_CHANCE: Final[_Schema] = {"type": "number", "minimum": -1e-4, "maximum": 1.0001}
_COUNT: Final[_Schema] = {"type": "integer", "minimum": 0}
_SHOTS: Final[_Schema] = {"type": "integer", "minimum": 0, "maximum": 36}
_CUBE: Final[_Schema] = {"enum": list(CUBES)}
_MAYBE_FLAG: Final[_Schema] = {"type": ["boolean", "null"]}
_MAYBE: Final[_Schema] = {"type": ["number", "null"]}
_FOUR: Final[_Schema] = dict.fromkeys(("cubeless", "centered", "mine", "theirs"), _MAYBE)
_THREE: Final[_Schema] = dict.fromkeys(("no_double", "double_take", "double_pass"), _MAYBE)

_SCHEMAS: Final[dict[str, _Schema]] = {
    "Position": _told(_array(_COUNT, maxItems=24), "Checkers on each point, ace point first."),
    "Roll": _told(_array({"type": "integer", "minimum": 1, "maximum": 6}, minItems=2, maxItems=2), "Larger die first."),
    "Side": _told(
        _object(
            {
                "position": _ref("Position"),
                "index": _COUNT,
                "pips": _COUNT,
                "epc": _NUMBER,
                "mean_rolls": _NUMBER,
                "variance_rolls": _NUMBER,
                "roll_distribution": _array(_CHANCE),
            }
        ),
        "One side by itself; roll_distribution is the chance of being off in exactly 0, 1, ... rolls.",
    ),
    "Equities": _told(
        _object(_FOUR), "By the place of the cube; centered and mine include the right to double. null: cannot be."
    ),
    "CubeAction": _told(
        _object(
            {
                "cube": _CUBE,
                "no_double": _NUMBER,
                "double_take": _MAYBE,
                "double_pass": _MAYBE,
                "double": {"type": ["boolean", "null"]},
                "take": {"type": ["boolean", "null"]},
                "verdict": {
                    "enum": ["no double", "double/take", "double/beaver", "double/pass", "too good", "no cube"]
                },
            },
            {
                "cube_value": {"type": "integer", "minimum": 1},
                "beaver": _FLAG,
                "reason": {"type": ["string", "null"]},
                "normalised": _object(_THREE),
            },
        ),
        "Points per unit of the cube; at a score chances to win the match, with points in normalised.",
    ),
    "Play": _object(
        {"play": _TEXT, "position": _ref("Position"), "equity": _NUMBER, "loss": {"type": "number", "minimum": 0}},
        {"mwc": _CHANCE, "reason": _ref("PlayReason")},
    ),
    "RollPlays": _object({"roll": _ref("Roll"), "plays": _array(_ref("Play"))}),
    "Score": _object(
        {
            "on_roll_needs": {"type": "integer", "minimum": 1},
            "opponent_needs": {"type": "integer", "minimum": 1},
            "crawford": _FLAG,
            "cube_value": {"type": "integer", "minimum": 1},
            "table": _TEXT,
        }
    ),
    "Phrase": {
        "type": "object",
        "required": ["key"],
        "properties": {"key": _TEXT},
        "additionalProperties": _NUMBER,
    },
    "PlayReason": _told(
        _object(
            {
                **dict.fromkeys(("checkers", "pips", "epc"), _array(_NUMBER)),
                **dict.fromkeys(("misses", "win", "gammon_win", "gammon_loss"), _or_null(_array(_NUMBER))),
                "phrases": _array(_ref("Phrase")),
            },
            {"text": _TEXT},
        ),
        "What a play lacks beside the best one; pairs are after the best one and after this one.",
    ),
    "Reason": _told(
        _object(
            {
                "margin": _NUMBER,
                "terms": {"type": "object", "additionalProperties": _NUMBER},
                "of_chance": _NUMBER,
                "chance": _CHANCE,
                "needed": _MAYBE,
                "pips": _MAYBE,
                "decides": {"type": ["string", "null"]},
                "phrases": _array(_ref("Phrase")),
            },
            {"text": _TEXT},
        ),
        "Why one decision is right; terms add up to margin, by how many points yes beats no. docs/why-a-take.md.",
    ),
    "Solution": _told(
        _object(
            {
                "on_roll": _ref("Side"),
                "opponent": _ref("Side"),
                "win_probability": _CHANCE,
                "method": {"enum": ["solved", "two-sided", "match database", "turns", "estimate", "one-sided"]},
                "error": {"type": "number", "minimum": 0},
                "stakes": _TEXT,
                "equities": _or_null(_ref("Equities")),
                "cube_action": _or_null(_ref("CubeAction")),
                "gammon_win": _MAYBE,
                "gammon_loss": _MAYBE,
                "backgammon_win": _MAYBE,
                "backgammon_loss": _MAYBE,
                "reasons": _or_null(
                    _object(
                        {
                            **dict.fromkeys(("pips", "epc", "waste", "usual_waste"), _array(_NUMBER)),
                            "market_losers": {"type": ["integer", "null"]},
                            "double": _ref("Reason"),
                            "take": _ref("Reason"),
                        }
                    )
                ),
                "plays": _or_null(_array(_ref("Play"))),
                "xgid": _TEXT,
            },
            {
                "match": _ref("Score"),
                "match_chances": _or_null(_ref("Equities")),
                "rolls": _array(
                    _object({"roll": _ref("Roll"), "plays": _array(_ref("Play"))}), minItems=21, maxItems=21
                ),
            },
        ),
        "All values are for the player on roll, before the dice. error is 0 where they are exact.",
    ),
    "Culprit": _object(
        {
            "term": {"enum": ["wastage", "limit", "both", "gammons"]},
            **dict.fromkeys(("wastage", "true_wastage", "limit"), _NUMBER),
            "true_limit": _MAYBE,
        }
    ),
    "Count": _told(
        _object(
            {
                "name": _TEXT,
                "counted": _NUMBER,
                "on_roll": _NUMBER,
                "opponent": _NUMBER,
                **dict.fromkeys(("double_from", "redouble_from", "take_to", "win_probability", "ratio"), _MAYBE),
                **dict.fromkeys(("double", "redouble", "take"), _MAYBE_FLAG),
                "loss": {"type": "object", "additionalProperties": _NUMBER},
                "culprits": {"type": "object", "additionalProperties": _ref("Culprit")},
            }
        ),
        "A count of the race; loss is what going by it costs, by decision, and culprits the part of it that is wrong.",
    ),
    "Counts": _object(
        {
            "on_roll": _object({"position": _ref("Position"), "pips": _COUNT}),
            "opponent": _object({"position": _ref("Position"), "pips": _COUNT}),
            "truth": _object(
                {
                    "stakes": _TEXT,
                    "win_probability": _CHANCE,
                    "method": _TEXT,
                    "error": _NUMBER,
                    "double": _or_null(_ref("CubeAction")),
                    "redouble": _or_null(_ref("CubeAction")),
                    "points": _or_null(_object({"take": _MAYBE}, {"double": _MAYBE, "redouble": _MAYBE})),
                }
            ),
            "counts": {"type": "object", "additionalProperties": _or_null(_ref("Count"))},
            "left_out": {"type": "object", "additionalProperties": _TEXT},
            "names": {"type": "object", "additionalProperties": _TEXT},
        }
    ),
    "ActionAtScore": _told(
        _object(
            {
                "on_roll_needs": _COUNT,
                "opponent_needs": _COUNT,
                "crawford": _FLAG,
                "cube_action": _ref("CubeAction"),
                "method": _TEXT,
                "error": _NUMBER,
            }
        ),
        "One line of a map.",
    ),
    "RiskPlay": _told(
        _object(
            {
                "play": _TEXT,
                "position": _ref("Position"),
                "shots": _SHOTS,
                "least": _CHANCE,
                "never_hit": _MAYBE,
                "off": _COUNT,
                "pips": _COUNT,
                "epc": _NUMBER,
            }
        ),
        "A play of the side that bears off, and the risk after it; a hit is marked with an asterisk.",
    ),
    "Risk": _told(
        _object(
            {
                "position": _ref("Position"),
                "behind": _TEXT,
                "shots": _SHOTS,
                "least": _CHANCE,
                "never_hit": _MAYBE,
                "least_on_roll": _CHANCE,
                "never_hit_on_roll": _MAYBE,
                "on_roll": _FLAG,
                "roll": _or_null(_ref("Roll")),
                "assumptions": _array(_TEXT),
            },
            {
                "plays": _array(_ref("RiskPlay")),
                "rolls": _array(
                    _object({"roll": _ref("Roll"), "plays": _array(_ref("RiskPlay"))}), minItems=21, maxItems=21
                ),
            },
        ),
        "Of the side that bears off, position; on_roll says whether it is on roll, and only then are there plays. "
        "never_hit is null for two men behind.",
    ),
    "ReviewLine": {
        "oneOf": [
            _told(_object({"done": _COUNT, "of": _COUNT}), "How many pieces of work are done, of how many."),
            _told(_object({"review": {"type": "object"}}), "A match, as docs/review-json.md has it."),
            _ref("Error"),
        ]
    },
    "About": _object(
        {
            "file": _TEXT,
            "points": _COUNT,
            "checkers": _COUNT,
            "two_sided_checkers": _COUNT,
            "match": {"type": ["string", "null"]},
        }
    ),
    "Error": _told(
        _object({"error": _TEXT, "message": _TEXT}),
        "The class in bgrace.errors, or what HTTP calls it; one line that names the value, the limit and what works.",
    ),
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
