/* Bounds from clocks.
 *
 * Let C[k] be the greatest chance of side B to be off within k rolls, each k by a way to play of its own.  Side A plays
 * by its own position and the number of rolls alone.  Then its rolls tell B nothing that helps: whatever B does, given
 * all rolls of A, B is off within k rolls with a chance of C[k] at most.  What A gets falls as B is off sooner, so A
 * gets at least what it gets against a B that is off after roll k with a chance of C[k] - C[k-1].  The best that A can
 * do against that is found backward from the last roll, for all positions of A and all numbers of rolls:
 *
 *     V[x][i] = stage[x][i] + mean over the rolls of max over the results y of V[y][i - 1],    V[off][i] = finished[i]
 *
 * with i rolls left.  The clock itself is the same recursion without stages, all of V[off] being 1. */

#include "solve/clock.h"

#include "base/memory.h"
#include "solve/graph.h"

#include <stdlib.h>
#include <string.h>

enum { CLOCK_LINES = BGR_CLOCK_WIDTH / BGR_LINE };

typedef struct {
    double finished[BGR_CLOCK_WIDTH];
    double stage[2][BGR_CLOCK_WIDTH]; /* where a gammon would not be lost, and where it would */
} clock_race;

/* V[rank]; the rows of all ranks below it are worked out on the way.  last [out] */
static bgr_status solve_race(const bgr_graph *graph, const bgr_choices *choices, int64_t rank, bgr_row_function row,
                             const clock_race *race, double *last)
{
    size_t n_bytes = (size_t)(rank + 1) * BGR_CLOCK_WIDTH * sizeof(double);
    double *rows = bgr_reserve(n_bytes, BGR_LARGE_PAGES);
    if (!rows)
        return BGR_ERR_MEMORY;
    memcpy(rows, race->finished, sizeof race->finished);
    for (int64_t r = 1; r <= rank; r++) {
        double mean[BGR_CLOCK_WIDTH], *values = rows + r * BGR_CLOCK_WIDTH;
        const double *stage = race->stage[graph->checkers[r] == BGR_MAX_CHECKERS];
        row(rows, BGR_CLOCK_WIDTH, bgr_rolls_of(choices, r), mean);
        values[0] = stage[0];
        for (int i = 1; i < BGR_CLOCK_WIDTH; i++)
            values[i] = stage[i] + mean[i - 1];
    }
    memcpy(last, rows + rank * BGR_CLOCK_WIDTH, BGR_CLOCK_WIDTH * sizeof *last);
    bgr_unreserve(rows, n_bytes);
    return BGR_OK;
}

bgr_status bgr_clock_fastest(const bgr_graph *graph, const bgr_choices *choices, int64_t rank, bgr_row_function row,
                             bgr_clock clock)
{
    clock_race race = {{0}, {{0}}};
    for (int i = 0; i < BGR_CLOCK_WIDTH; i++)
        race.finished[i] = 1;
    return solve_race(graph, choices, rank, row, &race, clock);
}

/* The chance that the other side is off when this one has had `turn` rolls and it is the other one's turn. */
static double clock_at(const bgr_clock clock, int turn) { return turn < 0 ? 0 : clock[turn]; }

bgr_status bgr_clock_value(const bgr_graph *graph, const bgr_choices *choices, int64_t rank, bgr_row_function row,
                           const bgr_clock clock, int clock_first, const bgr_clock_payoff *payoff, double *value)
{
    bgr_clock values;
    clock_race race;
    for (int i = 0; i < BGR_CLOCK_WIDTH; i++) {
        int turn = BGR_CLOCK_ROLLS - i;
        double before = clock_at(clock, turn + clock_first - 1);
        double after = i ? clock_at(clock, turn + clock_first) : 1; /* then the rest is lost */
        race.finished[i] = (1 - before) * payoff->won;
        race.stage[0][i] = (after - before) * payoff->lost;
        race.stage[1][i] = (after - before) * payoff->lost_gammon;
    }
    bgr_status status = solve_race(graph, choices, rank, row, &race, values);
    if (status == BGR_OK)
        *value = values[BGR_CLOCK_ROLLS];
    return status;
}
