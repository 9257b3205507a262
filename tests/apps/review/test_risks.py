"""Notes on the risk of plays against men behind."""

from __future__ import annotations

from helpers.command import run
from helpers.paths import MATCHES

from bgrace.contact import risk
from bgrace_apps.review import review, review_html
from bgrace_apps.review.judging import risk_notes
from bgrace_apps.review.reading import read
from bgrace_apps.review.replay import replay

MATCH = MATCHES / "7-104.mat"


def test_every_play_against_known_men_is_noted_with_its_risk() -> None:
    n_noted = n_hits = 0
    for path in (MATCH, *sorted((MATCHES / "bare").glob("*.sgf"))):
        for match in read(path):
            for game in replay(match):
                notes = risk_notes(game.number, game.bearoffs)
                n_noted += len(notes)
                for note in notes:
                    plays = risk(note.xgid).plays(note.roll)
                    assert note.safest.risk == plays[0].risk
                    assert note.done in plays
                    assert note.extra >= 0
                    assert (note.extra == 0) == (note.done == note.safest)
                    n_hits += "*" in note.done.play
    assert n_noted > 30
    assert n_hits > 0


def test_notes_are_no_mistakes() -> None:
    told = review(MATCH, seconds=0.01)
    assert [note.move for note in told.risks if note.extra > 0] == [18, 16]
    worst = told.risks[0]
    assert (worst.done.play, worst.safest.play) == ("4/off 2/off", "4/2 4/off")
    assert not {(each.game, each.move) for each in told.mistakes} & {(note.game, note.move) for note in told.risks}
    page = review_html([told], explorer="http://127.0.0.1:1")
    assert "than the least: 2 of 5." in page
    assert "<td>4/off 2/off</td>" in page


def test_the_command_prints_risks() -> None:
    printed = run("review", str(MATCH), "--seconds", "0.01").stdout
    assert "Risks taken against men behind, more than the least: 2 of 5." in printed
    assert "4/off 2/off" in printed
    assert "Risks" not in run("review", str(MATCH), "--seconds", "0.01", "--player", "North").stdout
