/* Reasons of decisions, from the data of an answer. */
#pragma once

#include "base/stakes.h"
#include "bgrace_why.h"
#include "solve/cube_chart.h"

/* The answer of a pair, from any source. */
typedef struct bgr_reasons_question {
    const bgr_cube_chart *chart;
    const bgr_planes *planes;
    const bgr_place *place;
    int beavers, owned;         /* 1: beavers are allowed; 1: the player on roll owns the cube */
    const double *row;          /* values by plane of rolling now */
    const bgr_chances *chances; /* NaN: not known */
    const int8_t *counts[2];    /* BGR_MAX_POINTS each, of the player on roll and the opponent */
    const bgr_side *side[2];
    int market_losers; /* -1: not known */
} bgr_reasons_question;

/* BGR_ERR_MEMORY. */
bgr_status bgr_reasons_of(const bgr_reasons_question *question, bgr_reasons *reasons);

/* Whether the market is lost after a play: the opponent should have passed.  after: values by plane for the opponent,
 * on roll then. */
int bgr_market_is_lost(const bgr_planes *planes, const bgr_place *place, const double *after);

/* Explain why a play is better than another; better, other: the positions after them, BGR_MAX_POINTS counts each.
 * chances: after each play, or NULL.  The statuses of bgr_answer_play_reason. */
bgr_status bgr_play_reason_of(const bgr_solver *solver, bgr_cache *cache, const int8_t *opponent, const int8_t *better,
                              const int8_t *other, const bgr_chances *chances, bgr_play_reason *reason);

/* ---- sentences */

/* Add a phrase to n phrases; if there is no room, replace the last one. */
bgr_phrase *bgr_say(bgr_phrase *phrases, int *n, const char *key);

/* Add a number to a phrase; returns the phrase. */
bgr_phrase *bgr_say_with(bgr_phrase *phrase, const char *name, double value);

/* Find the phrases of both decisions, whose numbers are set.  free_double: a lost game costs no more when doubled. */
void bgr_find_phrases(const bgr_reasons_question *question, const bgr_cube_values *cube, int free_double,
                      bgr_reasons *reasons);
