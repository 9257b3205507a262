"""The public names of the package ``bgrace`` itself, which loads this module when the first of them is used."""

from bgrace import errors
from bgrace.answers import Solution
from bgrace.answers.proof_file import write_proof
from bgrace.answers.question import solve, solve_many
from bgrace.board import Board, Position, gnubg_position_id, parse_board, parse_position
from bgrace.board.plays import legal_plays
from bgrace.board.spaces import PositionSpace
from bgrace.database.building import build, plan_build
from bgrace.database.database import Database, example_file, open
from bgrace.database.packing.approximate import pack_approximate
from bgrace.database.packing.packer import pack, unpack
from bgrace.errors import *
from bgrace.match.stakes import Rules, Stakes

__all__ = [
    "Board",
    "Database",
    "Position",
    "PositionSpace",
    "Rules",
    "Solution",
    "Stakes",
    "build",
    "example_file",
    "gnubg_position_id",
    "legal_plays",
    "open",
    "pack",
    "pack_approximate",
    "parse_board",
    "parse_position",
    "plan_build",
    "solve",
    "solve_many",
    "unpack",
    "write_proof",
]
__all__ += errors.__all__
