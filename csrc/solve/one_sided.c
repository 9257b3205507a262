/* One player alone: least mean number of rolls, and the distribution that goes with it.
 *
 * The best result of a roll is found in two steps of one die.  For a die d let B_d(K) be the best position that d can
 * make of K; then the best result of a roll a, b is the better of
 *     B_b(R) over the results R of playing a,   and   B_a(R) over the results R of playing b,
 * and of a double the fourfold chain of B_a.  So each position costs a few look-ups for each of its single-die results
 * instead of a list of all plays.  Every play lowers the pips: positions with equal pips (a level) don't depend on
 * each other, and go to the threads. */

#include "solve/one_sided.h"

#include "base/levels.h"
#include "base/plays.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

enum { LEVEL_PIECE = 64 }; /* positions */

static inline int better(const double *mean, int32_t a, int32_t b)
{
    double difference = mean[a] - mean[b];
    return difference < -BGR_TIE || (difference <= BGR_TIE && a < b);
}

/* BGR_OK if the arguments make sense. */
static bgr_status check_space(const bgr_space *space, int stop)
{
    if (space->size > INT32_MAX)
        return BGR_ERR_SIZE;
    return stop < 1 || stop > space->checkers ? BGR_ERR_CHECKERS : BGR_OK;
}

/* Positions with fewer checkers come first: those with fewer than `stop` are the indices below this. */
static int64_t n_finished(const bgr_space *space, int stop) { return space->term[0][stop]; }

/* The best of what a chain makes of n results, or `chosen` if none of it is better. */
static inline int32_t best_after(const double *mean, const int32_t *chains, const int64_t *results, int n, int chain,
                                 int32_t chosen)
{
    for (int k = 0; k < n; k++) {
        int32_t r = chains[results[k] * BGR_N_CHAINS + chain];
        if (better(mean, r, chosen))
            chosen = r;
    }
    return chosen;
}

/* Fill chain[] and best[] of one position, and its mean and longest. */
static void solve_position(const bgr_space *space, int32_t index, int32_t *chains, double *mean, int32_t *best,
                           uint8_t *longest)
{
    int8_t counts[BGR_MAX_POINTS];
    int64_t results[6][BGR_MAX_POINTS];
    int n_results[6];
    int32_t *chain = chains + (int64_t)index * BGR_N_CHAINS, *choice = best + (int64_t)index * BGR_N_ROLLS;
    bgr_position(space, index, counts);
    for (int d = 0; d < 6; d++) {
        n_results[d] = bgr_single_die(space, counts, index, d + 1, results[d]);
        int32_t one = (int32_t)results[d][0], two = chains[one * (int64_t)BGR_N_CHAINS + BGR_ONE_DIE + d],
                three = chains[one * (int64_t)BGR_N_CHAINS + BGR_TWO_DICE + d];
        for (int k = 1; k < n_results[d]; k++) {
            int32_t r = (int32_t)results[d][k];
            const int32_t *next = chains + (int64_t)r * BGR_N_CHAINS + d;
            if (better(mean, r, one))
                one = r;
            if (better(mean, next[BGR_ONE_DIE], two))
                two = next[BGR_ONE_DIE];
            if (better(mean, next[BGR_TWO_DICE], three))
                three = next[BGR_TWO_DICE];
        }
        chain[BGR_ONE_DIE + d] = one;
        chain[BGR_TWO_DICE + d] = two;
        chain[BGR_THREE_DICE + d] = three;
    }
    double sum = 0;
    int most = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int a = bgr_rolls[roll].larger - 1, b = bgr_rolls[roll].smaller - 1;
        int then = a == b ? BGR_THREE_DICE + a : BGR_ONE_DIE + b;
        int32_t chosen = chains[results[a][0] * BGR_N_CHAINS + then];
        chosen = best_after(mean, chains, results[a] + 1, n_results[a] - 1, then, chosen);
        if (a != b)
            chosen = best_after(mean, chains, results[b], n_results[b], BGR_ONE_DIE + a, chosen);
        choice[roll] = chosen;
        sum += bgr_rolls[roll].weight * mean[chosen];
        if (longest[chosen] > most)
            most = longest[chosen];
    }
    mean[index] = 1 + sum / 36;
    longest[index] = (uint8_t)(most + 1);
}

typedef struct {
    const bgr_space *space;
    const int32_t *index; /* of the level's positions */
    int64_t finished;     /* indices below it are finished */
    int32_t *chains, *best;
    double *mean_rolls;
    uint8_t *longest;
} means_level;

static int solve_positions(void *of, int64_t first, int64_t past, int worker)
{
    const means_level *l = of;
    (void)worker;
    for (int64_t i = first; i < past; i++)
        if (l->index[i] >= l->finished)
            solve_position(l->space, l->index[i], l->chains, l->mean_rolls, l->best, l->longest);
    return 0;
}

bgr_status bgr_one_sided_chains(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                                uint8_t *longest, int32_t *chains)
{
    bgr_levels l;
    bgr_status status = check_space(space, stop);
    if (status != BGR_OK || (status = bgr_levels_new(space, NULL, space->size, &l)) != BGR_OK)
        return status;
    int64_t finished = n_finished(space, stop);
    for (int64_t index = 0; index < finished; index++) {
        mean_rolls[index] = 0;
        longest[index] = 0;
        for (int c = 0; c < BGR_N_CHAINS; c++)
            chains[index * BGR_N_CHAINS + c] = (int32_t)index;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            best[index * BGR_N_ROLLS + roll] = (int32_t)index;
    }
    bgr_team *team = bgr_team_new(n_threads);
    for (int k = 0; k < l.n_levels; k++) {
        means_level level = {space, l.index + l.start[k], finished, chains, best, mean_rolls, longest};
        bgr_team_run(team, l.start[k + 1] - l.start[k], LEVEL_PIECE, solve_positions, &level);
    }
    bgr_team_free(team);
    bgr_levels_free(&l);
    return BGR_OK;
}

bgr_status bgr_one_sided_means(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                               uint8_t *longest)
{
    bgr_status status = check_space(space, stop);
    if (status != BGR_OK)
        return status;
    int32_t *chains = malloc((size_t)space->size * BGR_N_CHAINS * sizeof *chains);
    if (!chains)
        return BGR_ERR_MEMORY;
    status = bgr_one_sided_chains(space, stop, n_threads, mean_rolls, best, longest, chains);
    free(chains);
    return status;
}

/* distribution[index][k] = (1/36) sum over rolls of weight * distribution[chosen][k - 1] */
static void add_up(int32_t index, const int32_t *best, const uint8_t *longest, int width, double *distribution,
                   double *variance)
{
    const int32_t *choice = best + (int64_t)index * BGR_N_ROLLS;
    double *row = distribution + (int64_t)index * width;
    int last = longest[index];
    for (int k = 0; k < width; k++)
        row[k] = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const double *next = distribution + (int64_t)choice[roll] * width;
        double weight = bgr_rolls[roll].weight;
        for (int k = 0; k < last; k++)
            row[k + 1] += weight * next[k];
    }
    double mean = 0, spread = 0;
    for (int k = 1; k <= last; k++) {
        row[k] /= 36;
        mean += k * row[k];
    }
    for (int k = 1; k <= last; k++)
        spread += (k - mean) * (k - mean) * row[k];
    variance[index] = spread;
}

typedef struct {
    const int32_t *index; /* of the level's positions */
    int64_t finished;
    const int32_t *best;
    const uint8_t *longest;
    int width;
    double *distribution, *variance_rolls;
} rows_level;

static int add_up_rows(void *of, int64_t first, int64_t past, int worker)
{
    const rows_level *l = of;
    (void)worker;
    for (int64_t i = first; i < past; i++)
        if (l->index[i] >= l->finished)
            add_up(l->index[i], l->best, l->longest, l->width, l->distribution, l->variance_rolls);
    return 0;
}

bgr_status bgr_one_sided_distributions(const bgr_space *space, int stop, int n_threads, const int32_t *best,
                                       const uint8_t *longest, int width, double *distribution, double *variance_rolls)
{
    bgr_levels l;
    bgr_status status = check_space(space, stop);
    if (status != BGR_OK)
        return status;
    for (int64_t i = 0; i < space->size; i++)
        if (longest[i] >= width)
            return BGR_ERR_SIZE;
    if ((status = bgr_levels_new(space, NULL, space->size, &l)) != BGR_OK)
        return status;
    int64_t finished = n_finished(space, stop);
    for (int64_t index = 0; index < finished; index++) {
        for (int c = 0; c < width; c++)
            distribution[index * width + c] = c == 0;
        variance_rolls[index] = 0;
    }
    bgr_team *team = bgr_team_new(n_threads);
    for (int k = 0; k < l.n_levels; k++) {
        rows_level level = {l.index + l.start[k], finished, best, longest, width, distribution, variance_rolls};
        bgr_team_run(team, l.start[k + 1] - l.start[k], LEVEL_PIECE, add_up_rows, &level);
    }
    bgr_team_free(team);
    bgr_levels_free(&l);
    return BGR_OK;
}
