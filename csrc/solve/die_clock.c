/* Find the greatest chances of one side to be off, die by die.
 *
 * With i rolls left, i = 0 .. width - 1,
 *
 *     V[x][i] = mean over the rolls of max over the results y of V[y][i - 1],    V[off][i] = 1,    V[x][0] = 0.
 *
 * With rows over all numbers of rolls left, let
 *
 *     once[x][d] = max of V[y] over the steps x -> y of die d,     twice[x][d] = max of once[y][d],
 *     thrice[x][d] = max of twice[y][d],      fourth[x][d] = max of thrice[y][d],
 *     both[x][a, b] = max of once[y][b] over the steps x -> y of die a, and the other way round.
 *
 * The mean of `both` and `fourth` gives V.  Only the six levels of pips below are read, so memory is needed for seven
 * levels of rows.
 *
 * Rows are short.  Fewer rolls than the first of a row, in which a side is hardly ever off, count as the first; beyond
 * the last, within which it is nearly always off, it counts as off.
 *
 * A step from a lump leads to another lump, or to the best of all states with fewer pips and `known` checkers outside,
 * for each element of a row by itself. */

#include "solve/die_by_die.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    KEPT_LEVELS = 7,        /* levels whose rows are kept: one, and those that a die leads to */
    ONCE = 0,               /* rows of a state: V, then `once` of die 1 .. 6, */
    TWICE = BGR_DICE_FACES, /* `twice`, */
    THRICE = 2 * BGR_DICE_FACES,
    STATE_ROWS = 3 * BGR_DICE_FACES + 1
};

static const double upward = 1 + 0x1p-23;

typedef struct {
    const bgr_dice_side *side;
    int width, first;
    int from[BGR_MAX_POINTS * BGR_MAX_CHECKERS + 1]; /* by pips: the number of rolls of a row's first element */
    float *rows[KEPT_LEVELS]; /* rows of the states of each level, by place outside, then by home position */
    float *lump[KEPT_LEVELS], *best[KEPT_LEVELS]; /* rows of the lump of each level, and of the best states that
                                                   * lumps lead to */
    float *off;                                   /* rows of the empty board */
    int64_t *start[KEPT_LEVELS];                  /* the first state of the level, by place outside */
} dice_work;

/* Rows of the state that is being solved. */
typedef struct {
    const dice_work *work;
    float *own;
    int either_order, width, pips;
    float both[BGR_DICE_PAIRS * BGR_DICE_WIDTH];
    float fourth[BGR_DICE_FACES * BGR_DICE_WIDTH];
} state_rows;

static inline void take_greater(float *restrict to, const float *restrict from, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* Take the maximum with the step of a die to `result`, rows of a state of `pips` pips. */
static inline void take_row(state_rows *rows, const float *result, int pips, int die, int either_order, int width)
{
    result += rows->work->from[rows->pips] - rows->work->from[pips]; /* elements read beyond a row are corrected by
                                                                      * close_rows */
    take_greater(rows->own + (ptrdiff_t)(ONCE + die) * width, result, width);
    take_greater(rows->own + (ptrdiff_t)(TWICE + die) * width, result + (ptrdiff_t)(ONCE + die) * width, width);
    take_greater(rows->own + (ptrdiff_t)(THRICE + die) * width, result + (ptrdiff_t)(TWICE + die) * width, width);
    take_greater(rows->fourth + (ptrdiff_t)(die - 1) * width, result + (ptrdiff_t)(THRICE + die) * width, width);
    for (int other = 1; other < die; other++)
        take_greater(rows->both + (ptrdiff_t)bgr_dice_pair(die, other) * width,
                     result + (ptrdiff_t)(ONCE + other) * width, width);
    for (int other = die + 1; either_order && other <= BGR_DICE_FACES; other++)
        take_greater(rows->both + (ptrdiff_t)bgr_dice_pair(other, die) * width,
                     result + (ptrdiff_t)(ONCE + other) * width, width);
}

static inline const float *state_row(const dice_work *w, int32_t outer, int32_t home, int pips)
{
    if (pips == 0 || (w->first && !bgr_dice_all_left(w->side, outer, home)))
        return w->off;
    int64_t place = w->start[pips % KEPT_LEVELS][outer] + bgr_dice_place(w->side, outer, home);
    return w->rows[pips % KEPT_LEVELS] + (size_t)place * STATE_ROWS * (size_t)w->width;
}

static inline void take_step(void *context, int die, int32_t outer, int32_t home, int pips)
{
    state_rows *rows = context;
    take_row(rows, state_row(rows->work, outer, home, pips), pips, die, rows->either_order, rows->width);
}

static inline void take_mean(state_rows *rows, int width)
{
    double sum[BGR_DICE_WIDTH] = {0};
    for (int k = 0; k < BGR_DICE_PAIRS; k++)
        for (int i = 0; i < width; i++)
            sum[i] += (double)rows->both[k * width + i];
    for (int i = 0; i < width; i++)
        sum[i] *= 2;
    for (int k = 0; k < BGR_DICE_FACES; k++)
        for (int i = 0; i < width; i++)
            sum[i] += (double)rows->fourth[k * width + i];
    rows->own[0] = rows->work->from[rows->pips] ? (float)(sum[0] * (upward / 36)) : 0;
    for (int i = 1; i < width; i++)
        rows->own[i] = (float)(sum[i - 1] * (upward / 36));
}

static inline void open_rows(state_rows *rows, const dice_work *w, int pips, float *own, int width)
{
    rows->work = w;
    rows->pips = pips;
    rows->width = width;
    rows->own = own;
    memset(own, 0, STATE_ROWS * (size_t)width * sizeof *own);
    memset(rows->both, 0, BGR_DICE_PAIRS * (size_t)width * sizeof *own);
    memset(rows->fourth, 0, BGR_DICE_FACES * (size_t)width * sizeof *own);
}

/* Set elements beyond the rows they were taken from to 1: off. */
static inline void close_rows(state_rows *rows, int width)
{
    int pips = rows->pips, least = pips > BGR_DICE_FACES ? pips - BGR_DICE_FACES : 0;
    take_mean(rows, width);
    for (int k = rows->work->from[pips] - rows->work->from[least]; k > 0; k--)
        for (int row = 0; row < STATE_ROWS; row++)
            rows->own[(row + 1) * width - k] = 1;
}

static inline void solve_state(const dice_work *w, int32_t outer, int32_t home, int pips, float *own, int width)
{
    state_rows rows;
    open_rows(&rows, w, pips, own, width);
    rows.either_order = w->side->outer->checkers[outer] < 2;
    bgr_dice_steps(w->side, outer, home, pips, take_step, &rows);
    close_rows(&rows, width);
}

static void solve_lump(const dice_work *w, int pips)
{
    const bgr_dice_side *side = w->side;
    state_rows rows;
    open_rows(&rows, w, pips, w->lump[pips % KEPT_LEVELS], w->width);
    if (pips < side->least_lump)
        return;
    for (int die = 1; die <= BGR_DICE_FACES; die++) {
        take_row(&rows, w->best[(pips - die) % KEPT_LEVELS], pips - die, die, 1, w->width);
        take_row(&rows, w->lump[(pips - die) % KEPT_LEVELS], pips - die, die, 1, w->width);
    }
    close_rows(&rows, w->width);
}

static bgr_status solve_level(dice_work *w, int pips)
{
    const bgr_dice_side *side = w->side;
    int64_t n = 0, *start = w->start[pips % KEPT_LEVELS];
    float *rows = w->rows[pips % KEPT_LEVELS];
    size_t length = STATE_ROWS * (size_t)w->width;
    int lumps = side->least_lump <= side->home->pips;
    memset(w->best[pips % KEPT_LEVELS], 0, length * sizeof(float));
    for (int32_t outer = 0; outer < side->outer->n; outer++) {
        int64_t n_here = bgr_dice_n(side, outer, pips);
        start[outer] = n;
        for (int64_t k = 0; k < n_here; k++) {
            int32_t home = bgr_dice_nth(side, outer, pips, k);
            int all_left = (w->first || lumps) && bgr_dice_all_left(side, outer, home);
            float *own = rows + (size_t)(n + k) * length;
            if (all_left || !w->first)
                BGR_AT_WIDTH(w->width, solve_state, w, outer, home, pips, own);
            if (all_left && lumps && side->outer->checkers[outer] == side->known)
                take_greater(w->best[pips % KEPT_LEVELS], own, (int)length);
        }
        n += n_here;
        if (bgr_is_stopped(side->home->listener, n_here))
            return BGR_ERR_STOPPED;
    }
    if (lumps)
        solve_lump(w, pips);
    return BGR_OK;
}

static void place_dice_rows(dice_work *w, float *rows, int64_t *start)
{
    const bgr_dice_side *side = w->side;
    size_t length = STATE_ROWS * (size_t)w->width;
    for (int k = 0; k < KEPT_LEVELS; k++) {
        w->rows[k] = rows;
        w->lump[k] = rows + (size_t)side->most_of_level * length;
        w->best[k] = w->lump[k] + length;
        rows = w->best[k] + length;
        w->start[k] = start + (ptrdiff_t)k * side->outer->n;
    }
    w->off = rows;
    for (size_t i = 0; i < length + BGR_DICE_FACES; i++)
        w->off[i] = 1;
}

/* A roll has 8.17 pips, with a standard deviation of 4.3, and 6 to 20 pips are wasted. */
static double rolls_of_pips(int pips) { return (pips + 6) / 8.17; }

/* The length of rows for rolls up to `width`. */
static int row_width(const bgr_dice_side *side, int first, int width)
{
    int enough = (int)ceil((3.8 * sqrt(rolls_of_pips(side->home->pips)) + 1.5) / 4) * 4;
    return !first && enough < width ? enough : width;
}

static void place_firsts(dice_work *w, int width)
{
    for (int pips = 0; pips <= w->side->home->pips && w->width < width; pips++) {
        double mean = rolls_of_pips(pips);
        w->from[pips] = (int)fmax(mean - 2.2 * sqrt(mean), 0);
    }
}

double bgr_die_clock_bytes(const bgr_dice_side *side, int width)
{
    return KEPT_LEVELS * ((double)side->most_of_level * STATE_ROWS * width * (double)sizeof(float) +
                          (double)side->outer->n * (double)sizeof(int64_t));
}

bgr_status bgr_die_clock(const bgr_dice_side *side, int first, int width, double *chances)
{
    dice_work w = {.side = side, .width = row_width(side, first, width), .first = first};
    size_t n_rows =
        STATE_ROWS * (size_t)w.width * (KEPT_LEVELS * (size_t)(side->most_of_level + 2) + 1) + BGR_DICE_FACES;
    void *rows = bgr_reserve(n_rows * sizeof(float), BGR_LARGE_PAGES);
    int64_t *start = malloc(KEPT_LEVELS * (size_t)side->outer->n * sizeof *start);
    bgr_status status = rows && start ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        place_firsts(&w, width);
        place_dice_rows(&w, rows, start);
        int pips = side->home->pips, from = w.from[pips];
        for (int level = 1; level <= pips && status == BGR_OK; level++)
            status = solve_level(&w, level);
        const float *last =
            side->least_lump <= pips ? w.lump[pips % KEPT_LEVELS] : state_row(&w, 0, side->home->home_index, pips);
        for (int i = 0; i < width && status == BGR_OK; i++)
            chances[i] = i >= from + w.width ? 1 : fmin((double)last[i > from ? i - from : 0], 1);
    }
    bgr_unreserve(rows, n_rows * sizeof(float));
    free(start);
    return status;
}
