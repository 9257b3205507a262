/* One player alone: least mean number of rolls, and the distribution that goes with it.
 *
 * The best result of a roll is found in two steps of one die.  For a die d let B_d(K) be the best result of playing d
 * in K; then the best result of a roll a, b is the better of B_b(R) over the results R of playing a,   and   B_a(R)
 * over the results R of playing b, and of a double the fourfold chain of B_a.  So a position takes a few look-ups for
 * each of its single-die results instead of a list of all plays.  Every play lowers the pips: positions with equal pips
 * (a level) do not depend on each other and are solved in parallel. */

#include "solve/one_sided.h"

#include "base/levels.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/position.h"
#include "base/threads.h"
#include "base/try.h"

#include <string.h>

enum { LEVEL_PIECE = 32 }; /* positions */

static bgr_status check_tables(const bgr_one_sided *tables)
{
    if (tables->space->size > INT32_MAX)
        return BGR_ERR_SIZE;
    return tables->stop < 1 || tables->stop > tables->space->checkers ? BGR_ERR_CHECKERS : BGR_OK;
}

/* Find the results of bgr_single_die for all dice at once: t is lowered on the points that the checker passes. */
static inline void find_all(const bgr_space *space, const int8_t *counts, int32_t index, const int *t, dice_results *d)
{
    int32_t before[BGR_MAX_POINTS + 1]; /* by how much the index falls when t is lowered by 1 on all points before this
                                         * one */
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
static void solve_position(const bgr_one_sided *to, int32_t index)
{
    const bgr_space *space = to->space;
    uint8_t *longest = to->longest;
    int8_t counts[BGR_MAX_POINTS];
    int t[BGR_MAX_POINTS];
    dice_results dice;
    play_choices chosen;
    bgr_position(space, index, counts);
    bgr_suffix_sums(space->points, counts, t);
    find_all(space, counts, index, t, &dice);
    /* With two checkers at least as far away as the larger die, playing either die does not let the other bear off a
     * closer checker; with two outside, neither die brings all home.  If the first checker off is the end, the second
     * die is not played. */
    int any_order = space->points < 6 ? space->points : 6;
    while (any_order && t[any_order - 1] < 2)
        any_order--;
    int outside = space->points > BGR_HOME_POINTS ? t[BGR_HOME_POINTS] : 0;
    if (outside == 1 || (outside == 0 && t[0] == to->stop))
        any_order = 0;
    choose_best(to->mean_rolls, to->chains, &dice, any_order, to->chains + (int64_t)index * BGR_N_CHAINS, &chosen);
    memcpy(to->best + (int64_t)index * BGR_N_ROLLS, chosen.place, sizeof chosen.place);
    double sum = 0;
    int most = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        sum += bgr_rolls[roll].weight * chosen.mean[roll];
        if (longest[chosen.place[roll]] > most)
            most = longest[chosen.place[roll]];
    }
    to->mean_rolls[index] = 1 + sum / 36;
    longest[index] = (uint8_t)(most + 1);
}

typedef struct {
    const bgr_one_sided *to;
    const int32_t *index; /* by rank */
    int64_t finished;     /* indices below it are finished */
} level_work;

/* Run body for all unfinished positions, level by level. */
static bgr_status run_levels(const bgr_one_sided *to, bgr_element body)
{
    bgr_levels l;
    bgr_parallel threads;
    BGR_TRY(bgr_levels_new(to->space, NULL, to->space->size, &l));
    level_work work = {to, l.index, to->space->term[0][to->stop]};
    const bgr_parallel *parallel = bgr_threads_begin(&threads, to->n_threads);
    bgr_status status = BGR_OK;
    for (int k = 0; k < l.n_levels && status == BGR_OK; k++)
        if (to->progress && to->progress(to->context, k, l.start[k], l.start[l.n_levels]))
            status = BGR_ERR_STOPPED;
        else
            bgr_each(parallel, l.start[k], l.start[k + 1], LEVEL_PIECE, body, &work);
    bgr_threads_end(&threads);
    bgr_levels_free(&l);
    return status;
}

static void solve_at(void *of, int64_t i)
{
    const level_work *l = of;
    if (l->index[i] >= l->finished)
        solve_position(l->to, l->index[i]);
}

static bgr_status solve_means(const bgr_one_sided *to)
{
    for (int64_t index = 0; index < to->space->term[0][to->stop]; index++) {
        to->mean_rolls[index] = 0;
        to->longest[index] = 0;
        for (int c = 0; c < BGR_N_CHAINS; c++)
            to->chains[index * BGR_N_CHAINS + c] = (int32_t)index;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            to->best[index * BGR_N_ROLLS + roll] = (int32_t)index;
    }
    return run_levels(to, solve_at);
}

bgr_status bgr_one_sided_means(const bgr_one_sided *tables)
{
    bgr_one_sided all = *tables;
    size_t n = (size_t)all.space->size;
    BGR_TRY(check_tables(tables));
    if (!all.best)
        all.best = malloc(n * BGR_N_ROLLS * sizeof *all.best);
    if (!all.longest)
        all.longest = malloc(n);
    if (!all.chains)
        all.chains = malloc(n * BGR_N_CHAINS * sizeof *all.chains);
    bgr_status status = all.best && all.longest && all.chains ? solve_means(&all) : BGR_ERR_MEMORY;
    BGR_FREE(tables->best ? NULL : all.best, tables->longest ? NULL : all.longest, tables->chains ? NULL : all.chains);
    return status;
}

enum { CHANCES = 8 }; /* chances that are added up at a time, in registers */

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
static inline void add_up(const bgr_one_sided *to, int32_t index)
{
    const double *next[BGR_N_ROLLS];
    int width = to->width, last = to->longest[index];
    double *row = to->distribution + (int64_t)index * width;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        next[roll] = to->distribution + (int64_t)to->best[(int64_t)index * BGR_N_ROLLS + roll] * width;
    row[0] = 0;
    for (int k = last + 1; k < width; k++)
        row[k] = 0;
    /* The last run ends at the last chance, and may overlap the one before. */
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
    to->variance_rolls[index] = spread;
}

BGR_EVERY_WIDTH
static void add_up_at(void *of, int64_t i)
{
    const level_work *l = of;
    if (l->index[i] >= l->finished)
        add_up(l->to, l->index[i]);
}

bgr_status bgr_one_sided_distributions(const bgr_one_sided *tables)
{
    const bgr_one_sided *to = tables;
    BGR_TRY(check_tables(tables));
    for (int64_t index = 0; index < to->space->term[0][to->stop]; index++) {
        for (int c = 0; c < to->width; c++)
            to->distribution[index * to->width + c] = c == 0;
        to->variance_rolls[index] = 0;
    }
    return run_levels(to, add_up_at);
}
