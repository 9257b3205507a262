"""Files of match equity tables: XML of GNU Backgammon, .met files of eXtreme Gammon, CSV and grids of numbers.

XML may have the parameters of a model instead of a table: Zadeh's, or Tornberg's.  Claes Tornberg's program ``mec``
(1996) models a game as a continuous walk in which both sides redouble with perfect efficiency.  The chance to win the
match is then a straight line between the two points at which the players double, and each of these points follows from
the other player's next one.  GNU Backgammon's parametric table of that name is the same model; the recursion below is
written anew from its description.
"""

from __future__ import annotations

import csv
import re
from functools import partial
from html import escape
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_number
from bgrace._base.frames import csv_text
from bgrace.errors import ArgumentError, DependencyError, FormatError
from bgrace.match.score import live_cash_point
from bgrace.match.zadeh import MAX_POINTS, ZadehModel

_PRE: Final = "pre-crawford-table"
_POST: Final = "post-crawford-table"


def read_table(data: bytes, source: str) -> tuple[npt.ArrayLike, npt.ArrayLike, str, str]:
    """Read a file of any kind: both parts, name, description."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # UTF-16, as from programs on Windows; XML declares its encoding
        text = data.decode("utf-16", errors="replace")
        data = data if text.lstrip().startswith("<") else text.encode()
    if data.startswith(CSV_HEAD.encode()):
        return read_csv(data, source)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return read_xml(data)
    if b"[precrawford]" in data.lower():
        return read_xg_met(data, source)
    return read_grid(data, source)


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
    words = {key: " ".join((root.findtext(f"info/{key}") or "").split()) for key in ("name", "description", "length")}
    pre_part, post_parts = root.find(_PRE), root.findall(_POST)
    if pre_part is None or not post_parts:
        raise FormatError(f"it lacks <{_PRE}> or <{_POST}>")
    try:
        post = _post(post_parts)
        pre = _pre(pre_part, post_parts[0], post)
    except ArgumentError as error:
        raise FormatError(f"its parameters cannot be used: {error}") from error
    n = len(pre)
    declared = words["length"]
    if declared not in ("", "-1", str(n)):
        raise FormatError(f"its length is {declared}, but it has {n} rows")
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
            'XML tables need defusedxml, which is not installed: pip install "bgrace[match]"'
        ) from error
    try:
        # Files name their DTD, which is not fetched; entities and other external parts are refused.
        return ElementTree.fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise FormatError(f"it declares entities, which no such table needs ({type(error).__name__})") from error
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise FormatError(f"it is not a well-formed XML: {error}") from error


def _pre(part: Any, post_part: Any, post: Floats) -> Floats:
    kind, value = part.get("type", ""), partial(_parameter, part)
    if kind == "explicit":
        rows = [_numbers(row) for row in part.findall("row")]
        if not rows or any(len(row) != len(rows) for row in rows):
            raise FormatError(f"its {_PRE} has {len(rows)} rows, not all of {len(rows)} entries")
        return np.array(rows)
    if kind == "zadeh":
        if post_part.get("type") != "zadeh":
            raise FormatError(f"its {_PRE} is of type zadeh, but not its {_POST}, which that is computed from")
        model = ZadehModel(
            G1=value("gammon-rate-leader"),
            G2=value("gammon-rate-trailer"),
            delta=value("delta"),
            delta_bar=value("delta-bar"),
            cap=False,
            **_after_crawford(post_part),
        )
        needs = range(1, MAX_POINTS + 1)
        return np.array([[model.equity(a, b) for b in needs] for a in needs])
    if kind == "mec":
        return pre_crawford_chances(value("gammon-rate"), value("win-rate"), post)
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
    kind, value = part.get("type", ""), partial(_parameter, part)
    if kind == "explicit":
        row = part.find("row")
        numbers = [] if row is None else _numbers(row)
        if not numbers:
            raise FormatError(f"its {_POST} is empty")
        return np.array(numbers)
    if kind == "zadeh":
        model = ZadehModel(**_after_crawford(part))
        return np.array([model.post_crawford(x) for x in range(1, MAX_POINTS + 1)])
    if kind == "mec":
        win = value("win-rate") if player == 0 else 1 - value("win-rate")
        drops = (value("free-drop-2-away"), value("free-drop-4-away"))
        return post_crawford_chances(value("gammon-rate"), win, drops)
    raise FormatError(f"{_POST} of type {kind!r} is unknown: explicit, zadeh and mec are read")


def _after_crawford(part: Any) -> dict[str, Any]:
    value = partial(_parameter, part)
    return {
        "g": value("gammon-rate-trailer"),
        "free_drop": (value("free-drop-2-away"), value("free-drop-4-away")),
    }


def _parameter(part: Any, name: str) -> float:
    found = part.find(f"parameters/parameter[@name='{name}']")
    if found is None:
        raise FormatError(f"its parameter {name} is missing")
    return _number(found, name)


def _numbers(row: Any) -> list[float]:
    return [_number(cell, "me") for cell in row.findall("me")]


def _number(cell: Any, name: str) -> float:
    text = (cell.text or "").strip()
    try:
        return float(text)
    except ValueError as error:
        raise FormatError(f"{text[:40]!r} in <{name}> is not a number") from error


CSV_HEAD: Final = "# bgrace match equity table, version 1"
"""The first line of a file."""


def read_csv(data: bytes, source: str) -> tuple[list[list[float]], list[float] | list[list[float]], str, str]:
    """Read a file: both parts as `MatchEquityTable.from_arrays` takes them, name (or `source`), description."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError("it is not written in UTF-8") from error
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    try:
        rows = [row for row in csv.reader(line for line in lines if not line.startswith("#")) if row]
        pre = [[float(cell) for cell in row[1:]] for row in rows[1:] if row[0].isdigit()]
        post = [[float(cell) for cell in row[1:]] for row in rows[1:] if row[0].startswith("post-Crawford")]
        numbers = [int(row[0]) for row in rows[1:] if row[0].isdigit()]
    except (ValueError, csv.Error) as error:
        raise FormatError(f"a cell of it is not a number: {error}") from error
    if numbers != list(range(1, len(pre) + 1)) or len(post) not in (1, 2) or len(rows) != 1 + len(pre) + len(post):
        raise FormatError("it has not one row for each number of points, then one or two called post-Crawford")
    return pre, post[0] if len(post) == 1 else post, facts.get("name", source), facts.get("description", "")


def write_csv(pre_crawford: Floats, post_crawford: Floats, name: str, description: str) -> str:
    """Write a table as the text of a file."""
    facts = {"name": name, "description": description}
    head = "".join(f"# {key}: {' '.join(text.split())}\n" for key, text in facts.items())
    rows: list[list[object]] = [["needs", *range(1, len(pre_crawford) + 1)]]
    rows += ([need, *row] for need, row in enumerate(pre_crawford.tolist(), 1))
    same = np.array_equal(*post_crawford)
    for k in range(1 if same else 2):
        rows.append(["post-Crawford" if same else f"post-Crawford {k + 1}", *post_crawford[k].tolist()])
    return f"{CSV_HEAD}\n{head}{csv_text(rows)}"


_SECTION: Final = re.compile(r"\s*\[(\w+)\]\s*")
_ENTRY: Final = re.compile(r"\s*(\w+)\s*=\s*(.*)")
_MAX_ROWS: Final = 70
"""Most rows of a file, headings included; no table has as many."""

Parts = tuple[list[list[float]], list[float], str, str]
"""The arguments of `MatchEquityTable.from_arrays`: both parts, name, description."""


def read_xg_met(data: bytes, source: str) -> Parts:
    r"""Read a .met file of eXtreme Gammon; the part after the Crawford game may be shorter than the other.

    Examples
    --------
    >>> read_xg_met(b"[PostCrawford]\nData=0.5\n[PreCrawford]\nSize=2\n1=0.5 0.7\n2=0.3 0.5\n", "a.met")
    ([[0.5, 0.7], [0.3, 0.5]], [0.5], 'a.met', '')
    """
    section, entries = "", dict[tuple[str, str], str]()
    for line in data.decode("latin-1").splitlines():
        found = _SECTION.fullmatch(line)
        entry = _ENTRY.match(line)
        if found is not None:
            section = found[1].lower()
        elif entry is not None:
            entries[section, entry[1].lower()] = entry[2].strip()
    rows = [entries["precrawford", str(k)] for k in range(1, _MAX_ROWS) if ("precrawford", str(k)) in entries]
    post = _numbers_in(entries.get(("postcrawford", "data"), ""))
    name, description = (entries.get(("current", key), "") for key in ("name", "description"))
    return [_numbers_in(row) for row in rows], post[: len(rows)], name or source, description


def read_grid(data: bytes, source: str) -> Parts:
    r"""Read a table of numbers, one row for each number of points, in fractions or in percent.

    Cells are separated by blanks, commas, semicolons or tabs.  There may be a row and a column of headings; the row for
    after the Crawford game begins with "post".

    Raises
    ------
    FormatError
        If that row or the grid is missing.

    Examples
    --------
    >>> read_grid(b"needs,1,2\n1,50,70\n2,30,50\npost,50,48\n", "a.csv")
    ([[0.5, 0.7], [0.3, 0.5]], [0.5, 0.48], 'a.csv', '')
    """
    rows: list[list[float]] = []
    post: list[float] = []
    for line in data.decode("utf-8-sig", errors="replace").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(rows) > _MAX_ROWS:
            raise FormatError("it has more rows than a match equity table")
        numbers = _numbers_in(line)
        if line.strip(' "').lower().startswith("post"):
            post = numbers
        elif numbers:
            rows.append(numbers)
    if len(rows) > 1 and rows[0] == list(range(1, len(rows))):  # the headings
        rows = rows[1:]
    if rows and len(rows[0]) == len(rows) + 1 and [row[0] for row in rows] == list(range(1, len(rows) + 1)):
        rows = [row[1:] for row in rows]
    if not rows or any(len(row) != len(rows) for row in rows):
        raise FormatError("it has not one number for each number of points, in one row for each")
    if not post:
        raise FormatError('it has no row that begins with "post", the chances of the trailer after the Crawford game')
    scale = 100.0 if max(map(max, rows)) > 1 else 1.0
    return [[number / scale for number in row] for row in rows], [number / scale for number in post], source, ""


def _numbers_in(line: str) -> list[float]:
    """Read the numbers of a line, without the words at its beginning.

    Examples
    --------
    >>> _numbers_in('"1-away" 50%, .7'), _numbers_in("0,5;0,7"), _numbers_in("post-Crawford,0.5")
    ([50.0, 0.7], [0.5, 0.7], [0.5])
    """
    columns = ";" in line or "\t" in line  # then a comma is a decimal point
    cells = re.split("[;\t]", line.replace(",", ".")) if columns else re.split(r"\s*,\s*|\s+", line)
    found = [re.fullmatch(r'"?\s*(\d{0,9}\.?\d{0,17})\s*%?"?', cell.strip()) for cell in cells]
    return [float(cell[1]) for cell in found if cell is not None and cell[1].strip(".")]


def post_crawford_chances(gammons: float, win: float, free_drops: tuple[float, float]) -> Floats:
    """A trailer's chances after the Crawford game, for 1, 2, ... `MAX_POINTS` points to go, the leader needing 1.

    `free_drops` are the costs of the leader's free drop to a trailer 2 and 4 points away.

    Notes
    -----
    Tornberg: the trailer doubles at once.  If they need an even number of points, the leader can drop that double
    without harm, so the chance is that of one point less.  By a wrong sign, GNU Backgammon adds the free drop at 4 away
    to the trailer's chance instead of subtracting it; here both are subtracted.
    """
    _check_rates(win, gammons, *free_drops)
    chances = np.ones(MAX_POINTS + 1)  # nobody to go: the match is won
    chances[1] = win
    for x in range(2, MAX_POINTS + 1):
        if x % 2:
            chances[x] = win * ((1 - gammons) * chances[x - 2] + gammons * chances[max(x - 4, 0)])
        else:
            chances[x] = chances[x - 1] - {2: free_drops[0], 4: free_drops[1]}.get(x, 0)
    return chances[1:]


def pre_crawford_chances(gammons: float, win: float, post_crawford: Floats) -> Floats:
    """The first player's chances before the Crawford game, and at its start, from the trailers' after it."""
    _check_rates(win, gammons)
    n = post_crawford.shape[1]
    chances = np.zeros((n + 1, n + 1))
    chances[0, 1:] = 1
    post = [np.concatenate(([1.0], row)) for row in post_crawford]  # the first entry: the match is won
    chances[1, 1] = win
    for x in range(2, n + 1):
        first, second = (
            own * ((1 - gammons) * row[x - 1] + gammons * row[x - 2])
            for own, row in zip((win, 1 - win), post, strict=True)
        )
        chances[x, 1], chances[1, x] = first, 1 - second
    for total in range(4, 2 * n + 1):
        for a in range(max(2, total - n), min(n, total - 2) + 1):
            b = total - a

            def after(points: int, a: int = a, b: int = b) -> float:
                return float(chances[max(a - max(points, 0), 0), max(b + min(points, 0), 0)])

            own = live_cash_point(a, b, 1, after, gammons, gammons)
            other = 1 - live_cash_point(b, a, 1, lambda points: 1 - after(-points), gammons, gammons)
            low, high = after(-1), after(1)
            chances[a, b] = low + (high - low) * (win - other) / (own - other)
    return chances[1:, 1:]


def _check_rates(win: float, *chances: float) -> None:
    for chance in chances:
        as_number(chance, f"{chance!r:.80} is not a chance: give 0 to 1", 0, 1)
    # A player who wins every game has no use for a cube, so there are no two doubling points for the line.
    if not 0 < win < 1:
        raise ArgumentError(f"with a chance of {win!r} to win a game nobody doubles: give more than 0, less than 1")
