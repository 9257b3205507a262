/* Exact pairs of few checkers for a question: what a solver has prepared, a database, or a table made for it alone. */
#ifndef BGR_TURNS_TABLES_H
#define BGR_TURNS_TABLES_H

#include "turns/question.h"

/* None are kept yet.  BGR_ERR_MEMORY. */
bgr_status bgr_kept_tables_new(bgr_kept_tables **kept);
void bgr_kept_tables_free(bgr_kept_tables *kept); /* NULL is allowed */

/* Look for pairs that are known already, for the question's planes as they are. */
void bgr_find_table(bgr_question *question);

/* If none are, make a table, as large as is worth its while for the size of the question.  BGR_ERR_STAKES. */
bgr_status bgr_make_table(bgr_question *question);

#endif
