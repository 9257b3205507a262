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
#include "base/path.h"
#include "base/position.h"
#include "base/threads.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

enum { LEVEL_PIECE = 32 }; /* positions */

/* BGR_OK if the arguments make sense. */
static bgr_status check_space(const bgr_space *space, int stop)
{
    if (space->size > INT32_MAX)
        return BGR_ERR_SIZE;
    return stop < 1 || stop > space->checkers ? BGR_ERR_CHECKERS : BGR_OK;
}

/* Positions with fewer checkers come first: those with fewer than `stop` are the indices below this. */
static int64_t n_finished(const bgr_space *space, int stop) { return space->term[0][stop]; }

/* The results of bgr_single_die, of all dice at once: t is lowered on the points that the checker leaves behind. */
static inline void find_all(const bgr_space *space, const int8_t *counts, int32_t index, const int *t, dice_results *d)
{
    int32_t
        before[BGR_MAX_POINTS + 1]; /* by how much the index falls when t is lowered on the points before this one */
    int sources[BGR_MAX_POINTS], n = 0, k = 0;
    before[0] = 0;
    for (int j = 0; j < space->points; j++) {
        before[j + 1] = before[j] + (t[j] ? (int32_t)(space->term[j][t[j]] - space->term[j][t[j] - 1]) : 0);
        sources[n] = j;
        n += counts[j] > 0;
    }
    int highest = sources[n - 1], home = highest < BGR_HOME_POINTS;
    for (int die = 1; die <= 6; die++) {
        /* A die that is larger than every point bears off from the highest. */
        int lowest = !home ? die : die - 1 < highest ? die - 1 : highest;
        while (sources[k] < lowest)
            k++;
        d->n_results[die - 1] = n - k;
        for (int i = k; i < n; i++) {
            int source = sources[i], left = source - die + 1;
            d->result[die - 1][i - k] = index - (before[source + 1] - before[left > 0 ? left : 0]);
        }
    }
}

/* Fill chain[] and best[] of one position, and its mean and longest. */
static void solve_position(const bgr_space *space, int stop, int32_t index, int32_t *chains, double *mean,
                           int32_t *best, uint8_t *longest)
{
    int8_t counts[BGR_MAX_POINTS];
    int t[BGR_MAX_POINTS];
    dice_results dice;
    play_choices chosen;
    bgr_position(space, index, counts);
    bgr_suffix_sums(space->points, counts, t);
    find_all(space, counts, index, t, &dice);
    /* With two checkers as far away as a die, neither this one nor a smaller one leaves it larger than every point;
     * with two outside, neither die brings all home.  Where the first checker off is the end, the second die is not
     * played. */
    int any_order = space->points < 6 ? space->points : 6;
    while (any_order && t[any_order - 1] < 2)
        any_order--;
    int outside = space->points > BGR_HOME_POINTS ? t[BGR_HOME_POINTS] : 0;
    if (outside == 1 || (outside == 0 && t[0] == stop))
        any_order = 0;
    choose_best(mean, chains, &dice, any_order, chains + (int64_t)index * BGR_N_CHAINS, &chosen);
    memcpy(best + (int64_t)index * BGR_N_ROLLS, chosen.place, sizeof chosen.place);
    double sum = 0;
    int most = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        sum += bgr_rolls[roll].weight * chosen.mean[roll];
        if (longest[chosen.place[roll]] > most)
            most = longest[chosen.place[roll]];
    }
    mean[index] = 1 + sum / 36;
    longest[index] = (uint8_t)(most + 1);
}

/* Do what is to be done with all positions, level by level. */
static bgr_status run_levels(const bgr_levels *l, int n_threads, bgr_piece body, void *work, bgr_progress progress,
                             void *context)
{
    bgr_threads threads;
    const bgr_parallel *parallel = bgr_threads_begin(&threads, n_threads);
    bgr_status status = BGR_OK;
    for (int k = 0; k < l->n_levels && status == BGR_OK; k++)
        if (progress && progress(context, k, l->start[k], l->start[l->n_levels]))
            status = BGR_ERR_STOPPED;
        else
            bgr_loop(parallel, l->start[k], l->start[k + 1], LEVEL_PIECE, body, work);
    bgr_threads_end(&threads);
    return status;
}

typedef struct {
    const bgr_space *space;
    int stop;
    const int32_t *index; /* by rank */
    int64_t finished;     /* indices below it are finished */
    int32_t *chains, *best;
    double *mean_rolls;
    uint8_t *longest;
} means_work;

static int solve_positions(void *of, int64_t first, int64_t past, int worker)
{
    const means_work *l = of;
    (void)worker;
    for (int64_t i = first; i < past; i++)
        if (l->index[i] >= l->finished)
            solve_position(l->space, l->stop, l->index[i], l->chains, l->mean_rolls, l->best, l->longest);
    return 0;
}

bgr_status bgr_one_sided_chains(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                                uint8_t *longest, int32_t *chains, bgr_progress progress, void *context)
{
    bgr_levels l;
    BGR_TRY(check_space(space, stop));
    BGR_TRY(bgr_levels_new(space, NULL, space->size, &l));
    int64_t finished = n_finished(space, stop);
    for (int64_t index = 0; index < finished; index++) {
        mean_rolls[index] = 0;
        longest[index] = 0;
        for (int c = 0; c < BGR_N_CHAINS; c++)
            chains[index * BGR_N_CHAINS + c] = (int32_t)index;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            best[index * BGR_N_ROLLS + roll] = (int32_t)index;
    }
    means_work work = {space, stop, l.index, finished, chains, best, mean_rolls, longest};
    bgr_status status = run_levels(&l, n_threads, solve_positions, &work, progress, context);
    bgr_levels_free(&l);
    return status;
}

bgr_status bgr_one_sided_means(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                               uint8_t *longest)
{
    BGR_TRY(check_space(space, stop));
    int32_t *chains = malloc((size_t)space->size * BGR_N_CHAINS * sizeof *chains);
    if (!chains)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_one_sided_chains(space, stop, n_threads, mean_rolls, best, longest, chains, NULL, NULL);
    free(chains);
    return status;
}

enum { CHANCES = 8 }; /* that are added up at a time, in registers */

static inline void add_up_chances(const double *const *next, int k, int n, double *row)
{
    double sum[CHANCES] = {0};
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const double *from = next[roll] + k;
        double weight = bgr_rolls[roll].weight, share[CHANCES];
        for (int c = 0; c < n; c++)
            share[c] = weight * from[c];
        for (int c = 0; c < n; c++)
            sum[c] += share[c];
    }
    for (int c = 0; c < n; c++)
        row[k + 1 + c] = sum[c] / 36;
}

/* distribution[index][k] = (1/36) sum over rolls of weight * distribution[chosen][k - 1] */
static inline void add_up(int32_t index, const int32_t *best, const uint8_t *longest, int width, double *distribution,
                          double *variance)
{
    const double *next[BGR_N_ROLLS];
    double *row = distribution + (int64_t)index * width;
    int last = longest[index];
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        next[roll] = distribution + (int64_t)best[(int64_t)index * BGR_N_ROLLS + roll] * width;
    row[0] = 0;
    for (int k = last + 1; k < width; k++)
        row[k] = 0;
    /* The last ones begin so that all of them are there: some are added up twice. */
    if (last >= CHANCES)
        for (int k = 0; k < last; k += CHANCES)
            add_up_chances(next, k + CHANCES <= last ? k : last - CHANCES, CHANCES, row);
    else
        add_up_chances(next, 0, last, row);
    double mean = 0, spread = 0;
    for (int k = 1; k <= last; k++)
        mean += k * row[k];
    for (int k = 1; k <= last; k++)
        spread += (k - mean) * (k - mean) * row[k];
    variance[index] = spread;
}

typedef struct {
    const int32_t *index; /* by rank */
    int64_t finished;
    const int32_t *best;
    const uint8_t *longest;
    int width;
    double *distribution, *variance_rolls;
} rows_work;

BGR_EVERY_WIDTH
static int add_up_rows(void *of, int64_t first, int64_t past, int worker)
{
    const rows_work *l = of;
    (void)worker;
    for (int64_t i = first; i < past; i++)
        if (l->index[i] >= l->finished)
            add_up(l->index[i], l->best, l->longest, l->width, l->distribution, l->variance_rolls);
    return 0;
}

bgr_status bgr_one_sided_distributions(const bgr_space *space, int stop, int n_threads, const int32_t *best,
                                       const uint8_t *longest, int width, double *distribution, double *variance_rolls,
                                       bgr_progress progress, void *context)
{
    bgr_levels l;
    BGR_TRY(check_space(space, stop));
    for (int64_t i = 0; i < space->size; i++)
        if (longest[i] >= width)
            return BGR_ERR_SIZE;
    BGR_TRY(bgr_levels_new(space, NULL, space->size, &l));
    int64_t finished = n_finished(space, stop);
    for (int64_t index = 0; index < finished; index++) {
        for (int c = 0; c < width; c++)
            distribution[index * width + c] = c == 0;
        variance_rolls[index] = 0;
    }
    rows_work work = {l.index, finished, best, longest, width, distribution, variance_rolls};
    bgr_status status = run_levels(&l, n_threads, add_up_rows, &work, progress, context);
    bgr_levels_free(&l);
    return status;
}
