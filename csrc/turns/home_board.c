/* The home board solved for one side, and the coefficients of the estimates outside. */

#include "turns/home_board.h"

#include "base/memory.h"
#include "base/try.h"
#include "solve/one_sided.h"

#include <math.h>
#include <string.h>

static void number_points(bgr_home_board *h)
{
    for (int three = 0; three < 4096; three++) {
        const int count[3] = {three >> 8, three >> 4 & 15, three & 15};
        int all = count[0] + count[1] + count[2];
        for (int j = 0, t = all; all <= BGR_MAX_CHECKERS && j < 3; t -= count[j++]) {
            h->upper[three] += (int32_t)h->space.term[3 + j][t];
            h->lower[three] += (int32_t)h->space.term[j][t];
        }
    }
}

/* A play lowers the index, so results come before the positions that lead to them. */
static void fill_variances(bgr_home_board *h)
{
    for (int64_t i = 1; i < h->space.size; i++) {
        double sum = 0;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int32_t next = h->best[i * BGR_N_ROLLS + roll];
            double off = h->mean[next] + 1 - h->mean[i];
            sum += bgr_rolls[roll].weight * (h->variance[next] + off * off);
        }
        h->variance[i] = sum / 36;
    }
}

/* Fill in the chances to be off, if the best results are always played.  longest: from this number of rolls on, the
 * chance of a position is 1. */
static void fill_home_chances(bgr_home_board *h, const uint8_t *longest)
{
    enum { AT_ONCE = 8 }; /* in registers */
    memset(h->chances, 0, (size_t)h->space.size * sizeof *h->chances);
    for (int64_t i = 0; i < h->space.size; i++) {
        float *chances = h->chances[i];
        for (int first = 0; first < longest[i] && first < BGR_HOME_ROLLS; first += AT_ONCE) {
            float sum[AT_ONCE] = {0};
            for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
                const float *after = h->chances[h->best[i * BGR_N_ROLLS + roll]] + first;
                for (int k = 0; k < AT_ONCE; k++)
                    sum[k] += bgr_rolls[roll].weight * after[k];
            }
            for (int k = 0; k < AT_ONCE && first + k + 1 < BGR_HOME_ROLLS; k++)
                chances[first + k + 1] = sum[k] / 36;
        }
        for (int n = longest[i]; n < BGR_HOME_ROLLS; n++)
            chances[n] = 1;
    }
}

static void fill_positions(bgr_home_board *h)
{
    for (int64_t i = 0; i < h->space.size; i++) {
        int8_t counts[BGR_MAX_POINTS] = {0};
        bgr_position(&h->space, i, counts);
        h->packed[i] = bgr_packed_of(counts);
    }
}

/* Read a digit to the base 90: a character from '#' to '~' other than '?' and the backslash. */
static int next_digit(const char **text)
{
    int c = *(*text)++;
    return c - '#' - (c > '?') - (c > '\\');
}

/* Read the terms of all estimates.  First digit 0: a run of zeros, whose length is the second digit; 1 .. 76: a number,
 * folded (0, 1, -1, 2, ... are 0, 1, 2, 3, ...); up to 86: a larger one, in two digits, and beyond that in three. */
static void read_terms(bgr_terms terms[BGR_N_ESTIMATES])
{
    int16_t *to = (int16_t *)terms;
    for (int k = 0; k < (int)(sizeof bgr_estimate_text / sizeof *bgr_estimate_text); k++)
        for (const char *text = bgr_estimate_text[k]; *text;) {
            int first = next_digit(&text), folded = first - 1;
            if (first == 0)
                for (int zeros = next_digit(&text); zeros; zeros--)
                    *to++ = 0;
            if (first == 0)
                continue;
            if (first > 76)
                folded = (first - 77) * 90 + next_digit(&text) + 76;
            if (first > 86)
                folded = 10 * 90 + 76 + ((first - 87) * 90 + (folded - 76) % 90) * 90 + next_digit(&text);
            *to++ = (int16_t)(folded % 2 ? (folded + 1) / 2 : -folded / 2);
        }
}

static void fill_worth(const bgr_terms *estimate, double of_pip, bgr_worth *to)
{
    for (int j = 0; j < BGR_MAX_POINTS; j++) {
        const int16_t *change = estimate->changes[j];
        int pairs[BGR_MAX_CHECKERS + 1][BGR_MAX_CHECKERS + 1];
        for (int t = 0; t <= BGR_MAX_CHECKERS; t++)
            for (int u = 0; u <= t; u++) {
                pairs[t][u] = *change++ + (t ? pairs[t - 1][u ? u - 1 : 0] : 0);
                to->pairs[j][t][u] = (float)(t * of_pip + pairs[t][u] * BGR_ESTIMATE_STEP);
            }
    }
    for (int pips = 0; pips <= BGR_ESTIMATE_MAX_PIPS; pips++) {
        int knot = pips < BGR_ESTIMATE_MAX_PIPS ? pips / BGR_ESTIMATE_PIPS : BGR_ESTIMATE_KNOTS - 2;
        double after = (pips - knot * BGR_ESTIMATE_PIPS) / (double)BGR_ESTIMATE_PIPS;
        for (int j = 0; j < BGR_ESTIMATE_POINTS; j++)
            for (int n = 0; n <= BGR_MAX_CHECKERS; n++) {
                double levels[2];
                for (int k = 0; k < 2; k++)
                    levels[k] =
                        (1 - after) * estimate->levels[k][knot][n][j] + after * estimate->levels[k][knot + 1][n][j];
                to->levels[pips].sums[j][n] = (float)(levels[0] * BGR_ESTIMATE_STEP);
                to->levels[pips].counts[j][n] = (float)(levels[1] * BGR_ESTIMATE_STEP);
            }
    }
}

enum { MAX_ROLL_PIPS = 24 };

/* Find the pips that each number of rolls exceeds with a chance below tuned_no_hope. */
static void fill_pips_of_hope(bgr_home_board *h)
{
    double chance[TUNED_TURNS_OF_HOPE * MAX_ROLL_PIPS + 1] = {1};
    for (int turn = 1; turn <= TUNED_TURNS_OF_HOPE; turn++) {
        double beyond = 0;
        int pips = turn * MAX_ROLL_PIPS;
        for (int n = pips; n >= 0; n--) { /* in place, from the greatest sum down */
            double sum = 0;
            for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
                int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
                int before = n - bgr_roll_pips(larger, smaller);
                sum += before >= 0 && before <= pips - MAX_ROLL_PIPS ? bgr_rolls[roll].weight * chance[before] : 0;
            }
            chance[n] = sum / 36;
        }
        while (pips && (beyond += chance[pips]) < tuned_no_hope)
            pips--;
        h->pips_of_hope[turn] = pips;
    }
}

bgr_status bgr_home_board_new(bgr_home_board **home)
{
    *home = NULL;
    bgr_home_board *h = calloc(1, sizeof *h);
    if (!h)
        return BGR_ERR_MEMORY;
    (void)bgr_space_init(BGR_HOME_POINTS, BGR_MAX_CHECKERS, &h->space);
    size_t n = (size_t)h->space.size;
    uint8_t *longest = malloc(n);
    bgr_terms *terms = malloc(BGR_N_ESTIMATES * sizeof *terms);
    h->mean = malloc(n * sizeof *h->mean);
    h->variance = calloc(n, sizeof *h->variance);
    h->first = malloc(n * sizeof *h->first);
    h->best = bgr_malloc_large(n * BGR_N_ROLLS * sizeof *h->best);
    h->chains = bgr_malloc_large(n * BGR_N_CHAINS * sizeof *h->chains);
    h->packed = malloc(n * sizeof *h->packed);
    h->chances = bgr_malloc_large(n * sizeof *h->chances);
    int has_room =
        longest && terms && h->mean && h->variance && h->first && h->best && h->chains && h->packed && h->chances;
    const bgr_one_sided first = {&h->space, BGR_MAX_CHECKERS, 1, .mean_rolls = h->first};
    bgr_one_sided all = {&h->space, 1, 1, .mean_rolls = h->mean, .best = h->best, .longest = longest};
    all.chains = h->chains;
    bgr_status status = has_room ? bgr_one_sided_means(&first) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_one_sided_means(&all);
    if (status == BGR_OK) {
        number_points(h);
        fill_variances(h);
        fill_positions(h);
        fill_home_chances(h, longest);
        fill_pips_of_hope(h);
        /* The variance of the pips of a throw is 665/36. */
        const double of_pip = 665 / 36.0 / (BGR_MEAN_PIPS * BGR_MEAN_PIPS * BGR_MEAN_PIPS);
        read_terms(terms);
        fill_worth(&terms[BGR_ESTIMATE_LAST], 1 / BGR_MEAN_PIPS, &h->last_worth);
        fill_worth(&terms[BGR_ESTIMATE_FIRST], 1 / BGR_MEAN_PIPS, &h->first_worth);
        fill_worth(&terms[BGR_ESTIMATE_VARIANCE], of_pip, &h->variance_worth);
        for (int point = BGR_HOME_POINTS + 1; point <= BGR_MAX_POINTS; point++) {
            double pips = point - BGR_HOME_POINTS;
            h->to_bring_home[point] = tuned_to_save[1] + tuned_to_save[2] * pips + tuned_to_save[3] * sqrt(pips);
        }
    }
    BGR_FREE(longest, terms);
    BGR_HAND_OVER(status, h, home, bgr_home_board_free);
}

void bgr_home_board_free(bgr_home_board *home)
{
    if (!home)
        return;
    BGR_FREE(home->mean, home->variance, home->first, home->best, home->chains, home->packed, home->chances, home);
}
