"""Mistakes as cards for Anki, which asks them again until they are known."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

from bgrace._base.language import say, spoken
from bgrace.board import board_css, board_svg
from bgrace.errors import ArgumentError
from bgrace_apps.review.html import choices_table, explored
from bgrace_apps.review.judging import Decision
from bgrace_apps.review.reading.limits import load
from bgrace_apps.review.reviewing import MatchReview
from bgrace_apps.review.words import best_words, choice_words, error_words, question_words, reason_words

_NAME: Final = "Backgammon races (bgrace)"
_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)
_FIRST_ID: Final = 1_500_000_000
"""In seconds since 1970: Anki numbers cards by the milliseconds at which they were made."""

_CSS: Final = """.card{font:1.05rem/1.45 system-ui,sans-serif;color:#22262b;background:#fbfaf7;text-align:center}
.nightMode.card{color:#ebe8e1;background:#16191d}
svg{width:100%;max-width:36rem;height:auto}
table{margin:.6rem auto;border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right;font-weight:400}
th{text-align:left}.best td,.best th{font-weight:700}.done td,.done th{color:#c23b16}
.small{font-size:.8rem;opacity:.75}"""

_PLAIN: Final = str.maketrans("[]{}\\", "()()/")
"""Replaces letters of names that begin a sound, a field or a formula in Anki."""

_FRONT: Final = "<p><b>{{Question}}</b></p>{{Board}}"
_BACK: Final = "<p><b>{{Question}}</b></p>{{Answer}}<div class=small>{{Source}}<br>{{XGID}}</div>"


def deck_bytes(
    reviews: Iterable[MatchReview],
    *,
    player: str | None = None,
    name: str = _NAME,
    language: str | None = None,
    explorer: str | None = None,
) -> bytes:
    """Make a deck of the mistakes of reviews, and of positions that stand alone.

    Parameters
    ----------
    reviews : iterable of MatchReview
    player : str, optional
        Whose mistakes; everybody's unless given.  Positions that stand alone are nobody's, and always there.
    name : str
        Of the deck.
    language, explorer : str, optional
        As for `review_html`.

    Returns
    -------
    bytes
        An .apkg file: the same for the same reviews.  A card has the same identity in every deck, so that importing a
        later deck adds what is new and keeps what has been learnt.

    Raises
    ------
    ArgumentError
        If there is nothing to make a card of, or no such language.
    DependencyError
        If genanki is not installed.
    """
    genanki = load("genanki")
    model = genanki.Model(
        _number("model"),
        "bgrace race",
        fields=[{"name": field} for field in ("XGID", "Question", "Board", "Answer", "Source")],
        templates=[{"name": "Card", "qfmt": _FRONT, "afmt": _BACK}],
        css=f"{_CSS}\n{board_css('light')}",
    )
    deck = genanki.Deck(_number("deck", name), name)
    seen: set[str] = set()
    for told, decision in _asked(reviews, player):
        guid = sha256(f"{decision.kind} {decision.board.xgid()}".encode()).hexdigest()[:20]
        if guid not in seen:
            seen.add(guid)
            with spoken(language):
                deck.add_note(_note(genanki, model, told, decision, guid, explorer))
    if not seen:
        whose = "" if player is None else f" of {player}"
        raise ArgumentError(f"there is no mistake{whose} to make a card of: give other matches")
    return _packed(genanki, deck, seen)


def _asked(reviews: Iterable[MatchReview], player: str | None) -> Iterator[tuple[MatchReview, Decision]]:
    """Whether a decision becomes a card: a resignation has nothing to be learnt by heart."""
    for told in reviews:
        for decision in told.decisions:
            own = player is None or told.match.players[decision.player] == player
            if decision.kind != "resign" and (not decision.done or (decision.error_class and own)):
                yield told, decision


def _note(genanki: Any, model: Any, told: MatchReview, decision: Decision, guid: str, explorer: str | None) -> Any:
    play = decision.best if decision.kind == "play" else None
    answer = board_svg(decision.board, play=play, scheme="light", with_style=False) + _answer(decision)
    if explorer is not None:
        answer += explored(say("page.train.explore"), decision.board.xgid(), explorer)
    fields = [
        decision.board.xgid(),
        escape(question_words(decision)),
        board_svg(decision.board, scheme="light", with_style=False),
        answer,
        escape(Path(told.match.source).name.translate(_PLAIN)),
    ]
    tags = ["race", (decision.error_class or "position").replace(" ", "_")]
    return genanki.Note(model=model, fields=fields, tags=tags, guid=guid)


def _answer(decision: Decision) -> str:
    played = say("report.played", what=choice_words(decision.done))
    done = f"<p>{escape(played)} {decision.mark}</p>" if decision.done else ""
    sure = say("report.card.near", error=error_words(decision)) if decision.error else say("report.card.exact")
    if len(decision.as_good) > 1:
        sure = f"{best_words(decision)}{say('phrases.semicolon')}{sure}"
    lines = [*reason_words(decision), *([f"“{decision.comment.translate(_PLAIN)}”"] if decision.comment else [])]
    why = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'{choices_table(decision)}{done}{why}<p class="small">{escape(sure)}</p>'


def _number(*words: str) -> int:
    """A number for Anki that is the same in every run."""
    return 1 << 30 | int(sha256("\n".join(("bgrace", *words)).encode()).hexdigest()[:7], 16)


def _packed(genanki: Any, deck: Any, seen: set[str]) -> bytes:
    """Write the deck without the time of day, neither as the time of cards nor as that of files."""
    first = _FIRST_ID + int(sha256("".join(sorted(seen)).encode()).hexdigest()[:7], 16)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "deck.apkg")
        genanki.Package(deck).write_to_file(path, timestamp=float(first))
        made = io.BytesIO()
        with zipfile.ZipFile(path) as packed, zipfile.ZipFile(made, "w") as again:
            for entry in sorted(packed.namelist()):
                again.writestr(zipfile.ZipInfo(entry, _ZIP_DATE), packed.read(entry), zipfile.ZIP_DEFLATED)
    return made.getvalue()
