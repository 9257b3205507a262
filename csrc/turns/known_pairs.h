/* The pairs of few checkers that are known for a question. */
#pragma once

#include "turns/question.h"

/* Look for pairs that are known already, for the question's planes as they are. */
void bgr_find_table(bgr_question *question);

/* If none are, make a table, as large as is worth its while for the size of the question.  BGR_ERR_MEMORY. */
bgr_status bgr_make_table(bgr_question *question);
