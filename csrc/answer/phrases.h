/* Which sentences say why a decision is right. */
#ifndef BGR_PHRASES_H
#define BGR_PHRASES_H

#include "answer/reasons_question.h"

/* Put phrases to both decisions, whose numbers are there.  free_double: a lost game costs no more when doubled. */
void bgr_find_phrases(const bgr_reasons_question *question, const bgr_cube_values *cube, int free_double,
                      bgr_reasons *reasons);

#endif
