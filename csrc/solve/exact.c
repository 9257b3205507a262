/* Two players in double precision, for any list of planes.
 *
 * The same operator and the same order by levels as in two_sided.c, without its 16-bit encoding.  With E the value of
 * being on roll with the right to double,
 *
 *     V[x][j][plane] = - E_opponent(j, x)[plane]
 *     E[plane]       = N[plane], or max(N[plane], min(factor * N[turned] + offset, passed)) where doubling is allowed
 *
 * where N, the value of rolling, is the mean over the rolls of the greatest V, element by element for all planes.  With
 * one graph the opponent sees the plane with the sides exchanged.
 *
 * Shape.  Ranks are in blocks of 8 within a band.  A stripe of V holds the columns of one block for all rows,
 * and a row of it one line of 8 columns for each plane.  Many planes make a stripe that is larger than a cache, so it
 * is cut into groups of at most 8 lines, which are solved one after another. */

#include "solve/exact.h"

#include "base/memory.h"
#include "base/try.h"
#include "simd/kernels.h"
#include "solve/pairs.h"

#include <string.h>

enum {
    PLANES_OF_GROUP = 8,
    BLOCKS_AT_A_TIME = 8, /* blocks of positions on roll that are solved at a time */
    CHUNK_RANKS = BLOCKS_AT_A_TIME * BGR_LINE,
    BAND_LEVELS = 3,
    MAX_EXCESS = 4, /* memory of another solution is used if it is at most this many times as large as needed */
    FEW_TASKS = 128 /* waking other threads takes longer than solving fewer */
};

typedef struct {
    const bgr_pair_blocks *blocks;
    const bgr_graph *graph;
    int view;                   /* the side of the planes, 0 or 1, as which it sees them */
    const bgr_choices *choices; /* those of the graph, or `all` */
    bgr_choices all;            /* with every result */
    double *table;              /* values with this side on roll; or NULL */
    double *values; /* V of this side's moves: [block of the opponent][group of lines][rank][line][column] */
} exact_side;

struct bgr_exact {
    bgr_pairs pairs;
    exact_side sides[2];
    bgr_exact_memory memory; /* of all values */
    int n_planes, n_groups, gammon_checkers;
    bgr_plane planes[BGR_MAX_PLANES];
    int seen[BGR_MAX_PLANES]; /* by plane: the plane for side 0 that the opponent sees as this one */
    const bgr_rows_double *rows;
};

static const exact_side *other(const bgr_exact *s, const exact_side *one)
{
    return &s->sides[bgr_other_side(&s->pairs, (int)(one - s->sides))];
}

/* ------------------------------------------------------------------ shape */

static int group_line(const bgr_exact *s, int group) { return group * s->n_planes / s->n_groups; }

/* The address of row 0 of a group, in the stripe of a block of the opponent. */
static double *group_of(const bgr_exact *s, const exact_side *mover, int64_t block, int group)
{
    return mover->values + (block * s->n_planes + group_line(s, group)) * mover->graph->n * BGR_LINE;
}

/* ------------------------------------------------------------------ solving */

static double value_won(const bgr_exact *s, const exact_side *winner, const exact_side *loser, int64_t loser_rank,
                        int plane)
{
    int gammon = s->gammon_checkers && loser->graph->checkers[loser_rank] == s->gammon_checkers;
    return s->planes[plane].win[gammon ? BGR_LOST_GAMMON : BGR_LOST_SINGLE][winner->view];
}

static double lost(const bgr_exact *s, const exact_side *loser, const exact_side *winner, int64_t loser_rank, int plane)
{
    return 0 - value_won(s, winner, loser, loser_rank, s->seen[plane]);
}

/* Set the values of finished games.  This writes to fresh memory, which is slow: 5 milliseconds between calls of
 * progress, and on virtual machines up to ten times as long. */
static bgr_status set_finished(bgr_exact *s, exact_side *mover, const bgr_exact_options *options)
{
    static const int64_t bytes_between_calls = 1 << 24;
    const exact_side *opponent = other(s, mover);
    int64_t n = mover->graph->n, m = opponent->graph->n, n_blocks = opponent->blocks->n;
    int64_t stripe_bytes = n * s->n_planes * BGR_LINE * (int64_t)sizeof(double), bytes = 0;
    for (int64_t block = 0; block < n_blocks; block++) {
        if ((bytes += stripe_bytes) >= bytes_between_calls) {
            bytes = 0;
            if (bgr_tell(&options->work, 0, 0, n * m * s->pairs.n_sides))
                return BGR_ERR_STOPPED;
        }
        for (int group = 0; group < s->n_groups; group++) {
            double *line = group_of(s, mover, block, group);
            for (int plane = group_line(s, group); plane < group_line(s, group + 1); plane++, line += BGR_LINE)
                for (int j = 0; j < opponent->blocks->n_ranks[block]; j++)
                    line[j] = value_won(s, mover, opponent, opponent->blocks->rank[block] + j, plane);
        }
    }
    if (!mover->table)
        return BGR_OK;
    for (int plane = 0; plane < s->n_planes; plane++) {
        for (int64_t j = 0; j < m; j++)
            mover->table[j * s->n_planes + plane] = value_won(s, mover, opponent, j, plane);
        for (int64_t i = 0; i < n; i++)
            mover->table[i * m * s->n_planes + plane] = lost(s, mover, opponent, i, plane);
    }
    return BGR_OK;
}

/* now: [8 positions on roll][plane][8 of the opponent].  Turn them into rows of the opponent's V. */
static void meet_block(const bgr_exact *s, const exact_side *roller, const exact_side *opponent, int64_t block,
                       int64_t against, const double *now)
{
    int64_t first = opponent->blocks->rank[against];
    for (int group = 0; group < s->n_groups; group++) {
        int from = group_line(s, group), to = group_line(s, group + 1);
        double *rows = group_of(s, opponent, block, group) + first * (to - from) * BGR_LINE;
        const bgr_meeting meeting = {s->planes, roller->view, opponent->blocks->n_ranks[against],
                                     (int64_t)s->n_planes * BGR_LINE, (int64_t)(to - from) * BGR_LINE};
        for (int plane = from; plane < to; plane++, rows += BGR_LINE)
            s->rows->meet(now, s->seen[plane], &meeting, rows);
    }
}

static void keep_pair(const bgr_exact *s, const exact_side *roller, const exact_side *opponent, int64_t rank,
                      int64_t against, const double *now)
{
    double *out = roller->table + (rank * opponent->graph->n + opponent->blocks->rank[against]) * s->n_planes;
    for (int j = 0; j < opponent->blocks->n_ranks[against]; j++)
        for (int plane = 0; plane < s->n_planes; plane++)
            *out++ = now[plane * BGR_LINE + j];
}

/* Find the values of rolling now of blocks first .. end - 1 against one block of the other side, all planes. */
static void roll_chunk(const bgr_exact *s, const exact_side *roller, int64_t against, int64_t first, int64_t end,
                       double *room)
{
    int64_t length = s->n_planes * BGR_LINE;
    for (int group = 0; group < s->n_groups; group++) {
        int from = group_line(s, group), n_lines = group_line(s, group + 1) - from;
        const double *stripe = group_of(s, roller, against, group);
        for (int64_t block = first; block < end; block++)
            for (int i = 0; i < roller->blocks->n_ranks[block]; i++)
                s->rows->best(stripe, n_lines, bgr_rolls_of(roller->choices, roller->blocks->rank[block] + i),
                              room + ((block - first) * BGR_LINE + i) * length + from * BGR_LINE);
    }
}

/* Solve a task.  room_of_thread: CHUNK_RANKS * n_planes lines. */
static void solve_task(void *of, const bgr_pair_task *task, void *room_of_thread)
{
    const bgr_exact *s = of;
    const exact_side *roller = &s->sides[task->roller], *opponent = other(s, roller);
    double *room = room_of_thread;
    int64_t length = s->n_planes * BGR_LINE;
    for (int64_t chunk = task->first; chunk < task->last; chunk += BLOCKS_AT_A_TIME) {
        int64_t end = chunk + BLOCKS_AT_A_TIME < task->last ? chunk + BLOCKS_AT_A_TIME : task->last;
        roll_chunk(s, roller, task->against, chunk, end, room);
        for (int64_t block = chunk; block < end; block++) {
            const double *now = room + (block - chunk) * BGR_LINE * length;
            meet_block(s, roller, opponent, block, task->against, now);
            for (int i = 0; roller->table && i < roller->blocks->n_ranks[block]; i++)
                keep_pair(s, roller, opponent, roller->blocks->rank[block] + i, task->against, now + i * length);
        }
    }
}

/* Zeros, since padding is computed, too. */
static void *new_room(const void *of)
{
    const bgr_exact *s = of;
    return calloc((size_t)CHUNK_RANKS * (size_t)s->n_planes, BGR_LINE * sizeof(double));
}

/* ------------------------------------------------------------------ functions of exact.h */

/* Whether results that bgr_graph_compare leaves out may be left out: on every plane a win pays no less than a loss, a
 * gammon no less than a win, a win no less than a pass, and values rise with those after a double.  Then nothing pays
 * more than bearing off the last checker, and every value rises with those it is computed from. */
static int more_is_better(const bgr_exact *s, const exact_side *mover)
{
    int view = mover->view, opponent = other(s, mover)->view;
    for (int k = 0; k < s->n_planes; k++) {
        const bgr_plane *plane = &s->planes[k];
        double win = plane->win[BGR_LOST_SINGLE][view], gammon = plane->win[BGR_LOST_GAMMON][view];
        if (s->seen[s->seen[k]] != k || !(win + s->planes[s->seen[k]].win[BGR_LOST_SINGLE][opponent] >= 0) ||
            !(gammon >= win) ||
            (plane->turned[view] >= 0 && (!(plane->factor[view] >= 0) || !(plane->passed[view] <= win))) ||
            (s->gammon_checkers != mover->graph->gammon_checkers && gammon != win))
            return 0;
    }
    return 1;
}

static bgr_status choose_results(bgr_exact *s)
{
    int sensible = 1;
    for (int k = 0; k < s->pairs.n_sides; k++)
        sensible = sensible && more_is_better(s, &s->sides[k]);
    for (int k = 0; k < s->pairs.n_sides; k++) {
        exact_side *mover = &s->sides[k];
        int best = sensible && mover->graph->best.start;
        mover->choices = best ? &mover->graph->best : &mover->all;
        BGR_TRY(best ? BGR_OK : bgr_choices_all(mover->graph, &mover->all));
    }
    return BGR_OK;
}

/* Allocate the values of both sides, or use the given memory. */
static bgr_status find_room(bgr_exact *s, bgr_exact_memory *given)
{
    uint64_t n_lines[2] = {0, 0};
    for (int k = 0; k < s->pairs.n_sides; k++)
        n_lines[k] =
            (uint64_t)other(s, &s->sides[k])->blocks->n * (uint64_t)s->sides[k].graph->n * (uint64_t)s->n_planes;
    if (n_lines[0] + n_lines[1] > SIZE_MAX / 2 / (BGR_LINE * sizeof(double)))
        return BGR_ERR_MEMORY; /* only on 32 bits */
    size_t n_bytes = (size_t)(n_lines[0] + n_lines[1]) * BGR_LINE * sizeof(double) + BGR_LINE_BYTES;
    if (given && given->start && given->n_bytes >= n_bytes && given->n_bytes / MAX_EXCESS <= n_bytes) {
        s->memory = *given;
        given->start = NULL;
    } else {
        s->memory = (bgr_exact_memory){bgr_malloc_large(n_bytes), n_bytes};
        if (!s->memory.start)
            return BGR_ERR_MEMORY;
    }
    uintptr_t past = (uintptr_t)s->memory.start + BGR_LINE_BYTES; /* lines are whole lines of the processor's cache */
    s->sides[0].values = (double *)(past - past % BGR_LINE_BYTES);
    s->sides[1].values = s->sides[0].values + n_lines[0] * BGR_LINE;
    return BGR_OK;
}

bgr_status bgr_exact_new(const bgr_graph *a, const bgr_graph *b, const bgr_exact_options *options, double *table,
                         bgr_exact **exact)
{
    static const bgr_pair_steps steps = {
        .new_room = new_room, .solve = solve_task, .task_blocks = BLOCKS_AT_A_TIME, .few_tiles = FEW_TASKS};
    int n_planes = options->n_planes, n_sides = b ? 2 : 1;
    *exact = NULL;
    bgr_exact *s = calloc(1, sizeof *s);
    if (!s)
        return BGR_ERR_MEMORY;
    s->rows = &bgr_choose_kernels(options->path)->rows.in_double;
    s->n_planes = n_planes;
    s->sides[0].table = table;
    s->n_groups = (n_planes + PLANES_OF_GROUP - 1) / PLANES_OF_GROUP;
    s->gammon_checkers = options->gammon_checkers;
    memcpy(s->planes, options->planes, (size_t)n_planes * sizeof *s->planes);
    for (int k = 0; k < n_planes; k++)
        s->seen[k] = b ? k : options->exchanged[k];
    bgr_status status = bgr_pairs_init(&s->pairs, a, b, BGR_LINE, BAND_LEVELS);
    for (int k = 0; k < n_sides; k++) {
        s->sides[k].blocks = &s->pairs.sides[k];
        s->sides[k].graph = s->pairs.sides[k].graph;
        s->sides[k].view = k;
    }
    if (status == BGR_OK)
        status = choose_results(s);
    if (status == BGR_OK)
        status = find_room(s, options->memory);
    for (int k = 0; k < n_sides && status == BGR_OK; k++)
        status = set_finished(s, &s->sides[k], options);
    if (status == BGR_OK)
        status = bgr_solve_pairs(&s->pairs, &steps, s, &options->work);
    BGR_HAND_OVER(status, s, exact, bgr_exact_free);
}

void bgr_exact_values(const bgr_exact *s, int side_on_roll, int64_t rank, int64_t opponent_rank, double *values)
{
    const exact_side *roller = &s->sides[side_on_roll], *opponent = other(s, roller);
    for (int plane = 0; plane < s->n_planes && (rank == 0 || opponent_rank == 0); plane++)
        values[plane] = opponent_rank == 0 ? lost(s, roller, opponent, rank, plane)
                                           : value_won(s, roller, opponent, opponent_rank, plane);
    if (rank == 0 || opponent_rank == 0)
        return;
    int64_t block = bgr_block_of(&s->pairs, (int)(opponent - s->sides), opponent_rank),
            column = opponent_rank - opponent->blocks->rank[block];
    for (int group = 0; group < s->n_groups; group++) {
        int from = group_line(s, group), n_lines = group_line(s, group + 1) - from;
        double line[PLANES_OF_GROUP * BGR_LINE];
        s->rows->best(group_of(s, roller, block, group), n_lines, bgr_rolls_of(roller->choices, rank), line);
        for (int k = 0; k < n_lines; k++)
            values[from + k] = line[k * BGR_LINE + column];
    }
}

bgr_exact_memory bgr_exact_close(bgr_exact *exact)
{
    if (!exact)
        return (bgr_exact_memory){NULL, 0};
    bgr_exact_memory memory = exact->memory;
    for (int k = 0; k < exact->pairs.n_sides; k++)
        bgr_choices_free(&exact->sides[k].all);
    bgr_pairs_free(&exact->pairs);
    free(exact);
    return memory;
}

void bgr_exact_free_memory(bgr_exact_memory memory) { free(memory.start); }

void bgr_exact_free(bgr_exact *exact) { bgr_exact_free_memory(bgr_exact_close(exact)); }
