/* Find the chances of one side to be off with plays by a score, die by die.
 *
 * Each state has a score, and of the results of a roll the one with the best score is played.  So, as in die_clock.c
 * but with single results,
 *
 *     once[x][d] = the best y of the steps x -> y of die d,     twice[x][d] = the best of once[y][d], and so on,
 *
 * and the chances of x are the mean of those of its results, a roll later. */

#include "solve/die_by_die.h"

#include "base/memory.h"

#include <string.h>

enum {
    KEPT_STEPS = 7,                     /* kept levels of `once` to `thrice`, */
    KEPT_ROWS = 4 * BGR_DICE_FACES + 1, /* and of rows, which four steps can reach */
    ROW_HEAD = 8                        /* elements of a row before its chances; the score is the first */
};

/* The best results of one to three steps of each die. */
typedef struct {
    const float *once[BGR_DICE_FACES], *twice[BGR_DICE_FACES], *thrice[BGR_DICE_FACES];
} best_steps;

typedef struct {
    const bgr_dice_side *side;
    bgr_dice_aim aim;
    int width, with_first;
    size_t length; /* of a row */
    float *rows[KEPT_ROWS];
    best_steps *steps[KEPT_STEPS];
    best_steps off, none; /* steps from the empty board, and those of a state before any is found */
    float no_row[ROW_HEAD + 2 * BGR_DICE_WIDTH];
    int64_t *start[KEPT_ROWS];
    double weight[BGR_DICE_WIDTH], all_weight; /* weight of each number of rolls in the score */
} plays_work;

/* The plays of a state. */
typedef struct {
    const plays_work *work;
    best_steps *own;
    int either_order;
    const float *both[BGR_DICE_PAIRS], *fourth[BGR_DICE_FACES];
} state_plays;

static inline void take_best_step(const float **to, const float *from)
{
    if (from[0] > (*to)[0])
        *to = from;
}

static inline int64_t place_of_play(const plays_work *w, int32_t outer, int32_t home, int pips)
{
    return w->start[pips % KEPT_ROWS][outer] + bgr_dice_place(w->side, outer, home);
}

static inline void take_play(void *context, int die, int32_t outer, int32_t home, int pips)
{
    state_plays *plays = context;
    const plays_work *w = plays->work;
    int64_t place = pips ? place_of_play(w, outer, home, pips) : 0;
    const best_steps *next = pips ? w->steps[pips % KEPT_STEPS] + place : &w->off;
    int k = die - 1;
    take_best_step(&plays->own->once[k], w->rows[pips % KEPT_ROWS] + (size_t)place * w->length);
    take_best_step(&plays->own->twice[k], next->once[k]);
    take_best_step(&plays->own->thrice[k], next->twice[k]);
    take_best_step(&plays->fourth[k], next->thrice[k]);
    for (int other = 1; other < die; other++)
        take_best_step(&plays->both[bgr_dice_pair(die, other)], next->once[other - 1]);
    for (int other = die + 1; plays->either_order && other <= BGR_DICE_FACES; other++)
        take_best_step(&plays->both[bgr_dice_pair(other, die)], next->once[other - 1]);
}

/* Average one half of a row from those of its results; returns its part of the score. */
static inline double mean_play(const state_plays *plays, float *row, size_t at, int width)
{
    const double rounded = (1 - 0x1p-23) / 36, *weight = plays->work->weight;
    double sum[BGR_DICE_WIDTH] = {0}, score = 0;
    row += at;
    for (int k = 0; k < BGR_DICE_PAIRS; k++)
        for (int i = 0; i < width; i++)
            sum[i] += (double)plays->both[k][at + (size_t)i];
    for (int i = 0; i < width; i++)
        sum[i] *= 2;
    for (int k = 0; k < BGR_DICE_FACES; k++)
        for (int i = 0; i < width; i++)
            sum[i] += (double)plays->fourth[k][at + (size_t)i];
    row[0] = 0;
    for (int i = 1; i < width; i++) {
        row[i] = (float)(sum[i - 1] * rounded);
        score += weight[i] * (double)row[i];
    }
    return score;
}

static inline void play_state(const plays_work *w, int32_t outer, int32_t home, int pips, best_steps *steps, float *row,
                              int width)
{
    state_plays plays = {.work = w, .own = steps, .either_order = w->side->outer->checkers[outer] < 2};
    for (int k = 0; k < BGR_DICE_PAIRS; k++)
        plays.both[k] = w->no_row;
    for (int k = 0; k < BGR_DICE_FACES; k++)
        plays.fourth[k] = w->no_row;
    *steps = w->none;
    bgr_dice_steps(w->side, outer, home, pips, take_play, &plays);
    double score = mean_play(&plays, row, ROW_HEAD, width);
    size_t first = ROW_HEAD + (size_t)width;
    if (w->with_first && bgr_dice_all_left(w->side, outer, home))
        score += w->aim.first * mean_play(&plays, row, first, width);
    else if (w->with_first) {
        for (int i = 0; i < width; i++)
            row[first + (size_t)i] = 1;
        score += w->aim.first * w->all_weight;
    }
    row[0] = (float)score;
}

static bgr_status play_level(const plays_work *w, int pips)
{
    int64_t n = 0;
    for (int32_t outer = 0; outer < w->side->outer->n; outer++) {
        int64_t n_here = bgr_dice_n(w->side, outer, pips);
        w->start[pips % KEPT_ROWS][outer] = n;
        for (int64_t k = 0; k < n_here; k++, n++)
            BGR_AT_WIDTH(w->width, play_state, w, outer, bgr_dice_nth(w->side, outer, pips, k), pips,
                         w->steps[pips % KEPT_STEPS] + n, w->rows[pips % KEPT_ROWS] + (size_t)n * w->length);
        if (bgr_is_stopped(w->side->home->listener, n_here))
            return BGR_ERR_STOPPED;
    }
    return BGR_OK;
}

/* On an empty board dice need not be played.  Unreachable states may have no play for a roll; it scores -1. */
static void set_play_ends(plays_work *w)
{
    float *row = w->rows[0];
    for (size_t i = ROW_HEAD; i < w->length; i++)
        row[i] = 1;
    row[0] = (float)((1 + w->aim.first) * w->all_weight);
    for (int k = 0; k < BGR_DICE_FACES; k++)
        w->off.once[k] = w->off.twice[k] = w->off.thrice[k] = row;
    w->no_row[0] = -1;
    for (int k = 0; k < BGR_DICE_FACES; k++)
        w->none.once[k] = w->none.twice[k] = w->none.thrice[k] = w->no_row;
}

static void set_play_weights(plays_work *w)
{
    double weight = 1;
    for (int i = 0; i < w->width; i++, weight *= w->aim.growth) {
        w->weight[i] = weight;
        w->all_weight += weight;
    }
}

bgr_status bgr_die_plays(const bgr_dice_side *side, bgr_dice_aim aim, int with_first, int width, bgr_dice_law *law)
{
    plays_work w = {.side = side, .aim = aim, .width = width, .with_first = with_first};
    w.length = ROW_HEAD + (size_t)width * (with_first ? 2 : 1);
    size_t most = (size_t)side->most_of_level + 1, level = most * w.length * sizeof(float);
    size_t n_bytes = KEPT_ROWS * level + KEPT_STEPS * most * sizeof(best_steps);
    char *room = bgr_reserve(n_bytes, BGR_LARGE_PAGES);
    int64_t *start = malloc(KEPT_ROWS * (size_t)side->outer->n * sizeof *start);
    memset(law, 0, sizeof *law);
    bgr_status status = room && start ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        for (int k = 0; k < KEPT_ROWS; k++) {
            w.rows[k] = (float *)(room + (size_t)k * level);
            w.start[k] = start + (ptrdiff_t)k * side->outer->n;
        }
        for (int k = 0; k < KEPT_STEPS; k++)
            w.steps[k] = (best_steps *)(room + KEPT_ROWS * level) + (size_t)k * most;
        set_play_weights(&w);
        set_play_ends(&w);
        for (int pips = 1; pips <= side->home->pips && status == BGR_OK; pips++)
            status = play_level(&w, pips);
        const float *row = w.rows[side->home->pips % KEPT_ROWS] +
                           (size_t)place_of_play(&w, 0, side->home->home_index, side->home->pips) * w.length;
        for (int i = 0; i < BGR_DICE_WIDTH && status == BGR_OK; i++) {
            int k = i < width ? i : width - 1;
            law->off[i] = (double)row[ROW_HEAD + k];
            law->first[i] = with_first ? (double)row[ROW_HEAD + width + k] : 0;
        }
    }
    bgr_unreserve(room, n_bytes);
    free(start);
    return status;
}
