/* The home board, on which layers stand. */
#ifndef BGR_HOME_H
#define BGR_HOME_H

#include "bgrace.h"

/* The home board solved: every position of at most `checkers` checkers on six points.  Opaque; owned by the caller. */
typedef struct bgr_home bgr_home;

/* Solve it, until fewer than `stop` checkers are on the board, as bgr_one_sided_means does.  Free it with
 * bgr_home_free. BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_home_new(int checkers, int stop, int n_threads, bgr_home **home);
void bgr_home_free(bgr_home *home); /* NULL is allowed */

/* What 1 is in distributions of 16 bits. */
#define BGR_CHANCE_SCALE 65535

/* What is in it, for layers. */
enum { BGR_RING = 32 };

/* The part of a ring that is not 0. */
typedef struct {
    uint8_t first, length;
} bgr_span;

struct bgr_home {
    bgr_space space;
    int stop;
    double *mean, *variance;
    int32_t *chains;
    double *distribution; /* space.size x width */
    int width;
    uint16_t *rings; /* space.size x BGR_RING */
    bgr_span *span;
};

#endif
