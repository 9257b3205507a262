"""Rollouts: dice, strategies and games."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.one_sided import means
from bgrace._kernels.positions cimport Space, check

MAX_ROLLS = c.BGR_MAX_GAME_ROLLS


def philox(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]:
    """Philox's four random words of 32 bits for a counter of four words and a key of two."""
    cdef uint32_t[4] words = counter  # IN, OUT
    cdef uint32_t[2] key_in = key  # IN
    c.bgr_philox(words, key_in)
    return words[0], words[1], words[2], words[3]


def throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t n_blocks) -> npt.NDArray[np.uint8]:
    """The first blocks of throws of a side in a game (uint8); a throw is 6 * (first die - 1) + second die - 1."""
    cdef uint8_t[::1] numbers = np.empty(n_blocks * c.BGR_BLOCK_THROWS, dtype=np.uint8)  # OUT
    cdef uint32_t block
    for block in range(n_blocks):
        c.bgr_throws(seed, game, side, block, &numbers[block * c.BGR_BLOCK_THROWS])
    return numbers.base


cdef class Policy:
    """Strategies H and I outside the points of a space of at most 2^31 - 1 positions, and best-EPC play within them."""

    cdef Space space
    cdef readonly object mean_rolls  # type: Floats
    cdef object best
    cdef object chains
    cdef object narrow
    cdef c.bgr_policy tables

    def __init__(self, Space space not None, int n_threads) -> None:
        cdef int64_t size = space.c.size
        self.space = space
        self.mean_rolls, self.best, _, self.chains = means(space, 1, n_threads)
        cdef int32_t[:, ::1] best_in = self.best  # IN
        cdef int32_t[:, ::1] chains_in = self.chains  # IN
        self.mean_rolls.flags.writeable = False
        self.tables.space = &space.c
        self.tables.best = &best_in[0, 0]
        self.tables.chains = &chains_in[0, 0]
        cdef const uint16_t[:, ::1] narrow_in  # IN
        if size <= 2**16:
            self.narrow = self.best.astype(np.uint16)
            narrow_in = self.narrow
            self.tables.narrow = &narrow_in[0, 0]


def plays(
    Policy policy not None,
    Space wide not None,
    const int8_t[:, ::1] counts,  # IN
    const uint32_t[::1] blocked,  # IN
    int n_threads,
) -> Integers:
    """Results of every roll from (n, 24) counts: indices in `wide` (int64, n x 21).

    blocked: for each position the points on which strategies H and I do not land, bit j - 1 for point j.
    """
    cdef int64_t n = counts.shape[0]
    if counts.shape[1] != c.BGR_MAX_POINTS or blocked.shape[0] != n:
        raise ValueError(f"counts must have shape (n, {c.BGR_MAX_POINTS}), and blocked one entry for each")
    cdef int64_t[:, ::1] results = np.empty((n, c.BGR_N_ROLLS), dtype=np.int64)  # OUT
    if n == 0:
        return results.base
    cdef c.bgr_policy tables = policy.tables
    with nogil:
        status = c.bgr_policy_plays(&tables, &wide.c, &counts[0, 0], &blocked[0], n, n_threads, &results[0, 0])
    check(status, f"{n} positions, a table of {policy.space.c.points} points")
    return results.base


def rollout(
    sides: Sequence[tuple[Policy, Sequence[int], int]],
    bint blocking,
    uint64_t seed,
    int64_t first,
    int64_t n_games,
    int n_threads,
) -> tuple[Integers, Integers]:
    """Play games number first, ..., first + n_games - 1 of a seed.

    sides: one or two tuples of a policy, 24 counts, and the pips of the single checker of the model that is rolled out
    with the same dice.  Returns the number of games in which each side needed k rolls (int64, 2 x 256), and sums over
    games of even and of odd number (int64, 3 x 2 x 6).  The sums are those of 1, y, y y, c, c c and y c, where y is the
    number of rolls of the first side, that of the second, or wins, and c the same for the model.
    """
    cdef c.bgr_games games
    cdef c.bgr_rollout_sums sums
    cdef Policy policy
    cdef int n_sides = len(sides), side
    if not 1 <= n_sides <= 2 or first < 0 or n_games < 0:
        raise ValueError("give one or two sides, and numbers of games of 0 or more")
    memset(&games, 0, sizeof(games))
    for side in range(n_sides):
        policy, counts, model_pips = sides[side]
        if len(counts) != c.BGR_MAX_POINTS or not 1 <= model_pips <= c.BGR_MAX_PIPS:
            raise ValueError(f"give {c.BGR_MAX_POINTS} counts, and 1 to {c.BGR_MAX_PIPS} pips")
        games.sides[side].policy = policy.tables
        games.sides[side].counts = counts
        games.sides[side].model_pips = model_pips
    games.n_sides, games.blocking, games.seed, games.first, games.n = n_sides, blocking, seed, first, n_games
    memset(&sums, 0, sizeof(sums))
    with nogil:
        status = c.bgr_rollout(&games, n_threads, &sums)
    check(status, f"a rollout of {n_games} games")
    rolls = np.array(<int64_t[:2, :c.BGR_MAX_GAME_ROLLS + 1]>&sums.rolls[0][0])
    return rolls, np.array(<int64_t[:c.BGR_N_SUMMED, :2, :c.BGR_N_SUMS]>&sums.sums[0][0][0])
