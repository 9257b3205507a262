/* Which sentences say why a decision is right. */
#ifndef BGR_PHRASES_H
#define BGR_PHRASES_H

#include "answer/reasons_question.h"

/* Add a phrase to n; if there is no room, in place of the last one. */
bgr_phrase *bgr_say(bgr_phrase *phrases, int *n, const char *key);

/* Give a phrase a number; returns it. */
bgr_phrase *bgr_say_with(bgr_phrase *phrase, const char *name, double value);

/* Put phrases to both decisions, whose numbers are there.  free_double: a lost game costs no more when doubled. */
void bgr_find_phrases(const bgr_reasons_question *question, const bgr_cube_values *cube, int free_double,
                      bgr_reasons *reasons);

#endif
