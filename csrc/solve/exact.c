/* Two players in double precision, for any list of cube states.
 *
 * The same operator and the same order by levels as in two_sided.c, without its squeezing.  With E of the opponent
 * (what he has on roll with the right to double)
 *
 *     V[x][j][state] = total - E_opponent(j, x)[seen]
 *     E[state]       = N[state], or max(N[state], min(factor * N[turned] + offset, pass)) where he may double
 *
 * and N of being on roll is the mean over the rolls of the greatest V: element by element for all states, because one
 * list of results serves them all.
 *
 * Shape.  Ranks are padded to blocks of 8 within a level.  A stripe of V holds the columns of one block for all rows,
 * and a row of it one line of 8 columns for each state.  Many states make a stripe that is larger than a cache, so it
 * is cut into groups of at most 8 lines, which are worked on one after another. */

#include "solve/exact.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUP_LINES = 8,
    CHUNK_BLOCKS = 8, /* blocks of positions on roll that are worked on at a time */
    CHUNK_RANKS = CHUNK_BLOCKS * BGR_LINE,
    FEW_TILES = 128 /* waking the other threads takes longer than solving so few */
};

typedef struct {
    const bgr_graph *graph;
    const bgr_cube_state *states;
    int64_t *level_block; /* n_levels + 1: the first block of each level */
    int64_t *block_rank;  /* its first rank */
    uint8_t *block_ranks; /* how many it has, 1 to 8 */
    double *table;        /* this side on roll; or NULL */
    double *values;       /* V of this side's moves: [block of the opponent][group of lines][rank][line][column] */
    size_t values_bytes;
} side;

struct bgr_exact {
    side sides[2];
    int n_sides, n_states, n_groups, n_levels, gammon_checkers;
    double total;
    bgr_cube_state states[2][BGR_MAX_STATES];
    bgr_exact_function row;
};

typedef struct {
    side *roller;
    int64_t first, last; /* his blocks */
    int64_t against;     /* a block of the other side */
} task;

static const side *other(const bgr_exact *s, const side *one)
{
    return s->n_sides == 2 ? &s->sides[one == s->sides] : one;
}

/* ------------------------------------------------------------------ shape */

static int group_line(const bgr_exact *s, int group) { return group * s->n_states / s->n_groups; }

/* Row 0 of the first line of a group, in the stripe of a block of the opponent. */
static double *group_of(const bgr_exact *s, const side *mover, int64_t block, int group)
{
    return mover->values + (block * s->n_states + group_line(s, group)) * mover->graph->n * BGR_LINE;
}

static bgr_status make_blocks(const bgr_exact *s, side *mine)
{
    const bgr_levels *levels = &mine->graph->levels;
    int64_t most = mine->graph->n / BGR_LINE + levels->n_levels, n_blocks = 0;
    mine->level_block = malloc(((size_t)s->n_levels + 1) * sizeof *mine->level_block);
    mine->block_rank = malloc((size_t)most * sizeof *mine->block_rank);
    mine->block_ranks = malloc((size_t)most);
    if (!mine->level_block || !mine->block_rank || !mine->block_ranks)
        return BGR_ERR_MEMORY;
    for (int level = 0; level < s->n_levels; level++) {
        mine->level_block[level] = n_blocks;
        if (level >= levels->n_levels)
            continue;
        for (int64_t rank = levels->start[level]; rank < levels->start[level + 1]; rank += BGR_LINE) {
            int64_t left = levels->start[level + 1] - rank;
            mine->block_rank[n_blocks] = rank;
            mine->block_ranks[n_blocks++] = (uint8_t)(left < BGR_LINE ? left : BGR_LINE);
        }
    }
    mine->level_block[s->n_levels] = n_blocks;
    return BGR_OK;
}

static int64_t ranks_up_to(const side *mine, int level)
{
    const bgr_levels *levels = &mine->graph->levels;
    return level < levels->n_levels ? levels->start[level + 1] : mine->graph->n;
}

/* ------------------------------------------------------------------ solving */

static double won(const bgr_exact *s, const side *winner, const side *loser, int64_t loser_rank, int state)
{
    int gammon = s->gammon_checkers && loser->graph->checkers[loser_rank] == s->gammon_checkers;
    return gammon ? winner->states[state].gammon : winner->states[state].win;
}

static double lost(const bgr_exact *s, const side *loser, const side *winner, int64_t loser_rank, int state)
{
    return s->total - won(s, winner, loser, loser_rank, loser->states[state].seen);
}

/* Games that are over. */
static void set_finished(bgr_exact *s, side *mover)
{
    const side *opponent = other(s, mover);
    int64_t n = mover->graph->n, m = opponent->graph->n, n_blocks = opponent->level_block[s->n_levels];
    for (int64_t block = 0; block < n_blocks; block++)
        for (int group = 0; group < s->n_groups; group++) {
            double *line = group_of(s, mover, block, group);
            for (int state = group_line(s, group); state < group_line(s, group + 1); state++, line += BGR_LINE)
                for (int j = 0; j < opponent->block_ranks[block]; j++)
                    line[j] = won(s, mover, opponent, opponent->block_rank[block] + j, state);
        }
    if (!mover->table)
        return;
    for (int state = 0; state < s->n_states; state++) {
        for (int64_t j = 0; j < m; j++)
            mover->table[j * s->n_states + state] = won(s, mover, opponent, j, state);
        for (int64_t i = 0; i < n; i++)
            mover->table[i * m * s->n_states + state] = lost(s, mover, opponent, i, state);
    }
}

/* now: [8 positions on roll][state][8 of the opponent].  What they make of the opponent's V. */
BGR_EVERY_WIDTH static void meet(const bgr_exact *s, const side *roller, const side *opponent, int64_t block,
                                 int64_t against, const double *now)
{
    int64_t first = opponent->block_rank[against];
    int n_ranks = opponent->block_ranks[against];
    for (int group = 0; group < s->n_groups; group++) {
        int from = group_line(s, group), to = group_line(s, group + 1);
        double *rows = group_of(s, opponent, block, group);
        for (int state = from; state < to; state++) {
            int seen = opponent->states[state].seen;
            const bgr_cube_state *his = &roller->states[seen];
            double met[BGR_LINE][BGR_LINE];
            for (int i = 0; i < BGR_LINE; i++) {
                const double *roll = now + (i * s->n_states + seen) * BGR_LINE;
                double best[BGR_LINE];
                memcpy(best, roll, sizeof best);
                if (his->turned >= 0) {
                    const double *turned = now + (i * s->n_states + his->turned) * BGR_LINE;
                    for (int j = 0; j < BGR_LINE; j++) {
                        double taken = his->factor * turned[j] + his->offset;
                        double doubled = taken < his->pass ? taken : his->pass;
                        best[j] = doubled > best[j] ? doubled : best[j];
                    }
                }
                for (int j = 0; j < BGR_LINE; j++)
                    met[j][i] = s->total - best[j];
            }
            for (int j = 0; j < n_ranks; j++)
                memcpy(rows + ((first + j) * (to - from) + state - from) * BGR_LINE, met[j], sizeof met[j]);
        }
    }
}

static void keep(const bgr_exact *s, const side *roller, const side *opponent, int64_t rank, int64_t against,
                 const double *now)
{
    double *out = roller->table + (rank * opponent->graph->n + opponent->block_rank[against]) * s->n_states;
    for (int j = 0; j < opponent->block_ranks[against]; j++)
        for (int state = 0; state < s->n_states; state++)
            *out++ = now[state * BGR_LINE + j];
}

/* room: CHUNK_RANKS * n_states lines. */
static void solve_task(const bgr_exact *s, const task *work, double *room)
{
    const side *roller = work->roller, *opponent = other(s, roller);
    int64_t length = s->n_states * BGR_LINE;
    for (int64_t chunk = work->first; chunk < work->last; chunk += CHUNK_BLOCKS) {
        int64_t end = chunk + CHUNK_BLOCKS < work->last ? chunk + CHUNK_BLOCKS : work->last;
        for (int group = 0; group < s->n_groups; group++) {
            int from = group_line(s, group), n_lines = group_line(s, group + 1) - from;
            const double *stripe = group_of(s, roller, work->against, group);
            for (int64_t block = chunk; block < end; block++)
                for (int i = 0; i < roller->block_ranks[block]; i++)
                    s->row(stripe, n_lines * BGR_LINE,
                           roller->graph->start + (roller->block_rank[block] + i) * BGR_N_ROLLS, roller->graph->result,
                           room + ((block - chunk) * BGR_LINE + i) * length + from * BGR_LINE);
        }
        for (int64_t block = chunk; block < end; block++) {
            const double *now = room + (block - chunk) * BGR_LINE * length;
            meet(s, roller, opponent, block, work->against, now);
            for (int i = 0; roller->table && i < roller->block_ranks[block]; i++)
                keep(s, roller, opponent, roller->block_rank[block] + i, work->against, now + i * length);
        }
    }
}

/* Every position of the level on roll against all that have fewer pips. */
static int64_t list_from_level(bgr_exact *s, side *roller, int level, task *tasks)
{
    const side *opponent = other(s, roller);
    int64_t first = roller->level_block[level], last = roller->level_block[level + 1], n = 0;
    /* Block 0 is the empty board, where the game is over. */
    for (int64_t against = 1; first < last && against < opponent->level_block[level]; against++)
        tasks[n++] = (task){roller, first, last, against};
    return n;
}

/* Every position up to the level on roll against those of the other side at the level. */
static int64_t list_against_level(bgr_exact *s, side *roller, int level, task *tasks)
{
    const side *opponent = other(s, roller);
    int64_t own_last = roller->level_block[level + 1], n = 0;
    for (int64_t against = opponent->level_block[level]; against < opponent->level_block[level + 1]; against++)
        for (int64_t first = 1; first < own_last; first += CHUNK_BLOCKS)
            tasks[n++] =
                (task){roller, first, first + CHUNK_BLOCKS < own_last ? first + CHUNK_BLOCKS : own_last, against};
    return n;
}

static bgr_status run(const bgr_exact *s, const task *tasks, int64_t n_tasks, int n_threads)
{
    int64_t n_tiles = 0;
    int failed = 0;
    for (int64_t k = 0; k < n_tasks; k++)
        n_tiles += tasks[k].last - tasks[k].first;
    (void)n_threads;
#pragma omp parallel num_threads(n_threads) reduction(| : failed) if (n_tiles > FEW_TILES)
    {
        /* zeros, because padding is worked on, too */
        double *room = calloc((size_t)CHUNK_RANKS * (size_t)s->n_states, BGR_LINE * sizeof *room);
        failed = !room;
#pragma omp for schedule(dynamic)
        for (int64_t k = 0; k < n_tasks; k++)
            if (room)
                solve_task(s, &tasks[k], room);
        free(room);
    }
    return failed ? BGR_ERR_MEMORY : BGR_OK;
}

static bgr_status solve(bgr_exact *s, const bgr_exact_options *o, task *tasks)
{
    const side *a = s->sides, *b = other(s, a);
    int64_t pairs = a->graph->n * b->graph->n * s->n_sides;
    bgr_status status = BGR_OK;
    for (int level = 1; level < s->n_levels && status == BGR_OK; level++) {
        int64_t n = 0;
        for (int k = 0; k < s->n_sides; k++)
            n += list_from_level(s, &s->sides[k], level, tasks + n);
        status = run(s, tasks, n, o->n_threads);
        n = 0;
        for (int k = 0; k < s->n_sides; k++)
            n += list_against_level(s, &s->sides[k], level, tasks + n);
        if (status == BGR_OK)
            status = run(s, tasks, n, o->n_threads);
        int64_t done = ranks_up_to(a, level) * ranks_up_to(b, level) * s->n_sides;
        if (status == BGR_OK && o->progress && o->progress(o->context, level, done, pairs))
            status = BGR_ERR_STOPPED;
    }
    return status;
}

/* ------------------------------------------------------------------ from outside */

static bgr_exact_function choose_row(bgr_path path)
{
    static const struct {
        bgr_path path;
        bgr_exact_function row;
    } order[] = {{BGR_PATH_AVX512, bgr_exact_avx512},
                 {BGR_PATH_AVX2, bgr_exact_avx2},
                 {BGR_PATH_SSE2, bgr_exact_sse2},
                 {BGR_PATH_NEON, bgr_exact_neon},
                 {BGR_PATH_SCALAR, bgr_exact_scalar}};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((path == BGR_PATH_BEST || path == order[k].path) && bgr_path_available(order[k].path))
            return order[k].row;
    return NULL;
}

void bgr_exact_scalar(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    double best[GROUP_LINES * BGR_LINE];
    for (int e = 0; e < length; e++)
        out[e] = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        memcpy(best, stripe + (int64_t)result[start[roll]] * length, (size_t)length * sizeof *best);
        for (int64_t k = start[roll] + 1; k < start[roll + 1]; k++) {
            const double *row = stripe + (int64_t)result[k] * length;
            for (int e = 0; e < length; e++)
                best[e] = row[e] > best[e] ? row[e] : best[e];
        }
        for (int e = 0; e < length; e++)
            out[e] += bgr_rolls[roll].weight * best[e];
    }
    for (int e = 0; e < length; e++)
        out[e] /= 36;
}

static int states_make_sense(const bgr_cube_state *states, int n_states)
{
    for (int k = 0; k < n_states; k++)
        if (states[k].seen < 0 || states[k].seen >= n_states || states[k].turned >= n_states)
            return 0;
    return 1;
}

static bgr_status prepare(bgr_exact *s, side *mover)
{
    const side *opponent = other(s, mover);
    size_t n_lines = (size_t)opponent->level_block[s->n_levels] * (size_t)mover->graph->n * (size_t)s->n_states;
    mover->values_bytes = n_lines * BGR_LINE * sizeof(double);
    mover->values = bgr_reserve(mover->values_bytes, 1);
    if (!mover->values)
        return BGR_ERR_MEMORY;
    set_finished(s, mover);
    return BGR_OK;
}

bgr_status bgr_exact_new(const bgr_graph *a, const bgr_graph *b, const bgr_exact_options *options, double *table_a,
                         double *table_b, bgr_exact **exact)
{
    const bgr_cube_state *states[2] = {options->states_a, options->states_b};
    const bgr_graph *graphs[2] = {a, b};
    double *tables[2] = {table_a, table_b};
    int n_states = options->n_states, n_sides = b ? 2 : 1;
    bgr_exact_function row = choose_row(options->path);
    *exact = NULL;
    if (!row || n_states < 1 || n_states > BGR_MAX_STATES || options->n_threads < 1)
        return BGR_ERR_SIZE;
    for (int k = 0; k < n_sides; k++)
        if (!states_make_sense(states[k], n_states))
            return BGR_ERR_SIZE;
    bgr_exact *s = calloc(1, sizeof *s);
    if (!s)
        return BGR_ERR_MEMORY;
    s->row = row;
    s->n_sides = n_sides;
    s->n_states = n_states;
    s->n_groups = (n_states + GROUP_LINES - 1) / GROUP_LINES;
    s->gammon_checkers = options->gammon_checkers;
    s->total = options->total;
    bgr_status status = BGR_OK;
    int64_t most_tasks = 0;
    for (int k = 0; k < n_sides; k++) {
        memcpy(s->states[k], states[k], (size_t)n_states * sizeof *states[k]);
        s->sides[k].graph = graphs[k];
        s->sides[k].states = s->states[k];
        s->sides[k].table = tables[k];
        if (graphs[k]->levels.n_levels > s->n_levels)
            s->n_levels = graphs[k]->levels.n_levels;
    }
    for (int k = 0; k < n_sides && status == BGR_OK; k++) {
        status = make_blocks(s, &s->sides[k]);
        if (status == BGR_OK)
            most_tasks += s->sides[k].level_block[s->n_levels];
    }
    for (int k = 0; k < n_sides && status == BGR_OK; k++)
        status = prepare(s, &s->sides[k]);
    task *tasks = malloc((size_t)most_tasks * (size_t)(most_tasks / CHUNK_BLOCKS + 1) * sizeof *tasks);
    if (status == BGR_OK)
        status = tasks ? solve(s, options, tasks) : BGR_ERR_MEMORY;
    free(tasks);
    if (status == BGR_OK)
        *exact = s;
    else
        bgr_exact_free(s);
    return status;
}

/* The block in which a rank is. */
static int64_t block_of(const side *mine, int64_t rank)
{
    int level = 0;
    while (mine->graph->levels.start[level + 1] <= rank)
        level++;
    return mine->level_block[level] + (rank - mine->graph->levels.start[level]) / BGR_LINE;
}

bgr_status bgr_exact_values(const bgr_exact *s, int side_on_roll, int64_t rank, int64_t opponent_rank, double *values)
{
    if (side_on_roll < 0 || side_on_roll >= s->n_sides)
        return BGR_ERR_INDEX;
    const side *roller = &s->sides[side_on_roll], *opponent = other(s, roller);
    if (rank < 0 || rank >= roller->graph->n || opponent_rank < 0 || opponent_rank >= opponent->graph->n)
        return BGR_ERR_INDEX;
    for (int state = 0; state < s->n_states && (rank == 0 || opponent_rank == 0); state++)
        values[state] = opponent_rank == 0 ? lost(s, roller, opponent, rank, state)
                                           : won(s, roller, opponent, opponent_rank, state);
    if (rank == 0 || opponent_rank == 0)
        return BGR_OK;
    int64_t block = block_of(opponent, opponent_rank), column = opponent_rank - opponent->block_rank[block];
    for (int group = 0; group < s->n_groups; group++) {
        int from = group_line(s, group), n_lines = group_line(s, group + 1) - from;
        double line[GROUP_LINES * BGR_LINE];
        s->row(group_of(s, roller, block, group), n_lines * BGR_LINE, roller->graph->start + rank * BGR_N_ROLLS,
               roller->graph->result, line);
        for (int k = 0; k < n_lines; k++)
            values[from + k] = line[k * BGR_LINE + column];
    }
    return BGR_OK;
}

void bgr_exact_free(bgr_exact *exact)
{
    for (int k = 0; exact && k < exact->n_sides; k++) {
        free(exact->sides[k].level_block);
        free(exact->sides[k].block_rank);
        free(exact->sides[k].block_ranks);
        bgr_unreserve(exact->sides[k].values, exact->sides[k].values_bytes);
    }
    free(exact);
}
