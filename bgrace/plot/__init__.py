"""Pictures, readable in print and on a screen.

They need matplotlib, an extra of its own: ``pip install bgrace[plot]``.  Nothing is imported before a picture is asked
for, so everything else works without it.  Every function that draws returns a matplotlib Figure, which
`bgrace.plot.canvas.save` writes, takes axes of the caller's as `ax`, and raises DependencyError where matplotlib is not
installed.
"""
