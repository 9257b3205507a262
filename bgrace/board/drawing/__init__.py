"""Boards drawn: as text, and as SVG.

`scene` says what is to be seen, where on a board it is, seen by the player on roll, and in which words, and draws it
as text; `svg` draws it as SVG.  Neither knows more than counts and the state of a game: positions, boards and plays
draw themselves with them, and `bgrace.board.draw` has the functions that users call.
"""
