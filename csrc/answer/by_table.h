/* A race looked up in a table: of the solver's, or of a file that is read by ranges. */
#ifndef BGR_BY_TABLE_H
#define BGR_BY_TABLE_H

#include "turns/question.h"

/* Look a question up, with every play of every roll, if the solver has a table of all its pairs: *answer stays NULL
 * where it has none. */
bgr_status bgr_answer_by_table(bgr_question *question, bgr_answer **answer);

/* The same in the database, if that is read by ranges, with the plays of the rolls that are asked for. */
bgr_status bgr_answer_by_file(bgr_question *question, bgr_answer **answer);

#endif
