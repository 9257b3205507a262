/* Stakes for money, and for a score of 3 and 2 points to go with an invented table. */
#include "bgrace.h"

static const bgr_stakes money = {.size = sizeof money, .gammons = 1};

static const double before_crawford[9] = {0.5, 0.68, 0.75, 0.32, 0.5, 0.6, 0.25, 0.4, 0.5};
static const double after_crawford[6] = {0.5, 0.49, 0.32, 0.5, 0.49, 0.32};
static const bgr_stakes match = {.size = sizeof match,
                                 .match = 1,
                                 .gammons = 1,
                                 .on_roll_needs = 3,
                                 .opponent_needs = 2,
                                 .cube_value = 1,
                                 .met_length = 3,
                                 .post_length = 3,
                                 .pre_crawford = before_crawford,
                                 .post_crawford = after_crawford};
