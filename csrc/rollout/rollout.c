/* Races played out with random dice.
 *
 * Strategy H and I is that of Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races",
 * section 3.1, "Bearing in".  The paper leaves some details open, which are as follows.  No checker ever lands on a
 * blocked point, and "farthest" is farthest from home.
 *
 *   H  Larger die first, then the smaller one (a double four times): the farthest checker that the die takes to a lower
 *      table (points 1-6, 7-12, 13-18, 19-24).  If there is none, the die is not used yet.
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

#include "base/bytes.h"
#include "base/path.h"
#include "base/position.h"
#include "base/threads.h"
#include "base/try.h"
#include "rollout/lanes.h"
#include "solve/one_sided.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t all_points = (1u << BGR_MAX_POINTS) - 1;

/* ------------------------------------------------------------------ one turn */

typedef struct {
    uint32_t occupied; /* the points with a checker */
    int8_t counts[BGR_MAX_POINTS];
} board;

static void set_board(const int8_t *counts, board *b)
{
    b->occupied = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        if ((b->counts[j] = counts[j]) > 0)
            b->occupied |= 1u << j;
}

/* Points from which a move of these pips leads to a lower table. */
static inline uint32_t crossing(int pips)
{
    if (pips >= 6)
        return all_points & all_points << pips;
    return ((1u << pips) - 1) * (1u << 6 | 1u << 12 | 1u << 18);
}

static inline void move_farthest(board *b, uint32_t sources, int pips)
{
    int from = bgr_highest_bit(sources), to = from - pips;
    if (--b->counts[from] == 0)
        b->occupied &= ~(1u << from);
    b->counts[to]++;
    b->occupied |= 1u << to;
}

static inline int within(const bgr_policy *policy, uint32_t occupied) { return occupied >> policy->space->points == 0; }

/* Play n equal dice that are left after the last checker has arrived. */
static int64_t play_on(const bgr_policy *policy, const board *b, int n, int die)
{
    int64_t index = 0;
    bgr_index(policy->space, b->counts, &index);
    return n ? policy->chains[index * BGR_N_CHAINS + bgr_chain(n, die)] : index;
}

/* The dice of a turn that are not used yet, the larger first. */
typedef struct {
    int n;
    int dice[4];
    uint32_t permitted; /* points that are not blocked */
} turn;

/* The three parts of H and I.  Each returns the index in the table once all checkers are within it, else -1. */

static int64_t cross_die_by_die(const bgr_policy *policy, board *b, turn *t)
{
    for (int k = 0; k < t->n;) {
        int die = t->dice[k];
        uint32_t sources = b->occupied & crossing(die) & t->permitted << die;
        if (!sources) {
            k++;
            continue;
        }
        move_farthest(b, sources, die);
        t->n--;
        if (k == 0)
            t->dice[0] = t->dice[1]; /* the others are equal */
        if (within(policy, b->occupied))
            return play_on(policy, b, t->n, t->dice[0]);
    }
    return -1;
}

static int64_t cross_by_all(const bgr_policy *policy, board *b, turn *t)
{
    int larger = t->dice[0], smaller = t->dice[1], sum = larger == smaller ? t->n * larger : larger + smaller;
    uint32_t on_the_way = t->permitted << smaller;
    if (larger != smaller)
        on_the_way |= t->permitted << larger;
    else
        for (int k = 2; k < t->n; k++)
            on_the_way &= t->permitted << k * smaller;
    uint32_t sources = b->occupied & crossing(sum) & t->permitted << sum & on_the_way;
    if (!sources)
        return -1;
    move_farthest(b, sources, sum);
    t->n = 0;
    return within(policy, b->occupied) ? play_on(policy, b, 0, 0) : -1;
}

static int64_t use_the_rest(const bgr_policy *policy, board *b, const turn *t)
{
    for (int k = 0; k < t->n; k++) {
        int die = t->dice[k];
        uint32_t sources = b->occupied & (t->permitted & ~b->occupied) << die;
        if (!sources)
            sources = b->occupied & t->permitted << die;
        if (!sources)
            continue;
        move_farthest(b, sources, die);
        if (within(policy, b->occupied))
            return play_on(policy, b, t->n - k - 1, t->dice[t->n - 1]);
    }
    return -1;
}

/* Play a roll by H and I; b is undefined once all checkers are within the table. */
static int64_t play_turn(const bgr_policy *policy, board *b, int larger, int smaller, uint32_t blocked)
{
    turn t = {larger == smaller ? 4 : 2, {larger, smaller, smaller, smaller}, all_points & ~blocked};
    int64_t index = cross_die_by_die(policy, b, &t);
    if (index < 0 && t.n >= 2)
        index = cross_by_all(policy, b, &t);
    return index < 0 ? use_the_rest(policy, b, &t) : index;
}

/* Check that a policy covers a position. */
static bgr_status check(const bgr_policy *policy, const int8_t *counts)
{
    int checkers = bgr_checked_checkers(BGR_MAX_POINTS, counts);
    if (checkers < 0 || checkers > policy->space->checkers ||
        (!policy->chains && bgr_highest(BGR_MAX_POINTS, counts) > policy->space->points))
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

static void find_plays(void *of, int64_t i)
{
    const plays_asked *asked = of;
    const bgr_policy *policy = asked->policy;
    board start;
    set_board(asked->counts + i * BGR_MAX_POINTS, &start);
    int64_t from = within(policy, start.occupied) ? play_on(policy, &start, 0, 0) : -1;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        board b = start;
        int64_t index = from;
        if (from >= 0)
            index = policy->best[from * BGR_N_ROLLS + roll];
        else
            index = play_turn(policy, &b, bgr_rolls[roll].larger, bgr_rolls[roll].smaller, asked->blocked[i]);
        if (index >= 0) {
            memset(b.counts, 0, sizeof b.counts);
            bgr_position(policy->space, index, b.counts);
        }
        bgr_index(asked->wide, b.counts, &asked->results[i * BGR_N_ROLLS + roll]);
    }
}

bgr_status bgr_policy_plays(const bgr_policy *policy, const bgr_space *wide, const int8_t *counts,
                            const uint32_t *blocked, int64_t n, int n_threads, int64_t *results)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t index;
        BGR_TRY(check(policy, counts + i * BGR_MAX_POINTS));
        BGR_TRY(bgr_index(wide, counts + i * BGR_MAX_POINTS, &index));
        if (bgr_highest(BGR_MAX_POINTS, counts + i * BGR_MAX_POINTS) > wide->points)
            return BGR_ERR_POSITION;
    }
    plays_asked asked = {policy, wide, counts, blocked, results};
    bgr_run(n_threads, n, 64, find_plays, &asked);
    return BGR_OK;
}

/* ------------------------------------------------------------------ games */

/* One side of one game while a checker is beyond the table, with its single-checker model. */
typedef struct {
    uint64_t seed, game;
    uint32_t side, block;
    int used; /* throws of this block that are used */
    uint8_t throws[BGR_BLOCK_THROWS];
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
    return bgr_roll_of_throw[r->throws[r->used++]];
}

/* Play one turn; a finished side moves only its single checker. */
static inline void play(const bgr_policy *policy, runner *r, uint32_t blocked)
{
    int roll = next_roll(r), larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    r->rolls += r->index != 0;
    r->model_rolls += r->model_pips > 0;
    r->model_pips -= bgr_roll_pips(larger, smaller);
    if (r->index >= 0)
        r->index = policy->best[r->index * BGR_N_ROLLS + roll];
    else
        r->index = play_turn(policy, &r->board, larger, smaller, blocked);
}

/* The points that a side occupies. */
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

/* Whether all checkers of the other side, in this side's numbering, are beyond this side's farthest checker: then
 * neither can block the other any more. */
static int have_passed(uint32_t own, uint32_t other)
{
    return own == 0 || other == 0 || other >> bgr_highest_bit(own) << bgr_highest_bit(own) == other;
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

typedef struct {
    const bgr_games *games;
    runner start[2];
    bgr_throw_pairs pairs;
    int blocking;
    bgr_rollout_sums *parts; /* one for each worker */
} games_asked;

/* Play until the table covers all checkers, or the game is too long; then add it to the lanes.  If it has used part of
 * a block, its lane starts with that block again and skips these throws. */
static inline void bear_in(const bgr_policy *policy, runner *r, int lane, bgr_lanes *l)
{
    while (r->index < 0 && r->rolls <= BGR_MAX_GAME_ROLLS)
        play(policy, r, 0);
    int begun = r->used < BGR_BLOCK_THROWS;
    bgr_begin_lane(l, lane, r->game, r->index < 0 ? 0 : r->index, r->model_pips); /* a game that is too long is given
                                                                                   * up */
    l->block[lane] = r->block - (uint32_t)begun;
    l->skipped[lane] = begun ? r->used : 0;
    l->skipping |= begun;
    l->rolls[lane] = r->rolls;
    l->model_rolls[lane] = r->model_rolls;
}

/* Sums over n games of y and c. */
BGR_EVERY_WIDTH
static void sum_up(const int32_t *y, const int32_t *c, int n, int64_t *sums)
{
    /* No game of a piece is long enough to overflow these. */
    int32_t of_y = 0, of_yy = 0, of_c = 0, of_cc = 0, of_yc = 0;
    for (int j = 0; j < n; j++) {
        of_y += y[j];
        of_yy += y[j] * y[j];
        of_c += c[j];
        of_cc += c[j] * c[j];
        of_yc += y[j] * c[j];
    }
    sums[BGR_SUM_GAMES] += n;
    sums[BGR_SUM_Y] += of_y;
    sums[BGR_SUM_YY] += of_yy;
    sums[BGR_SUM_C] += of_c;
    sums[BGR_SUM_CC] += of_cc;
    sums[BGR_SUM_YC] += of_yc;
}

/* The quantities of games, and of their models. */
typedef int32_t game_values[BGR_N_SUMMED][2][BGR_LANES];

/* Start games without blocking. */
static void start_apart(const games_asked *asked, const uint64_t *game, int n, bgr_lanes lanes[2])
{
    for (int side = 0; side < asked->games->n_sides; side++) {
        const runner *start = &asked->start[side];
        for (int lane = 0; lane < n; lane++) {
            if (start->index >= 0) { /* in the table from the start */
                bgr_begin_lane(&lanes[side], lane, game[lane], start->index, start->model_pips);
                continue;
            }
            runner r = *start;
            r.game = game[lane];
            bear_in(&asked->games->sides[side].policy, &r, lane, &lanes[side]);
        }
    }
}

static void start_blocking(const games_asked *asked, const uint64_t *game, int n, bgr_lanes lanes[2])
{
    const bgr_roller *sides = asked->games->sides;
    for (int lane = 0; lane < n; lane++) {
        runner runners[2] = {asked->start[0], asked->start[1]};
        runners[0].game = runners[1].game = game[lane];
        pass_each_other(sides, &runners[0], &runners[1]);
        for (int side = 0; side < 2; side++)
            bear_in(&sides[side].policy, &runners[side], lane, &lanes[side]);
    }
}

/* Play all lanes to their end, and count the rolls.  BGR_ERR_SIZE if a game is too long. */
static bgr_status play_lanes(const games_asked *asked, int n, bgr_lanes lanes[2], game_values values,
                             bgr_rollout_sums *sums)
{
    for (int side = 0; side < asked->games->n_sides; side++) {
        int32_t *rolls = values[side][0];
        lanes[side].n = n;
        bgr_lanes_play(&asked->games->sides[side].policy, &asked->pairs, asked->games->seed, (uint32_t)side,
                       &lanes[side], rolls, values[side][1]);
        for (int lane = 0; lane < n; lane++)
            if (rolls[lane] > BGR_MAX_GAME_ROLLS)
                return BGR_ERR_SIZE;
        for (int lane = 0; lane < n; lane++)
            sums->rolls[side][rolls[lane]]++;
    }
    return BGR_OK;
}

/* Play games first .. first + n - 1; n: at most BGR_LANES.  BGR_ERR_SIZE if one is too long. */
static bgr_status play_games(const games_asked *asked, int64_t first, int n, bgr_rollout_sums *sums)
{
    bgr_lanes lanes[2];
    game_values values;
    uint64_t game[BGR_LANES];
    int n_same = (n + 1) / 2; /* games of the same parity as the first one, which come first */
    int half = (int)(first & 1);
    memset(values[1], 0, sizeof values[1]); /* if there is no second side */
    for (int lane = 0; lane < n; lane++)
        game[lane] = (uint64_t)first + (uint64_t)(lane < n_same ? 2 * lane : 2 * (lane - n_same) + 1);
    lanes[0].skipping = lanes[1].skipping = 0;
    (asked->blocking ? start_blocking : start_apart)(asked, game, n, lanes);
    BGR_TRY(play_lanes(asked, n, lanes, values, sums));
    for (int of = 0; of < 2; of++)
        for (int lane = 0; lane < n; lane++)
            values[BGR_OF_WINS][of][lane] = asked->games->n_sides == 2 && values[0][of][lane] <= values[1][of][lane];
    for (int of = 0; of < BGR_N_SUMMED; of++) {
        sum_up(values[of][0], values[of][1], n_same, sums->sums[of][half]);
        sum_up(values[of][0] + n_same, values[of][1] + n_same, n - n_same, sums->sums[of][1 - half]);
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

/* Pieces of games. */
static int play_pieces(void *of, int64_t first, int64_t past, int worker)
{
    const games_asked *asked = of;
    bgr_status status = BGR_OK;
    int64_t n = asked->games->n, end = past * BGR_LANES < n ? past * BGR_LANES : n;
    for (int64_t game = first * BGR_LANES; game < end && status == BGR_OK; game += BGR_LANES)
        status = play_games(asked, asked->games->first + game, (int)(end - game < BGR_LANES ? end - game : BGR_LANES),
                            &asked->parts[worker]);
    return (int)status;
}

bgr_status bgr_rollout(const bgr_games *games, int n_threads, bgr_rollout_sums *sums)
{
    games_asked asked = {.games = games};
    runner *start = asked.start;
    for (int side = 0; side < games->n_sides; side++) {
        const bgr_roller *of = &games->sides[side];
        const bgr_policy *policy = &of->policy;
        BGR_TRY(check(policy, of->counts));
        runner *r = &start[side];
        r->seed = games->seed;
        r->side = (uint32_t)side;
        r->used = BGR_BLOCK_THROWS;
        r->model_pips = of->model_pips;
        set_board(of->counts, &r->board);
        r->index = within(policy, r->board.occupied) ? play_on(policy, &r->board, 0, 0) : -1;
    }
    asked.blocking = games->blocking && games->n_sides == 2 &&
                     !have_passed(start[0].board.occupied, turned(start[1].board.occupied));
    int64_t n_pieces = (games->n + BGR_LANES - 1) / BGR_LANES;
    if (n_threads > n_pieces)
        n_threads = n_pieces > 1 ? (int)n_pieces : 1;
    asked.parts = calloc((size_t)n_threads, sizeof *asked.parts);
    if (!asked.parts)
        return BGR_ERR_MEMORY;
    bgr_throw_pairs_init(&asked.pairs);
    bgr_parallel threads;
    int is_too_long = bgr_loop(bgr_threads_begin(&threads, n_threads), 0, n_pieces, 1, play_pieces, &asked);
    bgr_threads_end(&threads);
    for (int k = 0; k < n_threads; k++)
        add(&asked.parts[k], sums);
    free(asked.parts);
    return is_too_long ? BGR_ERR_SIZE : BGR_OK;
}
