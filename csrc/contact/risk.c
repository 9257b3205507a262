/* The least chance ever to be hit in a bearoff against men behind.
 *
 * A roll is played die by die.  For each position, place and die the least chance after one to four such dice is kept,
 * infinite if that many cannot be played.  Then a roll of two different dice combines the results of either die with
 * one of the other, a double is the fourth entry, and the rule to play as many dice as possible needs no code of its
 * own. */

#include "contact/risk.h"

#include "base/plays.h"
#include "base/position.h"

#include <math.h>
#include <stdlib.h>

enum { N_DICE = 6, MAX_REPEATS = 4 };

/* least[n - 1][die - 1] after n dice of one kind. */
typedef struct {
    double least[MAX_REPEATS][N_DICE];
} repeats;

/* Data about men on one place, by the index of the other side's position. */
typedef struct table {
    int place, men;
    const struct table *bar; /* the table of a man on the bar, after a hit; NULL: the men block their point */
    double *to_hit, *to_bear_off;
    repeats *after;
} table;

/* One result of one die. */
typedef struct {
    const table *against;
    int64_t index;
} result;

typedef struct {
    result results[N_DICE][BGR_HOME_POINTS];
    int n[N_DICE];
} steps;

static void find_steps(const bgr_space *space, const table *against, const int8_t *counts, int64_t index, steps *ways)
{
    int highest = bgr_highest(BGR_HOME_POINTS, counts);
    for (int die = 1; die <= N_DICE; die++) {
        int64_t indices[BGR_HOME_POINTS];
        bgr_single_die(space, counts, index, die, indices);
        int n = 0, k = 0;
        for (int source = die < highest ? die : highest; source <= highest; source++) {
            if (!counts[source - 1])
                continue;
            int meets = against->place != BGR_BAR && source - die == against->place;
            if (!meets || against->bar)
                ways->results[die - 1][n++] = (result){meets ? against->bar : against, indices[k]};
            k++;
        }
        ways->n[die - 1] = n;
    }
}

/* The least chance after a first die, given by its steps, and then n dice of one kind; infinite if that cannot be
 * played. */
static double least_after(const steps *from, int first, int die, int n)
{
    double least = INFINITY;
    for (int k = 0; k < from->n[first - 1]; k++) {
        const result *to = &from->results[first - 1][k];
        double risk = n ? to->against->after[to->index].least[n - 1][die - 1] : to->against->to_hit[to->index];
        if (risk < least)
            least = risk;
    }
    return least;
}

/* The least chance after a roll; infinite if nothing can be played. */
static double least_of_roll(const steps *from, const repeats *after, int roll)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    if (larger != smaller) {
        double both = fmin(least_after(from, larger, smaller, 1), least_after(from, smaller, larger, 1));
        if (both < INFINITY)
            return both;
        double one = after->least[0][larger - 1];
        return one < INFINITY ? one : after->least[0][smaller - 1];
    }
    for (int n = MAX_REPEATS; n > 1; n--)
        if (after->least[n - 1][larger - 1] < INFINITY)
            return after->least[n - 1][larger - 1];
    return after->least[0][larger - 1];
}

/* The chance of being hit, before a roll of the side that bears off, summed over the rolls that can be played.  stuck
 * [out]: the chance of the other rolls. */
static double risk_of_rolls(const steps *from, const repeats *after, double *stuck)
{
    double sum = 0;
    int n_stuck = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        double risk = least_of_roll(from, after, roll);
        if (risk < INFINITY)
            sum += bgr_rolls[roll].weight * risk;
        else
            n_stuck += bgr_rolls[roll].weight;
    }
    *stuck = n_stuck / 36.0;
    return sum / 36;
}

/* Solve for men that wait.  If a roll cannot be played, the same position comes again, so both values are solved
 * together; a six can always be played, so `stuck` is less than 1. */
static void wait_for_hit(table *men, const int8_t *counts, int64_t index, double played, double stuck)
{
    double shot = bgr_shots(counts, men->place, men->men) / 36.0;
    men->to_hit[index] = (shot + (1 - shot) * played) / (1 - (1 - shot) * stuck);
    men->to_bear_off[index] = played + stuck * men->to_hit[index];
}

/* The chance of a hit if the man moves to where it is greatest; all values with the other side on roll are known. */
static double run_for_hit(const table *places, const int8_t *counts, int64_t index, int place)
{
    double sum = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        double most = bgr_roll_hits(counts, place, 1, roll);
        unsigned after = most > 0 ? 0 : bgr_places_after(counts, place, roll);
        for (int to = 0; to < BGR_N_PLACES; to++)
            if (after >> to & 1 && places[to].to_bear_off[index] > most)
                most = places[to].to_bear_off[index];
        sum += bgr_rolls[roll].weight * most;
    }
    return sum / 36;
}

static void solve_contact_position(const bgr_space *space, table *tables, int n_tables, bgr_behind behind,
                                   int64_t index)
{
    int8_t counts[BGR_HOME_POINTS];
    steps ways[BGR_N_PLACES];
    (void)bgr_position(space, index, counts);
    for (int t = 0; t < n_tables; t++) {
        table *men = &tables[t];
        if (men->place != BGR_BAR && counts[men->place - 1]) {
            men->to_hit[index] = men->to_bear_off[index] = NAN;
            continue;
        }
        repeats *after = &men->after[index];
        find_steps(space, men, counts, index, &ways[t]);
        for (int die = 1; die <= N_DICE; die++)
            for (int n = 0; n < MAX_REPEATS; n++)
                after->least[n][die - 1] = least_after(&ways[t], die, die, n);
        double stuck, played = risk_of_rolls(&ways[t], after, &stuck);
        if (behind == BGR_WAITS)
            wait_for_hit(men, counts, index, played, stuck);
        else
            men->to_bear_off[index] = played;
    }
    for (int t = 0; t < n_tables && behind == BGR_RUNS; t++)
        if (!isnan(tables[t].to_bear_off[index]))
            tables[t].to_hit[index] = run_for_hit(tables, counts, index, tables[t].place);
}

/* Solve all positions of tables whose members are set, except working memory. */
static bgr_status solve_contact(const bgr_space *space, table *tables, int n_tables, bgr_behind behind)
{
    /* Zeros: on an empty board nothing can be hit, with any number of dice left. */
    repeats *memory = calloc((size_t)n_tables * (size_t)space->size, sizeof *memory);
    if (!memory)
        return BGR_ERR_MEMORY;
    for (int t = 0; t < n_tables; t++) {
        tables[t].after = memory + t * space->size;
        tables[t].to_hit[0] = tables[t].to_bear_off[0] = 0;
    }
    for (int64_t index = 1; index < space->size; index++)
        solve_contact_position(space, tables, n_tables, behind, index);
    free(memory);
    return BGR_OK;
}

bgr_status bgr_risk_of_one(const bgr_space *space, bgr_behind behind, double *to_hit, double *to_bear_off)
{
    table tables[BGR_N_PLACES];
    for (int place = BGR_BAR; place < BGR_N_PLACES; place++)
        tables[place] =
            (table){place, 1, &tables[BGR_BAR], to_hit + place * space->size, to_bear_off + place * space->size, NULL};
    return solve_contact(space, tables, BGR_N_PLACES, behind);
}

bgr_status bgr_risk_of_two(const bgr_space *space, int place, double *to_hit, double *to_bear_off)
{
    table men = {place, 2, NULL, to_hit, to_bear_off, NULL};
    return solve_contact(space, &men, 1, BGR_WAITS);
}
