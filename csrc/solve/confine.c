/* Choose positions of a graph, and make the graph of these alone. */

#include "solve/confine.h"

#include "base/dice.h"
#include "base/memory.h"
#include "base/try.h"
#include "base/tuning.h"

#include <string.h>

static double least_of(const double *means, const int32_t *results, int64_t n)
{
    double least = means[results[0]];
    for (int64_t k = 1; k < n; k++)
        least = means[results[k]] < least ? means[results[k]] : least;
    return least;
}

static double least_mean(const bgr_graph *graph, const double *means, int64_t rank)
{
    double sum = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const int64_t *start = graph->start + rank * BGR_N_ROLLS + roll;
        sum += bgr_rolls[roll].weight * least_of(means, graph->result + start[0], start[1] - start[0]);
    }
    return 1 + sum / 36;
}

bgr_status bgr_graph_means_new(const bgr_graph *graph, bgr_graph_means *means)
{
    means->last = calloc((size_t)graph->n, sizeof *means->last);
    means->first = calloc((size_t)graph->n, sizeof *means->first);
    if (!means->last || !means->first)
        return BGR_ERR_MEMORY;
    for (int64_t rank = 1; rank < graph->n; rank++) {
        means->last[rank] = least_mean(graph, means->last, rank);
        if (graph->checkers[rank] == BGR_MAX_CHECKERS)
            means->first[rank] = least_mean(graph, means->first, rank);
    }
    return BGR_OK;
}

void bgr_graph_means_free(bgr_graph_means *means) { BGR_FREE(means->last, means->first); }

static void mark_within(const double *means, double delta, const int32_t *results, int64_t n, uint8_t *marks)
{
    double most = least_of(means, results, n) + delta;
    for (int64_t k = 0; k < n; k++)
        if (means[results[k]] <= most)
            marks[results[k]] = 1;
}

int64_t bgr_graph_shortlist(const bgr_graph *graph, const bgr_graph_means *means, int64_t rank, double delta,
                            int gammons, uint8_t *marks)
{
    int64_t n_marked = 1;
    memset(marks, 0, (size_t)graph->n);
    marks[0] = marks[rank] = 1;
    for (int64_t r = rank; r > 0; r--) {
        if (!marks[r])
            continue;
        n_marked++;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            const int64_t *start = graph->start + r * BGR_N_ROLLS + roll;
            const int32_t *results = graph->result + start[0];
            mark_within(means->last, delta, results, start[1] - start[0], marks);
            if (gammons && graph->checkers[r] == BGR_MAX_CHECKERS && means->first[r] > tuned_soon_off)
                mark_within(means->first, delta, results, start[1] - start[0], marks);
        }
    }
    return n_marked;
}

/* Allocate arrays of the graph's own sizes: little of them is used, and they are freed soon. */
static bgr_status take_room(const bgr_graph *graph, int64_t n, bgr_graph *confined)
{
    confined->n = n;
    confined->checkers = malloc((size_t)n);
    confined->levels.index = malloc((size_t)n * sizeof *confined->levels.index);
    confined->levels.start = calloc((size_t)graph->levels.n_levels + 1, sizeof *confined->levels.start);
    confined->start = calloc((size_t)n * BGR_N_ROLLS + 1, sizeof *confined->start);
    return confined->checkers && confined->levels.index && confined->levels.start && confined->start ? BGR_OK
                                                                                                     : BGR_ERR_MEMORY;
}

/* Number the marked ranks.  place [out]: the new ranks, -1 for others. */
static int64_t number_marked(const bgr_graph *graph, const uint8_t *marks, int32_t *place)
{
    int32_t n = 0;
    for (int64_t r = 0; r < graph->n; r++)
        place[r] = marks[r] ? n++ : -1;
    return n;
}

static void copy_positions(const bgr_graph *graph, const int32_t *place, bgr_graph *confined)
{
    for (int level = 0; level < graph->levels.n_levels; level++) {
        int64_t n = 0;
        for (int64_t r = graph->levels.start[level]; r < graph->levels.start[level + 1]; r++) {
            if (place[r] < 0)
                continue;
            confined->checkers[place[r]] = graph->checkers[r];
            confined->levels.index[place[r]] = graph->levels.index[r];
            confined->levels.n_levels = level + 1;
            n++;
        }
        confined->levels.start[level + 1] = confined->levels.start[level] + n;
    }
}

/* Copy the results that stay, or if `to` is NULL, count them. */
static int64_t copy_results(const bgr_graph *graph, const int32_t *place, int64_t *slots, int32_t *to)
{
    int64_t n = 0, slot = 0;
    for (int64_t r = 0; r < graph->n; r++) {
        if (place[r] < 0)
            continue;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            const int64_t *start = graph->start + r * BGR_N_ROLLS + roll;
            for (int64_t k = start[0]; k < start[1]; k++)
                if (place[graph->result[k]] >= 0) {
                    if (to)
                        to[n] = place[graph->result[k]];
                    n++;
                }
            slots[++slot] = n;
        }
    }
    return n;
}

bgr_status bgr_graph_confine(const bgr_graph *graph, const uint8_t *marks, int64_t rank, bgr_graph **confined,
                             int64_t *confined_rank)
{
    int32_t *place = malloc((size_t)graph->n * sizeof *place);
    bgr_graph *fresh = calloc(1, sizeof *fresh);
    *confined = NULL;
    if (fresh)
        fresh->holders.n = 1;
    bgr_status status = place && fresh ? take_room(graph, number_marked(graph, marks, place), fresh) : BGR_ERR_MEMORY;
    int64_t n = status == BGR_OK ? copy_results(graph, place, fresh->start, NULL) : 0;
    if (status == BGR_OK && !(fresh->result = malloc((size_t)n * sizeof *fresh->result)))
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        copy_positions(graph, place, fresh);
        copy_results(graph, place, fresh->start, fresh->result);
        *confined_rank = place[rank];
    }
    free(place);
    BGR_HAND_OVER(status, fresh, confined, bgr_graph_free);
}
