/* Why a decision is right, from what an answer has. */
#pragma once

#include "base/stakes.h"
#include "bgrace_why.h"
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

/* BGR_ERR_MEMORY. */
bgr_status bgr_reasons_of(const bgr_reasons_question *question, bgr_reasons *reasons);

/* Whether the opponent had better have passed, after a roll that was played so.  after: values by plane for the
 * opponent on roll then. */
int bgr_market_is_lost(const bgr_planes *planes, const bgr_place *place, const double *after);

/* The difference of a play from a better one; better, other: what they leave, BGR_MAX_POINTS counts each.
 * chances: after either, or NULL.  As bgr_answer_play_reason. */
bgr_status bgr_play_reason_of(const bgr_solver *solver, bgr_cache *cache, const int8_t *opponent, const int8_t *better,
                              const int8_t *other, const bgr_chances *chances, bgr_play_reason *reason);

/* ---- in which sentences */

/* Add a phrase to n; if there is no room, in place of the last one. */
bgr_phrase *bgr_say(bgr_phrase *phrases, int *n, const char *key);

/* Give a phrase a number; returns it. */
bgr_phrase *bgr_say_with(bgr_phrase *phrase, const char *name, double value);

/* Put phrases to both decisions, whose numbers are there.  free_double: a lost game costs no more when doubled. */
void bgr_find_phrases(const bgr_reasons_question *question, const bgr_cube_values *cube, int free_double,
                      bgr_reasons *reasons);
