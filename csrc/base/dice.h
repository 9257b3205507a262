/* The 21 rolls of two dice. */
#pragma once

#include "bgrace.h"

#define BGR_N_ROLLS 21

/* Larger die, smaller die, weight out of 36. */
typedef struct {
    int8_t larger, smaller, weight;
} bgr_roll_kind;

/* The rolls in the order that every table here uses: (1,1), (2,1), (2,2), (3,1), ... (6,6). */
extern const bgr_roll_kind bgr_rolls[BGR_N_ROLLS];

/* Pips of a roll, and their mean. */
static inline int bgr_roll_pips(int larger, int smaller) { return (larger + smaller) << (larger == smaller); }
#define BGR_MEAN_PIPS (49.0 / 6)

/* Total points of a roll, doubles counted four times, rising, and of the 36 throws those with this total. */
typedef struct bgr_total {
    int points, ways;
} bgr_total;
enum { BGR_N_TOTALS = 13 };
extern const bgr_total bgr_totals[BGR_N_TOTALS];
