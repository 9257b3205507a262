"""Whether a reader sees all of a picture."""

from __future__ import annotations

from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg


def check_nothing_is_cut(drawn: Any) -> None:
    """Titles, labels, legends and notes of a figure stand within its paper."""
    canvas: Any = FigureCanvasAgg(drawn)
    canvas.draw()
    paper = drawn.bbox.padded(1)
    legends = [*drawn.legends, *(panel.get_legend() for panel in drawn.axes)]
    texts = [text for legend in legends if legend for text in (legend.get_title(), *legend.get_texts())]
    for panel in drawn.axes:
        texts += [*panel.texts, panel.title, panel.xaxis.label, panel.yaxis.label]
    for text in texts:
        if text.get_text():
            box = text.get_window_extent(canvas.get_renderer())
            assert paper.containsx(box.x0), text
            assert paper.containsx(box.x1), text
            assert paper.containsy(box.y0), text
            assert paper.containsy(box.y1), text
