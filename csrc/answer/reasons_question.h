/* A pair whose decision is to be explained. */
#ifndef BGR_REASONS_QUESTION_H
#define BGR_REASONS_QUESTION_H

#include "base/stakes.h"
#include "solve/cube_chart.h"

/* A pair as it was answered, wherever the answer came from. */
typedef struct bgr_reasons_question {
    const bgr_cube_chart *chart;
    const bgr_planes *planes;
    const bgr_place *place;
    int beavers, owned;         /* whether they are played; whether the cube is on the side of the player on roll */
    const double *row;          /* values by plane of rolling now */
    const bgr_chances *chances; /* NaN: not known */
    const int8_t *counts[2];    /* BGR_MAX_POINTS each, of the player on roll and the opponent */
    const bgr_side *side[2];
    int market_losers; /* -1: not known */
} bgr_reasons_question;

#endif
