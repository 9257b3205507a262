/* Where any position of a side stands among those of a layer: itself, or a blend of some of them. */
#ifndef BGR_STANDING_H
#define BGR_STANDING_H

#include "turns/reach.h"

/* The layers of a reach, prepared for that.  Opaque; read only, for any number of threads at once. */
typedef struct bgr_standing bgr_standing;

/* The reach and the home board must outlive it.  options: those that the reach was made with.  BGR_ERR_MEMORY. */
bgr_status bgr_standing_new(const bgr_reach_home *home, const bgr_reach *reach, const bgr_reach_options *options,
                            bgr_standing **standing);
void bgr_standing_free(bgr_standing *standing); /* NULL is allowed */

/* The local number of a position in a layer; -1 if it is not one of those that stay. */
int32_t bgr_standing_itself(const bgr_standing *standing, int turn, bgr_packed position);

/* A position that has a checker left, as a blend of those of a layer but the first; parts are local
 * numbers.  0: no position of the layer is like it. */
int bgr_standing_of(const bgr_standing *standing, int turn, bgr_packed position, bgr_blend *blend);

#endif
