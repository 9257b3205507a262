/* One player alone, in the arithmetic of GNU Backgammon's generator, makebearoff, so that its files can be made byte by
 * byte.
 *
 * A chance is a whole number u[i] of parts of 65535, i = 0 .. 31 rolls.  The play of a roll is the one that leaves the
 * least sum of i * u[i]; among equal ones the first that makebearoff finds; the choice matters, since rows with equal
 * sums may differ.  It plays the larger die first, from every point in turn, the highest first, and the other die
 * likewise after each; then the dice the other way round; a double with four nested steps, each from no higher a point
 * than the one before.
 *
 * As in one_sided.c two steps of one die are enough.  The first of the best plays begins with the first step after
 * which the best sum can still be reached, and continues with the first of the best plays from there.  So it is enough
 * to know, for each position and die, the best result of one, two and three such dice, always the first among equals.
 * Steps of a double may also rise: of all orders of the same steps the falling one comes first anyway.
 *
 * Two objectives are solved side by side, the last checker and the first of fifteen.  For each objective a
 * position has a *value*: 0 once the objective is reached, else 1, 2, ... in order of the index. */

#include "solve/gnubg_one_sided.h"

#include "base/levels.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/plays.h"
#include "base/threads.h"
#include "base/try.h"
#include "solve/one_sided.h"

#include <string.h>

enum {
    WIDTH = BGR_GNUBG_WIDTH,
    WHOLE = 65535,
    REACH = 6 /* levels of pips that one die can go down */
};

typedef int32_t chain[BGR_N_CHAINS]; /* values of the best results of one, two and three dice of each size */

typedef struct {
    int64_t n_done; /* positions with lower indices have reached the objective: value 0 */
    uint32_t *sum;  /* by value: sum of i * u[i] */
    uint16_t *row;  /* by value: u */
    chain *chains;  /* by rank, in a circular buffer */
} objective;

typedef struct {
    const bgr_space *space;
    bgr_levels levels;
    int32_t *rank_of; /* by index */
    int64_t mask;     /* length of chains less 1, enough for all levels that one die can reach and one more */
    objective objectives[2];
    int n_objectives;
} solver;

static inline int32_t value_of(const objective *o, int64_t index)
{
    return index < o->n_done ? 0 : (int32_t)(index - o->n_done + 1);
}

/* Add up and round; the first of the greatest chances absorbs the remainder. */
BGR_EVERY_WIDTH
static void add_up(const uint16_t *rows, const int32_t *choice, uint16_t *out, uint32_t *sum)
{
    uint32_t acc[WIDTH] = {0}, chance[WIDTH], total = 0, weighted = 0, most = 0;
    for (int weight = 2; weight > 0; weight--) {
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            const uint16_t *u = rows + (int64_t)choice[roll] * WIDTH;
            if (bgr_rolls[roll].weight == weight)
                for (int i = 0; i < WIDTH; i++)
                    acc[i] += u[i];
        }
        for (int i = 0; weight == 2 && i < WIDTH; i++)
            acc[i] *= 2;
    }
    acc[WIDTH - 1] = 0; /* it does not fit */
    for (int i = 0; i < WIDTH; i++) {
        chance[i] = (acc[i] + 18) / 36; /* for i + 1 rolls */
        total += chance[i];
        weighted += (uint32_t)(i + 1) * chance[i];
        most = chance[i] > most ? chance[i] : most;
    }
    int first = 0;
    while (chance[first] != most)
        first++;
    chance[first] += WHOLE - total;
    *sum = weighted + (uint32_t)(first + 1) * (WHOLE - total);
    out[0] = 0;
    for (int i = 1; i < WIDTH; i++)
        out[i] = (uint16_t)chance[i - 1];
}

static void take_if_better(const uint32_t *sum, int32_t value, int32_t *best)
{
    if (sum[value] < sum[*best])
        *best = value;
}

/* Find the chains, the sum and the row of one position. */
static void solve_position(const solver *s, const objective *o, const dice_results *dice, int64_t index, int64_t rank)
{
    static const chain nothing_left = {0};
    const int32_t *next[6][BGR_MAX_POINTS];
    int32_t *own = o->chains[rank & s->mask], choice[BGR_N_ROLLS], value = value_of(o, index);
    for (int d = 0; d < 6; d++) {
        int32_t one = value_of(o, dice->result[d][0]);
        for (int k = 0; k < dice->n_results[d]; k++) {
            int64_t result = dice->result[d][k];
            next[d][k] = result < o->n_done ? nothing_left : o->chains[s->rank_of[result] & s->mask];
            take_if_better(o->sum, value_of(o, result), &one);
        }
        int32_t two = next[d][0][d], three = next[d][0][6 + d];
        for (int k = 1; k < dice->n_results[d]; k++) {
            take_if_better(o->sum, next[d][k][d], &two);
            take_if_better(o->sum, next[d][k][6 + d], &three);
        }
        own[d] = one;
        own[6 + d] = two;
        own[12 + d] = three;
    }
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int a = bgr_rolls[roll].larger - 1, b = bgr_rolls[roll].smaller - 1;
        int after_a = a == b ? 12 + a : b;
        int32_t best = next[a][0][after_a];
        for (int k = 1; k < dice->n_results[a]; k++)
            take_if_better(o->sum, next[a][k][after_a], &best);
        for (int k = 0; a != b && k < dice->n_results[b]; k++)
            take_if_better(o->sum, next[b][k][a], &best);
        choice[roll] = best;
    }
    add_up(o->row, choice, o->row + (int64_t)value * WIDTH, o->sum + value);
}

static void solve_rank(void *of, int64_t rank)
{
    const solver *s = of;
    int8_t counts[BGR_MAX_POINTS];
    int64_t rising[BGR_MAX_POINTS], index = s->levels.index[rank];
    dice_results dice;
    bgr_position(s->space, index, counts);
    for (int d = 0; d < 6; d++) {
        int n = dice.n_results[d] = bgr_single_die(s->space, counts, index, d + 1, rising);
        for (int k = 0; k < n; k++)
            dice.result[d][k] = (int32_t)rising[n - 1 - k]; /* highest source first */
    }
    for (int k = 0; k < s->n_objectives; k++)
        if (index >= s->objectives[k].n_done)
            solve_position(s, &s->objectives[k], &dice, index, rank);
}

static bgr_status objective_new(const solver *s, objective *o, int64_t n_done, uint16_t *rows)
{
    o->n_done = n_done;
    o->row = rows;
    o->sum = malloc((size_t)(s->space->size - n_done + 1) * sizeof *o->sum);
    o->chains = malloc((size_t)(s->mask + 1) * sizeof *o->chains);
    if (!o->sum || !o->chains)
        return BGR_ERR_MEMORY;
    o->sum[0] = 0;
    memset(rows, 0, WIDTH * sizeof *rows);
    rows[0] = WHOLE;
    return BGR_OK;
}

static bgr_status prepare(solver *s, uint16_t *last, uint16_t *first)
{
    int64_t n = s->space->size;
    BGR_TRY(bgr_levels_new(s->space, NULL, n, &s->levels));
    if (!(s->rank_of = malloc((size_t)n * sizeof *s->rank_of)))
        return BGR_ERR_MEMORY;
    for (int64_t rank = 0; rank < n; rank++)
        s->rank_of[s->levels.index[rank]] = (int32_t)rank;
    s->mask = 1;
    for (int level = 0; level < s->levels.n_levels; level++) {
        int64_t lowest = s->levels.start[level > REACH ? level - REACH : 0];
        while (s->mask + 1 < s->levels.start[level + 1] - lowest)
            s->mask = 2 * s->mask + 1;
    }
    s->n_objectives = first ? 2 : 1;
    BGR_TRY(objective_new(s, &s->objectives[0], 1, last));
    return first ? objective_new(s, &s->objectives[1], s->space->term[0][BGR_MAX_CHECKERS], first) : BGR_OK;
}

bgr_status bgr_gnubg_one_sided(const bgr_space *space, int n_threads, bgr_progress progress, void *context,
                               uint16_t *last, uint16_t *first)
{
    enum { BETWEEN_TELLS = 1 << 13 }; /* positions: a tenth of a second at most */
    if (space->size > INT32_MAX)
        return BGR_ERR_SIZE;
    if (first && space->checkers != BGR_MAX_CHECKERS)
        return BGR_ERR_CHECKERS;
    solver s = {.space = space};
    bgr_status status = prepare(&s, last, first);
    bgr_parallel threads;
    const bgr_parallel *parallel = bgr_threads_begin(&threads, n_threads);
    for (int level = 1; status == BGR_OK && level < s.levels.n_levels; level++) {
        int64_t from = s.levels.start[level], end = s.levels.start[level + 1];
        for (int64_t past; status == BGR_OK && from < end; from = past) {
            past = from + BETWEEN_TELLS < end ? from + BETWEEN_TELLS : end;
            bgr_each(parallel, from, past, 64, solve_rank, &s);
            if (progress && progress(context, level, past, space->size))
                status = BGR_ERR_STOPPED;
        }
    }
    bgr_threads_end(&threads);
    for (int k = 0; k < s.n_objectives; k++)
        BGR_FREE(s.objectives[k].sum, s.objectives[k].chains);
    free(s.rank_of);
    bgr_levels_free(&s.levels);
    return status;
}
