/* The home board, as what one side can come to stands on it. */
#ifndef BGR_REACH_HOME_H
#define BGR_REACH_HOME_H

#include "bgrace.h"

/* The home board solved for one player, 15 checkers: what every question below stands on.  Opaque; made once, read
 * only, for any number of threads at once. */
typedef struct bgr_reach_home bgr_reach_home;

/* Solve it; some 50 ms and 16 MB.  BGR_ERR_MEMORY. */
bgr_status bgr_reach_home_new(bgr_reach_home **home);
void bgr_reach_home_free(bgr_reach_home *home); /* NULL is allowed */

#endif
