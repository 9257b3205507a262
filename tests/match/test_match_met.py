"""Match equity tables: loaded, made, written and compared; hostile files; cube points at scores."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.command import answer
from helpers.golden import rows
from helpers.paths import GOLDEN, ROOT

import bgrace
from bgrace.errors import DependencyError, FormatError
from bgrace.match import MatchEquityTable, Score, ZadehModel, cube_points, gammon_value
from bgrace.match.met_files import post_crawford_chances, pre_crawford_chances

GNUBG = Path("/usr/share/gnubg/met")
SMALL = GOLDEN / "match_table.csv"

XML = """<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met><info><name>A &amp; B</name><description>none</description><length>2</length></info>
<pre-crawford-table type="explicit"><row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row>
</pre-crawford-table><post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me></row>
</post-crawford-table></met>"""


def no_table(path: Path, message: str | None = None) -> None:
    """Check that a file is refused with this message."""
    with pytest.raises(FormatError, match=message):
        MatchEquityTable.load(path)


def test_the_default_table_is_the_packaged_one_and_read_only() -> None:
    table = MatchEquityTable.default()
    assert table is MatchEquityTable.default()
    assert (table.length, table.is_symmetric) == (25, True)
    packaged = Path(bgrace.__file__).parent / "match" / "tables" / "kazaross-xg2.csv"
    assert packaged.read_bytes() == (ROOT / "data" / "kazaross-xg2.csv").read_bytes()
    assert b"this notice are preserved" in packaged.read_bytes()
    with pytest.raises(ValueError, match="read-only"):
        table.pre_crawford[0, 0] = 1


def test_stakes_of_unequal_players_are_swapped_for_the_opponent() -> None:
    stakes = bgrace.Stakes.at(Score(3, 5), MatchEquityTable.from_model(ZadehModel.unequal()))
    assert stakes.payoff(1) + stakes.swapped.payoff(-1) == pytest.approx(1)
    assert stakes.swapped.swapped == stakes


@pytest.mark.skipif(not GNUBG.is_dir(), reason="the tables of GNU Backgammon are not installed")
def test_tables_of_gnu_backgammon_are_read() -> None:
    pytest.importorskip("defusedxml")
    tables = {path.stem: MatchEquityTable.load(path) for path in sorted(GNUBG.glob("*.xml")) if path.stem != "catalog"}
    assert len(tables) == 12
    default = MatchEquityTable.default()
    assert default.compare(tables["Kazaross-XG2"]).largest == 0
    assert tables["Rockwell-Kazaross"].compare(default).largest < 0.001
    assert not tables["jac100"].is_symmetric
    assert tables["jac100"].equity(7, 7) > 0.5
    # Zadeh's formula; and Tornberg's, against the table that his program printed to three decimals.
    assert tables["zadeh"].equity(7, 5) == pytest.approx(0.3723608, abs=5e-8)
    assert tables["zadeh"].equity(4, 1, crawford=False) == pytest.approx(0.302875, abs=1e-9)
    post = post_crawford_chances(0.26, 0.5, (0, 0))[:25]
    made = pre_crawford_chances(0.26, 0.5, np.stack((post, post)))
    assert np.abs(made - tables["mec26"].pre_crawford).max() <= 5.001e-4
    no_table(GNUBG / "catalog.xml", "root")


@pytest.mark.parametrize("ending", [".csv", ".xml"])
def test_a_written_table_is_read_again(tmp_path: Path, ending: str) -> None:
    if ending == ".xml":
        pytest.importorskip("defusedxml")
    unequal = MatchEquityTable.from_model(ZadehModel.unequal(), 9, name="Z < & > unequal")
    for table in (MatchEquityTable.default(), unequal):
        path = table.write(tmp_path / f"table{ending}")
        again = MatchEquityTable.load(path)
        assert np.array_equal(again.pre_crawford, table.pre_crawford)
        assert np.array_equal(again.post_crawford, table.post_crawford)
        assert (again.name, again.description) == (table.name, table.description)


def bomb() -> str:
    entities = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "boom"}">' for k in range(12))
    return XML.replace('"met.dtd">', f'"met.dtd" [{entities}]>').replace("none", "&e11;")


HOSTILE = {
    "billion laughs": bomb(),
    "external entity": XML.replace('"met.dtd">', '"met.dtd" [<!ENTITY e SYSTEM "file:///etc/passwd">]>').replace(
        "none", "&e;"
    ),
    "cut short": XML[:300],
    "no table": "<met><info><name>x</name></info></met>",
    "another root": "<html><body/></html>",
    **{row.text("name"): XML.replace(row.text("old"), row.text("new"), 1) for row in rows("broken_match_tables")},
    "empty": "",
    "text": "hello",
    "CSV without rows": "# bgrace match equity table, version 1\n",
    "CSV with words": "# bgrace match equity table, version 1\nneeds,1\n1,half\npost-Crawford,0.5\n",
    "CSV of another version": "# bgrace match equity table, version 2\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_and_broken_text_is_refused(tmp_path: Path, name: str) -> None:
    pytest.importorskip("defusedxml")
    path = tmp_path / "table.xml"
    path.write_text(HOSTILE[name], encoding="utf-8")
    no_table(path, "is not a match equity table")


def test_broken_bytes_and_large_files_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("defusedxml")
    path = tmp_path / "table.xml"
    for data in (b"\xff\xfe<\x00m", b"<?xml version='1.0' encoding='nonsense'?><met/>", b"<met>\x00</met>"):
        path.write_bytes(data)
        no_table(path)
    path.write_bytes(b"<met>" + b" " * (5 << 20))
    no_table(path, "4 MiB")
    with pytest.raises(FileNotFoundError):
        MatchEquityTable.load(tmp_path / "nothing.xml")
    path.write_text(XML)
    assert MatchEquityTable.load(path).name == "A & B"


def test_without_defusedxml_only_xml_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.xml"
    path.write_text(XML)
    for name in [name for name in sys.modules if name.startswith("defusedxml")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "defusedxml", None)
    with pytest.raises(DependencyError, match=r'pip install "bgrace\[match\]"'):
        MatchEquityTable.load(path)
    assert MatchEquityTable.load(SMALL).length == 5


def test_payoffs_are_equities_of_the_score_after_the_game() -> None:
    table = MatchEquityTable.load(SMALL)
    assert table.after(Score(2, 5), 1) == 0.844  # the Crawford game is next
    assert table.after(Score(3, 1, crawford=True), 1) == table.after(Score(3, 1), 1) == 0.488
    assert table.after(Score(1, 4), -2) == pytest.approx(1 - 0.488)
    assert table.after(Score(1, 4), -3) == 0.5
    assert (table.after(Score(3, 4), 4), table.after(Score(3, 4), -4)) == (1, 0)


def test_two_tables_are_compared() -> None:
    default, zadeh = MatchEquityTable.default(), MatchEquityTable.from_model(ZadehModel.equal())
    difference = default.compare(zadeh, 9)
    assert difference.pre_crawford.shape == (9, 9)
    assert difference.pre_crawford[3, 2] == pytest.approx(zadeh.equity(4, 3) - default.equity(4, 3))
    assert difference.largest_at == (2, 1, True)
    assert default.compare(default).largest == 0


# ---------------------------------------------------------------------- cube points


def test_cube_points_for_money_are_the_known_ones() -> None:
    money = cube_points()
    assert (money.doubling_point, money.cash_point, money.take_point) == (0.5, 0.75, 0.25)
    assert money.live_take_point == pytest.approx(0.2, abs=1e-15)
    assert gammon_value() == gammon_value(lost=True) == 0.5
    # Zadeh's Dbar for money with gammons: 0.6875.
    assert cube_points(win_gammons=0.25, lose_gammons=0.15).cash_point == pytest.approx(0.6875)


def test_cube_points_at_scores_follow_from_the_table() -> None:
    table = MatchEquityTable.load(SMALL)
    two_two = cube_points(table, Score(2, 2))
    assert two_two.cash_point == two_two.live_cash_point == 0.6875  # the cube is dead: pass if W > pre[1][2]
    assert two_two.doubling_point == 0.5
    # 2-away against 1-away after the Crawford game: the leader passes below an even chance.
    assert cube_points(table, Score(2, 1)).take_point == 0.5
    # The doubler's 2 would win the match, so the taker redoubles to 4 for nothing.
    automatic = cube_points(table, Score(2, 4))
    assert automatic.automatic_redouble
    assert automatic.take_point == pytest.approx(1 - 0.82)
    assert automatic.live_take_point == pytest.approx(automatic.take_point)
    crawford = cube_points(table, Score(3, 1, crawford=True))
    assert crawford.take_point is None
    assert "Crawford" in str(crawford.reason)
    assert "already wins" in str(cube_points(table, Score(2, 4), 2).reason)


def test_zadehs_dead_points_are_cash_points_with_his_table_and_gammons() -> None:
    model = ZadehModel.equal()
    table = MatchEquityTable.from_model(model)
    for x1 in range(2, 14):
        for x2 in range(2, 14):
            for cube in (1, 2, 4, 8):
                points = cube_points(table, Score(x1, x2), cube, win_gammons=0.25, lose_gammons=0.15)
                if x1 > cube:
                    expected = model.take_point(1, x1, x2, cube, live=False)
                    assert points.cash_point == pytest.approx(expected, abs=1e-12), (x1, x2, cube)
                else:
                    assert points.cash_point is None


@pytest.mark.parametrize("win", ["0", "1"])
def test_a_player_who_wins_every_game_makes_no_table(win: str, tmp_path: Path) -> None:
    path = tmp_path / "mec.xml"
    parameters = "".join(
        f'<parameter name="{name}">{value}</parameter>'
        for name, value in (
            ("gammon-rate", "0.2"),
            ("win-rate", win),
            ("free-drop-2-away", "0.015"),
            ("free-drop-4-away", "0.004"),
        )
    )
    part = '<{0} type="mec" player="both"><parameters>' + parameters + "</parameters></{0}>"
    path.write_text(f"<met>{part.format('pre-crawford-table')}{part.format('post-crawford-table')}</met>")
    no_table(path, "more than 0, less than 1")


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    no_table(tmp_path / "pipe.csv", "not an ordinary file")


def test_a_table_of_extreme_gammon_is_read() -> None:
    path = GOLDEN / "xg-15.met"
    table = MatchEquityTable.load(path)
    assert (table.name, table.length) == ("Test 15", 15)
    assert (table.equity(2, 1), table.equity(3, 15), table.equity(2, 1, crawford=False)) == (0.41581, 0.98337, 0.36)
    assert answer("match", "met", "--met", path)["length"] == 15


@pytest.mark.parametrize(
    "text",
    [
        "0.5 0.7\n0.3 0.5\npost 0.5 0.48\n",
        "needs,1,2\n1,50,70\n2,30,50\npost-Crawford,50,48\n",
        "# copied\n1-away\t50%\t70%\n2-away\t30%\t50%\n\nPost\t50%\t48%\n",
        ";1;2\n1;0,5;0,7\n2;0,3;0,5\npost;0,5;0,48\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_grid_of_numbers_is_read_in_any_spelling(tmp_path: Path, text: str, encoding: str) -> None:
    path = tmp_path / "grid.csv"
    path.write_text(text, encoding=encoding)
    table = MatchEquityTable.load(path)
    assert (table.equity(1, 2), table.equity(2, 1), table.equity(1, 2, crawford=False)) == (0.7, 0.3, 0.52)
    path.write_text("\n".join(line for line in text.splitlines() if not line.lower().startswith("post")), "utf-8")
    no_table(path, 'no row that begins with "post"')


@pytest.mark.parametrize(
    "grid", ["1,0.5,0.7\n2", "1,0.5\n2,0.3,0.5", "1,0.5,0.7\n2,0.3", "1,0.5,0.7\n2,0.3,0.5,0.1", "1\n2"]
)
def test_a_grid_with_rows_of_unequal_length_is_refused(tmp_path: Path, grid: str) -> None:
    path = tmp_path / "grid.csv"
    path.write_text(f"needs,1,2\n{grid}\npost,0.5,0.48\n", encoding="utf-8")
    no_table(path, "one number for each number of points")
