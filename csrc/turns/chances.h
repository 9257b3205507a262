/* Chances to be off within 0, 1, .. rolls, as far as they are known without looking further. */
#ifndef BGR_CHANCES_H
#define BGR_CHANCES_H

#include "turns/nodes.h"

/* Exact in the home board; outside estimated, from estimates of the mean and the variance. */
void bgr_position_chances(const bgr_reach_home *home, bgr_packed position, bgr_off_chances chances);

#endif
