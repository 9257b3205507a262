/* Find the results of a roll that have to be compared. */

#include "solve/graph.h"

#include "base/dice.h"
#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum {
    MAX_RIVALS = 8,     /* a result is compared with at most this many others, those with the least mean */
    KNOWN_PLACES = 8,   /* slots tried for a remembered comparison: a cache line */
    KNOWN_OF_RANK = 64, /* remembered comparisons for each position */
    RANKS_OF_PIECE = 8,
    STEADY = 24, /* length of n_steady for a position: one for each roll, and zeros up to three words */
    MAX_STEADY = 127
};

/* ------------------------------------------------------------------ shape */

/* Copy results to choices.  kept: results at the graph's places; n_kept: the number of each roll, or NULL for all. */
static bgr_status put_all(const bgr_graph *graph, const int32_t *kept, const int32_t *n_kept, bgr_choices *choices)
{
    int64_t n_slots = graph->n * BGR_N_ROLLS, n_results = 0, end = 0, shape_end = 0;
    for (int64_t slot = 0; slot < n_slots; slot++)
        n_results += n_kept ? n_kept[slot] : graph->start[slot + 1] - graph->start[slot];
    size_t n = (size_t)graph->n;
    choices->start = malloc(n * sizeof *choices->start);
    choices->shape_start = malloc(n * sizeof *choices->shape_start);
    choices->result = malloc((size_t)n_results * sizeof *choices->result);
    choices->shape = malloc(n * BGR_MAX_SHAPE * sizeof *choices->shape);
    if (!choices->start || !choices->shape_start || !choices->result || !choices->shape)
        return BGR_ERR_MEMORY;
    for (int64_t rank = 0; rank < graph->n; rank++) {
        const int64_t *start = graph->start + rank * BGR_N_ROLLS;
        int32_t each[BGR_N_ROLLS];
        int order[BGR_N_ROLLS];
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            each[roll] = n_kept ? n_kept[rank * BGR_N_ROLLS + roll] : (int32_t)(start[roll + 1] - start[roll]);
        choices->start[rank] = end;
        choices->shape_start[rank] = shape_end;
        shape_end += bgr_row_shape(each, order, choices->shape + shape_end);
        for (int k = 0; k < BGR_N_ROLLS; end += each[order[k++]])
            memcpy(choices->result + end, kept + start[order[k]], (size_t)each[order[k]] * sizeof *kept);
    }
    return BGR_OK;
}

bgr_status bgr_choices_all(const bgr_graph *graph, bgr_choices *choices)
{
    memset(choices, 0, sizeof *choices);
    return put_all(graph, graph->result, NULL, choices);
}

/* ------------------------------------------------------------------ comparing */

typedef struct {
    const bgr_graph *graph;
    int gammon_checkers;
    int32_t *kept;     /* the remaining results, at the graph's places, in order of mean */
    int32_t *n_kept;   /* by rank and roll */
    double *mean;      /* least mean number of rolls, by rank.  A position that beats another has no greater mean, */
    uint8_t *n_steady; /* nor more turns with one repeated roll: STEADY for each rank, at most MAX_STEADY */
    int64_t *known;    /* comparisons: twice the number of a pair, plus 1 if the first beats the second */
    uint64_t n_known;  /* length of known: a power of two */
} comparison;

/* Whether a needs no more turns than b with each roll when only that roll is thrown, which is necessary for a to beat
 * b.  A cheap test that excludes most pairs. */
#define TOP_BITS UINT64_C(0x8080808080808080)

static inline int may_beat(const comparison *c, int32_t a, int32_t b)
{
    const uint8_t *mine = c->n_steady + (int64_t)a * STEADY, *theirs = c->n_steady + (int64_t)b * STEADY;
    uint64_t more = 0;
    for (int k = 0; k < STEADY; k += 8) {
        uint64_t m, t;
        memcpy(&m, mine + k, sizeof m);
        memcpy(&t, theirs + k, sizeof t);
        more |= ((t | TOP_BITS) - m) ^ TOP_BITS; /* numbers are below 128: a top bit is cleared where m is greater */
    }
    return !(more & TOP_BITS);
}

static int beats(const comparison *c, int32_t a, int32_t b);

/* Whether one of the first few results of a roll, in order of mean, beats another result. */
static int any_beats(const comparison *c, const int32_t *results, int n, int32_t loser)
{
    double mean = c->mean[loser];
    n = n < MAX_RIVALS ? n : MAX_RIVALS;
    for (int k = 0; k < n; k++) {
        int32_t winner = results[k];
        if (winner == loser || winner == 0)
            return 1;
        if (c->mean[winner] > mean)
            return 0;
        if (may_beat(c, winner, loser) && beats(c, winner, loser))
            return 1;
    }
    return 0;
}

static int compare(const comparison *c, int32_t a, int32_t b)
{
    const bgr_graph *graph = c->graph;
    int64_t of_a = (int64_t)a * BGR_N_ROLLS, of_b = (int64_t)b * BGR_N_ROLLS;
    if (graph->checkers[a] == c->gammon_checkers && graph->checkers[b] != c->gammon_checkers)
        return 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const int32_t *mine = c->kept + graph->start[of_a + roll], *theirs = c->kept + graph->start[of_b + roll];
        for (int k = 0; k < c->n_kept[of_b + roll]; k++)
            if (!any_beats(c, mine, c->n_kept[of_a + roll], theirs[k]))
                return 0;
    }
    return 1;
}

/* Whether a beats b; a != b, neither empty.  Threads may overwrite comparisons of others, which costs only time. */
static int beats(const comparison *c, int32_t a, int32_t b)
{
    int64_t pair = (int64_t)a * c->graph->n + b;
    uint64_t hash = (uint64_t)pair * UINT64_C(0x9E3779B97F4A7C15);
    int64_t *places = c->known + (hash >> 32 & (c->n_known - 1) & ~(uint64_t)(KNOWN_PLACES - 1)), *free = NULL;
    for (int k = 0; k < KNOWN_PLACES; k++) {
        int64_t known = bgr_read(places + k);
        if (known >> 1 == pair)
            return (int)(known & 1);
        if (!known && !free)
            free = places + k;
    }
    int better = compare(c, a, b);
    bgr_write(free ? free : places + (hash >> 60) % KNOWN_PLACES, pair << 1 | better);
    return better;
}

/* Sort results by mean. */
static void sort_results(const comparison *c, const int32_t *from, int n, int32_t *to)
{
    for (int k = 0; k < n; k++) {
        int at = k;
        for (; at > 0 && c->mean[to[at - 1]] > c->mean[from[k]]; at--)
            to[at] = to[at - 1];
        to[at] = from[k];
    }
}

/* The least number of turns to bear off if only this roll is thrown, the first of them to one of these results. */
static uint8_t steady_turns(const comparison *c, const int32_t *results, int n, int roll)
{
    int least = MAX_STEADY - 1;
    for (int k = 0; k < n; k++) {
        int left = c->n_steady[(int64_t)results[k] * STEADY + roll];
        least = left < least ? left : least;
    }
    return (uint8_t)(least + 1);
}

/* Compare the results of a rank; all lower levels are done. */
static void compare_rank(void *of, int64_t rank)
{
    comparison *c = of;
    const bgr_graph *graph = c->graph;
    double sum = 0;
    uint8_t *n_steady = c->n_steady + rank * STEADY;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int64_t slot = rank * BGR_N_ROLLS + roll;
        int32_t *kept = c->kept + graph->start[slot];
        int n = (int)(graph->start[slot + 1] - graph->start[slot]), n_kept = 1;
        sort_results(c, graph->result + graph->start[slot], n, kept);
        n_steady[roll] = steady_turns(c, kept, n, roll);
        for (int k = 1; k < n; k++)
            if (!any_beats(c, kept, n_kept, kept[k]))
                kept[n_kept++] = kept[k];
        c->n_kept[slot] = n_kept;
        sum += bgr_rolls[roll].weight * c->mean[kept[0]];
    }
    c->mean[rank] = 1 + sum / 36;
}

bgr_status bgr_graph_compare(bgr_graph *graph, int gammon_checkers, const bgr_work *work)
{
    int64_t n_slots = graph->n * BGR_N_ROLLS, n_results = graph->start[n_slots];
    comparison c = {.graph = graph, .gammon_checkers = gammon_checkers, .n_known = 1};
    graph->gammon_checkers = gammon_checkers;
    while (c.n_known < (uint64_t)graph->n * KNOWN_OF_RANK)
        c.n_known *= 2;
    c.kept = malloc((size_t)n_results * sizeof *c.kept);
    c.n_kept = malloc((size_t)n_slots * sizeof *c.n_kept);
    c.mean = malloc((size_t)graph->n * sizeof *c.mean);
    c.n_steady = calloc((size_t)graph->n, STEADY);
    c.known = bgr_malloc_large((size_t)c.n_known * sizeof *c.known);
    bgr_status status = c.kept && c.n_kept && c.mean && c.n_steady && c.known ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        memset(c.known, 0, (size_t)c.n_known * sizeof *c.known);
        for (int64_t slot = 0; slot < BGR_N_ROLLS; slot++) { /* the empty board leads to itself */
            c.kept[graph->start[slot]] = 0;
            c.n_kept[slot] = 1;
        }
        c.mean[0] = 0;
        const int64_t *start = graph->levels.start;
        for (int level = 1; level < graph->levels.n_levels && status == BGR_OK; level++) {
            status = bgr_tell(work, 0, 0, 1) ? BGR_ERR_STOPPED : BGR_OK;
            if (status == BGR_OK)
                bgr_each(work->parallel, start[level], start[level + 1], RANKS_OF_PIECE, compare_rank, &c);
        }
    }
    if (status == BGR_OK)
        status = put_all(graph, c.kept, c.n_kept, &graph->best);
    if (status == BGR_OK) {
        graph->kept = c.kept;
        graph->n_kept = c.n_kept;
    } else {
        bgr_choices_free(&graph->best);
        BGR_FREE(c.kept, c.n_kept);
    }
    BGR_FREE(c.mean, c.n_steady, c.known);
    return status;
}
