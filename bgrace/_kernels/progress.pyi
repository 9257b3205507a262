from collections.abc import Callable
from typing import TypeAlias

LevelProgress: TypeAlias = Callable[[int, int, int], None]

class Reporter: ...
