"""A review as one HTML page that stands by itself: no script, nothing from elsewhere, at home on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bgrace.board import board_css, board_svg
from bgrace.review.chart import chances_svg
from bgrace.review.judging import Decision, GameReview
from bgrace.review.reviewing import MatchReview, Tally
from bgrace.review.words import (
    best_words,
    board_names,
    close_words,
    costs,
    decision_cost,
    decision_words,
    engine_words,
    error_words,
    level_words,
    player_words,
    pr_words,
    risk_words,
    where,
)

_MAX_CHOICES: Final = 6
"""Choices that a table lists, what was done besides."""

_MIN_ROLLS: Final = 3
"""Of a race that gets a chart."""

_DECIDED: Final = 0.001
"""Chance below which a side wins the race by a miracle only."""

_CLASS_WORDS: Final = {
    "missed double": "Double missed",
    "wrong double": "Doubled wrongly",
    "wrong take": "Took wrongly",
    "wrong pass": "Passed wrongly",
    "checker play": "Checker play",
    "resignation": "Resigned too much",
    "accepted resignation": "Accepted too little",
}

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def review_html(reviews: Sequence[MatchReview], *, explorer: str | None = None, worst: int | None = None) -> str:
    r"""Write reviews as a page.

    Parameters
    ----------
    reviews : sequence of MatchReview
    explorer : str, optional
        Address of an explorer, such as that of ``bgrace web``: positions lead there.
    worst : int, optional
        Mistakes to show of each match; all unless given.

    Returns
    -------
    str
        The page: the same bytes for the same reviews.

    Examples
    --------
    >>> from bgrace.review import review
    >>> page = review_html([review("tests/review/matches/5-103.mat")])
    >>> page.count("<section class=\"mistake"), "http:" in page.replace("http://www.w3.org/2000/svg", "")
    (2, False)
    """
    title = _title(reviews)
    body = [f"<header><h1>{escape(title)}</h1>{_index(reviews)}</header>"]
    body += [_match(told, f"m{k}", explorer, worst, alone=len(reviews) == 1) for k, told in enumerate(reviews, 1)]
    body.append(_READING)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_css()}{board_css()}\n</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _css() -> str:
    return (files("bgrace.review") / "page.css").read_text(encoding="utf-8")


def _title(reviews: Sequence[MatchReview]) -> str:
    if len(reviews) != 1:
        return f"The races of {len(reviews)} matches"
    match = reviews[0].match
    if not match.length and not any(game.number for game in reviews[0].games):
        return f"The races of {Path(match.source).name}"
    return f"{match.players[0]} against {match.players[1]}"


def _index(reviews: Sequence[MatchReview]) -> str:
    """The record of each player in all of them, and links to the matches, if there are several."""
    if len(reviews) == 1:
        return ""
    rows = []
    for k, told in enumerate(reviews, 1):
        facts = " · ".join(escape(fact) for fact in (told.match.date, _file(told)) if fact)
        cells = "".join(
            f"<td>{escape(tally.name)}</td><td>{tally.n_errors}</td><td>{costs(told.match, tally.loss)}</td>"
            for tally in told.tallies
        )
        rows.append(f'<tr><th><a href="#m{k}">{_length(told).capitalize()}</a><small>{facts}</small></th>{cells}</tr>')
    heads = "<th>match</th>" + "<th>player</th><th>mistakes</th><th>cost</th>" * 2
    listed = f'<div class="wide"><table class="index"><tr>{heads}</tr>{"".join(rows)}</table></div>'
    return f"{_players(reviews)}<h3>The matches</h3>{listed}"


def _players(reviews: Sequence[MatchReview]) -> str:
    """The record of each player in all matches, the most active first."""
    added: dict[str, list[float]] = {}
    for told in reviews:
        for tally in told.tallies if any(game.number for game in told.games) else ():
            sums = added.setdefault(tally.name, [0, 0, 0, 0.0])
            for k, value in enumerate((1, tally.n_counted, tally.n_errors, tally.equity_loss)):
                sums[k] += value
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{n_matches:,.0f}</td><td>{counted:,.0f}</td><td>{errors:,.0f}</td>"
        f"<td>{pr_words(lost, counted)}</td></tr>"
        for name, (n_matches, counted, errors, lost) in sorted(added.items(), key=lambda item: (-item[1][0], item[0]))
    )
    heads = "".join(f"<th>{head}</th>" for head in ("player", "matches", "choices", "mistakes", "PR"))
    return f'<div class="wide"><table class="index"><tr>{heads}</tr>{rows}</table></div>'


def _file(told: MatchReview) -> str:
    number = f", match {told.match.number} of the file" if told.match.number > 1 else ""
    return Path(told.match.source).name + number


def _length(told: MatchReview) -> str:
    return f"match to {told.match.length}" if told.match.length else "for money"


# ---------------------------------------------------------------------- one match


def _match(told: MatchReview, anchor: str, explorer: str | None, worst: int | None, *, alone: bool) -> str:
    match = told.match
    mistakes = told.mistakes if worst is None else told.mistakes[:worst]
    anchors = {
        (each.game, each.move, each.player): f"{anchor}-{k}" for k, each in reversed(list(enumerate(mistakes, 1)))
    }
    facts = [_length(told), match.event, match.date, _file(told)]
    head = "" if alone else f"<h2>{escape(match.players[0])} against {escape(match.players[1])}</h2>"
    parts = [
        f'<article id="{anchor}">',
        head,
        f'<p class="facts">{" · ".join(escape(fact) for fact in facts if fact)}</p>',
        *([_cards(told)] if any(game.number for game in told.games) else []),
        *_problems(told),
    ]
    if mistakes:
        more = len(told.mistakes) - len(mistakes)
        parts.append("<h3>Mistakes, the worst first</h3>")
        parts += [_mistake(told, each, f"{anchor}-{k}", k, explorer) for k, each in enumerate(mistakes, 1)]
        parts += [f'<p class="facts">and {more} more that cost less</p>'] if more else []
    elif any(each.done for each in told.decisions):
        parts.append('<p class="praise">Not one mistake in these races.</p>')
    parts += [_game(told, game, anchors) for game in told.games if game.number and game.decisions]
    positions = [each for each in told.decisions if not each.done]
    parts += [_position(told, each, explorer) for each in positions]
    parts += [_too_close(told), _engine(told), _risks(told, explorer), _all_decisions(told), "</article>"]
    return "\n".join(part for part in parts if part)


def _cards(told: MatchReview) -> str:
    return f'<div class="cards">{"".join(_card(told, tally, k) for k, tally in enumerate(told.tallies))}</div>'


def _card(told: MatchReview, tally: Tally, player: int) -> str:
    match = told.match
    unit = " of the match" if match.length else ""
    rows = "".join(
        f"<tr><th>{_CLASS_WORDS[name]}</th><td>{number}</td><td>{costs(match, loss)}</td></tr>"
        for name, (number, loss) in tally.errors.items()
        if number
    )
    mistakes = "1 mistake" if tally.n_errors == 1 else f"{tally.n_errors} mistakes"
    choices = "1 choice" if tally.n_counted == 1 else f"{tally.n_counted} choices"
    rating = f"<p>PR <b>{tally.pr:.2f}</b></p>" if tally.pr is not None else ""
    close = f"<p>{tally.n_too_close} more too close to call</p>" if tally.n_too_close else ""
    lucky = "lucky" if tally.luck >= 0 else "unlucky"
    return (
        f'<section class="card p{player}"><h3>{escape(tally.name)}</h3>'
        f'<p class="big">{costs(match, tally.loss)}</p>'
        f"<p>{unit and 'of the match '}lost by {mistakes} in {choices}</p>"
        + (f"<table>{rows}</table>" if rows else "")
        + rating
        + close
        + f'<p class="luck">{lucky} dice in the race: <b>{costs(match, tally.luck, signed=True)}</b></p></section>'
    )


def _problems(told: MatchReview) -> list[str]:
    if not told.problems:
        return []
    listed = "".join(f"<li>{escape(str(problem))}</li>" for problem in told.problems)
    return [f'<section class="problems"><h3>What the file does not tell rightly</h3><ul>{listed}</ul></section>']


def _game(told: MatchReview, game: GameReview, anchors: dict[tuple[int, int, int], str]) -> str:
    match = told.match
    own = {(move, player): anchor for (number, move, player), anchor in anchors.items() if number == game.number}
    crawford = ", Crawford game" if game.crawford else ""
    score = f"at {game.score[0]}-{game.score[1]}{crawford}"
    words = []
    if game.start is not None:
        worth = _worth(told, game.start)
        words.append(f"When the race began it was worth {worth} to {match.players[0]}.")
    if game.finish is not None:
        words.append(f"It ended at {_worth(told, game.finish)} ({game.end}).")
    words += [
        f"The dice of {name} were worth {costs(match, luck, signed=True)}."
        for name, luck in zip(match.players, game.luck, strict=True)
    ]
    if game.without_luck is not None:
        words.append(f"With average dice it would have ended at {_worth(told, game.without_luck)}.")
    chart = f'<div class="wide">{chances_svg(match, game, own)}</div>' if _is_long(game) else ""
    head = f"<h3>Game {game.number}, {score}</h3>"
    return f'<section class="game">{head}<p>{escape(" ".join(words))}</p>{chart}</section>'


def _is_long(game: GameReview) -> bool:
    """Whether there is something to be seen in a chart."""
    return sum(each.kind == "play" for each in game.decisions) >= _MIN_ROLLS


def _worth(told: MatchReview, value: float) -> str:
    return f"{100 * value:.1f} %" if told.match.length else f"{value:+.2f} points"


# ---------------------------------------------------------------------- one decision


def _mistake(told: MatchReview, decision: Decision, anchor: str, number: int, explorer: str | None) -> str:
    match = told.match
    words = "".join(f"<p>{escape(line)}</p>" for line in decision_words(decision))
    return (
        f'<section class="mistake p{decision.player}" id="{anchor}"><h4><span class="rank">{number}</span> '
        f"{escape(player_words(match, decision))}"
        f'<span class="cost">&minus;{costs(match, decision.loss)}</span></h4>'
        f'<p class="facts">{escape(where(decision))} · {_CLASS_WORDS[decision.error_class or "checker play"]} · '
        f"{escape(match.players[decision.on_roll])} is dark and at the bottom</p>"
        f'<div class="boards">{_boards(told, decision)}</div><div class="told"><div>{words}{_how_sure(decision)}'
        f"{_identifiers(decision, explorer)}</div>{_choices(decision)}</div></section>"
    )


def _position(told: MatchReview, decision: Decision, explorer: str | None) -> str:
    words = escape(player_words(told.match, decision))
    return (
        f'<section class="mistake"><h4>{escape(where(decision))}: {words}</h4>'
        f'<div class="boards">{_figure(told, decision, "", decision.best if decision.kind == "play" else None)}</div>'
        f'<div class="told"><div><p>Right: <b>{escape(best_words(decision))}</b></p>{_how_sure(decision)}'
        f"{_identifiers(decision, explorer)}</div>{_choices(decision)}</div></section>"
    )


def _boards(told: MatchReview, decision: Decision) -> str:
    if decision.kind != "play":
        return _figure(told, decision, "", None)
    return _figure(told, decision, f"Played: {decision.done}", decision.done) + _figure(
        told, decision, f"Right: {decision.best}", decision.best
    )


def _figure(told: MatchReview, decision: Decision, caption: str, play: str | None) -> str:
    drawing = board_svg(decision.board, play=play, names=board_names(told.match, decision), with_style=False)
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{drawing}{below}</figure>"


def _choices(decision: Decision) -> str:
    """The value and the cost of each choice."""
    best, at_score, good = decision.choices[0], decision.board.away is not None, decision.as_good
    unit = 1.0 if at_score else float(decision.board.cube_value)
    listed = list(decision.choices[:_MAX_CHOICES])
    listed += [each for each in decision.choices[_MAX_CHOICES:] if each.name == decision.done]
    rows = []
    for choice in listed:
        cost = unit * (best.value - choice.value)
        worth = f"{100 * choice.value:.2f} %" if at_score else f"{unit * choice.value:+.3f}"
        equity = "" if choice.equity is None else f' title="{choice.equity:+.4f} points of the cube"'
        kind = "best" if choice is best else "done" if choice.name == decision.done else ""
        mark = " ✓" if choice.name in good else " ←" if choice.name == decision.done else ""
        rows.append(
            f'<tr class="{kind}"><th>{escape(choice.name)}{mark}</th><td{equity}>{worth}</td>'
            f"<td>{decision_cost(decision, cost) if cost > 0 else ''}</td></tr>"
        )
    left = len(decision.choices) - len(listed)
    more = f'<tr><td colspan="3">and {left} more</td></tr>' if left > 0 else ""
    heads = ("choice", "match won" if at_score else "points", "costs")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f'<table class="choices"><tr>{head}</tr>{"".join(rows)}{more}</table>'


def _how_sure(decision: Decision) -> str:
    chance = f"The player on roll wins the race in {100 * decision.win_probability:.1f} % of games"
    decided = min(decision.win_probability, 1 - decision.win_probability) < _DECIDED
    chance += ": what is left to play for is the gammon." if decided and decision.loss else "."
    if not decision.error:
        return f'<p class="facts">{chance} Exact.</p>'
    return f'<p class="facts">{chance} Nearly exact: to about {error_words(decision)}.</p>'


def _identifiers(decision: Decision, explorer: str | None) -> str:
    xgid = decision.board.xgid()
    link = "" if explorer is None else f"{_explored('Look at it in the explorer', xgid, explorer)} "
    return f'<p class="ids">{link}<code>{escape(xgid)}</code><code>{escape(decision.board.gnubg_id())}</code></p>'


# ---------------------------------------------------------------------- tables


def _engine(told: MatchReview) -> str:
    """Where the program that wrote the file was wrong itself."""
    wrong = told.engine_errors
    asked = sum(each.engine is not None for each in told.decisions)
    if not asked:
        return ""
    name = escape(told.match.engine or "the program")
    stated = sorted({level_words(each) for each in told.decisions if each.engine is not None})
    levels = f" ({escape('; '.join(stated))})"
    if not wrong:
        said = f"was right in all {asked} of these decisions{levels}."
        return f'<section class="engine"><h3>{name}</h3><p>{said}</p></section>'
    rows = "".join(
        f"<tr><th>{escape(where(each))}</th><td>{_asked(each)}</td>"
        f"{''.join(f'<td>{escape(word)}</td>' for word in engine_words(each))}"
        f"<td>{escape(level_words(each))}</td><td>{costs(told.match, each.engine.loss)}</td></tr>"
        for each in wrong
        if each.engine is not None
    )
    head = "<tr><th>where</th><th></th><th>it held best</th><th>right</th><th>its level</th><th>costs</th></tr>"
    return (
        f'<section class="engine"><h3>{name}</h3><p>judged {asked} of these decisions in the file, and was wrong in '
        f'{len(wrong)}.</p><div class="wide"><table class="words">{head}{rows}</table></div></section>'
    )


def _asked(decision: Decision) -> str:
    """A roll, or what was asked about the cube."""
    if decision.board.roll is not None and decision.kind == "play":
        return f"{decision.board.roll[0]}-{decision.board.roll[1]}"
    return "double" if decision.kind == "cube" else "answer"


def _too_close(told: MatchReview) -> str:
    """Decisions that may or may not be mistakes."""
    if not told.too_close:
        return ""
    rows = "".join(
        f"<tr><th>{escape(where(each))}</th><td>{escape(player_words(told.match, each))}</td>"
        f"<td>{escape(close_words(each))}</td></tr>"
        for each in told.too_close
    )
    return (
        '<section class="close"><h3>Too close to call</h3><p>Not counted as mistakes. A review with '
        "<code>--seconds 3</code> may settle some of them.</p>"
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
        (done, *numbers), (safest, *least) = ([escape(word) for word in words] for words in risk_words(note))
        cells = "".join(f"<td>{number}</td>" for number in numbers)
        safer = "".join(f"<td>{number}</td>" for number in least)
        place = _explored(where(note), note.xgid, explorer)
        roll = f"{note.roll[0]}-{note.roll[1]}"
        rows.append(
            f"<tr><th>{place}</th><td>{escape(told.match.players[note.player])}, {roll}</td><td>{done}</td>{cells}</tr>"
            f"<tr><th></th><td>safest</td><td>{safest}</td>{safer}</tr>"
        )
    head = "<tr><th>where</th><th></th><th>play</th><th>shots</th><th>least risk</th><th>never hit</th></tr>"
    table = f'<div class="wide"><table class="words">{head}{"".join(rows)}</table></div>' if rows else ""
    return (
        f'<section class="risks"><h3>Against men behind</h3><p>{len(riskier)} of {len(notes)} plays took more risk of '
        "being hit than the least. That is not counted as a mistake: who wins is not known, and a gammon or the race "
        f"can be worth it.</p>{table}</section>"
    )


def _explored(words: str, xgid: str, explorer: str | None) -> str:
    """Words that lead to a position in the explorer, if there is one."""
    if explorer is None:
        return escape(words)
    return f'<a class="explore" href="{escape(_address(explorer, xgid))}">{escape(words)}</a>'


def _address(explorer: str, xgid: str) -> str:
    return f"{explorer.rstrip('/?')}/?xgid={quote(xgid, safe='')}"


def _all_decisions(told: MatchReview) -> str:
    done = [each for each in told.decisions if each.done]
    if not done:
        return ""
    return (
        f"<details><summary>All {len(done)} decisions in their order</summary>"
        f'<div class="wide"><table class="words"><tr><th>move</th><th>who</th><th>done</th><th>right</th><th>costs</th>'
        f"<th>luck</th></tr>{''.join(_rows(told, done))}</table></div></details>"
    )


def _rows(told: MatchReview, decisions: Iterable[Decision]) -> Iterable[str]:
    for each in decisions:
        roll = f"{each.board.roll[0]}-{each.board.roll[1]}: " if each.board.roll else ""
        luck = costs(told.match, each.luck, signed=True) if each.kind == "play" else ""
        forced = " (forced)" if each.forced else ""
        yield (
            f"<tr><td>{each.game}.{each.move}</td><td>{escape(told.match.players[each.player])}</td>"
            f"<td>{escape(roll + each.done)}{forced}</td><td>{escape(each.best) if each.loss else ''}</td>"
            f"<td>{_cost(told, each)}</td><td>{luck}</td></tr>"
        )


def _cost(told: MatchReview, decision: Decision) -> str:
    if decision.too_close:
        return "too close to call"
    return costs(told.match, decision.loss) if decision.loss else ""


_READING: Final = """<footer><h3>How to read this</h3>
<p>A <b>race</b> begins when all checkers have passed each other. From then on every position can be solved: each number
here is what a choice is worth if both sides go on without mistakes, at the score and with the cube of the game.</p>
<p><b>Costs</b> are chances to win the whole match, in percent, or points for money. <b>Of the cube</b> is the same in
points, where +1 is winning the cube as it stands and &minus;1 losing it; it shows where the pointer rests. <b>Luck</b>
is what a roll was worth beyond the average of all rolls. Choices that were forced, or that nobody would weigh, are not
counted. <b>PR</b> is 500 times what mistakes cost a choice that counts, of the cube: the unit of eXtreme Gammon. What
costs less than the answer can be wrong by is <b>too close to call</b>, and not counted as a mistake; of several choices
that are so close, each has a tick. A mistake has <b>?</b> from 0.02 of the cube on, <b>??</b> from 0.08 on.</p>
</footer>"""
