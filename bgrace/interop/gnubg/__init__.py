"""Convert and write GNU Backgammon's bearoff files, and make them byte for byte like its own generator."""

from bgrace.interop.gnubg.reader import Header, Kind, convert, is_converted
from bgrace.interop.gnubg.writer import export, generate

__all__ = ["Header", "Kind", "convert", "export", "generate", "is_converted"]
