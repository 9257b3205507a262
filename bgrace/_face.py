"""The names that ``bgrace`` offers itself, and where they live; `bgrace` loads this module when it is first asked."""

from bgrace.answers import Bounds, CubeBounds, Interval, PositionAnswer, Solution, Solutions
from bgrace.answers.certificate import write_proof
from bgrace.answers.pairs import solve, solve_many
from bgrace.board import (
    Board,
    GameState,
    Position,
    board_svg,
    board_text,
    gnubg_position_id,
    parse_board,
    parse_position,
)
from bgrace.board.play_text import format_play, parse_play
from bgrace.board.plays import Play, legal_plays
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import CubeAction, CubeActions, Equities
from bgrace.database.building import BuildPlan, build, plan_build
from bgrace.database.money import Database, example_file, open
from bgrace.database.packing import ApproximateReport, PackReport, pack, pack_approximate, unpack
from bgrace.errors import (
    ArgumentError,
    BgraceError,
    BuildError,
    ClosedError,
    CoverageError,
    DependencyError,
    FormatError,
    MemoryLimitError,
    PositionError,
    PositionIndexError,
    RollError,
    VerificationError,
)
from bgrace.match.stakes import Rules, Stakes

__all__ = [
    "ApproximateReport",
    "ArgumentError",
    "BgraceError",
    "Board",
    "Bounds",
    "BuildError",
    "BuildPlan",
    "ClosedError",
    "CoverageError",
    "CubeAction",
    "CubeActions",
    "CubeBounds",
    "Database",
    "DependencyError",
    "Equities",
    "FormatError",
    "GameState",
    "Interval",
    "MemoryLimitError",
    "PackReport",
    "Play",
    "Position",
    "PositionAnswer",
    "PositionError",
    "PositionIndexError",
    "PositionSpace",
    "RollError",
    "Rules",
    "Solution",
    "Solutions",
    "Stakes",
    "VerificationError",
    "board_svg",
    "board_text",
    "build",
    "example_file",
    "format_play",
    "gnubg_position_id",
    "legal_plays",
    "open",
    "pack",
    "pack_approximate",
    "parse_board",
    "parse_play",
    "parse_position",
    "plan_build",
    "solve",
    "solve_many",
    "unpack",
    "write_proof",
]
