/* The efficiency of the cube in a race, by the chance to win and the length of the race.
 *
 * How much the dice change the chance to win from turn to turn hardly depends on the position: in two races of equal
 * length and equal chances, the cube has about the same value.  The race solved here has one checker a side and no
 * wastage: n pips take M(n) rolls on average.  The chart of its values is by the mean of both sides' M and by the
 * chance to win. */

#include "solve/cube_chart.h"

#include "base/dice.h"
#include "base/try.h"
#include "solve/race.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_PIPS = 132,
    N_LENGTHS = 61, /* mean rolls from 1 in steps of a quarter */
    N_CHANCES = 81  /* from 0 to 1, with both corners of a live cube */
};

static const double length_step = 0.25, pip_step = 0.25;

struct bgr_cube_chart {
    float life[N_LENGTHS][N_CHANCES][BGR_CHART_STATES];
};

/* Equities of the player on roll, by the pips of both sides: of rolling without doubling, for each state of a chart,
 * and of cubeless play; then of the right to double. */
enum { CUBELESS = BGR_CHART_STATES, N_VALUES, DOUBLED = N_VALUES, N_PLANES = N_VALUES + 2 };
typedef double pip_values[N_PLANES][MAX_PIPS + 1][MAX_PIPS + 1];

/* The fractional number of pips with this mean number of rolls. */
static double pips_of_rolls(double rolls)
{
    double mean[MAX_PIPS + 1] = {0};
    for (int x = 1; x <= MAX_PIPS; x++) {
        double sum = 0;
        for (const bgr_total *t = bgr_totals; t < bgr_totals + BGR_N_TOTALS; t++)
            sum += t->points < x ? t->ways * mean[x - t->points] : 0;
        mean[x] = 1 + sum / 36;
    }
    /* One to three pips always take one roll: the mean rises from three on. */
    int x = bgr_totals[0].points;
    while (x < MAX_PIPS - 1 && mean[x + 1] < rolls)
        x++;
    return x + (rolls - mean[x]) / (mean[x + 1] - mean[x]);
}

/* Interpolate values at fractional pips, bilinearly. */
static void values_between(pip_values values, double x, double y, double *between)
{
    int i = (int)x < MAX_PIPS ? (int)x : MAX_PIPS - 1, j = (int)y < MAX_PIPS ? (int)y : MAX_PIPS - 1;
    double a = x - i, b = y - j;
    for (int k = 0; k < N_VALUES; k++)
        between[k] = (1 - a) * ((1 - b) * values[k][i][j] + b * values[k][i][j + 1]) +
                     a * ((1 - b) * values[k][i + 1][j] + b * values[k][i + 1][j + 1]);
}

/* The value with a live cube, for a state of a chart. */
static double live_value(int state, double win)
{
    double low = state == BGR_CHART_MINE ? 0 : BGR_CHART_TAKE, high = state == BGR_CHART_THEIRS ? 1 : BGR_CHART_CASH;
    return fmin(fmax(2 * (win - low) / (high - low) - 1, -1), 1);
}

static void set_life(double win, const double *equities, float *life)
{
    double dead = 2 * win - 1;
    for (int state = 0; state < BGR_CHART_STATES; state++) {
        double room = live_value(state, win) - dead;
        double share = fabs(room) > 1e-9 ? (equities[state] - dead) / room : 0;
        life[state] = (float)fmin(fmax(share, 0), 1);
    }
}

/* Fill in one length: chances rise along its races, from far behind to far ahead. */
static void fill_length(pip_values values, double pips, float (*life)[BGR_CHART_STATES])
{
    double all = 2 * pips, x = fmin(all - 1, MAX_PIPS), before[N_VALUES], at[N_VALUES];
    int next = 1;
    values_between(values, x, all - x, before);
    for (; x - pip_step >= 1 && all - x + pip_step <= MAX_PIPS && next < N_CHANCES - 1; x -= pip_step) {
        values_between(values, x - pip_step, all - x + pip_step, at);
        for (; next < N_CHANCES - 1 && (1 + at[CUBELESS]) / 2 > next / (N_CHANCES - 1.0); next++) {
            double win = next / (N_CHANCES - 1.0),
                   share = (2 * win - 1 - before[CUBELESS]) / (at[CUBELESS] - before[CUBELESS]);
            double equities[BGR_CHART_STATES];
            for (int k = 0; k < BGR_CHART_STATES; k++)
                equities[k] = before[k] + share * (at[k] - before[k]);
            if (share >= 0)
                set_life(win, equities, life[next]);
        }
        for (int k = 0; k < N_VALUES; k++)
            before[k] = at[k];
    }
}

bgr_status bgr_cube_chart_new(bgr_cube_chart **chart)
{
    *chart = NULL;
    bgr_cube_chart *fresh = calloc(1, sizeof *fresh);
    pip_values *values = calloc(1, sizeof *values);
    bgr_status status = fresh && values ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        bgr_race_equities(MAX_PIPS, (*values)[CUBELESS][0], (*values)[DOUBLED][0], (*values)[DOUBLED + 1][0],
                          (*values)[BGR_CHART_THEIRS][0], (*values)[BGR_CHART_CENTERED][0],
                          (*values)[BGR_CHART_MINE][0]);
    for (int k = 0; status == BGR_OK && k < N_LENGTHS; k++)
        fill_length(*values, pips_of_rolls(1 + k * length_step), fresh->life[k]);
    free(values);
    BGR_HAND_OVER(status, fresh, chart, bgr_cube_chart_free);
}

void bgr_cube_chart_free(bgr_cube_chart *chart) { free(chart); }

void bgr_cube_chart_life(const bgr_cube_chart *chart, double mean_rolls, double win, double *life)
{
    double length = fmin(fmax((mean_rolls - 1) / length_step, 0), N_LENGTHS - 1.001), at = win * (N_CHANCES - 1);
    at = fmin(fmax(at, 0), N_CHANCES - 1.001);
    int i = (int)length, j = (int)at;
    double a = length - i, b = at - j;
    const float (*low)[BGR_CHART_STATES] = &chart->life[i][j], (*high)[BGR_CHART_STATES] = &chart->life[i + 1][j];
    for (int k = 0; k < BGR_CHART_STATES; k++)
        life[k] = (1 - a) * ((1 - b) * (double)low[0][k] + b * (double)low[1][k]) +
                  a * ((1 - b) * (double)high[0][k] + b * (double)high[1][k]);
}
