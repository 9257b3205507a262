/* Races played out with random dice.
 *
 * Strategy H and I is that of Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races",
 * section 3.1, "Bearing in".  What the paper leaves open is settled like this; no checker ever lands on a blocked
 * point, and "farthest" is farthest from home.
 *
 *   H  Larger die first, then the smaller one (a double four times): the farthest checker that the die takes to a lower
 *      table (points 1-6, 7-12, 13-18, 19-24).  If there is none, the die stays unused.
 *   +  If two or more dice are unused: the farthest checker that all of them together take to a lower table, in some
 *      order without landing on a blocked point on the way.
 *   I  Each unused die, larger first: the farthest checker that it takes to an empty point, or else to any point.  If
 *      there is none, the die is lost.
 *
 * When the last checker has come within the points of the table, the dice not yet used, and all later rolls, are played
 * to the least mean number of rolls.
 *
 * Sets of points are words with bit j - 1 for point j, so that every search above is a few operations on words. */

#include "rollout/rollout.h"

#include "base/position.h"
#include "base/threads.h"
#include "rollout/throws.h"
#include "solve/one_sided.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };  /* games that are played side by side, so that one need not wait for the table of another */
enum { PIECE = 256 }; /* games to a piece */

static const uint32_t all_points = (1u << BGR_MAX_POINTS) - 1;

/* Throw 6 * (first die - 1) + second die - 1 -> roll, in the order of bgr_rolls; and what a roll is worth. */
static const uint8_t roll_of_throw[36] = {
    0, 1, 3, 6, 10, 15, 1,  2,  4,  7,  11, 16, 3,  4,  5,  8,  12, 17,
    6, 7, 8, 9, 13, 18, 10, 11, 12, 13, 14, 19, 15, 16, 17, 18, 19, 20,
};
static const uint8_t pips_of_roll[BGR_N_ROLLS] = {
    4, 3, 8, 4, 5, 12, 5, 6, 7, 16, 6, 7, 8, 9, 20, 7, 8, 9, 10, 11, 24,
};

/* ------------------------------------------------------------------ one turn */

typedef struct {
    uint32_t occupied; /* the points with a checker */
    int8_t counts[BGR_MAX_POINTS];
} board;

static inline int highest(uint32_t points)
{
#if defined(__GNUC__)
    return 31 - __builtin_clz(points);
#else
    int j = -1;
    for (; points; points >>= 1)
        j++;
    return j;
#endif
}

static void set_board(const int8_t *counts, board *b)
{
    b->occupied = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        if ((b->counts[j] = counts[j]) > 0)
            b->occupied |= 1u << j;
}

/* Points from which a move of so many pips leads to a lower table. */
static inline uint32_t crossing(int pips)
{
    if (pips >= 6)
        return all_points & all_points << pips;
    return ((1u << pips) - 1) * (1u << 6 | 1u << 12 | 1u << 18);
}

static inline void move_farthest(board *b, uint32_t sources, int pips)
{
    int from = highest(sources), to = from - pips;
    if (--b->counts[from] == 0)
        b->occupied &= ~(1u << from);
    b->counts[to]++;
    b->occupied |= 1u << to;
}

static inline int within(const bgr_policy *policy, uint32_t occupied) { return occupied >> policy->space->points == 0; }

/* The last checker has arrived, and n equal dice are left. */
static int64_t play_on(const bgr_policy *policy, const board *b, int n, int die)
{
    int64_t index = 0;
    bgr_index(policy->space, b->counts, &index);
    return n ? policy->chains[index * BGR_N_CHAINS + bgr_chain(n, die)] : index;
}

/* Play a roll by H and I.  Gives the index in the table when all checkers are within it, and -1 as long as they aren't;
 * b is of no use then. */
static int64_t turn(const bgr_policy *policy, board *b, int larger, int smaller, uint32_t blocked)
{
    uint32_t permitted = all_points & ~blocked;
    int dice[4] = {larger, smaller, smaller, smaller}, n = larger == smaller ? 4 : 2;
    for (int k = 0; k < n;) {
        int die = dice[k];
        uint32_t sources = b->occupied & crossing(die) & permitted << die;
        if (!sources) {
            k++;
            continue;
        }
        move_farthest(b, sources, die);
        n--;
        if (k == 0)
            dice[0] = dice[1]; /* the others are equal */
        if (within(policy, b->occupied))
            return play_on(policy, b, n, dice[0]);
    }
    if (n >= 2) {
        int sum = 0;
        uint32_t on_the_way = permitted << smaller;
        for (int k = 0; k < n; k++)
            sum += dice[k];
        if (larger != smaller)
            on_the_way |= permitted << larger;
        else
            for (int k = 2; k < n; k++)
                on_the_way &= permitted << k * smaller;
        uint32_t sources = b->occupied & crossing(sum) & permitted << sum & on_the_way;
        if (sources) {
            move_farthest(b, sources, sum);
            n = 0;
            if (within(policy, b->occupied))
                return play_on(policy, b, 0, 0);
        }
    }
    for (int k = 0; k < n; k++) {
        int die = dice[k];
        uint32_t sources = b->occupied & (permitted & ~b->occupied) << die;
        if (!sources)
            sources = b->occupied & permitted << die;
        if (!sources)
            continue;
        move_farthest(b, sources, die);
        if (within(policy, b->occupied))
            return play_on(policy, b, n - k - 1, dice[n - 1]);
    }
    return -1;
}

/* BGR_OK if a policy knows what to do with a position. */
static bgr_status check(const bgr_policy *policy, const int8_t *counts)
{
    int checkers = 0;
    uint32_t occupied = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++) {
        if (counts[j] < 0 || counts[j] > BGR_MAX_CHECKERS)
            return BGR_ERR_POSITION;
        checkers += counts[j];
        occupied |= (uint32_t)(counts[j] > 0) << j;
    }
    if (checkers > policy->space->checkers || (!policy->chains && !within(policy, occupied)))
        return BGR_ERR_POSITION;
    return BGR_OK;
}

typedef struct {
    const bgr_policy *policy;
    const bgr_space *wide;
    const int8_t *counts;
    const uint32_t *blocked;
    int64_t *results;
} plays_asked;

static int find_plays(void *of, int64_t first, int64_t past, int worker)
{
    const plays_asked *asked = of;
    const bgr_policy *policy = asked->policy;
    (void)worker;
    for (int64_t i = first; i < past; i++) {
        board start;
        set_board(asked->counts + i * BGR_MAX_POINTS, &start);
        int64_t from = within(policy, start.occupied) ? play_on(policy, &start, 0, 0) : -1;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            board b = start;
            int64_t index = from;
            if (from >= 0)
                index = policy->best[from * BGR_N_ROLLS + roll];
            else
                index = turn(policy, &b, bgr_rolls[roll].larger, bgr_rolls[roll].smaller, asked->blocked[i]);
            if (index >= 0) {
                memset(b.counts, 0, sizeof b.counts);
                bgr_position(policy->space, index, b.counts);
            }
            bgr_index(asked->wide, b.counts, &asked->results[i * BGR_N_ROLLS + roll]);
        }
    }
    return 0;
}

bgr_status bgr_policy_plays(const bgr_policy *policy, const bgr_space *wide, const int8_t *counts,
                            const uint32_t *blocked, int64_t n, int n_threads, int64_t *results)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t index;
        bgr_status status = check(policy, counts + i * BGR_MAX_POINTS);
        if (status == BGR_OK)
            status = bgr_index(wide, counts + i * BGR_MAX_POINTS, &index);
        for (int j = wide->points; j < BGR_MAX_POINTS; j++)
            if (counts[i * BGR_MAX_POINTS + j])
                status = BGR_ERR_POSITION;
        if (status != BGR_OK)
            return status;
    }
    plays_asked asked = {policy, wide, counts, blocked, results};
    bgr_team *team = bgr_team_new(n_threads);
    bgr_team_run(team, n, 64, find_plays, &asked);
    bgr_team_free(team);
    return BGR_OK;
}

/* ------------------------------------------------------------------ games */

/* One side of one game, and a single checker that runs along on the same dice. */
typedef struct {
    uint64_t seed, game;
    uint32_t side, block;
    int used; /* of the throws of this block */
    uint8_t throws[BGR_BLOCK_THROWS];
    /* What is counted up is kept apart: of neighbours GCC makes a vector, by a longer way. */
    int rolls, model_pips, model_rolls;
    int64_t index; /* in the table of the policy; -1: not yet within its points */
    board board;
} runner;

static inline int next_roll(runner *r)
{
    if (r->used == BGR_BLOCK_THROWS) {
        bgr_throws(r->seed, r->game, r->side, r->block++, r->throws);
        r->used = 0;
    }
    return roll_of_throw[r->throws[r->used++]];
}

/* One turn, with a roll of the dice; a finished side only moves its single checker. */
static inline void play(const bgr_policy *policy, runner *r, uint32_t blocked)
{
    int roll = next_roll(r);
    r->rolls += r->index != 0;
    r->model_rolls += r->model_pips > 0;
    r->model_pips -= pips_of_roll[roll];
    if (r->index >= 0)
        r->index = policy->best[r->index * BGR_N_ROLLS + roll];
    else
        r->index = turn(policy, &r->board, bgr_rolls[roll].larger, bgr_rolls[roll].smaller, blocked);
}

/* The points where a side stands. */
static uint32_t standing(const bgr_policy *policy, const runner *r)
{
    int8_t counts[BGR_MAX_POINTS] = {0};
    board b;
    if (r->index < 0)
        return r->board.occupied;
    bgr_position(policy->space, r->index, counts);
    set_board(counts, &b);
    return b.occupied;
}

/* The same points as the other side numbers them. */
static uint32_t turned(uint32_t points)
{
    uint32_t seen = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        seen |= (points >> j & 1) << (BGR_MAX_POINTS - 1 - j);
    return seen;
}

/* Whether all of the other side, as this side numbers the points, stand beyond this side's farthest checker: then
 * neither can ever be in the other's way. */
static int have_passed(uint32_t own, uint32_t other)
{
    return own == 0 || other == 0 || other >> highest(own) << highest(own) == other;
}

/* Play a game until the two sides have passed each other. */
static void pass_each_other(const bgr_roller *sides, runner *a, runner *b)
{
    while (a->rolls <= BGR_MAX_GAME_ROLLS) {
        for (int side = 0; side < 2; side++) {
            runner *mover = side ? b : a, *other = side ? a : b;
            uint32_t blocked = turned(standing(&sides[1 - side].policy, other));
            if (have_passed(standing(&sides[side].policy, mover), blocked))
                return;
            play(&sides[side].policy, mover, blocked);
        }
    }
}

/* Games first .. first + n - 1, at most LANES of them.  BGR_ERR_SIZE if one is too long. */
static bgr_status play_games(const bgr_roller *sides, int n_sides, int blocking, const runner *start, int64_t first,
                             int n, bgr_rollout_sums *sums)
{
    runner runners[2][LANES];
    for (int side = 0; side < n_sides; side++)
        for (int lane = 0; lane < n; lane++) {
            runners[side][lane] = start[side];
            runners[side][lane].game = (uint64_t)(first + lane);
        }
    if (blocking)
        for (int lane = 0; lane < n; lane++)
            pass_each_other(sides, &runners[0][lane], &runners[1][lane]);
    for (int side = 0; side < n_sides; side++) {
        const bgr_policy *policy = &sides[side].policy;
        runner *r = runners[side];
        for (int lane = 0; lane < n; lane++)
            while (r[lane].index < 0 && r[lane].rolls <= BGR_MAX_GAME_ROLLS)
                play(policy, &r[lane], 0);
        for (int busy = 1; busy;) {
            busy = 0;
            for (int lane = 0; lane < n; lane++)
                if (r[lane].index > 0 || r[lane].model_pips > 0) {
                    play(policy, &r[lane], 0);
                    busy = 1;
                }
        }
    }
    for (int lane = 0; lane < n; lane++) {
        int64_t values[BGR_N_SUMMED][2] = {{0}}; /* of the game and of its model */
        int half = (int)((first + lane) & 1);
        for (int side = 0; side < n_sides; side++) {
            const runner *r = &runners[side][lane];
            if (r->rolls > BGR_MAX_GAME_ROLLS)
                return BGR_ERR_SIZE;
            sums->rolls[side][r->rolls]++;
            values[side][0] = r->rolls;
            values[side][1] = r->model_rolls;
        }
        if (n_sides == 2) {
            values[BGR_OF_WINS][0] = values[0][0] <= values[1][0];
            values[BGR_OF_WINS][1] = values[0][1] <= values[1][1];
        }
        for (int of = 0; of < BGR_N_SUMMED; of++) {
            int64_t y = values[of][0], c = values[of][1], *sum = sums->sums[of][half];
            sum[BGR_SUM_GAMES]++;
            sum[BGR_SUM_Y] += y;
            sum[BGR_SUM_YY] += y * y;
            sum[BGR_SUM_C] += c;
            sum[BGR_SUM_CC] += c * c;
            sum[BGR_SUM_YC] += y * c;
        }
    }
    return BGR_OK;
}

static void add(const bgr_rollout_sums *part, bgr_rollout_sums *sums)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k <= BGR_MAX_GAME_ROLLS; k++)
            sums->rolls[side][k] += part->rolls[side][k];
    for (int of = 0; of < BGR_N_SUMMED; of++)
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < BGR_N_SUMS; k++)
                sums->sums[of][half][k] += part->sums[of][half][k];
}

typedef struct {
    const bgr_roller *sides;
    const runner *start;
    int64_t first, n;
    int n_sides, blocking;
    bgr_rollout_sums *parts; /* one for each worker */
} games_asked;

/* Pieces of games. */
static int play_pieces(void *of, int64_t first, int64_t past, int worker)
{
    const games_asked *asked = of;
    bgr_status status = BGR_OK;
    int64_t end = past * PIECE < asked->n ? past * PIECE : asked->n;
    for (int64_t game = first * PIECE; game < end && status == BGR_OK; game += LANES)
        status = play_games(asked->sides, asked->n_sides, asked->blocking, asked->start, asked->first + game,
                            (int)(end - game < LANES ? end - game : LANES), &asked->parts[worker]);
    return (int)status;
}

bgr_status bgr_rollout(const bgr_roller *sides, int n_sides, int blocking, uint64_t seed, int64_t first, int64_t n,
                       int n_threads, bgr_rollout_sums *sums)
{
    runner start[2];
    memset(start, 0, sizeof start);
    for (int side = 0; side < n_sides; side++) {
        const bgr_policy *policy = &sides[side].policy;
        bgr_status status = check(policy, sides[side].counts);
        if (status != BGR_OK)
            return status;
        runner *r = &start[side];
        r->seed = seed;
        r->side = (uint32_t)side;
        r->used = BGR_BLOCK_THROWS;
        r->model_pips = sides[side].model_pips;
        set_board(sides[side].counts, &r->board);
        r->index = within(policy, r->board.occupied) ? play_on(policy, &r->board, 0, 0) : -1;
    }
    blocking = blocking && n_sides == 2 && !have_passed(start[0].board.occupied, turned(start[1].board.occupied));
    int64_t n_pieces = (n + PIECE - 1) / PIECE;
    if (n_threads > n_pieces)
        n_threads = n_pieces > 1 ? (int)n_pieces : 1;
    bgr_rollout_sums *parts = calloc((size_t)n_threads, sizeof *parts);
    if (!parts)
        return BGR_ERR_MEMORY;
    games_asked asked = {sides, start, first, n, n_sides, blocking, parts};
    bgr_team *team = bgr_team_new(n_threads);
    int found = bgr_team_run(team, n_pieces, 1, play_pieces, &asked);
    bgr_team_free(team);
    for (int k = 0; k < n_threads; k++)
        add(&parts[k], sums);
    free(parts);
    return found ? BGR_ERR_SIZE : BGR_OK;
}
