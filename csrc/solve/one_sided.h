/* One player alone, who plays for the least mean number of rolls. */
#pragma once

#include "base/dice.h"
#include "solve/solver.h"

/* ------------------------------------------------------------------ the best result of each roll, from results of
 * single dice */

/* Means of different positions differ by at least 3.77e-7 rolls on six points unless their distributions are equal;
 * equal ones differ by rounding only. */
#define BGR_TIE 1e-10

/* Offsets of best results of equal dice, six each: of three dice, of one, of two.  In this order the elements for one
 * size are within 16 of each other. */
enum { BGR_THREE_DICE = 0, BGR_ONE_DIE = 6, BGR_TWO_DICE = 12, BGR_N_CHAINS = 18 };

/* The element for 1 to 3 dice of one size. */
static inline int bgr_chain(int dice, int size) { return 6 * (dice % 3) + size - 1; }

/* Results of single dice, as places in tables: an index, or in a layer a slot. */
typedef struct {
    int32_t result[6][BGR_MAX_POINTS]; /* by size of the die */
    int n_results[6];                  /* at least 1 */
} dice_results;

/* The best result of each roll. */
typedef struct {
    int32_t place[BGR_N_ROLLS];
    double mean[BGR_N_ROLLS];
} play_choices;

/* Replace the best place so far if `place` is better. */
static inline void consider(const double *mean, int32_t place, int32_t *best, double *least)
{
    double value = mean[place], difference = value - *least;
    int better = (difference < -BGR_TIE) | ((difference <= BGR_TIE) & (place < *best));
    *best = better ? place : *best;
    *least = better ? value : *least;
}

/* Find the best result of each roll; with chain, also those of one, two and three equal dice.  any_order: two dice up
 * to this size have the same results in either order, so only the larger one is played first. */
static inline void choose_best(const double *mean, const int32_t *chains, const dice_results *v, int any_order,
                               int32_t *chain, play_choices *chosen)
{
    enum { THREE = 6, FOUR, N_ENDS };
    int32_t best[6][N_ENDS]; /* after dice a and b; then after three and four dice of size a */
    double least[6][N_ENDS];
    for (int a = 0; a < 6; a++) {
        int32_t one = v->result[a][0];
        double least_of_one = mean[one];
        for (int k = 0; k < v->n_results[a]; k++) {
            const int32_t *next = chains + (int64_t)v->result[a][k] * BGR_N_CHAINS, *second = next + BGR_ONE_DIE;
            const int32_t ends[N_ENDS] = {second[0],
                                          second[1],
                                          second[2],
                                          second[3],
                                          second[4],
                                          second[5],
                                          next[BGR_TWO_DICE + a],
                                          next[BGR_THREE_DICE + a]};
            if (k == 0) {
                for (int b = 0; b < N_ENDS; b++) {
                    best[a][b] = ends[b];
                    least[a][b] = mean[ends[b]];
                }
                continue;
            }
            consider(mean, v->result[a][k], &one, &least_of_one);
#pragma GCC unroll 1 /* all eight at once would not fit into the registers */
            for (int b = 0; b < N_ENDS; b++)
                consider(mean, ends[b], &best[a][b], &least[a][b]);
        }
        if (chain) {
            chain[BGR_ONE_DIE + a] = one;
            chain[BGR_TWO_DICE + a] = best[a][a];
            chain[BGR_THREE_DICE + a] = best[a][THREE];
        }
    }
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int a = bgr_rolls[roll].larger - 1, b = bgr_rolls[roll].smaller - 1, end = a == b ? FOUR : b;
        chosen->place[roll] = best[a][end];
        chosen->mean[roll] = least[a][end];
        if (a != b && a >= any_order)
            consider(mean, best[b][a], &chosen->place[roll], &chosen->mean[roll]);
    }
}

/* ------------------------------------------------------------------ tables */

/* Tables of every position of a space, played until fewer than `stop` checkers are on the board; 1: until the last one
 * is off.  n_threads: at least 1.  progress: or NULL.  The tables belong to the caller. */
typedef struct bgr_one_sided {
    const bgr_space *space;
    int stop, n_threads;
    bgr_progress progress;
    void *context;
    double *mean_rolls;   /* size */
    int32_t *best;        /* size x BGR_N_ROLLS, the index of the chosen result; a finished position leads to itself */
    uint8_t *longest;     /* size, the greatest number of rolls with these plays */
    int32_t *chains;      /* size x BGR_N_CHAINS, the index of the best result of 1, 2 or 3 dice of one size,
                           * [bgr_chain(dice, size)] */
    int width;            /* exceeds every entry of longest */
    double *distribution; /* size x width, the chance of being done in exactly k rolls */
    double *variance_rolls; /* size */
} bgr_one_sided;

/* Fill mean_rolls, best, longest and chains; any of them but mean_rolls may be NULL.
 *
 * Ross, Benjamin and Munson, section 3: E = 1 + (1/36) sum over rolls of weight * min over results of E.  Results
 * whose means differ by less than 1e-10 are equal, and the one with the smaller index is chosen.
 * BGR_ERR_CHECKERS if stop is not in 1 .. checkers, BGR_ERR_SIZE beyond 2^31 positions, BGR_ERR_MEMORY,
 * BGR_ERR_STOPPED. */
bgr_status bgr_one_sided_means(const bgr_one_sided *tables);

/* Fill distribution and variance_rolls: of the number of rolls with the plays of `best`.  The same errors. */
bgr_status bgr_one_sided_distributions(const bgr_one_sided *tables);
