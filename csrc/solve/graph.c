/* The graph of plays: for every position of a closed set and every roll, the positions that the roll leads to.
 *
 * Ranks run in order of pips, then of index.  A play lowers the pips, so a position's results have smaller ranks, and
 * positions with equal pips (a level) don't depend on each other. */

#include "solve/graph.h"

#include "base/dice.h"
#include "base/memory.h"
#include "base/plays.h"
#include "base/position.h"
#include "base/threads.h"
#include "base/try.h"
#include "base/tuning.h"

#include <math.h>
#include <string.h>

/* The greatest index for which the map from index to rank is a plain array. */
static const int64_t max_index = (int64_t)1 << 28;

enum {
    GRAPH_PIECE = 512,            /* positions */
    GRAPH_BATCH = 4 * GRAPH_PIECE /* positions of a worker between two reports of progress */
};

typedef struct {
    int32_t *results;   /* n * 6 * points: ranks of single-die results; the first n_results of each row are used */
    uint8_t *n_results; /* n * 6 */
    int points;
} single_dice;

/* A list of distinct ranks; a rank is in it if its stamp is the list's number. */
typedef struct {
    int32_t *stamp; /* by rank */
    int32_t number;
    int32_t *list, *spare; /* room for BGR_MAX_PLAYS each */
} gatherer;

static int gather(gatherer *g, const single_dice *dice, int32_t from, int die, int32_t *list, int n)
{
    const int32_t *results = dice->results + ((int64_t)from * 6 + die - 1) * dice->points;
    int n_results = dice->n_results[(int64_t)from * 6 + die - 1];
    for (int k = 0; k < n_results; k++)
        if (g->stamp[results[k]] != g->number) {
            g->stamp[results[k]] = g->number;
            list[n++] = results[k];
        }
    return n;
}

/* Find the results of a roll from a rank, in g->list. */
static int play_roll(gatherer *g, const single_dice *dice, int32_t rank, bgr_roll_kind roll)
{
    int n = 0;
    if (roll.larger != roll.smaller) {
        const int32_t *row = dice->results + (int64_t)rank * 6 * dice->points;
        const int8_t order[2][2] = {{roll.larger, roll.smaller}, {roll.smaller, roll.larger}};
        g->number++;
        for (int o = 0; o < 2; o++) {
            const int32_t *first = row + (order[o][0] - 1) * dice->points;
            int n_first = dice->n_results[(int64_t)rank * 6 + order[o][0] - 1];
            for (int k = 0; k < n_first; k++)
                n = gather(g, dice, first[k], order[o][1], g->list, n);
        }
        return n;
    }
    g->list[n++] = rank;
    for (int step = 0; step < 4; step++) {
        int32_t *from = g->list;
        int n_from = n;
        g->list = g->spare;
        g->spare = from;
        g->number++;
        n = 0;
        for (int k = 0; k < n_from; k++)
            n = gather(g, dice, from[k], roll.larger, g->list, n);
    }
    return n;
}

static void gatherer_free(gatherer *g)
{
    BGR_FREE(g->stamp, g->list, g->spare);
    memset(g, 0, sizeof *g);
}

/* Allocate for n ranks; returns 0, with nothing allocated, if memory is out. */
static int gatherer_new(gatherer *g, int64_t n)
{
    g->number = 0;
    g->stamp = calloc((size_t)n, sizeof *g->stamp);
    g->list = malloc(BGR_MAX_PLAYS * sizeof *g->list);
    g->spare = malloc(BGR_MAX_PLAYS * sizeof *g->spare);
    if (g->stamp && g->list && g->spare)
        return 1;
    gatherer_free(g);
    return 0;
}

/* Results of a run of ranks, one after another. */
typedef struct {
    int32_t *results;
    int64_t n, room;
} played_piece;

typedef struct {
    const bgr_space *space;
    bgr_graph *graph;
    const int64_t *sorted; /* indices */
    int32_t *rank_at;      /* by place in `sorted`, or if by_index, by index, with -1 for those not in the set */
    int by_index;
    single_dice dice;
    gatherer *gatherers;  /* one for each worker, allocated on first use */
    played_piece *pieces; /* by first rank / GRAPH_PIECE */
    int64_t leaves;       /* 1: a die leads out of the set */
} graph_maker;

/* The rank of an index; -1 if it is not in the set. */
static inline int32_t rank_of(const graph_maker *m, int64_t index)
{
    if (m->by_index)
        return m->rank_at[index];
    const int64_t *place = bsearch(&index, m->sorted, (size_t)m->graph->n, sizeof *m->sorted, bgr_compare_indices);
    return place ? m->rank_at[place - m->sorted] : -1;
}

static void play_dice(void *of, int64_t r)
{
    graph_maker *m = of;
    const bgr_space *space = m->space;
    const bgr_graph *graph = m->graph;
    const single_dice *dice = &m->dice;
    int points = space->points;
    int8_t counts[BGR_MAX_POINTS];
    int64_t results[BGR_MAX_POINTS];
    bgr_position(space, graph->levels.index[r], counts);
    graph->checkers[r] = (uint8_t)bgr_n_checkers(points, counts);
    for (int die = 1; die <= 6; die++) {
        int32_t *row = dice->results + (r * 6 + die - 1) * points;
        int n = 1;
        if (graph->levels.index[r] == 0)
            results[0] = 0;
        else
            n = bgr_single_die(space, counts, graph->levels.index[r], die, results);
        dice->n_results[r * 6 + die - 1] = (uint8_t)n;
        for (int k = 0; k < n; k++) {
            row[k] = rank_of(m, results[k]);
            if (row[k] < 0)
                bgr_write(&m->leaves, 1);
        }
    }
}

/* Play all rolls of positions first .. past - 1, into a piece; their numbers of results go to graph->start.  Returns 1
 * if memory is out. */
static int play_rolls(void *of, int64_t first, int64_t past, int worker)
{
    const graph_maker *m = of;
    bgr_graph *graph = m->graph;
    gatherer *g = &m->gatherers[worker];
    played_piece *played = &m->pieces[first / GRAPH_PIECE];
    if (!g->stamp && !gatherer_new(g, graph->n))
        return 1;
    for (int64_t slot = first * BGR_N_ROLLS; slot < past * BGR_N_ROLLS; slot++) {
        int n = play_roll(g, &m->dice, (int32_t)(slot / BGR_N_ROLLS), bgr_rolls[slot % BGR_N_ROLLS]);
        if (!bgr_make_room((void **)&played->results, &played->room, played->n + n, sizeof *played->results))
            return 1;
        memcpy(played->results + played->n, g->list, (size_t)n * sizeof *g->list);
        played->n += n;
        graph->start[slot + 1] = n;
    }
    return 0;
}

/* Join the pieces. */
static bgr_status join_pieces(const graph_maker *m)
{
    bgr_graph *graph = m->graph;
    int64_t n_slots = graph->n * BGR_N_ROLLS;
    for (int64_t k = 0; k < n_slots; k++)
        graph->start[k + 1] += graph->start[k];
    if (m->pieces[0].n == graph->start[n_slots]) { /* there is one piece */
        graph->result = realloc(m->pieces[0].results, (size_t)m->pieces[0].n * sizeof *graph->result);
        if (graph->result)
            m->pieces[0].results = NULL;
        return graph->result ? BGR_OK : BGR_ERR_MEMORY;
    }
    graph->result = malloc((size_t)graph->start[n_slots] * sizeof *graph->result);
    if (!graph->result)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k * GRAPH_PIECE < graph->n; k++)
        if (m->pieces[k].n)
            memcpy(graph->result + graph->start[k * GRAPH_PIECE * BGR_N_ROLLS], m->pieces[k].results,
                   (size_t)m->pieces[k].n * sizeof *graph->result);
    return BGR_OK;
}

static bgr_status play_all(graph_maker *m, const bgr_work *work)
{
    int64_t n = m->graph->n, n_pieces = n / GRAPH_PIECE + 1, batch = GRAPH_BATCH * bgr_n_workers(work->parallel);
    for (int64_t first = 0, past; first < n; first = past) {
        past = first + 8 * batch < n ? first + 8 * batch : n;
        if (bgr_tell(work, 0, 0, 1))
            return BGR_ERR_STOPPED;
        bgr_each(work->parallel, first, past, GRAPH_PIECE, play_dice, m);
    }
    if (m->leaves)
        return BGR_ERR_CLOSED;
    m->pieces = calloc((size_t)n_pieces, sizeof *m->pieces);
    if (!m->pieces)
        return BGR_ERR_MEMORY;
    bgr_status status = BGR_OK;
    for (int64_t first = 0; status == BGR_OK && first < n; first += batch) {
        int64_t past = first + batch < n ? first + batch : n;
        if (bgr_tell(work, 0, 0, 1))
            status = BGR_ERR_STOPPED;
        else if (bgr_loop(work->parallel, first, past, GRAPH_PIECE, play_rolls, m))
            status = BGR_ERR_MEMORY;
    }
    if (status == BGR_OK)
        status = join_pieces(m);
    for (int64_t k = 0; k < n_pieces; k++)
        free(m->pieces[k].results);
    free(m->pieces);
    return status;
}

static bgr_status fill(const bgr_space *space, const int64_t *sorted, const bgr_work *work, bgr_graph *graph)
{
    int64_t n = graph->n, span = sorted[n - 1] + 1;
    int by_index = !bgr_is_sparse(span, (double)n);
    size_t n_places = (size_t)(by_index ? span : n);
    graph_maker m = {.space = space,
                     .graph = graph,
                     .sorted = sorted,
                     .rank_at = malloc(n_places * sizeof *m.rank_at),
                     .by_index = by_index,
                     .dice = {malloc((size_t)n * 6 * (size_t)space->points * sizeof *m.dice.results),
                              malloc((size_t)n * 6 * sizeof *m.dice.n_results), space->points},
                     .gatherers = calloc((size_t)bgr_n_workers(work->parallel), sizeof *m.gatherers)};
    bgr_status status = BGR_ERR_MEMORY;
    if (m.rank_at && m.dice.results && m.dice.n_results && m.gatherers)
        status = bgr_levels_new(space, sorted, n, &graph->levels);
    if (status == BGR_OK) {
        memset(m.rank_at, -1, n_places * sizeof *m.rank_at);
        for (int64_t r = 0; r < n; r++) {
            int64_t place = graph->levels.index[r];
            if (!by_index)
                place =
                    (const int64_t *)bsearch(&place, sorted, (size_t)n, sizeof *sorted, bgr_compare_indices) - sorted;
            m.rank_at[place] = (int32_t)r;
        }
        status = play_all(&m, work);
    }
    for (int k = 0; m.gatherers && k < bgr_n_workers(work->parallel); k++)
        gatherer_free(&m.gatherers[k]);
    BGR_FREE(m.gatherers, m.rank_at, m.dice.results, m.dice.n_results);
    return status;
}

/* A position that another can reach has no more checkers than that on any point or beyond, and one off only if all
 * others are home.  In rising index the checkers on each point or beyond count up like digits, point 1 first. */
void bgr_list_reachable(const bgr_space *space, int64_t index, int64_t *indices)
{
    int8_t counts[BGR_MAX_POINTS];
    int most[BGR_MAX_POINTS], t[BGR_MAX_POINTS] = {0};
    bgr_position(space, index, counts);
    bgr_suffix_sums(space->points, counts, most);
    for (int64_t listed = 0;;) {
        *indices++ = listed;
        int j = space->points - 1;
        for (; j >= 0 && (t[j] == most[j] || (j > 0 && t[j] == t[j - 1]) || (j >= BGR_HOME_POINTS && t[0] < most[0]));
             j--) {
            listed -= space->term[j][t[j]];
            t[j] = 0;
        }
        if (j < 0)
            return;
        listed -= space->term[j][t[j]];
        listed += space->term[j][++t[j]];
    }
}

/* Count the ways to place checkers.  ways [out] [checkers][pips]. */
static void count_ways(int points, const int *most, int pips, double (*ways)[BGR_MAX_BOARD_PIPS + 1])
{
    for (int n = 0; n <= most[0]; n++)
        memset(ways[n], 0, ((size_t)pips + 1) * sizeof **ways);
    ways[0][0] = 1;
    for (int j = points - 1; j >= 0; j--) {
        for (int n = 1; n <= most[0]; n++) /* no fewer checkers on a point or beyond than beyond it, */
            for (int p = 0; p <= pips; p++)
                ways[n][p] += ways[n - 1][p];
        for (int n = 1; n <= most[0]; n++) { /* and each of these has one pip more */
            int more = pips ? n : 0;
            for (int p = pips; p >= 0; p--)
                ways[n][p] = n > most[j] || p < more ? 0 : ways[n][p - more];
        }
    }
}

void bgr_count_by_pips(int points, const int *most, int pips, double sign, double *at_pips)
{
    double ways[BGR_MAX_CHECKERS + 1][BGR_MAX_BOARD_PIPS + 1];
    count_ways(points, most, pips, ways);
    for (int p = 0; p <= pips; p++)
        at_pips[p] += sign * ways[most[0]][p];
    count_ways(points < BGR_HOME_POINTS ? points : BGR_HOME_POINTS, most, pips, ways);
    for (int n = 0; n < most[0]; n++)
        for (int p = 0; p <= pips; p++)
            at_pips[p] += sign * ways[n][p];
}

double bgr_positions_with_all(const int8_t *counts)
{
    int most[BGR_MAX_POINTS];
    double ways[BGR_MAX_CHECKERS + 1][BGR_MAX_BOARD_PIPS + 1];
    bgr_suffix_sums(BGR_MAX_POINTS, counts, most);
    count_ways(BGR_MAX_POINTS, most, 0, ways);
    return ways[most[0]][0];
}

bgr_status bgr_count_reachable(int points, const int8_t *counts, double *n)
{
    int from_point_up[BGR_MAX_POINTS];
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (bgr_checked_checkers(points, counts) < 0)
        return BGR_ERR_POSITION;
    bgr_suffix_sums(points, counts, from_point_up);
    *n = 0;
    bgr_count_by_pips(points, from_point_up, 0, 1, n);
    return BGR_OK;
}

bgr_status bgr_pairs_are_few(const int8_t *counts_a, const int8_t *counts_b, int n_values, double seconds, int *few)
{
    double a, b;
    BGR_TRY(bgr_count_reachable(BGR_MAX_POINTS, counts_a, &a));
    BGR_TRY(bgr_count_reachable(BGR_MAX_POINTS, counts_b, &b));
    int uneven = a > 2 * b || b > 2 * a;
    *few = 2 * a * b * n_values / (uneven ? tuned_uneven_a_second : tuned_values_a_second) +
               (a + b) * tuned_position_seconds <=
           fmax(uneven ? tuned_more_uneven * seconds : seconds, tuned_any_seconds);
    return BGR_OK;
}

bgr_status bgr_graph_new(const bgr_space *space, const int64_t *indices, int64_t n, const bgr_work *work,
                         bgr_graph **graph)
{
    *graph = NULL;
    int64_t *sorted = malloc((size_t)n * sizeof *sorted);
    bgr_graph *fresh = calloc(1, sizeof *fresh);
    bgr_status status = sorted && fresh ? BGR_OK : BGR_ERR_MEMORY;
    if (fresh)
        fresh->holders.n = 1;
    if (status == BGR_OK) {
        memcpy(sorted, indices, (size_t)n * sizeof *sorted);
        qsort(sorted, (size_t)n, sizeof *sorted, bgr_compare_indices);
        if (sorted[0] < 0 || sorted[n - 1] >= space->size)
            status = BGR_ERR_INDEX;
        else if (sorted[n - 1] >= max_index)
            status = BGR_ERR_SIZE;
        else if (sorted[0] != 0)
            status = BGR_ERR_CLOSED;
        for (int64_t i = 1; status == BGR_OK && i < n; i++)
            if (sorted[i] == sorted[i - 1])
                status = BGR_ERR_INDEX;
    }
    if (status == BGR_OK) {
        fresh->n = n;
        fresh->start = calloc((size_t)n * BGR_N_ROLLS + 1, sizeof *fresh->start);
        fresh->checkers = malloc((size_t)n);
        status = fresh->start && fresh->checkers ? fill(space, sorted, work, fresh) : BGR_ERR_MEMORY;
    }
    free(sorted);
    BGR_HAND_OVER(status, fresh, graph, bgr_graph_free);
}

void bgr_choices_free(bgr_choices *choices)
{
    BGR_FREE(choices->start, choices->shape_start, choices->result, choices->shape);
    memset(choices, 0, sizeof *choices);
}

void bgr_graph_free(bgr_graph *graph)
{
    if (!graph || !bgr_let_go(&graph->holders))
        return;
    bgr_choices_free(&graph->best);
    BGR_FREE(graph->kept, graph->n_kept);
    bgr_levels_free(&graph->levels);
    BGR_FREE(graph->checkers, graph->start, graph->result, graph);
}

int64_t bgr_graph_size(const bgr_graph *graph) { return graph->n; }

void bgr_graph_indices(const bgr_graph *graph, int64_t *indices)
{
    for (int64_t r = 0; r < graph->n; r++)
        indices[r] = graph->levels.index[r];
}
