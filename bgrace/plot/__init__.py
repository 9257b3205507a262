"""Pictures, readable in print and on a screen.

They need matplotlib, an extra of its own: ``pip install bgrace[plot]``.  Nothing is imported before a picture is asked
for, so everything else works without it.  A function here returns a figure; `bgrace.plot.canvas.save` writes it.
"""
