/* The fastest that one side can be, found die by die.
 *
 * With i rolls left, i = 0 .. width - 1,
 *
 *     V[x][i] = mean over the rolls of max over the results y of V[y][i - 1],    V[off][i] = 1,    V[x][0] = 0.
 *
 * Row by row of all numbers of rolls left, let
 *
 *     once[x][d] = max of V[y] over the steps x -> y of die d,     twice[x][d] = max of once[y][d],
 *     thrice[x][d] = max of twice[y][d],      fourth[x][d] = max of thrice[y][d],
 *     both[x][a, b] = max of once[y][b] over the steps x -> y of die a, and the other way round.
 *
 * The mean of `both` and `fourth` gives V.  Only the six levels of pips below are ever looked at: seven levels of rows
 * are all the memory that is needed.
 *
 * A step from a lump leads to another lump, or to the best of all states with fewer pips and as many checkers outside
 * as are known, for each row apart. */

#include "solve/die_clock.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_LEVELS = 7,        /* of rows that are kept: of a level, and of those that steps from it lead to */
    ONCE = 0,               /* rows of a state: V, then `once` of die 1 .. 6, */
    TWICE = BGR_DICE_FACES, /* `twice`, */
    THRICE = 2 * BGR_DICE_FACES,
    STATE_ROWS = 3 * BGR_DICE_FACES + 1
};

static const double upward = 1 + 0x1p-23;

typedef struct {
    const bgr_dice_side *side;
    int width, first;
    float
        *rows[KEPT_LEVELS]; /* of the states of each level, in order of their place outside, then their home position */
    float *lump[KEPT_LEVELS], *best[KEPT_LEVELS]; /* rows of a lump, and the best of the states that lumps lead to */
    float *off;                                   /* rows of what is off */
    int64_t *start[KEPT_LEVELS];                  /* of each place outside, its first state of the level */
} dice_work;

/* Rows that are found for a state. */
typedef struct {
    const dice_work *work;
    float *own;
    int either_order, width;
    float both[BGR_DICE_PAIRS * BGR_DICE_WIDTH];
    float fourth[BGR_DICE_FACES * BGR_DICE_WIDTH];
} state_rows;

static inline void take_greater(float *restrict to, const float *restrict from, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* Add a step of a die to `result`. */
static inline void take_row(state_rows *rows, const float *result, int die, int either_order, int width)
{
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
    take_row(rows, state_row(rows->work, outer, home, pips), die, rows->either_order, rows->width);
}

static inline void take_mean(state_rows *rows, int width)
{
    rows->own[0] = 0;
    for (int i = 1; i < width; i++) {
        double sum = 0;
        for (int k = 0; k < BGR_DICE_PAIRS; k++)
            sum += (double)rows->both[k * width + i - 1];
        sum *= 2;
        for (int k = 0; k < BGR_DICE_FACES; k++)
            sum += (double)rows->fourth[k * width + i - 1];
        rows->own[i] = (float)(sum / 36 * upward);
    }
}

static inline void clear_rows(state_rows *rows, float *own, int width)
{
    rows->own = own;
    memset(own, 0, STATE_ROWS * (size_t)width * sizeof *own);
    memset(rows->both, 0, BGR_DICE_PAIRS * (size_t)width * sizeof *own);
    memset(rows->fourth, 0, BGR_DICE_FACES * (size_t)width * sizeof *own);
}

static inline void solve_state(const dice_work *w, int32_t outer, int32_t home, int pips, float *own, int width)
{
    state_rows rows;
    rows.work = w;
    rows.width = width;
    rows.either_order = w->side->outer->checkers[outer] < 2;
    clear_rows(&rows, own, width);
    bgr_dice_steps(w->side, outer, home, pips, take_step, &rows);
    take_mean(&rows, width);
}

/* A width that the compiler knows makes loops of a few instructions. */
static void solve_state_of_width(const dice_work *w, int32_t outer, int32_t home, int pips, float *own)
{
    switch (w->width) {
    case 8:
        solve_state(w, outer, home, pips, own, 8);
        break;
    case 16:
        solve_state(w, outer, home, pips, own, 16);
        break;
    case 24:
        solve_state(w, outer, home, pips, own, 24);
        break;
    case 32:
        solve_state(w, outer, home, pips, own, 32);
        break;
    default:
        solve_state(w, outer, home, pips, own, w->width);
    }
}

static void solve_lump(const dice_work *w, int pips)
{
    const bgr_dice_side *side = w->side;
    state_rows rows;
    clear_rows(&rows, w->lump[pips % KEPT_LEVELS], w->width);
    for (int die = 1; die <= BGR_DICE_FACES && pips >= side->least_lump; die++) {
        take_row(&rows, w->best[(pips - die) % KEPT_LEVELS], die, 1, w->width);
        take_row(&rows, w->lump[(pips - die) % KEPT_LEVELS], die, 1, w->width);
    }
    if (pips >= side->least_lump)
        take_mean(&rows, w->width);
}

static void solve_level(dice_work *w, int pips)
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
                solve_state_of_width(w, outer, home, pips, own);
            if (all_left && lumps && side->outer->checkers[outer] == side->known)
                take_greater(w->best[pips % KEPT_LEVELS], own, (int)length);
        }
        n += n_here;
    }
    if (lumps)
        solve_lump(w, pips);
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
    for (size_t i = 0; i < length; i++)
        w->off[i] = 1;
}

double bgr_die_clock_bytes(const bgr_dice_side *side, int width)
{
    return KEPT_LEVELS * ((double)side->most_of_level * STATE_ROWS * width * (double)sizeof(float) +
                          (double)side->outer->n * (double)sizeof(int64_t));
}

bgr_status bgr_die_clock(const bgr_dice_side *side, int first, int width, double *chances)
{
    dice_work w = {.side = side, .width = width, .first = first};
    size_t n_rows = STATE_ROWS * (size_t)width * (KEPT_LEVELS * (size_t)(side->most_of_level + 2) + 1);
    void *rows = bgr_reserve(n_rows * sizeof(float), BGR_LARGE_PAGES);
    int64_t *start = malloc(KEPT_LEVELS * (size_t)side->outer->n * sizeof *start);
    if (rows && start) {
        place_dice_rows(&w, rows, start);
        for (int pips = 1; pips <= side->home->pips; pips++)
            solve_level(&w, pips);
        const float *last = side->least_lump <= side->home->pips
                                ? w.lump[side->home->pips % KEPT_LEVELS]
                                : state_row(&w, 0, side->home->home_index, side->home->pips);
        for (int i = 0; i < width; i++)
            chances[i] = last[i] < 1 ? (double)last[i] : 1;
    }
    bgr_unreserve(rows, n_rows * sizeof(float));
    free(start);
    return rows && start ? BGR_OK : BGR_ERR_MEMORY;
}
