/* Two players in double precision, for any list of cube states.
 *
 * The same operator and the same order by levels as in two_sided.c, without its squeezing: rows of V hold, for each
 * position of the opponent, one value for each state, and the maximum over results goes element by element along the
 * row.  With E of the opponent (what he has on roll with the right to double)
 *
 *     V[x][j][state] = total - E_opponent(j, x)[seen]
 *     E[state]       = N[state], or max(N[state], min(factor * N[turned], pass)) where he may double. */

#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 16, CHUNK = 256 }; /* positions on roll, and values of a row, that are worked on at a time */

typedef struct {
    const bgr_graph *graph;
    const bgr_cube_state *states;
    double *table;  /* this side on roll */
    double *values; /* V of this side's moves */
} side;

typedef struct {
    side sides[2];
    int n_states, gammon_checkers, n_threads;
    double total;
} solver;

static int is_gammon(const solver *s, const side *loser, int64_t rank)
{
    return s->gammon_checkers && loser->graph->checkers[rank] == s->gammon_checkers;
}

/* Games that are over. */
static void set_finished(const solver *s, side *mover, const side *opponent)
{
    int64_t n = mover->graph->n, m = opponent->graph->n;
    for (int state = 0; state < s->n_states; state++) {
        const bgr_cube_state *mine = &mover->states[state], *theirs = &opponent->states[mine->seen];
        for (int64_t j = 0; j < m; j++) {
            double won = is_gammon(s, opponent, j) ? mine->gammon : mine->win;
            mover->values[j * s->n_states + state] = won;
            mover->table[j * s->n_states + state] = won;
        }
        for (int64_t i = 0; i < n; i++) {
            double lost = s->total - (is_gammon(s, mover, i) ? theirs->gammon : theirs->win);
            mover->table[i * m * s->n_states + state] = lost;
        }
    }
}

/* row[first .. first + length - 1] of the position on roll: the mean over the rolls of the greatest V.  Maxima are
 * exact and sums keep their order, so every width gives the same bits. */
BGR_EVERY_WIDTH static void operate(const side *roller, int64_t rank, int64_t width, int64_t first, int length,
                                    double *row)
{
    const bgr_graph *graph = roller->graph;
    for (int e = 0; e < length; e++)
        row[e] = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const int64_t *start = graph->start + rank * BGR_N_ROLLS + roll;
        double best[CHUNK], weight = bgr_rolls[roll].weight;
        memcpy(best, roller->values + graph->result[start[0]] * width + first, (size_t)length * sizeof *best);
        for (int64_t k = start[0] + 1; k < start[1]; k++) {
            const double *v = roller->values + graph->result[k] * width + first;
            for (int e = 0; e < length; e++)
                best[e] = v[e] > best[e] ? v[e] : best[e];
        }
        for (int e = 0; e < length; e++)
            row[e] += weight * best[e];
    }
    for (int e = 0; e < length; e++)
        row[e] /= 36;
}

/* Solve up to ROWS positions on roll, from rank `top`, against the opponent's ranks first .. last - 1, a chunk's
 * worth. */
static void solve_patch(const solver *s, side *roller, side *opponent, int64_t top, int64_t bottom, int64_t first,
                        int64_t last)
{
    int64_t n = roller->graph->n, m = opponent->graph->n;
    int length = (int)(last - first) * s->n_states;
    for (int64_t i = top; i < bottom; i++)
        operate(roller, i, m * s->n_states, first * s->n_states, length, roller->table + (i * m + first) * s->n_states);
    for (int64_t j = first; j < last; j++)
        for (int64_t i = top; i < bottom; i++) {
            const double *worth = roller->table + (i * m + j) * s->n_states;
            double *met = opponent->values + (j * n + i) * s->n_states;
            for (int state = 0; state < s->n_states; state++) {
                int seen = opponent->states[state].seen;
                const bgr_cube_state *his = &roller->states[seen];
                double best = worth[seen];
                if (his->turned >= 0) {
                    double taken = his->factor * worth[his->turned];
                    double doubled = taken < his->pass ? taken : his->pass;
                    if (doubled > best)
                        best = doubled;
                }
                met[state] = s->total - best;
            }
        }
}

/* Ranks top .. bottom - 1 on roll against ranks first .. last - 1. */
static void solve_block(const solver *s, side *roller, side *opponent, int64_t top, int64_t bottom, int64_t first,
                        int64_t last)
{
    int64_t step = CHUNK / s->n_states, n_across = (last - first + step - 1) / step,
            n_down = (bottom - top + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(dynamic) num_threads(s->n_threads) if (n_across * n_down > 16)
    for (int64_t patch = 0; patch < n_across * n_down; patch++) {
        int64_t i = top + patch % n_down * ROWS, j = first + patch / n_down * step;
        solve_patch(s, roller, opponent, i, i + ROWS < bottom ? i + ROWS : bottom, j,
                    j + step < last ? j + step : last);
    }
}

/* The first rank of a level; past the greatest level, the number of ranks. */
static int64_t level_rank(const side *mine, int level)
{
    return level < mine->graph->levels.n_levels ? mine->graph->levels.start[level] : mine->graph->n;
}

static bgr_status solve(solver *s, bgr_progress progress, void *context)
{
    side *a = &s->sides[0], *b = &s->sides[1];
    int n_levels = a->graph->levels.n_levels;
    if (b->graph->levels.n_levels > n_levels)
        n_levels = b->graph->levels.n_levels;
    set_finished(s, a, b);
    set_finished(s, b, a);
    for (int level = 1; level < n_levels; level++) {
        int64_t a_first = level_rank(a, level), a_last = level_rank(a, level + 1), b_first = level_rank(b, level),
                b_last = level_rank(b, level + 1);
        solve_block(s, a, b, a_first, a_last, 1, b_first);
        solve_block(s, b, a, b_first, b_last, 1, a_first);
        solve_block(s, a, b, 1, a_last, b_first, b_last);
        solve_block(s, b, a, 1, b_last, a_first, a_last);
        if (progress && progress(context, level, a_last * b_last * 2, a->graph->n * b->graph->n * 2))
            return BGR_ERR_STOPPED;
    }
    return BGR_OK;
}

static int states_make_sense(const bgr_cube_state *states, int n_states)
{
    for (int k = 0; k < n_states; k++)
        if (states[k].seen < 0 || states[k].seen >= n_states || states[k].turned >= n_states)
            return 0;
    return 1;
}

bgr_status bgr_solve_exactly(const bgr_graph *a, const bgr_graph *b, const bgr_cube_state *states_a,
                             const bgr_cube_state *states_b, int n_states, int gammon_checkers, double total,
                             int n_threads, bgr_progress progress, void *context, double *table_a, double *table_b)
{
    if (n_states < 1 || n_states > BGR_MAX_STATES || n_threads < 1 || !states_make_sense(states_a, n_states) ||
        !states_make_sense(states_b, n_states))
        return BGR_ERR_SIZE;
    size_t n_bytes = (size_t)a->n * (size_t)b->n * (size_t)n_states * sizeof(double);
    solver s = {{{a, states_a, table_a, bgr_reserve(n_bytes, 1)}, {b, states_b, table_b, bgr_reserve(n_bytes, 1)}},
                n_states,
                gammon_checkers,
                n_threads,
                total};
    bgr_status status = BGR_ERR_MEMORY;
    if (s.sides[0].values && s.sides[1].values)
        status = solve(&s, progress, context);
    bgr_unreserve(s.sides[0].values, n_bytes);
    bgr_unreserve(s.sides[1].values, n_bytes);
    return status;
}
