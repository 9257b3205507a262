/* The pairs of few checkers that are known for a question. */
#pragma once

#include "turns/question.h"

/* Find an existing table for the question's planes. */
void bgr_find_table(bgr_question *question);

/* If none is found, make a table, as large as pays off for the size of the question.  BGR_ERR_MEMORY. */
bgr_status bgr_make_table(bgr_question *question);
