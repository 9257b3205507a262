"""A review as one HTML page that stands by itself: no script, nothing from elsewhere, at home on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import chain, groupby
from math import ceil, floor
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bgrace._base.language import decimal, percent, say, spoken, spoken_language
from bgrace.board import board_css, board_svg
from bgrace.board.dice import roll_name
from bgrace_apps.review.judging import Decision, GameReview, seen_by_first
from bgrace_apps.review.records import Match
from bgrace_apps.review.reviewing import MatchReview, Tally
from bgrace_apps.review.words import (
    PlayerRecords,
    best_words,
    board_names,
    choice_words,
    close_words,
    costs,
    decision_words,
    engine_words,
    error_words,
    labelled,
    level_words,
    listed_choices,
    player_words,
    reason_words,
    risk_words,
    where,
)

_MIN_ROLLS: Final = 3
"""Least number of rolls of a race that gets a chart."""

_DECIDED: Final = 0.001
"""Chance below which a side wins the race by a miracle only."""

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def review_html(
    reviews: Sequence[MatchReview],
    *,
    explorer: str | None = None,
    worst: int | None = None,
    language: str | None = None,
) -> str:
    r"""Write reviews as a page.

    Parameters
    ----------
    reviews : sequence of MatchReview
    explorer : str, optional
        Address of an explorer, such as that of ``bgrace web``: positions lead there.
    worst : int, optional
        Mistakes to show of each match; all unless given.
    language : str, optional
        Two letters: ``"de"``, ``"en"``, ``"es"``, ``"fr"`` or ``"ja"``; English unless given.

    Returns
    -------
    str
        The page: the same bytes for the same reviews.

    Examples
    --------
    >>> from bgrace_apps.review import review
    >>> page = review_html([review("data/matches/5-103.mat")])
    >>> page.count("<section class=\"mistake"), "http:" in page.replace("http://www.w3.org/2000/svg", "")
    (2, False)
    """
    with spoken(language):
        return _page(reviews, explorer, worst)


def _page(reviews: Sequence[MatchReview], explorer: str | None, worst: int | None) -> str:
    title = _title(reviews)
    body = [f"<header><h1>{escape(title)}</h1>{_index(reviews)}</header>"]
    body += [_match(told, f"m{k}", explorer, worst, alone=len(reviews) == 1) for k, told in enumerate(reviews, 1)]
    said = {name: say(f"report.reading.{name}") for name in ("heading", "race", "costs")}
    body.append(f"<footer><h3>{said['heading']}</h3><p>{said['race']}</p><p>{said['costs']}</p></footer>")
    css = (files("bgrace_apps.review") / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="' + spoken_language() + '">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="generator" content="bgrace review">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{css}{board_css()}\n</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _title(reviews: Sequence[MatchReview]) -> str:
    if len(reviews) != 1:
        return say("report.matches", n=len(reviews))
    match = reviews[0].match
    if not match.length and not any(game.number for game in reviews[0].games):
        return say("report.file", name=Path(match.source).name)
    return say("report.against", one=match.players[0], other=match.players[1])


def _index(reviews: Sequence[MatchReview]) -> str:
    """The record of each player in all of them, and links to the matches, if there are several."""
    if len(reviews) == 1:
        return ""
    records = PlayerRecords()
    rows = []
    for k, told in enumerate(reviews, 1):
        records.add(told)
        facts = " · ".join(escape(fact) for fact in (told.match.date, _file(told)) if fact)
        tallies = [(escape(each.name), each.n_errors, costs(told.match.length, each.loss)) for each in told.tallies]
        length = _length(told)
        length = length[:1].upper() + length[1:]
        rows.append(_row(f'<a href="#m{k}">{length}</a><small>{facts}</small>', *chain(*tallies)))
    listed = _table("index", _heads("match", *("player", "mistakes", "cost") * 2), rows)
    rows = [_row(escape(name), *cells) for name, *cells in records.rows()]
    players = _table("index", f"{_heads('player', 'matches', 'choices', 'mistakes')}<th>PR</th>", rows)
    return f"{players}<h3>{say('report.listed')}</h3>{listed}"


def _file(told: MatchReview) -> str:
    number = [say("report.of_file", n=told.match.number)] if told.match.number > 1 else []
    return say("phrases.comma").join([Path(told.match.source).name, *number])


def _length(told: MatchReview) -> str:
    return say("report.length", n=told.match.length) if told.match.length else say("page.stakes.words.money")


# ---------------------------------------------------------------------- one match


def _match(told: MatchReview, anchor: str, explorer: str | None, worst: int | None, *, alone: bool) -> str:
    match = told.match
    mistakes = told.mistakes if worst is None else told.mistakes[:worst]
    anchors = {
        (each.game, each.move, each.player): f"{anchor}-{k}" for k, each in reversed(list(enumerate(mistakes, 1)))
    }
    facts = [_length(told), match.event, match.date, _file(told)]
    head = "" if alone else f"<h2>{escape(_title([told]))}</h2>"
    cards = "".join(_card(told, tally, k) for k, tally in enumerate(told.tallies))
    problems = "".join(f"<li>{escape(str(problem))}</li>" for problem in told.problems)
    parts = [
        f'<article id="{anchor}">',
        head,
        f'<p class="facts">{" · ".join(escape(fact) for fact in facts if fact)}</p>',
        f'<div class="cards">{cards}</div>' if any(game.number for game in told.games) else "",
        f'<section class="problems"><h3>{say("report.problems")}</h3><ul>{problems}</ul></section>' if problems else "",
    ]
    if mistakes:
        more = len(told.mistakes) - len(mistakes)
        parts.append(f"<h3>{say('report.worst_first')}</h3>")
        parts += [_mistake(told, each, f"{anchor}-{k}", k, explorer) for k, each in enumerate(mistakes, 1)]
        parts += [f'<p class="facts">{say("report.more_mistakes", n=more)}</p>'] if more else []
    elif any(each.done for each in told.decisions):
        parts.append(f'<p class="praise">{say("report.praise")}</p>')
    parts += [_game(told, game, anchors) for game in told.games if game.number and game.decisions]
    parts += [_position(told, each, explorer) for each in told.decisions if not each.done]
    parts += [_too_close(told), _engine(told), _risks(told, explorer), _all_decisions(told), "</article>"]
    return "\n".join(part for part in parts if part)


def _card(told: MatchReview, tally: Tally, player: int) -> str:
    match = told.match
    rows = "".join(
        _row(say(f"report.classes.{name}"), number, costs(match.length, loss))
        for name, (number, loss) in tally.errors.items()
        if number
    )
    lost = say(f"report.lost{'_of_match' if match.length else ''}", n=tally.n_errors, choices=tally.n_counted)
    rating = f"<p>PR <b>{decimal(tally.pr, 2)}</b></p>" if tally.pr is not None else ""
    close = f"<p>{say('report.more_close', n=tally.n_too_close)}</p>" if tally.n_too_close else ""
    lucky = "lucky" if tally.luck >= 0 else "unlucky"
    luck = say(f"report.{lucky}", luck=f"<b>{_luck(match, tally.luck)}</b>")
    return (
        f'<section class="card p{player}"><h3>{escape(tally.name)}</h3>'
        f'<p class="big">{costs(match.length, tally.loss)}</p>'
        f"<p>{lost}</p>"
        + (f"<table>{rows}</table>" if rows else "")
        + rating
        + close
        + f'<p class="luck">{luck}</p></section>'
    )


def _game(told: MatchReview, game: GameReview, anchors: dict[tuple[int, int, int], str]) -> str:
    match = told.match
    crawford = [say("page.stakes.words.crawford")] if game.crawford else []
    score = say("phrases.comma").join([f"{game.score[0]}-{game.score[1]}", *crawford])
    words = []
    if game.start is not None:
        words.append(say("report.began", worth=_worth(told, game.start), player=match.players[0]))
    if game.finish is not None:
        words.append(say("report.ended", worth=_worth(told, game.finish), end=say(f"report.ends.{game.end}")))
    words += [
        say("report.dice", player=name, luck=_luck(match, luck))
        for name, luck in zip(match.players, game.luck, strict=True)
    ]
    if game.without_luck is not None:
        words.append(say("report.average", worth=_worth(told, game.without_luck)))
    is_long = sum(each.kind == "play" for each in game.decisions) >= _MIN_ROLLS  # so that a chart has something to show
    chart = f'<div class="wide">{chances_svg(match, game, anchors)}</div>' if is_long else ""
    head = f"<h3>{say('report.game', n=game.number, score=score)}</h3>"
    return f'<section class="game">{head}<p>{escape(" ".join(words))}</p>{chart}</section>'


def _worth(told: MatchReview, value: float) -> str:
    if told.match.length:
        return percent(value)
    return _signed(say("page.review.points", points=decimal(value, 2, "+")))


# ---------------------------------------------------------------------- one decision


def _mistake(told: MatchReview, decision: Decision, anchor: str, number: int, explorer: str | None) -> str:
    match = told.match
    lines = [*decision_words(decision), *([f"“{decision.comment}”"] if decision.comment else [])]
    words = "".join(f"<p>{escape(line)}</p>" for line in lines)
    kind = say(f"report.classes.{decision.error_class or 'checker play'}")
    return (
        f'<section class="mistake p{decision.player}" id="{anchor}"{_card_data(decision)}>'
        f'<h4><span class="rank">{number}</span> '
        f"{escape(player_words(match, decision))}"
        f'<span class="cost">{_signed(costs(match.length, -decision.loss))}</span></h4>'
        f'<p class="facts">{escape(where(decision))} · {kind} · '
        f"{escape(say('report.dark', player=match.players[decision.on_roll]))}</p>"
        f'<div class="boards">{_boards(told, decision)}</div><div class="told"><div>{words}{_how_sure(decision)}'
        f"{_identifiers(decision, explorer)}</div>{choices_table(decision)}</div></section>"
    )


def _position(told: MatchReview, decision: Decision, explorer: str | None) -> str:
    words = escape(labelled(where(decision), player_words(told.match, decision)))
    right = say("report.right", what=f"<b>{escape(best_words(decision))}</b>")
    why = "".join(f"<p>{escape(line)}</p>" for line in reason_words(decision))
    return (
        f'<section class="mistake"{_card_data(decision)}><h4>{words}</h4>'
        f'<div class="boards">{_figure(told, decision, "", decision.best if decision.kind == "play" else None)}</div>'
        f'<div class="told"><div><p>{right}</p>{why}{_how_sure(decision)}'
        f"{_identifiers(decision, explorer)}</div>{choices_table(decision)}</div></section>"
    )


def _card_data(decision: Decision) -> str:
    """Attributes from which the explorer makes a card for its trainer."""
    facts = {
        "kind": decision.kind,
        "player": str(decision.player),
        "xgid": decision.board.xgid(),
        "done": decision.done or "",
        "where": where(decision),
    }
    return "".join(f' data-{name}="{escape(fact)}"' for name, fact in facts.items())


def _boards(told: MatchReview, decision: Decision) -> str:
    if decision.kind != "play":
        return _figure(told, decision, "", None)
    return _figure(told, decision, say("report.played", what=decision.done), decision.done) + _figure(
        told, decision, say("report.right", what=decision.best), decision.best
    )


def _figure(told: MatchReview, decision: Decision, caption: str, play: str | None) -> str:
    drawing = board_svg(decision.board, play=play, names=board_names(told.match, decision), with_style=False)
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{drawing}{below}</figure>"


def choices_table(decision: Decision) -> str:
    """Write the value and the cost of each choice."""
    at_score, good, listed = decision.board.away is not None, decision.as_good, listed_choices(decision)
    rows = []
    for choice, worth, lost in listed:
        points = "" if choice.equity is None else say("report.of_cube", points=decimal(choice.equity, 4, "+"))
        equity = f' title="{_signed(points)}"' if points else ""
        kind = "best" if choice is decision.choices[0] else "done" if choice.name == decision.done else ""
        mark = " ✓" if choice.name in good else " ←" if choice.name == decision.done else ""
        rows.append(
            f'<tr class="{kind}"><th>{escape(choice_words(choice.name))}{mark}</th><td{equity}>{_signed(worth)}</td>'
            f"<td>{lost}</td></tr>"
        )
    left = len(decision.choices) - len(listed)
    more = f'<tr><td colspan="3">{say("report.and_more", n=left)}</td></tr>' if left > 0 else ""
    head = _heads("choice", "won" if at_score else "points", "costs")
    return f'<table class="choices"><tr>{head}</tr>{"".join(rows)}{more}</table>'


def _how_sure(decision: Decision) -> str:
    chance = say("report.wins", chance=percent(decision.win_probability))
    decided = min(decision.win_probability, 1 - decision.win_probability) < _DECIDED
    chance += f"{say('report.gammon_left') if decided and decision.loss else ''}{say('phrases.end')}"
    sure = say("report.near", error=error_words(decision)) if decision.error else say("report.exact")
    return f'<p class="facts">{chance} {sure}</p>'


def _identifiers(decision: Decision, explorer: str | None) -> str:
    xgid = decision.board.xgid()
    link = "" if explorer is None else f"{explored(say('page.train.explore'), xgid, explorer)} "
    return f'<p class="ids">{link}<code>{escape(xgid)}</code><code>{escape(decision.board.gnubg_id())}</code></p>'


# ---------------------------------------------------------------------- tables


def _engine(told: MatchReview) -> str:
    """Where the program that wrote the file was wrong itself."""
    wrong = told.engine_errors
    stated = [level_words(each) for each in told.decisions if each.engine is not None]
    if not stated:
        return ""
    name = escape(told.match.engine or say("report.engine.program"))
    rows = []
    for each in wrong:
        roll = each.board.roll if each.kind == "play" else None
        cube = "double" if each.kind == "cube" else "answer"
        asked = say(f"report.engine.{cube}") if roll is None else roll_name(roll)
        held = map(escape, (*engine_words(each), level_words(each)))
        lost = each.engine.loss if each.engine else 0.0
        rows.append(_row(escape(where(each)), asked, *held, costs(told.match.length, lost)))
    how = "wrong" if wrong else "right"
    said = say(f"report.engine.{how}", n=len(stated), wrong=len(wrong), levels=escape("; ".join(sorted({*stated}))))
    table = _table("words", _heads("where", "", "held", "right", "level", "costs"), rows) if wrong else ""
    return f'<section class="engine"><h3>{name}</h3><p>{said}</p>{table}</section>'


def _too_close(told: MatchReview) -> str:
    """Decisions that may or may not be mistakes."""
    if not told.too_close:
        return ""
    named = ((where(each), player_words(told.match, each), close_words(each)) for each in told.too_close)
    rows = "".join(_row(*map(escape, words)) for words in named)
    return (
        f'<section class="close"><h3>{say("report.close.heading")}</h3>'
        f"<p>{say('report.close.hint', option='<code>--seconds 3</code>')}</p>"
        f'<div class="wide"><table class="words">{rows}</table></div></section>'
    )


def _risks(told: MatchReview, explorer: str | None) -> str:
    """The risk of plays against men behind, beside the least."""
    notes = told.risks
    if not notes:
        return ""
    riskier = [note for note in notes if note.extra > 0]
    rows = []
    for note in riskier:
        done, safest = (map(escape, words) for words in risk_words(note))
        who = say("phrases.comma").join([escape(told.match.players[note.player]), roll_name(note.roll)])
        rows.append(_row(explored(where(note), note.xgid, explorer), who, *done))
        rows.append(_row("", say("report.risks.safest"), *safest))
    hint = say("report.risks.hint", riskier=len(riskier), n=len(notes))
    table = _table("words", _heads("where", "", "play", "shots", "least", "never"), rows) if rows else ""
    return f'<section class="risks"><h3>{say("report.risks.heading")}</h3><p>{hint}</p>{table}</section>'


def explored(words: str, xgid: str, explorer: str | None) -> str:
    """Words that lead to a position in the explorer, if there is one."""
    if explorer is None:
        return escape(words)
    address = f"{explorer.rstrip('/?')}/?xgid={quote(xgid, safe='')}"
    return f'<a class="explore" href="{escape(address)}">{escape(words)}</a>'


def _all_decisions(told: MatchReview) -> str:
    done = [each for each in told.decisions if each.done]
    if not done:
        return ""
    table = _table("words", _heads("move", "who", "done", "right", "costs", "luck"), _rows(told, done))
    return f"<details><summary>{say('report.all', n=len(done))}</summary>{table}</details>"


def _luck(match: Match, luck: float) -> str:
    return _signed(costs(match.length, luck, signed=True))


def _signed(cost: str) -> str:
    return cost.replace("-", "\N{MINUS SIGN}")


def _rows(told: MatchReview, decisions: Iterable[Decision]) -> Iterable[str]:
    for each in decisions:
        done = choice_words(each.done)
        done = labelled(roll_name(each.board.roll), done) if each.board.roll else done
        luck = _luck(told.match, each.luck) if each.kind == "play" else ""
        best = escape(choice_words(each.best)) if each.loss else ""
        cost = costs(told.match.length, each.loss) if each.loss else ""
        cost = say("report.too_close") if each.too_close else cost
        forced = f" ({say('report.forced')})" if each.forced else ""
        yield (
            f"<tr><td>{each.game}.{each.move}</td><td>{escape(told.match.players[each.player])}</td>"
            f"<td>{escape(done)}{forced}</td><td>{best}</td>"
            f"<td>{cost}</td><td>{luck}</td></tr>"
        )


def _row(head: str, *cells: object) -> str:
    return f"<tr><th>{head}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _table(kind: str, heads: str, rows: Iterable[str]) -> str:
    return f'<div class="wide"><table class="{kind}"><tr>{heads}</tr>{"".join(rows)}</table></div>'


def _heads(*names: str) -> str:
    return "".join(f"<th>{say(f'report.heads.{name}') if name else ''}</th>" for name in names)


# ---------------------------------------------------------------------- the chart of a game

_WIDTH, _HEIGHT = 720, 220
_LEFT, _RIGHT, _TOP, _BASE = 52, 706, 26, 190
"""Edges of the area with the curve."""


def turns(game: GameReview) -> list[Decision]:
    """The first decision of each turn of the race."""
    of_turns = groupby((one for one in game.decisions if one.kind in ("cube", "play")), _turn)
    return [next(decisions) for _, decisions in of_turns]


def _turn(decision: Decision) -> tuple[int, int]:
    return decision.move, decision.player


def chances_svg(match: Match, game: GameReview, anchors: Mapping[tuple[int, int, int], str]) -> str:
    """Draw what the race was worth to the first player before each roll, and what came of it.

    Parameters
    ----------
    match : Match
    game : GameReview
    anchors : mapping of (int, int, int) to str
        Where on the page the mistake of a game, move and player is.

    Returns
    -------
    str
        An ``<svg>`` element.
    """
    listed = turns(game)
    values = [seen_by_first(one.chance, one.on_roll, match.length) for one in listed]
    points = [*values, *([game.finish] if game.finish is not None else [])]
    low, high = _range(points, bool(match.length))
    step = (_RIGHT - _LEFT) / (len(points) - 1)
    scale = (_BASE - _TOP) / (high - low)
    places = [(_LEFT + k * step, _TOP + (high - value) * scale) for k, value in enumerate(points)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    parts = [*_frame(match, low, high)]
    parts.append(f'<path class="area" d="M{path}L{_RIGHT:.1f} {_BASE:.1f}L{_LEFT:.1f} {_BASE:.1f}z"/>')
    parts.append(f'<path class="line" d="M{path}"/>')
    parts += _labels(listed, places)
    parts += [f'<circle class="turn" cx="{x:.1f}" cy="{y:.1f}" r="2.4"/>' for x, y in places[: len(values)]]
    parts += _marks(match, game, listed, places, anchors)
    if game.finish is not None:
        x, y = places[-1]
        parts.append(f'<circle class="end" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    title = say("report.chart", n=game.number, player=match.players[0])
    heading = say("report.chance" if match.length else "report.worth", player=match.players[0])
    return (
        f'<svg class="chances" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="group" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}"
        f'<text class="tick" x="{_LEFT}" y="11">{escape(heading)}</text></svg>'
    )


def _range(points: Sequence[float], is_match: bool) -> tuple[float, float]:
    """The range of the chart: for money as many points to either side of 0, at a score a fifth of all chances or more.

    Examples
    --------
    >>> _range([0.06, 0.11], True), _range([0.3, 0.8], True), _range([-1.5, 2.0], False)
    ((0.0, 0.2), (0.2, 0.8), (-2.0, 2.0))
    """
    if not is_match:
        reach = float(ceil(max(1.0, *(abs(value) for value in points))))
        return -reach, reach
    low, high = floor(5 * min(points)) / 5, ceil(5 * max(points) - 1e-9) / 5
    return (low, high) if high > low else (low - 0.2, high) if high >= 1 else (low, high + 0.2)


def _frame(match: Match, low: float, high: float) -> Iterator[str]:
    for k in range(5):
        value = low + (high - low) * k / 4
        y = _BASE - (_BASE - _TOP) * k / 4
        middle = " middle" if value == (0.5 if match.length else 0.0) else ""
        shown = percent(value, 0) if match.length else _signed(f"{value:+g}")
        yield f'<path class="grid{middle}" d="M{_LEFT} {y:.1f}H{_RIGHT:.1f}"/>'
        yield f'<text class="tick end" x="{_LEFT - 8}" y="{y + 4:.1f}">{shown}</text>'


def _labels(listed: Sequence[Decision], places: Sequence[tuple[float, float]]) -> list[str]:
    """Numbers of moves below the chart, each once and as many as there is room for."""
    first = {one.move: k for k, one in reversed(list(enumerate(listed)))}
    every = max(1, len(first) // 12)
    return [
        f'<text class="tick mid" x="{places[k][0]:.1f}" y="{_BASE + 18}">{listed[k].move}</text>'
        for k in sorted(first.values())[::every]
    ]


def _marks(
    match: Match,
    game: GameReview,
    listed: Sequence[Decision],
    places: Sequence[tuple[float, float]],
    anchors: Mapping[tuple[int, int, int], str],
) -> Iterator[str]:
    """A dot for each mistake, with a link to where it is explained."""
    of_turns = {_turn(one): place for one, place in zip(listed, places, strict=False)}
    for one in game.decisions:
        place = of_turns.get(_turn(one), of_turns.get((one.move, one.on_roll)))
        if not one.error_class or place is None:
            continue
        x, y = place
        what, cost = say(f"report.classes.{one.error_class}"), costs(match.length, one.loss)
        told = labelled(say("phrases.comma").join((match.players[one.player], what)), cost)
        dot = f'<circle class="mistake p{one.player}" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/><title>{escape(told)}</title>'
        anchor = anchors.get((one.game, *_turn(one)))
        yield f'<a href="#{anchor}">{dot}</a>' if anchor else f"<g>{dot}</g>"
