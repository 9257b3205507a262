/* The race of the single-checker model: two pip counts, from which the points of the rolls are subtracted in turn.
 *
 * The value of a pair (k, s), k the player on roll, comes from the pairs (s, k - points) after a roll, with the
 * opponent on roll.  With n the greater of the two counts, all of these have a smaller n, or the same n with a smaller
 * sum; so the pairs are filled by rising n, and for a given n first (n, s) and (s, n) by rising s < n, then (n, n).  A
 * pair reads 13 neighbours in one row of the table, which the cache holds.
 *
 * Weighted sums are divided by 36 once: sums of weights times +1 or -1 are exact, and so are ties that depend on them,
 * such as the take at 27/36. */

#include "solve/race.h"

#include "base/dice.h"

#include <math.h>

/* The mean of the opponent's row after a roll of the player at k. */
static double after_roll(const double *opponent_row, int k)
{
    double sum = 0;
    for (int r = 0; r < BGR_N_TOTALS; r++)
        sum += bgr_totals[r].ways * opponent_row[k > bgr_totals[r].points ? k - bgr_totals[r].points : 0];
    return sum / 36;
}

void bgr_race_win_probabilities(int limit, double *win_probability)
{
    const int64_t width = (int64_t)limit + 1;
    double *const table = win_probability;
    table[0] = NAN; /* both have finished: not a race */
    for (int n = 1; n <= limit; n++) {
        table[n] = 1;
        table[n * width] = 0;
        for (int s = 1; s <= n; s++) {
            table[n * width + s] = 1 - after_roll(table + s * width, n);
            table[s * width + n] = 1 - after_roll(table + n * width, s);
        }
    }
}

/* The tables that bgr_race_equities fills. */
typedef struct {
    double *cubeless, *centered, *mine, *theirs, *no_double_centered, *no_double_mine;
    int64_t width;
} equity_tables;

static void fill_finished(const equity_tables *e, int k, int s, double value)
{
    const int64_t at = k * e->width + s;
    e->centered[at] = e->mine[at] = e->theirs[at] = e->no_double_centered[at] = e->no_double_mine[at] = value;
    if (e->cubeless)
        e->cubeless[at] = value;
}

static void fill_pair(const equity_tables *e, int k, int s)
{
    const int64_t at = k * e->width + s, opponent = s * e->width;
    const double theirs = -after_roll(e->mine + opponent, k), mine = -after_roll(e->theirs + opponent, k),
                 centered = -after_roll(e->centered + opponent, k), doubled = fmin(2 * theirs, 1);
    e->theirs[at] = theirs;
    e->no_double_mine[at] = mine;
    e->no_double_centered[at] = centered;
    e->mine[at] = fmax(mine, doubled);
    e->centered[at] = fmax(centered, doubled);
    if (e->cubeless)
        e->cubeless[at] = -after_roll(e->cubeless + opponent, k);
}

void bgr_race_equities(int limit, double *cubeless, double *centered, double *mine, double *theirs,
                       double *no_double_centered, double *no_double_mine)
{
    const equity_tables e = {cubeless, centered, mine, theirs, no_double_centered, no_double_mine, (int64_t)limit + 1};
    fill_finished(&e, 0, 0, 1);
    for (int n = 1; n <= limit; n++) {
        fill_finished(&e, 0, n, 1);
        fill_finished(&e, n, 0, -1);
        for (int s = 1; s < n; s++) {
            fill_pair(&e, n, s);
            fill_pair(&e, s, n);
        }
        fill_pair(&e, n, n);
    }
}
