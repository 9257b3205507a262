/* Bounds from clocks.
 *
 * Let C[k] be the greatest chance of side B to be off within k rolls, each k by a way to play of its own.  Side A plays
 * by its own position alone.  Then knowing A's rolls does not help B: however B plays, given all rolls of A, B is off
 * within k rolls with a chance of at most C[k].  So if A is off within k rolls with a chance of F[k], it is off before
 * B with a chance of at least
 *
 *     sum over k of (F[k] - F[k - 1]) (1 - C[the rolls that B has had])
 *
 * and the same holds for A's or B's first checker instead of the last one.
 *
 * If a side can reach too many positions, its clock is that of a side that is at least as fast, and its own play is
 * restricted to some of the legal plays. */

#include "solve/clock.h"

#include "base/elementary.h"
#include "base/try.h"
#include "base/tuning.h"
#include "solve/graph.h"

#include <math.h>
#include <string.h>

enum { N_APART = 6, ANY_CHECKERS = BGR_MAX_CHECKERS };

static const int apart_above[N_APART] = {BGR_HOME_POINTS, 8, 10, 12, 15, 18};
static const bgr_outer_rule rules_below[] = {{BGR_MAX_POINTS, ANY_CHECKERS, BGR_MAX_POINTS, 0},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 3, 0},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 2, 0},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 1, 0},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 2, 1},
                                             {BGR_MAX_POINTS, ANY_CHECKERS, 1, 1}};

/* The number of rolls within which a side is off with a chance of some .9999: a roll has 49/6 pips, with a standard
 * deviation of 4.3, and some 8 pips are wasted. */
static int rolls_of(const int8_t *counts)
{
    int pips = bgr_pips(BGR_MAX_POINTS, counts), checkers = bgr_n_checkers(BGR_MAX_POINTS, counts);
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
    if (status == BGR_OK && bgr_die_clock_bytes(*side, width) > bytes) {
        bgr_dice_side_free(*side);
        *side = NULL;
        status = BGR_ERR_SIZE;
    }
    return status;
}

/* Distinguish all places, if the side can reach no more than `states` positions. */
static bgr_status use_exact(const bgr_dice_home *home, double n, double states, double bytes, int width,
                            bgr_dice_side **side, double *n_states)
{
    return n > states ? BGR_ERR_SIZE : use_rule(home, rules_below[0], states, bytes, width, side, n_states);
}

/* Use the finest rule that fits; try the coarsest first, since a rule that does not fit takes longest. */
static bgr_status find_above(const bgr_dice_home *home, bgr_clock_side *side, double states, double bytes)
{
    for (int k = 0; k < home->n_outside + N_APART; k++) {
        int lumps = k < home->n_outside;
        const bgr_outer_rule rule = {apart_above[lumps ? 0 : k - home->n_outside], lumps ? k : ANY_CHECKERS,
                                     BGR_MAX_POINTS, 0};
        bgr_dice_side *finer;
        double n;
        bgr_status status = use_rule(home, rule, k ? states : INFINITY, k ? bytes : INFINITY, side->width, &finer, &n);
        if (status != BGR_OK)
            return status == BGR_ERR_SIZE && k ? BGR_OK : status;
        bgr_dice_side_free(side->above);
        side->above = finer;
        side->n_above = n;
    }
    return BGR_OK;
}

static bgr_status find_below(bgr_dice_home *homes[2], bgr_clock_side *side, double states, double bytes)
{
    enum { N_BELOW = sizeof rules_below / sizeof *rules_below };
    bgr_status status = BGR_ERR_SIZE;
    BGR_TRY(homes[1] ? BGR_OK : bgr_dice_home_new(homes[0]->start, 0, homes[0]->listener, &homes[1]));
    for (int k = 0; k < N_BELOW && status == BGR_ERR_SIZE; k++) {
        int last = k == N_BELOW - 1;
        status = use_rule(homes[1], rules_below[k], last ? INFINITY : states, last ? INFINITY : bytes, side->width,
                          &side->below, &side->n_below);
    }
    return status;
}

/* Share states out: the side with fewer states is exact if that takes no more than most of them, and the other side
 * gets the rest; else each gets half. */
static void share_states(bgr_dice_home *homes[2][2], const double n[2], double all, double shares[2])
{
    int smaller = n[1] < n[0];
    double home[2] = {homes[0][0]->n[0], homes[1][0]->n[0]};
    all = fmax(all, fmin(tuned_for_both * (home[0] + home[1]), tuned_in_excess * all));
    shares[smaller] = n[smaller] <= tuned_most_of_both * all ? n[smaller] : all / 2;
    shares[!smaller] = all - shares[smaller];
    for (int side = 0; side < 2; side++)
        shares[side] = homes[side][0]->n_outside ? fmax(shares[side], tuned_little_more * home[side]) : INFINITY;
}

bgr_status bgr_clock_sides_init(const int8_t (*counts)[BGR_MAX_POINTS], const bgr_clock_limits *limits,
                                bgr_listener *listener, bgr_dice_home *homes[2][2], bgr_clock_side sides[2])
{
    double n[2], above[2], below[2];
    memset(sides, 0, 2 * sizeof *sides);
    for (int side = 0; side < 2; side++) {
        sides[side].width = limits->width;
        BGR_TRY(bgr_count_reachable(BGR_MAX_POINTS, counts[side], &n[side]));
        BGR_TRY(homes[side][0] ? BGR_OK : bgr_dice_home_new(counts[side], 1, listener, &homes[side][0]));
    }
    share_states(homes, n, limits->above, above);
    share_states(homes, n, limits->below, below);
    for (int k = 0; k < 2; k++) {
        bgr_clock_side *side = &sides[k];
        double room = homes[k][0]->n_outside ? limits->bytes : INFINITY;
        bgr_status status = use_exact(homes[k][0], n[k], above[k], room, limits->width, &side->above, &side->n_above);
        BGR_TRY(status == BGR_ERR_SIZE ? find_above(homes[k][0], side, above[k], room) : status);
        status = use_exact(homes[k][0], n[k], below[k], room, limits->width, &side->below, &side->n_below);
        BGR_TRY(status == BGR_ERR_SIZE ? find_below(homes[k], side, below[k], room) : status);
    }
    return BGR_OK;
}

void bgr_clock_side_free(bgr_clock_side *side)
{
    bgr_dice_side_free(side->below);
    bgr_dice_side_free(side->above);
    memset(side, 0, sizeof *side);
}

bgr_status bgr_clock_fastest(const bgr_clock_side *side, int first, double *chances)
{
    for (int i = 0; i < BGR_DICE_WIDTH; i++)
        chances[i] = 1;
    bgr_status status = bgr_die_clock(side->above, first, side->width, chances);
    for (int i = 1; i < BGR_DICE_WIDTH; i++)
        chances[i] = fmax(chances[i], chances[i - 1]); /* rounding may have put them out of order */
    return status;
}

/* The chance that the other side has finished when this side has had `turn` rolls. */
static double clock_after(const double *chances, int turn, int clock_first)
{
    int had = turn - 1 + clock_first;
    return had < 0 ? 0 : had > BGR_CLOCK_ROLLS ? 1 : chances[had];
}

/* The chance to finish first. */
static double chance_of_law(const double *law, const double *clock, int clock_first)
{
    double chance = law[BGR_CLOCK_ROLLS] * (1 - clock_after(clock, BGR_CLOCK_ROLLS, clock_first));
    for (int turn = 1; turn < BGR_CLOCK_ROLLS; turn++)
        chance += law[turn] * (clock_after(clock, turn + 1, clock_first) - clock_after(clock, turn, clock_first));
    return chance;
}

bgr_sure_chances bgr_clock_sure(const bgr_dice_law *law, const bgr_clock *clock, int clock_first, int all_left)
{
    return (bgr_sure_chances){all_left ? chance_of_law(law->first, clock->off, clock_first) : 1,
                              chance_of_law(law->off, clock->off, clock_first),
                              chance_of_law(law->off, clock->first, clock_first)};
}

double bgr_clock_growth(const double *law, const double *chances, int clock_first)
{
    double weights = 0, sum = 0;
    for (int turn = 1; turn < BGR_CLOCK_ROLLS - 1; turn++) {
        double now = clock_after(chances, turn + 1, clock_first) - clock_after(chances, turn, clock_first);
        double next = clock_after(chances, turn + 2, clock_first) - clock_after(chances, turn + 1, clock_first);
        double weight = (law[turn] - law[turn - 1]) * (now + next);
        if (now < tuned_tiny_chance || next < tuned_tiny_chance || weight <= 0)
            continue;
        weights += weight;
        sum += weight * bgr_log(next / now);
    }
    return weights > 0 ? fmin(fmax(bgr_exp(sum / weights), tuned_least_growth), tuned_most_growth) : 1;
}
