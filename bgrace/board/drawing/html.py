"""The view in a notebook: a drawing, and IDs or words below it."""

from __future__ import annotations

from html import escape


def figure_html(drawing: str, *lines: str, as_code: bool = False) -> str:
    """Put lines of text below a drawing; code, such as IDs, is there to be copied.

    Examples
    --------
    >>> figure_html("<svg/>", "a < b")
    '<figure class="bgrace"><svg/><figcaption>a &lt; b</figcaption></figure>'
    >>> figure_html("", "XGID=--", as_code=True)
    '<figure class="bgrace"><figcaption><code>XGID=--</code></figcaption></figure>'
    """
    words = [escape(line) for line in lines if line]
    below = "<br>".join(f"<code>{line}</code>" for line in words) if as_code else "<br>".join(words)
    caption = f"<figcaption>{below}</figcaption>" if below else ""
    return f'<figure class="bgrace">{drawing}{caption}</figure>'
