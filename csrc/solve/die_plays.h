/* How soon one side is off by plays of its own choice, found die by die. */
#ifndef BGR_DIE_PLAYS_H
#define BGR_DIE_PLAYS_H

#include "solve/die_by_die.h"

/* The aim of a side: the greatest sum of growth^k, over the numbers of rolls k within which it is off, and as much
 * times `first` for those within which it has borne off a checker.  Growth 1 makes the mean number of rolls least; less
 * is for a side that needs luck. */
typedef struct bgr_dice_aim {
    double growth, first;
} bgr_dice_aim;

/* Chances to be off, and to have borne off a checker, within 0 .. BGR_DICE_WIDTH - 1 rolls. */
typedef struct bgr_dice_law {
    double off[BGR_DICE_WIDTH], first[BGR_DICE_WIDTH];
} bgr_dice_law;

/* No more than they are within i = 0 .. width - 1 rolls, rounded to float.  No lumps.  law [out]: `first` is that where
 * no checker is off, if with_first, and 0 otherwise.  BGR_ERR_MEMORY. */
bgr_status bgr_die_plays(const bgr_dice_side *side, bgr_dice_aim aim, int with_first, int width, bgr_dice_law *law);

#endif
