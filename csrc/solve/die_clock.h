/* The fastest that one side can be, found die by die. */
#ifndef BGR_DIE_CLOCK_H
#define BGR_DIE_CLOCK_H

#include "solve/die_by_die.h"

/* The greatest chances to be off, or with `first` to have borne off a checker, within i = 0 .. width - 1 rolls, each by
 * a way to play of its own; rounded to float, up.  chances [out] width.  BGR_ERR_MEMORY. */
bgr_status bgr_die_clock(const bgr_dice_side *side, int first, int width, double *chances);

/* About how many bytes that takes; bgr_die_plays takes no more. */
double bgr_die_clock_bytes(const bgr_dice_side *side, int width);

#endif
