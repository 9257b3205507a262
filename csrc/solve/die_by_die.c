/* One side's recursion over its rolls, found die by die.
 *
 * In a race every die can be played, so a roll of two numbers is one single step after the other, in either order; a
 * double is four steps.  With at least two checkers outside the order makes no difference, as nothing can be borne off
 * by either die.  So let, row by row of all numbers of rolls left,
 *
 *     once[x][d] = max of V[y] over the steps x -> y of die d,     twice[x][d] = max of once[y][d],
 *     thrice[x][d] = max of twice[y][d],      fourth[x][d] = max of thrice[y][d],
 *     both[x][a, b] = max of once[y][b] over the steps x -> y of die a, and the other way round.
 *
 * The mean of `both` and `fourth` gives V.  A step takes 1 to 6 pips, so states go up by pips, and only those of the
 * six levels below are ever looked at: seven levels of rows are all the memory that is needed.
 *
 * A state of a side is a place outside (outer.h) and a home position of its other checkers, with any number of
 * them once nobody is outside.  Home positions are those that no longer have more checkers from any point up than the
 * side began with; or, if nobody moves within the home board, those that only got more.
 *
 * With more checkers outside than are to be known, only pips are: a *lump* of all those states with as many pips.  A
 * step leads to another lump, or to the best of all states with fewer pips and as many checkers outside as are known,
 * for each row apart. */

#include "solve/die_by_die.h"

#include "base/memory.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROLLED_DICE = 6,
    N_PAIRS = 15,        /* rolls of two numbers */
    KEPT_LEVELS = 7,     /* of rows that are kept: of a level, and of those that steps from it lead to */
    ONCE = 0,            /* rows of a state: V, then `once` of die 1 .. 6, */
    TWICE = ROLLED_DICE, /* `twice`, */
    THRICE = 2 * ROLLED_DICE,
    STATE_ROWS = 3 * ROLLED_DICE + 1,
    MAX_HOME_PIPS = BGR_HOME_POINTS * BGR_MAX_CHECKERS
};

/* The home positions that go with each number of checkers outside, by pips. */
typedef struct {
    int32_t *index;
    int32_t start[MAX_HOME_PIPS + 2];
} home_set;

struct bgr_dice_home {
    int8_t start[BGR_MAX_POINTS];
    bgr_space space; /* of home positions */
    int32_t n_checkers, n_outside, pips, home_index;
    int inner;
    int8_t (*counts)[BGR_HOME_POINTS]; /* by index */
    home_set sets[BGR_MAX_CHECKERS + 1];
    int32_t *place[BGR_MAX_CHECKERS + 1]; /* by index, where it is among those of equal pips of a set; -1: nowhere */
    double n[BGR_MAX_CHECKERS + 1];       /* how many are in a set */
};

struct bgr_dice_side {
    const bgr_dice_home *home;
    bgr_outer *outer;
    int known;
    int least_lump; /* pips of a lump, at least; more than the side has if there is none */
    int64_t most_of_level;
};

/* Rows that are found for a state. */
typedef struct {
    float *own;
    float both[N_PAIRS * BGR_DICE_WIDTH];
    float fourth[ROLLED_DICE * BGR_DICE_WIDTH];
} state_rows;

static inline int roll_of_pair(int larger, int smaller) { return (larger - 1) * (larger - 2) / 2 + smaller - 1; }

/* ------------------------------------------------------------------ states */

static int may_be_home(const bgr_dice_home *home, int outside, const int *tails, const int8_t *counts)
{
    int on_board = outside;
    for (int j = BGR_HOME_POINTS - 1; j >= 0; j--) {
        on_board += counts[j];
        if (on_board > tails[j] || (outside && !home->inner && counts[j] < home->start[j]))
            return 0;
    }
    return !outside || on_board == home->n_checkers;
}

/* Two passes: how many there are of each number of pips, then which. */
static bgr_status list_home_set(bgr_dice_home *home, const int *tails, int outside)
{
    home_set *set = &home->sets[outside];
    int32_t *place = home->place[outside] = malloc((size_t)home->space.size * sizeof *place);
    int32_t end[MAX_HOME_PIPS + 2];
    if (!place)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < home->space.size; k++) {
        place[k] = may_be_home(home, outside, tails, home->counts[k]) - 1;
        if (place[k] == 0)
            set->start[bgr_pips(BGR_HOME_POINTS, home->counts[k]) + 1]++;
    }
    for (int pips = 0; pips <= MAX_HOME_PIPS; pips++)
        set->start[pips + 1] += set->start[pips];
    memcpy(end, set->start, sizeof end);
    home->n[outside] = set->start[MAX_HOME_PIPS + 1];
    set->index = malloc(((size_t)set->start[MAX_HOME_PIPS + 1] + 1) * sizeof *set->index);
    if (!set->index)
        return BGR_ERR_MEMORY;
    for (int32_t k = 0; k < home->space.size; k++)
        if (place[k] == 0) {
            int pips = bgr_pips(BGR_HOME_POINTS, home->counts[k]);
            place[k] = end[pips] - set->start[pips];
            set->index[end[pips]++] = k;
        }
    return BGR_OK;
}

static bgr_status list_home(bgr_dice_home *home)
{
    int tails[BGR_MAX_POINTS];
    int64_t home_index;
    bgr_suffix_sums(BGR_MAX_POINTS, home->start, tails);
    home->n_checkers = tails[0];
    home->n_outside = tails[BGR_HOME_POINTS];
    home->pips = bgr_pips(BGR_MAX_POINTS, home->start);
    bgr_status status = bgr_space_init(BGR_HOME_POINTS, tails[0], &home->space);
    if (status == BGR_OK)
        status = bgr_index(&home->space, home->start, &home_index);
    if (status == BGR_OK && !(home->counts = malloc((size_t)home->space.size * sizeof *home->counts)))
        status = BGR_ERR_MEMORY;
    if (status != BGR_OK)
        return status;
    home->home_index = (int32_t)home_index;
    for (int64_t k = 0; k < home->space.size; k++)
        bgr_position(&home->space, k, home->counts[k]);
    for (int outside = 0; outside <= home->n_outside && status == BGR_OK; outside++)
        status = list_home_set(home, tails, outside);
    return status;
}

bgr_status bgr_dice_home_new(const int8_t *counts, int inner, bgr_dice_home **home)
{
    *home = NULL;
    bgr_dice_home *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    memcpy(fresh->start, counts, BGR_MAX_POINTS);
    fresh->inner = inner;
    bgr_status status = list_home(fresh);
    BGR_HAND_OVER(status, fresh, home, bgr_dice_home_free);
}

void bgr_dice_home_free(bgr_dice_home *home)
{
    if (!home)
        return;
    for (int k = 0; k <= BGR_MAX_CHECKERS; k++) {
        free(home->sets[k].index);
        free(home->place[k]);
    }
    free(home->counts);
    free(home);
}

static int64_t n_with_pips(const bgr_dice_side *side, int32_t outer, int pips)
{
    int home_pips = pips - side->outer->pips[outer];
    const home_set *set = &side->home->sets[side->outer->checkers[outer]];
    return home_pips < 0 || home_pips > MAX_HOME_PIPS ? 0 : set->start[home_pips + 1] - set->start[home_pips];
}

bgr_status bgr_dice_side_new(const bgr_dice_home *home, bgr_outer_rule rule, double limit, bgr_dice_side **side,
                             double *n)
{
    *side = NULL;
    bgr_dice_side *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    fresh->home = home;
    fresh->known = rule.known;
    fresh->least_lump = home->n_outside > rule.known
                            ? (rule.known + 1) * BGR_HOME_POINTS + home->n_checkers /* all on the nearest points */
                            : home->pips + 1;
    bgr_status status = bgr_outer_new(home->start, rule, home->n, limit, n, &fresh->outer);
    for (int pips = 0; pips <= home->pips && status == BGR_OK; pips++) {
        int64_t n_level = 0;
        for (int32_t k = 0; k < fresh->outer->n; k++)
            n_level += n_with_pips(fresh, k, pips);
        if (n_level > fresh->most_of_level)
            fresh->most_of_level = n_level;
    }
    BGR_HAND_OVER(status, fresh, side, bgr_dice_side_free);
}

void bgr_dice_side_free(bgr_dice_side *side)
{
    if (!side)
        return;
    bgr_outer_free(side->outer);
    free(side);
}

double bgr_dice_bytes(const bgr_dice_side *side, int width)
{
    return KEPT_LEVELS * ((double)side->most_of_level * STATE_ROWS * width * (double)sizeof(float) +
                          (double)side->outer->n * (double)sizeof(int64_t));
}

/* ------------------------------------------------------------------ rows */

typedef struct {
    const bgr_dice_side *side;
    const bgr_dice_race *race;
    size_t n_bytes;
    float
        *rows[KEPT_LEVELS]; /* of the states of each level, in order of their place outside, then their home position */
    float *lump[KEPT_LEVELS], *best[KEPT_LEVELS]; /* rows of a lump, and the best of the states that lumps lead to */
    int64_t *first[KEPT_LEVELS];                  /* of each place outside, its first state of the level */
    int64_t rise[BGR_HOME_POINTS][BGR_MAX_CHECKERS + 1]; /* of the index, with one more checker from a point up */
} dice_work;

static inline void take_greater(float *restrict to, const float *restrict from, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* Add the step of a die to `result`. */
static inline void take_step(state_rows *rows, const float *result, int die, int either_order, int width)
{
    take_greater(rows->own + (ptrdiff_t)(ONCE + die) * width, result, width);
    take_greater(rows->own + (ptrdiff_t)(TWICE + die) * width, result + (ptrdiff_t)(ONCE + die) * width, width);
    take_greater(rows->own + (ptrdiff_t)(THRICE + die) * width, result + (ptrdiff_t)(TWICE + die) * width, width);
    take_greater(rows->fourth + (ptrdiff_t)(die - 1) * width, result + (ptrdiff_t)(THRICE + die) * width, width);
    for (int other = 1; other < die; other++)
        take_greater(rows->both + (ptrdiff_t)roll_of_pair(die, other) * width,
                     result + (ptrdiff_t)(ONCE + other) * width, width);
    for (int other = die + 1; either_order && other <= ROLLED_DICE; other++)
        take_greater(rows->both + (ptrdiff_t)roll_of_pair(other, die) * width,
                     result + (ptrdiff_t)(ONCE + other) * width, width);
}

static inline const float *state_row(const dice_work *w, int32_t outer, int32_t home, int pips)
{
    const bgr_dice_side *side = w->side;
    int64_t place = w->first[pips % KEPT_LEVELS][outer] + side->home->place[side->outer->checkers[outer]][home];
    return w->rows[pips % KEPT_LEVELS] + (size_t)place * STATE_ROWS * (size_t)w->race->width;
}

/* Steps of a die from home position `home` to others; shift: what the index gains, summed up to each point, by one more
 * checker on that point, drop: the same by one less. */
static inline void take_home_steps(const dice_work *w, int32_t outer, int32_t home, int pips, int die,
                                   const int64_t *drop, state_rows *rows, int width)
{
    const int8_t *counts = w->side->home->counts[home];
    int outside = w->side->outer->checkers[outer], either_order = outside < 2;
    if (!outside || w->side->home->inner)
        for (int point = die + 1; point <= BGR_HOME_POINTS; point++)
            if (counts[point - 1])
                take_step(rows, state_row(w, outer, home + (int32_t)(drop[point] - drop[point - die]), pips - die), die,
                          either_order, width);
    if (outside)
        return;
    int highest = BGR_HOME_POINTS;
    while (!counts[highest - 1])
        highest--;
    int from = die < highest ? die : highest;
    if (counts[from - 1])
        take_step(rows, state_row(w, outer, home + (int32_t)drop[from], pips - from), die, 1, width);
}

static inline void take_outer_steps(const dice_work *w, int32_t outer, int32_t home, int pips, int die,
                                    const int64_t *rise, state_rows *rows, int width)
{
    const bgr_outer *o = w->side->outer;
    const int64_t *start = o->start + (int64_t)outer * ROLLED_DICE + die - 1;
    for (int64_t k = start[0]; k < start[1]; k++) {
        int32_t to = o->step[k] / 8, entered = o->step[k] % 8;
        int32_t after = home + (int32_t)rise[entered];
        if (w->side->home->place[o->checkers[to]][after] >= 0) /* if not, no real position has come to this place */
            take_step(rows, state_row(w, to, after, pips - die), die, o->checkers[outer] < 2, width);
    }
}

static inline void take_mean(const dice_work *w, int full, state_rows *rows, int width)
{
    const bgr_dice_race *race = w->race;
    const double rounded = race->up ? 1 + 0x1p-23 : 1 - 0x1p-23, *stage = race->stage[full];
    rows->own[0] = (float)(stage[0] * rounded);
    for (int i = 1; i < width; i++) {
        double sum = 0;
        for (int k = 0; k < N_PAIRS; k++)
            sum += (double)rows->both[k * width + i - 1];
        sum *= 2;
        for (int k = 0; k < ROLLED_DICE; k++)
            sum += (double)rows->fourth[k * width + i - 1];
        rows->own[i] = (float)((sum / 36 + stage[i]) * rounded);
    }
}

static inline void clear_rows(state_rows *rows, float *own, int width)
{
    rows->own = own;
    memset(own, 0, STATE_ROWS * (size_t)width * sizeof *own);
    memset(rows->both, 0, N_PAIRS * (size_t)width * sizeof *own);
    memset(rows->fourth, 0, ROLLED_DICE * (size_t)width * sizeof *own);
}

static inline void solve_state(const dice_work *w, int32_t outer, int32_t home, int pips, float *own, int width)
{
    const int8_t *counts = w->side->home->counts[home];
    int outside = w->side->outer->checkers[outer], on_board = outside;
    int64_t rise[BGR_HOME_POINTS + 1], drop[BGR_HOME_POINTS + 1];
    int t[BGR_HOME_POINTS];
    state_rows rows;
    bgr_suffix_sums(BGR_HOME_POINTS, counts, t);
    rise[0] = drop[0] = 0;
    for (int j = 0; j < BGR_HOME_POINTS; j++) {
        rise[j + 1] = rise[j] + (t[j] < BGR_MAX_CHECKERS ? w->rise[j][t[j]] : 0);
        drop[j + 1] = drop[j] - (t[j] ? w->rise[j][t[j] - 1] : 0);
    }
    on_board += t[0];
    clear_rows(&rows, own, width);
    for (int die = 1; die <= ROLLED_DICE; die++) {
        take_home_steps(w, outer, home, pips, die, drop, &rows, width);
        if (outside)
            take_outer_steps(w, outer, home, pips, die, rise, &rows, width);
    }
    take_mean(w, on_board == BGR_MAX_CHECKERS, &rows, width);
}

/* A width that the compiler knows makes loops of a few instructions. */
static void solve_state_of_width(const dice_work *w, int32_t outer, int32_t home, int pips, float *own)
{
    switch (w->race->width) {
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
        solve_state(w, outer, home, pips, own, w->race->width);
    }
}

/* Whether no checker is off. */
static int has_all(const bgr_dice_side *side, int32_t outer, int32_t home)
{
    int n = side->outer->checkers[outer];
    for (int j = 0; j < BGR_HOME_POINTS; j++)
        n += side->home->counts[home][j];
    return n == side->home->n_checkers;
}

static void solve_lump(const dice_work *w, int pips)
{
    const bgr_dice_side *side = w->side;
    int width = w->race->width;
    state_rows rows;
    clear_rows(&rows, w->lump[pips % KEPT_LEVELS], width);
    for (int die = 1; die <= ROLLED_DICE && pips >= side->least_lump; die++) {
        take_step(&rows, w->best[(pips - die) % KEPT_LEVELS], die, 1, width);
        take_step(&rows, w->lump[(pips - die) % KEPT_LEVELS], die, 1, width);
    }
    if (pips >= side->least_lump)
        take_mean(w, side->home->n_checkers == BGR_MAX_CHECKERS, &rows, width);
}

static void solve_level(dice_work *w, int pips)
{
    const bgr_dice_side *side = w->side;
    int64_t n = 0, *first = w->first[pips % KEPT_LEVELS];
    float *rows = w->rows[pips % KEPT_LEVELS];
    size_t length = STATE_ROWS * (size_t)w->race->width;
    int lumps = side->least_lump <= side->home->pips;
    memset(w->best[pips % KEPT_LEVELS], 0, length * sizeof(float));
    for (int32_t outer = 0; outer < side->outer->n; outer++) {
        int64_t n_here = n_with_pips(side, outer, pips);
        const home_set *set = &side->home->sets[side->outer->checkers[outer]];
        first[outer] = n;
        for (int64_t k = 0; k < n_here; k++) {
            int32_t home = set->index[set->start[pips - side->outer->pips[outer]] + k];
            float *own = rows + (size_t)(n + k) * length;
            solve_state_of_width(w, outer, home, pips, own);
            if (lumps && side->outer->checkers[outer] == side->known && has_all(side, outer, home))
                take_greater(w->best[pips % KEPT_LEVELS], own, (int)length);
        }
        n += n_here;
    }
    if (lumps)
        solve_lump(w, pips);
}

/* The empty board: no die is needed any more. */
static void set_dice_finished(dice_work *w)
{
    const bgr_dice_side *side = w->side;
    for (int32_t outer = 0; outer < side->outer->n; outer++)
        w->first[0][outer] = 0;
    for (int row = 0; row < STATE_ROWS; row++)
        for (int i = 0; i < w->race->width; i++) {
            const double rounded = w->race->up ? 1 + 0x1p-23 : 1 - 0x1p-23;
            w->rows[0][row * w->race->width + i] = (float)(w->race->finished[i] * rounded);
        }
}

static void place_rows(dice_work *w, float *rows, int64_t *first)
{
    const bgr_dice_side *side = w->side;
    size_t length = STATE_ROWS * (size_t)w->race->width;
    for (int k = 0; k < KEPT_LEVELS; k++) {
        w->rows[k] = rows;
        w->lump[k] = rows + (size_t)side->most_of_level * length;
        w->best[k] = w->lump[k] + length;
        rows = w->best[k] + length;
        w->first[k] = first + (ptrdiff_t)k * side->outer->n;
    }
    for (int j = 0; j < BGR_HOME_POINTS; j++)
        for (int t = 0; t < side->home->n_checkers; t++)
            w->rise[j][t] = side->home->space.term[j][t + 1] - side->home->space.term[j][t];
}

bgr_status bgr_dice_solve(const bgr_dice_side *side, const bgr_dice_race *race, double *values)
{
    dice_work w = {.side = side, .race = race};
    size_t n_bytes = KEPT_LEVELS * (size_t)(side->most_of_level + 2) * STATE_ROWS * (size_t)race->width * sizeof(float);
    void *rows = bgr_reserve(n_bytes, BGR_LARGE_PAGES);
    int64_t *first = malloc(KEPT_LEVELS * (size_t)side->outer->n * sizeof *first);
    if (rows && first) {
        place_rows(&w, rows, first);
        set_dice_finished(&w);
        for (int pips = 1; pips <= side->home->pips; pips++)
            solve_level(&w, pips);
        const float *last = side->least_lump <= side->home->pips
                                ? w.lump[side->home->pips % KEPT_LEVELS]
                                : state_row(&w, 0, side->home->home_index, side->home->pips);
        for (int i = 0; i < race->width; i++)
            values[i] = (double)last[i];
    }
    bgr_unreserve(rows, n_bytes);
    free(first);
    return rows && first ? BGR_OK : BGR_ERR_MEMORY;
}
