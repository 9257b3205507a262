"""The match equity tables of GNU Backgammon, XML files, explicit and parametric."""

from __future__ import annotations

from html import escape
from typing import Any, Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.errors import ArgumentError, DependencyError, FormatError
from bgrace.match.tornberg import post_crawford_chances, pre_crawford_chances
from bgrace.match.zadeh import MAX_POINTS, ZadehModel

_PRE: Final = "pre-crawford-table"
_POST: Final = "post-crawford-table"


def read_xml(data: bytes) -> tuple[Floats, Floats, str, str]:
    """Read a file of GNU Backgammon: both parts, name, description.

    Notes
    -----
    GNU Backgammon, met/met.dtd.  Its parametric tables are those of Zadeh without the cap on redoubles and with the
    free drop taken off, and of Tornberg's ``mec``.
    """
    root = _parse(data)
    if root.tag != "met":
        raise FormatError(f"its root is <{root.tag}>, not <met>")
    info = root.find("info")
    words = {
        key: " ".join((info.findtext(key) or "").split()) if info is not None else ""
        for key in ("name", "description", "length")
    }
    pre_part, post_parts = root.find(_PRE), root.findall(_POST)
    if pre_part is None or not post_parts:
        raise FormatError(f"it lacks <{_PRE}> or <{_POST}>")
    post = _post(post_parts)
    pre = _pre(pre_part, post_parts[0], post)
    n = len(pre)
    declared = words["length"]
    if declared not in ("", "-1", str(n)):
        raise FormatError(f"its length is {declared}, but it has {n} rows")
    if post.shape[1] < n - 1:
        raise FormatError(f"its post-Crawford row has {post.shape[1]} entries: {n} or {n - 1} are needed")
    return pre, post[:, :n], words["name"] or "unnamed", words["description"]


def write_xml(pre_crawford: Floats, post_crawford: Floats, name: str, description: str) -> str:
    """Write an explicit table as the text of a file."""

    def row(values: list[float]) -> str:
        return "    <row>" + "".join(f"<me>{value!r}</me>" for value in values) + "</row>\n"

    pre = "".join(map(row, pre_crawford.tolist()))
    # GNU Backgammon numbers the players from 0.
    players = ["both"] if np.array_equal(*post_crawford) else ["0", "1"]
    post = "".join(
        f'  <{_POST} type="explicit" player="{player}">\n{row(values)}  </{_POST}>\n'
        for player, values in zip(players, post_crawford.tolist(), strict=False)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">\n'
        f"<met>\n  <info>\n    <name>{escape(name, quote=False)}</name>\n"
        f"    <description>{escape(description, quote=False)}</description>\n"
        f"    <length>{len(pre_crawford)}</length>\n  </info>\n"
        f'  <{_PRE} type="explicit">\n{pre}  </{_PRE}>\n{post}</met>\n'
    )


def _parse(data: bytes) -> Any:
    try:
        from defusedxml import ElementTree  # noqa: PLC0415 - an extra: only XML files need it
        from defusedxml.common import DefusedXmlException  # noqa: PLC0415
    except ImportError as error:
        raise DependencyError(
            "XML tables need defusedxml, which is not installed: pip install bgrace[match]"
        ) from error
    try:
        # The files name their DTD, which is not fetched; entities and anything else from outside are refused.
        return ElementTree.fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise FormatError(f"it declares entities, which no such table needs ({type(error).__name__})") from error
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise FormatError(f"it is not a well-formed XML: {error}") from error


def _pre(part: Any, post_part: Any, post: Floats) -> Floats:
    kind, values = part.get("type", ""), _Parameters(part)
    if kind == "explicit":
        rows = [_numbers(row) for row in part.findall("row")]
        if not rows or any(len(row) != len(rows) for row in rows):
            raise FormatError(f"its {_PRE} has {len(rows)} rows, not all of {len(rows)} entries")
        return np.array(rows)
    try:
        if kind == "zadeh":
            if post_part.get("type") != "zadeh":
                raise FormatError(f"its {_PRE} is of type zadeh, but not its {_POST}, which that is computed from")
            model = ZadehModel(
                G1=values["gammon-rate-leader"],
                G2=values["gammon-rate-trailer"],
                delta=values["delta"],
                delta_bar=values["delta-bar"],
                cap=False,
                **_after_crawford(post_part),
            )
            needs = range(1, MAX_POINTS + 1)
            return np.array([[model.equity(a, b) for b in needs] for a in needs])
        if kind == "mec":
            return pre_crawford_chances(values["gammon-rate"], values["win-rate"], post)
    except ArgumentError as error:
        raise FormatError(f"its parameters cannot be used: {error}") from error
    raise FormatError(f"{_PRE} of type {kind!r} is unknown: explicit, zadeh and mec are read")


def _post(parts: list[Any]) -> Floats:
    rows: dict[str, Floats] = {}
    for part in parts:
        player = part.get("player", "both")
        if player not in ("both", "0", "1"):
            raise FormatError(f"{_POST} is of player {player!r}: 0, 1 and both are known")
        for each in ("0", "1") if player == "both" else (player,):
            rows[each] = _post_row(part, int(each))
    if sorted(rows) != ["0", "1"]:
        raise FormatError(f"{_POST} is there for player {', '.join(rows)} only")
    if len(rows["0"]) != len(rows["1"]):
        raise FormatError(f"its two {_POST}s are of {len(rows['0'])} and {len(rows['1'])} points")
    return np.stack((rows["0"], rows["1"]))


def _post_row(part: Any, player: int) -> Floats:
    kind, values = part.get("type", ""), _Parameters(part)
    if kind == "explicit":
        row = part.find("row")
        numbers = [] if row is None else _numbers(row)
        if not numbers:
            raise FormatError(f"its {_POST} is empty")
        return np.array(numbers)
    try:
        if kind == "zadeh":
            model = ZadehModel(**_after_crawford(part))
            return np.array([model.post_crawford(x) for x in range(1, MAX_POINTS + 1)])
        if kind == "mec":
            win = values["win-rate"] if player == 0 else 1 - values["win-rate"]
            drops = (values["free-drop-2-away"], values["free-drop-4-away"])
            return post_crawford_chances(values["gammon-rate"], win, drops, MAX_POINTS)
    except ArgumentError as error:
        raise FormatError(f"its parameters cannot be used: {error}") from error
    raise FormatError(f"{_POST} of type {kind!r} is unknown: explicit, zadeh and mec are read")


def _after_crawford(part: Any) -> dict[str, Any]:
    values = _Parameters(part)
    return {
        "g": values["gammon-rate-trailer"],
        "free_drop": (values["free-drop-2-away"], values["free-drop-4-away"]),
    }


class _Parameters:
    """The parameters of a table, as numbers."""

    def __init__(self, part: Any) -> None:
        self._texts = {each.get("name"): (each.text or "").strip() for each in part.iterfind("parameters/parameter")}

    def __getitem__(self, name: str) -> float:
        if name not in self._texts:
            raise FormatError(f"its parameter {name} is missing")
        return _number(self._texts[name], name)


def _numbers(row: Any) -> list[float]:
    return [_number((cell.text or "").strip(), "me") for cell in row.findall("me")]


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise FormatError(f"{text[:40]!r} in <{name}> is not a number") from error
