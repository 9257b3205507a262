"""What a notebook shows: a drawing, and IDs or words below it."""

from __future__ import annotations

from html import escape

__all__ = ["board_html", "figure_html"]


def figure_html(drawing: str, *lines: str) -> str:
    """Put lines of text below a drawing.

    Examples
    --------
    >>> figure_html("<svg/>", "a < b")
    '<figure class="bgrace"><svg/><figcaption>a &lt; b</figcaption></figure>'
    """
    words = "<br>".join(escape(line) for line in lines if line)
    below = f"<figcaption>{words}</figcaption>" if words else ""
    return f'<figure class="bgrace">{drawing}{below}</figure>'


def board_html(drawing: str, gnubg_id: str, xgid: str) -> str:
    """Put the IDs of a board below its drawing, to be copied.

    Examples
    --------
    >>> board_html("<svg/>", "AAAAAAAAAAAAAA:cAkAAAAAAAAE", "XGID=--").count("<code>")
    2
    """
    words = "<br>".join(f"<code>{escape(identifier)}</code>" for identifier in (gnubg_id, xgid))
    return f'<figure class="bgrace">{drawing}<figcaption>{words}</figcaption></figure>'
