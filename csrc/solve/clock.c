/* Bounds from clocks.
 *
 * Let C[k] be the greatest chance of side B to be off within k rolls, each k by a way to play of its own.  Side A plays
 * by its own position and the number of rolls alone.  Then its rolls tell B nothing that helps: whatever B does, given
 * all rolls of A, B is off within k rolls with a chance of C[k] at most.  The payoff of A falls as B is off sooner, so
 * A gets at least the payoff against a B that is off after roll k with a chance of C[k] - C[k-1].  The greatest such
 * payoff is found backward from the last roll, for all positions of A and all numbers of rolls:
 *
 *     V[x][i] = stage[x][i] + mean over the rolls of max over the results y of V[y][i - 1],    V[off][i] = finished[i]
 *
 * with i rolls left.  The clock itself is the same recursion without stages, all of V[off] being 1.
 *
 * Where a side can come to too many positions, its clock is that of a side which is at least as fast, and V that of
 * some of its legal plays. */

#include "solve/clock.h"

#include <math.h>
#include <string.h>

enum { N_APART = 6, ANY_CHECKERS = BGR_MAX_CHECKERS };

static const bgr_outer_rule exact_rule = {BGR_MAX_POINTS, ANY_CHECKERS, BGR_MAX_POINTS, 0, 1};
static const int apart_above[N_APART] = {18, 15, 12, 10, 8, BGR_HOME_POINTS};
static const bgr_outer_rule rules_below[] = {{BGR_MAX_POINTS, ANY_CHECKERS, BGR_MAX_POINTS, 0, 1},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 3, 0, 1},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 2, 0, 1},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 1, 0, 1},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 2, 1, 0},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 1, 1, 0}};

/* Rolls after which a side is off with a chance of some .9999: a roll is 49/6 pips, give or take 4.3, and some 8 pips
 * are wasted. */
static int rolls_of(const int8_t *counts)
{
    int pips = 0, checkers = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++) {
        pips += (j + 1) * counts[j];
        checkers += counts[j];
    }
    double mean = fmax((pips + 8) / 8.17, checkers / 2.0);
    return (int)fmin(ceil(mean + 4 * 0.53 * sqrt(mean)), BGR_CLOCK_ROLLS);
}

int bgr_clock_width(const int8_t *counts, const int8_t *other)
{
    int rolls = rolls_of(counts), other_rolls = rolls_of(other) + 1;
    return ((rolls < other_rolls ? rolls : other_rolls) + 1 + 7) / 8 * 8;
}

static bgr_status use_rule(const bgr_dice_home *home, bgr_outer_rule rule, double states, double bytes, int width,
                           bgr_dice_side **side, double *n)
{
    bgr_status status = bgr_dice_side_new(home, rule, states, side, n);
    if (status == BGR_OK && bgr_dice_bytes(*side, width) > bytes) {
        bgr_dice_side_free(*side);
        *side = NULL;
        status = BGR_ERR_SIZE;
    }
    return status;
}

static bgr_status find_above(bgr_clock_side *side, int outside, double states, double bytes)
{
    bgr_status status = BGR_ERR_SIZE;
    for (int k = 0; k < N_APART && status == BGR_ERR_SIZE; k++) {
        const bgr_outer_rule rule = {apart_above[k], ANY_CHECKERS, BGR_MAX_POINTS, 0, 1};
        status = use_rule(side->home_above, rule, states, bytes, side->width, &side->above, &side->n_above);
    }
    for (int known = outside - 1; known >= 0 && status == BGR_ERR_SIZE; known--) {
        const bgr_outer_rule rule = {BGR_HOME_POINTS, known, BGR_MAX_POINTS, 0, 1};
        status = use_rule(side->home_above, rule, known ? states : INFINITY, known ? bytes : INFINITY, side->width,
                          &side->above, &side->n_above);
    }
    return status;
}

static bgr_status find_below(bgr_clock_side *side, const int8_t *counts, double states, double bytes)
{
    enum { N_BELOW = sizeof rules_below / sizeof *rules_below };
    bgr_status status = bgr_dice_home_new(counts, 0, &side->home_below);
    if (status == BGR_OK)
        status = BGR_ERR_SIZE;
    for (int k = 0; k < N_BELOW && status == BGR_ERR_SIZE; k++) {
        int last = k == N_BELOW - 1;
        status = use_rule(side->home_below, rules_below[k], last ? INFINITY : states, last ? INFINITY : bytes,
                          side->width, &side->below, &side->n_below);
    }
    return status;
}

bgr_status bgr_clock_side_init(const int8_t *counts, int width, double states, double bytes, bgr_clock_side *side)
{
    int outside = 0;
    for (int j = BGR_HOME_POINTS; j < BGR_MAX_POINTS; j++)
        outside += counts[j];
    memset(side, 0, sizeof *side);
    side->width = width;
    bgr_status status = bgr_dice_home_new(counts, 1, &side->home_above);
    if (status != BGR_OK)
        return status;
    status = use_rule(side->home_above, exact_rule, outside ? states : INFINITY, outside ? bytes : INFINITY, width,
                      &side->above, &side->n_above);
    side->exact = status == BGR_OK;
    if (side->exact) {
        side->below = side->above;
        side->n_below = side->n_above;
    } else if (status == BGR_ERR_SIZE) {
        status = find_above(side, outside, states, bytes);
        if (status == BGR_OK)
            status = find_below(side, counts, states, bytes);
    }
    return status;
}

void bgr_clock_side_free(bgr_clock_side *side)
{
    if (!side->exact)
        bgr_dice_side_free(side->below);
    bgr_dice_side_free(side->above);
    bgr_dice_home_free(side->home_above);
    bgr_dice_home_free(side->home_below);
    memset(side, 0, sizeof *side);
}

bgr_status bgr_clock_fastest(const bgr_clock_side *side, bgr_clock clock)
{
    bgr_dice_race race = {.width = side->width, .up = 1};
    for (int i = 0; i < BGR_CLOCK_WIDTH; i++)
        race.finished[i] = clock[i] = 1;
    bgr_status status = bgr_dice_solve(side->above, &race, clock);
    for (int i = 0; i < BGR_CLOCK_WIDTH; i++)
        clock[i] = fmin(clock[i], 1);
    return status;
}

/* The chance that the other side is off when this one has had `turn` rolls and it is the other one's turn. */
static double clock_at(const bgr_clock clock, int turn) { return turn < 0 ? 0 : clock[turn]; }

bgr_status bgr_clock_value(const bgr_clock_side *side, const bgr_clock clock, int clock_first,
                           const bgr_clock_payoff *payoff, double *value)
{
    double values[BGR_DICE_WIDTH], least = fmin(payoff->lost, payoff->lost_gammon);
    bgr_dice_race race = {.width = side->width};
    for (int i = 0; i < race.width; i++) {
        int turn = race.width - 1 - i;
        double before = clock_at(clock, turn + clock_first - 1);
        double after = i ? clock_at(clock, turn + clock_first) : 1; /* then the rest is lost */
        race.finished[i] = (1 - before) * (payoff->won - least);
        race.stage[0][i] = (after - before) * (payoff->lost - least);
        race.stage[1][i] = (after - before) * (payoff->lost_gammon - least);
    }
    bgr_status status = bgr_dice_solve(side->below, &race, values);
    *value = status == BGR_OK ? least + values[race.width - 1] : 0;
    return status;
}
