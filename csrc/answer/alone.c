/* One side of a race by itself: solved exactly if that is quick, else followed turn by turn (turns/reach.c), each roll
 * played for the least mean number of rolls by estimates.
 *
 * Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3. */

#include "answer/cache.h"
#include "answer/reference.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/try.h"
#include "turns/question.h"

#include <string.h>

enum { HOME_POSITIONS = 54264 }; /* of 15 checkers */

static void trim_side(bgr_side *side)
{
    side->n_rolls = BGR_MAX_WIDTH - 1;
    while (side->n_rolls && side->distribution[side->n_rolls] == 0)
        side->n_rolls--;
}

/* Mark the positions that the best plays of home position `last` reach with 1 in `row`, then number them. */
static int64_t mark_best_plays(const bgr_home_board *home, int64_t last, int32_t *row)
{
    int64_t n = 1;
    row[last] = 1;
    for (int64_t i = last; i > 0; i--)
        for (int roll = 0; row[i] && roll < BGR_N_ROLLS; roll++)
            row[home->best[i * BGR_N_ROLLS + roll]] = 1;
    row[0] = 0;
    for (int64_t i = 1; i <= last; i++)
        if (row[i])
            row[i] = (int32_t)n++;
    return n;
}

/* Add up the distribution of position i from those of its results, in the order of bgr_one_sided_distributions.  Return
 * the variance. */
static double add_results_of(const bgr_home_board *home, int64_t i, const int32_t *row,
                             double (*chances)[BGR_MAX_RACE_ROLLS], int *longest)
{
    int k = row[i];
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int32_t next = row[home->best[i * BGR_N_ROLLS + roll]];
        double weight = bgr_rolls[roll].weight;
        longest[k] = longest[next] + 1 > longest[k] ? longest[next] + 1 : longest[k];
        for (int t = 0; t <= longest[next]; t++)
            chances[k][t + 1] += weight * chances[next][t];
    }
    double mean = 0, variance = 0;
    for (int t = 1; t <= longest[k]; t++) {
        chances[k][t] /= 36;
        mean += t * chances[k][t];
    }
    for (int t = 1; t <= longest[k]; t++)
        variance += (t - mean) * (t - mean) * chances[k][t];
    return variance;
}

/* Solve a home position by a home board, which needs to have only as many checkers as the side. */
static bgr_status solve_home_side(const bgr_home_board *home, const int8_t *counts, bgr_side *side)
{
    int64_t last;
    BGR_TRY(bgr_index(&home->space, counts, &last));
    if (!last) {
        side->distribution[0] = 1;
        return BGR_OK;
    }
    int32_t *row = calloc((size_t)last + 1, sizeof *row);
    int64_t n = row ? mark_best_plays(home, last, row) : 1;
    double (*chances)[BGR_MAX_RACE_ROLLS] = calloc((size_t)n, sizeof *chances);
    int *longest = calloc((size_t)n, sizeof *longest);
    bgr_status status = row && chances && longest ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        chances[0][0] = 1;
        for (int64_t i = 1; i <= last; i++)
            if (row[i])
                side->variance_rolls = add_results_of(home, i, row, chances, longest);
        side->mean_rolls = home->mean[last];
        memcpy(side->distribution, chances[n - 1], sizeof chances[0]);
    }
    BGR_FREE(row, chances, longest);
    return status;
}

/* Solve a home position by a board of its own, which is faster than the solver's if there are few checkers. */
static bgr_status solve_few(int checkers, const int8_t *counts, bgr_side *side)
{
    bgr_home_board few = {.mean = NULL};
    BGR_TRY(bgr_space_init(BGR_HOME_POINTS, checkers, &few.space));
    size_t n = (size_t)few.space.size;
    few.mean = malloc(n * sizeof *few.mean);
    few.best = malloc(n * BGR_N_ROLLS * sizeof *few.best);
    const bgr_one_sided tables = {&few.space, 1, 1, .mean_rolls = few.mean, .best = few.best};
    bgr_status status = few.mean && few.best ? bgr_one_sided_means(&tables) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = solve_home_side(&few, counts, side);
    BGR_FREE(few.mean, few.best);
    return status;
}

/* Solve a position beyond the home board.  *n [out]: number of positions solved, 0 if there are too many. */
static bgr_status solve_far_side(const bgr_layer_home *home, const int8_t *counts, int points, const bgr_work *work,
                                 int64_t *n, bgr_side *side)
{
    int8_t sums[BGR_MAX_POINTS];
    bgr_layer *layer = NULL;
    for (int j = points - 1, above = 0; j >= 0; j--)
        sums[j] = (int8_t)(above += counts[j]);
    bgr_status status = bgr_layer_size(home, points, sums, n);
    if (status == BGR_OK && *n > TUNED_QUICK_BYTES / (bgr_layer_slot_bytes() + TUNED_CARRIED_BYTES))
        *n = 0;
    if (status != BGR_OK || !*n)
        return status;
    const bgr_layer_options options = {.n_threads = 1, .progress = work->progress, .context = work->context};
    status = bgr_layer_new(home, points, sums, &options, &layer);
    if (status == BGR_OK)
        status = bgr_layer_distribution(layer, side->distribution);
    if (status == BGR_OK)
        side->mean_rolls = bgr_layer_mean(layer, counts);
    bgr_layer_free(layer);
    return status;
}

static int tell(void *work, double done)
{
    (void)done;
    return bgr_tell(work, 0, 0, 1);
}

static bgr_status follow_side(const bgr_home_board *home, const int8_t *counts, const bgr_work *work, bgr_side *side)
{
    const bgr_reach_options options = {.max_nodes = TUNED_FOLLOWED, .progress = tell, .context = (void *)work};
    bgr_candidates *candidates;
    bgr_reach *reach;
    BGR_TRY(bgr_candidates_new(home, counts, &options, &candidates));
    bgr_status status = bgr_reach_of(candidates, 0, TUNED_FOLLOWED_IN_LAYER, 0, &reach);
    bgr_candidates_free(candidates);
    BGR_TRY(status);
    double before = 0;
    for (int k = 1; k < reach->n_layers && k < BGR_MAX_WIDTH; k++) {
        side->distribution[k] = reach->layers[k].chance[0] - before;
        before = reach->layers[k].chance[0];
    }
    side->n_rolls = reach->n_layers - 1;
    bgr_reach_free(reach);
    return BGR_OK;
}

static bgr_status solve_side(const bgr_solver *solver, const bgr_resources *resources, const int8_t *counts,
                             bgr_side *side)
{
    bgr_status status = BGR_OK;
    int highest = bgr_question_highest(counts), checkers = bgr_n_checkers(BGR_MAX_POINTS, counts);
    memset(side, 0, sizeof *side);
    if (highest <= BGR_HOME_POINTS) {
        side->positions = HOME_POSITIONS;
        if (checkers && checkers <= TUNED_FEW_ALONE && !bgr_solver_is_ready(solver))
            status = solve_few(checkers, counts, side);
        else if ((status = bgr_solver_ready(solver)) == BGR_OK)
            status = solve_home_side(solver->home, counts, side);
        trim_side(side);
        return status;
    }
    BGR_TRY(bgr_solver_ready(solver));
    bgr_layer_home *own = NULL;
    const bgr_layer_home *board = NULL;
    if (resources->cache)
        status = bgr_cache_home(resources->cache, &board);
    else if ((status = bgr_layer_home_new(BGR_MAX_CHECKERS, 1, 1, &own)) == BGR_OK)
        board = own;
    if (status == BGR_OK)
        status = solve_far_side(board, counts, highest, &resources->work, &side->positions, side);
    bgr_layer_home_free(own);
    if (status == BGR_OK && side->positions)
        trim_side(side);
    else if (status == BGR_OK) {
        status = follow_side(solver->home, counts, &resources->work, side);
        side->mean_rolls = bgr_mean_of(side->distribution);
    }
    if (status == BGR_OK)
        side->variance_rolls = bgr_variance_of(side->distribution, side->mean_rolls);
    return status;
}

bgr_status bgr_find_side(const bgr_solver *solver, const bgr_resources *resources, int points, const int8_t *from,
                         bgr_side *side)
{
    bgr_side whole;
    int8_t counts[BGR_MAX_POINTS];
    BGR_TRY(bgr_question_position(points, from, counts));
    if (!bgr_cache_find_side(resources->cache, counts, &whole)) {
        BGR_TRY(solve_side(solver, resources, counts, &whole));
        bgr_cache_keep_side(resources->cache, counts, &whole);
    }
    return bgr_give_sized(&whole, sizeof whole, side);
}

bgr_status bgr_ask_side(const bgr_solver *solver, bgr_cache *cache, int points, const int8_t *counts, bgr_side *side)
{
    const bgr_resources resources = {cache, {NULL, NULL, NULL}};
    return bgr_find_side(solver, &resources, points, counts, side);
}
