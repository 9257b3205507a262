/* What positions are alike by: above all chances to be off within 0, 1, .. rolls. */
#ifndef BGR_CHANCES_H
#define BGR_CHANCES_H

#include "turns/nodes.h"

enum { BGR_N_KINDS = 3 };

/* Chances to be off: exact in the home board; outside estimated, from estimates of the mean and the variance. */
void bgr_position_chances(const bgr_reach_home *home, bgr_packed position, bgr_off_chances chances);

/* What a position has to be alike in besides its chances to be off, about as large as they are for about as much: of
 * the rolls to the first of 15 checkers, or of a side that cannot win of their variance. */
float bgr_likeness(const bgr_reach_options *options, double first, double variance);

/* The kind, 0 to 2: positions with all 15 checkers are a kind of their own, and those with a straggler where a
 * backgammon may be lost. */
int bgr_kind_of(const bgr_reach_options *options, bgr_packed position);

#endif
