/* One player alone on more than six points: the home board solved, and layers, each with all positions of one number of
 * checkers. */
#pragma once

#include "solve/layer_slots.h"

/* ------------------------------------------------------------------ a layer */

/* Bytes for each position of a layer without distributions while it is solved. */
int bgr_layer_slot_bytes(void);

/* Find the maximum bytes that the layer of all positions of `checkers` checkers takes while it is solved with
 * distributions; for very large layers, of all chains at once.  BGR_ERR_POINTS, BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_layer_bytes(int points, int checkers, int64_t *n_bytes);

/* Solve a layer: for the least mean number of rolls, as bgr_one_sided_means, and with `distributions` also for
 * variances and distributions.  `home` must outlive it.  Free it with bgr_layer_free.  The same errors; BGR_ERR_SIZE
 * beyond 2^31 positions or if a distribution covers more than 31 numbers of rolls, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
typedef struct bgr_layer_options {
    int distributions, n_threads;
    bgr_progress progress; /* or NULL */
    void *context;
} bgr_layer_options;
bgr_status bgr_layer_new(const bgr_layer_home *home, int points, const int8_t *most, const bgr_layer_options *options,
                         bgr_layer **layer);
void bgr_layer_free(bgr_layer *layer); /* NULL is allowed */

/* The greatest width of a distribution: numbers of rolls from the first to the last whose chance is not 0. */
int bgr_layer_width(const bgr_layer *layer);

/* Tables of a layer with distributions, in rising index: of n positions from number `first` on. */
typedef struct bgr_layer_rows {
    const bgr_layer *layer;
    int64_t first, n;
    int width;
    double *mean_rolls, *variance_rolls; /* n, or NULL */
    uint8_t *first_roll;                 /* n, the least number of rolls whose chance is not 0 */
    uint16_t *chances; /* n x width, of first_roll + k rolls in units of 1 / BGR_CHANCE_SCALE, summing to 1 */
} bgr_layer_rows;

/* Fill them.  BGR_ERR_SIZE if width is less than bgr_layer_width. */
bgr_status bgr_layer_tables(const bgr_layer_rows *rows, int n_threads);

/* ------------------------------------------------------------------ single positions */

/* The mean of a position of the layer, or of a home position with fewer checkers.  counts: one number for each point of
 * the layer. */
double bgr_layer_mean(const bgr_layer *layer, const int8_t *counts);

/* Find the distribution of the last position of a layer without distributions, whose sums are `most`, in float64, by
 * following its probability forward, roll by roll.  distribution [out] BGR_MAX_RACE_ROLLS.  BGR_ERR_MEMORY. */
bgr_status bgr_layer_distribution(const bgr_layer *layer, double *distribution);
