"""GNU Backgammon's bearoff files: read, written, converted, and made byte for byte as its own generator makes them."""

from bgrace.interop.gnubg.generator import generate
from bgrace.interop.gnubg.layout import Header
from bgrace.interop.gnubg.reader import GnubgFile, open
from bgrace.interop.gnubg.writer import export

__all__ = ["GnubgFile", "Header", "export", "generate", "open"]
