"""Files of other programs."""

from bgrace.interop import gnubg as gnubg
