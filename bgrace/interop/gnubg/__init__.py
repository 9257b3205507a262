"""GNU Backgammon's bearoff files: converted, written, and made byte for byte as its own generator makes them."""

from bgrace.interop.gnubg.reader import Header, Kind, convert, is_converted
from bgrace.interop.gnubg.writer import export, generate

__all__ = ["Header", "Kind", "convert", "export", "generate", "is_converted"]
